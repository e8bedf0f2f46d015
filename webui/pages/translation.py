"""What the program says in English, in another language: reasons, notes, the camera's state.

A table has the other language's sentence for each English one. Both have {named} places; what
stands in one is itself looked up, so that a colour or a reason in a sentence is translated too.
What the table does not have stays English. static/table/said.js does the same on the phones.

Several sentences said together stand between semicolons. So no place holds a semicolon, except one
that is named {error}, which holds all that follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

PLACE = re.compile(r"\{(\w+)\}")
AND = "; "
"""What stands between sentences that are said together."""
STOP = "."
ERROR = "error"
"""The place that may hold several of them."""


class Translator:
    """Says the program's English sentences in one language.

    Parameters
    ----------
    table : mapping of str to str
        The other language's sentence for each English one; empty for English itself.

    Examples
    --------
    >>> alike = "{a} and {b} trains look alike"
    >>> to_german = Translator({alike: "{a} und {b} sehen gleich aus", "red": "Rot"})
    >>> to_german("red and teal trains look alike; why not")
    'Rot und teal sehen gleich aus; why not'
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table

    def __call__(self, text: str) -> str:
        """Return a sentence, or several between semicolons, as far as the table has them."""
        whole = self._whole(text)
        if whole is None and text.endswith(STOP):
            whole = self._without_stop(text[: -len(STOP)])
        if whole is None and AND in text:
            return AND.join(self(part) for part in text.split(AND))
        return text if whole is None else whole

    def _without_stop(self, text: str) -> str | None:
        """Return a reason that stands as a sentence of its own: capital and full stop are added."""
        for start in (text[:1], text[:1].lower()):
            if (whole := self._whole(start + text[1:])) is not None:
                return whole[:1].upper() + whole[1:] + STOP
        return None

    def fill(self, sentence: str, **values: object) -> str:
        """Return a sentence with places, by its English form, and fill them in as they are."""
        return self._table.get(sentence, sentence).format(**values)

    def _whole(self, text: str) -> str | None:
        if text in self._table:
            return self._table[text]
        for pattern, sentence in self._patterns:
            if found := pattern.fullmatch(text):
                parts = {name: self(part) for name, part in found.groupdict().items()}
                return sentence.format(**parts)
        return None

    @cached_property
    def _patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """The sentences with places; those with the most words of their own are tried first."""
        placed = [english for english in self._table if PLACE.search(english)]
        placed.sort(key=lambda english: -len(PLACE.sub("", english)))
        return tuple((_pattern(english), self._table[english]) for english in placed)


def _pattern(english: str) -> re.Pattern[str]:
    texts = PLACE.split(english)  # what is between the places, and their names in turn
    parts = [_group(text) if i % 2 else re.escape(text) for i, text in enumerate(texts)]
    return re.compile("".join(parts), re.DOTALL)


def _group(name: str) -> str:
    return f"(?P<{name}>.+?)" if name == ERROR else f"(?P<{name}>(?:(?!{AND}).)+?)"
