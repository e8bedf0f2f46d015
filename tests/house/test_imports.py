"""Arrows point one way: who may import whom, read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from house.project import FOLDERS, ROOT, Module, module_at, modules, source_files

MAY_IMPORT = {
    "scoring": (),
    "calibration": ("railspotter.scoring.board",),
    "vision": ("railspotter.scoring.board", "railspotter.calibration"),
    "table": ("railspotter.scoring", "railspotter.calibration", "railspotter.vision"),
    "webui": ("railspotter.scoring", "railspotter.table"),
    "firmware_bridge": ("railspotter.scoring", "railspotter.table"),
}
"""What each package may import beside itself: a module, and what is under it."""

PUTS_IT_TOGETHER = "railspotter.table.command"
MAY_IMPORT_LAZILY = ("railspotter.webui", "railspotter.firmware_bridge")
"""The one exception: that module may import these, inside a function."""

VIRTUAL_BOARD = "railspotter.vision.virtual_board"
"""Its modules import nothing of the reader: only each other and the boards."""
VIRTUAL_CARDS = "railspotter.vision.virtual_cards"
"""Its modules import each other and the virtual board."""

NEVER_KNOWS = {
    "scoring": {"cv2", "PIL", "flask", "cheroot", "serial", "time", "datetime", "random", "socket"},
    "calibration": {"flask", "cheroot", "serial"},
    "vision": {"flask", "cheroot", "serial"},
    "table": {"flask", "cheroot", "serial"},
    "webui": {"cv2", "serial"},
    "firmware_bridge": {"cv2", "flask", "cheroot"},
}
"""Foreign libraries that belong to another package's trade."""


@dataclass(frozen=True)
class Import:
    """One imported module; `is_lazy` when only the call of a function imports it."""

    target: str
    line: int
    is_lazy: bool


def imports(source: str, module: Module) -> Iterator[Import]:
    """Yield what a module imports, relative names resolved."""

    def walk(node: ast.AST, is_lazy: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, is_lazy)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module)
            for alias in node.names:
                yield Import(_module_named(base, alias.name), node.lineno, is_lazy)
        is_lazy |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from walk(child, is_lazy)

    yield from walk(ast.parse(source), False)


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
    return f"{base}.{name}" if path.is_dir() or path.with_suffix(".py").is_file() else base


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
        elif module.name == PUTS_IT_TOGETHER and is_within(target, MAY_IMPORT_LAZILY):
            if found.is_lazy:
                continue
            why = f"imports {target!r} outside a function"
        elif module.name.startswith(VIRTUAL_BOARD):
            if target.startswith(VIRTUAL_BOARD) or target == "railspotter.scoring.board":
                continue
            why = f"imports {target!r}; the virtual board knows nothing of the reader"
        elif module.name.startswith(VIRTUAL_CARDS):
            if is_within(target, (VIRTUAL_CARDS, VIRTUAL_BOARD)):
                continue
            why = f"imports {target!r}; virtual cards know nothing of the reader"
        elif is_within(target, (f"railspotter.{folder}", *MAY_IMPORT[folder])):
            continue
        else:
            why = f"imports {target!r}; {folder} may import {MAY_IMPORT[folder] or 'nobody'}"
        said.append(f"line {found.line}: {why}")
    return said


@pytest.mark.parametrize("module", modules(), ids=str)
def test_the_arrows_point_one_way(module: Module) -> None:
    assert complaints(module.path.read_text("utf-8"), module) == []


OUTSIDE = [
    path
    for path in source_files()
    if path.suffix == ".py" and path.relative_to(ROOT).parts[0] not in FOLDERS
]


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(ROOT)))
def test_tests_and_benchmarks_import_the_packages_by_their_names(path: Path) -> None:
    found = imports(path.read_text("utf-8"), Module(path, "outside"))
    assert [one for one in found if one.target.split(".")[0] in FOLDERS] == []


@pytest.mark.parametrize(
    ("where", "source", "why"),
    [
        ("scoring/points.py", "import railspotter.vision", "may import nobody"),
        ("scoring/points.py", "from railspotter import calibration", "may import nobody"),
        ("scoring/points.py", "def f():\n    import random", "not scoring's trade"),
        ("scoring/points.py", "from ..table.command import main", "railspotter.table.command"),
        ("scoring/__init__.py", "from ..vision import x", "'railspotter.vision'"),
        ("calibration/pose.py", "from railspotter.scoring import Board", "'railspotter.scoring'"),
        ("calibration/pose.py", "from railspotter.vision import read", "'railspotter.vision'"),
        ("vision/reader.py", "import scoring.board", "second copy of 'railspotter.scoring.board'"),
        ("vision/reader.py", "from table import command", "second copy"),
        ("vision/reader.py", "import flask", "not vision's trade"),
        ("vision/virtual_board/frame.py", "from .. import reader", "nothing of the reader"),
        (
            "vision/virtual_board/printed_map.py",
            "import railspotter.calibration",
            "nothing of the reader",
        ),
        (
            "vision/virtual_board/printed_map.py",
            "from railspotter.scoring import x",
            "of the reader",
        ),
        ("table/events.py", "def f():\n    import railspotter.webui", "table may import"),
        ("table/command.py", "import railspotter.webui", "outside a function"),
        ("table/command.py", "class A:\n    from ..webui import x", "outside a function"),
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
        ("vision/reader.py", "from ..calibration import pose\nimport cv2"),
        ("vision/virtual_board/frame.py", "from .printed_map import draw_board"),
        ("table/command.py", "def demo():\n    from railspotter.webui import serve"),
        ("webui/page.py", "import flask\nfrom railspotter.table.reading import read"),
    ],
)
def test_a_right_import_is_let_through(where: str, source: str) -> None:
    assert complaints(source, module_at(ROOT / where)) == []
