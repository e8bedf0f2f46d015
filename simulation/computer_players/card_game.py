"""Computer players of The Card Game, in the same three strengths as those of board games.

They know what a person in their seat can know, including the cards on their own track, which
everybody saw in the railyard. A move's value is measured in cards that tickets in hand need.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import chain, combinations
from math import exp, factorial
from random import Random

from railspotter.scoring.card_game.tickets import LOCOMOTIVE, CardTicket, count_with_city
from railspotter.scoring.card_game.turns import placings
from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.card_game_view import CardGameView, OwnCards
from railspotter.scoring.dealing.dealt_card_game import cards_of_rows
from railspotter.scoring.edition import load_edition

CITIES = 6  # with bonus cards
DEALT = 6  # tickets dealt to each player
UNNEEDED_CARD = 0.15  # what a card on the track is worth that no ticket needs yet
ROBBED_SHARE = 0.12  # how likely a row of two cards is robbed in a round; longer ones less
# Share of a player's cards, in the hand and of their share of the deck, that get on the track.
ON_TRACK = 0.65
MOST_ENGINES = 3  # Locomotives of one placing
CARDS_A_TURN = 1.4  # cards that a player takes from the deck in an average turn


@dataclass(frozen=True)
class StrengthSettings:
    """The parameters of a strength. All numbers are chosen; a test plays them."""

    ticket_share: float  # share of the expected cards on the track that kept tickets may need
    least_gain: float  # least value of a placing; below it cards are drawn
    robbing_value: float  # value of each card that an opponent loses
    counts_risks: bool  # whether cards that may be robbed or come too late count less
    counts_bonuses: bool  # whether expected city bonuses count for tickets
    random_share: float  # share of the moves that are random


SETTINGS = {
    "easy": StrengthSettings(0.4, 2.0, 0.0, False, False, 0.6),
    "medium": StrengthSettings(0.7, 2.0, 0.0, False, False, 0.0),
    "hard": StrengthSettings(0.8, 1.8, 0.6, True, True, 0.0),
}


def card_game_move(view: CardGameView, strength: str, rng: Random) -> moves.CardGameMove:
    """Choose a computer player's next move from its seat's view."""
    own = view.own
    if own is None or strength not in SETTINGS:
        raise ValueError(f"there is no seat, or no strength {strength!r}")
    return _Player(view, own, SETTINGS[strength], rng).move()


class _Player:
    """A computer player's decision about one move."""

    def __init__(
        self, view: CardGameView, own: OwnCards, settings: StrengthSettings, rng: Random
    ) -> None:
        self.view, self.own, self.settings, self.rng = view, own, settings, rng
        self.yard = next(p.railyard for p in view.players if p.colour == own.colour)
        self.others = {p.colour: p.railyard for p in view.players if p.colour != own.colour}
        count = len(view.players)
        share = view.in_deck / count
        # The expected number of own turns after this one.
        self.turns = (
            share / CARDS_A_TURN + 1 if view.turns_left is None else (view.turns_left - 1) // count
        )
        self.expected_cards = (sum(own.hand.values()) + share) * ON_TRACK + len(self.yard)
        self.track = Counter(own.track or {}) + cards_of_rows(self.yard)

    def move(self) -> moves.CardGameMove:
        own = self.own
        if own.offered:
            return moves.KeepOffered(self._choose_tickets())
        if own.to_complete is not None:
            return moves.CompleteTickets(own.to_complete)
        draws = [moves.DrawCard(i) for i, can in enumerate(own.can_draw_places) if can]
        draws += [moves.DrawCard()] if own.can_draw_deck else []
        if own.drawn:
            return self._best_draw(draws) if draws else moves.PassTurn()
        if self._wants_tickets():
            return moves.DrawTickets()
        legal = placings(load_edition("card-game"), own.hand, self.yard, self.others)
        found = [one for one in legal if own.can_place and one.get(LOCOMOTIVE, 0) <= MOST_ENGINES]
        if draws and self.rng.random() < self.settings.random_share:
            choices: list[moves.CardGameMove] = [*draws, *map(moves.PlaceCards, found[:1])]
            return self.rng.choice(choices)
        best = max(found, key=self._worth_of, default=None)
        least_gain = self.settings.least_gain if self.turns > 3 and draws else 0.1
        if best is not None and (self._worth_of(best) >= least_gain or not draws):
            return moves.PlaceCards(best)
        if draws:
            return self._best_draw(draws)
        return moves.DrawTickets() if own.can_draw_tickets else moves.PassTurn()

    def _needs(self, tickets: tuple[CardTicket, ...]) -> Counter[str]:
        """Count the cards that tickets need beyond those on the track or in the railyard."""
        needs: Counter[str] = Counter()
        for ticket in tickets:
            needs.update(ticket.circles)
        return needs - self.track

    def _missing(self, tickets: tuple[CardTicket, ...]) -> int:
        return max(0, self._needs(tickets).total() - self.track[LOCOMOTIVE])

    def _choose_tickets(self) -> tuple[int, ...]:
        """Choose the offered tickets with the highest value, as indices."""
        own = self.own
        room = self.expected_cards * self.settings.ticket_share
        chosen: tuple[int, ...] = ()
        most = float("-inf")
        for count in range(own.at_least, len(own.offered) + 1):
            for some in combinations(range(len(own.offered)), count):
                new = tuple(own.offered[i] for i in some)
                needs = self._needs((*own.tickets, *new))
                held = (needs & Counter(own.hand)).total()
                missing = max(0, needs.total() - self.track[LOCOMOTIVE])
                over = max(0.0, missing - room)
                worth = sum(ticket.points for ticket in new) + 0.3 * held - 4 * over
                worth += self._bonuses_of((*own.tickets, *new))
                if worth > most:
                    chosen, most = some, worth
        return chosen

    def _bonuses_of(self, tickets: tuple[CardTicket, ...]) -> float:
        """Return the expected bonuses of tickets together with the completed ones.

        Opponents are assumed to complete all their tickets, at least six, which name a city as
        often as the tickets seen so far; the prior is one ticket in six.
        """
        if not self.settings.counts_bonuses:
            return 0.0
        won = 0.0
        done = {p.colour: [one.ticket for one in p.completed] for p in self.view.players}
        seen = (*self.own.tickets, *self.own.offered, *chain.from_iterable(done.values()))
        for city, bonus in self.view.city_bonuses.items():
            count = count_with_city(city, (*tickets, *done[self.own.colour]))
            share = (1 + count_with_city(city, seen)) / (CITIES + len(seen))
            chance = 1.0 if count else 0.0
            for player in self.view.players:
                if player.colour != self.own.colour:
                    more = max(player.tickets, DEALT) * share
                    chance *= _poisson_at_most(
                        count - count_with_city(city, done[player.colour]), more
                    )
            won += bonus * chance
        return won

    def _wants_tickets(self) -> bool:
        """Tell whether the tickets are nearly complete and there is time for more."""
        own = self.own
        if not own.can_draw_tickets or self.turns < 5:
            return False
        missing = self._missing(own.tickets)
        return missing <= 1 and self.expected_cards * self.settings.ticket_share > 5

    def _worth_of(self, placing: dict[str, int]) -> float:
        """Return the value of a placing, in cards."""
        needs, wild = self._needs(self.own.tickets), placing.get(LOCOMOTIVE, 0)
        missing = max(0, needs.total() - self.track[LOCOMOTIVE])
        worth = 0.0
        for card, count in placing.items():
            if card == LOCOMOTIVE:
                continue
            row = [True] * wild + [i < needs[card] for i in range(count)]
            for turn, is_needed in enumerate(row, 1):
                kept = 1.0
                if self.settings.counts_risks:
                    left = len(row) - turn + 1
                    kept = 0.0 if turn > self.turns else (1 - ROBBED_SHARE / left) ** turn
                is_useful = is_needed and missing > 0
                missing -= is_useful
                worth += kept * (1.0 if is_useful else UNNEEDED_CARD if self.turns > 3 else 0.0)
            for rows in self.others.values():
                if card in rows:
                    worth += self.settings.robbing_value * rows[card].size
        return worth - (0.5 * wild if self.turns > 3 else 0.0)

    def _best_draw(self, draws: list[moves.DrawCard]) -> moves.DrawCard:
        """Choose an open card that a ticket needs, or else the deck."""
        own = self.own
        needs = self._needs(own.tickets) - Counter(own.hand)

        def worth(draw: moves.DrawCard) -> float:
            if draw.place is None:
                return 0.5
            card = self.view.face_up[draw.place]
            if card == LOCOMOTIVE:
                return 0.8 if needs.total() else 0.4
            return 1.0 + 0.1 * own.hand.get(card, 0) if needs[card] else 0.1

        return max(draws, key=worth)


def _poisson_at_most(most: int, mean: float) -> float:
    """Return the Poisson probability of at most `most` events, given their mean."""
    return sum(exp(-mean) * mean**n / factorial(n) for n in range(most + 1))
