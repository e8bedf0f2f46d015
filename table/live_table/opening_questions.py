"""What stayed in doubt when watching began: asked by and by, for watching sees changes only."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from railspotter.vision.readings import Doubt
from railspotter.vision.sources import Frame
from railspotter.vision.watching import Look, LookRead, Spot

from ..game_log import TableState
from .proof import proof_of
from .seen_facts import standing_on
from .table_view import Question

MOST = 3
"""So many questions wait for an answer at once, those of watching among them."""
AROUND_MM = 20.0
"""Ground that is shown around a spot."""


class OpeningQuestions:
    """Questions about spots of which the first reading was not sure."""

    def __init__(self, waiting: Mapping[Spot, Question] | None = None) -> None:
        self._waiting = dict(waiting or {})
        self._open: set[Spot] = set()

    @property
    def open(self) -> frozenset[Spot]:
        """The spots that people have been asked about, and have not answered."""
        return frozenset(self._open)

    def due(self, others: Collection[Spot]) -> tuple[Question, ...]:
        """Return the questions to be asked now.

        Parameters
        ----------
        others : collection of Spot
            What watching has asked, and is not answered yet.
        """
        room = MOST - len(others) - len(self._open)
        spots = [spot for spot in self._waiting if spot not in others][: max(room, 0)]
        self._open.update(spots)
        return tuple(self._waiting.pop(spot) for spot in spots)

    def settled(self, spots: Collection[Spot]) -> tuple[Spot, ...]:
        """Take in that more is known of some spots; return which of them were open."""
        over = tuple(spot for spot in spots if spot in self._open)
        self._open.difference_update(spots)
        for spot in spots:
            self._waiting.pop(spot, None)
        return over


def doubted(seen: LookRead, table: TableState, joined: Mapping[Spot, Doubt]) -> dict[Spot, Doubt]:
    """Return what is to be asked of a reading that watching begins with.

    That is what it sees otherwise than the log has it, but is not sure of; and what people
    confirmed in one step though it was in doubt then, unless this reading is sure of it now.

    Parameters
    ----------
    joined : mapping of Spot to Doubt
        The doubts of what was shown to them.
    """
    known = standing_on(table)
    asked: dict[Spot, Doubt] = {}
    for spot, one in seen.seen.items():
        has, then = known.get(spot), joined.get(spot)
        if then is not None and then.said == has:
            if one.doubt is not None or one.answer != has:
                asked[spot] = one.doubt or then
        elif one.doubt is not None and one.answer != has and spot not in table.by_hand:
            asked[spot] = one.doubt
    return asked


def questions_of(doubts: Mapping[Spot, Doubt], look: Look) -> dict[Spot, Question]:
    """Return questions with pictures of their spots."""
    frame = Frame(look.shown, look.at_s, 0)
    return {
        spot: Question(spot, doubt, proof_of(frame, _box_px(spot, look)))
        for spot, doubt in doubts.items()
    }


def _box_px(spot: Spot, look: Look) -> tuple[int, int, int, int]:
    """Return where a spot is seen: left, top, right and bottom, with some ground around it."""
    kind, name = spot
    board = look.printed.board  # its sites are routes too
    if kind == "station":
        middles = np.array([board.place_by_id[name].xy_mm])
    else:
        middles = np.array([space.xy_mm for space in board.route_by_id[name].spaces])
    low, high = middles.min(axis=0) - AROUND_MM, middles.max(axis=0) + AROUND_MM
    seen = look.pose.seen_at(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))
    left, top = np.floor(seen.min(axis=0)).astype(int)
    right, bottom = np.ceil(seen.max(axis=0)).astype(int)
    return int(left), int(top), int(right), int(bottom)
