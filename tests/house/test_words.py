"""What must not be written in any file of the project."""

import re
from pathlib import Path

import pytest
from house.project import ROOT, source_files
from program_words import texts

# Put together from parts, so that this file may be read by its own test.
WORK, TEMPORARY, HOME = "wor" + "k", "tm" + "p", "hom" + "e"
FOLDERS = (WORK, TEMPORARY, HOME + r"/\w+", "roo" + "t", r"Users/\w+")
REGISTRIES = (
    *("py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com"),
    *("yarn" + "pkg.com", "ana" + "conda.org", "crates" + ".io", "proxy.go" + "lang.org"),
)
FORBIDDEN = {
    "a path of one machine": re.compile(rf"(?<![\w.~<>)\]}}/*-])/(?:{'|'.join(FOLDERS)})/"),
    "a package registry's host": re.compile("|".join(map(re.escape, REGISTRIES))),
    "a merge marker": re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)", re.MULTILINE),
}

# What whoever holds a phone can do nothing with: commands, their options, the system's own words.
MACHINE_WORDS = re.compile(
    r"(?<!\w)--[a-z]|railspotter (?:play|serve|hall|calibrate|markers|games|board|doctor)\b"
    r"|\bterminal|\bsudo\b|\berrno|connection refused|no route to host|traceback",
    re.IGNORECASE,
)
# Sentences that no page shows: which command alone says them.
OF_COMMANDS = {
    "another railspotter tells of this table already": "play --mqtt, as it starts",
    "no certificate can be for {host}": "play --https, as it starts",
    "not kept, because": "read --keep",
    "there is no port after 65535": "play --https, as it starts",
}

MOST_LINES = 450
LONGER_FOR_A_REASON: dict[str, str] = {}  # python files that may be longer, and why


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def offences(text: str) -> list[str]:
    """Name every forbidden thing in a text, with its line."""
    return [
        f"line {text.count(chr(10), 0, found.start()) + 1}: {what}, {found.group()!r}"
        for what, pattern in FORBIDDEN.items()
        for found in pattern.finditer(text)
    ]


def test_no_file_says_anything_forbidden() -> None:
    said = []
    for path in source_files():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or another binary file
        said += [f"{relative(path)}, {offence}" for offence in offences(text)]
    assert not said, "\n".join(said)


def test_python_files_are_short() -> None:
    lines = {
        relative(path): len(path.read_text("utf-8").splitlines())
        for path in source_files()
        if path.suffix == ".py"
    }
    long = {name for name, count in lines.items() if count > MOST_LINES}
    assert long == set(LONGER_FOR_A_REASON)


def test_no_page_sends_anybody_to_the_terminal() -> None:
    told = {
        name
        for language in ("en", "de", "fr")
        for (_, name), text in texts(language).items()
        if MACHINE_WORDS.search(text) or MACHINE_WORDS.search(name)
    }
    assert {text for text in told if not text.startswith(tuple(OF_COMMANDS))} == set()
    unused = [begin for begin in OF_COMMANDS if not any(text.startswith(begin) for text in told)]
    assert not unused


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"open('/{WORK}/board.json')", "path of one machine"),
        (f"see /{HOME}/somebody/x", "path of one machine"),
        (f"cd /{TEMPORARY}/x", "path of one machine"),
        (f"https://files.{REGISTRIES[1]}/x", "registry's host"),
        (f"--index-url https://{REGISTRIES[0]}/simple", "registry's host"),
        ("a\n" + ">" * 7 + " theirs\n", "merge marker"),
    ],
)
def test_a_forbidden_word_is_seen(text: str, what: str) -> None:
    (offence,) = offences(text)
    assert what in offence


@pytest.mark.parametrize(
    "text",
    ["a/work/b", "../tmp/x", "https://example.org/home/page/", "#!/usr/bin/env python", "=" * 7],
)
def test_an_innocent_word_is_let_through(text: str) -> None:
    assert offences(text) == []
