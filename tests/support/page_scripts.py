"""The pages' scripts and what they import, read from their files."""

import re
from functools import cache
from os.path import normpath
from pathlib import Path

from railspotter.webui.pages.page_table import STATIC

SCRIPTS = sorted(STATIC.rglob("*.js"))
_IMPORT = re.compile(r'(?:from |import\()"(\.[^"]+)"')


@cache
def imports(path: Path) -> frozenset[Path]:
    """Return what a script imports at once or later."""
    found = _IMPORT.findall(path.read_text("utf-8"))
    return frozenset(Path(normpath(path.parent / name)) for name in found)


def reached(path: Path) -> set[Path]:
    """Return all that a script imports at once or later, and what these import."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        new = imports(waiting.pop()) - found
        found |= new
        waiting += new
    return found
