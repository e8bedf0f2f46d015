"""Rendered games: computer players, animated hands and a virtual camera, with ground truth."""

import json
import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition

from .enactment.director import enact
from .enactment.enactment import Enactment
from .enactment.habits import CALM, Habits
from .played_game import PlayedGame, play_game
from .virtual_board.camera import CameraSetup
from .virtual_board.light import Light, Sensor
from .virtual_board.printed_copy import Copy
from .virtual_board.virtual_camera import RenderedFrame, VirtualCamera

# A train beside its space is listed at the nearest space within this distance.
STRAY_MM = 30.0
MOST_PLAYERS = 4
STILL_STEP_S = 0.1  # seconds between two moments at which hands are looked for


def ground_truth(
    photo: str, frame: RenderedFrame, game: "VirtualGame", t_s: float, scene: str
) -> dict[str, Any]:
    """Return the ground truth of the game's frame at `t_s`, in the format of docs/virtual-board.md.

    `photo` is the picture's file name, `scene` the kind of game.
    """
    edition, camera = game.enactment.played.start.edition, game.camera
    height, width = frame.picture.shape[:2]
    lens = frame.projection.lens
    return {
        "photo": photo,
        "board": camera.printed.id,
        "edition": edition.id,
        "shoot": f"rendered-{edition.id}-{scene}-{game.seed}",
        "state": _trains_hash(frame),
        "size_px": [width, height],
        "corners_px": _rounded(frame.corners_px, 2),
        "claims": dict(sorted(frame.claims.items())),
        "spaces": {route: list(frame.spaces[route]) for route in sorted(frame.spaces)},
        "half_filled_routes": _half_filled(frame),
        "stray_trains": _stray_trains(frame, game),
        "stations": dict(sorted(game.enactment.stage_at(t_s).stations.items())),
        "hidden": {
            route: _rounded(shares, 2)
            for route, shares in sorted(frame.hidden.items())
            if any(shares)
        },
        "frame_from_board": _rounded(frame.frame_from_board, 9),
        "lens": {
            "k1": lens.k1,
            "k2": lens.k2,
            "focal_px": round(lens.focal_px, 4),
            "centre_px": list(lens.centre_px),
        },
        "seed": game.seed,
        "seconds": round(t_s, 3),
        "notes": f"drawn by railspotter, scene {scene}",
    }


def ground_truth_json(truth: dict[str, Any]) -> bytes:
    """Format ground truth as JSON with one entry a line, for readable diffs."""
    lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in truth.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _trains_hash(frame: RenderedFrame) -> str:
    """Return a hash of the trains on all spaces."""
    standing = sorted((route, *map(str, spaces)) for route, spaces in frame.spaces.items())
    return f"{zlib.crc32(repr(standing).encode()):08x}"


def _half_filled(frame: RenderedFrame) -> list[str]:
    """Return the routes with an empty space among their trains; a shape fills its whole route."""
    shapes = {piece.route for piece in frame.pieces if piece.kind == "shape"}
    return sorted(
        route for route in frame.claims if route not in shapes and None in frame.spaces[route]
    )


def _stray_trains(frame: RenderedFrame, game: "VirtualGame") -> list[dict[str, Any]]:
    """Return the trains beside all spaces, each with the nearest space."""
    board = game.camera.printed
    spaces = [(route.id, i, s) for route in board.routes for i, s in enumerate(route.spaces)]
    middles = np.array([space.xy_mm for _, _, space in spaces])
    found = []
    for piece in frame.pieces:
        if piece.kind in ("marker", "station") or piece.route or piece.place:
            continue
        off_mm = np.hypot(*(middles - piece.xy_mm).T)
        nearest = int(off_mm.argmin())
        if off_mm[nearest] <= STRAY_MM:
            route, number, _ = spaces[nearest]
            found.append({"route": route, "space": number, "colour": piece.colour})
    return found


def _rounded(values: Any, digits: int) -> Any:
    return np.round(np.asarray(values, np.float64), digits).tolist()


@dataclass(frozen=True, eq=False)
class VirtualGame:
    """An animated game and the camera above it."""

    seed: int
    enactment: Enactment  # on the board as the camera's copy prints it
    camera: VirtualCamera

    @property
    def duration_s(self) -> float:
        """The length of the game."""
        return self.enactment.duration_s

    def frame_at(self, t_s: float) -> RenderedFrame:
        """Render the picture at a moment, with its ground truth."""
        return self.camera.take(self.enactment.scene_at(t_s))

    def still_after(self, t_s: float) -> float:
        """Return the first moment from `t_s` on without a hand, or the end."""
        while t_s < self.duration_s and self.enactment.hands_at(t_s):
            t_s += STILL_STEP_S
        return min(t_s, self.duration_s)


def virtual_game(
    edition: Edition,
    board: Board,
    seed: int,
    habits: Habits = CALM,
    *,
    copy: Copy | None = None,
    view: CameraSetup | None = None,
    sensor: Sensor | None = None,
    table_seed: int = 0,
    light: Light | None = None,
    played: PlayedGame | None = None,
) -> VirtualGame:
    """Animate a game, `played` or a new one, below a virtual camera.

    Raises `SceneError` for an unmeasured board, or a view that does not contain the board.
    """
    copy = replace(copy or Copy(), train_size_mm=edition.train_size_mm)
    camera = VirtualCamera(board, copy, view, sensor, table_seed)
    if played is None:
        played = play_game(edition, board, min(edition.players[1], MOST_PLAYERS), seed)
    return VirtualGame(seed, enact(played, camera.printed, seed, habits, light), camera)


def plain_game(edition: Edition, board: Board, seed: int, size_wh: tuple[int, int]) -> VirtualGame:
    """Create a game with neat placing and even light, on a board exactly as its file says."""
    view = CameraSetup(size_wh, tilt_deg=8.0)
    return virtual_game(edition, board, seed, view=view, sensor=Sensor(seed=seed))


def lively_game(
    edition: Edition,
    board: Board,
    seed: int,
    size_wh: tuple[int, int],
    played: PlayedGame | None = None,
) -> VirtualGame:
    """Create a game with everything that makes reading hard, derived from the seed.

    Print, camera position and light vary, and people push, drop, point and put cups down.
    """
    rng = np.random.default_rng([seed, 8])
    copy = Copy(
        seed=seed,
        scale=float(rng.uniform(0.97, 1.03)),
        stray_print_mm=4.0,
        ink_spread=6.0,
        plastic_spread=8.0,
        fold_mm=float(rng.uniform(0.0, 3.0)),
    )
    view = CameraSetup(
        size_wh,
        tilt_deg=float(rng.uniform(3.0, 28.0)),
        heading_deg=float(rng.uniform(-25.0, 25.0)),
        roll_deg=float(rng.uniform(-5.0, 5.0)),
        distance_mm=float(rng.uniform(900.0, 1400.0)),
        k1=float(rng.uniform(-0.12, 0.02)),
    )
    warmth = rng.uniform(-0.1, 0.25)
    light = Light(
        strength=float(rng.uniform(0.75, 1.15)),
        gain_bgr=(float(1.0 - warmth), 1.0, float(1.0 + warmth / 3)),
        from_deg=float(rng.uniform(0.0, 360.0)),
        height_deg=float(rng.uniform(35.0, 75.0)),
        ambient=float(rng.uniform(0.35, 0.6)),
        softness=float(rng.choice([0.01, 0.04, 0.12, 0.3])),
        glare=float(rng.choice([0.0, 0.15, 0.35])),
    )
    sensor = Sensor(noise=float(rng.uniform(1.5, 5.0)), seed=seed)
    habits = replace(Habits(), things=0.12, lamp=0.04)
    return virtual_game(
        edition,
        board,
        seed,
        habits,
        copy=copy,
        view=view,
        sensor=sensor,
        table_seed=seed,
        light=light,
        played=played,
    )
