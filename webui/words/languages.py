"""The languages of the page: its words in each, and which of them a phone wants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

import msgspec
from flask import Request

from .translation import AS_WRITTEN, Translator

WORDS = Path(__file__).parent
ENGLISH = "en"  # the language of the program itself, for who understands none of the others
# Keeps on a phone the language that was chosen there; without it the browser's own is used.
COOKIE = "railspotter-language"


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that the page has words in."""
    return tuple(sorted(path.stem for path in WORDS.glob("??.json")))


@cache
def words(language: str) -> Mapping[str, str]:
    """Return the page's words in a language, by their names."""
    return _read(f"{language}.json")


@dataclass(frozen=True)
class WordList:
    """Which words a page carries."""

    folders: tuple[str, ...] = ()  # the folders of words/ whose words are all its own
    # How the names of those words begin that it has from the page at the table.
    shared: tuple[str, ...] = ()

    def in_language(self, language: str) -> Mapping[str, str]:
        """Return the words in a language, by their names."""
        return _listed_words(self, language)


@cache
def _listed_words(listed: WordList, language: str) -> Mapping[str, str]:
    found = {key: text for key, text in words(language).items() if key.startswith(listed.shared)}
    for folder in listed.folders:
        found.update(_read(f"{folder}/{language}.json"))
    return found


@cache
def translator_to(language: str) -> Translator:
    """Return who says the program's sentences in a language; without a catalogue in English."""
    catalogue = WORDS / f"{language}.mo"
    if not catalogue.exists():
        return AS_WRITTEN
    with catalogue.open("rb") as file:
        return Translator(GNUTranslations(file))


def language_of(request: Request) -> str:
    """Return the language for whoever asks: the one chosen on the phone, or its browser's."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in languages():
        return chosen
    return request.accept_languages.best_match(languages(), ENGLISH)


def _read(name: str) -> dict[str, str]:
    return msgspec.json.decode((WORDS / name).read_bytes(), type=dict[str, str])
