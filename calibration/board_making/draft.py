"""A board that is being made: a board that also says what of it is only proposed.

What a person has set stays as it is: names, ids, colours, lengths, sites, tunnels, places that were
measured, spaces that were laid. What is proposed from a picture fills what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from railspotter.scoring.board import Board, Place, Route, Space, parse_board
from railspotter.scoring.sentence import Sentence

from ..errors import BoardMakingError
from .outlines import SizeMm

UNMEASURED = (0.0, 0.0)  # where a board file has a place that nobody measured
NO_SIZE = (0.0, 0.0)  # length and width of a space, where none was found
UNKNOWN = "unknown"  # the colour of a route at which nobody has looked
LANES = 4  # that a board file can hold between two places
Ends = frozenset[str]


class DraftPlace(Place, frozen=True, kw_only=True):
    """A place of a draft."""

    is_placed: bool = True  # whether somebody has said where it is
    is_proposed: bool = False  # whether nobody but the picture says so


class DraftSpace(Space, frozen=True):
    """A space of a draft."""

    size_mm: SizeMm  # of a route laid too closely it may be 0, until the board is to be saved
    sure: float = 1.0  # from 0 to 1; 1 for what a person placed


class DraftRoute(Route, frozen=True, kw_only=True):
    """A route of a draft."""

    id: str = ""  # empty until the draft is a board, but for what was known of the board before
    spaces: tuple[DraftSpace, ...] = ()  # from `a` to `b`; none where they are not known yet
    number: int = 0  # what it goes by while it is in the draft; 0 for one without spaces
    doubts: tuple[Sentence, ...] = ()  # what a person should look at
    is_accepted: bool = False  # whether a person has said that it is so
    has_traits: bool = False  # whether a person has said what it is beside its colour: a tunnel...

    @property
    def ends(self) -> Ends:
        """Its two places."""
        return frozenset((self.a, self.b))


class Draft(Board, frozen=True, kw_only=True):
    """A board that is being made."""

    places: tuple[DraftPlace, ...]
    routes: tuple[DraftRoute, ...] = ()
    space_size_mm: SizeMm = NO_SIZE  # length and width of a space of it
    loose: tuple[DraftSpace, ...] = ()  # what looks like a space and belongs to no route
    rejected: tuple[DraftRoute, ...] = ()  # what a person said is no route

    @property
    def placed(self) -> tuple[DraftPlace, ...]:
        """Places that are on the picture."""
        return tuple(place for place in self.places if place.is_placed)

    @property
    def unplaced(self) -> tuple[DraftPlace, ...]:
        """Places of which nobody has said where they are."""
        return tuple(place for place in self.places if not place.is_placed)

    @property
    def laid(self) -> tuple[DraftRoute, ...]:
        """Routes that are on the picture."""
        return tuple(route for route in self.routes if route.spaces)

    @property
    def names(self) -> dict[str, str]:
        """What its places are called, by their ids."""
        return {place.id: place.name for place in self.places}

    @property
    def doubts(self) -> tuple[Sentence, ...]:
        """What is odd about the picture as a whole."""
        lanes: dict[Ends, list[int]] = {}
        for route in self.laid:
            lanes.setdefault(route.ends, []).append(route.length)
        ended = {end for ends in lanes for end in ends}
        told = [
            Sentence("no route ends at {place}", place=place.name)
            for place in self.placed
            if place.id not in ended
        ]
        for ends, lengths in lanes.items():
            if len(set(lengths)) > 1:
                a, b = (self.names[end] for end in sorted(ends))
                spread = " and ".join(map(str, sorted(set(lengths))))
                told.append(
                    Sentence(
                        "the lanes between {a} and {b} differ in length: {lengths}",
                        a=a,
                        b=b,
                        lengths=spread,
                    )
                )
        if self.loose:
            at = ", ".join(f"({s.xy_mm[0]:.0f}, {s.xy_mm[1]:.0f})" for s in self.loose[:6])
            told.append(
                Sentence(
                    "{n} prints look like spaces and belong to no route, at {where} mm",
                    n=len(self.loose),
                    where=f"{at}{' and elsewhere' if len(self.loose) > 6 else ''}",
                )
            )
        return tuple(told)


def draft_of(board: Board, size_mm: SizeMm) -> Draft:
    """Return a board, whole or a part, as a draft: all that is set in it is accepted.

    Parameters
    ----------
    size_mm : tuple of float
        The printed board's width and height, which count where nobody has measured the board yet.
    """
    if board.size_mm == (1.0, 1.0):
        board = replace(board, size_mm=size_mm)
    routes: list[DraftRoute] = []
    number = 0
    for route in board.routes:
        number += bool(route.spaces)
        routes.append(
            DraftRoute(
                **msgspec.structs.asdict(route)
                | {"spaces": tuple(DraftSpace(*_fields(space)) for space in route.spaces)},
                number=number if route.spaces else 0,
                is_accepted=True,
                has_traits=bool(route.tunnel or route.ferry_locomotives or route.mode),
            )
        )
    places = tuple(
        draft_place(place, is_placed=board.measured or place.xy_mm != UNMEASURED)
        for place in board.places
    )
    sizes = sorted(space.size_mm for route in routes for space in route.spaces)
    return Draft(
        **msgspec.structs.asdict(board) | {"places": places, "routes": tuple(routes)},
        space_size_mm=sizes[len(sizes) // 2] if sizes else NO_SIZE,
    )


def draft_place(place: Place, *, is_placed: bool = True) -> DraftPlace:
    """Return a place as one of a draft."""
    return DraftPlace(**msgspec.structs.asdict(place), is_placed=is_placed)


def check_size(draft: Draft, size_mm: SizeMm) -> None:
    """Refuse another size than a draft has; raises `BoardMakingError`."""
    known = draft.size_mm
    if any(abs(old - new) > 0.01 * old for old, new in zip(known, size_mm, strict=True)):
        raise BoardMakingError(
            "the board is {a} x {b} mm already, not {c} x {d}: give the size it has",
            a=f"{known[0]:g}",
            b=f"{known[1]:g}",
            c=f"{size_mm[0]:g}",
            d=f"{size_mm[1]:g}",
        )


def finished(draft: Draft) -> tuple[Board, tuple[Sentence, ...]]:
    """Return the board that a draft gives: all that is on it and was not rejected.

    Returns
    -------
    Board, tuple of Sentence
        Beside it, where the picture and what was known before disagree; what was known stays.

    Raises
    ------
    BoardMakingError
        When too many routes lie between two places.
    BoardError
        When the result would be no board.
    """
    routes, notes = _routes(draft)
    is_measured = not draft.unplaced and all(route.spaces for route in routes)
    places = tuple(Place(**_of_kind(Place, place)) for place in draft.places)
    settled = {"places": places, "routes": tuple(routes), "measured": is_measured}
    board = Board(**{**_of_kind(Board, draft), **settled})
    # As its file will be read; what could not be is refused.
    return parse_board(msgspec.json.encode(board)), tuple(notes)


def board_text(board: Board) -> str:
    """Return a board as the text of a board file."""
    return msgspec.json.format(msgspec.json.encode(board), indent=2).decode() + "\n"


def _fields(space: Space) -> Any:
    return space.xy_mm, space.angle_deg, space.size_mm


def _routes(draft: Draft) -> tuple[list[Route], list[Sentence]]:
    """Return the routes that were known, filled where they had no spaces, and the new ones."""
    notes: list[Sentence] = []
    offered: dict[Ends, list[DraftRoute]] = {}
    for route in draft.routes:
        if not route.id:
            offered.setdefault(route.ends, []).append(route)
    kept: list[Route] = []
    for old in draft.routes:
        if not old.id:
            continue
        fit = offered.get(old.ends, [])
        if old.spaces or not fit:
            if not old.spaces:
                notes.append(
                    Sentence(
                        "no spaces were found for {route}, which is {n} long",
                        route=old.id,
                        n=old.length,
                    )
                )
            kept.append(_route(old, spaces=tuple(Space(*_fields(s)) for s in old.spaces)))
            continue
        choice = min(fit, key=lambda r: (r.length != old.length, r.colour != old.colour, r.number))
        fit.remove(choice)
        if choice.length != old.length:
            notes.append(
                Sentence(
                    "{route} is {n} long as it was set, but {m} spaces were found: it was left"
                    " without spaces",
                    route=old.id,
                    n=old.length,
                    m=choice.length,
                )
            )
            kept.append(_route(old))
            continue
        if old.colour not in (UNKNOWN, choice.colour):
            notes.append(
                Sentence(
                    "{route} is {colour} as it was set; it looks {other}",
                    route=old.id,
                    colour=old.colour,
                    other=choice.colour,
                )
            )
        traits = choice if choice.has_traits else old
        kept.append(
            _route(
                old,
                colour=choice.colour if old.colour == UNKNOWN else old.colour,
                spaces=_spaces(choice, is_back=choice.a != old.a),
                tunnel=traits.tunnel,
                ferry_locomotives=traits.ferry_locomotives,
                mode=traits.mode,
            )
        )
    return [*kept, *_new_routes(kept, offered)], notes


def _new_routes(kept: Sequence[Route], offered: dict[Ends, list[DraftRoute]]) -> list[Route]:
    ids = {route.id for route in kept}
    new = []
    for ends, routes in offered.items():
        lanes = {route.lane for route in kept if {route.a, route.b} == ends}
        is_double = len(routes) + len(lanes) > 1
        for route in routes:
            lane = next(n for n in range(len(lanes) + 1) if n not in lanes)
            if lane >= LANES:
                raise BoardMakingError(
                    "more than 4 routes lie between {a} and {b}: reject some of them",
                    a=route.a,
                    b=route.b,
                )
            lanes.add(lane)
            a, b = sorted(ends)
            name = f"{a}--{b}--{lane}" if is_double else f"{a}--{b}"
            while name in ids:  # somebody named another route so
                name += "-b"
            ids.add(name)
            spaces = _spaces(route, is_back=route.a != a)
            new.append(_route(route, id=name, a=a, b=b, lane=lane, spaces=spaces))
    return new


def _route(route: DraftRoute, **settled: Any) -> Route:
    return Route(**{**_of_kind(Route, route), **settled})


def _of_kind(kind: type[msgspec.Struct], value: msgspec.Struct) -> dict[str, Any]:
    """Return those fields of a draft's value that a board's has."""
    return {name: getattr(value, name) for name in kind.__struct_fields__}


def _spaces(route: DraftRoute, *, is_back: bool) -> tuple[Space, ...]:
    run = route.spaces[::-1] if is_back else route.spaces
    return tuple(
        Space(s.xy_mm, _wrapped_deg(s.angle_deg + (180 if is_back else 0)), s.size_mm) for s in run
    )


def _wrapped_deg(angle_deg: float) -> float:
    """Return the same angle between -180 and 180 degrees, rounded to a tenth."""
    return round((angle_deg + 180) % 360 - 180, 1)
