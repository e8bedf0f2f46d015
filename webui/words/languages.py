"""The page's languages: catalogues, words, and the choice for a request."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

from flask import Request

from .translation import Translator

WORDS = Path(__file__).parent
ENGLISH = "en"  # the fallback
# The cookie with a phone's chosen language; without it the browser's is used.
COOKIE = "railspotter-language"


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have catalogues."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.po")))


@cache
def catalogue(language: str) -> GNUTranslations:
    """Load a language's catalogue: the program's sentences, and the pages' words by name."""
    with (WORDS / f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)


@cache
def translator_to(language: str) -> Translator:
    """Return the translator to a language."""
    return Translator(catalogue(language))


@dataclass(frozen=True)
class PageWords:
    """The pages' words in one language by name; raises `KeyError` for an unknown name."""

    language: str
    context: str = ""  # the gettext context (`msgctxt`), for words with another meaning there

    def __getitem__(self, name: str) -> str:
        text = catalogue(self.language).pgettext(self.context, name)
        if text == name:
            text = catalogue(self.language).gettext(name)
        if text == name:
            raise KeyError(name)
        return text

    def named(self, names: Iterable[str]) -> dict[str, str]:
        """Look up several words; return them by name."""
        return {name: self[name] for name in names}


def language_of(request: Request) -> str:
    """Return a request's language: by the cookie, else by the browser's `Accept-Language`."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in languages():
        return chosen
    return request.accept_languages.best_match(languages(), ENGLISH)
