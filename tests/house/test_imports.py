"""Arrows point one way: who may import whom, read from the sources."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter

import pytest
from house.project import FOLDERS, ROOT, Module, module_at, modules, source_files

# What each package may import beside itself: a module, and what is under it.
BELOW = {
    "scoring": (),
    "calibration": (
        "railspotter.scoring.board",
        "railspotter.scoring.sentence",
        "railspotter.scoring.spot",
    ),
    "vision": (
        "railspotter.scoring.board",
        "railspotter.scoring.bounded_file",
        "railspotter.scoring.sentence",
        "railspotter.scoring.spot",
        "railspotter.calibration",
    ),
    "simulation": ("railspotter.scoring",),
    "table": (
        "railspotter.scoring",
        "railspotter.calibration",
        "railspotter.vision",
        "railspotter.simulation",
    ),
    "webui": (
        "railspotter.scoring",
        "railspotter.table",
        "railspotter.club",
        "railspotter.vision.readings",
        "railspotter.vision.watching.questions",
    ),
    "firmware_bridge": ("railspotter.scoring", "railspotter.simulation", "railspotter.table"),
    "club": ("railspotter.scoring", "railspotter.table"),
}
# The command is the program put together: it imports everything, and nothing imports it.
MAY_IMPORT = {**BELOW, "cli": tuple(f"railspotter.{package}" for package in BELOW)}

# The names of the package's arrays, which know nothing either.
ARRAYS = "railspotter.simulation.arrays"
# Its modules import nothing of the rules: only each other, the arrays and the boards.
VIRTUAL_BOARD = "railspotter.simulation.virtual_board"

# Foreign libraries that belong to another package's trade.
NEVER_KNOWS = {
    "scoring": {"cv2", "PIL", "flask", "cheroot", "serial", "time", "datetime", "random", "socket"},
    "calibration": {"flask", "cheroot", "serial"},
    "vision": {"flask", "cheroot", "serial"},
    "simulation": {"flask", "cheroot", "serial", "socket"},
    "table": {"flask", "cheroot", "serial"},
    "webui": {"cv2", "serial"},
    "firmware_bridge": {"cv2", "flask", "cheroot"},
    "club": {"cv2", "flask", "cheroot", "serial"},
    "cli": {"flask", "cheroot", "serial"},
}


@dataclass(frozen=True)
class Import:
    """One imported module."""

    target: str
    line: int


def imports(source: str, module: Module) -> Iterator[Import]:
    """Yield what a module imports, relative names resolved."""

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module)
            for alias in node.names:
                yield Import(_module_named(base, alias.name), node.lineno)


def _absolute(node: ast.ImportFrom, module: Module) -> str:
    """The module after `from`: one dot is the package that the importing module lies in."""
    if node.level == 0:
        return node.module or ""
    parts = module.name.split(".")
    parts = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _module_named(base: str, name: str) -> str:
    """`base.name` when that is a module of the project, else `base`."""
    first, *rest = [*base.split("."), name]
    if first != "railspotter":
        return base
    path = ROOT.joinpath(*rest)
    is_module = path.is_dir() or path.with_suffix(".py").is_file()
    return f"{base}.{name}" if is_module else base


def room_of(module: str) -> str | None:
    """The room that a module lies in: `railspotter.vision.look`; None for those in no room.

    Modules right in a package's folder are in none: they are values that all its rooms share.
    """
    parts = module.split(".")
    return ".".join(parts[:3]) if len(parts) > 2 and ROOT.joinpath(*parts[1:3]).is_dir() else None


def is_within(target: str, modules: tuple[str, ...]) -> bool:
    return any(target == module or target.startswith(module + ".") for module in modules)


def complaints(source: str, module: Module) -> list[str]:
    """Say what a module of the packages imports and should not."""
    folder = module.name.split(".")[1]
    said = []
    for found in imports(source, module):
        target, top = found.target, found.target.split(".")[0]
        if top in FOLDERS:
            why = f"imports {target!r}, a second copy of 'railspotter.{target}'"
        elif top in NEVER_KNOWS[folder]:
            why = f"imports {target!r}, which is not {folder}'s trade"
        elif top != "railspotter":
            continue
        elif module.name.startswith(VIRTUAL_BOARD):
            if is_within(target, (VIRTUAL_BOARD, ARRAYS, "railspotter.scoring.board")):
                continue
            why = f"imports {target!r}; the virtual board knows no rules"
        elif not is_within(target, (f"railspotter.{folder}", *MAY_IMPORT[folder])):
            why = f"imports {target!r}; {folder} may import {MAY_IMPORT[folder] or 'nobody'}"
        else:
            continue
        said.append(f"line {found.line}: {why}")
    return said


def test_the_arrows_point_one_way() -> None:
    said = {module.name: complaints(module.path.read_text("utf-8"), module) for module in modules()}
    assert {name: found for name, found in said.items() if found} == {}


def test_no_room_is_entered_twice() -> None:
    """Within a package too: rooms that import each other in a circle are one room."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for module in modules():
        here = room_of(module.name)
        for found in imports(module.path.read_text("utf-8"), module):
            there = room_of(found.target) if found.target.startswith("railspotter.") else None
            if here is not None and there is not None and here != there:
                sorter.add(here, there)
    sorter.prepare()  # raises CycleError, which names the rooms


def test_tests_and_benchmarks_import_the_packages_by_their_names() -> None:
    wrong = [
        (path, one.target)
        for path in source_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] not in FOLDERS
        for one in imports(path.read_text("utf-8"), Module(path, "outside"))
        if one.target.split(".")[0] in FOLDERS
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("where", "source", "why"),
    [
        ("scoring/points.py", "import railspotter.vision", "may import nobody"),
        ("scoring/points.py", "from railspotter import calibration", "may import nobody"),
        ("scoring/points.py", "def f():\n    import random", "not scoring's trade"),
        ("scoring/points.py", "from ..cli.command import main", "railspotter.cli.command"),
        ("scoring/__init__.py", "from ..vision import x", "'railspotter.vision'"),
        ("calibration/pose.py", "from railspotter.scoring import Board", "'railspotter.scoring'"),
        ("calibration/pose.py", "from railspotter.vision import read", "'railspotter.vision'"),
        ("vision/reader.py", "import scoring.board", "second copy of 'railspotter.scoring.board'"),
        ("vision/reader.py", "from table import home", "second copy"),
        ("vision/reader.py", "import flask", "not vision's trade"),
        (
            "simulation/virtual_board/printed_map.py",
            "from railspotter.scoring import x",
            "knows no rules",
        ),
        ("simulation/bots.py", "import railspotter.table.home", "simulation may import"),
        ("table/events.py", "def f():\n    import railspotter.webui", "table may import"),
        ("table/events.py", "from railspotter.cli.command import main", "table may import"),
        ("webui/page.py", "from railspotter.vision import Reading", "webui may import"),
        ("webui/page.py", "from railspotter import firmware_bridge", "webui may import"),
        ("firmware_bridge/port.py", "import cv2.ml", "not firmware_bridge's trade"),
    ],
)
def test_a_wrong_import_is_seen(where: str, source: str, why: str) -> None:
    said = complaints(f"import math\n{source}\n", module_at(ROOT / where))
    assert len(said) == 1
    assert why in said[0]


@pytest.mark.parametrize(
    ("where", "source"),
    [
        ("scoring/points.py", "from . import board\nfrom .board import Board"),
        ("scoring/__init__.py", "from .board import Board\nfrom .errors import BoardError"),
        ("calibration/pose.py", "from railspotter.scoring import board"),
        ("vision/reader.py", "from railspotter.scoring.board import Board"),
        ("vision/reader.py", "from railspotter.scoring.spot import Spot"),
        ("vision/reader.py", "from ..calibration import pose\nimport cv2"),
        ("simulation/virtual_board/virtual_camera.py", "from .printed_map import draw_board"),
        ("cli/command.py", "from railspotter.webui import serve"),
        ("table/photos/x.py", "from ..game_log.log import GameLog\nfrom ..home import home"),
        ("webui/page.py", "import flask\nfrom railspotter.table.reading import read"),
    ],
)
def test_a_right_import_is_let_through(where: str, source: str) -> None:
    assert complaints(source, module_at(ROOT / where)) == []
