"""Mutants are the program with one place changed, and what nobody executes stays as it is."""

import ast
from pathlib import Path

from house.project import ROOT

from mutating.mutant import SourceFile, draw_mutants

CODE = '''
"""Says nothing."""
LIMIT: dict[str, int] = {}

def is_far(x: float = 2.5, *, name: str = f"{1 + 1}") -> bool:
    """Return 1."""
    if x is not None and not x < 3:
        self.count += 1
        log(name)
    return x % 2 == 0

def half(x):
    return x / 2
'''


def test_what_can_be_changed(tmp_path: Path) -> None:
    (tmp_path / "far.py").write_text(CODE, "utf-8")
    source = (tmp_path / "far.py").read_bytes()
    found = list(SourceFile(tmp_path, "far.py").mutants())
    assert {(one.lines[0], one.old, one.new) for one in found} == {
        (5, "2.5", "(2.5 + 1)"),
        (7, "x is not None and not x < 3", "(not (x is not None and not x < 3))"),
        (7, "is not", "is"),
        (7, "and", "or"),
        (7, "not x < 3", "(x < 3)"),
        (7, "<", "<="),
        (7, "3", "(3 - 1)"),
        (8, "self.count += 1", "pass"),
        (8, "1", "(1 + 1)"),
        (9, "log(name)", "pass"),
        (10, "return x % 2 == 0", "return not (x % 2 == 0)"),
        (10, "%", "*"),
        (10, "==", "!="),
        (10, "2", "(2 - 1)"),
        (10, "0", "(0 + 1)"),
        (13, "return x / 2", "return None"),
        (13, "/", "*"),
        (13, "2", "(2 - 1)"),
    }
    for one in found:
        ast.parse(source[: one.place[0]] + one.new.encode() + source[one.place[1] :])


def test_a_seed_draws_the_same_mutants() -> None:
    packages = ("club", "firmware_bridge")
    drawn = draw_mutants(ROOT, packages, 20, seed=5)
    assert drawn == draw_mutants(ROOT, packages, 20, seed=5)
    assert len({(one.file, one.lines[0]) for one in drawn}) == 20
