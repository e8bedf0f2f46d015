"""Errors of The Card Game.

CardGameError
├── DeckTableError      a deck that was pasted or imported has a fault, with its line
├── SeatError           somebody has no seat in a game that is dealt, or another one has it
└── GuestsFullError     a guest, or all of them together, have too many games
"""

from __future__ import annotations

from railspotter.scoring.sentence import Sentence

from ..errors import TableError

# By the word for programs.
FAULT_TEXTS = {
    "empty": "no ticket stands in it",
    "table": "this is no table: {value}",
    "columns": "a column {value!r} is not known",
    "cities": "a ticket has one city or two",
    "long": "a city's name has at most {value} letters",
    "points": "{value!r} cannot be the points: a whole number from 1 to 100",
    "circles": "the cards that complete the ticket are missing",
    "colour": "{value!r} is no colour of the train cards",
    "count": "{value!r} cards of a colour cannot be: a whole number from 1 to 5",
    "bonus": "{value!r} cannot be a bonus: a whole number from 0 to 200",
    "twice": "{value} stands there twice",
    "many": "a deck has at most {value}",
    "file": "this is no deck file: {value}",
}


class CardGameError(TableError):
    """Base of The Card Game's errors; its text is a sentence for people."""


class DeckTableError(CardGameError):
    """A deck has a fault.

    `fault` is a key of `FAULT_TEXTS`, `value` the wrong value, or the limit; `line` counts from 1,
    None for the whole deck.
    """

    def __init__(self, fault: str, value: str = "", line: int | None = None) -> None:
        text = FAULT_TEXTS[fault].format(value=value)
        super().__init__(
            text if line is None else Sentence("line {n}: {error}", n=line, error=text)
        )
        self.fault, self.value, self.line = fault, value, line


class SeatError(CardGameError):
    """A seat of a dealt game is taken, or not the caller's."""


class GuestsFullError(CardGameError):
    """There is room for no more games of guests, or of this one."""
