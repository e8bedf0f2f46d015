"""Monte Carlo search: compares moves by playing short games to the end with random hidden cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt, tanh
from random import Random
from statistics import mean, stdev

from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.scoring.dealing.seat_view import SeatView

from .cards import hidden_cards
from .last_turn import unseen_tickets
from .quick_game import QuickGame

ROLLOUTS = 24  # of each move; a number, not a time, so that games are reproducible
# Beyond about so many points a lead counts little more: one point wins as well as twenty.
CLEAR_LEAD = 5.0
# A move must be better than the default one by so many standard errors. Chosen.
SIGNIFICANT = 1.5


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
