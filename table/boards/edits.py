"""The board editor's edits: the request value `DraftChange`, and a function for each kind.

Each edit returns a new draft. Setting anything on a route also accepts the route.
"""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from typing import TYPE_CHECKING, Annotated, Any, Literal

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
from railspotter.scoring.names import Name, Title
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
Table = Annotated[str, msgspec.Meta(max_length=40_000)]


class DraftChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One edit of a draft; `kind` says which of the other fields it needs (`_EDITS`).

    `seen` is the `KeptDraft.number` it was made on. Lengths are millimetres on the board.
    """

    seen: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    kind: EditKind
    place: Identifier | None = None
    other_place: Identifier | None = None
    name: Annotated[Title, msgspec.Meta(min_length=1)] | None = None
    x_mm: Millimetre | None = None
    y_mm: Millimetre | None = None
    angle_deg: Angle | None = None
    route: Number | None = None
    other_route: Number | None = None
    space: Index | None = None
    colour: Name | None = None
    length: Length | None = None
    tunnel: bool = False
    ferry_locomotives: Index = 0
    mode: Annotated[str, msgspec.Meta(max_length=3)] | None = None
    table: Table | None = None
    is_complete: bool | None = None
    edition: Literal[BoardEdition, ""] | None = None  # empty: unset the board's edition


def apply_edit(draft: Draft, edit: DraftChange) -> Draft:
    """Return a draft after an edit; raises `DraftError` if a field is missing or does not fit."""
    needs, do = _EDITS[edit.kind]
    if missing := [name for name in needs if getattr(edit, name) is None]:
        raise DraftError(
            "the edit {kind!r} needs {what}", kind=edit.kind, what=" and ".join(missing)
        )
    return do(draft, edit)


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


def _with_route(draft: Draft, number: int, **fields: Any) -> Draft:
    """Return a draft in which a route has other fields, and is accepted."""
    old = _route(draft, number)
    new = replace(old, **fields, is_accepted=True)
    new = replace(new, length=len(new.spaces))
    return replace(draft, routes=tuple(new if one is old else one for one in draft.routes))


def _with_place(draft: Draft, new: DraftPlace) -> Draft:
    """Return a draft in which a place of the same id is replaced."""
    places = tuple(new if one.id == new.id else one for one in draft.places)
    return replace(draft, places=places)


def _checked_point(draft: Draft, edit: Any) -> Point:
    """Return an edit's point; raises `DraftError` if it is not on the board."""
    x, y = round(edit.x_mm, 2), round(edit.y_mm, 2)
    width, height = draft.size_mm
    if not (0 <= x <= width and 0 <= y <= height):
        raise DraftError(
            "{where!r} is not on the board, which is {a} x {b} mm",
            where=(x, y),
            a=f"{width:g}",
            b=f"{height:g}",
        )
    return x, y


def _checked_index(route: DraftRoute, space: int, most: int) -> int:
    """Return a space's index, from 0 at the route's `a`; raises `DraftError` above `most`."""
    if space > most:
        raise DraftError(
            "route {n!r} has no space {m!r}; it has {all}",
            n=route.number,
            m=space,
            all=route.length,
        )
    return space


def _add_place(draft: Draft, edit: Any) -> Draft:
    waiting = {place.id: place.name for place in draft.unplaced}
    name = edit.name or waiting.get(edit.place or "")
    if name is None:
        raise DraftError("the edit 'add place' needs a name")
    if edit.place is not None and edit.place not in waiting:
        raise DraftError(
            "the place {place!r} is none that waits to be put on the picture", place=edit.place
        )
    return _put(draft, name, _checked_point(draft, edit), edit.place or "")


def _put(draft: Draft, name: str, xy_mm: Point, place: str) -> Draft:
    """Add a place to the picture; its id is made from its name if `place` is empty."""
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


def _move_place(draft: Draft, edit: Any) -> Draft:
    xy_mm = _checked_point(draft, edit)
    moved = replace(_place(draft, edit.place), xy_mm=xy_mm, is_proposed=False)
    return _with_place(draft, moved)


def _name_place(draft: Draft, edit: Any) -> Draft:
    """Name a place; one that had a number for a name gets an id made from the new name."""
    place = _place(draft, edit.place)
    if not edit.name.strip():
        raise DraftError("a place needs a name")
    named = replace(place, name=edit.name.strip(), is_proposed=False)
    draft = _with_place(draft, named)
    return _with_id_of_name(draft, named) if is_unnamed(place) else draft


def _with_id_of_name(draft: Draft, place: DraftPlace) -> Draft:
    """Replace a place's id everywhere in the draft by one made from its name."""
    others = {one.id for one in draft.places} - {place.id}
    new = free_id(place_id(place.name) or place.id, others)

    def renamed(name: str) -> str:
        return new if name == place.id else name

    return replace(
        draft,
        places=tuple(replace(one, id=renamed(one.id)) for one in draft.places),
        routes=tuple(replace(r, a=renamed(r.a), b=renamed(r.b)) for r in draft.routes),
        rejected=tuple(replace(r, a=renamed(r.a), b=renamed(r.b)) for r in draft.rejected),
        sites=tuple(replace(site, station=renamed(site.station)) for site in draft.sites),
        tickets=tuple(replace(t, a=renamed(t.a), b=renamed(t.b)) for t in draft.tickets),
    )


def _accept_places(draft: Draft, edit: Any) -> Draft:
    """Accept all proposed places."""
    return replace(draft, places=tuple(replace(p, is_proposed=False) for p in draft.places))


def _discard_places(draft: Draft, edit: Any) -> Draft:
    """Remove all proposed places, and the proposed routes that end there."""
    return with_dots(draft, ())


def _remove_place(draft: Draft, edit: Any) -> Draft:
    """Remove a place and its proposed routes; refuse if anything accepted needs it."""
    users: list[str] = [r.id for r in draft.routes if not r.spaces and edit.place in r.ends]
    users += [site.id for site in draft.sites if edit.place == site.station]
    names = draft.names
    users += [
        Sentence("the ticket {a} - {b}", a=names.get(t.a, t.a), b=names.get(t.b, t.b))
        for t in draft.tickets
        if edit.place in (t.a, t.b)
    ]
    if users:
        raise DraftError(
            "{what} needs the place {place!r}: it stays", what=users[0], place=edit.place
        )
    if any(edit.place in route.ends and route.is_accepted for route in draft.laid):
        raise DraftError(
            "routes end at {place}: reject them first", place=_place(draft, edit.place).name
        )
    return replace(
        draft,
        places=tuple(place for place in draft.places if place.id != edit.place),
        routes=tuple(route for route in draft.routes if edit.place not in route.ends),
        rejected=tuple(route for route in draft.rejected if edit.place not in route.ends),
    )


def _all_places(draft: Draft, edit: Any) -> Draft:
    """Import a table of places: existing ones are moved, others are added."""
    by_name = {name.casefold(): place for place, name in draft.names.items()}
    for new in parse_places(edit.table, draft.size_mm):
        place = by_name.get(new.name.casefold(), new.id)
        if any(place == one.id for one in draft.placed):
            moved = replace(_place(draft, place), name=new.name, xy_mm=new.xy_mm)
            draft = _with_place(draft, moved)
        else:
            draft = _put(draft, new.name, new.xy_mm, place)
    return draft


def _accept_certain(draft: Draft, edit: Any) -> Draft:
    """Accept all routes without doubts."""
    routes = (r if r.doubts else replace(r, is_accepted=True) for r in draft.routes)
    return replace(draft, routes=tuple(routes))


def _reject(draft: Draft, edit: Any) -> Draft:
    route = _route(draft, edit.route)
    kept = tuple(one for one in draft.routes if one is not route)
    return replace(draft, routes=kept, rejected=(*draft.rejected, route))


def _colour(draft: Draft, number: int, colour: str) -> Draft:
    if colour not in NAMES:
        raise DraftError(
            "{colour!r} is no colour of a route; they are {colours}",
            colour=colour,
            colours=", ".join(NAMES),
        )
    return _with_route(draft, number, colour=colour)


def _length(draft: Draft, edit: Any) -> Draft:
    """Set a route's length: its spaces are laid anew, evenly along its course."""
    spaces = _route(draft, edit.route).spaces
    return _with_route(draft, edit.route, spaces=lay_evenly(spaces, edit.length))


def _ends(draft: Draft, number: int, a: str, b: str) -> Draft:
    """Set a route's end places; its spaces are reversed if needed, to start at `a`."""
    if a == b:
        raise DraftError("a route cannot start and end at {place!r}", place=a)
    x, y = _place(draft, a).xy_mm
    _place(draft, b)
    spaces = _route(draft, number).spaces
    first, last = ((s.xy_mm[0] - x) ** 2 + (s.xy_mm[1] - y) ** 2 for s in (spaces[0], spaces[-1]))
    spaces = reversed_spaces(spaces) if first > last else spaces
    return _with_route(draft, number, a=a, b=b, spaces=spaces)


def _double(draft: Draft, edit: Any) -> Draft:
    """Make a route a lane beside another one: it gets that one's ends."""
    if edit.route == edit.other_route:
        raise DraftError("route {n!r} cannot be a lane beside itself", n=edit.route)
    other = _route(draft, edit.other_route)
    if sum(route.ends == other.ends for route in draft.laid) >= LANES:
        raise DraftError("{n} lanes at most lie between two places", n=LANES)
    return _ends(draft, edit.route, other.a, other.b)


def _traits(draft: Draft, edit: Any) -> Draft:
    if edit.ferry_locomotives > _route(draft, edit.route).length:
        raise DraftError("a ferry has no more Locomotives than spaces")
    return _with_route(
        draft,
        edit.route,
        doubts=(),
        tunnel=edit.tunnel,
        ferry_locomotives=edit.ferry_locomotives,
        mode=edit.mode or None,
        has_traits=True,
    )


def _add_route(draft: Draft, edit: Any) -> Draft:
    """Add a route with its spaces in a straight line, beside routes that run there already."""
    a, b = _place(draft, edit.place), _place(draft, edit.other_place)
    if a is b:
        raise DraftError("a route cannot start and end at {place!r}", place=a.id)
    if dist(a.xy_mm, b.xy_mm) < 1:
        raise DraftError("the two places lie on each other: move one of them")
    spaces = lay_straight(draft, a, b, edit.length)
    number = 1 + max((r.number for r in (*draft.routes, *draft.rejected)), default=0)
    route = DraftRoute(a=a.id, b=b.id, length=0, colour="", spaces=spaces, number=number)
    draft = replace(draft, routes=(*draft.routes, route))
    return _colour(_ends(draft, number, a.id, b.id), number, edit.colour)


def _move_space(draft: Draft, edit: Any) -> Draft:
    """Move a route's space, and turn it if an angle is given."""
    route = _route(draft, edit.route)
    at = _checked_index(route, edit.space, route.length - 1)
    old, xy_mm = route.spaces[at], _checked_point(draft, edit)
    angle = old.angle_deg if edit.angle_deg is None else edit.angle_deg
    new = DraftSpace(xy_mm, angle, old.size_mm)
    spaces = (*route.spaces[:at], new, *route.spaces[at + 1 :])
    return _with_route(draft, edit.route, spaces=spaces)


def _add_space(draft: Draft, edit: Any) -> Draft:
    """Insert a space before another one, or at the route's end."""
    route = _route(draft, edit.route)
    new = DraftSpace(_checked_point(draft, edit), edit.angle_deg, draft.space_size_mm)
    if route.length == MOST_SPACES:
        raise DraftError("a route is {n} spaces long at most", n=MOST_SPACES)
    at = route.length if edit.space is None else _checked_index(route, edit.space, route.length)
    return _with_route(draft, edit.route, spaces=(*route.spaces[:at], new, *route.spaces[at:]))


def _remove_space(draft: Draft, edit: Any) -> Draft:
    route = _route(draft, edit.route)
    at = _checked_index(route, edit.space, route.length - 1)
    if route.length == 1:
        raise DraftError("route {n!r} has but one space: reject the route instead", n=edit.route)
    return _with_route(draft, edit.route, spaces=(*route.spaces[:at], *route.spaces[at + 1 :]))


def _board(draft: Draft, edit: Any) -> Draft:
    title = draft.title if edit.name is None else edit.name.strip()
    if not title:
        raise DraftError("a board needs a title")
    done = draft.complete if edit.is_complete is None else edit.is_complete
    edition = draft.edition if edit.edition is None else edit.edition or None
    return replace(draft, title=title, complete=done, edition=edition)


# By kind: the required fields, and the function that applies the edit.
_EDITS: dict[str, tuple[tuple[str, ...], Callable[[Draft, Any], Draft]]] = {
    "add place": (("x_mm", "y_mm"), _add_place),
    "move place": (("place", "x_mm", "y_mm"), _move_place),
    "name place": (("place", "name"), _name_place),
    "remove place": (("place",), _remove_place),
    "all places": (("table",), _all_places),
    "accept places": ((), _accept_places),
    "discard places": ((), _discard_places),
    "accept": (("route",), lambda draft, edit: _with_route(draft, edit.route, doubts=())),
    "accept certain": ((), _accept_certain),
    "reject": (("route",), _reject),
    "colour": (("route", "colour"), lambda draft, edit: _colour(draft, edit.route, edit.colour)),
    "length": (("route", "length"), _length),
    "ends": (
        ("route", "place", "other_place"),
        lambda draft, edit: _ends(draft, edit.route, edit.place, edit.other_place),
    ),
    "double": (("route", "other_route"), _double),
    "traits": (("route",), _traits),
    "add route": (("place", "other_place", "colour", "length"), _add_route),
    "move space": (("route", "space", "x_mm", "y_mm"), _move_space),
    "add space": (("route", "angle_deg", "x_mm", "y_mm"), _add_space),
    "remove space": (("route", "space"), _remove_space),
    "sites": (
        ("table",),
        lambda draft, edit: replace(draft, sites=parse_sites(edit.table, draft)),
    ),
    "tickets": (
        ("table",),
        lambda draft, edit: replace(draft, tickets=parse_tickets(edit.table, draft.names)),
    ),
    "board": ((), _board),
}

# What `DraftChange.kind` may be.
if TYPE_CHECKING:
    EditKind = str
else:
    EditKind = Literal[tuple(_EDITS)]
