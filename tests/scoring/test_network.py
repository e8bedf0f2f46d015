"""Boards and players' routes as graphs: which edges there are, under which keys."""

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from railspotter.scoring.board import Route, board_names, load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.paths.network import (
    open_network,
    opponents_network,
    parts_of,
    player_network,
    route_network,
)
from railspotter.scoring.position import Position, Seat
from strategies import routes

LANE, BESIDE = "portland--seattle--0", "portland--seattle--1"
POSITION = Position(
    load_edition("usa"),
    load_board("usa"),
    tuple(map(Seat, ("red", "blue"))),
    {LANE: "red", "helena--seattle": "blue"},
)
FOUR = replace(POSITION, seats=tuple(map(Seat, ("red", "blue", "green", "black"))))


@pytest.mark.parametrize("name", board_names())
def test_a_board_is_one_network_of_all_its_places_and_routes(name: str) -> None:
    board = load_board(name)
    network = route_network(board.routes, board.place_by_id)
    assert set(network) == set(board.place_by_id)
    edges = {key: ({a, b}, data) for a, b, key, data in network.edges(keys=True, data=True)}
    assert edges == {r.id: ({r.a, r.b}, {"length": r.length}) for r in board.routes}
    assert nx.is_connected(network) or not board.complete


@pytest.mark.parametrize("name", sorted({*board_names()} - {"philly"}))  # of it a part is known
def test_the_lanes_of_a_double_route_are_equally_long(name: str) -> None:
    board = load_board(name)
    lengths = [{board.route_by_id[lane].length for lane in lanes} for lanes in board.lanes]
    assert all(len(found) == 1 for found in lengths)
    assert any(len(lanes) > 1 for lanes in board.lanes)


def test_both_lanes_of_a_double_route_are_edges() -> None:
    assert set(route_network(POSITION.board.routes)["seattle"]["portland"]) == {LANE, BESIDE}


@given(routes())
def test_the_order_of_routes_makes_no_other_network(routes: list[Route]) -> None:
    network, other = route_network(routes), route_network(reversed(routes))
    assert list(network) == list(other) == sorted(network)
    assert nx.utils.edges_equal(network.edges(keys=True), other.edges(keys=True))


def test_a_player_has_no_places_but_the_ends_of_own_routes() -> None:
    assert set(player_network(POSITION, "red")) == {"portland", "seattle"}
    assert set(opponents_network(POSITION, "red")) == {"helena", "seattle"}
    assert not player_network(FOUR, "green")


@pytest.mark.parametrize(
    ("position", "colour", "lanes"),
    [
        (POSITION, "red", {LANE: 0}),
        (POSITION, "blue", {}),
        (FOUR, "red", {LANE: 0}),
        (FOUR, "blue", {BESIDE: 1}),
    ],
    ids=["the own lane", "two play", "never both lanes", "four play"],
)
def test_what_lies_open(position: Position, colour: str, lanes: dict[str, int]) -> None:
    network = open_network(position, colour)
    assert set(network) == set(position.board.place_by_id)
    edges = network.edges("portland", keys=True, data=True)
    assert {name: data["length"] for _, to, name, data in edges if to == "seattle"} == lanes
    assert network.has_edge("helena", "seattle") == (colour == "blue")


@given(routes())
def test_one_place_stands_for_each_part(routes: list[Route]) -> None:
    network = route_network(routes)
    parts = parts_of((route.a, route.b) for route in routes)
    assert parts.keys() == set(network)
    for component in nx.connected_components(network):
        assert len({parts[place] for place in component} & component) == 1
    assert len(set(parts.values())) == nx.number_connected_components(network)
