"""Changes that have a reason already: a claim beside them, a lamp, a push of the board."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from railspotter.calibration.arrays import Mask
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from ..readings import Colour
from .settling import FrameChanges
from .spots import routes_at
from .watched_board import WatchedBoard, WatchedSpot

BEFORE_S = 1.0  # what changed so long before a claim did is none of its trains' shadows


class ExplainedSpots:
    """Knows which spots changed for a reason that is none of theirs.

    People lay one route a turn, and its trains throw shadows on others. The last train often lies
    over the place of a station, too, and looks like one.
    """

    def __init__(self, board: Board, spots: WatchedBoard) -> None:
        self._routes_at = routes_at(board)
        self._spots = spots

    def by(self, new: Spot, colour: Colour, since_s: Mapping[Spot, float]) -> None:
        """Take what else changed for the work of a new claim."""
        first_s = since_s[new] - BEFORE_S
        for name in (name for name, at_s in since_s.items() if at_s >= first_s and name != new):
            self._spots[name].is_explained = True
            if new in self._routes_at.get(name, ()):
                self._spots[name].came_with = colour

    def keep(self, in_sight: Mask, changed: Mask) -> None:
        """Forget the reasons for what changed no longer, or was touched again."""
        for spot in self._spots:
            spot.is_explained = spot.is_explained and bool(in_sight[spot.index])
            if spot.came_with is not None and not changed[spot.index]:
                spot.came_with = None

    def trains_at(self, station: Spot) -> list[WatchedSpot]:
        """Return the routes whose trains may lie over a station's place, if they are new."""
        routes = (
            self._spots[name] for name in self._routes_at.get(station, ()) if name in self._spots
        )
        return [route for route in routes if not route.is_explained]


def take_in_light(
    board: WatchedBoard, sight: FrameChanges, asked: Collection[Spot], *, has_moved: bool
) -> None:
    """Take in a lamp or a push, which explains what looks different; what was open stays open."""
    open_ = sight.changed | sight.disturbed
    if has_moved or sight.is_relit:
        for spot in board:
            spot.is_explained = spot.spot not in asked
            spot.stays_open |= spot.was_open
    else:
        for spot in board:
            spot.stays_open = spot.stays_open and bool(open_[spot.index])
        if sight.is_anew:  # what a hand is over may be laid just now
            for spot in board.where(sight.disturbed):
                spot.stays_open = True
    if sight.is_still and not sight.is_relit:
        for spot in board:
            spot.was_open = False
        for spot in board.where(open_):
            spot.was_open = not spot.is_decided
