"""Drafts: boards in the making, whose values may be proposals.

What a person has set is kept: names, ids, colours, lengths, sites, tunnels, measured places and
spaces. Proposals from a picture fill in the rest.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from railspotter.scoring.board import Board, Place, Route, Space, parse_board
from railspotter.scoring.sentence import Sentence

from ..errors import BoardMakingError
from .outlines import SizeMm

UNMEASURED = (0.0, 0.0)  # `xy_mm` of a place that nobody measured, in a board file
NO_SIZE = (0.0, 0.0)  # length and width of a space, if unknown
UNKNOWN = "unknown"  # colour of a route that nobody has set
LANES = 4  # most lanes between two places in a board file
Ends = frozenset[str]


class DraftPlace(Place, frozen=True, kw_only=True):
    """A place of a draft."""

    is_placed: bool = True  # whether its position is known
    is_proposed: bool = False  # whether it is proposed from the picture only


class DraftSpace(Space, frozen=True):
    """A space of a draft."""

    size_mm: SizeMm  # length may be 0 on a crowded route, until the board is saved
    sure: float = 1.0  # probability, 0 to 1; 1 for spaces set by a person


class DraftRoute(Route, frozen=True, kw_only=True):
    """A route of a draft."""

    id: str = ""  # empty until the draft becomes a board, except for routes known before
    spaces: tuple[DraftSpace, ...] = ()  # from `a` to `b`; empty if not known yet
    number: int = 0  # its number in the draft; 0 without spaces
    doubts: tuple[Sentence, ...] = ()  # for a person to check
    is_accepted: bool = False  # whether a person accepted or set it
    has_traits: bool = False  # whether a person set its traits, such as tunnel

    @property
    def ends(self) -> Ends:
        """Its two places."""
        return frozenset((self.a, self.b))


class Draft(Board, frozen=True, kw_only=True):
    """A board in the making."""

    places: tuple[DraftPlace, ...]
    routes: tuple[DraftRoute, ...] = ()
    space_size_mm: SizeMm = NO_SIZE  # usual length and width of its spaces
    loose: tuple[DraftSpace, ...] = ()  # found spaces that belong to no route
    rejected: tuple[DraftRoute, ...] = ()  # proposals that a person rejected

    @property
    def placed(self) -> tuple[DraftPlace, ...]:
        """Places with a known position."""
        return tuple(place for place in self.places if place.is_placed)

    @property
    def unplaced(self) -> tuple[DraftPlace, ...]:
        """Places without a position."""
        return tuple(place for place in self.places if not place.is_placed)

    @property
    def laid(self) -> tuple[DraftRoute, ...]:
        """Routes with spaces."""
        return tuple(route for route in self.routes if route.spaces)

    @property
    def names(self) -> dict[str, str]:
        """Names of its places by their ids."""
        return {place.id: place.name for place in self.places}

    @property
    def doubts(self) -> tuple[Sentence, ...]:
        """Doubts about the draft as a whole: unused places, unequal lanes, loose spaces."""
        lanes: dict[Ends, list[int]] = {}
        for route in self.laid:
            lanes.setdefault(route.ends, []).append(route.length)
        ended = {end for ends in lanes for end in ends}
        doubts = [
            Sentence("no route ends at {place}", place=place.name)
            for place in self.placed
            if place.id not in ended
        ]
        for ends, lengths in lanes.items():
            if len(set(lengths)) > 1:
                a, b = (self.names[end] for end in sorted(ends))
                spread = " and ".join(map(str, sorted(set(lengths))))
                doubts.append(
                    Sentence(
                        "the lanes between {a} and {b} differ in length: {lengths}",
                        a=a,
                        b=b,
                        lengths=spread,
                    )
                )
        if self.loose:
            at = ", ".join(f"({s.xy_mm[0]:.0f}, {s.xy_mm[1]:.0f})" for s in self.loose[:6])
            doubts.append(
                Sentence(
                    "{n} prints look like spaces and belong to no route, at {where} mm",
                    n=len(self.loose),
                    where=f"{at}{' and elsewhere' if len(self.loose) > 6 else ''}",
                )
            )
        return tuple(doubts)


def draft_of(board: Board, size_mm: SizeMm) -> Draft:
    """Return a board, complete or not, as a draft whose routes are accepted.

    Parameters
    ----------
    size_mm : tuple of float
        The printed board's width and height, used if the board was not measured yet.
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
    """Return a place as a place of a draft."""
    return DraftPlace(**msgspec.structs.asdict(place), is_placed=is_placed)


def check_size(draft: Draft, size_mm: SizeMm) -> None:
    """Raise `BoardMakingError` if a size differs from the draft's by more than a percent."""
    known = draft.size_mm
    if any(abs(old - new) > 0.01 * old for old, new in zip(known, size_mm, strict=True)):
        raise BoardMakingError(
            "the board is {a} x {b} mm already, not {c} x {d}: give the size it has",
            a=f"{known[0]:g}",
            b=f"{known[1]:g}",
            c=f"{size_mm[0]:g}",
            d=f"{size_mm[1]:g}",
        )


def finished_board(draft: Draft) -> tuple[Board, tuple[Sentence, ...]]:
    """Return the board of a draft, and notes.

    Returns
    -------
    Board, tuple of Sentence
        The notes tell where the picture contradicts what was set; what was set is kept.

    Raises
    ------
    BoardMakingError
        When too many routes lie between two places.
    BoardError
        When the result is no valid board.
    """
    routes, notes = _finished_routes(draft)
    is_measured = not draft.unplaced and all(route.spaces for route in routes)
    places = tuple(Place(**_base_fields(Place, place)) for place in draft.places)
    changed = {"places": places, "routes": tuple(routes), "measured": is_measured}
    board = Board(**{**_base_fields(Board, draft), **changed})
    # Parsed as its file will be: invalid boards are refused.
    return parse_board(msgspec.json.encode(board)), tuple(notes)


def board_text(board: Board) -> str:
    """Return a board as the text of a board file."""
    return msgspec.json.format(msgspec.json.encode(board), indent=2).decode() + "\n"


def _fields(space: Space) -> Any:
    return space.xy_mm, space.angle_deg, space.size_mm


def _finished_routes(draft: Draft) -> tuple[list[Route], list[Sentence]]:
    """Return the known routes, with proposed spaces where they had none, and the new routes."""
    notes: list[Sentence] = []
    proposed: dict[Ends, list[DraftRoute]] = {}
    for route in draft.routes:
        if not route.id:
            proposed.setdefault(route.ends, []).append(route)
    kept: list[Route] = []
    for old in draft.routes:
        if not old.id:
            continue
        fits = proposed.get(old.ends, [])
        if old.spaces or not fits:
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
        choice = min(fits, key=lambda r: (r.length != old.length, r.colour != old.colour, r.number))
        fits.remove(choice)
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
    return [*kept, *_new_routes(kept, proposed)], notes


def _new_routes(kept: Sequence[Route], proposed: dict[Ends, list[DraftRoute]]) -> list[Route]:
    ids = {route.id for route in kept}
    new = []
    for ends, routes in proposed.items():
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
            while name in ids:  # another route has that id
                name += "-b"
            ids.add(name)
            spaces = _spaces(route, is_back=route.a != a)
            new.append(_route(route, id=name, a=a, b=b, lane=lane, spaces=spaces))
    return new


def _route(route: DraftRoute, **changed: Any) -> Route:
    return Route(**{**_base_fields(Route, route), **changed})


def _base_fields(kind: type[msgspec.Struct], value: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a draft's struct that its base struct has."""
    return {name: getattr(value, name) for name in kind.__struct_fields__}


def _spaces(route: DraftRoute, *, is_back: bool) -> tuple[Space, ...]:
    run = route.spaces[::-1] if is_back else route.spaces
    return tuple(
        Space(s.xy_mm, _wrapped_deg(s.angle_deg + (180 if is_back else 0)), s.size_mm) for s in run
    )


def _wrapped_deg(angle_deg: float) -> float:
    """Return an angle wrapped to -180 to 180 degrees, rounded to a tenth."""
    return round((angle_deg + 180) % 360 - 180, 1)
