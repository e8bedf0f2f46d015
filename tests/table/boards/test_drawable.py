"""What nobody measured of a board is laid where it can be drawn and tapped."""

from itertools import combinations
from math import dist

import drawn
import networkx as nx
import philly
from made_up_boards import made_up_board
from msgspec.structs import replace
from railspotter.scoring.board import Board
from railspotter.table.boards.drawable import MOST_FOR_SPRINGS, drawable

FORGOTTEN = ("seattle", "phoenix", "chicago", "little-rock")
NOWHERE = (0.0, 0.0)


def is_whole(board: Board, shown: Board) -> bool:
    """Whether everything of a board has a place on its drawing, and nothing else is otherwise."""
    width, height = shown.size_mm
    assert [place.id for place in shown.places] == [place.id for place in board.places]
    at = [place.xy_mm for place in shown.places]
    for before, route in zip(board.routes, shown.routes, strict=True):
        assert replace(route, spaces=before.spaces) == before
        assert len(route.spaces) == route.length
        at += [space.xy_mm for space in route.spaces]
    at += [site.space.xy_mm for site in shown.sites if site.space is not None]
    return all(0 <= x <= width and 0 <= y <= height for x, y in at)


def nearest_mm(board: Board) -> float:
    return min(dist(one.xy_mm, other.xy_mm) for one, other in combinations(board.places, 2))


def test_what_was_measured_stays_and_the_rest_lies_near_its_neighbours() -> None:
    usa = drawn.usa()
    places = tuple(replace(p, xy_mm=NOWHERE) if p.id in FORGOTTEN else p for p in usa.places)
    bare = tuple(replace(r, spaces=()) if {r.a, r.b} & {*FORGOTTEN} else r for r in usa.routes)
    shown = drawable(part := replace(usa, id="part", measured=False, places=places, routes=bare))
    assert is_whole(part, shown)
    for place in usa.places:
        off_mm = dist(shown.place_by_id[place.id].xy_mm, place.xy_mm)
        assert off_mm < 120 if place.id in FORGOTTEN else off_mm == 0, place.id
    kept = [route for route in usa.routes if not {route.a, route.b} & {*FORGOTTEN}]
    assert all(shown.route_by_id[route.id] == route for route in kept)
    assert nearest_mm(shown) > 20


def test_a_board_without_any_position_is_spread_out() -> None:
    usa = drawn.usa()
    places = tuple(replace(place, xy_mm=NOWHERE) for place in usa.places)
    bare = tuple(replace(route, spaces=()) for route in usa.routes)
    blank = replace(usa, measured=False, size_mm=(1.0, 1.0), places=places, routes=bare)
    assert is_whole(blank, drawable(blank))
    assert nearest_mm(drawable(blank)) > 25


def test_sites_stand_beside_their_station_and_not_on_each_other() -> None:
    board = philly.philly()
    board = replace(board, sites=tuple(replace(site, space=None) for site in board.sites))
    shown = drawable(board)
    assert is_whole(board, shown)
    spaces = {site.id: site.space for site in shown.sites if site.space is not None}
    assert spaces.keys() == shown.site_by_id.keys()
    for site in shown.sites:
        assert dist(spaces[site.id].xy_mm, shown.place_by_id[site.station].xy_mm) < 70
    assert min(dist(a.xy_mm, b.xy_mm) for a, b in combinations(spaces.values(), 2)) > 20


def test_a_board_in_many_parts_and_a_very_large_one_are_drawn_too() -> None:
    for graph in (
        nx.disjoint_union_all([nx.path_graph(3)] * 5),
        nx.cycle_graph(MOST_FOR_SPRINGS + 1),
    ):
        board = made_up_board(graph)
        assert is_whole(board, drawable(board))
