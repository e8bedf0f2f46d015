"""What names a person, a home or a computer, taken out of a text."""

from __future__ import annotations

import getpass
import ipaddress
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

# Names that thousands have, and that the program's own sentences are made of.
NO_SECRETS = frozenset(("root", "pi", "railspotter", "localhost", "demo", "127.0.0.1", "0.0.0.0"))  # noqa: S104
QUOTED = re.compile(r"""(?<!\w)(['"])(.*?)\1(?!\w)""")
ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://\S+|\S+@\S+")
CAMERA_PATH = re.compile(r"/dev/video\d+")
PATH = re.compile(r"(?<![\w.<])(?:~|[A-Za-z]:\\|\\\\|/)[^\s'\";,)]*")
NUMBERS = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,}[0-9A-Fa-f.]*"
)
TOKEN = re.compile(r"\b(?=[\w-]*\d)[\w-]{16,}\b")


def own_names() -> Iterator[tuple[str, str]]:
    """Yield what this computer and its user are called, each with what it is."""
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


def without_secrets(text: str, known: Iterable[tuple[str, str]], plain: Iterable[str] = ()) -> str:
    r"""Return a text without what would tell who wrote it, and where.

    First goes what is known, then whatever looks like an address, a path, a number in a network, a
    code, or a name that somebody chose: the program quotes those.

    Examples
    --------
    >>> said = "Ann's iPhone: rtsp://ann:pw@192.168.1.7/x in /srv/ann/games; profile 'attic'"
    >>> without_secrets(said, [("Ann's iPhone", "camera")])
    "<camera>: <address> in <path>; profile '<name>'"
    >>> said = "port 8000 of 10.0.0.7 or 127.0.0.1, 'railspotter doctor', code 7f3a99e0c1d24b5a"
    >>> without_secrets(said, [])
    "port 8000 of <number> or 127.0.0.1, 'railspotter doctor', code <code>"
    """
    for name, what in sorted(known, key=lambda one: -len(one[0])):
        if len(name) > 1 and name.casefold() not in NO_SECRETS:
            pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
            text = re.sub(pattern, f"<{what}>", text, flags=re.IGNORECASE)
    kept = set(plain)

    def quoted(found: re.Match[str]) -> str:
        is_plain = found[2] in kept or found[2].startswith(("railspotter ", "--", "<"))
        return found[0] if is_plain else f"{found[1]}<name>{found[1]}"

    text = QUOTED.sub(quoted, text)
    text = ADDRESS.sub("<address>", text)
    text = PATH.sub(lambda path: path[0] if CAMERA_PATH.fullmatch(path[0]) else "<path>", text)
    text = NUMBERS.sub(_number, text)
    return TOKEN.sub("<code>", text)


def _number(found: re.Match[str]) -> str:
    with suppress(ValueError):
        ip = ipaddress.ip_address(found[0])
        return found[0] if ip.is_loopback or ip.is_unspecified else "<number>"
    return "<number>" if found[0].count(":") > 2 else found[0]
