"""What the program says to players: its words, gathered from its files for translators.

Run as a script it brings the catalogues up to date: new sentences come in without a translation,
those that nobody says any more go. The words of the pages are named in their scripts, and the
English catalogue, which has only them, tells their order.
"""

import re
from functools import cache

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from house.project import ROOT
from railspotter.calibration.board_making.print_colours import NAMES as PRINTED
from railspotter.table.card_games.changes import COLOURS as PLAYED

WORDS = ROOT / "webui" / "words"
STATIC = ROOT / "webui" / "static"
# The packages whose sentences come before players; the command's own are English.
SAYING = ("scoring", "calibration", "vision", "table", "webui", "firmware_bridge", "club")
# Errors that are raised with a code, of which they make their sentence themselves.
CODED = {"DeckTableError"}
# What the pages for photos say stands in their documents.
FILES = [("**.py", "python"), ("**.html", "jinja2")]
SCRIPTS = [("photo/**", "ignore"), ("**.js", "javascript")]
ERROR = re.compile(r"^class (\w+Error)\(", re.MULTILINE)
Name = tuple[str, str]  # a word's context, nearly always the empty text, and its name


def keywords() -> dict[str, tuple[int, ...] | None]:
    """Return what is called with a sentence: which of its arguments, None for the first."""
    sources = (path.read_text("utf-8") for name in SAYING for path in (ROOT / name).rglob("*.py"))
    errors = {error for source in sources for error in ERROR.findall(source)}
    return {"Sentence": None, "say": None, **dict.fromkeys(errors - CODED), "CallError": (3,)}


@cache
def templates() -> list[str]:
    """Return the template of every sentence, in the order of the files."""
    said: list[str] = []
    for name in SAYING:
        found = extract_from_dir(ROOT / name, FILES, keywords=keywords(), comment_tags=())
        said += [str(message) for _, _, message, _, _ in found]
    # Of trains, prints and cards: they stand in other sentences.
    return list(dict.fromkeys((*said, *PRINTED, *PLAYED)))


def names_said() -> list[str]:
    """Return the names of the words that scripts say, in the order of the files."""
    names: list[str] = []
    for call, forms in (("say", ("",)), ("sayCount", (".one", ".other"))):
        found = extract_from_dir(STATIC, SCRIPTS, keywords={call: None}, comment_tags=())
        plain = (str(name) for _, _, name, _, _ in found if "${" not in name)
        names += [f"{name}{form}" for name in plain for form in forms]
    return list(dict.fromkeys(names))


def catalogue(language: str) -> Catalog:
    """Return a language's catalogue."""
    with (WORDS / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def texts(language: str) -> dict[Name, str]:
    """Return all that a language's catalogue has, in its order."""
    found = ((one.context or "", str(one.id), str(one.string or "")) for one in catalogue(language))
    return {(context, name): text for context, name, text in found if name}


def page_words(language: str) -> dict[Name, str]:
    """Return the pages' words in a language."""
    names = texts("en")
    return {name: text for name, text in texts(language).items() if name in names}


def sentences(language: str) -> dict[str, str]:
    """Return the program's sentences in a language, by their English."""
    names = texts("en")
    return {name[1]: text for name, text in texts(language).items() if name not in names}


def renew(language: str) -> None:
    """Bring a catalogue up to date."""
    old, new = texts(language), Catalog(locale=language)
    names = list(texts("en"))
    names += [("", name) for name in names_said() if ("", name) not in names]
    if language != "en":
        names += [("", template) for template in sorted(templates())]
    for context, name in names:
        new.add(name, old.get((context, name), ""), context=context or None)
    with (WORDS / f"{language}.po").open("wb") as file:
        write_po(file, new, width=0, omit_header=True)


if __name__ == "__main__":
    for path in sorted(WORDS.glob("*.po"), key=lambda path: path.stem != "en"):  # English first
        renew(path.stem)
