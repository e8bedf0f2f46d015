"""Boards that somebody made up so that scoring them takes long, and games on them."""

from collections.abc import Callable, Mapping

import networkx as nx
from railspotter.scoring.board import Board, Place, Route
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.people_facts import Player

GRAPHS: "Mapping[str, Callable[[], nx.Graph[int]]]" = {
    "946 routes, every place odd": lambda: nx.random_regular_graph(3, 630, seed=1),
    "a complete graph": lambda: nx.complete_graph(44),
    "a long ladder": lambda: nx.ladder_graph(330),
    "a grid": lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(22, 22)),
    "a tree": lambda: nx.random_labeled_tree(900, seed=3),
    "three hubs": lambda: nx.complete_bipartite_graph(3, 300),
    "parts": lambda: nx.disjoint_union_all(
        [nx.random_regular_graph(3, 60, seed=i) for i in range(10)]
    ),
}


def made_up_board(graph: "nx.Graph[int]") -> Board:
    """Return a board with a place for each vertex, and routes of 1 to 6 spaces."""
    places = tuple(Place(f"p{v}", f"Place {v}") for v in graph)
    routes = tuple(
        Route(f"r{i:03}", f"p{a}", f"p{b}", 1 + (7 * i * i + i) % 6, "grey", ())
        for i, (a, b) in enumerate(graph.edges())
    )
    return Board("own-made-up", "Made up", places, routes, measured=False)


def facts_on(board: Board) -> list[Fact]:
    """Return a game that has ended in which one player holds every route of a board."""
    players = Player("ann", "red", "Ann"), Player("bob", "blue", "Bob")
    claims = (Placed.on(Spot("route", r.id), colour="red", by="camera") for r in board.routes)
    return [GameStarted("usa", players, board=board), *claims, GameEnded()]
