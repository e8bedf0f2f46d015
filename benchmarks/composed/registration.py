"""Registers photos of one board to a tenth of a millimetre.

Finding and aligning leave some tenths of a millimetre: enough for reading, and a seam in a picture
that is put together. A dense flow between the photo and the empty board takes the rest away; where
trains stand nothing agrees, and the bare ground around them decides.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Mask, Picture
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import Profile

Maps = tuple[Float32s, Float32s]

ROUNDS = 3  # after three the median patch is .06 mm off, and stays so
LEAST_CORRELATION = 0.7
MOST_SHIFT_MM = 2.5
OUTLIER_MM = 0.8
COARSENING = 6
# Folds are wider than this, trains and their shadows on print that was taken for bare are not.
SMOOTH_MM = 8.0


@dataclass(frozen=True, eq=False)
class Registration:
    """The position of every point of a board in a photo."""

    frame_from_board: Float64s
    # (H, W, 2) float32 array. Over the whole board: the point x is seen where `frame_from_board`
    # puts x + bend.
    bend_mm: Float32s
    size_mm: tuple[float, float]
    frame_wh: tuple[int, int]  # the photo's size

    def maps(self, px_per_mm: float) -> Maps:
        """Return for every pixel of the rectified board its position in the photo."""
        return _board_maps(self.frame_from_board, self.bend_mm, self.size_mm, px_per_mm)

    def rectify(self, photo: Picture, px_per_mm: float) -> Picture:
        """Return the board in the photo as seen from straight above."""
        seen = cv2.remap(photo, *self.maps(px_per_mm), cv2.INTER_CUBIC, None, cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.uint8)

    def inverse_maps(self, px_per_mm: float, frame_wh: tuple[int, int], moved: Float64s) -> Maps:
        """Return for every pixel of a frame its position in the rectified board."""
        board_from_frame = np.asarray(np.linalg.inv(moved @ self.frame_from_board), np.float64)
        x, y = _project_grid(board_from_frame, *_grid(frame_wh, 0.0, 1.0))
        width, height = self.size_mm
        bend = self.bend_mm
        scale_x, scale_y = bend.shape[1] / width, bend.shape[0] / height
        true_x, true_y = x, y
        for _ in range(2):  # the bend is given at the true point, and small
            at = (true_x * scale_x - 0.5).astype(np.float32)
            at_y = (true_y * scale_y - 0.5).astype(np.float32)
            off = cv2.remap(bend, at, at_y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
            true_x, true_y = x - off[..., 0], y - off[..., 1]
        return (
            (true_x * px_per_mm - 0.5).astype(np.float32),
            (true_y * px_per_mm - 0.5).astype(np.float32),
        )


def register(photo: Picture, profile: Profile) -> Registration:
    """Find a board in a photo, and return its registration."""
    pose = find_by_print(photo, profile)
    if isinstance(pose, NotFound):
        raise ValueError(pose.reason)
    height, width = profile.reference.shape[:2]
    bend = np.asarray(cv2.resize(pose.bend_mm.astype(np.float32), (width, height)), np.float32)
    bend = bend.reshape(height, width, 2)  # one cell alone loses its last axis
    reference = _normalise(profile.reference)
    flow_between = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    x, y = _grid((width, height), 0.0, 1.0)
    for _ in range(ROUNDS):
        maps = _board_maps(pose.frame_from_board, bend, profile.size_mm, profile.px_per_mm)
        seen = _normalise(np.asarray(cv2.remap(photo, *maps, cv2.INTER_CUBIC), np.uint8))
        flow = flow_between.calc(reference, seen, np.zeros((height, width, 2), np.float32))
        fitted = cv2.remap(seen, x + flow[..., 0], y + flow[..., 1], cv2.INTER_LINEAR)
        flow_mm = np.asarray(flow, np.float32) / np.float32(profile.px_per_mm)
        agreeing = _correlation(reference, np.asarray(fitted, np.uint8)) > LEAST_CORRELATION
        agreeing &= np.hypot(flow_mm[..., 0], flow_mm[..., 1]) < MOST_SHIFT_MM
        wide = _mean_where(flow_mm, agreeing, 2.5 * SMOOTH_MM * profile.px_per_mm) - flow_mm
        agreeing &= np.hypot(wide[..., 0], wide[..., 1]) < OUTLIER_MM
        bend = bend + _mean_where(flow_mm, agreeing, SMOOTH_MM * profile.px_per_mm)
    frame_wh = photo.shape[1], photo.shape[0]
    return Registration(pose.frame_from_board, bend, profile.size_mm, frame_wh)


def _grid(size_wh: tuple[int, int], first: float, step: float) -> Maps:
    x, y = (first + step * np.arange(side, dtype=np.float32) for side in size_wh)
    across, down = np.meshgrid(x, y)
    return across.astype(np.float32), down.astype(np.float32)


def _project_grid(to_from: Float64s, x: Float32s, y: Float32s) -> Maps:
    h = to_from
    depth = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    return (
        ((h[0, 0] * x + h[0, 1] * y + h[0, 2]) / depth).astype(np.float32),
        ((h[1, 0] * x + h[1, 1] * y + h[1, 2]) / depth).astype(np.float32),
    )


def _board_maps(
    frame_from_board: Float64s, bend: Float32s, size_mm: tuple[float, float], px_per_mm: float
) -> Maps:
    width, height = (round(side * px_per_mm) for side in size_mm)
    x, y = _grid((width, height), 0.5 / px_per_mm, 1 / px_per_mm)
    over = np.asarray(cv2.resize(bend, (width, height)), np.float32)
    return _project_grid(frame_from_board, x + over[..., 0], y + over[..., 1])


def _normalise(picture: Picture) -> Picture:
    """Return the print in grey, with local brightness and contrast normalised."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    pattern = grey - cv2.GaussianBlur(grey, (0, 0), 8)
    strength = np.sqrt(cv2.GaussianBlur(pattern**2, (0, 0), 12)) + 4
    return np.asarray(np.clip(pattern / strength * 40 + 128, 0, 255), np.uint8)


def _correlation(first: Picture, second: Picture) -> Float32s:
    """Return the local correlation of two pictures around every pixel, -1 to 1."""

    def mean(values: Float32s) -> Float32s:
        return np.asarray(cv2.blur(values, (15, 15)), np.float32)

    a, b = first.astype(np.float32), second.astype(np.float32)
    mean_a, mean_b = mean(a), mean(b)
    spread = (mean(a * a) - mean_a**2 + 9) * (mean(b * b) - mean_b**2 + 9)
    return np.asarray((mean(a * b) - mean_a * mean_b) / np.sqrt(spread), np.float32)


def _mean_where(values: Float32s, where: Mask, sigma_px: float) -> Float32s:
    """Return the local mean of the selected values around every pixel; 0 without any.

    What is so smooth is computed on a coarser grid.
    """
    size_wh = where.shape[1], where.shape[0]
    coarse_wh = size_wh[0] // COARSENING, size_wh[1] // COARSENING
    weight = where.astype(np.float32)
    total, count = (
        cv2.GaussianBlur(
            cv2.resize(v, coarse_wh, interpolation=cv2.INTER_AREA), (0, 0), sigma_px / COARSENING
        )
        for v in (values * weight[..., None], weight)
    )
    mean = np.asarray(total, np.float32) / (np.asarray(count, np.float32)[..., None] + 0.02)
    return np.asarray(cv2.resize(mean, size_wh), np.float32)
