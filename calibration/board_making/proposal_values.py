"""A proposed board as values: what the program found, and what a person has said about it.

What the program found is a proposal; what a person accepts or sets is the truth. A proposal knows
which is which, so that looking again at another photo takes nothing back.
"""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.scoring.sentence import Sentence

from .errors import EditError
from .outlines import SizeMm
from .stringing import PlaceOnBoard


@dataclass(frozen=True)
class ProposedSpace:
    """Where one train would stand."""

    xy_mm: tuple[float, float]
    angle_deg: float  # direction of travel from the route's `a` to its `b`
    size_mm: SizeMm
    sure: float = 1.0  # from 0 to 1; 1 for what a person placed


@dataclass(frozen=True)
class ProposedRoute:
    """A route that may be on the board."""

    number: int  # what it goes by as long as it is in the proposal
    a: str
    b: str
    colour: str
    spaces: tuple[ProposedSpace, ...]  # from `a` to `b`; as many as the route is long
    doubts: tuple[Sentence, ...] = ()  # what a person should look at
    is_accepted: bool = False  # whether a person has said that it is so

    @property
    def length(self) -> int:
        """How many trains it takes."""
        return len(self.spaces)

    @property
    def ends(self) -> frozenset[str]:
        """Its two places."""
        return frozenset((self.a, self.b))


@dataclass(frozen=True)
class BoardProposal:
    """What is known of a board so far."""

    size_mm: SizeMm  # width and height of the board
    space_size_mm: SizeMm  # length and width of a space of it
    places: tuple[PlaceOnBoard, ...]
    routes: tuple[ProposedRoute, ...]
    loose: tuple[ProposedSpace, ...] = ()  # what looks like a space and belongs to no route
    rejected: tuple[ProposedRoute, ...] = ()  # what a person said is no route

    def route(self, number: int) -> ProposedRoute:
        """Return the route of that number; raises `EditError`."""
        for route in self.routes:
            if route.number == number:
                return route
        raise EditError("there is no route {n!r} in the proposal", n=number)

    @property
    def doubles(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the routes that are lanes of one double (or wider) route."""
        lanes: dict[frozenset[str], list[int]] = {}
        for route in self.routes:
            lanes.setdefault(route.ends, []).append(route.number)
        return tuple(tuple(numbers) for numbers in lanes.values() if len(numbers) > 1)

    @property
    def doubts(self) -> tuple[Sentence, ...]:
        """What is odd about the board as a whole."""
        ended = {end for route in self.routes for end in route.ends}
        told = [
            Sentence("no route ends at {place}", place=p.name)
            for p in self.places
            if p.id not in ended
        ]
        for numbers in self.doubles:
            lengths = sorted({self.route(number).length for number in numbers})
            if len(lengths) > 1:
                a, b = (self.name_of(end) for end in sorted(self.route(numbers[0]).ends))
                spread = " and ".join(map(str, lengths))
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

    def name_of(self, place: str) -> str:
        """Return what a place is called; raises `EditError`."""
        for one in self.places:
            if one.id == place:
                return one.name
        raise EditError("there is no place {place!r}", place=place)
