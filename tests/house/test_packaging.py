"""What is installed is what is in the folders: no more, no less."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from house.project import FOLDERS, ROOT, module_at, package_files, pyproject, source_files

RUN = (
    "import sys, railspotter.scoring as one; print(one.__file__);"
    "from railspotter.cli.process import main; sys.exit(main())"
)
SETUPTOOLS = pyproject()["tool"]["setuptools"]
# What a build fetches; it goes on without them where that cannot be.
NETS = ("detector.onnx", "recogniser.onnx", "nets.json", "nets-LICENSE", "nets-MODEL_LICENSES.md")
NETS_FOLDER = Path("vision") / "words"
PACKAGE_DIRS = {
    module_at(path).name: path.parent for path in package_files() if path.name == "__init__.py"
}


def test_every_folder_with_modules_is_a_package() -> None:
    with_modules = {path.parent for path in package_files() if path.suffix == ".py"}
    assert with_modules == set(PACKAGE_DIRS.values())


def test_every_package_is_listed() -> None:
    """One that is not listed vanishes from the wheel without a warning."""
    shipped = {module_at(path).name for path in package_files() if path.name == "__init__.py"}
    assert sorted(SETUPTOOLS["packages"]) == sorted(shipped)
    for name, folder in SETUPTOOLS["package-dir"].items():
        assert PACKAGE_DIRS[name] == ROOT / folder


def test_wheels_are_asked_for_each_system_and_python_that_the_documents_name() -> None:
    told = (ROOT / "docs" / "install.md").read_text("utf-8")
    asked = dict(re.findall(r"^(SYSTEMS|PYTHONS) := (.+)$", (ROOT / "Makefile").read_text(), re.M))
    assert re.findall(r"\b3\.\d+\b", told.partition("\n\n")[2].partition(" and ")[0]) == (
        asked["PYTHONS"].split()
    )
    rows = [
        row for row in told.splitlines() if re.match(r"\| (Linux, 64|macOS 13|Windows 10)", row)
    ]
    words = {
        "x86_64-unknown-linux-gnu": ("Linux", "Intel, AMD"),
        "aarch64-unknown-linux-gnu": ("Linux", "ARM"),
        "aarch64-apple-darwin": ("macOS", "Apple silicon"),
        "x86_64-pc-windows-msvc": ("Windows", "Intel and AMD"),
    }
    assert asked["SYSTEMS"].split() == list(words)
    assert len(rows) == 3
    for system, machine in words.values():
        assert any(system in row and machine in row for row in rows)


def test_every_package_is_typed() -> None:
    assert [
        name for name, folder in PACKAGE_DIRS.items() if not (folder / "py.typed").exists()
    ] == []


def test_every_pattern_of_package_data_matches_something() -> None:
    for package, patterns in SETUPTOOLS["package-data"].items():
        folders = PACKAGE_DIRS.values() if package == "*" else [PACKAGE_DIRS[package]]
        for pattern in patterns:
            if package == "railspotter.vision.words":
                continue  # fetched: the nets' own test tells
            for folder in folders:
                assert any(folder.glob(pattern)), f"{package}: nothing is {pattern!r}"


def copied(folder: Path) -> Path:
    """Copy what is in git, so that this tree stays clean, and what was fetched for it."""
    nets = (path for name in NETS if (path := ROOT / NETS_FOLDER / name).exists())
    for path in (*source_files(), *nets):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def built(copy: Path, out: Path, **env: str) -> Path:
    """Return a wheel, built as `make wheel` does."""
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    ended = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", str(out), str(copy)],
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def wheel_file(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(copy, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel(wheel_file: Path) -> frozenset[str]:
    """The names in a wheel."""
    with ZipFile(wheel_file) as archive:
        return frozenset(archive.namelist())


def test_a_second_build_is_the_same_file(copy: Path, wheel_file: Path, tmp_path: Path) -> None:
    """Though files are younger, readable by other people, and another build was there before."""
    for path in copy.rglob("*.py"):
        os.utime(path)
        path.chmod(0o600)
    stale = copy / "build" / "lib" / "railspotter" / "scoring" / "stale.py"
    stale.parent.mkdir(parents=True, exist_ok=True)
    stale.write_text("")
    again = built(copy, tmp_path)
    assert again.name == wheel_file.name
    assert again.read_bytes() == wheel_file.read_bytes()


def test_the_installed_wheel_runs_far_from_the_checkout(wheel_file: Path, tmp_path: Path) -> None:
    with ZipFile(wheel_file) as archive:
        archive.extractall(tmp_path / "installed")
    words = [sys.executable, "-c", RUN, "doctor", "--json", "--source", "demo"]
    ended = subprocess.run(
        words,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode in (0, 3), ended.stderr
    where, said = ended.stdout.splitlines()
    assert Path(where).is_relative_to(tmp_path)
    found = {one["about"]: one["state"] for one in json.loads(said)["findings"]}
    assert (found["camera"], found["profile"]) == ("well", "well")


def test_the_wheel_holds_every_file_of_the_packages(wheel: frozenset[str]) -> None:
    files = {f"railspotter/{path.relative_to(ROOT).as_posix()}" for path in package_files()}
    assert sorted(files - wheel) == []


def test_the_wheel_holds_nothing_else(wheel: frozenset[str]) -> None:
    outside = {Path(name).parts[0] for name in wheel} - {"railspotter"}
    assert [re.sub(r"-[^-]+\.dist-info$", "", name) for name in outside] == ["railspotter"]
    inside = {Path(name).parts[1] for name in wheel if name.startswith("railspotter/")}
    assert inside == set(FOLDERS)


def test_the_wheel_brings_the_nets_and_their_licence(wheel_file: Path) -> None:
    if not (ROOT / NETS_FOLDER / "nets.json").exists():
        pytest.skip("this build could not fetch the nets of words")
    with ZipFile(wheel_file) as archive:
        sizes = {one.filename: one.file_size for one in archive.infolist()}
        (about,) = (name for name in sizes if name.endswith(".dist-info/METADATA"))
        assert "License-Expression: MIT AND Apache-2.0\n" in archive.read(about).decode()
    held = {name: sizes.get(f"railspotter/{(NETS_FOLDER / name).as_posix()}", 0) for name in NETS}
    assert min(held.values()) > 1_000, held
    assert sum(held.values()) < 24_000_000


def test_a_build_that_fetches_nothing_is_whole_but_for_the_nets(tmp_path: Path) -> None:
    copy = copied(tmp_path / "copy")
    for name in NETS:
        (copy / NETS_FOLDER / name).unlink(missing_ok=True)
    with ZipFile(built(copy, tmp_path, PIP_NO_INDEX="1")) as archive:
        names = frozenset(archive.namelist())
    files = {f"railspotter/{path.relative_to(ROOT).as_posix()}" for path in package_files()}
    assert sorted(files - names) == sorted(
        name for name in files if Path(name).name in NETS and "words" in name
    )


def test_the_command_is_there() -> None:
    module, _, function = pyproject()["project"]["scripts"]["railspotter"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def version_in(folder: Path) -> str:
    """Return the version that a folder is built with."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    words = [sys.executable, "-m", "setuptools_scm"]
    return subprocess.run(
        words, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_the_version_is_the_tags(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "one")
    assert re.fullmatch(r"0\.1\.0\.dev1\+g[0-9a-f]+", version_in(tmp_path))  # no tag yet
    git(tmp_path, "tag", "v1.2.3")
    assert version_in(tmp_path) == "1.2.3"
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "two")
    assert re.fullmatch(r"1\.2\.4\.dev1\+g[0-9a-f]+", version_in(tmp_path))


def test_an_sdist_brings_its_version_along(tmp_path: Path) -> None:
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: railspotter\nVersion: 1.2.3\n")
    assert version_in(tmp_path) == "1.2.3"


def test_a_folder_without_git_has_a_version_too(tmp_path: Path) -> None:
    assert version_in(tmp_path) == "0.1.0.dev0"
