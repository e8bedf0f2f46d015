"""Say what reading one board costs: processor time, and that over decoding the same picture.

    python benchmarks/reading_cost.py [--readings 12] [--board usa-photo europe-photo drawn]

A photo of each board, 1920 pixels wide at most, read with the photo of its empty board, and
pictures of a drawn game at 1280 x 720, as a camera sees them that stands still. The first reading
computes what depends on the print and the camera's place alone; later ones find it there. All
threads count, and a picture is decoded before every reading, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo, to_jpeg
from railspotter.table.pieces import pieces_of_edition
from railspotter.vision.decoding import decode
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.sites import with_site_routes
from railspotter.vision.watching.looks import Look, read

from live.game_table import Table
from live.photo_scenes import profile_of
from photos.labelled import PHOTOS, labelled_photos

PHOTO_NAMES = {"usa-photo": "IMG_4142_1920", "europe-photo": "cropped1_12-12"}
WIDEST_PX = 1920
SEED, MOMENTS = 1, 8  # the drawn game, and in how many of its pictures it is read
QUALITY = 90
DECODED = 5  # so often a picture is decoded before each reading


@dataclass(frozen=True)
class Cost:
    """Processor time of one reading, and of decoding its picture."""

    read_ms: float
    decode_ms: float


def photo_looks(name: str) -> list[Look]:
    """Return a photo as it is read."""
    photo = next(one for one in labelled_photos(PHOTOS) if one.path.stem == name)
    picture = load_photo(photo.path)
    scale = min(1.0, WIDEST_PX / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    board, edition = load_board(photo.board), load_edition(photo.board)
    profile = profile_of(photo.board, photo.shoot, "joined")
    printed = PrintedBoard.of(with_site_routes(board), profile)
    pieces = pieces_of_edition(edition, board, profile, None, printed)
    pose = find_board(np.asarray(small, np.uint8), profile)
    assert isinstance(pose, Pose), pose
    return [Look(np.asarray(small, np.uint8), pose, 0.0, printed, pieces)]


def drawn_looks() -> list[Look]:
    """Return pictures of a drawn game, from its first trains to its last."""
    table = Table.drawn(load_edition("usa"), "calm", SEED, (1280, 720))
    looks = []
    for at_s in np.linspace(0.1, 0.95, MOMENTS) * table.enactment.duration_s:
        picture = table.picture_at(float(at_s))
        pose = table.pose(float(at_s), picture)
        if pose is not None:
            in_play = frozenset(table.pieces.colours)
            looks.append(Look(picture, pose, float(at_s), table.printed, table.pieces, in_play))
    return looks


def costs(looks: Sequence[Look], readings: int) -> list[Cost]:
    """Read, in turn, so many times."""
    contents = [to_jpeg(look.picture, QUALITY) for look in looks]
    taken = []
    for number in range(readings):
        which = number % len(looks)
        decode_ms = min(cpu_ms(decode, contents[which])[1] for _ in range(DECODED))
        taken.append(Cost(cpu_ms(read, looks[which])[1], decode_ms))
    return taken


def cpu_ms(work: Callable[..., object], *args: object) -> tuple[object, float]:
    """Do some work, and return its result and the milliseconds that all threads took."""
    began = time.process_time()
    result = work(*args)
    return result, 1000 * (time.process_time() - began)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    boards = (*PHOTO_NAMES, "drawn")
    parser.add_argument("--readings", type=int, default=12, help="of each board (default: 12)")
    parser.add_argument("--board", nargs="+", choices=boards, default=boards)
    options = parser.parse_args(argv)
    if options.readings < 2:
        parser.error("--readings must be at least 2: the first one is told by itself")
    print(f"{'board':14} {'reading':8} {'ms':>6} {'decode ms':>10} {'ratio':>6}")
    for board in options.board:
        looks = drawn_looks() if board == "drawn" else photo_looks(PHOTO_NAMES[board])
        first, *later = costs(looks, options.readings)
        for name, some in (("first", [first]), ("later", later)):
            read_ms, decode_ms, ratio = (
                float(np.median(values))
                for values in (
                    [cost.read_ms for cost in some],
                    [cost.decode_ms for cost in some],
                    [cost.read_ms / cost.decode_ms for cost in some],
                )
            )
            print(f"{board:14} {name:8} {read_ms:6.0f} {decode_ms:10.1f} {ratio:6.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
