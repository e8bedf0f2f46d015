"""Find drawn boards by their corner markers, and say how large a marker must be in the picture.

    python benchmarks/find_markers.py [--scenes 60] [--seed 0]

Boards lie tilted to 40 degrees, in pictures from 640x360 to 1920x1080 that are blurred, noisy and
compressed; in every second one the cards are laid by hand, a millimetre and a degree off. The table
says how often markers of so many pixels were seen, and how far off the board's corners are.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from railspotter.calibration.finding.markers import find_by_markers, marker_corners_mm, see_markers
from railspotter.calibration.geometry import outline_mm
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.sensor import Sensor
from railspotter.table.photo_file import to_jpeg

from finding.marker_scenes import Laid, marked_board

SIZES = ((640, 360), (640, 480), (1280, 720), (1920, 1080))
BANDS_PX = (0, 12, 16, 20, 24, 32, 48, 10_000)  # of a marker's shortest side


def main(argv: Sequence[str] | None = None) -> None:
    """Find, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    board = load_board("usa")
    seen: dict[float, list[bool]] = defaultdict(list)
    off_mm: dict[str, list[float]] = defaultdict(list)
    refused: dict[str, int] = defaultdict(int)
    ratios = []
    for number in range(options.scenes):
        rng = np.random.default_rng([options.seed, number])
        size_wh = SIZES[number % len(SIZES)]
        view = CameraSetup(
            size_wh,
            tilt_deg=float(rng.uniform(0, 40)),
            heading_deg=float(rng.uniform(0, 360)),
            roll_deg=float(rng.choice([0, 180]) + rng.uniform(-10, 10)),
            distance_mm=1000.0,
            fill=float(rng.uniform(0.3, 0.72)),
        )
        sensor = Sensor(
            blur_px=float(rng.uniform(0, 1.3)) * size_wh[0] / 1280,
            noise=float(rng.uniform(1, 5)),
            jpeg_quality=int(rng.integers(40, 95)),
            seed=number,
        )
        by_hand = number // len(SIZES) % 2 == 1
        off = rng.normal(0, float(by_hand), (4, 3)).tolist()
        laid = {corner: Laid(corner, x, y, turn) for corner, (x, y, turn) in enumerate(off)}
        shown = marked_board(board, view, laid, sensor=sensor)
        found = {one.corner for one in see_markers(shown.picture)}
        for corner, quad in enumerate(marker_corners_mm(board.size_mm)):
            at_px = shown.projection.project(np.column_stack([quad, np.zeros(4)]))
            side = float(np.hypot(*(at_px - np.roll(at_px, 1, axis=0)).T).min())
            seen[max(b for b in BANDS_PX if b <= side)].append(corner in found)
        started = time.process_time()
        pose = find_by_markers(shown.picture, board.size_mm)
        seconds = time.process_time() - started
        coded = np.frombuffer(to_jpeg(shown.picture), np.uint8)
        started = time.process_time()
        cv2.imdecode(coded, cv2.IMREAD_COLOR)
        ratios.append(seconds / max(time.process_time() - started, 1e-6))
        how = "laid by hand" if by_hand else "laid exactly"
        if isinstance(pose, Pose):
            at_mm = shown.projection.board_points(pose.corners_px)
            off_mm[f"{how}, {pose.inliers // 4} markers"].append(
                float(np.hypot(*(at_mm - outline_mm(board.size_mm)).T).max())
            )
        else:
            refused[how] += 1
    for low, high in pairwise(BANDS_PX):
        if seen[low]:
            print(f"{low:3d} to {high:5d} px: seen {np.mean(seen[low]):.3f} of {len(seen[low])}")
    for how, values in sorted(off_mm.items()):
        middle, most, worst = np.percentile(values, [50, 90, 100])
        print(f"{how}: {len(values)} found, worst corner {middle:.2f} {most:.2f} {worst:.2f} mm")
    for how, count in sorted(refused.items()):
        print(f"{how}: {count} refused")
    print(f"{np.median(ratios):.1f} times decoding the picture")


if __name__ == "__main__":
    main()
