"""Players who play by simple habits: build the ways of their tickets, then take long routes.

A bot looks at what a player sees: the board, the own hand and tickets, the cards that lie face up.
It plays to give a game its natural course, not to win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from railspotter.scoring import Colour, PlaceId, Position, Route, SiteId
from railspotter.scoring.card_legality import Draw, draw_problems
from railspotter.scoring.card_tickets import LOCOMOTIVE, Cards
from railspotter.scoring.holding import Holding

from .payments import route_payments, site_payment, station_cost, station_payment, tunnel_addition
from .played_game import Action, PassedTurn, PlayedStation, Turn, after
from .referee import KeepTickets, PayMore, Referee
from .wishes import Wishes, keep, needed_cards

LATE_STOCK = 0.3
"""Nobody draws tickets with less than this share of the trains. Chosen."""
FULL_HAND = 14
"""With so many cards a bot takes what it can pay, wanted or not. Chosen."""


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

    def take_turn(self, referee: Referee, *, is_last: bool) -> Action:
        """Do the one thing of a turn."""
        position, hand = referee.position, referee.hands[self.colour]
        wanted = self._wishes.routes(position)
        takes_anything = is_last or hand.total() >= FULL_HAND or not referee.cards.left
        reach = 1 if takes_anything else self.reach
        others = () if wanted and not takes_anything else self._free_routes(position, reach)
        needs = needed_cards(wanted, hand)
        for route in (*wanted, *others):
            cards = next(route_payments(route, hand, needs), None)
            if cards is not None and referee.may_claim(self.colour, route):
                return referee.claim(self.colour, route.id, cards, self._more(hand))
        if site := self._site(referee):
            return referee.take_site(self.colour, *site)
        if station := self._station(referee, is_last=is_last):
            return referee.build(self.colour, *station)
        has_time = not (wanted or is_last) and self._wants_tickets(position)
        if len(referee.tickets) and (has_time or not referee.cards.left):
            return referee.draw_tickets(self.colour, self.keep(position))
        if referee.cards.left:
            return referee.draw_cards(self.colour, lambda drawn: self._pick(referee, drawn))
        return PassedTurn()

    def keep(self, position: Position) -> KeepTickets:
        """Return how this bot chooses of offered tickets."""
        return lambda offered, at_least: keep(position, self.colour, offered, at_least)

    def _free_routes(self, position: Position, reach: int) -> list[Route]:
        """Return the unclaimed routes of at least that length, the longest first."""
        free = [
            route
            for route in position.board.routes
            if route.id not in position.claims and route.length >= reach
        ]
        return sorted(free, key=lambda route: -route.length)

    def _site(self, referee: Referee) -> tuple[SiteId, Cards] | None:
        position, hand = referee.position, referee.hands[self.colour]
        for site in position.board.sites:
            cards = site_payment(site, hand)
            if cards is not None and referee.may_take_site(self.colour, site.id):
                return site.id, cards
        return None

    def _station(self, referee: Referee, *, is_last: bool) -> tuple[PlaceId, Cards] | None:
        """Return where a station completes the most ticket points, and the cards for it.

        Looking is slow, so a bot looks when it has lost a ticket, and on its last turn.
        """
        position, hand = referee.position, referee.hands[self.colour]
        tried_for = self._wishes.lost, len(position.routes_of[self.colour])
        has_lost = self._wishes.lost and tried_for != self._station_tried_for
        cost = station_cost(position, self.colour)
        if cost > position.edition.stations or not (is_last or has_lost):
            return None
        self._station_tried_for = tried_for
        cards = station_payment(cost, hand, {})
        best, most = None, _ticket_points(position, self.colour)
        if cards is None:
            return None
        for place in position.board.places:
            built = after(position, Turn(self.colour, PlayedStation(place.id, cards)))
            points = _ticket_points(built, self.colour)
            if points > most and referee.may_build(self.colour, place.id):
                best, most = (place.id, cards), points
        return best

    def _wants_tickets(self, position: Position) -> bool:
        many = position.trains_left(self.colour) >= LATE_STOCK * position.edition.trains
        return many and self._rng.random() < self.appetite

    def _pick(self, referee: Referee, drawn: Sequence[Draw]) -> int | None:
        """Pick the face-up card that is most wanted, or None for the top of the deck."""
        hand = referee.hands[self.colour] + Counter(draw.card for draw in drawn)
        wanted = self._wishes.routes(referee.position)
        short = needed_cards(wanted, hand) - hand
        if not wanted:  # collect what there is most of
            short = Counter({card: hand[card] for card in hand if card != LOCOMOTIVE})
        short[LOCOMOTIVE] = (
            max(short.values(), default=0) if self._is_nearly_done(wanted, hand) else 0
        )
        edition, cards = referee.position.edition, referee.cards
        best, most = None, 0 if cards.can_draw_blind else -1
        for i, card in enumerate(cards.face_up):
            is_allowed = not draw_problems(edition, (*drawn, Draw(card, face_up=True)))
            if is_allowed and short[card] > most:
                best, most = i, short[card]
        return best

    def _is_nearly_done(self, wanted: Sequence[Route], hand: Cards) -> bool:
        """Whether one Locomotive more pays for a wanted route."""
        more = {**hand, LOCOMOTIVE: hand.get(LOCOMOTIVE, 0) + 1}
        return any(next(route_payments(route, more, {}), None) for route in wanted)

    def _more(self, hand: Cards) -> PayMore:
        return lambda cards, count: tunnel_addition(cards, hand, count)


def _ticket_points(position: Position, colour: Colour) -> int:
    return sum(ticket.points for ticket in Holding(position, colour).completed_tickets)
