"""What a virtual player wants: which tickets to keep, which routes to build, which cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from railspotter.scoring.board import Board, Route, RouteId
from railspotter.scoring.card_tickets import LOCOMOTIVE, Cards
from railspotter.scoring.edition import Colour, Ticket
from railspotter.scoring.outlook import TicketOutlook, outlook
from railspotter.scoring.payment import GREY
from railspotter.scoring.position import Position

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
