"""Translating the program's sentences by gettext catalogues, with English as the fallback.

See `railspotter.scoring.sentence` for the class `Sentence`.
"""

import re
from gettext import NullTranslations
from typing import Any

import msgspec
from railspotter.scoring.sentence import Sentence

# Matches the beginning of a sentence, but not of a field's path.
WORD = re.compile(r"[^\W\d_]+[ ,']")


class Statement(Sentence):
    """A reason formatted as a sentence of its own, with a capital and a full stop.

    Examples
    --------
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
