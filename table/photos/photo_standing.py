"""What a photo's pieces are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from railspotter.scoring import (
    Board,
    Colour,
    Edition,
    PlaceId,
    Position,
    RouteId,
    Seat,
    SiteId,
    Standing,
    position_standing,
)


def photo_standing(
    edition: Edition,
    board: Board,
    colours: Sequence[Colour],
    claims: Mapping[RouteId, Colour],
    stations: Mapping[PlaceId, Colour],
    sites: Mapping[SiteId, Colour],
) -> Standing:
    """Return everyone's score so far: a site costs a train, and no station scores before the end.

    Examples
    --------
    >>> from railspotter.scoring import load_board, load_edition
    >>> board, edition = load_board("europe"), load_edition("europe")
    >>> claims, built = {"berlin--essen": "red"}, {"essen": "red"}
    >>> now = photo_standing(edition, board, ["red"], claims, built, {})
    >>> now["red"].route_points, now["red"].trains_left
    (2, 43)
    """
    seats = tuple(Seat(colour) for colour in colours)
    held = stations_by_colour(stations)
    return position_standing(Position(edition, board, seats, claims, {}, held, sites))


def stations_by_colour(stations: Mapping[PlaceId, Colour]) -> dict[Colour, tuple[PlaceId, ...]]:
    """Return each colour's places, in order, as the text form of a game has them.

    Examples
    --------
    >>> stations_by_colour({"roma": "red", "essen": "blue", "berlin": "red"})
    {'blue': ('essen',), 'red': ('berlin', 'roma')}
    """
    return {
        colour: tuple(sorted(place for place, whose in stations.items() if whose == colour))
        for colour in sorted(set(stations.values()))
    }
