"""The strengths in which computer players come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from railspotter.scoring.board import Route
from railspotter.scoring.card_game.tickets import LOCOMOTIVE
from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.dealing.moves import DrawCard, DrawTickets, Move, Pay
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Ticket
from railspotter.scoring.spot import Spot

from .cards import Target, card_worths, payment, pick_card, target_of
from .computer_player import ComputerPlayer, can_draw_any, choices, open_tickets
from .judgement import USEFUL_CARDS
from .last_turn import best_last_move
from .open_board import OpenBoard, cheapest_way, joint_ways
from .prospect import NO_TICKETS_FROM, Prospect
from .quick_game import can_rehearse
from .rehearsal import Rehearsal

# So many of the claims that the prospect holds most of are rehearsed in a short game. Chosen.
REHEARSED_CLAIMS = 4
# Share of the stock that the ways of all tickets may take, for one more to be kept. Chosen.
TICKET_TRAINS = 0.8
NEW_TICKETS = 0.4  # New tickets are drawn with so much of the trains left, or more. Chosen.
LONG = 4  # Without a ticket to build, routes of at least this length are worth a turn. Chosen.
WHIM = 0.2  # How often a card is taken because it looks nice. Chosen.
# How often new tickets are drawn when none is open and half of the trains are left. Chosen.
NEW_TICKET = 0.3


class Stationmaster(ComputerPlayer):
    """Hard: calm, counts everybody's trains and wastes no turn.

    Plans all tickets as one network, cheap in turns and cards, and lets long routes pay for it.
    Claims first what others may take and what would be dear to go around; keeps the cards that
    other routes need; gives up what the end comes too early for; draws tickets where the network
    very likely holds most of the way already. A short game is rehearsed instead: see `Rehearsal`.
    """

    def keep(self, view: SeatView) -> Sequence[Ticket]:
        """Keep the tickets that are most valuable together with those in hand."""
        if can_rehearse(view.position):
            game = Rehearsal(view, self.chance(view)).game
            return game.keep(game.seat, view.offered, view.at_least)
        prospect = Prospect(view)
        return max(choices(view), key=prospect.worth_of)

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the routes of the plan, then those that pay best by themselves."""
        return Prospect(view).targets

    def draw(self, view: SeatView) -> Move:
        """Draw the card that helps most; in a short game the usual one."""
        if can_rehearse(view.position):
            usual = Rehearsal(view, self.chance(view)).game.card_habit()
            if usual is not None and view.can_draw(usual.place):
                return usual
        return super().draw(view)

    def begin_turn(self, view: SeatView) -> Move | None:
        """Choose a move that is worth more than an average turn, or else draw cards."""
        if view.turns_left is not None:
            return best_last_move(view)
        prospect = Prospect(view)
        if can_rehearse(view.position):
            return self._rehearsed(view, prospect)
        best, most = self._best_claim(view, prospect)
        may_draw_tickets = view.can_draw_tickets and most < NO_TICKETS_FROM
        if may_draw_tickets and prospect.worth_of_drawing_tickets() > most:
            return DrawTickets()
        if best is None and can_draw_any(view):
            return self.draw_for(view, prospect.targets)
        return best

    def _rehearsed(self, view: SeatView, prospect: Prospect) -> Move | None:
        """Compare by rollouts the default move, the most valuable claims and drawing a card."""
        rehearsal = Rehearsal(view, self.chance(view))
        usual, card = rehearsal.game.habit(), rehearsal.game.card_habit()
        claims = islice(self._payable(view, prospect), REHEARSED_CLAIMS)
        moves = [usual] if usual is not None else []
        moves += [claim for claim, _, _ in claims if claim not in moves]
        if card is not None and card not in moves:
            moves.append(card)
        return rehearsal.best(moves) if moves else None

    def _best_claim(self, view: SeatView, prospect: Prospect) -> tuple[Pay | None, float]:
        """Return the most valuable claim, less the cost of its cards to other targets."""
        best: Pay | None = None
        most = 0.0
        for claim, worth, harm in self._payable(view, prospect):
            if worth <= most:
                break
            worth -= harm * prospect.turn_worth / USEFUL_CARDS
            if worth > most:
                best, most = claim, worth
        return best, most

    def _payable(self, view: SeatView, prospect: Prospect) -> Iterator[tuple[Pay, float, float]]:
        """Yield affordable claims, the most valuable first, with their cost to other targets."""
        for spot, worth in sorted(prospect.claims(), key=lambda claim: -claim[1]):
            others = [target for target in prospect.targets if target.spot != spot]
            paid = payment(view.position, view.colour, view.hand, spot, others)
            if paid is not None and may_claim(view.position, view.colour, spot):
                yield Pay(spot.kind, spot.id, dict(paid[1])), worth, paid[0]


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


_PLAYERS: Mapping[str, Callable[[int], ComputerPlayer]] = {
    "easy": Passenger,
    "medium": Conductor,
    "hard": Stationmaster,
}
# Their names, as they stand in logs: the weakest first.
STRENGTHS: tuple[str, ...] = tuple(_PLAYERS)


def computer_player(strength: str, seed: int = 0) -> ComputerPlayer:
    """Create a computer player; the same seed and view give the same move.

    Raises `ValueError` when there is no such strength.

    Examples
    --------
    >>> STRENGTHS
    ('easy', 'medium', 'hard')
    >>> computer_player("hard", seed=7).seed
    7
    """
    if strength not in _PLAYERS:
        raise ValueError(f"there is no strength {strength!r}; there are {', '.join(STRENGTHS)}")
    return _PLAYERS[strength](seed)
