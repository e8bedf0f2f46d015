"""A complete layout of a board for drawing: unmeasured places, routes and sites are laid out."""

from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, degrees, sin, tau

import networkx as nx
import numpy as np
from msgspec.structs import replace
from railspotter.calibration.board_making.draft import Draft, draft_of, finished_board
from railspotter.calibration.board_making.laying import lay_straight, usual_space_mm
from railspotter.scoring.board import Board, PlaceId, Site, Space

USUAL_SIZE_MM = (800.0, 530.0)
MOST_FOR_SPRINGS = 499  # places; for more, networkx's spring layout needs SciPy
# The spring length among measured places: on the USA board, places that were left out are laid some
# 40 mm from where they are.
APART_MM = 50.0
MARGIN = 0.08  # of the board's width and height, around places that are laid
NEAREST_MM = 15.0  # from a station's dot to the first site beside it


@lru_cache(4)
def drawable(board: Board) -> Board:
    """Return a board with a position for every place, and spaces for every route and site.

    Measured positions stay; unmeasured places get a spring layout.
    """
    if board.measured and all(site.space for site in board.sites):
        return board
    draft = draft_of(board, USUAL_SIZE_MM)
    at = _positions(draft)
    places = (replace(one, xy_mm=at[one.id], is_placed=True) for one in draft.places)
    draft = replace(draft, places=tuple(places))
    for n, route in enumerate(draft.routes):
        if not route.spaces:
            a, b = (draft.place_by_id[end] for end in (route.a, route.b))
            laid = replace(route, spaces=lay_straight(draft, a, b, route.length))
            draft = replace(draft, routes=(*draft.routes[:n], laid, *draft.routes[n + 1 :]))
    for n, site in enumerate(draft.sites):
        if site.space is None:
            beside = replace(site, space=_beside_station(draft, site))
            draft = replace(draft, sites=(*draft.sites[:n], beside, *draft.sites[n + 1 :]))
    return finished_board(draft)[0]


def _positions(draft: Draft) -> dict[PlaceId, tuple[float, float]]:
    """Return every place's measured or laid-out position."""
    known = {place.id: place.xy_mm for place in draft.placed}
    if len(known) == len(draft.places):
        return known
    graph = nx.Graph([(route.a, route.b) for route in draft.routes])
    graph.add_nodes_from(place.id for place in draft.places)
    # Unconnected parts would drift far apart.
    parts = [min(part) for part in nx.connected_components(graph)]
    graph.add_edges_from(pairwise(parts))
    if len(graph) > MOST_FOR_SPRINGS:
        found = nx.circular_layout(graph)
    elif known:
        middle = np.mean(list(known.values()), axis=0)
        start = {
            place: np.mean([known[one] for one in graph[place] if one in known] or [middle], axis=0)
            for place in graph
        }
        found = nx.spring_layout(graph, APART_MM, start | known, fixed=list(known), seed=1)
    else:
        found = nx.spring_layout(graph, seed=1, iterations=200)
    at = np.array([found[place.id] for place in draft.places], np.float64)
    size = np.array(draft.size_mm)
    if known:
        at = np.clip(at, MARGIN * size, (1 - MARGIN) * size)
    else:
        share = (at - at.min(axis=0)) / np.maximum(np.ptp(at, axis=0), 1e-9)
        at = (MARGIN + (1 - 2 * MARGIN) * share) * size
    laid = (tuple(xy) for xy in at.round(1).tolist())
    return {place.id: xy for place, xy in zip(draft.places, laid, strict=True)} | known


def _beside_station(draft: Draft, site: Site) -> Space:
    """Return a space beside a site's station, in the widest angle between its routes."""
    x, y = draft.place_by_id[site.station].xy_mm
    routes = [route for route in draft.routes if site.station in (route.a, route.b)]
    ends = (route.spaces[0 if route.a == site.station else -1].xy_mm for route in routes)
    ways = sorted(atan2(v - y, u - x) for u, v in ends) or [0.0]
    gaps = [
        (after - way) % tau or tau for way, after in zip(ways, ways[1:] + ways[:1], strict=True)
    ]
    widest = gaps.index(max(gaps))
    way = ways[widest] + gaps[widest] / 2
    length, width = usual_space_mm(draft)
    beside = sum(one.station == site.station and one.space is not None for one in draft.sites)
    far = NEAREST_MM + length / 2 + 1.1 * length * beside
    at = np.clip((x + far * cos(way), y + far * sin(way)), 0, draft.size_mm).round(1).tolist()
    return Space((at[0], at[1]), round(degrees(way), 1), (length, width))
