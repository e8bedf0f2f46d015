"""Boards proposed from pictures alone: `python benchmarks/propose_boards.py [PICTURE ...]`.

A picture is a labelled photo of an empty board, as `usa/IMG_4169_1920`, in a folder of photos
beside the project, or a drawn board, as `drawn-usa`. Printed are, of the places and routes of the
board's file, how many are proposed right, and how many proposals are no place or no route. A place
is right within 6 mm, a route between right places and with its length.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.calibration.board_making.draft import Draft, draft_of
from railspotter.calibration.board_making.printed_dots import find_dots, with_dots
from railspotter.calibration.board_making.printed_spaces import find_spaces
from railspotter.calibration.board_making.stringing import with_proposals
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.boards.picture import rectified_board

from photos.labelled import PHOTOS

DRAWN_PREFIX = "drawn-"
PICTURES = (
    "drawn-usa",
    "drawn-newyork",
    "drawn-europe",
    "usa/IMG_4048_blank_1008",
    "usa/IMG_4169_1920",
    "usa/IMG_4170_1920",
    "usa/IMG_4172_1920",
    "usa/IMG_4181_1920",
    "europe/cropped_blank",
)
TOLERANCE_MM = 6.0


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pictures", nargs="*", default=PICTURES)
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    chosen = parser.parse_args(argv)
    print("| picture | places right, false | routes right, false | s |")
    print("|---|---|---|---|", flush=True)
    for name in chosen.pictures:
        began = time.process_time()
        board, picture = load_picture(name, chosen.photos)
        counts = count_right(board, propose(board, picture))
        print(f"| {name} | {counts} | {time.process_time() - began:.0f} |", flush=True)


def load_picture(name: str, photos: Path) -> tuple[Board, Picture]:
    """Return a board and its rectified picture."""
    if name.startswith(DRAWN_PREFIX):
        board = load_board(name.removeprefix(DRAWN_PREFIX))
        return board, draw_board(board, 2.0, seed=3)
    label = msgspec.json.decode((photos / f"{name}.json").read_bytes())
    board = load_board(label["board"])
    photo = cv2.imread(str(photos / label["board"] / label["photo"]))
    corners = tuple((x, y) for x, y in label["corners_px"])
    return board, rectified_board(np.asarray(photo, np.uint8), corners, board.size_mm)


def propose(board: Board, picture: Picture) -> Draft:
    """Return the proposal from a picture and the board's size."""
    empty = replace(board, places=(), routes=(), tickets=(), sites=(), score_track=())
    spaces = find_spaces(picture, board.size_mm)
    draft = draft_of(empty, board.size_mm)
    return with_proposals(with_dots(draft, find_dots(picture, board.size_mm, spaces)), spaces)


def count_right(board: Board, draft: Draft) -> str:
    """Return the numbers of right, expected and false places and routes."""
    true_of: dict[str, str] = {}
    for place in draft.places:  # the surest first
        far = {p.id: float(np.hypot(*np.subtract(p.xy_mm, place.xy_mm))) for p in board.places}
        nearest = min(far, key=far.__getitem__)
        if far[nearest] < TOLERANCE_MM and nearest not in true_of.values():
            true_of[place.id] = nearest
    printed = Counter((frozenset((r.a, r.b)), r.length) for r in board.routes)
    found = Counter(
        (frozenset((true_of.get(r.a, r.a), true_of.get(r.b, r.b))), r.length) for r in draft.routes
    )
    right = (printed & found).total()
    return (
        f"{len(true_of)} of {len(board.places)}, {len(draft.places) - len(true_of)} "
        f"| {right} of {len(board.routes)}, {found.total() - right}"
    )


if __name__ == "__main__":
    main()
