"""What the program says to players: its sentences, gathered from its files for translators.

Run as a script it brings the catalogues up to date: new sentences come in without a translation,
those that nobody says any more go.
"""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from house.project import ROOT

WORDS = ROOT / "webui" / "words"
# The packages whose sentences come before players; the command's own are English.
SAYING = ("scoring", "calibration", "vision", "table", "webui", "firmware_bridge", "club")
# Errors that are raised with a code, of which they make their sentence themselves.
CODED = {"DeckTableError"}
ERROR = re.compile(r"^class (\w+Error)\(", re.MULTILINE)


def keywords() -> dict[str, tuple[int, ...] | None]:
    """Return what is called with a sentence: which of its arguments, None for the first."""
    sources = (path.read_text("utf-8") for name in SAYING for path in (ROOT / name).rglob("*.py"))
    errors = {error for source in sources for error in ERROR.findall(source)}
    return {"Sentence": None, **dict.fromkeys(errors - CODED), "CallError": (3,)}


def templates() -> list[str]:
    """Return the template of every sentence, in the order of the files."""
    said: list[str] = []
    for name in SAYING:
        found = extract_from_dir(
            ROOT / name, [("**.py", "python")], keywords=keywords(), comment_tags=()
        )
        said += [str(message) for _, _, message, _, _ in found]
    return list(dict.fromkeys(said))


def catalogue(language: str) -> Catalog:
    """Return a language's catalogue."""
    with (WORDS / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def sentences(language: str) -> dict[str, str]:
    """Return what a language's catalogue has, by its English."""
    return {str(one.id): str(one.string or "") for one in catalogue(language) if one.id}


def renew(path: Path) -> None:
    """Bring a catalogue up to date."""
    old, new = catalogue(path.stem), Catalog(locale=path.stem)
    for template in templates():
        known = old.get(template)
        new.add(template, known.string if known is not None else "")
    with path.open("wb") as file:
        write_po(file, new, width=100, sort_output=True, omit_header=True)


if __name__ == "__main__":
    for path in sorted(WORDS.glob("*.po")):
        renew(path)
