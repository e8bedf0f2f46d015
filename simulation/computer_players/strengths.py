"""The computer players of the three strengths, easy, medium and hard.

In a short game the hard one compares moves by playing it to the end, with random hidden cards.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import sqrt, tanh
from random import Random
from statistics import mean, stdev

from railspotter.scoring.board import Route
from railspotter.scoring.card_game.tickets import LOCOMOTIVE
from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.moves import DrawCard, DrawTickets, Move, Pay
from railspotter.scoring.edition import Ticket
from railspotter.scoring.spot import Spot

from .cards import Target, card_worths, hidden_cards, payment, pick_card, target_of
from .computer_player import ComputerPlayer, open_tickets, ticket_choices
from .estimates import USEFUL_CARDS
from .last_turn import best_last_move, unseen_tickets
from .open_board import OpenBoard, cheapest_way, joint_ways
from .player_plan import NO_TICKETS_FROM, PlayerPlan
from .quick_game import QuickGame, can_search

ROLLOUTS = 24  # of each move; a number, not a time, so that games are reproducible
# Beyond about so many points a lead counts little more: one point wins as well as twenty.
CLEAR_LEAD = 5.0
# A move must be better than the default one by so many standard errors. Chosen.
SIGNIFICANT = 1.5
SEARCHED_CLAIMS = 4  # The most valuable claims that rollouts compare in a short game. Chosen.
TICKET_TRAINS = 0.8  # Share of the stock that the paths of kept tickets may take. Chosen.
NEW_TICKETS_STOCK = 0.4  # Least share of the trains left for drawing new tickets. Chosen.
LONG_ROUTE = 4  # Least length of the routes that are claimed without a ticket. Chosen.
RANDOM_DRAW_SHARE = 0.2  # Probability of drawing a random open card. Chosen.
# Probability of drawing new tickets when none is open and half of the trains are left. Chosen.
NEW_TICKETS_SHARE = 0.3


class RolloutSearch:
    """Compares moves by rollouts from a seat's view of a short game."""

    def __init__(self, view: SeatView, luck: Random) -> None:
        self._view = view
        self._luck = luck
        position = view.position
        self._seat = position.colours.index(view.colour)
        # As far as the view shows it.
        self.game = QuickGame(position, self._seat, view.turns_left)
        own = self.game.players[self._seat]
        # Sorted, so that equal views give the same move.
        own.hand = {card: n for card, n in sorted(view.hand.items()) if n}
        own.tickets = tuple(position.tickets.get(view.colour, ()))
        self.game.face_up = list(view.face_up)
        self.game.discards = sorted(Counter(view.discards).elements())
        # The cards are unknown; the policy only asks whether there are any.
        self.game.deck = [""] * view.in_deck

    def best(self, moves: Sequence[Pay | DrawCard]) -> Pay | DrawCard:
        """Return the first of the moves, unless another one is significantly better.

        Every deal is played with all moves, so that they have the same luck.
        """
        outcomes: list[list[float]] = [[] for _ in moves]
        for deal in self.deals() if len(moves) > 1 else ():
            for move, found in zip(moves, outcomes, strict=True):
                game = deal.copy()
                game.turn(move)
                game.finish()
                found.append(tanh(game.lead(self._seat) / CLEAR_LEAD))
        best, most = moves[0], 0.0
        for move, found in zip(moves[1:], outcomes[1:], strict=True):
            gains = [one - usual for one, usual in zip(found, outcomes[0], strict=True)]
            gain = mean(gains)
            if gain > most and gain > SIGNIFICANT * stdev(gains) / sqrt(len(gains)):
                best, most = move, gain
        return best

    def deals(self) -> Iterator[QuickGame]:
        """Yield copies of the game with random hidden hands, tickets and deck."""
        view, position = self._view, self._view.position
        hidden = hidden_cards(view)
        unseen = unseen_tickets(view)
        for _ in range(ROLLOUTS):
            game = self.game.copy()
            cards, tickets = sorted(hidden.elements()), list(unseen)
            self._luck.shuffle(cards)
            self._luck.shuffle(tickets)
            for colour, player in zip(position.colours, game.players, strict=True):
                if colour == view.colour:
                    continue
                held = view.hand_sizes.get(colour, 0)
                player.hand, cards = dict(Counter(cards[:held])), cards[held:]
                kept = view.ticket_counts.get(colour, 0)
                player.tickets, tickets = tuple(tickets[:kept]), tickets[kept:]
            game.deck = cards
            yield game


class HardPlayer(ComputerPlayer):
    """Plans all tickets as one network, and chooses the move with the highest estimated value.

    Claims threatened routes first, pays with cards that other targets need least, gives up tickets
    that cannot be completed in time, and draws tickets that the network nearly completes already.
    In a short game moves are compared by rollouts instead: see `RolloutSearch`.
    """

    def choose_tickets(self, view: SeatView) -> Sequence[Ticket]:
        """Choose the tickets that are most valuable together with those in hand."""
        if can_search(view.position):
            game = RolloutSearch(view, self.random_for(view)).game
            return game.choose_tickets(game.seat, view.offered, view.at_least)
        plan = PlayerPlan(view)
        return max(ticket_choices(view), key=plan.value_of_tickets)

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the targets of the plan."""
        return PlayerPlan(view).targets

    def draw(self, view: SeatView) -> Move:
        """Draw the most useful card; in a short game the default one of rollouts."""
        if can_search(view.position):
            usual = RolloutSearch(view, self.random_for(view)).game.default_draw()
            if usual is not None and usual.place in view.drawable:
                return usual
        return super().draw(view)

    def first_move(self, view: SeatView) -> Move | None:
        """Choose the best claim or new tickets; None if neither is worth more than a usual turn."""
        if view.turns_left is not None:
            return best_last_move(view)
        plan = PlayerPlan(view)
        if can_search(view.position):
            return self._best_by_rollouts(view, plan)
        best, most = self._best_claim(view, plan)
        may_draw_tickets = view.can_draw_tickets and most < NO_TICKETS_FROM
        if may_draw_tickets and plan.value_of_drawing_tickets() > most:
            return DrawTickets()
        if best is None and view.drawable:
            return self.draw_for(view, plan.targets)
        return best

    def _best_by_rollouts(self, view: SeatView, plan: PlayerPlan) -> Move | None:
        """Choose by rollouts among the default move, the most valuable claims and a card."""
        search = RolloutSearch(view, self.random_for(view))
        usual, card = search.game.default_move(), search.game.default_draw()
        claims = islice(self._affordable_claims(view, plan), SEARCHED_CLAIMS)
        moves = [usual] if usual is not None else []
        moves += [claim for claim, _, _ in claims if claim not in moves]
        if card is not None and card not in moves:
            moves.append(card)
        return search.best(moves) if moves else None

    def _best_claim(self, view: SeatView, plan: PlayerPlan) -> tuple[Pay | None, float]:
        """Return the most valuable claim, less the cost of its cards to other targets."""
        best: Pay | None = None
        most = 0.0
        for claim, worth, harm in self._affordable_claims(view, plan):
            if worth <= most:
                break
            worth -= harm * plan.turn_worth / USEFUL_CARDS
            if worth > most:
                best, most = claim, worth
        return best, most

    def _affordable_claims(
        self, view: SeatView, plan: PlayerPlan
    ) -> Iterator[tuple[Pay, float, float]]:
        """Yield affordable claims, the most valuable first, with their cost to other targets."""
        for spot, worth in sorted(plan.claims(), key=lambda claim: -claim[1]):
            others = [target for target in plan.targets if target.spot != spot]
            paid = payment(view.position, view.colour, view.hand, spot, others)
            if paid is not None and may_claim(view.position, view.colour, spot):
                yield Pay(spot.kind, spot.id, dict(paid[1])), worth, paid[0]


class MediumPlayer(ComputerPlayer):
    """Plans its tickets together, and ignores the other players.

    Claims the longest of their routes first, then long routes anywhere, and draws new tickets while
    there are trains for them.
    """

    def choose_tickets(self, view: SeatView) -> Sequence[Ticket]:
        """Choose the most tickets whose paths fit the stock; on a tie, those with fewest trains."""
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

        return max(ticket_choices(view), key=worth)

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the routes of the open tickets, or else all long ones; the longest first."""
        return route_targets(view, self._routes(view))

    def first_move(self, view: SeatView) -> Move | None:
        """Claim the longest affordable target or a site; without open tickets draw new ones."""
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
        has_time = stock >= NEW_TICKETS_STOCK * view.position.edition.trains
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
            routes = [route for route in board.free.values() if route.length >= LONG_ROUTE]
            routes = routes or list(board.free.values())
        return sorted(routes, key=lambda route: -route.length)


def route_targets(view: SeatView, routes: Iterable[Route]) -> list[Target]:
    """Return the targets of routes."""
    return [target_of(view.position, view.colour, Spot("route", route.id)) for route in routes]


def _lengths(board: OpenBoard) -> dict[str, float]:
    return {name: float(route.length) for name, route in board.free.items()}


class EasyPlayer(ComputerPlayer):
    """Builds the shortest path of one ticket after the other.

    Keeps as few tickets as allowed, ignores the other players, and takes some cards at random and
    any open Locomotive.
    """

    def choose_tickets(self, view: SeatView) -> Sequence[Ticket]:
        """Choose the tickets with the shortest paths, as few as allowed."""
        board = OpenBoard(view.position, view.colour)

        def trains(ticket: Ticket) -> float:
            way = self._way(board, ticket)
            return float("inf") if way is None else sum(route.length for route in way)

        return sorted(view.offered, key=trains)[: view.at_least]

    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the free routes of the ticket that is nearest to completion."""
        board = OpenBoard(view.position, view.colour)
        ways = [way for t in open_tickets(view)[0] if (way := self._way(board, t))]
        way = min(ways, key=lambda way: sum(route.length for route in way), default=())
        return route_targets(view, (route for route in way if route.length <= board.trains))

    def first_move(self, view: SeatView) -> Move | None:
        """Claim a route of the nearest ticket; without one, the longest affordable route."""
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
            and self.random_for(view).random() < NEW_TICKETS_SHARE
        ):
            return DrawTickets()
        return None

    def draw(self, view: SeatView) -> Move:
        """Draw an open Locomotive, sometimes a random card, or else one for the next route."""
        chance = self.random_for(view)
        places = [place for place in view.drawable if place is not None]
        engines = [place for place in places if view.face_up[place] == LOCOMOTIVE]
        if engines:
            return DrawCard(engines[0])
        if places and chance.random() < RANDOM_DRAW_SHARE:
            return DrawCard(chance.choice(places))
        worths = card_worths(view.position, view.hand, self.targets(view)[:1])
        return DrawCard(pick_card(view, worths))

    def _way(self, board: OpenBoard, ticket: Ticket) -> tuple[Route, ...] | None:
        way = cheapest_way(board.links(_lengths(board)), ticket.a, ticket.b)
        return None if way is None else tuple(board.free[n] for n in way if n in board.free)


_PLAYERS: Mapping[str, Callable[[int], ComputerPlayer]] = {
    "easy": EasyPlayer,
    "medium": MediumPlayer,
    "hard": HardPlayer,
}
# Their names, as in logs, the weakest first.
STRENGTHS: tuple[str, ...] = tuple(_PLAYERS)


def computer_player(strength: str, seed: int = 0) -> ComputerPlayer:
    """Create a computer player of a strength; raises `ValueError` for an unknown one.

    The same seed and view give the same move.

    >>> STRENGTHS
    ('easy', 'medium', 'hard')
    >>> computer_player("hard", seed=7).seed
    7
    """
    if strength not in _PLAYERS:
        raise ValueError(f"there is no strength {strength!r}; there are {', '.join(STRENGTHS)}")
    return _PLAYERS[strength](seed)
