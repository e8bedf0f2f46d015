"""Benchmarks are found by their index, and their rooms know nothing of the scripts."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

from house.project import ROOT

BENCHMARKS = ROOT / "benchmarks"
SCRIPTS = sorted(path.stem for path in BENCHMARKS.glob("*.py"))
ROOMS = sorted(path.parent.name for path in BENCHMARKS.glob("*/__init__.py"))


def imported(path: Path) -> set[str]:
    """Return the first names of what a file imports: of a room's module, the room."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in names}


def test_the_index_tells_every_script_once() -> None:
    index = (BENCHMARKS / "README.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| `(\w+)\.py` \|", index, re.MULTILINE)) == SCRIPTS


def test_the_index_says_of_every_room_what_its_own_first_line_says() -> None:
    index = (BENCHMARKS / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+)/ \| (.*?) \|(.*)\|", index, re.MULTILINE)
    told = {
        room: (sentence, sorted(re.findall(r"`(\w+\.py)`", runnable)))
        for room, sentence, runnable in rows
    }
    there = {}
    for room in ROOMS:
        texts = {path.name: path.read_text("utf-8") for path in (BENCHMARKS / room).glob("*.py")}
        runnable = sorted(name for name, text in texts.items() if "__main__" in text)
        there[room] = (ast.get_docstring(ast.parse(texts["__init__.py"])), runnable)
    assert told == there


def test_a_room_imports_no_script_and_rooms_go_in_one_direction() -> None:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for room in ROOMS:
        names = set[str]().union(*(imported(path) for path in (BENCHMARKS / room).glob("*.py")))
        assert not names & set(SCRIPTS), room
        sorter.add(room, *(names & set(ROOMS) - {room}))
    sorter.prepare()  # raises CycleError, which names the rooms
