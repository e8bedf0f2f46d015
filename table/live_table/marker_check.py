"""The physical score track against the trains: what a marker says, and what may explain it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from railspotter.scoring import Colour, Spot
from railspotter.vision.readings import Doubt

from ..game_log import Corrected, GameState, TableState, TakenBack, answer_of

ROUND = 100
"""The track's number after which a marker goes round again."""
MOST_SHOWN = 3
MOST_PAIRED = 12
"""Claims, the newest, of which two together are tried."""


@dataclass(frozen=True)
class MarkerCheck:
    """A marker's number held against the routes.

    Attributes
    ----------
    said : int
        Where the marker stands.
    counted : int
        The points of the routes.
    explanations : tuple of tuple of Spot
        Routes that are worth the difference, likeliest first: claimed without moving the marker or
        taken for claimed, where the trains say more; not seen or taken for another's, where the
        marker does.
    """

    said: int
    counted: int
    explanations: tuple[tuple[Spot, ...], ...] = ()

    @property
    def difference(self) -> int:
        """By how much the marker says more; a marker that went round is not behind."""
        return _difference(self.said, self.counted)


def check_marker(
    game: GameState, colour: Colour, said: int, doubts: Sequence[Doubt] = ()
) -> MarkerCheck:
    """Hold the number where a marker stands against the routes of a colour.

    Parameters
    ----------
    doubts : sequence of Doubt
        The doubts of the questions that are open.
    """
    counted = answer_of(game.table, with_secrets=False).standing[colour].route_points
    difference = _difference(said, counted)
    if difference < 0:
        found = _of_too_many(game.table, colour, -difference)
    elif difference > 0:
        found = _of_too_few(game, colour, difference, doubts)
    else:
        found = iter(())
    return MarkerCheck(said, counted, tuple(dict.fromkeys(found))[:MOST_SHOWN])


def _difference(said: int, counted: int) -> int:
    """Return by how much the marker says more.

    Examples
    --------
    >>> _difference(87, 91), _difference(12, 112), _difference(98, 103), _difference(3, 103)
    (-4, 0, -5, 0)
    """
    if not 0 <= said <= ROUND:
        return said - counted
    return (said - counted + ROUND // 2) % ROUND - ROUND // 2


def _of_too_many(table: TableState, colour: Colour, points: int) -> Iterator[tuple[Spot, ...]]:
    """Yield the claims of a colour worth so much: the least sure first, then the newest."""
    own = {spot: held for spot, held in table.spots.items() if held.colour == colour}
    worth = {spot: _worth(table, spot) for spot in own if spot.kind == "route"}
    order = sorted(worth, key=lambda spot: (own[spot].sure > 0.95, -own[spot].event))
    yield from ((spot,) for spot in order if worth[spot] == points)
    newest = sorted(worth, key=lambda spot: -own[spot].event)[:MOST_PAIRED]
    yield from (
        pair for pair in combinations(newest, 2) if sum(worth[spot] for spot in pair) == points
    )


def _of_too_few(
    game: GameState, colour: Colour, points: int, doubts: Sequence[Doubt]
) -> Iterator[tuple[Spot, ...]]:
    """Yield the routes worth so much that may be this colour's: asked about, lost, another's."""
    table = game.table

    def fits(spot: Spot) -> bool:
        held = table.spots.get(spot)
        is_own = held is not None and held.colour == colour
        return spot.kind == "route" and not is_own and _worth(table, spot) == points

    for doubt in doubts:
        spot = doubt.spot
        if colour in (doubt.said, *doubt.alternatives) and fits(spot):
            yield (spot,)
    for event in reversed(game.events):
        if isinstance(event.fact, TakenBack | Corrected) and fits(event.fact.spot):
            yield (event.fact.spot,)
    others = [(held.sure, -held.event, spot) for spot, held in table.spots.items() if held.colour]
    yield from ((spot,) for sure, _, spot in sorted(others) if sure < 1.0 and fits(spot))


def _worth(table: TableState, spot: Spot) -> int:
    route = table.board.route_by_id[spot.id]
    return table.edition.route_points.get(route.length, 0)
