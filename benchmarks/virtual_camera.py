"""How fast the virtual camera runs: `python benchmarks/virtual_camera.py [--frames N] [--large]`.

Fixed inputs: a game on the USA board in which a train more stands every few frames, a hand moves
across it all the time, the light drifts and the noise is new in every frame. On one core, in
processor time, so that a busy machine counts less; so does the ratio to pressing and reading the
same frames as JPEG in the same run. Each size has a process of its own, whose peak memory counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time

import cv2
import numpy as np
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.placing import stand_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera

# Width, height and the frames a second that are asked for.
SIZES = {"1280x720": (1280, 720, 15), "1920x1080": (1920, 1080, 8), "4000x3000": (4000, 3000, 0)}
TRAIN_EVERY = 4  # so many frames pass until another train stands
COLOURS = ("red", "blue", "green", "yellow", "black")


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--large", action="store_true", help="12 megapixels too")
    parser.add_argument("--size", choices=SIZES, help="this one alone, in this process")
    asked = parser.parse_args()
    if asked.size:
        report(asked.size, asked.frames)
        return
    print("size       first s  fps  asked   p95 ms  jpeg fps  ratio  peak MB")
    for size in list(SIZES)[: 3 if asked.large else 2]:
        command = [sys.executable, __file__, "--size", size, "--frames", str(asked.frames)]
        sys.stdout.flush()
        subprocess.run(command, check=True)


def report(size: str, frames: int) -> None:
    """Play a game before the camera and print how long it took."""
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    width, height, wanted = SIZES[size]
    started = time.process_time()
    camera = VirtualCamera(load_board("usa"), view=CameraSetup((width, height), tilt_deg=15))
    claims = {r.id: COLOURS[i % 5] for i, r in enumerate(camera.printed.routes) if i % 4}
    pieces = stand_trains(camera.printed, claims)
    stood = len(pieces) // 2
    camera.take(Scene(pieces[:stood]))
    first_s = time.process_time() - started

    took, pressed = [], []
    for moment in range(frames):
        standing = pieces[: stood + moment // TRAIN_EVERY]
        scene = Scene(standing, (hand(moment),), light(moment), moment=moment)
        started = time.process_time()
        picture = camera.take(scene).picture
        taken = time.process_time()
        cv2.imdecode(cv2.imencode(".jpg", picture)[1], cv2.IMREAD_COLOR)
        took.append(taken - started)
        pressed.append(time.process_time() - taken)
    fps, jpeg_fps = 1 / np.mean(took), 1 / np.mean(pressed)
    p95_ms = 1000 * np.quantile(took, 0.95)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{size:10} {first_s:7.2f} {fps:4.0f} {wanted or '-':>6} {p95_ms:8.1f} {jpeg_fps:9.0f}"
        f" {fps / jpeg_fps:6.2f} {peak_mb:8.0f}"
    )


def hand(moment: int) -> Thing:
    """Return a hand that goes round over the board."""
    turn = moment / 15
    x, y = 400 + 200 * np.cos(turn), 280 + 120 * np.sin(turn)
    return Thing("hand", (float(x), float(y)), -90 + 15 * float(np.sin(turn)), seed=3, z_mm=12)


def light(moment: int) -> Light:
    """Return the light, which gets dimmer and warmer."""
    return Light(strength=1 - 0.001 * moment, gain_bgr=(1 - 0.001 * moment, 1.0, 1.0))


if __name__ == "__main__":
    main()
