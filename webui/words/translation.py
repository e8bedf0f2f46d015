"""The languages: gettext catalogues, a request's choice, translation with English as the fallback.

See `railspotter.scoring.sentence` for the class `Sentence`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

import msgspec
from flask import Request
from railspotter.scoring.sentence import Sentence

# Matches the beginning of a sentence, but not of a field's path.
WORD = re.compile(r"[^\W\d_]+[ ,']")
CATALOGUES = Path(__file__).parent
ENGLISH = "en"  # the fallback
# The cookie with a phone's chosen language; without it the browser's is used.
COOKIE = "railspotter-language"


class Statement(Sentence):
    """A reason formatted as a sentence of its own, with a capital and a full stop.

    >>> Statement("glare lies over it")
    'Glare lies over it.'
    """

    __slots__ = ()

    def __new__(cls, reason: str) -> "Statement":
        """Make a statement of a reason."""
        statement = str.__new__(cls, _stated(reason))
        statement.template, statement.values = "{reason}", {"reason": reason}
        return statement

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (str(self.values["reason"]),), {}


def _stated(reason: str) -> str:
    start = reason[:1].upper() + reason[1:] if WORD.match(reason) else reason
    return start if reason.endswith((".", "!", "?")) else f"{start}."


class Translator:
    """Translates the program's sentences by one catalogue."""

    def __init__(self, catalogue: NullTranslations) -> None:
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        """Translate a sentence with its values, or a word such as a colour.

        Text that is not in the catalogue, such as a player's name, is returned unchanged.
        """
        if isinstance(text, Statement):
            return _stated(self._value(text.values["reason"]))
        if not isinstance(text, Sentence):
            return self._known(text)
        template = self._known(text.template)
        if not text.values:
            return template
        return template.format(**{name: self._value(value) for name, value in text.values.items()})

    def enc_hook(self, value: Any) -> str:
        """Encode a sentence for msgspec by translating it."""
        if not isinstance(value, Sentence):
            raise NotImplementedError(f"{type(value)} cannot be written as JSON")
        return self(value)

    def _known(self, text: str) -> str:
        # The empty key has the catalogue's header.
        return self._catalogue.gettext(text) if text else ""

    def _value(self, value: object) -> Any:
        return self(value) if isinstance(value, str) else value


AS_WRITTEN = Translator(NullTranslations())  # leaves everything in English


def json_bytes(value: Any, say: Translator = AS_WRITTEN) -> bytes:
    """Encode a value as JSON on one line, with its sentences translated."""
    return msgspec.json.encode(value, enc_hook=say.enc_hook)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have catalogues."""
    return tuple(sorted(path.stem for path in CATALOGUES.glob("*.po")))


@cache
def catalogue(language: str) -> GNUTranslations:
    """Load a language's catalogue: the program's sentences, and the pages' words by name."""
    with (CATALOGUES / f"{language}.mo").open("rb") as file:
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
