"""Break the rule behind each sentence of docs/rulebooks.md, and say which of its tests notices.

    python benchmarks/break_rules.py [--document "New York"] [--words "two cards"]

The breaks are in `mutating/rule_breaks.toml`: a text of one file, once in it, and another text.
What is broken is a copy in the system's folder for temporary files. Each break is tried with the
tests of each sentence that rests on it, in their order, until one of them fails; before that, all
of them pass there, or nothing is broken. The exit code is 1 where no test noticed a break.
"""

import argparse
import re
import tempfile
from pathlib import Path

from mutating.project_copy import changed, copy_project, run_tests
from mutating.rule_breaks import RuleBreak, rule_breaks, rule_sentences

FAILED = re.compile(r"^FAILED (tests/.+?\.py::\w+(?:\[.+?\])?)(?: - .*)?$", re.MULTILINE)
TIMEOUT_S = 400  # of the tests of a sentence


def noticed_by(tree: Path, broken: RuleBreak, tests: tuple[str, ...]) -> str:
    """Return the first test that fails once the rule is broken, or in words why none does."""
    path = tree / broken.file
    with changed(path, path.read_text("utf-8").replace(broken.old, broken.new).encode()):
        code, said = run_tests(tree, ["-x", *tests], TIMEOUT_S)
    if found := FAILED.search(said):
        return found[1]
    return {0: "nothing", None: "nothing in time"}.get(code, f"no test, but pytest: {said[-900:]}")


def main() -> int:
    """Break every rule that is asked for; print a line for each sentence, and the count."""
    parser = argparse.ArgumentParser(description="Say which test notices a broken rule.")
    parser.add_argument("--document", default="", help="the title of a rulebook")
    parser.add_argument("--words", default="", help="that stand in the sentence")
    asked = parser.parse_args()
    tests = {(one.document, one.asked): one.tests for one in rule_sentences()}
    tried = [
        (broken, (document, sentence))
        for broken in rule_breaks()
        for document, sentences in broken.sentences.items()
        for sentence in sentences
        if asked.document in ("", document) and asked.words in sentence
    ]
    with tempfile.TemporaryDirectory(prefix="rules-") as folder:
        tree = copy_project(Path(folder))
        named = dict.fromkeys(test for _, sentence in tried for test in tests[sentence])
        code, said = run_tests(tree, [*named])
        if code:
            print(said[-2000:], "\nThese tests fail before anything is broken.")
            return 2
        unnoticed = set[tuple[str, str]]()
        for broken, sentence in tried:
            by = noticed_by(tree, broken, tests[sentence])
            if "::" not in by:
                unnoticed.add(sentence)
            print(f"{': '.join(sentence)}\n    {broken.file}: {by}", flush=True)
    every = {sentence for _, sentence in tried}
    print(f"{len(every) - len(unnoticed)} of {len(every)} sentences noticed, {len(tried)} breaks")
    return bool(unnoticed)


if __name__ == "__main__":
    raise SystemExit(main())
