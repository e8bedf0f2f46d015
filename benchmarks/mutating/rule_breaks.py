"""The sentences of docs/rulebooks.md, and how the rule behind each is broken on purpose."""

import re
import tomllib
from pathlib import Path

import msgspec

from .project_copy import ROOT

BREAKS = Path(__file__).with_suffix(".toml")
PAGE = (ROOT / "docs" / "rulebooks.md").read_text("utf-8")
SENTENCE = re.compile(r"^- (.+): `(.+)`\n((?:  .+\n)*)", re.MULTILINE)


class RuleSentence(msgspec.Struct, frozen=True):
    """A sentence of a rulebook."""

    document: str  # the title of its rulebook
    asked: str  # what it asks, in our words
    file: str  # that does it
    tests: tuple[str, ...]  # that prove it


class RuleBreak(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of one file that breaks a rule."""

    file: str
    old: str  # what stands in the file, once
    new: str  # what stands there instead
    sentences: dict[str, tuple[str, ...]]  # what rests on the rule, by document


def rule_sentences() -> list[RuleSentence]:
    """Return all sentences of the page."""
    return [
        RuleSentence(title, asked, file, tuple(re.findall(r"^  - `(.+)`$", tests, re.MULTILINE)))
        for title, part in re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE)
        for asked, file, tests in SENTENCE.findall(part)
    ]


def rule_breaks() -> list[RuleBreak]:
    """Return all breaks."""
    return msgspec.convert(tomllib.loads(BREAKS.read_text("utf-8"))["breaks"], list[RuleBreak])
