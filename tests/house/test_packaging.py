"""What is installed is what is in the folders: no more, no less."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from house.project import (
    FOLDERS,
    ROOT,
    module_at,
    package_files,
    pyproject,
    shipped_files,
    source_files,
)

SETUPTOOLS = pyproject()["tool"]["setuptools"]
PACKAGE_DIRS = {
    module_at(path).name: path.parent for path in package_files() if path.name == "__init__.py"
}


def test_every_folder_with_modules_is_a_package() -> None:
    with_modules = {path.parent for path in package_files() if path.suffix == ".py"}
    assert with_modules == set(PACKAGE_DIRS.values())


def test_every_package_is_listed() -> None:
    """One that is not listed vanishes from the wheel without a warning."""
    shipped = {module_at(path).name for path in shipped_files() if path.name == "__init__.py"}
    assert sorted(SETUPTOOLS["packages"]) == sorted(shipped)
    for name, folder in SETUPTOOLS["package-dir"].items():
        assert PACKAGE_DIRS[name] == ROOT / folder


def test_every_package_is_typed() -> None:
    assert [
        name for name, folder in PACKAGE_DIRS.items() if not (folder / "py.typed").exists()
    ] == []


def test_every_pattern_of_package_data_matches_something() -> None:
    for package, patterns in SETUPTOOLS["package-data"].items():
        folders = PACKAGE_DIRS.values() if package == "*" else [PACKAGE_DIRS[package]]
        for pattern in patterns:
            for folder in folders:
                assert any(folder.glob(pattern)), f"{package}: nothing is {pattern!r}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """The names in a wheel built from a copy, so that this tree stays clean."""
    copy = tmp_path_factory.mktemp("copy")
    for path in source_files():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    out = tmp_path_factory.mktemp("wheel")
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", str(out), str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (path,) = out.glob("*.whl")
    with ZipFile(path) as archive:
        return frozenset(archive.namelist())


def test_the_wheel_holds_every_file_of_the_packages(wheel: frozenset[str]) -> None:
    files = {f"railspotter/{path.relative_to(ROOT).as_posix()}" for path in shipped_files()}
    assert sorted(files - wheel) == []


def test_the_wheel_holds_nothing_else(wheel: frozenset[str]) -> None:
    version = pyproject()["project"]["version"]
    own = ("railspotter/", f"railspotter-{version}.dist-info/")
    assert [name for name in sorted(wheel) if not name.startswith(own)] == []
    inside = {Path(name).parts[1] for name in wheel if name.startswith("railspotter/")}
    assert inside == set(FOLDERS)


def test_the_command_is_there() -> None:
    module, _, function = pyproject()["project"]["scripts"]["railspotter"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))
