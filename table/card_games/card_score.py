"""The score of a Card Game, found within bounds: tickets that were made up may take for ever."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from railspotter.scoring.answer import GameScore, card_game_score
from railspotter.scoring.card_game.rules import (
    CardPosition,
    best_answer,
    card_position_problems,
    completed,
)
from railspotter.scoring.card_game.text import CardGame, card_position_of
from railspotter.scoring.card_game.tickets import Cards, CardTicket, Goal, best_tickets

# The most steps of the search for one player's best tickets: well below a second. Games that are
# played take some hundred.
MOST_STEPS = 50_000

Indices = tuple[int, ...]
Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CardScore:
    """A game's score, and the tickets that it counts."""

    answer: GameScore
    position: CardPosition  # with everyone's completed tickets as `chosen`
    # By colour, the positions of the tickets that the best choice completes.
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
    counted = completed(position, _best)
    best = dict(counted)
    for colour in position.chosen:
        if game.final:
            best[colour] = best_answer(position, colour, counted, _best)
        else:
            free = replace(
                position, chosen={c: n for c, n in position.chosen.items() if c != colour}
            )
            best[colour] = completed(free, _best)[colour]
    scored = replace(position, chosen=counted)
    # Problems are those of the choices that people made, not of what counts in their place.
    answer = replace(card_game_score(scored), problems=card_position_problems(position))
    return CardScore(answer, scored, best)


def _best(
    tickets: tuple[CardTicket, ...],
    stack: Cards,
    cities: Collection[str],
    goals: tuple[Goal, ...],
) -> Indices:
    given = tuple((t.cities, tuple(t.circles.items()), t.points) for t in tickets)
    return _remembered(given, tuple(sorted(stack.items())), tuple(sorted(cities)), goals)


@lru_cache(1000)
def _remembered(
    tickets: tuple[tuple[tuple[str, ...], Counts, int], ...],
    stack: Counts,
    cities: tuple[str, ...],
    goals: tuple[Goal, ...],
) -> Indices:
    given = [CardTicket(names, dict(circles), points) for names, circles, points in tickets]
    return best_tickets(given, dict(stack), cities, goals, most_steps=MOST_STEPS)
