"""Nudge a drawn board, and see whether following it is right, and what it costs.

    python benchmarks/follow_nudges.py [--nudges 150] [--seed 5]

Each nudge is up to 40 mm and 15 degrees, half of them under a hand, at 1920x1080. A board is
followed, or it is not and freezes; a pose more than 2 mm off is wrong. Costs are processor time,
beside that of decoding the same frame whole as a JPEG, half of which is there already.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np
from railspotter.calibration.finding.following import Follower, FollowState
from railspotter.calibration.geometry import homography_from_corners, outline_mm
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.frame import RenderedFrame
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.sensor import Sensor
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photo_file import to_jpeg
from railspotter.table.set_up.demo import demo_game
from railspotter.vision.decoding import decode, unpack

BOARD = load_board("usa")
WRONG_MM = 2.0
STEP_MM = 20


def main() -> None:
    """Nudge, follow, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nudges", type=int, default=150)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    game = demo_game()
    pieces = game.enactment.pieces_at(0.4 * game.duration_s)
    view = CameraSetup((1920, 1080), tilt_deg=15.0, heading_deg=5.0)
    camera = VirtualCamera(BOARD, view=view, sensor=Sensor(noise=3.0))
    first = camera.take(Scene(pieces))
    print_cost(first)
    rng = np.random.default_rng(options.seed)
    off_mm: dict[int, list[float | None]] = defaultdict(list)
    for number in range(options.nudges):
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(1, 40)
        turn = float(rng.uniform(-15, 15) * (rng.random() < 0.7))
        nudge = BoardShift(float(far * np.cos(way)), float(far * np.sin(way)), turn)
        frame = camera.take(Scene(pieces, hand(rng, number), nudge=nudge))
        followed = Follower(first.picture, pose_of(first)).follow(frame.picture)
        step = int(misfit_mm(pose_of(first), frame) // STEP_MM) * STEP_MM
        off_mm[step].append(None if followed.pose is None else misfit_mm(followed.pose, frame))
    print("corners moved   nudges  followed  wrong  worst mm")
    for step, found in sorted(off_mm.items()):
        poses = [off for off in found if off is not None]
        wrong = sum(off > WRONG_MM for off in poses)
        print(
            f"{step:4d} to {step + STEP_MM:3d} mm {len(found):8d} {len(poses):9d} {wrong:6d}"
            f" {max(poses, default=float('nan')):9.2f}"
        )


def print_cost(first: RenderedFrame) -> None:
    """Print what a frame costs in which nothing moved."""
    jpeg = to_jpeg(first.picture, 90)
    shown = unpack(jpeg)
    follower = Follower(shown, pose_of(first))
    costs = []
    for _ in range(50):
        started = time.process_time()
        assert follower.follow(shown).hold is FollowState.HOLDS
        followed = time.process_time()
        decode(jpeg)
        costs.append((followed - started, time.process_time() - followed))
    ours, decoding = np.median(costs, axis=0) * 1000
    print(f"a frame: {ours:.2f} ms, {ours / decoding:.2f} of decoding its JPEG ({decoding:.1f} ms)")


def hand(rng: np.random.Generator, number: int) -> tuple[Thing, ...]:
    """Return a hand over the board, every other time."""
    at = float(rng.uniform(100, 700)), float(rng.uniform(100, 400))
    turn = float(rng.uniform(-180, 180))
    return (Thing("hand", at, turn, seed=number, z_mm=10.0),) if number % 2 else ()


def pose_of(frame: RenderedFrame) -> Pose:
    """Return where the board truly is."""
    board_in_frame = homography_from_corners(frame.corners_px, BOARD.size_mm)
    return Pose(board_in_frame, np.zeros((1, 1, 2)), BOARD.size_mm, 0, 1.0)


def misfit_mm(pose: Pose, frame: RenderedFrame) -> float:
    """Return how far a pose's worst corner is from the frame's true one, on the board."""
    off = pose.on_board(frame.corners_px) - outline_mm(BOARD.size_mm)
    return float(np.linalg.norm(off, axis=1).max())


if __name__ == "__main__":
    main()
