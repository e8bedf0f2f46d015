"""The program is run with one of its numbers changed, and what is derived from it follows."""

import math
from pathlib import Path

import pytest

from chosen_numbers import PACKAGES, ROOT, effect, run_varied
from varying.variants import KINDS, UNLIMITED_COUNT, numbers_in

LIMITS = '''
"""Says nothing."""
from dataclasses import dataclass
from pathlib import Path

MOST_MM = 4.0
HALF_PX = 3  # a count
TWICE_MM = 2 * MOST_MM
SHARES = (0.2, -1 / 4)
CELLS: dict[str, tuple[int, int]] = {"a": (4, 6)}
NAME, HERE, IS_SET = "limits", Path(), True
unnamed = 5

@dataclass
class Settings:
    name: str = "x"

@dataclass
class LookSettings:
    reach: float = 2.0
    of_most: float = TWICE_MM
    label: str = ""

def unused():
    return SHARES
'''
LOOK = """
from .limits import MOST_MM, TWICE_MM, HALF_PX, LookSettings

def look(settings=LookSettings()):
    yield "seen", [MOST_MM, TWICE_MM, HALF_PX, 1 * settings.reach, settings.of_most]

def share():
    yield 1 / HALF_PX
"""
READING = {
    "reasons": [],
    "corners_px": [[[0, 0], [10, 0], [10, 10], [0, 10]]],
    "px_per_mm": [2.0],
    "answers": {"route x": "red", "route y": "red"},
    "asked": {},
    "notes": [],
    "wrong": 0,
    "certain": 0,
    "odds": {"route x": 0.9, "route y": 0.5, "route z": 0.7},
}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a package of two small modules, which programs can import."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "limits.py").write_text(LIMITS, "utf-8")
    (tmp_path / "toy" / "look.py").write_text(LOOK, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def test_numbers_are_constants_and_defaults_of_settings(toy: Path) -> None:
    found = numbers_in(toy, ["toy"])
    assert [(one.file, one.name, one.value) for one in found] == [
        ("toy/limits.py", "MOST_MM", "4.0"),
        ("toy/limits.py", "HALF_PX", "3"),
        ("toy/limits.py", "SHARES", "(0.2, -1 / 4)"),
        ("toy/limits.py", "CELLS", "{'a': (4, 6)}"),
        ("toy/limits.py", "LookSettings.reach", "2.0"),
    ]
    assert [one.disabling_value for one in found] == [math.inf, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "change", "seen"),
    [
        ("MOST_MM", {}, [4.0, 8.0, 3, 2.0, 8.0]),
        ("MOST_MM", {"times": 0.5}, [2.0, 4.0, 3, 2.0, 4.0]),
        ("MOST_MM", {"to": math.inf}, [math.inf, math.inf, 3, 2.0, math.inf]),
        ("HALF_PX", {"times": 0.5}, [4.0, 8.0, 2, 2.0, 8.0]),
        ("HALF_PX", {"to": math.inf}, [4.0, 8.0, UNLIMITED_COUNT, 2.0, 8.0]),
        ("LookSettings.reach", {"to": 0}, [4.0, 8.0, 3, 0, 8.0]),
    ],
)
def test_what_is_derived_from_a_number_follows(
    toy: Path, name: str, change: dict[str, float], seen: list[float]
) -> None:
    variant = {"module": "toy.limits", "name": name, **change} if change else {}
    assert run_varied(variant, "toy.look:look") == ([["seen", seen]], "done")


def test_every_kind_is_of_numbers_that_are_there() -> None:
    there = {(one.file, one.name) for one in numbers_in(ROOT, PACKAGES)}
    named = {
        (file, name) for files in KINDS.values() for file, names in files.items() for name in names
    }
    assert named - there == set()


def test_a_reading_that_differs() -> None:
    before = {"ended": "done", "a": READING, "b": READING, "c": {"reasons": ["too dark"]}}
    other = {
        **READING,
        "corners_px": [[[0, 0], [9, 0], [10, 10], [0, 10]]],
        "answers": {"route x": "red", "route z": "blue"},
        "asked": {"route z": ["glare lies over it", "None"]},
        "certain": 1,
        "odds": {"route x": 0.9, "route y": 0.2, "route z": 0.7},
    }
    after = {"ended": "done", "a": other, "b": {"reasons": ["cut off"]}, "c": {"reasons": ["pale"]}}
    assert effect(before, before) == {}
    assert effect(before, after) == {
        **{"mm": 0.5, "answers": 2, "certain": 1, "asked": 1, "other questions": 1},
        **{"odds": 0.3, "lost": 1, "reason": 2},
    }
