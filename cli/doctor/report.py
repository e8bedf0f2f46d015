"""What `railspotter doctor --report` prints: a text for a bug report that tells of nobody."""

from __future__ import annotations

import locale
import os
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, requires, version

from railspotter.firmware_bridge.ports import found_ports
from railspotter.scoring.board import board_names
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore, home

from .check_up import CheckResult, findings_text
from .secrets import own_names, without_secrets


def report_text(findings: Sequence[CheckResult], names: Sequence[tuple[str, str]]) -> str:
    """Return the report."""
    # Home's folder before what is in it: of two names the longer goes first anyway.
    known = [(str(home()), "data"), *own_names(), *names]
    known += [(name, "profile") for name in ProfileStore(home()).names() if name not in BOARDS]
    said = without_secrets("\n".join(findings_text(findings)), known, BOARDS)
    return "\n".join((*_surroundings(), "", said, "", FAREWELL))


BOARDS = frozenset(board_names())
FAREWELL = "Names, addresses, folders and codes were left out. Read it once before you send it."


def _surroundings() -> Iterator[str]:
    """Yield what the program runs with: kinds and numbers, nothing that anybody chose."""
    yield f"Railspotter {version('railspotter')}, {_installed_by()}"
    system = f"{platform.system()} {_numbers(platform.release())} {platform.machine()}"
    yield f"Python {platform.python_version()} on {system}, {os.cpu_count()} cores"
    language = (locale.getlocale()[0] or "none").partition("_")[0]
    yield f"terminal: {sys.stdout.encoding}, language: {language}"
    yield "packages: " + ", ".join(_packages())
    games = sum(1 for _ in GameStore(home()).folder.glob("*.sqlite3"))
    profiles, boards = len(ProfileStore(home()).names()), len(OwnBoards(home()).names())
    yield f"kept: {games} games, {profiles} profiles, {boards} boards of one's own"
    ports = [port.likely or "unknown" for port in found_ports()]
    yield "serial ports: " + (", ".join(ports) or "none")


def _installed_by() -> str:
    """Return how the program came here, without where to."""
    own = Distribution.from_name("railspotter")
    if '"editable": true' in (own.read_text("direct_url.json") or ""):
        return "from its sources"
    return f"installed by {(own.read_text('INSTALLER') or 'unknown means').strip()}"


def _packages() -> Iterator[str]:
    for wanted in requires("railspotter") or ():
        name = re.split(r"[^\w.-]", wanted)[0]
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            if "extra ==" not in wanted:
                yield f"{name} missing"


def _numbers(release: str) -> str:
    """Return a kernel's version without what its builder called it."""
    return ".".join(re.findall(r"\d+", release)[:3])
