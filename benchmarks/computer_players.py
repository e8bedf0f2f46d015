"""How strong are the computer players? `python benchmarks/computer_players.py [--games 2000]`.

Two players, every deal played twice with the seats swapped: who begins, who has which cards and
what comes off the decks are the same for both. Each strength plays the one below it. A draw counts
half; beside each share of wins stands Wilson's 95 % interval. Then the time of a decision, in games
of as many players as an edition allows. The Card Game is played from made-up decks.

Deals have the seeds from 1 on. The players were developed on seeds from 900,000 on.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import Pool

from msgspec.structs import replace
from railspotter.scoring.board import load_board
from railspotter.scoring.card_game.rules import card_standing
from railspotter.scoring.dealing.card_game_turns import play_card_game
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame, deal_card_game
from railspotter.scoring.dealing.moves import Move
from railspotter.scoring.edition import load_edition
from railspotter.scoring.game import Player as CardPlayer
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Seat
from railspotter.simulation.computer_players.card_game import card_game_move
from railspotter.simulation.computer_players.strengths import STRENGTHS, computer_player
from railspotter.simulation.played_game import PlayedGame, Player, play_game, seeded_luck

from random_card_games import CITIES, SEATS, random_tickets

CARD_GAME = "card-game"
EDITIONS = ("usa", "newyork", "europe", CARD_GAME)
MATCHES = tuple(zip(STRENGTHS[1:], STRENGTHS, strict=False))
Z_95 = 1.96  # the normal deviate of a 95 % interval
Job = tuple[str, str, str, int]  # an edition, two players and the seed of a deal


@dataclass(frozen=True)
class Result:
    """The result of one game for the first of two players: 1, 0.5 or 0, and both scores."""

    won: float
    points: tuple[int, int]
    done: int  # tickets of the first player
    missed: int
    turns: int  # of The Card Game moves


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000, help="of each match")
    parser.add_argument("--editions", nargs="+", default=EDITIONS, choices=EDITIONS)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--timed-games", type=int, default=10, help="for the time of a decision")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args(argv)
    seeds = range(args.first_seed, args.first_seed + max(1, args.games // 2))
    print("| edition | match | games | won % (95 %) | points | tickets done, open | turns |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for edition in args.editions:
        for first, second in MATCHES:
            jobs = [(edition, first, second, seed) for seed in seeds]
            print(match_row(edition, first, second, list(play(jobs, args.processes))), flush=True)
    print("\n| edition, players | strength | decisions | mean ms | 99 % | worst ms |")
    print("|---|---|---|---|---|---|", flush=True)
    for edition in args.editions:
        for strength in STRENGTHS if edition != CARD_GAME and args.timed_games else ():
            print(decision_row(edition, strength, args.first_seed, args.timed_games), flush=True)


def play(jobs: Sequence[Job], processes: int) -> Iterator[Result]:
    """Yield the results of each deal, with both seatings."""
    if processes == 1:
        for job in jobs:
            yield from play_both_seatings(job)
        return
    with Pool(processes) as pool:
        for pair in pool.imap(play_both_seatings, jobs, chunksize=5):
            yield from pair


def play_both_seatings(job: Job) -> tuple[Result, Result]:
    """Play a deal twice, with the seats swapped."""
    edition, first, second, seed = job
    duel = card_duel if edition == CARD_GAME else board_duel
    return duel(edition, (first, second), 0, seed), duel(edition, (second, first), 1, seed)


def board_duel(edition: str, kinds: Sequence[str], first: int, seed: int) -> Result:
    """Play a game of two; the first strength has the given seat."""
    game = play_deal(edition, [seeded_player(kind, i, seed) for i, kind in enumerate(kinds)], seed)
    standing = final_score(game.end)
    one, other = standing.players[first], standing.players[1 - first]
    won = 0.5 if len(standing.winners) != 1 else float(one.colour in standing.winners)
    done, missed = (
        sum(line.kind == kind for line in one.lines) for kind in ("ticket_done", "ticket_open")
    )
    return Result(won, (one.total, other.total), done, missed, len(game.turns))


def card_duel(_: str, kinds: Sequence[str], first: int, seed: int) -> Result:
    """Play The Card Game of two; the first strength has the given seat."""
    game, colour = play_card_deal(kinds, seed), SEATS[first]
    standing = card_standing(game.position)
    return Result(
        0.5 if len(standing.winners) > 1 else float(colour in standing.winners),
        (standing[colour].total, standing[SEATS[1 - first]].total),
        len(game.completed.get(colour, ())),
        len(game.tickets.get(colour, ())),
        game.moves,
    )


def play_card_deal(strengths: Sequence[str], seed: int) -> DealtCardGame:
    """Play a whole Card Game between computers."""
    rng, luck = random.Random(seed), seeded_luck(seed)
    who = dict(zip(SEATS, strengths, strict=False))
    bonuses = {city: rng.randint(6, 12) for city in CITIES}
    game = deal_card_game([CardPlayer(c) for c in who], random_tickets(rng), bonuses, luck)
    while not game.final:
        colour = game.acting[0]
        view = card_game_view(replace(game, may_look=True), colour)
        game = play_card_game(game, colour, card_game_move(view, who[colour], rng), luck)
    return game


def seeded_player(strength: str, seat: int, seed: int) -> Player:
    """Return a player seeded by the deal and the seat."""
    return computer_player(strength, 10 * seed + seat)


def play_deal(name: str, players: Sequence[Player], seed: int) -> PlayedGame:
    """Play a game; the seating does not depend on the deal."""
    edition = load_edition(name)
    board = load_board(edition.board)
    seats = tuple(Seat(colour) for colour in edition.colours[: len(players)])
    by_colour = {seat.colour: player for seat, player in zip(seats, players, strict=True)}
    return play_game(edition, board, seats, seed, by_colour)


def match_row(edition: str, first: str, second: str, games: Sequence[Result]) -> str:
    """Format a match as a row of the table."""
    n = len(games)
    share = sum(result.won for result in games) / n
    low, high = wilson_interval(share, n)
    points = " : ".join(f"{statistics.mean(r.points[i] for r in games):.0f}" for i in (0, 1))
    done, missed, turns = (
        statistics.mean(getattr(r, what) for r in games) for what in ("done", "missed", "turns")
    )
    won = f"{100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f})"
    return (
        f"| {edition} | {first} : {second} | {n} | {won} | {points} "
        f"| {done:.1f}, {missed:.2f} | {turns:.0f} |"
    )


def wilson_interval(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's interval for a share of `n` games."""
    middle = share + Z_95**2 / (2 * n)
    reach = Z_95 * sqrt(share * (1 - share) / n + (Z_95 / (2 * n)) ** 2)
    return (middle - reach) / (1 + Z_95**2 / n), (middle + reach) / (1 + Z_95**2 / n)


class TimedPlayer:
    """A player whose decisions are timed, in processor time."""

    def __init__(self, player: Player, seconds: list[float]) -> None:
        self._player = player
        self._seconds = seconds

    def move(self, view: SeatView) -> Move:
        """Choose the next move."""
        begun = time.process_time()
        move = self._player.move(view)
        self._seconds.append(time.process_time() - begun)
        return move


def decision_row(name: str, strength: str, first_seed: int, games: int) -> str:
    """Return the decision times of one strength at a full table."""
    seconds: list[float] = []
    most = load_edition(name).players[1]
    for seed in range(first_seed, first_seed + games):
        players = [TimedPlayer(seeded_player(strength, i, seed), seconds) for i in range(most)]
        play_deal(name, players, seed)
    milliseconds = sorted(1000 * s for s in seconds)
    late = milliseconds[int(0.99 * len(milliseconds))]
    return (
        f"| {name}, {most} | {strength} | {len(seconds)} | {statistics.mean(milliseconds):.1f} "
        f"| {late:.0f} | {milliseconds[-1]:.0f} |"
    )


if __name__ == "__main__":
    main()
