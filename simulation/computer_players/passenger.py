"""The passenger: easy. Follows one ticket at a time, and is not too serious about it."""

from __future__ import annotations

from collections.abc import Sequence

from railspotter.scoring.board import Route
from railspotter.scoring.card_tickets import LOCOMOTIVE
from railspotter.scoring.dealing.moves import DrawCard, DrawTickets, Move
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Ticket
from railspotter.scoring.spot import Spot

from .cards import Target, card_worths, pick_card, target_of
from .computer_player import ComputerPlayer, open_tickets
from .open_board import OpenBoard, cheapest_way

WHIM = 0.2  # How often a card is taken because it looks nice. Chosen.
# How often new tickets are drawn when none is open and half of the trains are left. Chosen.
NEW_TICKET = 0.3


class Passenger(ComputerPlayer):
    """Easy: friendly and forgetful.

    Keeps the shortest tickets and no more than have to be, builds the shortest way of one after
    the other and never looks at what others do. Likes to take a nice card, and any Locomotive.
    """

    def keep(self, view: SeatView) -> Sequence[Ticket]:
        """Keep the shortest tickets, as few as allowed."""
        board = OpenBoard(view.position, view.colour)

        def trains(ticket: Ticket) -> float:
            way = self._way(board, ticket)
            return float("inf") if way is None else sum(route.length for route in way)

        return sorted(view.offered, key=trains)[: view.at_least]

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the routes to the ticket that is nearest."""
        board = OpenBoard(view.position, view.colour)
        ways = [way for t in open_tickets(view)[0] if (way := self._way(board, t))]
        way = min(ways, key=lambda way: sum(route.length for route in way), default=())
        return [
            target_of(view.position, view.colour, Spot("route", route.id))
            for route in way
            if route.length <= board.trains
        ]

    def begin_turn(self, view: SeatView) -> Move | None:
        """Build the ticket that is nearest; without one, whatever the hand can pay."""
        targets = self.targets(view)
        spots = [target.spot for target in targets]
        if view.turns_left is not None or not spots:
            routes = OpenBoard(view.position, view.colour).free.values()
            least = 1 if view.turns_left is not None else 3
            longest = sorted(routes, key=lambda route: -route.length)
            spots += [Spot("route", route.id) for route in longest if route.length >= least]
            spots += [Spot("site", site.id) for site in view.position.board.sites]
        for spot in spots:
            if claim := self.pay(view, spot):
                return claim
        stock = view.position.trains_left(view.colour)
        if (
            not targets
            and view.can_draw_tickets
            and view.turns_left is None
            and stock >= view.position.edition.trains / 2
            and self.chance(view).random() < NEW_TICKET
        ):
            return DrawTickets()
        return None

    def draw(self, view: SeatView) -> Move:
        """Take a card for the next route; now and then one that looks nice."""
        chance = self.chance(view)
        places = [place for place in range(len(view.face_up)) if view.can_draw(place)]
        engines = [place for place in places if view.face_up[place] == LOCOMOTIVE]
        if engines:
            return DrawCard(engines[0])
        if places and chance.random() < WHIM:
            return DrawCard(chance.choice(places))
        worths = card_worths(view.position, view.hand, self.targets(view)[:1])
        return DrawCard(pick_card(view, worths))

    def _way(self, board: OpenBoard, ticket: Ticket) -> tuple[Route, ...] | None:
        costs = {name: float(route.length) for name, route in board.free.items()}
        way = cheapest_way(board.links(costs), ticket.a, ticket.b)
        return None if way is None else tuple(board.free[n] for n in way if n in board.free)
