"""The reading of a board: answers for every spot, with doubts."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from railspotter.scoring.board import RouteId
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot, of_kind

Colour = str


@dataclass(frozen=True)
class Doubt:
    """A doubt about one spot, to be asked as a question."""

    spot: Spot
    # The likeliest answer: whose trains or station stand there, None for free. It holds until
    # someone answers.
    said: Colour | None
    alternatives: tuple[Colour | None, ...]  # other answers, the likeliest first
    why: Sentence  # the reason, in words for the players


@dataclass(frozen=True)
class PieceReading:
    """The answer for one spot."""

    colour: Colour | None  # whose trains or station stand there, None for free
    confidence: float  # probability of that answer by the cues alone, 0 to 1
    doubt: Doubt | None = None
    # Whether the spot is out of the picture or covered, so that there is no answer.
    is_unseen: bool = False


UNSEEN = PieceReading(None, confidence=0.0, is_unseen=True)


@dataclass(frozen=True)
class MarkerReading:
    """The position of one player's marker on the score track."""

    # The number of its step, 0 for Start, where a round ends too; None if unclear.
    at: int | None
    why: Sentence = NOTHING  # why it is not clear; empty where it is


@dataclass(frozen=True)
class Reading:
    """The reading of a whole board: an answer for every spot."""

    # Answers for every route and measured site, and for every place if the game has stations.
    pieces: Mapping[Spot, PieceReading]
    # Notes for the person with the camera, such as that the light is coloured.
    notes: tuple[Sentence, ...] = ()
    # For single pieces: the space of each claimed route with its piece, from 0 at `a`.
    pins: Mapping[RouteId, int] = field(default_factory=dict)
    # Each player's marker, if the score track was read.
    markers: Mapping[Colour, MarkerReading] = field(default_factory=dict)
    # Colours of trains that nobody plays, by their routes; see `as_played`.
    uncounted: Mapping[RouteId, Colour] = field(default_factory=dict)

    @property
    def held(self) -> dict[Spot, Colour]:
        """The colour on each spot that is not free."""
        return {
            spot: piece.colour for spot, piece in self.pieces.items() if piece.colour is not None
        }

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """The colour on each route that is not free.

        >>> claimed, free = PieceReading("red", 0.99), PieceReading(None, 0.8)
        >>> Reading({Spot("route", "a--b"): claimed, Spot("route", "b--c"): free}).claims
        {'a--b': 'red'}
        """
        return of_kind("route", self.held)

    @property
    def unseen(self) -> tuple[Spot, ...]:
        """The spots that no picture shows: neither free nor claimed."""
        return tuple(spot for spot, piece in self.pieces.items() if piece.is_unseen)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts, the least sure first."""
        unsure = sorted(self.pieces.items(), key=lambda seen: (seen[1].confidence, seen[0].id))
        return tuple(piece.doubt for _, piece in unsure if piece.doubt is not None)

    def with_answers(self, answers: Mapping[Spot, Colour | None]) -> "Reading":
        """Return the reading with people's answers in place of what was seen, without doubts."""
        answered = {
            spot: PieceReading(colour, confidence=1.0)
            for spot, colour in answers.items()
            if spot in self.pieces
        }
        return replace(self, pieces={**self.pieces, **answered})

    def as_played(self, whose: Mapping[Colour, Colour | None]) -> "Reading":
        """Return the reading with some colours replaced by the players' they count for.

        Colours that count for nobody, None, become free, and their routes are in `uncounted`.
        Doubts without another answer are dropped.

        >>> spot = Spot("route", "a--b")
        >>> doubt = Doubt(spot, "white", ("red", None), Sentence("they look alike"))
        >>> white = Reading({spot: PieceReading("white", 0.9, doubt)})
        >>> left = white.as_played({"white": None})
        >>> left.claims, left.doubts[0].said, left.doubts[0].alternatives, left.uncounted
        ({}, None, ('red',), {'a--b': 'white'})
        >>> white.as_played({"white": "blue"}).claims
        {'a--b': 'blue'}
        """
        nobodys = {colour for colour, player in whose.items() if player is None}
        return replace(
            self,
            pieces={spot: _as_played(piece, whose) for spot, piece in self.pieces.items()},
            markers={c: marker for c, marker in self.markers.items() if c not in whose},
            uncounted={route: c for route, c in self.claims.items() if c in nobodys},
        )


def _as_played(piece: PieceReading, whose: Mapping[Colour, Colour | None]) -> PieceReading:
    def player(colour: Colour | None) -> Colour | None:
        return colour if colour is None else whose.get(colour, colour)

    said, doubt = player(piece.colour), piece.doubt
    if doubt is not None:
        likely = dict.fromkeys(map(player, (doubt.said, *doubt.alternatives)))
        others = tuple(one for one in likely if one != said)
        doubt = replace(doubt, said=said, alternatives=others) if others else None
    return replace(piece, colour=said, doubt=doubt)
