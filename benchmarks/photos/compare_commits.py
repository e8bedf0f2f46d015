"""Read the labelled photos with two commits, and say what became better and what worse.

    python benchmarks/photos/compare_commits.py BEFORE [AFTER] [--only GLOB] [--without-reference]

Each commit is checked out apart, into a folder that is removed again, and runs its own
`benchmarks/read_photos.py`. Without AFTER the files as they lie here are the second.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from photos.labelled import PHOTOS

HERE = Path(__file__).resolve().parents[2]
Wrong = Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class Figures:
    """What one commit's run showed."""

    rows: Mapping[tuple[str, str], Mapping[str, Any]]  # the benchmark's table
    wrong: Wrong  # every wrong route, as the report words it


def main(argv: Sequence[str] | None = None) -> int:
    """Run both, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", help="a commit")
    parser.add_argument("after", nargs="?", help="another one (default: the files as they are)")
    parser.add_argument("--only", metavar="GLOB", default="*", help="read photos of such names")
    parser.add_argument("--without-reference", action="store_true", help="as in read_photos.py")
    options = parser.parse_args(argv)
    extra = ["--only", options.only] + ["--without-reference"] * options.without_reference
    figures = []
    for commit in (options.before, options.after):
        with checked_out(commit) as folder:
            figures.append(run(folder, extra))
    print(*compared(*figures), sep="\n")
    return 0


@contextlib.contextmanager
def checked_out(commit: str | None) -> Iterator[Path]:
    """Check a commit out into a folder of its own; None for the files as they are."""
    if commit is None:
        yield HERE
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "commit"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", folder, commit], check=True)
        try:
            yield folder
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)


def run(folder: Path, extra: Sequence[str]) -> Figures:
    """Run a checkout's benchmark with its own packages."""
    with tempfile.TemporaryDirectory() as place:
        names = Path(place) / "railspotter"
        names.mkdir()
        for package in folder.glob("*/__init__.py"):
            (names / package.parent.name).symlink_to(package.parent)
        out = Path(place) / "figures.json"
        script = str(folder / "benchmarks" / "read_photos.py")
        command = [sys.executable, script, "--photos", str(PHOTOS), "--json", str(out), *extra]
        path = os.pathsep.join([place, str(folder / "benchmarks")])
        environment = os.environ | {"PYTHONPATH": path}
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        boards = json.loads(out.read_bytes())["boards"]
    return Figures(
        {(b["board"], row["group"]): row for b in boards for row in b["rows"]},
        {
            (photo["photo"], wrong["route"]): _worded(wrong)
            for b in boards
            for photo in b["photos"]
            for wrong in (photo["answers"] or {"wrong": []})["wrong"]
        },
    )


def _worded(wrong: Mapping[str, object]) -> str:
    certainty = "doubted" if wrong["doubted"] else "CERTAIN"
    return f"said {wrong['said'] or 'free'}, is {wrong['truth'] or 'free'}, {certainty}"


def compared(before: Figures, after: Figures) -> Iterator[str]:
    """Yield the lines that say what is different."""
    head = ("board", "group", "routes right %", "wrong & certain", "doubts", "seconds")
    yield "{:8} {:22} {:>18} {:>18} {:>16} {:>16}".format(*head)
    for place in (place for place in before.rows if place in after.rows):
        was, now = before.rows[place], after.rows[place]
        cells = [
            f"{100 * was['routes_right']:.2f} > {100 * now['routes_right']:.2f}",
            *(f"{was[n]:.2f} > {now[n]:.2f}" for n in ("wrong_and_certain", "doubts")),
            f"{_seconds(was):.2f} > {_seconds(now):.2f}",
        ]
        yield "{:8} {:22} {:>18} {:>18} {:>16} {:>16}".format(*place, *cells)
    for title, one, other in (
        ("Wrong no more", before.wrong, after.wrong),
        ("Newly wrong", after.wrong, before.wrong),
    ):
        yield f"{title}: {len(one.keys() - other.keys())}"
        for photo, route in sorted(one.keys() - other.keys()):
            yield f"  {photo}  {route}  {one[photo, route]}"
    for place in sorted(before.wrong.keys() & after.wrong.keys()):
        if before.wrong[place] != after.wrong[place]:
            yield f"  {place[0]}  {place[1]}  {before.wrong[place]} > {after.wrong[place]}"


def _seconds(row: Mapping[str, Any]) -> float:
    return float(row["seconds"]["total"])


if __name__ == "__main__":
    sys.exit(main())
