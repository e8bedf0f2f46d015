"""What the first reading of the whole board says, held against what the log has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from railspotter.scoring import Colour
from railspotter.vision.watching import LookRead, Spot

from ..game_log import AnyFact, TableState
from .seen_facts import free, standing_on, stands

SURE = 0.9
"""How sure one undoubted reading is."""


@dataclass(frozen=True)
class Opening:
    """How a board was found when watching began.

    Attributes
    ----------
    joining : mapping of Spot to str, or None
        What lies there though the log has nothing: somebody has to confirm it as one step.
    changes : mapping of Spot to (str or None)
        What changed while nobody watched.
    is_clear : bool
        Whether another reading would tell no more.
    """

    joining: Mapping[Spot, Colour] | None
    changes: Mapping[Spot, Colour | None]
    is_clear: bool

    @property
    def facts(self) -> tuple[AnyFact, ...]:
        """The same as facts for the log."""
        return tuple(
            free(spot, seen_to_change=False)
            if colour is None
            else stands(spot, colour, SURE, seen_to_change=False)
            for spot, colour in self.changes.items()
        )


def opening(seen: LookRead, table: TableState) -> Opening:
    """Hold a reading of the whole board against the log.

    What is read with a doubt stays as the log has it, and so does what a person said.
    """
    known = standing_on(table)
    found = {spot: one.answer for spot, one in seen.seen.items() if one.answer is not None}
    is_clear = found == known or not any(one.doubt for one in seen.seen.values())
    if found and not known and not table.spots:
        return Opening(found, {}, is_clear)
    changes = {
        spot: one.answer
        for spot, one in seen.seen.items()
        if one.doubt is None and one.answer != known.get(spot) and spot not in table.by_hand
    }
    return Opening(None, changes, is_clear)
