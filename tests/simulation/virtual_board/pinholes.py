"""A pinhole camera made of what `CameraSetup` says alone, to check the virtual board's by."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from railspotter.simulation.arrays import Points
from railspotter.simulation.virtual_board.camera import CameraSetup


def seen_at(view: CameraSetup, size_mm: tuple[float, float], points_mm: ArrayLike) -> Points:
    """Where a pinhole that looks at the board's middle sees scene points, (N, 2) pixels.

    It knows nothing of rotations: its axes are cross-checked by what a person sees. To the right in
    the picture is to the right of whoever stands on that side of the board; down is towards him.
    """
    assert view.roll_deg == view.k1 == view.k2 == 0
    tilt, heading = np.deg2rad([view.tilt_deg, view.heading_deg])
    middle = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
    towards_him = np.array([np.sin(heading), np.cos(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    eye = middle + view.distance_mm * (np.sin(tilt) * towards_him + np.cos(tilt) * up)
    ahead = (middle - eye) / view.distance_mm
    right = np.array([np.cos(heading), -np.sin(heading), 0.0])
    down = np.cos(tilt) * towards_him - np.sin(tilt) * up

    def tangents(points: Points) -> Points:
        rays = points - eye
        across = np.column_stack([rays @ right, rays @ down])
        return np.asarray(across / (rays @ ahead)[:, None], np.float64)

    width, height = size_mm
    board = np.array([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)], np.float64)
    half = np.array(view.size_wh) / 2
    focal = view.fill / (np.abs(tangents(board)) / half).max()
    return np.asarray(focal * tangents(np.asarray(points_mm, np.float64)) + half - 0.5, np.float64)
