"""What a check-up finds, as values and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """How it stands with one thing."""

    WELL = "well"
    NOTE = "note"  # good to know, nothing is wrong
    ATTENTION = "attention"  # it will not work, or not well, until somebody does something


@dataclass(frozen=True)
class CheckResult:
    """One thing that was looked at."""

    about: str  # `program`, `data`, `profile`, `camera`, `light` or `network`
    state: State
    said: str  # what was found, in a sentence without full stop
    advice: tuple[str, ...] = ()  # what to do about it
    # The same as numbers and names, for programs.
    details: Mapping[str, Any] = field(default_factory=dict)


MARKS = {State.WELL: "ok", State.NOTE: "--", State.ATTENTION: "!!"}


def findings_text(findings: Sequence[CheckResult]) -> Iterator[str]:
    r"""Yield the lines of a check-up, in words.

    Examples
    --------
    >>> dark = CheckResult("light", State.ATTENTION, "it is dark", ("switch on a lamp",))
    >>> print(*findings_text([dark]), sep="\n")
    !! light    it is dark
                switch on a lamp
    1 thing needs attention
    """
    for finding in findings:
        yield f"{MARKS[finding.state]} {finding.about:8} {finding.said}"
        yield from (f"{'':12}{advice}" for advice in finding.advice)
    count = sum(finding.state is State.ATTENTION for finding in findings)
    if count == 0:
        yield "all is well"
    else:
        yield f"{count} thing{'s need' if count > 1 else ' needs'} attention"


def findings_json(findings: Sequence[CheckResult]) -> dict[str, Any]:
    """Return a check-up for `--json`."""
    return {
        "is_well": is_well(findings),
        "findings": [
            {
                "about": finding.about,
                "state": str(finding.state),
                "said": finding.said,
                "advice": list(finding.advice),
                "details": dict(finding.details),
            }
            for finding in findings
        ],
    }


def is_well(findings: Sequence[CheckResult]) -> bool:
    """Tell whether nothing needs attention."""
    return all(finding.state is not State.ATTENTION for finding in findings)
