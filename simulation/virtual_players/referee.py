"""The referee of a game on a board: deals, watches every move, and keeps the record of turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Protocol, TypeVar

import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.card_game.turns import Draw
from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.dealing.dealing import Dealing, first_dealing
from railspotter.scoring.dealing.moves import (
    DrawCard,
    KeepTickets,
    LeaveTunnel,
    Move,
    MoveError,
    Pay,
    PayMore,
)
from railspotter.scoring.dealing.rules import ends_turn, play
from railspotter.scoring.dealing.seat_view import SeatView, view_of
from railspotter.scoring.edition import Colour, Edition, Ticket, ticket_deck
from railspotter.scoring.legality import position_problems
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.spot import Spot

from ..errors import IllegalTurnError, refuse
from .played_game import (
    Action,
    CardsDrawn,
    Deal,
    PassedTurn,
    PlayedRoute,
    PlayedSite,
    PlayedStation,
    TicketsDrawn,
    TunnelLeft,
    Turn,
    after,
)

Card = TypeVar("Card")


class Shuffles:
    """A `Luck` that shuffles with a generator.

    A deck is shuffled when its first card is turned over, and anew when cards came back to it.

    Examples
    --------
    >>> luck = Shuffles(np.random.default_rng(4))
    >>> sorted([luck.card({"red": 1, "blue": 1}), luck.card({"red": 1})])
    ['blue', 'red']
    """

    def __init__(self, rng: np.random.Generator, tickets: Sequence[Ticket] = ()) -> None:
        self._rng = rng
        self._deck: list[str] = []
        self._tickets = tickets
        self._order: list[Ticket] = []

    def card(self, deck: Cards) -> str:
        """Return the top card of a deck; one of another size than what is left is a new one."""
        if len(self._deck) != sum(deck.values()):
            self.shuffle(deck)
        return self._deck.pop()

    def shuffle(self, deck: Cards) -> None:
        """Shuffle a deck now."""
        self._deck = self._shuffled(sorted(Counter(deck).elements()))

    def ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return the uppermost of a deck; one to which tickets came back is shuffled anew."""
        if not self._order:
            self._order = self._shuffled(self._tickets)
        ordered = [ticket for ticket in self._order if ticket in deck]
        if len(ordered) < len(deck):
            others = [ticket for ticket in self._order if ticket not in deck]
            ordered = self._shuffled(deck)
            self._order = [*ordered, *others]
        self._order.remove(ordered[0])
        return ordered[0]

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        return [cards[i] for i in self._rng.permutation(len(cards))]


class Player(Protocol):
    """Somebody who plays: a computer, or a script."""

    def move(self, view: SeatView) -> Move:
        """Choose the next move, of what a seat sees."""


class Referee:
    """One game on a board while it is played.

    Attributes
    ----------
    position : Position
    dealing : Dealing
        All cards; held by players' colours.
    last_turns_by : str or None
        Whose turn brought the last turns, once the game has come that far.
    turns_since : int
        How many turns were taken after that one.
    """

    def __init__(
        self, edition: Edition, board: Board, seats: tuple[Seat, ...], rng: np.random.Generator
    ) -> None:
        self.position = Position(edition, board, seats)
        refuse(position_problems(self.position))
        self._luck = Shuffles(rng, ticket_deck(edition, board))
        try:
            self.dealing = first_dealing(edition, board, self.position.colours, self._luck)
        except MoveError as error:
            raise IllegalTurnError(str(error)) from error
        self.last_turns_by: Colour | None = None
        self.turns_since = 0

    def view(self, colour: Colour) -> SeatView:
        """Return what a player sees."""
        return view_of(
            self.position,
            self.dealing,
            {colour: colour for colour in self.position.colours},
            colour,
            last_turns_by=self.last_turns_by,
            turns_since=self.turns_since,
        )

    def deal(self, colour: Colour, player: Player) -> Deal:
        """Let a player choose the first tickets, where there are any."""
        hand, offered = self.dealing.hand(colour), self.dealing.offered.get(colour, ())
        if not offered:
            return Deal(hand, (), ())
        kept = player.move(self.view(colour))
        if not isinstance(kept, KeepTickets):
            raise IllegalTurnError(f"{colour} has to choose tickets first")
        self._play(colour, kept)
        return Deal(hand, offered, self._take(colour, offered, kept))

    def play(self, colour: Colour, move: Move) -> Action | None:
        """Let a player make a move; return the turn's action once it is over."""
        before = self._play(colour, move)
        action = self._action(colour, move, before)
        return action if ends_turn(before, move, self.dealing) else None

    @property
    def can_go_on(self) -> bool:
        """Whether there is a route or a site left that anybody may claim."""
        position, board = self.position, self.position.board
        free = chain(
            (Spot("route", r.id) for r in board.routes if r.id not in position.claims),
            (Spot("site", s.id) for s in board.sites if s.id not in position.sites),
        )
        return any(
            may_claim(position, colour, spot) for spot in free for colour in position.colours
        )

    def _play(self, colour: Colour, move: Move) -> Dealing:
        before = self.dealing
        try:
            self.dealing = play(self.position, before, colour, colour, move, self._luck)
        except MoveError as error:
            raise IllegalTurnError(str(error)) from error
        return before

    def _action(self, colour: Colour, move: Move, before: Dealing) -> Action:
        """Enter in the position what a move does there, and return it for the record."""
        match move:
            case DrawCard(place=place):
                (card,) = self.dealing.hand(colour) - before.hand(colour)
                is_new = place is not None and place == before.refilled
                draws = (*before.drawn, Draw(card, place is not None, is_new))
                return CardsDrawn(draws)
            case KeepTickets():
                offered = before.offered[colour]
                return TicketsDrawn(offered, self._take(colour, offered, move))
            case Pay(kind="route", id=route, cards=cards):
                return self._claimed(colour, route, cards)
            case Pay(kind="station", id=place, cards=cards):
                return self._entered(colour, PlayedStation(place, cards))
            case Pay(kind="site", id=site, cards=cards):
                return self._entered(colour, PlayedSite(site, cards))
            case PayMore(cards=cards) if before.tunnel:
                every = Counter(before.tunnel.cards) + Counter(cards)
                return self._claimed(colour, before.tunnel.route, every)
            case LeaveTunnel() if before.tunnel:
                return TunnelLeft(before.tunnel.route, before.revealed)
            case _:
                return PassedTurn()

    def _take(
        self, colour: Colour, offered: tuple[Ticket, ...], kept: KeepTickets
    ) -> tuple[Ticket, ...]:
        by_ends = {ticket.ends: ticket for ticket in offered}
        tickets = tuple(by_ends[frozenset((ticket.a, ticket.b))] for ticket in kept.tickets)
        self._entered(colour, TicketsDrawn(offered, tickets))
        return tickets

    def _claimed(self, colour: Colour, route: str, cards: Cards) -> Action:
        claimed = PlayedRoute(route, dict(cards), self.dealing.revealed)
        return claimed if self.dealing.tunnel else self._entered(colour, claimed)

    def _entered(self, colour: Colour, action: Action) -> Action:
        self.position = after(self.position, Turn(colour, action))
        return action
