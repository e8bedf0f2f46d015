"""The project as it lies on the disk: its folders, files and modules."""

import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# The top-level folders that are packages of `railspotter`.
FOLDERS = (
    "scoring",
    "calibration",
    "vision",
    "simulation",
    "table",
    "webui",
    "firmware_bridge",
    "club",
    "cli",
)


@dataclass(frozen=True)
class Module:
    """A Python file of the packages and the name it is imported by."""

    path: Path
    name: str

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    def __str__(self) -> str:
        return self.name


@cache
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@cache
def source_files() -> tuple[Path, ...]:
    """Every file that is in git or could be: what is ignored is left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (ROOT / name for name in listed.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def package_files() -> tuple[Path, ...]:
    """The source files that lie in one of the packages' folders."""
    return tuple(p for p in source_files() if p.relative_to(ROOT).parts[0] in FOLDERS)


def modules() -> tuple[Module, ...]:
    """Every module of the packages."""
    return tuple(module_at(path) for path in package_files() if path.suffix == ".py")


def module_at(path: Path) -> Module:
    """The module that a file of a package is: `scoring/board.py`, railspotter.scoring.board."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return Module(path, ".".join(("railspotter", *parts)))
