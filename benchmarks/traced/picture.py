"""Pictures of houses: one seed is one picture and its truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s, Mask, Picture
from railspotter.calibration.geometry import outline_mm
from railspotter.scoring.board import RouteId
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import Projection
from railspotter.simulation.virtual_board.solids import Solid, box, cover
from railspotter.simulation.virtual_board.things import Thing

from hardships.renderings import linear
from traced.game import Game, choose_players, claim_routes, lay_game
from traced.meshes import Mesh, board_mesh, mesh_of, plane
from traced.moulds import MOULDS, Moulds, stood
from traced.phone import PHONES, Phone, Shot, aim, bent, developed, pinhole_of
from traced.prints import Print, draw_print_name, load_print
from traced.room import (
    BOARD_MM,
    FLOOR_MM,
    ROOMS,
    Room,
    hand_over,
    solids_of,
    things_beside,
)
from traced.tracer import Scene, trace

EDGE_BGR = (150, 170, 180)
HIDDEN = 0.25  # share of a space under a hand from which on nobody can say what is there


@dataclass(frozen=True)
class Wish:
    """What pictures are asked for."""

    board: str
    size_wh: tuple[int, int]
    tilt_deg: tuple[float, float]
    samples: int
    prints: Sequence[str] = ()  # none: any
    strange_colours: bool = False
    empty: bool = False


@dataclass(frozen=True, eq=False)
class Made:
    """A picture's file and the truth about it."""

    name: str
    jpeg: bytes
    truth: dict[str, Any]


def make_picture(wish: Wish, seed: int) -> Made:
    """Make the picture of a seed."""
    rng = np.random.default_rng([seed, *wish.board.encode()])
    edition = load_edition(wish.board)
    name = draw_print_name(wish.board, rng)
    printed = load_print(wish.board, str(rng.choice(wish.prints)) if wish.prints else name)
    room, phone = Room.of(int(rng.integers(ROOMS))), Phone.of(int(rng.integers(PHONES)))
    moulds = Moulds.of(int(rng.integers(MOULDS)), edition)
    players = choose_players(edition, wish.strange_colours, rng)
    board = printed.board
    claims = {} if wish.empty else claim_routes(board, edition, players, rng)
    game = lay_game(board, edition, moulds, printed.copy, players, claims, rng)
    shot = aim(phone, board.size_mm, wish.size_wh, wish.tilt_deg, rng)
    things = things_beside(board.size_mm, room, rng)
    hands = [hand_over(board.size_mm, rng)] if not wish.empty and rng.random() < 0.12 else []
    spare = _spare_trains(
        board.size_mm, room, moulds, [moulds.ink(p, edition) for p in players], rng
    )
    pinhole = pinhole_of(shot.projection)
    scene = Scene(
        _meshes(printed, room, moulds, [*game.pieces, *spare], solids_of([*things, *hands]), rng),
        room.lamps,
        room.around,
        (board.size_mm[0] / 2, board.size_mm[1] / 2),
        pinhole,
    )
    light = bent(trace(scene, wish.samples, seed), shot.projection, pinhole)
    on_board = _on_board(shot.projection, board.size_mm)
    lamp = light[on_board].mean(axis=0) / linear(printed.picture).mean(axis=(0, 1))
    px_per_mm = shot.projection.px_per_mm(np.array(board.size_mm) / 2)
    jpeg = developed(
        light, on_board, np.asarray(lamp, np.float64), room.is_dim, px_per_mm, phone, rng
    )
    hidden = _hidden(printed, shot.projection, hands)
    file = f"{wish.board}-{seed:05d}"
    house = f"{printed.name}/{room.name}/{phone.name}/{moulds.name}"
    truth = _truth(f"{file}.jpg", house, printed, game, shot, hidden)
    truth["traced"] |= {
        "seed": seed,
        "samples": wish.samples,
        "print": printed.name,
        "room": room.name,
        "lamps": [{"kind": lamp.kind, "kelvin": round(lamp.kelvin)} for lamp in room.lamps],
        "phone": phone.name,
        "moulds": moulds.name,
        "hand": bool(hands),
    }
    return Made(file, jpeg, truth)


def _meshes(
    printed: Print,
    room: Room,
    moulds: Moulds,
    pieces: Sequence[Solid],
    things: Sequence[Solid],
    rng: Generator,
) -> list[Mesh]:
    width, height = printed.board.size_mm
    left, top, right, bottom = room.table_mm
    card = box((0, 0, -BOARD_MM), (width, height, -0.05)).dyed(EDGE_BGR, 0.0)
    meshes = [
        board_mesh(printed.picture, (width, height), printed.copy, rng.uniform(0.2, 0.5)),
        mesh_of([card, *room.bars], None),
        plane(
            (-left, -top),
            (width + right, height + bottom),
            -BOARD_MM,
            room.table,
            room.table_roughness,
        ),
        plane((-3000, -3000), (width + 3000, height + 3000), FLOOR_MM, room.floor, None),
    ]
    meshes += [mesh_of(pieces, moulds.roughness)] if pieces else []
    meshes += [mesh_of(things, 0.25)] if things else []
    return meshes


def _spare_trains(
    size_mm: tuple[float, float],
    room: Room,
    moulds: Moulds,
    inks: Sequence[Float64s],
    rng: Generator,
) -> list[Solid]:
    """Return the heaps of trains that players have not laid yet, on the table beside the board."""
    heaps: list[Solid] = []
    left, top, right, bottom = room.table_mm
    high = moulds.train_size_mm[2]
    for ink in inks:
        middle = rng.uniform((-left, -top), np.add(size_mm, (right, bottom)))
        laid: list[tuple[Float64s, int]] = []
        for _ in range(rng.integers(0, 26)):
            xy = middle + rng.normal(0, 32, 2)
            off = np.maximum(np.maximum(-xy, xy - size_mm), 0)
            inside = (xy > (-left + 15, -top + 15)).all()
            inside &= bool((xy < np.add(size_mm, (right - 15, bottom - 15))).all())
            below = [level for at, level in laid if np.hypot(*(xy - at)) < 20]
            level = max(below, default=-1) + 1
            if inside and np.hypot(*off) > 18 and level < 3:
                laid.append((xy, level))
                lean = float(rng.choice([0.0, 90.0, -90.0], p=[0.5, 0.25, 0.25]))
                angle = rng.uniform(0, 360)
                piece = stood(moulds.train, xy, angle, 0.95 * high * level - BOARD_MM, lean)
                heaps.append(piece.dyed(ink, 0.0))
    return heaps


def _on_board(projection: Projection, size_mm: tuple[float, float]) -> Mask:
    """Return which pixels show the board, (H, W) bool."""
    mask: Picture = np.zeros(projection.size_wh[::-1], np.uint8)
    corners = projection.project(np.column_stack([outline_mm(size_mm), np.zeros(4)]))
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    return np.asarray(mask > 0, bool)


def _hidden(printed: Print, projection: Projection, hands: Sequence[Thing]) -> list[RouteId]:
    """Return routes of which a hand hides a space."""
    mask: Picture = np.zeros(projection.size_wh[::-1], np.uint8)
    cover(mask, solids_of(hands), projection)
    hidden = []
    for route in printed.board.routes:
        for space in route.spaces:
            along = np.linspace(-0.5, 0.5, 9)[:, None] * space.size_mm[0]
            turn = np.deg2rad(space.angle_deg)
            line = space.xy_mm + along * (np.cos(turn), np.sin(turn))
            seen = np.rint(projection.project(np.insert(line, 2, 5.0, axis=1))).astype(int)
            seen = np.clip(seen, 0, np.array(projection.size_wh) - 1)
            if (mask[seen[:, 1], seen[:, 0]] > 0).mean() > HIDDEN:
                hidden.append(route.id)
                break
    return hidden


def _truth(
    photo: str,
    house: str,
    printed: Print,
    game: Game,
    shot: Shot,
    hidden: Sequence[RouteId],
) -> dict[str, Any]:
    size_mm = printed.board.size_mm
    outline = outline_mm(size_mm)
    corners = np.column_stack([outline, printed.copy.height_mm(outline, size_mm)])
    return {
        "photo": photo,
        "board": printed.board.id,
        "shoot": house,
        "state": photo.removesuffix(".jpg"),
        "size_px": list(shot.projection.size_wh),
        "corners_px": shot.projection.project(corners).round(2).tolist(),
        "claims": game.claims,
        "spaces": {r: colours for r, colours in game.spaces.items() if r not in hidden},
        "half_filled_routes": list(game.half_filled),
        "stray_trains": [],
        "stations": game.stations,
        "unseen": list(hidden),
        "notes": "made by a path tracer",
        "traced": {
            "players": list(game.players),
            "fallen": game.fallen,
            "tilt_deg": round(shot.tilt_deg, 1),
            "heading_deg": round(shot.heading_deg, 1),
            "roll_deg": round(shot.roll_deg, 1),
            "distance_mm": round(shot.distance_mm),
            "focal_mm": round(shot.focal_mm, 1),
        },
    }
