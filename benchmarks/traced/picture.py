"""Pictures of random houses: each seed gives a picture with its ground truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Mask, Picture
from railspotter.calibration.geometry import outline_mm
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import Projection
from railspotter.simulation.virtual_board.solids import Solid, box, draw_mask
from railspotter.simulation.virtual_board.things import thing_solid

from hardships.renderings import to_linear
from traced.game import choose_players, claim_routes, lay_game
from traced.meshes import board_mesh, plane_mesh, solids_mesh
from traced.moulds import MOULDS, Moulds
from traced.phone import PHONES, Phone, aim_phone, apply_lens, containing_pinhole, develop_jpeg
from traced.prints import choose_print_name, load_print
from traced.room import ROOMS, Room
from traced.table_things import BOARD_MM, TableArea, choose_hand, choose_things, spare_trains
from traced.tracer import Scene, trace

EDGE_BGR = (150, 170, 180)  # of the cardboard
FLOOR_MM, FLOOR_REACH_MM = -740.0, 3000.0
THINGS_ROUGHNESS = 0.25
HIDDEN_SHARE = 0.25  # share of a space under a hand from which on nobody can say what is there


@dataclass(frozen=True)
class Spec:
    """The kind of pictures to make."""

    board: str
    size_wh: tuple[int, int]
    tilt_deg: tuple[float, float]
    samples: int
    prints: Sequence[str] = ()  # none: any
    strange_colours: bool = False
    is_empty: bool = False


def make_picture(spec: Spec, seed: int) -> tuple[bytes, dict[str, Any], Mask]:
    """Make the picture of a seed, a JPEG file, the truth about it, and where plastic is seen.

    What is asked for of one part leaves the others as they are.
    """

    def rng_of(part: str) -> Generator:
        return np.random.default_rng([seed, *f"{spec.board} {part}".encode()])

    edition = load_edition(spec.board)
    room = Room.of(int(rng_of("room").integers(ROOMS)))
    phone = Phone.of(int(rng_of("phone").integers(PHONES)))
    moulds = Moulds.of(int(rng_of("moulds").integers(MOULDS)), edition)
    rng = rng_of("print")
    chosen = str(rng.choice(spec.prints)) if spec.prints else choose_print_name(spec.board, rng)
    printed = load_print(spec.board, chosen)
    board, size_mm = printed.board, printed.board.size_mm
    rng = rng_of("game")
    players = choose_players(edition, spec.strange_colours, rng)
    claims = {} if spec.is_empty else claim_routes(board, edition, players, rng)
    game = lay_game(board, edition, moulds, printed.copy, players, claims, rng)
    view = aim_phone(phone, size_mm, spec.size_wh, spec.tilt_deg, rng_of("shot"))
    seen, pinhole = view.projection, containing_pinhole(view.projection)

    rng, table = rng_of("table"), TableArea(size_mm, room)
    lying = [thing_solid(thing) for thing in choose_things(table, rng)]
    spare = spare_trains(table, moulds, [moulds.ink(p, edition) for p in players], rng)
    plastic = [*game.pieces, *spare]
    has_hand = not spec.is_empty and rng.random() < 0.12
    hand = [thing_solid(choose_hand(size_mm, rng))] if has_hand else []
    card = box((0, 0, -BOARD_MM), (*size_mm, -0.05)).with_ink(EDGE_BGR, 0.0)
    far = np.array(size_mm) + FLOOR_REACH_MM
    meshes = [
        board_mesh(printed.picture, size_mm, printed.copy, rng.uniform(0.2, 0.5)),
        plane_mesh(table.low, table.high, -BOARD_MM, room.table, room.table_roughness),
        plane_mesh((-FLOOR_REACH_MM, -FLOOR_REACH_MM), far, FLOOR_MM, room.floor, None),
        solids_mesh([card, *room.bars], None),
    ]
    meshes += [solids_mesh(plastic, moulds.roughness)] if plastic else []
    meshes += [solids_mesh([*lying, *hand], THINGS_ROUGHNESS)] if lying or hand else []
    middle = size_mm[0] / 2, size_mm[1] / 2
    scene = Scene(meshes, room.lamps, room.panorama, middle, pinhole)
    light = apply_lens(trace(scene, spec.samples, seed), seen, pinhole)

    outline = outline_mm(size_mm)
    corners = seen.project(np.column_stack([outline, printed.copy.height_mm(outline, size_mm)]))
    mask: Picture = np.zeros(seen.size_wh[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    on_board: Mask = mask > 0
    white = light[on_board].mean(axis=0) / to_linear(printed.picture).mean(axis=(0, 1))
    fine = seen.px_per_mm(middle)
    jpeg = develop_jpeg(light, on_board, white, room.is_dim, fine, phone, rng_of("sensor"))
    hidden = _hidden_routes(board, seen, hand) if hand else []
    is_plastic = solids_mask(plastic, seen) & ~solids_mask([*lying, *hand], seen)
    name = f"{spec.board}-{seed:05d}"
    truth = {
        "photo": f"{name}.jpg",
        "board": spec.board,
        "shoot": f"{printed.name}/{room.name}/{phone.name}/{moulds.name}",
        "state": name,
        "size_px": list(seen.size_wh),
        "corners_px": corners.round(2).tolist(),
        "claims": game.claims,
        "spaces": {r: colours for r, colours in game.spaces.items() if r not in hidden},
        "half_filled_routes": list(game.half_filled),
        "stray_trains": [],
        "stations": game.stations,
        "unseen": hidden,
        "notes": "made by a path tracer",
        "traced": {
            "seed": seed,
            "samples": spec.samples,
            "print": printed.name,
            "room": room.name,
            "phone": phone.name,
            "moulds": moulds.name,
            "players": list(game.players),
            "fallen": game.fallen,
            "hand": bool(hand),
            "lamps": [{"kind": lamp.kind, "kelvin": round(lamp.kelvin)} for lamp in room.lamps],
            "dim": room.is_dim,
            "tilt_deg": round(view.tilt_deg, 1),
            "heading_deg": round(view.heading_deg, 1),
            "roll_deg": round(view.roll_deg, 1),
            "distance_mm": round(view.distance_mm),
            "focal_mm": round(view.focal_mm, 1),
        },
    }
    return jpeg, truth, is_plastic


def solids_mask(solids: Sequence[Solid], seen: Projection) -> Mask:
    """Return the mask of solids, (H, W)."""
    mask: Picture = np.zeros(seen.size_wh[::-1], np.uint8)
    for solid in solids:
        draw_mask(mask, solid, seen)
    return np.asarray(mask > 127, bool)


def _hidden_routes(board: Board, seen: Projection, hand: Sequence[Solid]) -> list[RouteId]:
    """Return the routes with a space hidden by a hand."""
    mask = solids_mask(hand, seen)
    hidden = []
    for route in board.routes:
        for space in route.spaces:
            turn = np.deg2rad(space.angle_deg)
            along = np.linspace(-0.5, 0.5, 9)[:, None] * space.size_mm[0]
            line = np.insert(space.xy_mm + along * (np.cos(turn), np.sin(turn)), 2, 5.0, axis=1)
            x, y = np.clip(np.rint(seen.project(line)), 0, np.array(seen.size_wh) - 1).T.astype(int)
            if mask[y, x].mean() > HIDDEN_SHARE:
                hidden.append(route.id)
                break
    return hidden
