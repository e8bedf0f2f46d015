"""A played game as values: what everyone was dealt and did, turn by turn.

The state after any turn is the fold of the turns before it: `PlayedGame.position_after`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.card_game.turns import Draw
from railspotter.scoring.edition import HOUSE_RULES, Colour, Edition, Ticket, load_edition
from railspotter.scoring.game import BoardGame
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.points.standing import Standing
from railspotter.scoring.position import Position, Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """What a player begins with: the cards, the tickets to choose from and those kept."""

    hand: Cards
    offered: tuple[Ticket, ...]
    kept: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A turn of drawing train cards."""

    draws: tuple[Draw, ...]


@dataclass(frozen=True, slots=True)
class TicketsDrawn:
    """A turn of drawing tickets."""

    offered: tuple[Ticket, ...]
    kept: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class PlayedRoute:
    """A route claimed with these cards; a tunnel's three cards were `revealed` before."""

    route: RouteId
    cards: Cards
    revealed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TunnelLeft:
    """A tunnel that asked for more cards than the player had: the cards went back to the hand."""

    route: RouteId
    revealed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedStation:
    """Europe: a station built with these cards."""

    place: PlaceId
    cards: Cards


@dataclass(frozen=True, slots=True)
class PlayedSite:
    """Philly: a site claimed with these cards."""

    site: SiteId
    cards: Cards


@dataclass(frozen=True, slots=True)
class PassedTurn:
    """A turn on which nothing could be done."""


Action = (
    CardsDrawn | TicketsDrawn | PlayedRoute | TunnelLeft | PlayedStation | PlayedSite | PassedTurn
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn."""

    colour: Colour
    action: Action
    is_last: bool = False  # whether it was this player's last one


@dataclass(frozen=True)
class PlayedGame:
    """A whole game on a board."""

    edition: Edition = field(repr=False)
    board: Board = field(repr=False)
    seats: tuple[Seat, ...]  # in turn order
    deals: Mapping[Colour, Deal] = field(repr=False)  # by colour
    turns: tuple[Turn, ...] = field(repr=False)
    # whose turn brought the last turns; None when the game ended because nothing was left to do
    last_turns_by: Colour | None = None

    @property
    def first_position(self) -> Position:
        """The position before the first turn."""
        tickets = {colour: deal.kept for colour, deal in self.deals.items()}
        return Position(self.edition, self.board, self.seats, tickets=tickets)

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first turn, and after each one."""
        position = self.first_position
        yield position
        for turn in self.turns:
            position = after(position, turn)
            yield position

    def position_after(self, turns: int) -> Position:
        """Return the position after so many turns."""
        position = self.first_position
        for turn in self.turns[:turns]:
            position = after(position, turn)
        return position

    @cached_property
    def final(self) -> BoardGame:
        """The end of the game as text that `railspotter score` reads."""
        position = self.position_after(len(self.turns))
        found: dict[str, Any] = {
            "edition": self.edition.id,
            "players": [{"colour": seat.colour, "name": seat.name} for seat in self.seats],
            "claims": dict(sorted(position.claims.items())),
            "tickets": {
                colour: [{"a": t.a, "b": t.b, "points": t.points} for t in tickets]
                for colour, tickets in position.tickets.items()
            },
            "stations": position.stations,
            "sites": position.sites,
            "final": True,
            "house_rules": house_rules_of(self.edition),
        }
        if self.last_turns_by is not None:
            found["last_turns"] = {"by": self.last_turns_by, "turns_since": len(self.seats)}
        return msgspec.convert(found, BoardGame)

    @property
    def standing(self) -> Standing:
        """The final score."""
        return final_score(self.position_after(len(self.turns)))


def after(position: Position, turn: Turn) -> Position:
    """Return the position after a turn; cards in hand are no part of it."""
    colour = turn.colour
    match turn.action:
        case PlayedRoute(route=route):
            return replace(position, claims={**position.claims, route: colour})
        case PlayedSite(site=site):
            return replace(position, sites={**position.sites, site: colour})
        case PlayedStation(place=place):
            built = (*position.stations.get(colour, ()), place)
            return replace(position, stations={**position.stations, colour: built})
        case TicketsDrawn(kept=kept):
            held = (*position.tickets.get(colour, ()), *kept)
            return replace(position, tickets={**position.tickets, colour: held})
        case _:
            return position


def house_rules_of(edition: Edition) -> dict[str, Any]:
    """Return the rules in which an edition differs from the shipped one of its name.

    Examples
    --------
    >>> house_rules_of(load_edition("usa").with_house_rules({"longest_path_bonus": 5}))
    {'longest_path_bonus': 5}
    """
    shipped = load_edition(edition.id)
    changed = [n for n in HOUSE_RULES if getattr(edition, n) != getattr(shipped, n)]
    return {name: msgspec.to_builtins(getattr(edition, name)) for name in changed}
