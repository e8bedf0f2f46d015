"""Proposing a board from a picture of it, empty, and its places."""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays import Picture
from .outlines import SizeMm
from .printed_spaces import FoundSpace, find_spaces
from .proposal_values import BoardProposal, ProposedRoute, ProposedSpace
from .stringing import FoundRoute, PlaceOnBoard, string_routes

NO_SIZE = (0.0, 0.0)  # length and width of a space, where none was found
LOOSE_SURE = 0.8  # from which on a space that no route has is told: a route may be missing there


def propose(
    picture: Picture,
    size_mm: SizeMm,
    places: Sequence[PlaceOnBoard],
    known: Sequence[ProposedRoute] = (),
    space_size_mm: SizeMm | None = None,
) -> BoardProposal:
    """Propose a board's routes from a picture of it, empty, and its places.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        From straight above, edge to edge.
    known : sequence of ProposedRoute
        Routes that a person has settled: they stay, and their spaces are no others'.
    space_size_mm : tuple of float, optional
        Length and width of a space; estimated without.
    """
    return proposal_of(find_spaces(picture, size_mm, space_size_mm), size_mm, places, known)


def proposal_of(
    spaces: Sequence[FoundSpace],
    size_mm: SizeMm,
    places: Sequence[PlaceOnBoard],
    known: Sequence[ProposedRoute] = (),
) -> BoardProposal:
    """Propose a board's routes from spaces that were found: with other places, nothing is sought.

    Parameters
    ----------
    spaces : sequence of FoundSpace
        As `find_spaces` returns them.
    known : sequence of ProposedRoute
        Routes that a person has settled.
    """
    routes = string_routes(spaces, places, taken=[s for route in known for s in as_found(route)])
    first = 1 + max((route.number for route in known), default=0)
    proposed = [*known, *(_as_proposed(r, first + i) for i, r in enumerate(routes))]
    used = [s for r in proposed for s in r.spaces]
    return BoardProposal(
        size_mm,
        spaces[0].size_mm if spaces else NO_SIZE,
        tuple(places),
        tuple(proposed),
        tuple(_loose(spaces, used)),
    )


def as_found(route: ProposedRoute) -> list[FoundSpace]:
    """Return a route's spaces as if they had been found."""
    return [
        FoundSpace(s.xy_mm, s.angle_deg, s.size_mm, route.colour, (0.0, 0.0, 0.0), s.sure)
        for s in route.spaces
    ]


def _as_proposed(route: FoundRoute, number: int) -> ProposedRoute:
    spaces = tuple(
        ProposedSpace(s.xy_mm, s.angle_deg, s.size_mm, round(s.sure, 3)) for s in route.spaces
    )
    return ProposedRoute(number, route.a, route.b, route.colour, spaces, route.doubts)


def _loose(spaces: Sequence[FoundSpace], used: Sequence[ProposedSpace]) -> list[ProposedSpace]:
    loose: list[ProposedSpace] = []
    for space in spaces:
        if space.sure < LOOSE_SURE:
            continue
        near = 0.8 * space.size_mm[0]
        x, y = space.xy_mm
        others = (other.xy_mm for other in (*used, *loose))
        if all((x - u) ** 2 + (y - v) ** 2 > near**2 for u, v in others):
            loose.append(
                ProposedSpace(space.xy_mm, space.angle_deg, space.size_mm, round(space.sure, 3))
            )
    return loose
