"""The base class of all computer players of board games, with the order of a turn.

Players are stateless: the same seed and view give the same move. So a restarted program can
continue in the middle of a turn.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from railspotter.scoring.board import RouteId
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.claims import may_claim, tunnel_additions
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.edition import Ticket
from railspotter.scoring.paths.network import parts_of
from railspotter.scoring.points.standing import Holding
from railspotter.scoring.spot import Spot

from .cards import Target, card_worths, payment, pick_card, shortfall
from .open_board import are_connected

MOST_OFFERED = 6  # of more tickets not all choices are compared; only house rules offer more


class ComputerPlayer(ABC):
    """A player that chooses its moves from its seat's view."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def move(self, view: SeatView) -> moves.Move:
        """Choose the next move from a seat's view."""
        if view.offered:
            return moves.KeepTickets(moves.ticket_texts(self.choose_tickets(view)))
        if view.tunnel is not None:
            return self._tunnel_move(view)
        if view.drawn:
            # There may be no second card any more, for example after a correction.
            return self.draw(view) if view.drawable else moves.PassTurn()
        return self.first_move(view) or self._any_legal_move(view)

    @abstractmethod
    def choose_tickets(self, view: SeatView) -> Sequence[Ticket]:
        """Choose which offered tickets to keep, at least `view.at_least`."""

    @abstractmethod
    def targets(self, view: SeatView) -> Sequence[Target]:
        """Return the spots to collect cards for, the highest priority first."""

    @abstractmethod
    def first_move(self, view: SeatView) -> moves.Move | None:
        """Choose the first move of a turn; None to draw cards."""

    def random_for(self, view: SeatView) -> Random:
        """Return a random generator that is seeded by the view."""
        hand = ",".join(f"{card}{n}" for card, n in sorted(view.hand.items()) if n)
        moment = len(view.position.claims), view.in_deck, view.tickets_left, len(view.drawn)
        return Random(f"{self.seed} {view.colour} {hand} {moment}")  # noqa: S311

    def draw(self, view: SeatView) -> moves.Move:
        """Draw the most useful card; there must be one to draw."""
        return self.draw_for(view, self.targets(view))

    def draw_for(self, view: SeatView, targets: Sequence[Target]) -> moves.Move:
        """Draw the most useful card for the given targets."""
        return moves.DrawCard(pick_card(view, card_worths(view.position, view.hand, targets)))

    def pay(self, view: SeatView, spot: Spot, others: Sequence[Target] = ()) -> moves.Pay | None:
        """Claim a spot with the cards that other targets need least; None if that is impossible."""
        if not may_claim(view.position, view.colour, spot):
            return None
        found = payment(view.position, view.colour, view.hand, spot, others)
        return None if found is None else moves.Pay(spot.kind, spot.id, dict(found[1]))

    def _tunnel_move(self, view: SeatView) -> moves.Move:
        """Pay a tunnel's additional cards with those that targets need least, or leave it."""
        tunnel = view.tunnel
        assert tunnel is not None  # noqa: S101
        targets = [t for t in self.targets(view) if t.spot.id != tunnel.route]
        additions = list(tunnel_additions(tunnel.cards, view.hand, tunnel.more))
        if not additions:
            return moves.LeaveTunnel()

        def shortfall_after(cards: Cards) -> float:
            left = {c: n - cards.get(c, 0) - tunnel.cards.get(c, 0) for c, n in view.hand.items()}
            return shortfall(left, targets)

        return moves.PayMore(min((dict(cards) for cards in additions), key=shortfall_after))

    def _any_legal_move(self, view: SeatView) -> moves.Move:
        """Return any legal move; a player may pass only if there is none."""
        if view.drawable:
            return self.draw(view)
        for spot in claimable(view.position, view.hand, view.colour):
            paid = next(legal_payments(view.position, view.hand, view.colour, spot))
            return moves.Pay(spot.kind, spot.id, dict(paid))
        return moves.DrawTickets() if view.can_draw_tickets else moves.PassTurn()


def ticket_choices(view: SeatView) -> Iterator[tuple[Ticket, ...]]:
    """Yield the sets of offered tickets that may be kept; only some if there are many."""
    least = max(1, view.at_least)
    offered = view.offered
    if len(offered) > MOST_OFFERED:
        cheap = sorted(offered, key=lambda ticket: ticket.points)
        yield from (tuple(cheap[:n]) for n in range(least, len(offered) + 1))
        return
    for n in range(least, len(offered) + 1):
        yield from combinations(offered, n)


def open_tickets(view: SeatView) -> tuple[list[Ticket], tuple[RouteId, ...]]:
    """Return the player's incomplete tickets, and the routes borrowed by stations."""
    position, colour = view.position, view.colour
    if position.stations.get(colour):
        holding = Holding(position, colour)
        pairs = zip(holding.tickets, holding.completed, strict=True)
        return [t for t, done in pairs if not done], tuple(holding.borrowed.routes.values())
    parts = parts_of((route.a, route.b) for route in position.routes_of[colour])
    tickets = position.tickets.get(colour, ())
    return [t for t in tickets if not are_connected(parts, t.a, t.b)], ()
