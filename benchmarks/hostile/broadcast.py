"""A network camera that shows a drawn game, rendered beforehand."""

import sys
import time
from bisect import bisect_right
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[2] / folder) for folder in ("tests", "tests/support")
)

from camera_server import Request, serving
from railspotter.simulation.virtual_game import VirtualGame
from railspotter.table.photo_file import to_jpeg
from railspotter.table.set_up.demo import HABITS, demo_game

SEED = 8
SIZE_WH = (960, 540)
# Slower than the demonstration, for a busy computer that reads slowly.
SLOW_HABITS = replace(HABITS, pace=2.0, thinking_s=(3.0, 6.0))
# Five are looked at, as of every camera in the net; of twice as many those are taken in time.
DRAWN_PER_S, SENT_PER_S = 5, 10
QUALITIES = 85, 84, 83  # in turn: no camera sends the very same picture twice, nor every second one
PROCESSES = 2


def make_game() -> VirtualGame:
    """Return the game: four players, ten minutes, a claim every eight seconds."""
    return demo_game(SEED, SLOW_HABITS, SIZE_WH)


def render_pictures(folder: Path, seconds: float) -> float:
    """Render the game's missing pictures into a folder; return when it is still at the end."""
    played = make_game()
    until_s = played.still_after(seconds)
    number, numbers = 0, [0]
    while number / DRAWN_PER_S < until_s + 1:
        number += 1
        around = (number - 1, number)
        if any(played.enactment.hands_at(at / DRAWN_PER_S) for at in around):
            numbers.append(number)
    last = QUALITIES[-1]
    missing = [number for number in numbers if not _picture_path(folder, number, last).exists()]
    with ProcessPoolExecutor(PROCESSES) as pool:
        list(pool.map(partial(_render_numbers, folder), [missing[k::8] for k in range(8)]))
    return until_s


def _render_numbers(folder: Path, numbers: Sequence[int]) -> None:
    played = make_game()
    for number in numbers:
        picture = played.frame_at(number / DRAWN_PER_S).picture
        for quality in QUALITIES:
            _picture_path(folder, number, quality).write_bytes(to_jpeg(picture, quality))


def _picture_path(folder: Path, number: int, quality: int) -> Path:
    return folder / f"{number:05}.{quality}"


def serve_camera(folder: Path, until_s: float) -> None:
    """Serve as the camera until standard input ends; print the port, and when the game began."""
    numbers = sorted(int(path.stem) for path in folder.glob(f"*.{QUALITIES[0]}"))
    begun_s: float | None = None

    def send_pictures(viewer: Request) -> None:
        """Send the current picture; until the game begins, the first one."""
        viewer.moving()
        due_s = time.monotonic()
        for quality in cycle(QUALITIES):
            t_s = 0.0 if begun_s is None else min(time.time() - begun_s, until_s)
            # While nothing moves nothing is drawn: the last picture stays.
            at = bisect_right(numbers, int(t_s * DRAWN_PER_S)) - 1
            viewer.part(_picture_path(folder, numbers[at], quality).read_bytes())
            due_s = max(due_s + 1 / SENT_PER_S, time.monotonic() - 1 / SENT_PER_S)
            time.sleep(max(0.0, due_s - time.monotonic()))

    with serving(send_pictures) as camera:
        print(camera.server_port, flush=True)
        for _ in sys.stdin:
            begun_s = time.time()
            print(begun_s, flush=True)
