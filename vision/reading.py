"""What was seen on a board, with its doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from railspotter.scoring.board import RouteId

Colour = str


@dataclass(frozen=True)
class Doubt:
    """A route that the reading is not sure of.

    Attributes
    ----------
    said : str or None
        The best answer: whose trains stand there, None for free. It counts until someone answers.
    alternatives : tuple of (str or None)
        What else it may be, the likeliest first.
    why : str
        The reason, in words for the players.
    """

    route: RouteId
    said: Colour | None
    alternatives: tuple[Colour | None, ...]
    why: str


@dataclass(frozen=True)
class RouteReading:
    """What one route shows.

    Attributes
    ----------
    colour : str or None
        Whose trains stand on it, None for free.
    confidence : float
        How probable that answer is by the cues alone, 0 to 1.
    doubt : Doubt or None
    """

    route: RouteId
    colour: Colour | None
    confidence: float
    doubt: Doubt | None = None


@dataclass(frozen=True)
class Reading:
    """What a whole board shows: an answer for every route.

    Attributes
    ----------
    notes : tuple of str
        What the person with the camera should know, such as that the light is coloured.
    """

    routes: Mapping[RouteId, RouteReading]
    notes: tuple[str, ...] = ()

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """Whose trains stand on a route; free routes are not listed.

        Examples
        --------
        >>> seen = RouteReading("a--b", "red", 0.99), RouteReading("b--c", None, 0.8)
        >>> Reading({route.route: route for route in seen}).claims
        {'a--b': 'red'}
        """
        return {name: r.colour for name, r in self.routes.items() if r.colour is not None}

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts, the least sure first."""
        unsure = sorted(self.routes.values(), key=lambda r: (r.confidence, r.route))
        return tuple(r.doubt for r in unsure if r.doubt is not None)

    def with_answers(self, answers: Mapping[RouteId, Colour | None]) -> Reading:
        """Return the reading with what people say in place of what was seen, without a doubt."""
        routes = {
            name: replace(seen, colour=answers[name], confidence=1.0, doubt=None)
            if name in answers
            else seen
            for name, seen in self.routes.items()
        }
        return replace(self, routes=routes)
