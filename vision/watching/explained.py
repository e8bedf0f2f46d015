"""Changes that have a reason already: a claim beside them, a lamp, a push of the board."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from ..readings import Colour
from .spots import routes_at

BEFORE_S = 1.0
"""What changed so long before a claim did is none of its trains' shadows."""


class ExplainedSpots:
    """Remembers which spots changed for a reason that is none of theirs.

    People lay one route a turn, and its trains throw shadows on others. The last train often lies
    over the place of a station, too, and looks like one.

    Parameters
    ----------
    board : Board
    """

    def __init__(self, board: Board) -> None:
        self._routes_at = routes_at(board)
        self._spots: set[Spot] = set()
        self._ends: dict[Spot, Colour] = {}  # places that changed with trains that end there
        self._trains: set[tuple[Spot, Colour]] = set()  # which look like stations of their colour

    def __contains__(self, spot: Spot) -> bool:
        """Tell whether what changed there has a reason already."""
        return spot in self._spots

    def all_of(self, spots: Collection[Spot]) -> None:
        """Take in that the light changed, or that the board was pushed."""
        self._spots = set(spots)

    def add(self, spot: Spot) -> None:
        """Take in that nobody touched a spot that changed."""
        self._spots.add(spot)

    def discard(self, spot: Spot) -> None:
        """Take in that it is known of a spot what stands there."""
        self._spots.discard(spot)

    def by(self, new: Spot, colour: Colour, since_s: Mapping[Spot, float]) -> None:
        """Take what else changed for the work of a new claim.

        Parameters
        ----------
        since_s : mapping of Spot to float
            Since when each spot that changed was seen so, the new claim's included. What had
            changed before its first train was seen is another turn's.
        """
        first_s = since_s[new] - BEFORE_S
        with_it = {spot for spot, at_s in since_s.items() if at_s >= first_s} - {new}
        self._spots |= with_it
        self._ends |= {spot: colour for spot in with_it if new in self._routes_at.get(spot, ())}

    def keep(self, still: Collection[Spot], changed: Collection[Spot]) -> None:
        """Forget the reasons for what changed no longer, or was touched again.

        Parameters
        ----------
        still : collection of Spot
            The spots that changed and that nothing moves or lies over. Where a hand is, it may lay
            something, whatever explained the spot before.
        changed : collection of Spot
            All that changed. That a hand goes back over the last train makes it no station.
        """
        self._spots.intersection_update(still)
        self._ends = {spot: colour for spot, colour in self._ends.items() if spot in changed}

    def trains_at(self, station: Spot) -> frozenset[Spot]:
        """Return the routes whose trains may lie over a station's place, if they are new."""
        return self._routes_at.get(station, frozenset()) - self._spots

    def is_train(self, station: Spot, colour: Colour) -> bool:
        """Tell whether what looks like a station is the last train of a route.

        It came with trains of its colour that end there, and a turn is a route or a station; or it
        looked like one before, and what changed now is explained.
        """
        looked_so = self.looked_like(station, colour) and station in self._spots
        return looked_so or self._ends.get(station) == colour

    def looked_like(self, station: Spot, colour: Colour) -> bool:
        """Tell whether trains have looked like a station of that colour there."""
        return (station, colour) in self._trains

    def take_for_train(self, station: Spot, colour: Colour) -> None:
        """Take in that what looks like a station is a train, and will look like one again."""
        self._trains.add((station, colour))
