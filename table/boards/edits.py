"""What a person says about a board that is being made, as values that are sent.

Nothing is changed in place: each edit gives a new draft. Whatever a person sets on a route also
accepts it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace
from railspotter.calibration.board_making.draft import (
    LANES,
    Draft,
    DraftPlace,
    DraftRoute,
    DraftSpace,
)
from railspotter.calibration.board_making.laying import lay_evenly, lay_straight, reversed_spaces
from railspotter.calibration.board_making.print_colours import NAMES
from railspotter.calibration.board_making.printed_dots import with_dots
from railspotter.scoring.board import BoardEdition, Identifier
from railspotter.scoring.gaps import is_unnamed
from railspotter.scoring.sentence import Sentence

from ..errors import DraftError
from .tables import MOST_PLACES, free_id, parse_places, parse_sites, parse_tickets, place_id

MOST_SPACES = 20  # that a route of a board file can have
Point = tuple[float, float]
Millimetre = Annotated[float, msgspec.Meta(ge=0, le=5000)]
Angle = Annotated[float, msgspec.Meta(ge=-360, le=360)]
Number = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Index = Annotated[int, msgspec.Meta(ge=0, le=19)]
Length = Annotated[int, msgspec.Meta(ge=1, le=20)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Table = Annotated[str, msgspec.Meta(max_length=40_000)]
ColourName = Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
EditKind = Literal[
    "add place",
    "move place",
    "name place",
    "remove place",
    "all places",
    "accept places",
    "discard places",
    "accept",
    "accept certain",
    "reject",
    "colour",
    "length",
    "ends",
    "double",
    "traits",
    "add route",
    "move space",
    "add space",
    "remove space",
    "sites",
    "tickets",
    "board",
]


class DraftChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One edit of a draft: `kind` says what, and which of the others it needs.

    `seen` is the number of the draft that was looked at. Lengths are millimetres on the board.
    """

    seen: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    kind: EditKind
    place: Identifier | None = None
    other_place: Identifier | None = None
    name: Name | None = None
    x_mm: Millimetre | None = None
    y_mm: Millimetre | None = None
    angle_deg: Angle | None = None
    route: Number | None = None
    other_route: Number | None = None
    space: Index | None = None
    colour: ColourName | None = None
    length: Length | None = None
    tunnel: bool = False
    ferry_locomotives: Index = 0
    mode: Annotated[str, msgspec.Meta(max_length=3)] | None = None
    table: Table | None = None
    is_complete: bool | None = None
    edition: Literal[BoardEdition, ""] | None = None  # empty: nobody says by which rules


def edited(draft: Draft, said: DraftChange) -> Draft:
    """Return a draft after an edit.

    Raises `DraftError` when the edit lacks something that its kind needs, or cannot be done; with
    why.
    """
    needs, do = _EDITS[said.kind]
    if missing := [name for name in needs if getattr(said, name) is None]:
        raise DraftError(
            "the edit {kind!r} needs {what}", kind=said.kind, what=" and ".join(missing)
        )
    return do(draft, said)


def _place(draft: Draft, place: str) -> DraftPlace:
    """Return a place that is on the picture."""
    for one in draft.placed:
        if one.id == place:
            return one
    raise DraftError("there is no place {place!r}", place=place)


def _route(draft: Draft, number: int) -> DraftRoute:
    for route in draft.laid:
        if route.number == number:
            return route
    raise DraftError("there is no route {n!r} in the proposal", n=number)


def _with(draft: Draft, number: int, **said: Any) -> Draft:
    """Return a draft in which a person has said something of a route."""
    old = _route(draft, number)
    new = replace(old, **said, is_accepted=True)
    new = replace(new, length=len(new.spaces))
    return replace(draft, routes=tuple(new if one is old else one for one in draft.routes))


def _with_place(draft: Draft, new: DraftPlace) -> Draft:
    """Return a draft in which a place is elsewhere, or is called otherwise."""
    places = tuple(new if one.id == new.id else one for one in draft.places)
    return replace(draft, places=places)


def _xy(draft: Draft, said: Any) -> Point:
    """Return the point that is meant, which has to be on the board."""
    x, y = round(said.x_mm, 2), round(said.y_mm, 2)
    width, height = draft.size_mm
    if not (0 <= x <= width and 0 <= y <= height):
        raise DraftError(
            "{where!r} is not on the board, which is {a} x {b} mm",
            where=(x, y),
            a=f"{width:g}",
            b=f"{height:g}",
        )
    return x, y


def _space(route: DraftRoute, space: int, most: int) -> int:
    """Return the index of a space, counted from 0 at the route's `a`."""
    if space > most:
        raise DraftError(
            "route {n!r} has no space {m!r}; it has {all}",
            n=route.number,
            m=space,
            all=route.length,
        )
    return space


def _add_place(draft: Draft, said: Any) -> Draft:
    waiting = {place.id: place.name for place in draft.unplaced}
    name = said.name or waiting.get(said.place or "")
    if name is None:
        raise DraftError("the edit 'add place' needs a name")
    if said.place is not None and said.place not in waiting:
        raise DraftError(
            "the place {place!r} is none that waits to be put on the picture", place=said.place
        )
    return _put(draft, name, _xy(draft, said), said.place or "")


def _put(draft: Draft, name: str, xy_mm: Point, place: str) -> Draft:
    """Put a place on the picture; without an id of its own it gets one that its name gives."""
    if not name.strip():
        raise DraftError("a place needs a name")
    placed = draft.placed
    if len(placed) == MOST_PLACES:
        raise DraftError("a board has {n} places at most", n=MOST_PLACES)
    free = free_id(place or place_id(name) or "place", {one.id for one in placed})
    waiting = {one.id: one for one in draft.unplaced}
    waited = waiting.pop(free, DraftPlace(free, ""))
    new = replace(waited, name=name.strip(), xy_mm=xy_mm, is_placed=True)
    return replace(draft, places=(*placed, new, *waiting.values()))


def _move_place(draft: Draft, said: Any) -> Draft:
    xy_mm = _xy(draft, said)
    moved = replace(_place(draft, said.place), xy_mm=xy_mm, is_proposed=False)
    return _with_place(draft, moved)


def _name_place(draft: Draft, said: Any) -> Draft:
    """Say what a place is called; one that had but a number gets an id that its name gives."""
    place = _place(draft, said.place)
    if not said.name.strip():
        raise DraftError("a place needs a name")
    named = replace(place, name=said.name.strip(), is_proposed=False)
    draft = _with_place(draft, named)
    return _with_id_of_name(draft, named) if is_unnamed(place) else draft


def _with_id_of_name(draft: Draft, place: DraftPlace) -> Draft:
    """Give a place the id that its name gives, wherever its old one stands."""
    others = {one.id for one in draft.places} - {place.id}
    new = free_id(place_id(place.name) or place.id, others)

    def now(name: str) -> str:
        return new if name == place.id else name

    return replace(
        draft,
        places=tuple(replace(one, id=now(one.id)) for one in draft.places),
        routes=tuple(replace(r, a=now(r.a), b=now(r.b)) for r in draft.routes),
        rejected=tuple(replace(r, a=now(r.a), b=now(r.b)) for r in draft.rejected),
        sites=tuple(replace(site, station=now(site.station)) for site in draft.sites),
        tickets=tuple(replace(t, a=now(t.a), b=now(t.b)) for t in draft.tickets),
    )


def _accept_places(draft: Draft, said: Any) -> Draft:
    """Accept every place that the picture proposes."""
    return replace(draft, places=tuple(replace(p, is_proposed=False) for p in draft.places))


def _discard_places(draft: Draft, said: Any) -> Draft:
    """Take every place away that the picture proposes, and the routes proposed from there."""
    return with_dots(draft, ())


def _remove_place(draft: Draft, said: Any) -> Draft:
    """Take a place away that nothing settled needs; what was only proposed there goes too."""
    held: list[str] = [r.id for r in draft.routes if not r.spaces and said.place in r.ends]
    held += [site.id for site in draft.sites if said.place == site.station]
    names = draft.names
    held += [
        Sentence("the ticket {a} - {b}", a=names.get(t.a, t.a), b=names.get(t.b, t.b))
        for t in draft.tickets
        if said.place in (t.a, t.b)
    ]
    if held:
        raise DraftError(
            "{what} needs the place {place!r}: it stays", what=held[0], place=said.place
        )
    if any(said.place in route.ends and route.is_accepted for route in draft.laid):
        raise DraftError(
            "routes end at {place}: reject them first", place=_place(draft, said.place).name
        )
    return replace(
        draft,
        places=tuple(place for place in draft.places if place.id != said.place),
        routes=tuple(route for route in draft.routes if said.place not in route.ends),
        rejected=tuple(route for route in draft.rejected if said.place not in route.ends),
    )


def _all_places(draft: Draft, said: Any) -> Draft:
    """Take a table of places: those that are there are moved, others are added."""
    by_name = {name.casefold(): place for place, name in draft.names.items()}
    for new in parse_places(said.table, draft.size_mm):
        place = by_name.get(new.name.casefold(), new.id)
        if any(place == one.id for one in draft.placed):
            moved = replace(_place(draft, place), name=new.name, xy_mm=new.xy_mm)
            draft = _with_place(draft, moved)
        else:
            draft = _put(draft, new.name, new.xy_mm, place)
    return draft


def _accept_certain(draft: Draft, said: Any) -> Draft:
    """Accept every route that nothing speaks against."""
    routes = (r if r.doubts else replace(r, is_accepted=True) for r in draft.routes)
    return replace(draft, routes=tuple(routes))


def _reject(draft: Draft, said: Any) -> Draft:
    route = _route(draft, said.route)
    kept = tuple(one for one in draft.routes if one is not route)
    return replace(draft, routes=kept, rejected=(*draft.rejected, route))


def _colour(draft: Draft, number: int, colour: str) -> Draft:
    if colour not in NAMES:
        raise DraftError(
            "{colour!r} is no colour of a route; they are {colours}",
            colour=colour,
            colours=", ".join(NAMES),
        )
    return _with(draft, number, colour=colour)


def _length(draft: Draft, said: Any) -> Draft:
    """Say how long a route is: its spaces are laid anew, evenly along its course."""
    spaces = _route(draft, said.route).spaces
    return _with(draft, said.route, spaces=lay_evenly(spaces, said.length))


def _ends(draft: Draft, number: int, a: str, b: str) -> Draft:
    """Say between which places a route runs; its first space is then the one nearer to `a`."""
    if a == b:
        raise DraftError("a route cannot start and end at {place!r}", place=a)
    x, y = _place(draft, a).xy_mm
    _place(draft, b)
    spaces = _route(draft, number).spaces
    first, last = ((s.xy_mm[0] - x) ** 2 + (s.xy_mm[1] - y) ** 2 for s in (spaces[0], spaces[-1]))
    return _with(
        draft, number, a=a, b=b, spaces=reversed_spaces(spaces) if first > last else spaces
    )


def _double(draft: Draft, said: Any) -> Draft:
    """Say that a route is a lane beside another one: it gets that one's ends."""
    if said.route == said.other_route:
        raise DraftError("route {n!r} cannot be a lane beside itself", n=said.route)
    other = _route(draft, said.other_route)
    if sum(route.ends == other.ends for route in draft.laid) >= LANES:
        raise DraftError("{n} lanes at most lie between two places", n=LANES)
    return _ends(draft, said.route, other.a, other.b)


def _traits(draft: Draft, said: Any) -> Draft:
    if said.ferry_locomotives > _route(draft, said.route).length:
        raise DraftError("a ferry has no more Locomotives than spaces")
    return _with(
        draft,
        said.route,
        doubts=(),
        tunnel=said.tunnel,
        ferry_locomotives=said.ferry_locomotives,
        mode=said.mode or None,
        has_traits=True,
    )


def _add_route(draft: Draft, said: Any) -> Draft:
    """Add a route by hand, its spaces in a straight line, beside what runs there already."""
    a, b = _place(draft, said.place), _place(draft, said.other_place)
    if a is b:
        raise DraftError("a route cannot start and end at {place!r}", place=a.id)
    if dist(a.xy_mm, b.xy_mm) < 1:
        raise DraftError("the two places lie on each other: move one of them")
    spaces = lay_straight(draft, a, b, said.length)
    number = 1 + max((r.number for r in (*draft.routes, *draft.rejected)), default=0)
    route = DraftRoute(a=a.id, b=b.id, length=0, colour="", spaces=spaces, number=number)
    draft = replace(draft, routes=(*draft.routes, route))
    return _colour(_ends(draft, number, a.id, b.id), number, said.colour)


def _move_space(draft: Draft, said: Any) -> Draft:
    """Move a route's space; without an angle it keeps its own."""
    route = _route(draft, said.route)
    at = _space(route, said.space, route.length - 1)
    old, xy_mm = route.spaces[at], _xy(draft, said)
    angle = old.angle_deg if said.angle_deg is None else said.angle_deg
    new = DraftSpace(xy_mm, angle, old.size_mm)
    spaces = (*route.spaces[:at], new, *route.spaces[at + 1 :])
    return _with(draft, said.route, spaces=spaces)


def _add_space(draft: Draft, said: Any) -> Draft:
    """Add a space before another one, or at the route's end."""
    route = _route(draft, said.route)
    new = DraftSpace(_xy(draft, said), said.angle_deg, draft.space_size_mm)
    if route.length == MOST_SPACES:
        raise DraftError("a route is {n} spaces long at most", n=MOST_SPACES)
    at = route.length if said.space is None else _space(route, said.space, route.length)
    return _with(draft, said.route, spaces=(*route.spaces[:at], new, *route.spaces[at:]))


def _remove_space(draft: Draft, said: Any) -> Draft:
    route = _route(draft, said.route)
    at = _space(route, said.space, route.length - 1)
    if route.length == 1:
        raise DraftError("route {n!r} has but one space: reject the route instead", n=said.route)
    return _with(draft, said.route, spaces=(*route.spaces[:at], *route.spaces[at + 1 :]))


def _board(draft: Draft, said: Any) -> Draft:
    title = draft.title if said.name is None else said.name.strip()
    if not title:
        raise DraftError("a board needs a title")
    done = draft.complete if said.is_complete is None else said.is_complete
    edition = draft.edition if said.edition is None else said.edition or None
    return replace(draft, title=title, complete=done, edition=edition)


# What each kind needs, and what it does.
_EDITS: dict[str, tuple[tuple[str, ...], Callable[[Draft, Any], Draft]]] = {
    "add place": (("x_mm", "y_mm"), _add_place),
    "move place": (("place", "x_mm", "y_mm"), _move_place),
    "name place": (("place", "name"), _name_place),
    "remove place": (("place",), _remove_place),
    "all places": (("table",), _all_places),
    "accept places": ((), _accept_places),
    "discard places": ((), _discard_places),
    "accept": (("route",), lambda draft, said: _with(draft, said.route, doubts=())),
    "accept certain": ((), _accept_certain),
    "reject": (("route",), _reject),
    "colour": (("route", "colour"), lambda draft, said: _colour(draft, said.route, said.colour)),
    "length": (("route", "length"), _length),
    "ends": (
        ("route", "place", "other_place"),
        lambda draft, said: _ends(draft, said.route, said.place, said.other_place),
    ),
    "double": (("route", "other_route"), _double),
    "traits": (("route",), _traits),
    "add route": (("place", "other_place", "colour", "length"), _add_route),
    "move space": (("route", "space", "x_mm", "y_mm"), _move_space),
    "add space": (("route", "angle_deg", "x_mm", "y_mm"), _add_space),
    "remove space": (("route", "space"), _remove_space),
    "sites": (
        ("table",),
        lambda draft, said: replace(draft, sites=parse_sites(said.table, draft)),
    ),
    "tickets": (
        ("table",),
        lambda draft, said: replace(draft, tickets=parse_tickets(said.table, draft.names)),
    ),
    "board": ((), _board),
}
