"""Random positions of games: trains, stations and markers, placed inexactly."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.board import Board, PlaceId, RouteId
from railspotter.scoring.edition import Edition
from railspotter.simulation.virtual_board.pieces import piece_solid, place_markers
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.solids import Solid

from rendered.canvas import box
from rendered.plastic import PLASTICS
from traced.moulds import Moulds, stand

FARTHEST_MM = 5.0  # a train that lies farther from its space stands on no space any more
STATION_MM = (
    13.0,
    32.0,
)  # how far from the city's dot people lay a station that finds no room there
ASTRIDE_SHARE = 0.5  # how often they lay it astride the first train of a route that ends there
OVERLAP_MM2 = 2.0  # pieces that share more ground than that cannot stand so


@dataclass(frozen=True, eq=False)
class GamePosition:
    """The pieces on a board, with their ground truth."""

    players: tuple[str, ...]
    spaces: dict[RouteId, list[str | None]]
    stations: dict[PlaceId, str]
    half_filled: tuple[RouteId, ...]
    fallen: int  # trains that lie on their side
    pieces: tuple[Solid, ...]  # dyed, where they are; score markers too

    @property
    def claims(self) -> dict[RouteId, str]:
        """The owner of each claimed route."""
        return {
            route: next(filter(None, colours))
            for route, colours in self.spaces.items()
            if any(colours)
        }


def choose_players(edition: Edition, strange: bool, rng: Generator) -> tuple[str, ...]:
    """Choose the players; optionally some with plastic of no box."""
    low, high = max(edition.players[0], 2), edition.players[1]
    count = int(rng.integers(low, high + 1))
    players = [str(colour) for colour in rng.permutation(edition.colours)[:count]]
    if strange:
        others = [colour for colour in PLASTICS if colour not in edition.colours]
        for seat in rng.permutation(count)[: rng.integers(1, count + 1)]:
            players[seat] = others.pop(rng.integers(len(others)))
    return tuple(players)


def claim_routes(
    board: Board, edition: Edition, players: Sequence[str], rng: Generator
) -> dict[RouteId, str]:
    """Give routes to players, within their trains; preferably in the print's colour."""
    density, own_colour_share = rng.choice([0.1, 0.35, 0.6, 0.85]), rng.choice([0.1, 0.5])
    left = dict.fromkeys(players, edition.trains)
    claims: dict[RouteId, str] = {}
    for number in rng.permutation(len(board.routes)):
        route = board.routes[number]
        beside = {claims.get(lane) for lane in board.other_lanes.get(route.id, ())}
        candidates = [p for p in players if left[p] >= route.length and p not in beside]
        if not candidates or rng.random() > density:
            continue
        owner = candidates[rng.integers(len(candidates))]
        if route.colour in candidates and rng.random() < own_colour_share:
            owner = route.colour
        claims[route.id] = owner
        left[owner] -= route.length
    return claims


def _is_free(outline: Float64s, taken: Sequence[Float64s]) -> bool:
    """Tell whether a piece fits beside those placed already."""
    near = [other for other in taken if np.abs(other.mean(0) - outline.mean(0)).max() < 40]
    shapes = [shape.astype(np.float32) for shape in (outline, *near)]
    shared = [cv2.intersectConvexConvex(shapes[0], other)[0] for other in shapes[1:]]
    return max(shared, default=0) <= OVERLAP_MM2


def lay_game(
    board: Board,
    edition: Edition,
    moulds: Moulds,
    copy: Copy,
    players: Sequence[str],
    claims: dict[RouteId, str],
    rng: Generator,
) -> GamePosition:
    """Place trains, stations and score markers on a printed board."""
    inks = {player: moulds.ink(player, edition) for player in players}
    taken: list[Float64s] = []
    solids: list[Solid] = []
    spaces: dict[RouteId, list[str | None]] = {}
    half_filled, fallen = [], 0
    sloppy_mm, habit = rng.choice([0.5, 1.0, 1.8, 2.6]), rng.normal(0, 0.8, 2)
    gaps = rng.random() < 0.2
    long, wide, _ = moulds.train_size_mm
    for route in board.routes:
        spaces[route.id] = [None] * route.length
        if route.id not in claims:
            continue
        colour, shift = claims[route.id], habit + rng.normal(0, 0.6 * sloppy_mm, 2)
        filled = np.ones(route.length, bool)
        if gaps and route.length > 1 and rng.random() < 0.08:
            filled[rng.integers(route.length)] = False
            half_filled.append(route.id)
        for number in np.flatnonzero(filled):
            space = route.spaces[number]
            off = shift + rng.normal(0, [1.2 * sloppy_mm, 0.6 * sloppy_mm])
            turn = rng.normal(0, 1.5 + 2.0 * sloppy_mm)
            # People push what does not fit until it does.
            for ease in (1.0, 0.7, 0.4, 0.15, 0.0):
                here = ease * off * min(1.0, FARTHEST_MM / float(np.hypot(*off)))
                angle = space.angle_deg + ease * turn
                along = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
                xy = space.xy_mm + here[0] * along + here[1] * np.array([-along[1], along[0]])
                outline = box(xy, float(np.deg2rad(angle)), long, wide)
                if _is_free(outline, taken):
                    break
            taken.append(outline)
            lean = float(rng.choice([-90.0, 90.0])) if rng.random() < 0.008 else 0.0
            fallen += lean != 0
            z = float(copy.height_mm(xy, board.size_mm))
            heading = angle + 180.0 * rng.integers(2)
            solids.append(stand(moulds.train, xy, heading, z, lean).with_ink(inks[colour], 0.0))
            spaces[route.id][number] = colour
    stations = _lay_stations(board, edition, players, claims, taken, rng)
    for xy, colour, angle, is_astride in stations.values():
        z = moulds.train_size_mm[2] if is_astride else 0.0
        solids.append(stand(moulds.station, xy, angle, z).with_ink(inks[colour], 0.0))
    if board.score_track and claims and rng.random() < 0.7:
        known = [player for player in players if player in edition.colours]
        scores = {player: int(rng.integers(0, 99)) for player in known}
        for marker in place_markers(board, scores, int(rng.integers(1 << 30)), looseness=2.0):
            solids.append(piece_solid(marker, ink=(0.9 * inks[marker.colour] + 10).tolist()))
    colours = {place: colour for place, (_, colour, *_) in stations.items()}
    return GamePosition(tuple(players), spaces, colours, tuple(half_filled), fallen, tuple(solids))


def _lay_stations(
    board: Board,
    edition: Edition,
    players: Sequence[str],
    claims: dict[RouteId, str],
    taken: list[Float64s],
    rng: Generator,
) -> dict[PlaceId, tuple[Float64s, str, float, bool]]:
    """Return where stations stand, whose they are, how they are turned, and whether on a train."""
    if not edition.stations or not claims or rng.random() < 0.25:
        return {}
    laid: dict[PlaceId, tuple[Float64s, str, float, bool]] = {}
    places = [board.places[number] for number in rng.permutation(len(board.places))]
    for player in players:
        for _ in range(rng.integers(0, edition.stations + 1)):
            place = places.pop()
            under = _end_spaces(board, place.id, claims, player)
            if under and rng.random() < ASTRIDE_SHARE:
                xy = under[rng.integers(len(under))] + rng.normal(0, 2.5, 2)
                outline = box(xy, 0.0, 14.0, 14.0)
                if all(np.hypot(*(xy - other)) > 20.0 for other, *_ in laid.values()):
                    taken.append(outline)
                    laid[place.id] = xy, player, float(rng.uniform(-180, 180)), True
                continue
            beside = rng.random() < 0.75
            for _ in range(12):
                away = rng.uniform(*STATION_MM) if beside else rng.uniform(0, 5)
                way, turn = rng.uniform(0, 2 * np.pi), rng.uniform(-180, 180)
                xy = place.xy_mm + away * np.array([np.cos(way), np.sin(way)])
                outline = box(xy, float(np.deg2rad(turn)), 14.0, 14.0)
                if _is_free(outline, taken) and (xy > 0).all() and (xy < board.size_mm).all():
                    taken.append(outline)
                    laid[place.id] = np.asarray(xy, np.float64), player, float(turn), False
                    break
    return laid


def _end_spaces(
    board: Board, place: PlaceId, claims: dict[RouteId, str], player: str
) -> list[Float64s]:
    """Return the first spaces of other players' routes that end at a place."""
    return [
        np.array(route.spaces[0 if route.a == place else -1].xy_mm)
        for route in board.routes
        if place in (route.a, route.b) and claims.get(route.id, player) != player
    ]
