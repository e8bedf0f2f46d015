"""Fit the weights of vision/reading/covered_spaces.py, which detect covered spaces.

    python benchmarks/fit_covering.py [--only GLOB ...]

Things are laid over photos (hardships/covering.py), which are read by another empty board and by
the fingerprint. Spaces that lie under one by half are covered; spaces that none touches are not.
Prints the weights of a logistic fit, in which covered spaces count a tenth of all.
"""

import argparse
import sys
from collections.abc import Iterator
from fnmatch import fnmatch

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.board import load_board
from railspotter.table.photos.score import FoundBoard
from railspotter.vision.reading import covered_spaces
from railspotter.vision.reading.cue_reader import weigh

from hardships.covering import THING_SETS, choose_things, cover_board
from hardships.steps import BESIDE_PX, LEAST_SHOWN_SHARE, make_shot, share_in_mask
from photos.labelled import HOUSE_SHOOTS, LabelledPhoto
from read_hardships import choose_photos, make_scorer, reference_blank

COVERED_SHARE = 0.1  # share of all that covered spaces count
RIDGE = 1e-3  # towards no weight at all
ROUNDS = 40


def covering_samples(photo: LabelledPhoto, step: str) -> Iterator[tuple[Float64s, Float64s]]:
    """Yield the cues of a photo's spaces under things, and which are covered: 1, 0, or neither."""
    board = load_board(photo.board)
    shot = make_shot(photo, board.size_mm)
    things = choose_things(board, photo.exposure, step)
    picture, mask = cover_board(shot.picture, shot.corners_px, board.size_mm, things)
    around = cv2.dilate(mask, np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8))
    spaces = [space for route in board.routes for space in route.spaces]
    under, near = (
        np.array([share_in_mask(space, shot, np.asarray(by, np.uint8)) for space in spaces])
        for by in (mask, around)
    )
    covered = np.where(under >= 1 - LEAST_SHOWN_SHARE, 1.0, np.where(near == 0, 0.0, np.nan))
    for reference in ("another", "fingerprint"):
        blank = reference_blank(photo, reference)
        if blank is None:
            continue
        found = make_scorer(photo.board, blank).find_by_profile(picture)
        if isinstance(found, FoundBoard):
            weighed = weigh(found.view)
            covered_spaces.ASKED = -np.inf  # features are looked at all over the board
            cues, _ = covered_spaces.covering_cues(weighed.view, weighed.first, weighed.odds)
            yield cues[: len(spaces)], covered


def fit_logistic(cues: Float64s, covered: Float64s) -> Float64s:
    """Return the weights of a logistic regression by Newton's method, the intercept last."""
    design = np.column_stack([cues, np.ones(len(cues))])
    counts = np.where(covered > 0, COVERED_SHARE / covered.mean(), 1.0)
    ridge = RIDGE * np.diag([1.0] * cues.shape[1] + [0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ (counts * (covered - chance)) / counts.sum() - ridge @ weights
        hessian = (design.T * (counts * chance * (1 - chance))) @ design / counts.sum() + ridge
        weights = weights + np.linalg.solve(hessian + 1e-9 * np.eye(len(hessian)), gradient)
    return np.asarray(weights, np.float64)


def main() -> None:
    """Measure, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="photos so named")
    options = parser.parse_args()
    photos = [photo for _, photo in choose_photos([*HOUSE_SHOOTS])]
    chosen = [p for p in photos if any(fnmatch(p.path.name, glob) for glob in options.only)]
    rows = [row for photo in chosen for step in THING_SETS for row in covering_samples(photo, step)]
    if not rows:
        sys.exit("no such photos")
    cues, covered = np.vstack([row[0] for row in rows]), np.concatenate([row[1] for row in rows])
    is_known = np.isfinite(covered)
    print(np.count_nonzero(covered == 1), "covered of", np.count_nonzero(is_known), "spaces")
    print(*fit_logistic(cues[is_known], covered[is_known]).round(2).tolist())


if __name__ == "__main__":
    main()
