"""Spots: what players hold on a board. A route, the one station of a place, a site."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from .board import Board, PlaceId, RouteId, SiteId

Kind = Literal["route", "station", "site"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Spot(NamedTuple):
    """Something on a board that one player can hold.

    Attributes
    ----------
    kind : str
        Whether it is the trains' of a route, a place's station, or the train's of a site.
    id : str
        The id of that route, place or site.

    Examples
    --------
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
    def from_key(cls, key: str) -> Spot:
        """Return the spot of that text form; raises `ValueError` when it is none."""
        kind, colon, name = key.partition(":")
        if not colon or kind not in KINDS:
            raise ValueError(f"{key!r} is no spot: it begins with {', '.join(KINDS)} and a colon")
        return cls(kind, name)

    def is_on(self, board: Board) -> bool:
        """Whether a board has it; whether pieces may stand there is the rules' business."""
        match self.kind:
            case "route":
                return self.id in board.route_by_id
            case "station":
                return self.id in board.place_by_id
            case "site":
                return self.id in board.site_by_id
