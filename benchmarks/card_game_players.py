"""How strong are the computers of The Card Game? `python benchmarks/card_game_players.py`.

Games of two from made-up decks, every deal played twice with the seats swapped; each strength plays
the one below it. A draw counts half; beside each share of wins stands Wilson's 95 % interval.

Deals have the seeds from 1 on. The players were developed on seeds from 900,000 on.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from railspotter.scoring.card_game.rules import card_standing
from railspotter.scoring.dealing.card_game_turns import play_card_game
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame, deal_card_game
from railspotter.scoring.game import Player
from railspotter.simulation.computer_players.card_game import card_game_move
from railspotter.simulation.played_game import seeded_luck

from computer_players import MATCHES, wilson_interval
from random_card_games import CITIES, SEATS, random_tickets


@dataclass(frozen=True)
class Result:
    """The result of one game for the first of two players: 1, 0.5 or 0, and both scores."""

    won: float
    points: tuple[int, int]
    completed: int
    missed: int


def play_game(seed: int, strengths: Sequence[str]) -> DealtCardGame:
    """Play a whole game between computers."""
    rng, luck = random.Random(seed), seeded_luck(seed)
    who = dict(zip(SEATS, strengths, strict=False))
    bonuses = {city: rng.randint(6, 12) for city in CITIES}
    game = deal_card_game([Player(c) for c in who], random_tickets(rng), bonuses, luck)
    while not game.final:
        colour = game.acting[0]
        view = card_game_view(replace(game, may_look=True), colour)
        game = play_card_game(game, colour, card_game_move(view, who[colour], rng), luck)
    return game


def play_deal(first: str, second: str, seed: int) -> Iterator[Result]:
    """Yield the first strength's results of a deal, in either seat."""
    for at, strengths in ((0, (first, second)), (1, (second, first))):
        game = play_game(seed, strengths)
        standing, colour = card_standing(game.position), SEATS[at]
        yield Result(
            0.5 if len(standing.winners) > 1 else float(colour in standing.winners),
            (standing[colour].total, standing[SEATS[1 - at]].total),
            len(game.completed.get(colour, ())),
            len(game.tickets.get(colour, ())),
        )


def match_row(first: str, second: str, games: Sequence[Result]) -> str:
    """Format a match as a row of the table."""
    share = statistics.mean(result.won for result in games)
    low, high = wilson_interval(share, len(games))
    points = " : ".join(f"{statistics.mean(r.points[i] for r in games):.0f}" for i in (0, 1))
    done, missed = (
        statistics.mean(getattr(r, of) for r in games) for of in ("completed", "missed")
    )
    return (
        f"| The Card Game | {first} : {second} | {len(games)} "
        f"| {100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f}) | {points} "
        f"| {done:.1f}, {missed:.2f} |"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2_000, help="of each match")
    parser.add_argument("--first-seed", type=int, default=1)
    chosen = parser.parse_args(argv)
    print("| edition | match | games | won % (95 %) | points | tickets done, open |")
    print("|---|---|---|---|---|---|", flush=True)
    for first, second in reversed(MATCHES):
        seeds = range(chosen.first_seed, chosen.first_seed + max(1, chosen.games // 2))
        pairs = [result for seed in seeds for result in play_deal(first, second, seed)]
        print(match_row(first, second, pairs), flush=True)


if __name__ == "__main__":
    main()
