"""What readings say of spots that nobody saw change: every look is one of the whole board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..reading import Colour
from .belief import BeliefSettings, Seen
from .spots import Spot

MAY_BE = -1.0
"""Log-odds of some colour without which a train-like shape is nobody's trains."""


class Rereading:
    """Remembers of each spot whether readings bear out what is believed.

    A reading errs in the same way again and again, so that one that contradicts means nothing by
    itself. It does where readings agreed before, a hand was over the spot, and now they do not: a
    piece was laid that hardly differs from the print, or while a lamp was switched.
    """

    def __init__(self, settings: BeliefSettings) -> None:
        self._settings = settings
        self._borne_out: set[Spot] = set()
        self._handled: set[Spot] = set()
        self._seen: dict[Spot, list[Seen]] = {}
        self._told: set[Spot] = set()

    def __iter__(self) -> Iterator[Spot]:
        """Iterate over the spots of which the last readings contradict."""
        return iter(list(self._seen))

    def of(self, spot: Spot) -> list[Seen]:
        """Return the readings that contradict, in order."""
        return self._seen.get(spot, [])

    def is_new(self, spot: Spot) -> bool:
        """Tell whether readings bore out what is believed until a hand was over it."""
        return spot in self._borne_out and spot in self._handled

    def bears_out(self, spot: Spot) -> bool:
        """Tell whether readings bear out what is believed, since a hand was over it last."""
        return spot in self._borne_out and spot not in self._handled

    def handled(self, spots: Iterable[Spot]) -> None:
        """Take in that something moved over some spots: pieces may have come or gone."""
        for spot in spots:
            self._handled.add(spot)
            self._seen.pop(spot, None)

    def believed(self, spot: Spot, *, is_told: bool) -> None:
        """Take in that something new is believed of a spot; what a person says is not disputed."""
        self._borne_out.discard(spot)
        self._handled.discard(spot)
        self._seen.pop(spot, None)
        if is_told:
            self._told.add(spot)
        else:
            self._told.discard(spot)

    def take_in(self, spot: Spot, seen: Seen, believed: Colour | None) -> None:
        """Take in what a reading says of a spot that looks as it did when it was settled."""
        s = self._settings
        if spot in self._told or seen.visible < s.visible:
            return
        if seen.doubt is None and seen.answer == believed:
            self._borne_out.add(spot)
            self._handled.discard(spot)
            self._seen.pop(spot, None)
        elif self._contradicts(seen, believed):
            self._seen.setdefault(spot, []).append(seen)
        else:
            self._seen.pop(spot, None)

    def drop(self, spots: Collection[Spot]) -> None:
        """Forget what contradicted on spots that are judged otherwise, or are hidden."""
        for spot in spots:
            self._seen.pop(spot, None)

    def _contradicts(self, seen: Seen, believed: Colour | None) -> bool:
        if seen.doubt is None:
            return seen.answer != believed
        something = seen.shape >= self._settings.something and max(seen.odds) > MAY_BE
        return believed is None and something
