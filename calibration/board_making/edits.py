"""What a person says about a proposed board: every edit gives a new proposal.

Nothing is changed in place, so that taking an edit back is going back to the value before it.
Whatever a person sets on a route also accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from ..arrays import Float64s
from .errors import EditError
from .print_colours import NAMES
from .proposal_values import BoardProposal, ProposedRoute, ProposedSpace

MOST_LANES, MOST_SPACES = 4, 20  # what a board file can hold


Version = TypeVar("Version")


@dataclass(frozen=True)
class EditHistory(Generic[Version]):
    """A proposal with all that it was before, so that edits can be taken back.

    Examples
    --------
    >>> empty = BoardProposal((100.0, 100.0), (20.0, 8.0), (), ())
    >>> grown = EditHistory((empty,)).then(replace(empty, size_mm=(200.0, 100.0)))
    >>> grown.now.size_mm, grown.undone().now.size_mm, grown.undone().redone().now.size_mm
    ((200.0, 100.0), (100.0, 100.0), (200.0, 100.0))
    """

    versions: tuple[Version, ...]  # proposals, or what holds one; the oldest first
    at: int = 0  # which of them counts

    @property
    def now(self) -> Version:
        """The proposal as it is."""
        return self.versions[self.at]

    def then(self, edited: Version) -> EditHistory[Version]:
        """Return the history with one more edit; what was taken back is forgotten."""
        return EditHistory((*self.versions[: self.at + 1], edited), self.at + 1)

    def undone(self) -> EditHistory[Version]:
        """Return the history before the last edit; the same where there was none."""
        return EditHistory(self.versions, max(self.at - 1, 0))

    def redone(self) -> EditHistory[Version]:
        """Return the history with the edit that was taken back last; the same without one."""
        return EditHistory(self.versions, min(self.at + 1, len(self.versions) - 1))


def accept(proposal: BoardProposal, number: int) -> BoardProposal:
    """Say that a route is as proposed: its doubts are settled."""
    return _with(proposal, replace(proposal.route(number), is_accepted=True, doubts=()))


def accept_certain(proposal: BoardProposal) -> BoardProposal:
    """Accept every route that nothing speaks against."""
    for route in proposal.routes:
        if not route.doubts and not route.is_accepted:
            proposal = accept(proposal, route.number)
    return proposal


def reject(proposal: BoardProposal, number: int) -> BoardProposal:
    """Say that something is no route."""
    route = proposal.route(number)
    kept = tuple(other for other in proposal.routes if other.number != number)
    return replace(proposal, routes=kept, rejected=(*proposal.rejected, route))


def set_colour(proposal: BoardProposal, number: int, colour: str) -> BoardProposal:
    """Say which colour a route has."""
    if colour not in NAMES:
        raise EditError(
            "{colour!r} is no colour of a route; they are {colours}",
            colour=colour,
            colours=", ".join(NAMES),
        )
    return _with(proposal, replace(proposal.route(number), colour=colour, is_accepted=True))


def set_ends(proposal: BoardProposal, number: int, a: str, b: str) -> BoardProposal:
    """Say between which places a route runs; its first space is then the one nearer to `a`."""
    if a == b:
        raise EditError("a route cannot start and end at {place!r}", place=a)
    at = {place.id: place.xy_mm for place in proposal.places}
    for place in (a, b):
        proposal.name_of(place)
    route = proposal.route(number)
    spaces = route.spaces
    if spaces and _square(spaces[0], at[a]) > _square(spaces[-1], at[a]):
        spaces = tuple(_turned(space) for space in reversed(spaces))
    return _with(proposal, replace(route, a=a, b=b, spaces=spaces, is_accepted=True))


def set_length(proposal: BoardProposal, number: int, length: int) -> BoardProposal:
    """Say how long a route is: its spaces are laid anew, evenly along its course."""
    if not 1 <= length <= MOST_SPACES:
        raise EditError("a route is 1 to {n} spaces long, not {m}", n=MOST_SPACES, m=f"{length!r}")
    route = proposal.route(number)
    spaces = lay_evenly(route.spaces, length)
    return _with(proposal, replace(route, spaces=spaces, is_accepted=True))


def set_double(proposal: BoardProposal, number: int, other: int) -> BoardProposal:
    """Say that two routes are lanes of one double route: the second gets the first one's ends."""
    if number == other:
        raise EditError("route {n!r} cannot be a lane beside itself", n=number)
    first = proposal.route(number)
    lanes = [route for route in proposal.routes if route.ends == first.ends]
    if len(lanes) >= MOST_LANES:
        raise EditError("{n} lanes at most lie between two places", n=MOST_LANES)
    return set_ends(proposal, other, first.a, first.b)


def set_name(proposal: BoardProposal, place: str, name: str) -> BoardProposal:
    """Say what a place is called; its id stays."""
    proposal.name_of(place)
    if not name.strip():
        raise EditError("a place needs a name")
    places = tuple(
        replace(one, name=name.strip()) if one.id == place else one for one in proposal.places
    )
    return replace(proposal, places=places)


def move_space(
    proposal: BoardProposal,
    number: int,
    space: int,
    xy_mm: tuple[float, float],
    angle_deg: float | None = None,
) -> BoardProposal:
    """Move a route's space, counted from 0 at its `a`; without an angle it keeps its own."""
    route = proposal.route(number)
    if not 0 <= space < route.length:
        raise EditError(
            "route {n!r} has no space {m!r}; it has {all}", n=number, m=space, all=route.length
        )
    check_on_board(proposal, xy_mm)
    old = route.spaces[space]
    new = replace(
        old, xy_mm=xy_mm, angle_deg=old.angle_deg if angle_deg is None else angle_deg, sure=1.0
    )
    spaces = (*route.spaces[:space], new, *route.spaces[space + 1 :])
    return _with(proposal, replace(route, spaces=spaces, is_accepted=True))


def add_space(
    proposal: BoardProposal,
    number: int,
    xy_mm: tuple[float, float],
    angle_deg: float,
    before: int | None = None,
) -> BoardProposal:
    """Add a space by hand, before the one of that index; without one, at the route's end."""
    route = proposal.route(number)
    check_on_board(proposal, xy_mm)
    if route.length == MOST_SPACES:
        raise EditError("a route is {n} spaces long at most", n=MOST_SPACES)
    at = route.length if before is None else before
    if not 0 <= at <= route.length:
        raise EditError(
            "route {n!r} has no space {m!r}; it has {all}", n=number, m=before, all=route.length
        )
    new = ProposedSpace(xy_mm, angle_deg, proposal.space_size_mm)
    spaces = (*route.spaces[:at], new, *route.spaces[at:])
    return _with(proposal, replace(route, spaces=spaces, is_accepted=True))


def remove_space(proposal: BoardProposal, number: int, space: int) -> BoardProposal:
    """Take a space out of a route that has others, counted from 0 at its `a`."""
    route = proposal.route(number)
    if not 0 <= space < route.length:
        raise EditError(
            "route {n!r} has no space {m!r}; it has {all}", n=number, m=space, all=route.length
        )
    if route.length == 1:
        raise EditError("route {n!r} has but one space: reject the route instead", n=number)
    spaces = (*route.spaces[:space], *route.spaces[space + 1 :])
    return _with(proposal, replace(route, spaces=spaces, is_accepted=True))


def add_route(
    proposal: BoardProposal, a: str, b: str, colour: str, spaces: Sequence[ProposedSpace]
) -> BoardProposal:
    """Add a route by hand, with its spaces from `a` to `b`."""
    if not 1 <= len(spaces) <= MOST_SPACES:
        raise EditError("a route is 1 to {n} spaces long, not {m}", n=MOST_SPACES, m=len(spaces))
    numbers = [route.number for route in (*proposal.routes, *proposal.rejected)]
    number = 1 + max(numbers, default=0)
    route = ProposedRoute(number, a, b, colour, tuple(spaces), is_accepted=True)
    grown = replace(proposal, routes=(*proposal.routes, route))
    return set_colour(set_ends(grown, number, a, b), number, colour)


def _with(proposal: BoardProposal, route: ProposedRoute) -> BoardProposal:
    routes = tuple(route if one.number == route.number else one for one in proposal.routes)
    return replace(proposal, routes=routes)


def check_on_board(proposal: BoardProposal, xy_mm: tuple[float, float]) -> None:
    """Refuse a point beside the board; raises `EditError`."""
    if not all(0 <= at <= side for at, side in zip(xy_mm, proposal.size_mm, strict=True)):
        width, height = proposal.size_mm
        raise EditError(
            "{where!r} is not on the board, which is {a} x {b} mm",
            where=xy_mm,
            a=f"{width:g}",
            b=f"{height:g}",
        )


def _square(space: ProposedSpace, xy_mm: tuple[float, float]) -> float:
    return (space.xy_mm[0] - xy_mm[0]) ** 2 + (space.xy_mm[1] - xy_mm[1]) ** 2


def _turned(space: ProposedSpace) -> ProposedSpace:
    angle = space.angle_deg + 180
    return replace(space, angle_deg=round(angle - 360 if angle > 180 else angle, 1))


def course_of(spaces: Sequence[ProposedSpace]) -> Float64s:
    """Return the line that spaces lie along, from the first one's start to the last one's end."""
    middles = np.array([space.xy_mm for space in spaces], np.float64)
    start, end = _ahead(spaces[0], -0.5), _ahead(spaces[-1], 0.5)
    return np.vstack([start, middles, end])


def lay_evenly(spaces: Sequence[ProposedSpace], count: int) -> tuple[ProposedSpace, ...]:
    """Return as many spaces as wanted along the course of others.

    They are as long as those, or shorter where that many of them would not fit.

    Examples
    --------
    >>> one = ProposedSpace((50.0, 10.0), 0.0, (60.0, 8.0))
    >>> [space.xy_mm[0] for space in lay_evenly([one], 2)]
    [35.0, 65.0]
    """
    course = course_of(spaces)
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(course, axis=0), axis=1))])
    step = run[-1] / count
    laid = []
    for number in range(count):
        ends = [
            np.array([np.interp(at, run, course[:, axis]) for axis in (0, 1)])
            for at in (number * step, (number + 1) * step)
        ]
        middle = [np.interp((number + 0.5) * step, run, course[:, axis]) for axis in (0, 1)]
        way = ends[1] - ends[0]
        laid.append(
            replace(
                spaces[0],
                xy_mm=(round(float(middle[0]), 2), round(float(middle[1]), 2)),
                angle_deg=round(float(np.degrees(np.arctan2(way[1], way[0]))), 1),
                size_mm=(round(min(spaces[0].size_mm[0], float(step)), 1), spaces[0].size_mm[1]),
                sure=1.0,
            )
        )
    return tuple(laid)


def _ahead(space: ProposedSpace, share: float) -> Float64s:
    angle = np.deg2rad(space.angle_deg)
    off = share * space.size_mm[0] * np.array([np.cos(angle), np.sin(angle)])
    return np.asarray(np.array(space.xy_mm) + off)
