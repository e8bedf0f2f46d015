"""The score of a Card Game, found within bounds: tickets that were made up may take for ever."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from railspotter.scoring.answer import GameScore
from railspotter.scoring.card_game import (
    CardPosition,
    card_position_problems,
    deck_scoring,
    final_card_score,
)
from railspotter.scoring.card_game_text import CardGame, card_position_of
from railspotter.scoring.card_tickets import CardTicket, best_tickets, can_complete

MOST_STEPS = 50_000
"""The most steps of the search for one player's best tickets: well below a second. Games that are
played take some hundred."""

Indices = tuple[int, ...]
Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CardScore:
    """A game's score, and the tickets that it counts.

    Attributes
    ----------
    position : CardPosition
        With everyone's completed tickets as `chosen`.
    best : dict of str to tuple of int
        By colour, the positions of the tickets that the best choice completes.
    """

    answer: GameScore
    position: CardPosition
    best: dict[str, Indices]


def card_score(game: CardGame) -> CardScore:
    """Score a game whose tickets say their circles and points.

    Raises
    ------
    GameError
        When the game contradicts itself.
    TooManyWaysError
        When a player's best tickets are not found in `MOST_STEPS`.
    """
    position = card_position_of(game)
    cities = tuple(sorted(position.city_bonuses))
    best, counted = {}, {}
    for seat in position.seats:
        tickets, stack = position.tickets.get(seat.colour, ()), position.stacks.get(seat.colour, {})
        best[seat.colour] = _best(
            tuple((t.cities, tuple(t.circles.items()), t.points) for t in tickets),
            tuple(sorted(stack.items())),
            cities,
        )
        own = position.chosen.get(seat.colour)
        is_paid = own is not None and can_complete((tickets[i] for i in own), stack)
        counted[seat.colour] = tuple(sorted(own or ())) if is_paid else best[seat.colour]
    scored = replace(position, chosen=counted)
    answer = GameScore(
        final_card_score(scored) if game.final else deck_scoring(scored),
        game.final,
        card_position_problems(position, final=game.final),
    )
    return CardScore(answer, scored, best)


@lru_cache(1000)
def _best(
    tickets: tuple[tuple[tuple[str, ...], Counts, int], ...], stack: Counts, cities: tuple[str, ...]
) -> Indices:
    given = [CardTicket(names, dict(circles), points) for names, circles, points in tickets]
    return best_tickets(given, dict(stack), cities, most_steps=MOST_STEPS)
