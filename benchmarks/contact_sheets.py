"""Draw the contact sheets of docs/virtual-board.md.

    python benchmarks/contact_sheets.py [--out DIR]

One sheet shows the same moment of a game in many lights, the other what else happens to a picture.
They hold nothing that the program has not drawn itself, and are the same whenever they are drawn.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import Board, RouteId, load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.placing import push_route
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.sensor import Sensor
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.set_up.demo import demo_game

DOCS = Path(__file__).resolve().parent.parent / "docs"
DRAWN_WH, CLOSE_WH, SHOWN_WH = (960, 640), (480, 320), (390, 260)
COLUMNS = 3
CAPTION_PX = 26
QUALITY = 64
MIDDLE = 0.6  # of the game: so much of it has been played

VIEW = CameraSetup(DRAWN_WH, tilt_deg=14.0, heading_deg=5.0, fill=0.94)
LIGHTS = {
    "even": Light(),
    "hard sun, low": Light(height_deg=28.0, softness=0.005, ambient=0.3, strength=1.1),
    "bright ceiling": Light(height_deg=80.0, softness=0.3, ambient=0.6, falloff=0.05),
    "warm lamp": Light(gain_bgr=(0.5, 0.82, 1.05), falloff=0.35),
    "very warm and dim": Light(gain_bgr=(0.3, 0.7, 1.0), strength=0.6),
    "cold daylight": Light(gain_bgr=(1.15, 1.0, 0.75), from_deg=270.0, softness=0.2),
    "one lamp at the side": Light(from_deg=0.0, height_deg=35.0, falloff=0.8, ambient=0.3),
    "small glare": Light(glare=0.8, glare_size=3.0, height_deg=75.0, from_deg=265.0),
    "broad glare": Light(glare=0.7, glare_size=12.0, height_deg=78.0, from_deg=300.0),
    "dim, noisy": Light(strength=0.35),
    "too bright": Light(strength=1.6),
    "green cast": Light(gain_bgr=(0.85, 1.1, 0.85)),
}
NOISY = Sensor(noise=9.0)


def main() -> None:
    """Draw both sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DOCS, help="where to (default: docs/)")
    out: Path = parser.parse_args().out
    save(out / "virtual-board-lights.jpg", lights())
    save(out / "virtual-board-disturbances.jpg", disturbances())


def lights() -> Picture:
    """Return the sheet of lights."""
    pieces = standing()
    hand = Thing("hand", (470.0, 330.0), -80.0, seed=3, z_mm=25.0, holds="red")
    shown = {}
    for name, light in LIGHTS.items():
        camera = VirtualCamera(
            load_board("usa"), view=VIEW, sensor=NOISY if "noisy" in name else Sensor()
        )
        shown[name] = camera.take(Scene(pieces, (hand,), light)).picture
    return sheet(shown)


def disturbances() -> Picture:
    """Return the sheet of everything else."""
    pieces = standing()
    things = (
        Thing("cup", (60.0, 40.0), 30.0, seed=1),
        Thing("train card", (300.0, 505.0), 70.0, seed=2),
        Thing("ticket card", (420.0, 515.0), -15.0, seed=3),
        Thing("phone", (690.0, 20.0), 10.0, seed=4),
    )
    low = CameraSetup(DRAWN_WH, tilt_deg=48.0, heading_deg=-25.0, distance_mm=1100.0)
    wide = CameraSetup(DRAWN_WH, tilt_deg=18.0, distance_mm=560.0, k1=-0.16, fill=0.97)
    shown = {
        "hands": take(
            Scene(
                pieces,
                (
                    Thing("hand", (300.0, 260.0), -70.0, seed=5, z_mm=10.0, holds="blue"),
                    Thing("hand", (610.0, 220.0), 160.0, seed=9, z_mm=40.0),
                ),
            )
        ),
        "cup, cards, phone": take(Scene(pieces, things)),
        "the box lid put down": take(
            Scene(pieces, (Thing("box lid", (690.0, 470.0), 20.0, seed=6),))
        ),
        "the board pushed and turned": take(Scene(pieces, nudge=BoardShift(30.0, -15.0, 9.0))),
        "upside down": take(Scene(pieces, nudge=BoardShift(turn_deg=180.0))),
        "trains bumped and tipped": mishap(pieces),
        "from low at the side": take(Scene(pieces), low),
        "a wide lens, near": take(Scene(pieces), wide),
        "out of focus, moved": take(
            Scene(pieces), sensor=Sensor(blur_px=2.2, motion_px=(7.0, 3.0))
        ),
        "noise and hard JPEG": take(Scene(pieces), sensor=Sensor(noise=14.0, jpeg_quality=12)),
        "another copy, folded": take(
            Scene(pieces), copy=Copy(seed=5, stray_print_mm=6.0, ink_spread=25.0, fold_mm=8.0)
        ),
        "other plastic": take(Scene(pieces), copy=Copy(seed=8, plastic_spread=25.0)),
    }
    return sheet(shown)


def standing() -> tuple[Piece, ...]:
    """Return what stands on the board of a game that is played to the middle."""
    game = demo_game()
    return game.enactment.pieces_at(MIDDLE * game.duration_s)


def take(
    scene: Scene, view: CameraSetup = VIEW, sensor: Sensor | None = None, copy: Copy | None = None
) -> Picture:
    """Take one picture."""
    return VirtualCamera(load_board("usa"), copy, view, sensor).take(scene).picture


def mishap(pieces: tuple[Piece, ...]) -> Picture:
    """Return a near look at trains that slid off their spaces onto the free lane beside them."""
    board = load_board("usa")
    taken = {piece.route for piece in pieces}
    lanes = {r: lane for r in taken if r for lane in board.other_lanes.get(r, ())}
    route = min(r for r, lane in lanes.items() if lane not in taken and not is_short(board, r))
    bumped = bump(push_route(pieces, route, 4.0, 5.0, 6.0), board, route, 0, lanes[route])
    frame = VirtualCamera(board, view=CameraSetup((2400, 1600))).take(
        Scene(tip(bumped, route, 1, 80.0))
    )
    spots = [(*space.xy_mm, 0.0) for space in board.route_by_id[route].spaces]
    x, y = frame.projection.project(spots).mean(axis=0).astype(int)
    left, top = max(x - CLOSE_WH[0] // 2, 0), max(y - CLOSE_WH[1] // 2, 0)
    return frame.picture[top : top + CLOSE_WH[1], left : left + CLOSE_WH[0]]


def is_short(board: Board, route: RouteId) -> bool:
    """Whether a route has too few trains to bump one and tip another."""
    return board.route_by_id[route].length < 3


def sheet(shown: Mapping[str, Picture]) -> Picture:
    """Return pictures in rows, each with its name below it."""
    cells = [captioned(name, picture) for name, picture in shown.items()]
    rows = [np.hstack(cells[i : i + COLUMNS]) for i in range(0, len(cells), COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def captioned(name: str, picture: Picture) -> Picture:
    """Return a small picture with its name below it."""
    small = cv2.resize(picture, SHOWN_WH, interpolation=cv2.INTER_AREA)
    cell = cv2.copyMakeBorder(small, 3, CAPTION_PX, 3, 3, cv2.BORDER_CONSTANT, value=(255,) * 3)
    at = 8, cell.shape[0] - 9
    cv2.putText(cell, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 30, 30), 1, cv2.LINE_AA)
    return np.asarray(cell, np.uint8)


def save(path: Path, picture: Picture) -> None:
    """Write a sheet and say how large it is."""
    content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    path.write_bytes(content)
    print(f"{path.name}: {picture.shape[1]} x {picture.shape[0]}, {len(content) / 1000:.0f} kB")


def bump(
    pieces: Sequence[Piece],
    board: Board,
    route: RouteId,
    space: int,
    onto: RouteId,
    far: float = 1.0,
    turn_deg: float = 25.0,
) -> tuple[Piece, ...]:
    """Knock one train off its space, onto the nearest space of another route.

    It keeps the route and space that its owner means it to count on.
    """
    if onto not in board.route_by_id:
        raise SceneError(f"board {board.id!r} has no route {onto!r}")
    ends = [np.array(space.xy_mm) for space in board.route_by_id[onto].spaces]
    piece = _on(pieces, route, space)
    start = np.array(piece.xy_mm)
    end = min(ends, key=lambda xy: float(np.hypot(*(xy - start))))
    x, y = start + far * (end - start)
    angle = piece.angle_deg + turn_deg
    bumped = replace(piece, xy_mm=(float(x), float(y)), angle_deg=angle)
    return tuple(bumped if one is piece else one for one in pieces)


def tip(pieces: Sequence[Piece], route: RouteId, space: int, lean_deg: float) -> tuple[Piece, ...]:
    """Tip one train to its right, against its neighbour or, at 90, onto its side."""
    piece = _on(pieces, route, space)
    return tuple(replace(one, lean_deg=lean_deg) if one is piece else one for one in pieces)


def _on(pieces: Sequence[Piece], route: RouteId, space: int) -> Piece:
    for piece in pieces:
        if (piece.route, piece.space) == (route, space):
            return piece
    raise SceneError(f"no train stands on space {space!r} of {route!r}")


if __name__ == "__main__":
    main()
