"""The languages of the page: its words in each, and which of them a phone wants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from flask import Request

from .translation import Translator

WORDS = Path(__file__).parent
ENGLISH = "en"  # the language of the program itself, for who understands none of the others
# Keeps on a phone the language that was chosen there; without it the browser's own is used.
COOKIE = "railspotter-language"


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there are catalogues of."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.po")))


@cache
def catalogue(language: str) -> GNUTranslations:
    """Return a language's catalogue: the program's sentences, and the pages' words by name."""
    with (WORDS / f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)


@cache
def translator_to(language: str) -> Translator:
    """Return who says the program's sentences in a language."""
    return Translator(catalogue(language))


@dataclass(frozen=True)
class PageWords:
    """The pages' words in one language, by the names that scripts and templates have for them.

    Raises `KeyError` when a word is asked for that there is not.
    """

    language: str
    context: str = ""  # where some words are said in another way: the catalogue's `msgctxt`

    def __getitem__(self, name: str) -> str:
        text = catalogue(self.language).pgettext(self.context, name)
        if text == name:
            text = catalogue(self.language).gettext(name)
        if text == name:
            raise KeyError(name)
        return text

    def named(self, names: Iterable[str]) -> dict[str, str]:
        """Return the words of some names."""
        return {name: self[name] for name in names}


def language_of(request: Request) -> str:
    """Return the language for whoever asks: the one chosen on the phone, or its browser's."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in languages():
        return chosen
    return request.accept_languages.best_match(languages(), ENGLISH)
