"""What is told beside a photo's scores: what they, or the photos, make somebody look at again.

A board may hold more trains of a colour than a player has, so the reader does not rule it out, nor
a colour of which a single route stands there. People know whether it is so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import Colour
from railspotter.scoring.legality import number_problem
from railspotter.scoring.sentence import Sentence, together

if TYPE_CHECKING:
    from .scored_photo import ScoredPhoto

# A photo that counts less repeats another one; 0.5 is one of two that show the same.
MUCH_ALIKE = 0.7
# Routes that each other colour must have before a lone one looks odd; chosen: before, a game has
# hardly begun.
MANY = 4

TOO_MANY = Sentence(
    "routes take more pieces than a player has ({colours} too many): one may be misread"
)
UNCOUNTED = Sentence(
    "there are also trains on the board that nobody in this game has ({colours} routes). They are"
    " not counted; if somebody plays them, name that player's colour too"
)
LONE_ROUTE = Sentence(
    "only one route is {colour}, {route}: check that {colour} trains are really there"
)
MARKER = Sentence(
    "{colour}'s marker stands at {at}, but its routes are worth {points}: either it was not moved,"
    " or a route is misread"
)
REPEATED = Sentence(
    "{photo} is so much like another photo that it adds little: take one from another side or in"
    " another light"
)


def remarks(photo: ScoredPhoto) -> tuple[Sentence, ...]:
    """Return what the terminal, the page and programs are told beside the scores of a photo.

    First come the notes of its reading. What follows is said of the scores with people's answers
    in them.
    """
    return (
        *photo.notes,
        *_number(photo),
        *_uncounted(photo),
        *_excess(photo),
        *_lone_routes(photo),
        *_markers(photo),
        *_repeated(photo),
    )


def _number(photo: ScoredPhoto) -> Iterator[Sentence]:
    """Yield what the box says where more people's pieces lie there than it has players."""
    there = len({*photo.held.values()})
    if there > photo.edition.players[1]:
        yield number_problem(photo.edition, there)


def _uncounted(photo: ScoredPhoto) -> Iterator[Sentence]:
    if photo.uncounted:
        yield UNCOUNTED.filled(colours=_numbered(photo.uncounted.items()))


def _excess(photo: ScoredPhoto) -> Iterator[Sentence]:
    players = photo.standing.players if photo.standing else ()
    if excess := [(p.colour, -p.trains_left) for p in players if p.trains_left < 0]:
        yield TOO_MANY.filled(colours=_numbered(excess))


def _numbered(colours: Iterable[tuple[Colour, int]]) -> Sentence:
    return together((Sentence("{colour} {n}", colour=one, n=n) for one, n in colours), ", ")


def _lone_routes(photo: ScoredPhoto) -> Iterator[Sentence]:
    """Yield the colours of which one route is seen, and nobody asked about it or said so."""
    counts = Counter(photo.claims.values())
    asked = {doubt.spot.id for doubt in photo.doubts} | {said.spot.id for said in photo.answers}
    for route, colour in photo.claims.items():
        others = [count for other, count in counts.items() if other != colour]
        if counts[colour] == 1 and route not in asked and others and min(others) >= MANY:
            yield LONE_ROUTE.filled(colour=colour, route=_ends(photo.board, route))


def _markers(photo: ScoredPhoto) -> Iterator[Sentence]:
    """Yield the markers on the score track that stand elsewhere than their routes are worth."""
    for player in photo.standing.players if photo.standing else ():
        marker = photo.markers.get(player.colour)
        if marker is None or marker.at is None:
            continue
        if marker.at != player.route_points % len(photo.board.score_track):
            yield MARKER.filled(colour=player.colour, at=marker.at, points=player.route_points)


def _ends(board: Board, route: RouteId) -> str:
    one = board.route_by_id[route]
    return f"{board.place_by_id[one.a].name} - {board.place_by_id[one.b].name}"


def _repeated(photo: ScoredPhoto) -> Iterator[Sentence]:
    for part in photo.parts:
        if 0 < part.counts < MUCH_ALIKE:
            yield REPEATED.filled(photo=part.photo)
