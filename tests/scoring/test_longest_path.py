"""The longest path, against two other ways to the same answer and its own certificate."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from operator import itemgetter

import msgspec
import networkx as nx
import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from made_up_boards import GRAPHS, made_up_board
from path_certificate import check_path
from railspotter.scoring.board import Route, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.paths.longest_path import (
    MOST_STEPS,
    LongestPath,
    longest_holders,
    longest_path,
    longest_trail,
)
from railspotter.scoring.paths.network import StepCount, route_network
from railspotter.scoring.paths.trail_sweep import Edge
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.points.standing import Holding, Standing
from railspotter.scoring.position import Position, Seat
from scipy.optimize import Bounds, LinearConstraint, milp
from strategies import routes


def length_of(path: LongestPath) -> int:
    """A path's length, where it is proved to be the longest."""
    assert path.is_exact
    return path.at_least


def exhaustive(routes: list[Route]) -> int:
    """Walk every way."""

    def go(place: str, left: frozenset[Route]) -> int:
        return max(
            (
                route.length + go(route.b if route.a == place else route.a, left - {route})
                for route in left
                if place in (route.a, route.b)
            ),
            default=0,
        )

    starts = {place for route in routes for place in (route.a, route.b)}
    return max((go(place, frozenset(routes)) for place in starts), default=0)


def by_integer_program(routes: list[Route]) -> int:
    """Choose edges: degrees even but for two ends, and cuts against what hangs apart."""
    places = sorted({place for route in routes for place in (route.a, route.b)})
    m, n = len(routes), len(places)
    # Variables: routes taken, half degrees, ends (at most two).
    weights = np.array([-route.length for route in routes] + [0] * (2 * n), float)
    degrees = np.zeros((n, m + 2 * n))
    for i, place in enumerate(places):
        for j, route in enumerate(routes):
            degrees[i, j] = place in (route.a, route.b)
        degrees[i, m + i], degrees[i, m + n + i] = -2, -1
    ends = np.concatenate([np.zeros(m + n), np.ones(n)])
    upper = np.concatenate([np.ones(m), np.full(n, m), np.ones(n)])
    constraints = [LinearConstraint(degrees, 0, 0), LinearConstraint(ends[None], 0, 2)]
    while True:
        found = milp(
            weights,
            integrality=np.ones(m + 2 * n, int),
            bounds=Bounds(0, upper),
            constraints=constraints,
        )
        assert found.x is not None
        taken = [route for j, route in enumerate(routes) if found.x[j] > 0.5]
        parts = connected(taken)
        if len(parts) < 2:
            return sum(route.length for route in taken)
        # A part is left, or none of what lies apart from it is taken with it.
        for part in parts:
            inside = {place for route in part for place in (route.a, route.b)}
            for mine in part:
                for other in (route for route in taken if route not in part):
                    row = np.zeros(m + 2 * n)
                    for j, route in enumerate(routes):
                        if (route.a in inside) != (route.b in inside):
                            row[j] -= 1
                        if route in (mine, other):
                            row[j] += 1
                    constraints.append(LinearConstraint(row[None], -np.inf, 1))


def connected(routes: list[Route]) -> list[list[Route]]:
    parts: list[list[Route]] = []
    for route in routes:
        touching = [p for p in parts if any({route.a, route.b} & {r.a, r.b} for r in p)]
        parts = [p for p in parts if p not in touching]
        parts.append([route, *(r for part in touching for r in part)])
    return parts


@given(routes(most=8, places=6))
@examples(150)
def test_as_an_exhaustive_search(routes: list[Route]) -> None:
    network = route_network(routes)
    found = longest_path(network)
    check_path(found, network)
    assert length_of(found) == exhaustive(routes)
    walked = route_network(route for route in routes if route.id in found.routes)
    assert not routes or nx.has_eulerian_path(walked)


@given(routes(most=18, places=9).filter(bool))
@examples(60)
def test_as_an_integer_program(routes: list[Route]) -> None:
    assert length_of(longest_path(route_network(routes))) == by_integer_program(routes)


@given(routes())
@examples(60)
def test_neither_names_nor_order_count(routes: list[Route]) -> None:
    shuffled = [
        Route(f"z{10 - i}", f"q{route.b}", f"q{route.a}", route.length, "red", ())
        for i, route in enumerate(reversed(routes))
    ]
    found = longest_path(route_network(routes))
    assert length_of(longest_path(route_network(shuffled))) == length_of(found)
    assert longest_path(route_network(reversed(routes))) == found


def chain(*spots: str, length: int = 1) -> list[Route]:
    """Return routes from each spot to the next."""
    return [
        Route(f"{a}{b}{i}", a, b, length, "grey", ()) for i, (a, b) in enumerate(pairwise(spots))
    ]


@pytest.mark.parametrize(
    ("routes", "length"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param(chain("a", "b"), 1, id="one route"),
        pytest.param(chain("a", "b", "c", "a"), 3, id="a round"),
        pytest.param(chain("a", "b", "a"), 2, id="two lanes"),
        pytest.param(chain("a", "b", "a", "b"), 3, id="three lanes"),
        pytest.param(chain("a", "b", "c", "a", "d", "e", "a"), 6, id="a figure of eight"),
        pytest.param(
            chain("a", "b", "c", "a") + chain("c", "d", "e", "f", "d"), 7, id="spectacles"
        ),
        pytest.param(chain("a", "b") + chain("c", "d", length=3), 3, id="two parts"),
        pytest.param(chain("a", "m", "b") + chain("c", "m", "d"), 2, id="a cross"),
        pytest.param(chain("a", "m", "b") + chain("c", "m"), 2, id="a star of three"),
        pytest.param(
            chain("m", "a", "b", "m", "x") + chain("m", "y") + chain("m", "z"),
            5,
            id="a round with three dead ends",
        ),
        pytest.param(
            chain("l", "a", "b", "l", "m", "n", "r", "c", "d", "r") + chain("m", "o"),
            9,
            id="a dumb-bell with a dead end",
        ),
    ],
)
def test_networks_drawn_by_hand(routes: list[Route], length: int) -> None:
    assert length_of(longest_path(route_network(routes))) == length


STAR = [(0, 1, 3), (0, 2, 2), (0, 3, 2)]
ROUNDS_AT_ENDS = [(0, 4, 4), (0, 4, 5), (1, 5, 4), (1, 5, 4), (2, 6, 1), (2, 6, 1)]
ROUNDS_ON_AN_ARM = [(0, 1, 1), (1, 5, 1), (1, 5, 1), (1, 2, 1), (2, 6, 1), (2, 6, 1)]


@pytest.mark.parametrize(
    ("edges", "others", "found"),
    [
        (STAR, 4, 5),
        (STAR, 5, 0),
        (STAR, 7, 0),
        (STAR[:2], 4, 5),
        (STAR[:2], 5, 0),
        # A fork at both ends of a way: it has room for one dead end at each.
        ([*STAR, (3, 4, 4), (3, 5, 1)], 8, 9),
        ([*STAR, (3, 4, 4), (3, 5, 1)], 9, 0),
        # A dead end with a round at its end weighs more than its stick.
        ([*ROUNDS_AT_ENDS, (0, 3, 1), (1, 3, 2), (2, 3, 3)], 0, 20),
        # Two rounds on one arm weigh what they weigh.
        ([*ROUNDS_ON_AN_ARM, (0, 3, 5), (0, 4, 9)], 0, 15),
    ],
)
def test_only_a_longer_trail_takes_the_place_of_another_part(
    edges: list[tuple[int, int, int]], others: int, found: int
) -> None:
    # Another part is searched first, for it weighs more: a star whose best two arms weigh `others`.
    arms = [others - 1, *[1] * 30] if others else []
    star = [("hub", f"end {i}", f"arm {i}", weight) for i, weight in enumerate(arms)]
    own = [(str(u), str(v), str(key), weight) for key, (u, v, weight) in enumerate(edges)]
    keys, at_most = longest_trail([*own, *star], StepCount(10_000))
    weights = {key: weight for _, _, key, weight in (*own, *star)}
    assert sum(weights[key] for key in keys) == at_most == max(found, others)
    assert ("arm 0" in keys) == (not found)


ROUND = ("v", "p", "q", "v")


def arms(*, round_at_end: bool, order: int) -> list[Route]:
    """Return four arms at one hub, each with a round, and one bare dead end."""
    found = chain("m", "bare", length=4)
    for i, size in enumerate((3, 1, 5, 2)):
        spots = [f"{spot}{i}" for spot in ROUND]
        found += chain("m", spots[0]) + chain(*spots, length=size)
        if not round_at_end:
            found += chain(spots[0], f"x{i}")
    # Places are numbered in the order of the routes' ids.
    turned = found[order:] + found[:order]
    return [msgspec.structs.replace(route, id=f"{i:02}") for i, route in enumerate(turned)]


@pytest.mark.parametrize("order", range(0, 20, 3))
@pytest.mark.parametrize(("round_at_end", "length"), [(True, 26), (False, 28)])
def test_rounds_on_arms_count(round_at_end: bool, length: int, order: int) -> None:
    # The arms of 5 and 3: their rounds, their sticks and, past the round, a dead end.
    network = route_network(arms(round_at_end=round_at_end, order=order))
    assert length_of(longest_path(network)) == length


@pytest.mark.parametrize(("board", "length"), [("usa", 285), ("europe", 269), ("newyork", 79)])
def test_a_whole_board_in_one_hand(board: str, length: int) -> None:
    network = route_network(load_board(board).routes)
    found = longest_path(network)
    check_path(found, network)
    assert length_of(found) == length


def test_parallel_edges_are_walked_once_each() -> None:
    ends = [("a", "b"), ("a", "b"), ("b", "c")]
    edges = [(u, v, str(key), 2) for key, (u, v) in enumerate(ends)]
    keys, weight = longest_trail(edges, StepCount(100))
    assert (sorted(keys), weight) == (["0", "1", "2"], 6)


@cache
def made_up(name: str) -> "tuple[nx.MultiGraph[str], LongestPath]":
    network = route_network(made_up_board(GRAPHS[name]()).routes)
    return network, longest_path(network)


@pytest.mark.parametrize("name", GRAPHS)
def test_networks_that_are_made_up_take_so_many_steps_and_no_more(name: str) -> None:
    network, found = made_up(name)
    check_path(found, network)
    assert found.steps <= MOST_STEPS
    assert found.at_least > 0


@given(routes(most=14, places=8).filter(bool), st.integers(0, 400))
@examples(150)
def test_the_longest_is_between_the_bounds(routes: list[Route], most_steps: int) -> None:
    network = route_network(routes)
    bounds, exact = longest_path(network, most_steps), longest_path(network)
    check_path(bounds, network)
    assert bounds.at_least <= length_of(exact) <= bounds.at_most
    assert bounds.steps <= most_steps


def test_a_bound_is_counted_in_steps() -> None:
    network, path = made_up("a grid")
    assert not path.is_exact
    edges: Iterable[Edge] = network.edges(keys=True, data="length")
    _, at_most = longest_trail(sorted(edges, key=itemgetter(2)), StepCount(MOST_STEPS))
    assert at_most == path.at_most, "steps are counted, not timed"


PATHS = {
    "a": LongestPath(9),
    "b": LongestPath(9),
    "c": LongestPath(7, slack=1),
    "d": LongestPath(7, slack=2),
    "e": LongestPath(7, slack=3),
    "f": LongestPath(10, slack=5),
    "g": LongestPath(),
}


@pytest.mark.parametrize(
    ("among", "sure", "undecided"),
    [
        ("a", "a", ""),
        ("ab", "ab", ""),
        ("ac", "a", ""),
        ("ad", "a", "d"),
        ("ae", "", "ae"),
        ("de", "", "de"),
        ("adf", "f", ""),
        ("ef", "f", "e"),
        ("g", "", ""),
        ("", "", ""),
    ],
)
def test_who_has_the_longest_by_bounds(among: str, sure: str, undecided: str) -> None:
    found = longest_holders({name: PATHS[name] for name in among})
    assert ("".join(sorted(found.sure)), "".join(sorted(found.undecided))) == (sure, undecided)


def of_bounds(bounds: dict[str, LongestPath], *, tie_break: str = "longest path") -> Standing:
    """Return the end of a game in which each has one route of one space, and such paths."""
    edition = load_edition("usa").with_house_rules({"tie_break": [tie_break]})
    claims = dict(zip(("portland--seattle--0", "portland--seattle--1"), bounds, strict=True))
    position = Position(edition, load_board("usa"), tuple(map(Seat, bounds)), claims)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Holding, "longest_path", property(lambda own: bounds[own.colour]))
        return final_score(position)


@pytest.mark.parametrize(
    ("bounds", "tie_break", "bonuses", "winners"),
    [
        ({"red": LongestPath(9), "blue": LongestPath(5)}, "longest path", "r", ("red",)),
        # Whoever gets it wins.
        ({"red": LongestPath(9), "blue": LongestPath(5, slack=9)}, "longest path", "", ()),
        # As long, perhaps: red has the bonus for sure, and blue may have it too.
        (
            {"red": LongestPath(9), "blue": LongestPath(5, slack=4)},
            "longest path",
            "r",
            (),
        ),
        ({"red": LongestPath(9), "blue": LongestPath(5, slack=3)}, "longest path", "r", ("red",)),
    ],
    ids=["exact", "open", "perhaps level", "bounds that do not matter"],
)
def test_a_bonus_that_is_not_decided_is_nobodys(
    bounds: dict[str, LongestPath], tie_break: str, bonuses: str, winners: tuple[str, ...]
) -> None:
    end = of_bounds(bounds, tie_break=tie_break)
    given = "".join(
        player.colour[0]
        for player in end.players
        for line in player.lines
        if line.kind == "longest" and line.points == 10
    )
    assert (given, end.winners) == (bonuses, winners)
    told = [line.what for p in end.players for line in p.lines if line.kind == "longest_undecided"]
    assert bool(told) == (winners == ())
    assert all("at least" in what for what in told)
