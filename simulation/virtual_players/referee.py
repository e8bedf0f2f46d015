"""The referee of a game on a board: deals, watches every turn, and says when it is over.

Nothing happens that scoring's judges refuse: each turn is tried on a copy of the position, and
taken only when `position_problems`, `change_problems` and the payment's judge find nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from railspotter.scoring import (
    Board,
    Colour,
    Edition,
    Position,
    Problem,
    Route,
    RouteId,
    Seat,
    SiteId,
    Ticket,
    change_problems,
    position_problems,
)
from railspotter.scoring.card_tickets import Cards
from railspotter.scoring.payment import payment_problems, site_payment_problems, tunnel_cards

from .errors import IllegalTurnError, refuse
from .payments import is_station_payment, station_cost
from .played_game import (
    Action,
    CardsDrawn,
    Deal,
    PlayedRoute,
    PlayedSite,
    PlayedStation,
    TicketsDrawn,
    TunnelLeft,
    Turn,
    after,
)
from .ticket_deck import TicketDeck
from .train_cards import Choose, TrainCards, deck_list

TUNNEL_CARDS = 3
"""How many are turned over for a tunnel (Europe)."""

KeepTickets = Callable[[tuple[Ticket, ...], int], Sequence[Ticket]]
"""Chooses of the offered tickets at least so many."""
PayMore = Callable[[Cards, int], Cards | None]
"""Adds so many cards to those laid down for a tunnel, or leaves it."""


class Referee:
    """One game on a board while it is played.

    Attributes
    ----------
    position : Position
    hands : dict of str to Counter
        By player's colour, cards by colour.
    cards : TrainCards
    tickets : TicketDeck
    """

    def __init__(
        self, edition: Edition, board: Board, seats: tuple[Seat, ...], rng: np.random.Generator
    ) -> None:
        self.position = Position(edition, board, seats)
        refuse(position_problems(self.position))
        deck = deck_list(edition)
        self.cards = TrainCards(edition, deck.cards, rng)
        self.hands = {seat.colour: self.cards.deal(deck.first_hand) for seat in seats}
        self.cards.turn_up()
        self.tickets = TicketDeck(edition, rng)
        self._refused: set[tuple[Colour, RouteId]] = set()

    def deal_tickets(self, colour: Colour, keep: KeepTickets) -> Deal:
        """Let a player choose the first tickets."""
        _, at_least = self.position.edition.first_tickets
        offered = self.tickets.deal_first()
        kept = _kept(offered, keep, at_least)
        self.tickets.return_first([t for t in offered if t not in kept])
        self._take(colour, TicketsDrawn(offered, kept))
        return Deal(Counter(self.hands[colour]), offered, kept)

    def may_claim(self, colour: Colour, route: Route) -> bool:
        """Whether a player may claim a route at all, whatever the cards.

        What was refused once stays refused: routes do not become free, nor stocks larger.
        """
        key = colour, route.id
        if key not in self._refused and self._problems(colour, PlayedRoute(route.id, {})):
            self._refused.add(key)
        return key not in self._refused

    def may_take_site(self, colour: Colour, site: SiteId) -> bool:
        """Whether a player may claim a site, whatever the cards."""
        return not self._problems(colour, PlayedSite(site, {}))

    def may_build(self, colour: Colour, place: str) -> bool:
        """Whether a player may build a station there, whatever the cards."""
        return not self._problems(colour, PlayedStation(place, {}))

    @property
    def can_go_on(self) -> bool:
        """Whether there is a route or a site left that anybody may claim."""
        position = self.position
        return any(
            self.may_claim(colour, route)
            for route in position.board.routes
            if route.id not in position.claims
            for colour in position.colours
        ) or any(
            self.may_take_site(colour, site.id)
            for site in position.board.sites
            for colour in position.colours
        )

    def draw_cards(self, colour: Colour, choose: Choose) -> CardsDrawn:
        """Let a player draw train cards."""
        draws = self.cards.draw_by(choose)
        self.hands[colour].update(draw.card for draw in draws)
        return CardsDrawn(draws)

    def draw_tickets(self, colour: Colour, keep: KeepTickets) -> TicketsDrawn:
        """Let a player draw tickets and choose."""
        count, at_least = self.position.edition.later_tickets
        offered = self.tickets.deal(count)
        kept = _kept(offered, keep, at_least)
        self.tickets.put_back([t for t in offered if t not in kept])
        drawn = TicketsDrawn(offered, kept)
        self._take(colour, drawn)
        return drawn

    def claim(
        self, colour: Colour, name: RouteId, cards: Cards, more: PayMore
    ) -> PlayedRoute | TunnelLeft:
        """Let a player claim a route with cards; a tunnel may ask for more of them."""
        position = self.position
        route = position.board.route_by_id[name]
        revealed: tuple[str, ...] = ()
        if route.tunnel:
            refuse(payment_problems(position.edition, route, cards))
            turned = self.cards.deal(TUNNEL_CARDS)
            revealed = tuple(turned.elements())
            self.cards.discard(turned)
            if count := tunnel_cards(cards, revealed):
                added = more(cards, count)
                if added is None:
                    return TunnelLeft(name, revealed)
                cards = Counter(cards) + Counter(added)
        claimed = PlayedRoute(name, cards, revealed)
        refuse(self._problems(colour, claimed))
        refuse(payment_problems(position.edition, route, cards, revealed))
        self._pay(colour, cards)
        self._take(colour, claimed)
        return claimed

    def build(self, colour: Colour, place: str, cards: Cards) -> PlayedStation:
        """Let a player build a station."""
        built = PlayedStation(place, cards)
        refuse(self._problems(colour, built))
        if not is_station_payment(station_cost(self.position, colour), cards):
            raise IllegalTurnError(f"{colour} may not build at {place} with {dict(cards)}")
        self._pay(colour, cards)
        self._take(colour, built)
        return built

    def take_site(self, colour: Colour, site: SiteId, cards: Cards) -> PlayedSite:
        """Let a player claim a site."""
        position, taken = self.position, PlayedSite(site, cards)
        refuse(self._problems(colour, taken))
        refuse(site_payment_problems(position.edition, position.board.site_by_id[site], cards))
        self._pay(colour, cards)
        self._take(colour, taken)
        return taken

    def _problems(self, colour: Colour, action: Action) -> tuple[Problem, ...]:
        then = after(self.position, Turn(colour, action))
        changes = change_problems(self.position, then)
        if then == self.position:  # claimed once more by its owner
            rule = self.position.edition.sources.get("taken_route", "")
            changes = (Problem("taken_route", rule, f"{colour} holds it already"),)
        return (*changes, *position_problems(then))

    def _pay(self, colour: Colour, cards: Cards) -> None:
        hand = self.hands[colour]
        if any(count > hand[card] for card, count in cards.items()):
            raise IllegalTurnError(f"{colour} does not have {dict(cards)}, only {dict(hand)}")
        self.hands[colour] = hand - Counter(cards)
        self.cards.discard(cards)

    def _take(self, colour: Colour, action: Action) -> None:
        self.position = after(self.position, Turn(colour, action))


def _kept(offered: tuple[Ticket, ...], keep: KeepTickets, at_least: int) -> tuple[Ticket, ...]:
    at_least = min(at_least, len(offered))
    kept = tuple(keep(offered, at_least))
    if len(kept) < at_least or not set(kept) <= set(offered):
        raise IllegalTurnError(f"{kept} is not {at_least} of {offered}")
    return kept
