"""How long seating takes, and how often mates meet again: `python benchmarks/seating.py`.

Tournaments of six rounds among players of made-up strengths, by seed: for several numbers of
players and sizes of tables the processor time of the slowest round, the pairs that sat at one table
again beside those of tables drawn by lot, and how far apart in points the players of a table are,
from the second round on, beside the same. In the last lines every tenth is of one club.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import mean

from railspotter.club.tournament import (
    EntrantAdded,
    ResultEntered,
    RoundClosed,
    RoundSeated,
    Rules,
    Tournament,
    TournamentStarted,
    after,
    fold,
    repeats,
    seat_round,
    standings,
    table_sizes,
)

ROUNDS = 6
Seating = Callable[[Tournament, int], RoundSeated]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[10, 20, 50, 100, 500, 2500])
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--seed", type=int, default=24)
    args = parser.parse_args()
    print("players table   slowest s   pairs again: seated  by lot   points apart: seated  by lot")
    for players in args.players:
        for size in args.sizes:
            rules = Rules(smallest=2, preferred=size)
            seated, slowest, apart = play(players, rules, seat_round, args.seed)
            lot, _, lot_apart = play(players, rules, by_lot, args.seed)
            print(
                f"{players:7} {size:5} {slowest:11.2f} {repeats(seated):20} {repeats(lot):7}"
                f" {apart:21.1f} {lot_apart:7.1f}",
                flush=True,
            )
    for players in args.players:
        clubs = max(1, players // 10)
        _, slowest, _ = play(players, Rules(), seat_round, args.seed, clubs=10, rounds=1)
        print(f"{players} players of ten clubs, {clubs} each: first round {slowest:.2f} s")


def play(
    players: int, rules: Rules, seating: Seating, seed: int, *, clubs: int = 0, rounds: int = ROUNDS
) -> tuple[Tournament, float, float]:
    """Return a tournament, its slowest seating and how far apart in points mates were."""
    rng = random.Random(seed)
    held = fold([TournamentStarted("made up", rules)])
    for n in range(players):
        held = after(held, EntrantAdded(f"p{n}", f"P{n}", f"C{n % clubs}" if clubs else ""))
    strength = {one: rng.gauss(100, 15) for one in held.entrants}
    slowest, apart = 0.0, list[float]()
    for number in range(1, rounds + 1):
        points = {row.entrant.id: float(row.points) for row in standings(held)}
        start = time.process_time()
        seated = seating(held, seed + number)
        slowest = max(slowest, time.process_time() - start)
        held = after(held, seated)
        for n, table in enumerate(seated.tables, 1):
            if number > 1:
                at_table = [points[one] for one in table]
                apart.append(max(at_table) - min(at_table))
            result = {one: round(rng.gauss(strength[one], 20)) for one in table}
            held = after(held, ResultEntered(number, n, result))
        held = after(held, RoundClosed(number))
    return held, slowest, mean(apart or [0])


def by_lot(tournament: Tournament, seed: int) -> RoundSeated:
    """Seat at random, as a host does without a program."""
    order = [one.id for one in tournament.present]
    random.Random(seed).shuffle(order)
    sizes, left = table_sizes(len(order), tournament.rules)
    byes = tuple(order[:left])
    tables = []
    for size in sizes:
        tables.append(tuple(order[left : left + size]))
        left += size
    return RoundSeated(len(tournament.seated_until_now) + 1, tuple(tables), byes)


if __name__ == "__main__":
    main()
