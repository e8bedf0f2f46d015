"""A copy of the project in a folder of its own, and pytest there."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES: tuple[str, ...] = ("scoring", "calibration", "vision", "simulation", "table", "webui")
PACKAGES += ("firmware_bridge", "club", "cli")


def copy_project(folder: Path) -> Path:
    """Copy what is in git, as it lies on the disk; lay names to import and the photos beside it."""
    tree = folder / "tree"
    words = ["git", "ls-files", "-z"]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    # What the build makes of words and scripts is in no commit.
    made = (*ROOT.glob("webui/words/*.mo"), ROOT / "webui" / "pages" / "scripts.json")
    built = [str(path.relative_to(ROOT)) for path in made]
    for name in [*filter(None, listed.split("\0")), *built]:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    names = tree / "build" / "names" / "railspotter"
    names.mkdir(parents=True)
    for package in PACKAGES:
        (names / package).symlink_to(tree / package)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(ROOT.parent / "shared")
    return tree


def run_tests(
    tree: Path, options: list[str], timeout_s: float | None = None, **variables: str
) -> tuple[int | None, str]:
    """Return pytest's exit code, or None at the time limit, and what it printed."""
    known = os.environ.get("PYTHONPATH", "").split(":")
    paths = [str(tree / "build" / "names"), str(tree / "benchmarks"), *known]
    variables |= {"PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options],
            cwd=tree,
            env=os.environ | variables,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
    ):
        code = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout_s)
        finally:
            with contextlib.suppress(ProcessLookupError):  # and the programs that tests started
                os.killpg(process.pid, signal.SIGKILL)
        said.seek(0)
        return code, said.read()


@contextlib.contextmanager
def changed(path: Path, new: bytes) -> Iterator[None]:
    """Give a file of a copy another content for a while."""
    old = path.read_bytes()
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()  # it may seem as new as the change
    try:
        path.write_bytes(new)
        yield
    finally:
        path.write_bytes(old)
