"""How fast the longest path is found: `python benchmarks/longest_path.py`.

Fixed inputs: 45-train networks of the USA and Europe boards, half grown at random along the board,
half preferring short routes and loops; whole boards; nets of forty one-space routes. Times are
processor times, so that a busy machine does not count.

Then the steps, beside the limit: the hardest networks of printed boards that a climb finds, for a
player's trains and for more; and networks that nobody prints, where the limit is met.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import networkx as nx
from railspotter.scoring.board import Board, Route, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.paths.longest_path import MOST_STEPS, longest_path
from railspotter.scoring.paths.network import route_network
from railspotter.scoring.points.standing import position_standing
from railspotter.scoring.position import Position, seats_of

T = TypeVar("T")
TRAINS = 45
MADE_UP_GRAPHS = {
    "every place odd": nx.random_regular_graph(3, 630, seed=1),
    "a complete graph": nx.complete_graph(44),
    "a long ladder": nx.ladder_graph(330),
    "a grid": nx.grid_2d_graph(22, 22),
    "a tree": nx.random_labeled_tree(900, seed=3),
    "three hubs": nx.complete_bipartite_graph(3, 300),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=10_000)
    parser.add_argument("--tries", type=int, default=3_000, help="of each climb")
    args = parser.parse_args()
    count = args.networks
    rng = random.Random(45)
    for name in ("usa", "europe"):
        board = load_board(name)
        for kind in ("grown at random", "short routes and loops"):
            nets = [grow_network(board, rng, short=kind[0] == "s") for _ in range(count // 4)]
            report(f"{name}, {kind}", [time_ms(longest_path, route_network(net)) for net in nets])
        report(f"{name}, whole board", [time_ms(longest_path, route_network(board.routes))])
    nets = [one_space_network(rng, places) for places in range(8, 31) for _ in range(10)]
    report("40 one-space routes", [time_ms(longest_path, route_network(net)) for net in nets])

    edition, board = load_edition("usa"), load_board("usa")
    seats = seats_of(edition.colours)
    games = [deal_routes(board, edition.colours, rng) for _ in range(200)]
    positions = [Position(edition, board, seats, claims) for claims in games]
    report("standing of 5", [time_ms(position_standing, position) for position in positions])

    print(f"\nsteps, of {MOST_STEPS}")
    for name, trains in (("usa", 45), ("europe", 45), ("newyork", 15), ("philly", 20)):
        for extra in (0, 15, 40, 100):
            steps = most_steps_found(load_board(name), trains + extra, args.tries)
            print(f"{name}, {trains} + {extra} trains: {steps}")
    for what, graph in MADE_UP_GRAPHS.items():
        routes = [
            Route(f"r{i:03}", f"p{a}", f"p{b}", 1 + (7 * i * i + i) % 6, "grey", ())
            for i, (a, b) in enumerate(graph.edges())
        ]
        start = time.process_time()
        found = longest_path(route_network(routes))
        ms = 1000 * (time.process_time() - start)
        bounds = f"{found.at_least} to {found.at_most}"
        print(f"{what}, {len(routes)} routes: {found.steps} steps, {bounds} spaces, {ms:.0f} ms")


def most_steps_found(board: Board, trains: int, tries: int) -> int:
    """Return the most steps that a hill climb from some networks finds, with so many trains."""
    most = 0
    for seed in range(3):
        rng = random.Random(seed)
        own = list[Route]()
        steps = 0
        for _ in range(tries):
            new = list(own)
            for _ in range(rng.choice((1, 1, 2, 3))):
                if new and rng.random() < 0.5:
                    new.pop(rng.randrange(len(new)))
                free = [route for route in board.routes if route not in new]
                new += rng.sample(free, min(1, len(free)))
            while sum(route.length for route in new) > trains:
                new.pop(rng.randrange(len(new)))
            found = longest_path(route_network(new)).steps
            if found >= steps * (1 if rng.random() < 0.9 else 0.9):
                own, steps = new, found
            most = max(most, found)
    return most


def grow_network(board: Board, rng: random.Random, *, short: bool) -> list[Route]:
    """Claim connected routes until the trains run out."""
    own: list[Route] = []
    places: set[str] = set()
    closed: set[str] = set()
    left = TRAINS
    while True:
        open_routes = [
            route
            for route in board.routes
            if route.length <= left
            and route.id not in closed
            and (not places or route.a in places or route.b in places)
        ]
        if not open_routes:
            return own
        route = rng.choice(open_routes)
        if short:
            noise = {r.id: rng.random() * 1.5 for r in open_routes}
            loop = {r.id: 2 * (r.a in places and r.b in places) for r in open_routes}
            route = min(open_routes, key=lambda r: r.length - loop[r.id] + noise[r.id])
        own.append(route)
        closed |= {route.id, *board.other_lanes.get(route.id, ())}
        places |= {route.a, route.b}
        left -= route.length


def one_space_network(rng: random.Random, places: int) -> list[Route]:
    """Return forty one-space routes between so many places."""
    ends = [rng.sample(range(places), 2) for _ in range(40)]
    return [Route(f"r{i}", f"p{a}", f"p{b}", 1, "grey", ()) for i, (a, b) in enumerate(ends)]


def deal_routes(board: Board, colours: Sequence[str], rng: random.Random) -> dict[str, str]:
    """Give a board's routes to five players at random."""
    claims: dict[str, str] = {}
    left = dict.fromkeys(colours, TRAINS)
    for route in rng.sample(board.routes, len(board.routes)):
        beside = {claims.get(name) for name in board.other_lanes.get(route.id, ())}
        candidates = [c for c in colours if left[c] >= route.length and c not in beside]
        if candidates:
            claims[route.id] = rng.choice(candidates)
            left[claims[route.id]] -= route.length
    return claims


def time_ms(function: Callable[[T], object], argument: T) -> float:
    """Return a call's time in milliseconds."""
    start = time.process_time()
    function(argument)
    return 1000 * (time.process_time() - start)


def report(what: str, times: Sequence[float]) -> None:
    """Print one line."""
    ordered = sorted(times)
    p50, p99 = (ordered[int(q * (len(ordered) - 1))] for q in (0.5, 0.99))
    print(f"{what:45} {len(times):6} p50 {p50:8.3f}  p99 {p99:8.3f}  worst {ordered[-1]:8.3f} ms")


if __name__ == "__main__":
    main()
