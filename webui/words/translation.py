"""The program's sentences in another language: its templates are looked up in gettext catalogues.

`railspotter.scoring.sentence` tells what a sentence is. What a catalogue lacks stays English.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from typing import Any

import msgspec
from railspotter.scoring.sentence import Sentence

# How a sentence begins; the path of a wrong field begins otherwise.
WORD = re.compile(r"[^\W\d_]+[ ,']")


class Statement(Sentence):
    """A reason that stands as a sentence of its own, with a capital and a full stop.

    Examples
    --------
    >>> Statement("glare lies over it")
    'Glare lies over it.'
    """

    __slots__ = ()

    def __new__(cls, reason: str) -> Statement:
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
    """Says the program's sentences in one language, by its catalogue: an empty one in English."""

    def __init__(self, catalogue: NullTranslations) -> None:
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        """Return a sentence, or a word such as a colour, in the language.

        Of a sentence its values are translated too. A text that is none and that the catalogue does
        not have, as a player's name, is returned as it is.
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
        """Return what msgspec writes for a value that it does not know: a translated sentence."""
        if not isinstance(value, Sentence):
            raise NotImplementedError(f"{type(value)} cannot be written as JSON")
        return self(value)

    def _known(self, text: str) -> str:
        # The catalogue's own description stands under the empty text.
        return self._catalogue.gettext(text) if text else ""

    def _value(self, value: object) -> Any:
        return self(value) if isinstance(value, str) else value


AS_WRITTEN = Translator(NullTranslations())  # says everything in the program's own English


def json_bytes(value: Any, say: Translator = AS_WRITTEN) -> bytes:
    """Return a value as JSON, on one line, the sentences in it said in a language."""
    return msgspec.json.encode(value, enc_hook=say.enc_hook)
