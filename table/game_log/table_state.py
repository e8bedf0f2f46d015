"""What is known of a game at one moment: who plays, what lies on the board, who holds what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from railspotter.scoring import (
    Board,
    Colour,
    Edition,
    PlaceId,
    RouteId,
    SiteId,
    Spot,
    load_board,
    load_edition,
)
from railspotter.scoring.game import TicketText
from railspotter.scoring.spot import of_kind

from .facts import By, GameStarted, Player, SeatId


@dataclass(frozen=True, slots=True)
class SpotState:
    """What stands on a spot of the board, and who says so.

    Attributes
    ----------
    colour : str or None
        Whose pieces; None for a spot that is known to be free.
    by : str
        `person` when it is held by hand: what a camera says of the spot then does not count, until
        it has seen the spot change.
    event : int
        The event that said so.
    at_s : float
        When that was.
    sure : float
        How sure it was, 0 to 1.
    """

    colour: Colour | None
    by: By
    event: int
    at_s: float
    sure: float = 1.0

    @property
    def is_by_hand(self) -> bool:
        """Whether a person said so."""
        return self.by == "person"


@dataclass(frozen=True, slots=True)
class HeldTicket:
    """A ticket in a player's hand, or `revealed` to everyone."""

    ticket: TicketText
    revealed: bool = False

    @property
    def ends(self) -> frozenset[PlaceId]:
        """Both places, in no order."""
        return frozenset((self.ticket.a, self.ticket.b))


@dataclass(frozen=True)
class TableState:
    """A game at one moment.

    Attributes
    ----------
    players : tuple of Player
        In turn order.
    left : frozenset of str
        The seats whose players take no more turns.
    spots : mapping of Spot to SpotState
        What is known of the routes, stations and sites; one that nobody said anything of is
        missing.
    pins : mapping of str to int
        Accessible edition: route id to the space that carries its pin.
    tickets : mapping of str to tuple of HeldTicket
        By seat. Unrevealed ones are that player's secret.
    markers : mapping of str to int
        By seat, the number where the score marker was last compared.
    turn : str, optional
        The seat whose turn it is, where that is known.
    last_turns_by : str, optional
        The seat whose turn brought the last turns.
    counted : bool
        Whether the points of a game that has ended were counted.
    """

    started: GameStarted
    name: str
    players: tuple[Player, ...]
    left: frozenset[SeatId] = frozenset()
    spots: Mapping[Spot, SpotState] = field(default_factory=dict)
    pins: Mapping[RouteId, int] = field(default_factory=dict)
    tickets: Mapping[SeatId, tuple[HeldTicket, ...]] = field(default_factory=dict)
    markers: Mapping[SeatId, int] = field(default_factory=dict)
    turn: SeatId | None = None
    last_turns_by: SeatId | None = None
    paused: bool = False
    ended: bool = False
    counted: bool = False

    @classmethod
    def at_start(cls, started: GameStarted) -> TableState:
        """Return the state of a game that began just now."""
        return cls(started, started.name, started.players)

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.started.board or load_board(load_edition(self.started.edition).board)

    @property
    def edition(self) -> Edition:
        """The rules that are played by, house rules and all."""
        return load_edition(self.started.edition).with_house_rules(self.started.house_rules)

    @property
    def held(self) -> dict[Spot, Colour]:
        """Whose pieces stand on a spot; free ones are not listed."""
        return {spot: at.colour for spot, at in self.spots.items() if at.colour is not None}

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """Whose trains stand on which route, in the order of the ids."""
        return dict(sorted(of_kind("route", self.held).items()))

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """Whose station stands at which place, in the order of the ids."""
        return dict(sorted(of_kind("station", self.held).items()))

    @property
    def sites(self) -> dict[SiteId, Colour]:
        """Whose train stands on which site, in the order of the ids."""
        return dict(sorted(of_kind("site", self.held).items()))

    @property
    def by_hand(self) -> frozenset[Spot]:
        """The spots that a person answers for: a camera's word for them does not count."""
        return frozenset(spot for spot, held in self.spots.items() if held.is_by_hand)

    def player(self, seat: SeatId) -> Player | None:
        """Return who has that seat."""
        return next((player for player in self.players if player.seat == seat), None)
