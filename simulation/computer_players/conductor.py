"""The conductor: medium. Plans the tickets together and takes long routes."""

from __future__ import annotations

from collections.abc import Sequence

from railspotter.scoring.board import Route
from railspotter.scoring.dealing.moves import DrawTickets, Move
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Ticket
from railspotter.scoring.spot import Spot

from .cards import Target, target_of
from .computer_player import ComputerPlayer, choices, open_tickets
from .last_turn import best_last_move
from .open_board import OpenBoard, joint_ways

# Share of the stock that the ways of all tickets may take, for one more to be kept. Chosen.
TICKET_TRAINS = 0.8
NEW_TICKETS = 0.4  # New tickets are drawn with so much of the trains left, or more. Chosen.
LONG = 4  # Without a ticket to build, routes of at least this length are worth a turn. Chosen.


class Conductor(ComputerPlayer):
    """Medium: orderly, keeps to the timetable and looks at the own trains only.

    Keeps the tickets that go well together, builds the longest of their routes first, then long
    routes anywhere, and draws new tickets while there are trains for them.
    """

    def keep(self, view: SeatView) -> Sequence[Ticket]:
        """Keep the most tickets whose ways fit the stock together; among as many, the shortest."""
        held, _ = open_tickets(view)
        board = OpenBoard(view.position, view.colour)
        costs = _lengths(board)
        links = board.links(costs)

        def worth(kept: tuple[Ticket, ...]) -> tuple[float, ...]:
            ways = joint_ways(links, (*held, *kept), costs)
            trains = board.trains_for({name for way in ways.values() for name in way})
            missed = sum(ticket not in ways for ticket in kept)
            fits = not missed and trains <= TICKET_TRAINS * board.trains
            return fits, len(kept) if fits else -len(kept), -missed, -trains

        return max(choices(view), key=worth)

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the routes of the open tickets, or else the longest ones."""
        return [
            target_of(view.position, view.colour, Spot("route", route.id))
            for route in self._routes(view)
        ]

    def begin_turn(self, view: SeatView) -> Move | None:
        """Build the tickets' ways, the longest route first; then long routes, then new tickets."""
        if view.turns_left is not None:
            return best_last_move(view)
        targets = self.targets(view)
        for target in targets:
            others = [other for other in targets if other is not target]
            if claim := self.pay(view, target.spot, others):
                return claim
        for site in view.position.board.sites:
            if claim := self.pay(view, Spot("site", site.id)):
                return claim
        stock = view.position.trains_left(view.colour)
        has_time = stock >= NEW_TICKETS * view.position.edition.trains
        if view.can_draw_tickets and has_time and not open_tickets(view)[0]:
            return DrawTickets()
        return None

    def _routes(self, view: SeatView) -> list[Route]:
        tickets, lent = open_tickets(view)
        board = OpenBoard(view.position, view.colour, lent)
        costs = _lengths(board)
        ways = joint_ways(board.links(costs), tickets, costs)
        while ways:
            names = {name for way in ways.values() for name in way} - board.own
            if board.trains_for(names) <= board.trains:
                break
            del ways[max(ways, key=lambda ticket: board.trains_for(ways[ticket]))]
        else:
            names = set()
        routes = [board.free[name] for name in sorted(names)]
        if not routes:
            routes = [route for route in board.free.values() if route.length >= LONG]
            routes = routes or list(board.free.values())
        return sorted(routes, key=lambda route: -route.length)


def _lengths(board: OpenBoard) -> dict[str, float]:
    return {name: float(route.length) for name, route in board.free.items()}
