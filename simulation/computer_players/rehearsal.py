"""Monte Carlo search: plays short games to the end with random hidden cards to compare moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt, tanh
from random import Random
from statistics import mean, stdev

from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.dealing.stacks import cards_of

from .last_turn import unseen_tickets
from .quick_game import QuickGame

# So often each move is rehearsed: counted, not timed, so that a game can be played again.
REHEARSALS = 24
# A game is won by one point as by twenty: beyond about so many points a lead counts little more.
# Counted in points alone, moves were chosen that won more points and fewer games.
CLEAR_LEAD = 5.0
# So many standard errors a move has to be better than the habit, which is right more often than two
# dozen rehearsals. Chosen.
SURE = 1.5


class Rehearsal:
    """Compares moves by rollouts from a seat's view of a short game."""

    def __init__(self, view: SeatView, luck: Random) -> None:
        self._view = view
        self._luck = luck
        position = view.position
        self._seat = position.colours.index(view.colour)
        self._game = QuickGame(position, self._seat, view.turns_left)
        own = self._game.players[self._seat]
        # In one order, whatever that of the view: what is the same makes the same move.
        own.hand = {card: n for card, n in sorted(view.hand.items()) if n}
        own.tickets = tuple(position.tickets.get(view.colour, ()))
        self._game.face_up = list(view.face_up)
        self._game.discards = sorted(Counter(view.discards).elements())
        # The top card is hidden: whether there is one is all that a habit asks.
        self._game.deck = [""] * view.in_deck

    @property
    def game(self) -> QuickGame:
        """The game state as far as the view shows it."""
        return self._game

    def best(self, moves: Sequence[Pay | DrawCard]) -> Pay | DrawCard:
        """Return the first move, the default, or one that is significantly better.

        Each deal is played with every move, so that all have the same luck.
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
            if gain > most and gain > SURE * stdev(gains) / sqrt(len(gains)):
                best, most = move, gain
        return best

    def deals(self) -> Iterator[QuickGame]:
        """Yield the game with the hidden hands, tickets and deck dealt at random."""
        view, position = self._view, self._view.position
        seen = Counter(view.hand) + Counter(view.face_up) + Counter(view.discards)
        hidden = cards_of(position.edition) - seen
        unseen = unseen_tickets(view)
        for _ in range(REHEARSALS):
            game = self._game.copy()
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
