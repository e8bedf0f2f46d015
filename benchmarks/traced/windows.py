"""Cut windows around spaces from traced pictures, to train vision/look/train_net.py.

    python benchmarks/traced/windows.py OUT.npz --pictures DIR [--windows N] [--seed S]

DIR is one of `make_traced.py --plastic` or `make_own_art.py --plastic`. Each board is found by its
own print's picture, from straight above and in light of its own, and read beside that print, often
inked otherwise, beside a photo of it empty, a drawing of it, or one that shows of the print a part.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.pose import NotFound, Pose, rectify, viewpoint
from railspotter.calibration.profiles.drawn_reference import draw_reference, measure_colours
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces, View
from railspotter.vision.printed.printed_board import PrintedBoard

from hardships.renderings import to_linear, to_srgb
from photos.labelled import LabelledPhoto, labelled_photos
from teaching.photo_windows import cut_windows
from teaching.relighting import change_tones, relight
from teaching.relit_boards import FREE, UNKNOWN_SPACE, RelitBoard
from teaching.taught_windows import save, windows_parser
from traced.prints import load_print

WINDOWS_A_BOARD = 120  # of one look at a board: a picture costs much, and its windows all differ


@lru_cache
def print_profile(board: str, name: str) -> tuple[Board, Profile]:
    """Return a print's board and its picture without light."""
    printed = load_print(board, name)
    height, width = printed.picture.shape[:2]
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (width - 1, height - 1)
    return printed.board, make_profile(printed.picture, printed.board, corners, name, "")


def board_views(photos: list[LabelledPhoto], rng: Generator) -> Iterator[RelitBoard]:
    """Yield the pictures' boards in random order, repeatedly, each time by another reference."""
    poses: dict[Path, Pose | NotFound] = {}
    while True:
        for number in rng.permutation(len(photos)):
            photo = photos[number]
            board, profile = print_profile(photo.board, photo.shoot.split("/")[0])
            picture = load_photo(photo.path)
            if photo.path not in poses:
                poses[photo.path] = find_by_print(picture, profile)
            pose = poses[photo.path]
            if not isinstance(pose, NotFound):
                printed = PrintedBoard.of(board, profile)
                reference = _choose_reference(printed, rng)
                yield _label_board(photo, picture, pose, replace(printed, reference=reference))


def _choose_reference(printed: PrintedBoard, rng: Generator) -> Picture:
    """Return the reference by which a board is read, in its print's size."""
    kind, own, scale = rng.random(), printed.reference, printed.px_per_mm
    if kind < 0.25:  # a photo of it empty
        return relight(own, np.zeros(own.shape[:2], np.float32), scale, rng)
    reference = own
    if kind < 0.65:
        reference = _draw_reference(own, scale, printed.board, rng)
    if kind > 0.55:
        share = rng.uniform(0.3, 0.9)
        mixed = cv2.addWeighted(own, share, reference, 1 - share, 0)
        reference = np.asarray(mixed, np.uint8)
    return change_tones(reference, scale, rng) if rng.random() < 0.6 else reference


def _draw_reference(own: Picture, scale: float, board: Board, rng: Generator) -> Picture:
    """Return the drawing of a print's fingerprint, with some shine."""
    shine = np.float32(rng.uniform(0, 0.05))
    shown = to_srgb(shine + (1 - shine) * to_linear(own))
    return draw_reference(measure_colours(shown, scale, board, {}), scale, board, {})


def _label_board(
    photo: LabelledPhoto, picture: Picture, pose: Pose, printed: PrintedBoard
) -> RelitBoard:
    mask = cv2.imread(str(photo.path.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
    assert mask is not None
    edition = load_edition(photo.board)
    exclusive = printed.board.lanes
    pieces = Pieces(plastic(edition.plastic), edition.train_size_mm, exclusive=exclusive)
    known = {train.name: number for number, train in enumerate(pieces.trains)}
    colours = []
    for route in printed.board.routes:
        there = photo.truth["spaces"].get(route.id, ["?"] * route.length)
        colours += [
            UNKNOWN_SPACE if one == "?" else FREE if one is None else known.get(one, 0)
            for one in there
        ]
    scale = printed.px_per_mm
    rectified = rectify(picture, pose, scale)
    seen = rectify(np.dstack([mask] * 3), pose, scale)[..., 0].astype(np.float32) / np.float32(255)
    view = View(printed, rectified, viewpoint(pose.frame_from_board, picture.shape[1::-1]), pieces)
    return RelitBoard("traced", view, np.array(colours, np.intp), seen)


def main() -> None:
    """Cut as many windows as asked for."""
    parser = windows_parser(__doc__)
    parser.add_argument("--pictures", type=Path, required=True)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    photos = labelled_photos(arguments.pictures)
    source = (cut_windows(relit, rng, WINDOWS_A_BOARD) for relit in board_views(photos, rng))
    save(arguments.out, source, arguments.windows)


if __name__ == "__main__":
    main()
