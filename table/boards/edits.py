"""What a person says about a draft, as values that are sent; each gives a new draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from railspotter.calibration.board_making.edits import (
    accept,
    accept_certain,
    add_space,
    move_space,
    reject,
    remove_space,
    set_colour,
    set_double,
    set_ends,
    set_length,
    set_name,
)
from railspotter.calibration.board_making.errors import BoardMakingError
from railspotter.calibration.board_making.place_edits import (
    add_place,
    lay_route,
    move_place,
    remove_place,
)
from railspotter.calibration.board_making.places import parse_places
from railspotter.calibration.board_making.proposal_values import BoardProposal
from railspotter.scoring.board import Identifier
from railspotter.scoring.sentence import Sentence

from ..errors import DraftError
from .draft import BoardDraft, Traits, cleaned
from .sites_table import parse_sites
from .tickets_table import parse_tickets

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


def edited(draft: BoardDraft, said: DraftChange) -> BoardDraft:
    """Return a draft after an edit.

    Raises
    ------
    DraftError
        When the edit lacks something that its kind needs, or cannot be done; with why.
    """
    try:
        return _edited(draft, said)
    except BoardMakingError as error:
        raise DraftError(str(error)) from error


def _edited(draft: BoardDraft, said: DraftChange) -> BoardDraft:
    if said.kind in _OF_PROPOSAL:
        needs, do = _OF_PROPOSAL[said.kind]
        _require(said, *needs)
        return cleaned(replace(draft, proposal=do(draft.proposal, said)))
    needs, change = _OF_DRAFT[said.kind]
    _require(said, *needs)
    return change(draft, said)


def _require(said: DraftChange, *names: str) -> None:
    missing = [name for name in names if getattr(said, name) is None]
    if missing:
        raise DraftError(
            "the edit {kind!r} needs {what}", kind=said.kind, what=" and ".join(missing)
        )


def _xy(said: Any) -> tuple[float, float]:
    return (round(said.x_mm, 2), round(said.y_mm, 2))


def _add_place(draft: BoardDraft, said: Any) -> BoardDraft:
    names = {place.id: place.name for place in draft.unplaced}
    name = said.name or names.get(said.place or "")
    if name is None:
        raise DraftError("the edit 'add place' needs a name")
    if said.place is not None and said.place not in names:
        raise DraftError(
            "the place {place!r} is none that waits to be put on the picture", place=said.place
        )
    place = said.place or ""
    return replace(draft, proposal=add_place(draft.proposal, name, _xy(said), place))


def _remove_place(draft: BoardDraft, said: Any) -> BoardDraft:
    held = [route.id for route in draft.bare if said.place in (route.a, route.b)]
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
    proposal = draft.proposal
    if any(place.id == said.place for place in proposal.places):
        proposal = remove_place(proposal, said.place)
    places = tuple(place for place in draft.places if place.id != said.place)
    return cleaned(replace(draft, proposal=proposal, places=places))


def _all_places(draft: BoardDraft, said: Any) -> BoardDraft:
    """Take a table of places: those that are there are moved, others are added."""
    proposal = draft.proposal
    known = {place.id for place in proposal.places}
    by_name = {name.casefold(): place for place, name in draft.names.items()}
    for place in parse_places(said.table, proposal.size_mm):
        own = by_name.get(place.name.casefold(), place.id)
        if own in known:
            proposal = set_name(move_place(proposal, own, place.xy_mm), own, place.name)
        else:
            proposal = add_place(proposal, place.name, place.xy_mm, own)
            known.add(own)
    return replace(draft, proposal=proposal)


def _traits(draft: BoardDraft, said: Any) -> BoardDraft:
    proposal = accept(draft.proposal, said.route)
    told = Traits(said.tunnel, said.ferry_locomotives, said.mode or None)
    if said.ferry_locomotives > proposal.route(said.route).length:
        raise DraftError("a ferry has no more Locomotives than spaces")
    return replace(draft, proposal=proposal, traits={**draft.traits, said.route: told})


def _sites(draft: BoardDraft, said: Any) -> BoardDraft:
    return replace(draft, sites=parse_sites(said.table, draft.names, draft.proposal))


def _tickets(draft: BoardDraft, said: Any) -> BoardDraft:
    return replace(draft, tickets=parse_tickets(said.table, draft.names))


def _board(draft: BoardDraft, said: Any) -> BoardDraft:
    title = draft.title if said.name is None else said.name.strip()
    if not title:
        raise DraftError("a board needs a title")
    done = draft.is_complete if said.is_complete is None else said.is_complete
    return replace(draft, title=title, is_complete=done)


def _move_space(proposal: BoardProposal, said: Any) -> BoardProposal:
    return move_space(proposal, said.route, said.space, _xy(said), said.angle_deg)


def _add_space(proposal: BoardProposal, said: Any) -> BoardProposal:
    return add_space(proposal, said.route, _xy(said), said.angle_deg, said.space)


_AT = ("x_mm", "y_mm")
_OF_PROPOSAL: dict[str, tuple[tuple[str, ...], Callable[[BoardProposal, Any], BoardProposal]]] = {
    "move place": (("place", *_AT), lambda p, s: move_place(p, s.place, _xy(s))),
    "name place": (("place", "name"), lambda p, s: set_name(p, s.place, s.name)),
    "accept": (("route",), lambda p, s: accept(p, s.route)),
    "accept certain": ((), lambda p, s: accept_certain(p)),
    "reject": (("route",), lambda p, s: reject(p, s.route)),
    "colour": (("route", "colour"), lambda p, s: set_colour(p, s.route, s.colour)),
    "length": (("route", "length"), lambda p, s: set_length(p, s.route, s.length)),
    "ends": (
        ("route", "place", "other_place"),
        lambda p, s: set_ends(p, s.route, s.place, s.other_place),
    ),
    "double": (("route", "other_route"), lambda p, s: set_double(p, s.other_route, s.route)),
    "add route": (
        ("place", "other_place", "colour", "length"),
        lambda p, s: lay_route(p, s.place, s.other_place, s.colour, s.length),
    ),
    "move space": (("route", "space", *_AT), _move_space),
    "add space": (("route", "angle_deg", *_AT), _add_space),
    "remove space": (("route", "space"), lambda p, s: remove_space(p, s.route, s.space)),
}
_OF_DRAFT: dict[str, tuple[tuple[str, ...], Callable[[BoardDraft, Any], BoardDraft]]] = {
    "add place": (_AT, _add_place),
    "remove place": (("place",), _remove_place),
    "all places": (("table",), _all_places),
    "traits": (("route",), _traits),
    "sites": (("table",), _sites),
    "tickets": (("table",), _tickets),
    "board": ((), _board),
}
