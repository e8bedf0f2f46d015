"""Players who play by simple habits: build the ways of their tickets, then take long routes.

A bot looks at what a player sees: the board, the own hand and tickets, the cards that lie face up.
It plays to give a game its natural course, not to win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.board import Board, PlaceId, Route, RouteId
from railspotter.scoring.card_game.tickets import LOCOMOTIVE, Cards
from railspotter.scoring.dealing.claims import (
    GREY,
    claim_problems,
    payments,
    price_of,
    tunnel_additions,
)
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
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Colour, Ticket
from railspotter.scoring.points.outlook import TicketOutlook, outlook
from railspotter.scoring.points.standing import Holding
from railspotter.scoring.position import Position
from railspotter.scoring.spot import Spot

from .played_game import PlayedStation, Turn, after

# Share of the stock that the ways of all tickets may take, for one more to be kept. Chosen.
TICKET_TRAINS = 0.75


class Wishes:
    """The routes that a player's tickets ask for, remembered until something changes them.

    Attributes
    ----------
    lost : tuple of Ticket
        Tickets that no free way completes any more.
    """

    def __init__(self, colour: Colour) -> None:
        self.colour = colour
        self.lost: tuple[Ticket, ...] = ()
        self._routes: tuple[Route, ...] = ()
        self._made_for: object = None

    def routes(self, position: Position) -> tuple[Route, ...]:
        """Return the free routes on the ways of the open tickets, the longest first.

        Both lanes of a double route are wanted: whichever the cards pay for.
        """
        # Others' claims matter only where they take what is wanted: a shortest way that is still
        # free is still a shortest way.
        made_for = position.tickets.get(self.colour), len(position.routes_of[self.colour])
        if self._made_for != made_for or any(r.id in position.claims for r in self._routes):
            self._plan(position)
            self._made_for = made_for
        return self._routes

    def _plan(self, position: Position) -> None:
        board, seen = position.board, outlook(position, self.colour, stations=False).tickets
        self.lost = tuple(one.ticket for one in seen if one.trains_needed is None)
        wanted: set[RouteId] = set()
        for one in sorted(seen, key=_cost):
            more = wanted | set(one.routes)
            if _trains(board, more) <= position.trains_left(self.colour):
                wanted = more
        lanes = {lane for name in wanted for lane in board.other_lanes.get(name, ())}
        names = sorted(wanted | {name for name in lanes if name not in position.claims})
        self._routes = tuple(sorted(_routes(board, names), key=lambda route: -route.length))


def thriftiest(payments: Iterable[Cards], needs: Mapping[str, int]) -> Cards | None:
    """Return the payment of few Locomotives, then of the colour that is least needed.

    Examples
    --------
    >>> payments = {"red": 2}, {"blue": 2}, {"green": 1, "locomotive": 1}
    >>> thriftiest(payments, {"blue": 4})
    {'red': 2}
    """

    def cost(cards: Cards) -> tuple[int, int, str]:
        colour = next((card for card in cards if card != LOCOMOTIVE), LOCOMOTIVE)
        return cards.get(LOCOMOTIVE, 0), needs.get(colour, 0), colour

    return min(payments, key=cost, default=None)


def needed_cards(routes: Sequence[Route], hand: Cards) -> Counter[str]:
    """Return how many cards of each colour some routes ask for, those in hand included.

    A grey route asks for the colour that the hand has most of.

    Examples
    --------
    >>> grey, red = Route("a--b", "a", "b", 3, "grey", ()), Route("b--c", "b", "c", 2, "red", ())
    >>> sorted(needed_cards([grey, red], {"blue": 2}).items())
    [('blue', 3), ('red', 2)]
    """
    own = {card: count for card, count in hand.items() if card != LOCOMOTIVE}
    favourite = max(own, key=lambda card: own[card], default=LOCOMOTIVE)
    needed: Counter[str] = Counter()
    for route in routes:
        colour = favourite if route.colour in GREY else route.colour
        needed[colour] += route.length - route.ferry_locomotives
        needed[LOCOMOTIVE] += route.ferry_locomotives
    return +needed


def keep(
    position: Position, colour: Colour, offered: Sequence[Ticket], at_least: int
) -> tuple[Ticket, ...]:
    """Choose of offered tickets: those that cost few trains, as many as the stock has ways for.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Seat
    >>> usa = load_edition("usa")
    >>> position = Position(usa, load_board("usa"), (Seat("red"), Seat("blue")))
    >>> ends = ("new-york", "seattle"), ("denver", "el-paso"), ("boston", "miami")
    >>> offered = [usa.ticket_by_ends[frozenset(places)] for places in ends]
    >>> [ticket.points for ticket in keep(position, "red", offered, at_least=2)]
    [4, 12]
    """
    held = position.tickets.get(colour, ())
    position = replace(position, tickets={**position.tickets, colour: (*held, *offered)})
    seen = outlook(position, colour, stations=False).tickets
    most = TICKET_TRAINS * position.trains_left(colour)
    ways = {name for one in seen[: len(held)] for name in one.routes}
    kept: list[Ticket] = []
    for one in sorted(seen[len(held) :], key=_cost):
        more = ways | set(one.routes)
        fits = one.trains_needed is not None and _trains(position.board, more) <= most
        if fits or len(kept) < at_least:
            kept.append(one.ticket)
            ways = more
    return tuple(kept)


def _cost(one: TicketOutlook) -> float:
    return float("inf") if one.trains_needed is None else one.trains_needed


def _routes(board: Board, names: Iterable[RouteId]) -> list[Route]:
    return [board.route_by_id[name] for name in names]


def _trains(board: Board, names: Iterable[RouteId]) -> int:
    return sum(route.length for route in _routes(board, names))


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
