"""Players who play by simple habits: build the ways of their tickets, then take long routes.

A bot looks at what a player sees: the board, the own hand and tickets, the cards that lie face up.
It plays to give a game its natural course, not to win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from railspotter.scoring.board import PlaceId, Route
from railspotter.scoring.card_tickets import LOCOMOTIVE, Cards
from railspotter.scoring.dealing.claim_rules import claim_problems
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    PassTurn,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.payments import payments, price_of, tunnel_additions
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Colour
from railspotter.scoring.holding import Holding
from railspotter.scoring.position import Position
from railspotter.scoring.spot import Spot

from .played_game import PlayedStation, Turn, after
from .wishes import Wishes, keep, needed_cards, thriftiest

LATE_STOCK = 0.3  # Nobody draws tickets with less than this share of the trains. Chosen.
FULL_HAND = 14  # With so many cards a bot takes what it can pay, wanted or not. Chosen.


class Bot:
    """One player's habits.

    Attributes
    ----------
    reach : int
        Without a ticket to build, routes of at least this length are worth a turn.
    appetite : float
        How likely new tickets are drawn when all are done.
    """

    def __init__(self, colour: Colour, rng: np.random.Generator) -> None:
        self.colour = colour
        self.reach = int(rng.integers(2, 6))
        self.appetite = float(rng.uniform(0.2, 0.8))
        self._rng = rng
        self._wishes = Wishes(colour)
        self._station_tried_for: object = None

    def move(self, view: SeatView) -> Move:
        """Choose the next move of the own turn."""
        if view.offered:
            return self.keep(view)
        if view.tunnel is not None:
            more = next(tunnel_additions(view.tunnel.cards, view.hand, view.tunnel.more), None)
            return LeaveTunnel() if more is None else PayMore(dict(more))
        if view.drawn:
            return DrawCard(self._pick(view))
        return self._begin_turn(view)

    def keep(self, view: SeatView) -> KeepTickets:
        """Choose of offered tickets."""
        kept = keep(view.position, self.colour, view.offered, view.at_least)
        return KeepTickets(ticket_texts(kept))

    def _begin_turn(self, view: SeatView) -> Move:
        position, hand = view.position, Counter(view.hand)
        is_last, cards_left = view.turns_left is not None, view.cards_left
        wanted = self._wishes.routes(position)
        takes_anything = is_last or hand.total() >= FULL_HAND or not cards_left
        reach = 1 if takes_anything else self.reach
        others = () if wanted and not takes_anything else self._free_routes(position, reach)
        needs = needed_cards(wanted, hand)
        for route in (*wanted, *others):
            spot = Spot("route", route.id)
            cards = thriftiest(payments(route, hand), needs)
            if cards is not None and not claim_problems(position, self.colour, spot):
                return Pay("route", route.id, dict(cards))
        for site in position.board.sites:
            paid = next(legal_payments(position, hand, self.colour, Spot("site", site.id)), None)
            if paid is not None:
                return Pay("site", site.id, dict(paid))
        if station := self._station(view, is_last=is_last):
            return station
        has_time = not (wanted or is_last) and self._wants_tickets(position)
        if view.can_draw_tickets and (has_time or not cards_left):
            return DrawTickets()
        if cards_left:
            return DrawCard(self._pick(view))
        return self._anything(view)

    def _anything(self, view: SeatView) -> Move:
        """Do what can be done: nobody passes as long as they can play."""
        for spot in claimable(view.position, view.hand, self.colour):
            paid = next(legal_payments(view.position, view.hand, self.colour, spot))
            return Pay(spot.kind, spot.id, dict(paid))
        return PassTurn()

    def _free_routes(self, position: Position, reach: int) -> list[Route]:
        """Return the unclaimed routes of at least that length, the longest first."""
        free = [
            route
            for route in position.board.routes
            if route.id not in position.claims and route.length >= reach
        ]
        return sorted(free, key=lambda route: -route.length)

    def _station(self, view: SeatView, *, is_last: bool) -> Pay | None:
        """Return where a station completes the most ticket points, and the cards for it.

        Looking is slow, so a bot looks when it has lost a ticket, and on its last turn.
        """
        position = view.position
        tried_for = self._wishes.lost, len(position.routes_of[self.colour])
        has_lost = self._wishes.lost and tried_for != self._station_tried_for
        built = len(position.stations.get(self.colour, ()))
        if built >= position.edition.stations or not (is_last or has_lost):
            return None
        self._station_tried_for = tried_for
        price = price_of(position, self.colour, Spot("station", position.board.places[0].id))
        cards = thriftiest(payments(price, view.hand), {})
        if cards is None:
            return None
        best: PlaceId | None = None
        most = _ticket_points(position, self.colour)
        for place in position.board.places:
            there = after(position, Turn(self.colour, PlayedStation(place.id, cards)))
            points = _ticket_points(there, self.colour)
            may = not claim_problems(position, self.colour, Spot("station", place.id))
            if points > most and may:
                best, most = place.id, points
        return None if best is None else Pay("station", best, dict(cards))

    def _wants_tickets(self, position: Position) -> bool:
        many = position.trains_left(self.colour) >= LATE_STOCK * position.edition.trains
        return many and self._rng.random() < self.appetite

    def _pick(self, view: SeatView) -> int | None:
        """Pick the face-up card that is most wanted, or None for the top of the deck."""
        hand = Counter(view.hand)
        wanted = self._wishes.routes(view.position)
        short = needed_cards(wanted, hand) - hand
        if not wanted:  # collect what there is most of
            short = Counter({card: hand[card] for card in hand if card != LOCOMOTIVE})
        short[LOCOMOTIVE] = (
            max(short.values(), default=0) if self._is_nearly_done(wanted, hand) else 0
        )
        best, most = None, 0 if view.can_draw(None) else -1
        for i, card in enumerate(view.face_up):
            if view.can_draw(i) and short[card] > most:
                best, most = i, short[card]
        return best

    def _is_nearly_done(self, wanted: Sequence[Route], hand: Cards) -> bool:
        """Whether one Locomotive more pays for a wanted route."""
        more = {**hand, LOCOMOTIVE: hand.get(LOCOMOTIVE, 0) + 1}
        return any(next(payments(route, more), None) for route in wanted)


def _ticket_points(position: Position, colour: Colour) -> int:
    return sum(ticket.points for ticket in Holding(position, colour).completed_tickets)
