"""Board files: what ships is complete and matches its schema; what is wrong is named."""

import json
from importlib import resources
from typing import Any

import jsonschema
import pytest
from published_schemas import schema
from railspotter.scoring.board import board_names, load_board, parse_board
from railspotter.scoring.errors import BoardError

SHIPPED = resources.files("railspotter.scoring")


def board_json(name: str = "usa") -> dict[str, Any]:
    board: dict[str, Any] = json.loads((SHIPPED / "boards" / f"{name}.json").read_bytes())
    return board


@pytest.mark.parametrize("name", board_names())
def test_shipped_boards_fit_the_schema_and_lie_on_the_board(name: str) -> None:
    jsonschema.validate(board_json(name), schema("scoring/board"))
    board = load_board(name)
    if board.measured:
        width, height = board.size_mm
        spots = [space.xy_mm for route in board.routes for space in route.spaces]
        spots += [place.xy_mm for place in board.places]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in spots)


def wrong(edit: str) -> str:
    """Return what is said about the USA board after an edit."""
    board = board_json()
    exec(edit, {"board": board, "routes": board["routes"], "places": board["places"]})
    with pytest.raises(BoardError) as refusal:
        parse_board(json.dumps(board))
    return str(refusal.value)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("routes[12]['spaces'].pop()", "routes[12].spaces: {} given, length is {}"),
        ("routes[12]['b'] = 'atlantis'", "routes[12].b: there is no place 'atlantis'"),
        ("routes[12]['b'] = routes[12]['a']", "routes[12].b: the route starts and ends at {!r}"),
        ("routes[3]['id'] = routes[2]['id']", "routes[3].id: {!r} is routes[2].id already"),
        ("routes[2]['length'] = 0", "routes[2].length: it has to be at least 1"),
        ("del places[0]['name']", "places[0]: 'name' is missing"),
        (
            "board['edition'] = 'mars'",
            "edition: there is no 'mars'; there are usa, usa-accessible, usa-10th, usa-1910,"
            " usa-mega, usa-big-cities, newyork, philly, europe",
        ),
        ("board['size_mm'] = [1, 1]", "size_mm: a measured board needs its size"),
        (
            "board['sites'] = [{'id': 'zoo', 'name': 'Zoo', 'station': 'atlantis'}]",
            "sites[0].station: there is no place 'atlantis'",
        ),
        (
            "board['tickets'] = [{'a': 'miami', 'b': 'atlantis', 'points': 5}]",
            "tickets[0].b: there is no place 'atlantis'",
        ),
        (
            "board['tickets'] = [{'a': 'miami', 'b': 'miami', 'points': 5}]",
            "tickets[0].b: the ticket starts and ends at 'miami'",
        ),
        (
            "board['tickets'] = 2 * [{'a': 'miami', 'b': 'seattle', 'points': 5}]",
            "tickets[1]: 'miami' - 'seattle' is there already",
        ),
        (
            "board['tickets'] = [{'a': 'miami', 'b': 'seattle', 'points': 0}]",
            "tickets[0].points: it has to be at least 1",
        ),
    ],
)
def test_a_wrong_board_is_refused_with_the_path(edit: str, said: str) -> None:
    routes = board_json()["routes"]
    values = {
        "routes[12].spaces: {} given, length is {}": (
            len(routes[12]["spaces"]) - 1,
            routes[12]["length"],
        ),
        "routes[12].b: the route starts and ends at {!r}": (routes[12]["a"],),
        "routes[3].id: {!r} is routes[2].id already": (routes[2]["id"],),
    }
    assert wrong(edit) == said.format(*values.get(said, ()))
