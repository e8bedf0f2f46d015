"""The results of checks, as text, and as an anonymised text for bug reports."""

import getpass
import ipaddress
import locale
import os
import platform
import re
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import Distribution, PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from railspotter.firmware_bridge.ports import found_ports
from railspotter.scoring.board import board_names
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore, home

# Names that identify nobody, and occur in the program's own sentences.
COMMON_NAMES = frozenset(("root", "pi", "railspotter", "localhost", "demo", "127.0.0.1", "0.0.0.0"))  # noqa: S104
QUOTED = re.compile(r"""(?<!\w)(['"])(.*?)\1(?!\w)""")
ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://\S+|\S+@\S+")
CAMERA_PATH = re.compile(r"/dev/video\d+")
PATH = re.compile(r"(?<![\w.<])(?:~|[A-Za-z]:\\|\\\\|/)[^\s'\";,)]*")
NUMBERS = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,}[0-9A-Fa-f.]*"
)
TOKEN = re.compile(r"\b(?=[\w-]*\d)[\w-]{16,}\b")
BOARDS = frozenset(board_names())
REVIEW_NOTE = "Names, addresses, folders and codes were left out. Read it once before you send it."


class State(StrEnum):
    """The outcome of a check."""

    WELL = "well"
    NOTE = "note"  # good to know, nothing is wrong
    ATTENTION = "attention"  # it will not work, or not well, until somebody does something


@dataclass(frozen=True)
class CheckResult:
    """The result of one check."""

    about: str  # `program`, `data`, `clock`, `profile`, `camera`, `light` or `network`
    state: State
    said: str  # what was found, in a sentence without full stop
    advice: tuple[str, ...] = ()  # what to do about it
    # The same as numbers and names, for programs.
    details: Mapping[str, Any] = field(default_factory=dict)


MARKS = {State.WELL: "ok", State.NOTE: "--", State.ATTENTION: "!!"}


def findings_text(findings: Sequence[CheckResult]) -> Iterator[str]:
    r"""Format the results of the checks, in lines.

    >>> dark = CheckResult("light", State.ATTENTION, "it is dark", ("switch on a lamp",))
    >>> print(*findings_text([dark]), sep="\n")
    !! light    it is dark
                switch on a lamp
    1 thing needs attention
    """
    for finding in findings:
        yield f"{MARKS[finding.state]} {finding.about:8} {finding.said}"
        yield from (f"{'':12}{advice}" for advice in finding.advice)
    count = sum(finding.state is State.ATTENTION for finding in findings)
    if count == 0:
        yield "all is well"
    else:
        yield f"{count} thing{'s need' if count > 1 else ' needs'} attention"


def is_well(findings: Sequence[CheckResult]) -> bool:
    """Tell whether nothing needs attention."""
    return all(finding.state is not State.ATTENTION for finding in findings)


def identifying_names() -> Iterator[tuple[str, str]]:
    """Yield names that identify this computer or its user, each with its placeholder."""
    home = Path.home()
    yield str(home), "home"
    yield str(home.resolve()), "home"
    yield str(Path.cwd()), "folder"
    with suppress(OSError, KeyError, ImportError):  # a system without users or without their names
        yield getpass.getuser(), "user"
    host = socket.gethostname()
    yield host, "computer"
    yield host.partition(".")[0], "computer"
    yield home.name, "user"


def anonymised(text: str, known: Iterable[tuple[str, str]], plain: Iterable[str] = ()) -> str:
    r"""Return a text without anything that identifies its author.

    Replaces `known` names by their placeholders, then quoted names that are not `plain`, addresses,
    paths, network numbers and codes.

    >>> said = "Ann's iPhone: rtsp://ann:pw@192.168.1.7/x in /srv/ann/games; profile 'attic'"
    >>> anonymised(said, [("Ann's iPhone", "camera")])
    "<camera>: <address> in <path>; profile '<name>'"
    >>> said = "port 8000 of 10.0.0.7 or 127.0.0.1, 'railspotter doctor', code 7f3a99e0c1d24b5a"
    >>> anonymised(said, [])
    "port 8000 of <number> or 127.0.0.1, 'railspotter doctor', code <code>"
    """
    for name, what in sorted(known, key=lambda one: -len(one[0])):
        if len(name) > 1 and name.casefold() not in COMMON_NAMES:
            pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
            text = re.sub(pattern, f"<{what}>", text, flags=re.IGNORECASE)
    kept = set(plain)

    def quoted(found: re.Match[str]) -> str:
        is_plain = found[2] in kept or found[2].startswith(("railspotter ", "--", "<"))
        return found[0] if is_plain else f"{found[1]}<name>{found[1]}"

    text = QUOTED.sub(quoted, text)
    text = ADDRESS.sub("<address>", text)
    text = PATH.sub(lambda path: path[0] if CAMERA_PATH.fullmatch(path[0]) else "<path>", text)
    text = NUMBERS.sub(_anonymised_number, text)
    return TOKEN.sub("<code>", text)


def _anonymised_number(found: re.Match[str]) -> str:
    with suppress(ValueError):
        ip = ipaddress.ip_address(found[0])
        return found[0] if ip.is_loopback or ip.is_unspecified else "<number>"
    return "<number>" if found[0].count(":") > 2 else found[0]


def report_text(findings: Sequence[CheckResult], names: Sequence[tuple[str, str]]) -> str:
    """Return the anonymised report for bug reports."""
    known = [(str(home()), "data"), *identifying_names(), *names]
    known += [(name, "profile") for name in ProfileStore(home()).names() if name not in BOARDS]
    said = anonymised("\n".join(findings_text(findings)), known, BOARDS)
    return "\n".join((*_environment_lines(), "", said, "", REVIEW_NOTE))


def _environment_lines() -> Iterator[str]:
    """Yield lines about the system, versions and stored files, without user-chosen text."""
    yield f"Railspotter {version('railspotter')}, {_installed_by()}"
    release = ".".join(re.findall(r"\d+", platform.release())[:3])  # without the builder's suffix
    system = f"{platform.system()} {release} {platform.machine()}"
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
    """Return how the program was installed, without its path."""
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
