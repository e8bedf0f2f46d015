"""Boards: places, routes and the printed spaces, as data.

A board file is JSON; its schema is published beside it (`schemas/board.json`). Lengths are
millimetres on the flat board, the origin is the board's top-left corner, x runs right, y down.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from importlib import resources
from itertools import combinations, pairwise, product
from math import cos, dist, radians, sin
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from .errors import BoardError
from .json_text import load_file, parse_json
from .names import ShortName, Words
from .sentence import Sentence

PlaceId = str
RouteId = str
SiteId = str
Point = tuple[float, float]  # in millimetres on the board

# The editions that are played on a board, by the names of their files.
BoardEdition = Literal[
    "usa",
    "usa-accessible",
    "usa-10th",
    "usa-1910",
    "usa-mega",
    "usa-big-cities",
    "newyork",
    "philly",
    "europe",
]

Identifier = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-{1,2}[a-z0-9]+)*$", max_length=80)]
Millimetres = Annotated[float, msgspec.Meta(ge=-1000, le=5000)]
Length = Annotated[float, msgspec.Meta(gt=0, le=5000)]
Most = msgspec.Meta(max_length=1000)  # places or routes; the printed boards have some hundred


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where one train stands.

    Attributes
    ----------
    xy_mm : tuple of float
        The middle of the printed space.
    angle_deg : float
        Direction of travel from the route's `a` to its `b`, clockwise from +x.
    size_mm : tuple of float
        Length along the route and width across it.
    """

    xy_mm: tuple[Millimetres, Millimetres]
    angle_deg: Annotated[float, msgspec.Meta(ge=-360, le=360)]
    size_mm: tuple[Length, Length]

    def end(self, side: Literal[-1, 1]) -> Point:
        """Return the middle of its front edge, towards the route's `b`, or for -1 its back edge."""
        half, angle = side * self.size_mm[0] / 2, radians(self.angle_deg)
        return self.xy_mm[0] + half * cos(angle), self.xy_mm[1] + half * sin(angle)


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A city, location or station.

    Attributes
    ----------
    xy_mm : tuple of float
        The middle of its printed dot; the origin on a board that nobody measured yet.
    attraction : bool
        New York: a Tourist Attraction is printed here.
    """

    id: Identifier
    name: Words
    xy_mm: tuple[Millimetres, Millimetres] = (0.0, 0.0)
    attraction: bool = False


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of spaces between two places; each lane of a double route is one.

    Attributes
    ----------
    id : str
        `a--b`, with `--0`, `--1` for the lanes of a double route.
    colour : str
        The printed colour, `grey` where any colour of cards will do, `unknown` where nobody has
        looked yet.
    spaces : tuple of Space
        From `a` to `b`, one for each train; none at all on a board that nobody measured yet.
    tunnel : bool
        Europe: drawn as a tunnel; three cards are turned over when it is claimed.
    ferry_locomotives : int
        Europe: how many Locomotives are printed on a ferry, 0 on land.
    mode : str, optional
        Philly: the circled letter of its means of transport.
    """

    id: Identifier
    a: Identifier
    b: Identifier
    length: Annotated[int, msgspec.Meta(ge=1, le=20)]
    colour: ShortName
    spaces: Annotated[tuple[Space, ...], Most]
    lane: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    tunnel: bool = False
    ferry_locomotives: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    mode: ShortName | None = None

    @property
    def bridges(self) -> tuple[tuple[Point, Point], ...]:
        """Gaps where it crosses something else: from a space's end to the next, over half a space.

        Printed as a dotted line. On other routes a space is a third of its length from the next at
        most (USA, Europe, New York).
        """
        ways = ((one.end(1), next_.end(-1), one) for one, next_ in pairwise(self.spaces))
        return tuple((a, b) for a, b, one in ways if dist(a, b) > one.size_mm[0] / 2)


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Philly: a site of interest, one train space beside a station.

    Attributes
    ----------
    station : str
        The place it is tied to by a dashed line.
    colours : tuple of str
        One card of each of the two is played for it; empty where nobody has looked yet.
    """

    id: Identifier
    name: Words
    station: Identifier
    colours: Annotated[tuple[ShortName, ...], Most] = ()
    space: Space | None = None


class BoardTicket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Destination Ticket of a map that has tickets of its own: its two places and its points."""

    a: Identifier
    b: Identifier
    points: Annotated[int, msgspec.Meta(ge=1, le=100)]


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A printed board.

    Attributes
    ----------
    size_mm : tuple of float
        Width and height of the printed picture, edge to edge.
    measured : bool
        Whether places and spaces were measured. Without, the board can be scored, not read.
    complete : bool
        Whether every place, route and site that is printed on it is listed.
    tickets : tuple of BoardTicket
        Of a map that is played with tickets of its own; empty where the edition's are played.
    score_track : tuple of (x, y)
        The middle of each step of the printed score track, from Start on: a marker with so many
        points stands on the step of that index, and goes round after the last. Empty where none is
        printed, or nobody measured it.
    edition : str, optional
        By whose rules it is played, where its maker has said so.
    """

    id: Identifier
    title: Words
    places: Annotated[tuple[Place, ...], Most]
    routes: Annotated[tuple[Route, ...], Most]
    size_mm: tuple[Length, Length] = (1.0, 1.0)
    sites: Annotated[tuple[Site, ...], Most] = ()
    measured: bool = True
    complete: bool = True
    tickets: Annotated[tuple[BoardTicket, ...], Most] = ()
    score_track: Annotated[tuple[tuple[Millimetres, Millimetres], ...], Most] = ()
    edition: BoardEdition | None = None

    @cached_property
    def route_by_id(self) -> dict[RouteId, Route]:
        """Every route under its id."""
        return {route.id: route for route in self.routes}

    @cached_property
    def place_by_id(self) -> dict[PlaceId, Place]:
        """Every place under its id."""
        return {place.id: place for place in self.places}

    @cached_property
    def site_by_id(self) -> dict[SiteId, Site]:
        """Every site under its id."""
        return {site.id: site for site in self.sites}

    @cached_property
    def lanes(self) -> tuple[tuple[RouteId, ...], ...]:
        """The double (and wider) routes, each as the ids of its lanes."""
        by_ends: dict[frozenset[PlaceId], list[RouteId]] = {}
        for route in self.routes:
            by_ends.setdefault(frozenset((route.a, route.b)), []).append(route.id)
        return tuple(tuple(ids) for ids in by_ends.values() if len(ids) > 1)

    @cached_property
    def other_lanes(self) -> dict[RouteId, frozenset[RouteId]]:
        """For each lane of a double route, the lanes beside it."""
        return {route: frozenset(ids) - {route} for ids in self.lanes for route in ids}


def scaled_mm(xy_mm: Point, scale: float) -> Point:
    """Return a point or a size of a board that is printed `scale` times as large."""
    return round(xy_mm[0] * scale, 4), round(xy_mm[1] * scale, 4)


def scaled_board(board: Board, scale: float) -> Board:
    """Return a board printed `scale` times as large: places, spaces, sites and track.

    >>> scaled_board(load_board("usa"), 1.1).size_mm
    (874.5, 577.5)
    """

    def larger(space: Space) -> Space:
        middle, size = scaled_mm(space.xy_mm, scale), scaled_mm(space.size_mm, scale)
        return replace(space, xy_mm=middle, size_mm=size)

    return replace(
        board,
        size_mm=scaled_mm(board.size_mm, scale),
        places=tuple(replace(p, xy_mm=scaled_mm(p.xy_mm, scale)) for p in board.places),
        routes=tuple(replace(r, spaces=tuple(map(larger, r.spaces))) for r in board.routes),
        sites=tuple(replace(s, space=s.space and larger(s.space)) for s in board.sites),
        score_track=tuple(scaled_mm(step, scale) for step in board.score_track),
    )


def load_board(name: str | Path) -> Board:
    """Load a board by its name, one of `board_names`, or from a `.json` file.

    Raises `BoardError` when there is none, or it is wrong; the message holds the path of the field.

    >>> board = load_board("usa")
    >>> len(board.routes), sum(route.length for route in board.routes)
    (100, 309)
    >>> board.other_lanes["portland--seattle--0"]
    frozenset({'portland--seattle--1'})
    """
    if str(name).endswith(".json"):
        return load_file(Path(name), "the board file", parse_board, BoardError)
    if name not in board_names():
        raise BoardError(
            "there is no board {name!r}; known are {error}",
            name=str(name),
            error=", ".join(board_names()),
        )
    return _shipped_board(str(name))


@cache
def board_names() -> tuple[str, ...]:
    """Return the names of the boards that come with the program."""
    files = resources.files(__package__).joinpath("boards").iterdir()
    return tuple(sorted(f.name.removesuffix(".json") for f in files if f.name.endswith(".json")))


@cache
def _shipped_board(name: str) -> Board:
    return parse_board(resources.files(__package__).joinpath("boards", f"{name}.json").read_bytes())


def parse_board(text: bytes | str) -> Board:
    """Parse a board file's text.

    Raises `BoardError` for the first thing that is wrong, with the path of the field.

    >>> parse_board('{"id": "toy", "title": "", "size_mm": [800, 0], "places": [], "routes": []}')
    Traceback (most recent call last):
    ...
    railspotter.scoring.errors.BoardError: size_mm[1]: it has to be more than 0
    """
    board = parse_json(text, Board, BoardError)
    for problem in _contradictions(board):
        raise BoardError(problem)
    return board


def _contradictions(board: Board) -> Iterator[str]:
    """Yield the contradictions that types alone cannot refuse."""
    if board.measured and board.size_mm == (1.0, 1.0):
        yield Sentence("size_mm: a measured board needs its size")
    for kind, ids in (
        ("places", [place.id for place in board.places]),
        ("routes", [route.id for route in board.routes]),
        ("sites", [site.id for site in board.sites]),
    ):
        for i, name in enumerate(ids):
            if ids.index(name) < i:
                yield Sentence(
                    "{kind}[{n}].id: {name!r} is {other}[{m}].id already",
                    kind=kind,
                    n=i,
                    name=name,
                    other=kind,
                    m=ids.index(name),
                )
    for kind, parts, fields in (
        ("routes", board.routes, ("a", "b")),
        ("sites", board.sites, ("station",)),
        ("tickets", board.tickets, ("a", "b")),
    ):
        for (i, part), name in product(enumerate(parts), fields):
            if (place := getattr(part, name)) not in board.place_by_id:
                field = f"{kind}[{i}].{name}"
                yield Sentence("{field}: there is no place {place!r}", field=field, place=place)
    for i, route in enumerate(board.routes):
        if route.a == route.b:
            yield Sentence(
                "routes[{n}].b: the route starts and ends at {place!r}", n=i, place=route.a
            )
        if len(route.spaces) != route.length and (route.spaces or board.measured):
            yield Sentence(
                "routes[{n}].spaces: {given} given, length is {length}",
                n=i,
                given=len(route.spaces),
                length=route.length,
            )
    known: set[frozenset[PlaceId]] = set()
    for i, ticket in enumerate(board.tickets):
        if ticket.a == ticket.b:
            yield Sentence(
                "tickets[{n}].b: the ticket starts and ends at {place!r}", n=i, place=ticket.a
            )
        if (ends := frozenset((ticket.a, ticket.b))) in known:
            yield Sentence(
                "tickets[{n}]: {a!r} - {b!r} is there already", n=i, a=ticket.a, b=ticket.b
            )
        known.add(ends)
    for lanes in board.lanes:
        for first, second in combinations(lanes, 2):
            if board.route_by_id[first].lane == board.route_by_id[second].lane:
                yield Sentence(
                    "routes {a!r} and {b!r} are the same lane of one double route",
                    a=first,
                    b=second,
                )
