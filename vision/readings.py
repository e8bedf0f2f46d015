"""What was seen on a board, with its doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from railspotter.scoring.board import PlaceId, RouteId, SiteId
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot

Colour = str


@dataclass(frozen=True)
class Doubt:
    """Something that the reading is not sure of.

    Attributes
    ----------
    spot : Spot
        What it is about.
    said : str or None
        The best answer: whose trains or station stand there, None for free. It counts until
        someone answers.
    alternatives : tuple of (str or None)
        What else it may be, the likeliest first.
    why : Sentence
        The reason, in words for the players.
    """

    spot: Spot
    said: Colour | None
    alternatives: tuple[Colour | None, ...]
    why: Sentence


@dataclass(frozen=True)
class PieceReading:
    """What one route, place or site shows.

    Attributes
    ----------
    about : str
        Its id.
    colour : str or None
        Whose trains or station stand there, None for free.
    confidence : float
        How probable that answer is by the cues alone, 0 to 1.
    doubt : Doubt or None
    """

    about: RouteId | PlaceId | SiteId
    colour: Colour | None
    confidence: float
    doubt: Doubt | None = None


@dataclass(frozen=True)
class Reading:
    """What a whole board shows: an answer for everything that pieces can stand on.

    Attributes
    ----------
    routes : mapping of route id to PieceReading
    notes : tuple of Sentence
        What the person with the camera should know, such as that the light is coloured.
    stations : mapping of place id to PieceReading
        What stands at every place; empty where the game has no stations.
    sites : mapping of site id to PieceReading
        What stands on every site that was measured.
    pins : mapping of route id to int
        Where one piece marks a route: on which space of each claimed one it stands, from 0 at `a`.
    """

    routes: Mapping[RouteId, PieceReading]
    notes: tuple[Sentence, ...] = ()
    stations: Mapping[PlaceId, PieceReading] = field(default_factory=dict)
    sites: Mapping[SiteId, PieceReading] = field(default_factory=dict)
    pins: Mapping[RouteId, int] = field(default_factory=dict)

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """Whose trains stand on a route; free routes are not listed.

        Examples
        --------
        >>> seen = PieceReading("a--b", "red", 0.99), PieceReading("b--c", None, 0.8)
        >>> Reading({route.about: route for route in seen}).claims
        {'a--b': 'red'}
        """
        return _owners(self.routes)

    @property
    def built(self) -> dict[PlaceId, Colour]:
        """Whose station stands at a place; places without one are not listed."""
        return _owners(self.stations)

    @property
    def claimed_sites(self) -> dict[SiteId, Colour]:
        """Whose train stands on a site; free sites are not listed."""
        return _owners(self.sites)

    @property
    def of_trains(self) -> dict[RouteId | SiteId, PieceReading]:
        """What everything shows that trains stand on: routes and sites."""
        return {**self.routes, **self.sites}

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts, the least sure first."""
        seen = [*self.routes.values(), *self.stations.values(), *self.sites.values()]
        unsure = sorted(seen, key=lambda piece: (piece.confidence, piece.about))
        return tuple(piece.doubt for piece in unsure if piece.doubt is not None)

    def with_answers(self, answers: Mapping[str, Colour | None]) -> Reading:
        """Return the reading with what people say in place of what was seen, without a doubt."""
        return replace(
            self,
            routes=_answered(self.routes, answers),
            stations=_answered(self.stations, answers),
            sites=_answered(self.sites, answers),
        )


def _owners(seen: Mapping[str, PieceReading]) -> dict[str, Colour]:
    return {name: piece.colour for name, piece in seen.items() if piece.colour is not None}


def _answered(
    seen: Mapping[str, PieceReading], answers: Mapping[str, Colour | None]
) -> dict[str, PieceReading]:
    return {
        name: replace(piece, colour=answers[name], confidence=1.0, doubt=None)
        if name in answers
        else piece
        for name, piece in seen.items()
    }
