"""What is connected with what, along a set of routes."""

from __future__ import annotations

from collections.abc import Iterable

from .board import PlaceId, Route


class Network:
    """The connected parts of some routes.

    Examples
    --------
    >>> network = Network()
    >>> network.join("seattle", "portland")
    >>> network.join("portland", "san-francisco")
    >>> network.connects("seattle", "san-francisco"), network.connects("seattle", "miami")
    (True, False)

    A place that no route touches is not even connected with itself.

    >>> network.touches("miami")
    False
    """

    def __init__(self, routes: Iterable[Route] = ()) -> None:
        self._above: dict[PlaceId, PlaceId] = {}
        for route in routes:
            self.join(route.a, route.b)

    def join(self, a: PlaceId, b: PlaceId) -> None:
        """Connect two places."""
        self._above.setdefault(a, a)
        self._above.setdefault(b, b)
        self._above[self.part_of(a)] = self.part_of(b)

    def part_of(self, place: PlaceId) -> PlaceId:
        """Return the place that stands for the connected part of `place`."""
        above = self._above
        while (up := above.get(place, place)) != place:
            above[place] = above[up]
            place = up
        return place

    def touches(self, place: PlaceId) -> bool:
        """Whether a route ends at this place."""
        return place in self._above

    def connects(self, a: PlaceId, b: PlaceId) -> bool:
        """Whether a continuous path leads from one place to the other."""
        return a in self._above and b in self._above and self.part_of(a) == self.part_of(b)
