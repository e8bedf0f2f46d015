"""A board's fingerprint: features of its print, as numbers, that come with the program.

With it the outline of a board that this user has never photographed before is found in their first
photo of it. It holds positions and gradient histograms, no picture.
"""

from __future__ import annotations

import io
from importlib import resources

import numpy as np
from railspotter.scoring.board import Board

from .features import Features
from .finding import FindingSettings, find_by_features
from .geometry import FloatArray
from .pose import NotFound, Picture

SEARCHES = ((1600, 6000), (960, 2000))
"""Longer side and features of each search. Nobody waits for a calibration: the finer one first."""


def load_fingerprint(board: str) -> Features | None:
    """Return a board's fingerprint, points in board millimetres; None when it has none."""
    file = resources.files(__package__).joinpath("fingerprints", f"{board}.npz")
    if not file.is_file():
        return None
    with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
        return Features(arrays["points_mm"].astype(np.float64), arrays["descriptors"])


def fingerprint_bytes(features: Features) -> bytes:
    """Return the content of a fingerprint's file."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        allow_pickle=False,
        points_mm=features.points.astype(np.float32),
        descriptors=features.descriptors,
    )
    return file.getvalue()


def find_outline(photo: Picture, board: Board) -> FloatArray | NotFound:
    """Find the printed board's corners in a photo that no profile knows yet.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR

    Returns
    -------
    (4, 2) float64 array or NotFound
        Top left, top right, bottom right, bottom left, good to about 2 mm. Where the board is cut
        off they lie outside the photo, as `reference.check_corners` says.
    """
    fingerprint = load_fingerprint(board.id)
    if fingerprint is None:
        return NotFound(f"the board {board.id!r} cannot be found by itself")
    result: NotFound = NotFound("")
    for longer_side_px, limit in SEARCHES:
        pose = find_by_features(
            photo, fingerprint, board.size_mm, longer_side_px, limit, FindingSettings()
        )
        if not isinstance(pose, NotFound):
            return pose.corners_px
        result = pose
    return result
