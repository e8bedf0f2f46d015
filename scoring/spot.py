"""Spots: what players hold on a board. A route, the one station of a place, a site."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeVar, get_args

from .board import Board, PlaceId, RouteId, SiteId

Kind = Literal["route", "station", "site"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Value = TypeVar("Value")


class Spot(NamedTuple):
    """Something on a board that one player can hold.

    >>> Spot("route", "helena--seattle").key
    'route:helena--seattle'
    >>> Spot.from_key("station:roma")
    Spot(kind='station', id='roma')
    """

    kind: Kind
    id: RouteId | PlaceId | SiteId

    @property
    def key(self) -> str:
        """Its text form, for the keys of JSON objects."""
        return f"{self.kind}:{self.id}"

    @classmethod
    def from_key(cls, key: str) -> "Spot":
        """Parse the text form; raises `ValueError` when it is invalid."""
        kind, colon, name = key.partition(":")
        if not colon or kind not in KINDS:
            raise ValueError(f"{key!r} is no spot: it begins with {', '.join(KINDS)} and a colon")
        return cls(kind, name)

    def is_on(self, board: Board) -> bool:
        """Tell whether a board has it."""
        match self.kind:
            case "route":
                return self.id in board.route_by_id
            case "station":
                return self.id in board.place_by_id
            case "site":
                return self.id in board.site_by_id


def of_kind(kind: Kind, spots: Mapping[Spot, Value]) -> dict[str, Value]:
    """Return the part of a mapping with spots of one kind, by their ids.

    >>> of_kind("station", {Spot("route", "essen--kobenhavn"): 1, Spot("station", "essen"): 2})
    {'essen': 2}
    """
    return {spot.id: value for spot, value in spots.items() if spot.kind == kind}


def spots_of(kind: Kind, by_id: Mapping[str, Value]) -> dict[Spot, Value]:
    """Return a mapping by ids of one kind as one by spots, the inverse of `of_kind`.

    >>> spots_of("station", {"essen": 2})
    {Spot(kind='station', id='essen'): 2}
    """
    return {Spot(kind, name): value for name, value in by_id.items()}
