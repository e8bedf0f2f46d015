"""Fits a lens and homographies to pictures of the board's print.

A homography maps straight lines to straight lines; its residuals, which grow with the distance from
the picture's middle, are the lens. One picture of the board has enough points for both; several
pictures of one camera share one lens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Float64s
from ..geometry import homography_between, project
from .lens import Lens, no_lens

# Initial lenses of a search: d of the division model r / (1 + d r^2) (A. Fitzgibbon, CVPR 2001).
# Mostly barrels; MAGSAC tolerates what lies between.
DIVISIONS = (0.0, -0.65, -0.5, -0.38, -0.28, -0.2, -0.14, -0.09, -0.05, 0.05, 0.1)
# Prior standard deviations of a, b and c around 0.
PRIOR = (1.0, 1.0, 2.0)
SCATTER = 0.2  # standard deviation of inliers, as a share of the tolerance
ROUNDS = 12
SMALL_STEP = 1e-6  # convergence, in half diagonals: less than a thousandth of a pixel
RIDGE = 1e-9  # keeps the equations solvable with too few inliers


@dataclass(frozen=True, eq=False)
class Sighting:
    """Points of one picture of the board."""

    # board_mm, frame_px: (N, 2) float64: points of the print, and in the frame
    board_mm: Float64s
    frame_px: Float64s
    frame_from_board: Float64s  # (3, 3) float64: initial homography of the pinhole


@dataclass(frozen=True, eq=False)
class LensFit:
    """A fitted lens, with homographies and residuals."""

    lens: Lens
    # (3, 3) float64 for each picture: the pinhole's homography
    frame_from_board: tuple[Float64s, ...]
    # (N,) float64 for each picture: residuals of its points
    off_px: tuple[Float64s, ...]


def fit_lens(
    sightings: Sequence[Sighting], lens: Lens, tolerances_px: Sequence[float], is_free: bool = True
) -> LensFit:
    """Fit one lens and a homography for each picture, to all points at once.

    Gauss-Newton from the initial `lens`, which is fixed unless it `is_free`, with Tukey's weights:
    points beyond the tolerance have no weight. Each of `tolerances_px`, from wide to narrow, is
    iterated until convergence.
    """
    scale = lens.half_diagonal_px
    views = [_View.of(sighting, lens) for sighting in sightings]
    pinholes = [view.pinhole for view in views]
    bending = np.array(lens.bending)
    for tolerance in tolerances_px:
        for _ in range(ROUNDS):
            left, right = _normal_equations(views, pinholes, bending, tolerance / scale)
            step = _solved(left, right, bending, is_free)
            pinholes = [
                pinhole + np.append(step[8 * i : 8 * i + 8], 0).reshape(3, 3)
                for i, pinhole in enumerate(pinholes)
            ]
            bending = bending + step[-3:]
            if np.abs(step).max() < SMALL_STEP:
                break
    a, b, c = bending.tolist()
    fitted = Lens(lens.size_wh, (a, b, c), len(views)) if is_free else lens
    homographies = tuple(
        view.homography(pinhole) for view, pinhole in zip(views, pinholes, strict=True)
    )
    off = tuple(
        np.hypot(*(fitted.bent(project(h, s.board_mm)) - s.frame_px).T)
        for h, s in zip(homographies, sightings, strict=True)
    )
    return LensFit(fitted, homographies, off)


def search_lens(
    board_mm: Float64s, frame_px: Float64s, size_wh: tuple[int, int], tolerance_px: float
) -> LensFit | None:
    """Search a homography and a lens that many pairs of matching points agree on, robustly.

    None if no homography is found for any initial lens.
    """
    none = no_lens(size_wh)
    off = (frame_px - none.centre_px) / none.half_diagonal_px
    square = np.sum(off * off, axis=1, keepdims=True)
    most, best = 0, None
    for division in DIVISIONS:
        straight = none.centre_px + none.half_diagonal_px * off / (1 + division * square)
        common = homography_between(board_mm, straight, tolerance_px)
        if common is not None and np.count_nonzero(common[1]) > most:
            most, best = int(np.count_nonzero(common[1])), (common[0], division)
    if best is None:
        return None
    start = Lens(size_wh, _bending_of(best[1]))
    sighting = Sighting(board_mm, frame_px, best[0])
    return fit_lens([sighting], start, (4 * tolerance_px, 2 * tolerance_px, tolerance_px))


def _bending_of(division: float) -> tuple[float, float, float]:
    """Return a, b and c that approximate a division model best over the picture."""
    arriving = np.linspace(0.02, 1.0, 50)
    r = arriving / (1 + division * arriving**2)
    terms = np.stack([r**3, r**5, -(r**2) * arriving], axis=1)
    a, b, c = np.linalg.lstsq(terms, arriving - r, rcond=None)[0].tolist()
    return a, b, c


@dataclass(frozen=True, eq=False)
class _View:
    """A sighting in normalized coordinates: board -1 to 1, picture in half diagonals."""

    board: Float64s
    frame: Float64s
    pinhole: Float64s
    even_from_board: Float64s
    frame_from_even: Float64s

    @classmethod
    def of(cls, sighting: Sighting, lens: Lens) -> "_View":
        middle = sighting.board_mm.mean(axis=0)
        reach = np.abs(sighting.board_mm - middle).max()
        even_from_board = np.array([(1, 0, -middle[0]), (0, 1, -middle[1]), (0, 0, reach)]) / reach
        (x, y), scale = lens.centre_px, lens.half_diagonal_px
        frame_from_even = np.array([(scale, 0, x), (0, scale, y), (0, 0, 1)])
        pinhole = (
            np.linalg.inv(frame_from_even)
            @ sighting.frame_from_board
            @ np.linalg.inv(even_from_board)
        )
        return cls(
            project(even_from_board, sighting.board_mm),
            (sighting.frame_px - lens.centre_px) / scale,
            pinhole / pinhole[2, 2],
            even_from_board,
            frame_from_even,
        )

    def homography(self, pinhole: Float64s) -> Float64s:
        """Return `frame_from_board` of a normalized homography."""
        h = self.frame_from_even @ pinhole @ self.even_from_board
        return np.asarray(h / h[2, 2])


def _normal_equations(
    views: Sequence[_View], pinholes: Sequence[Float64s], bending: Float64s, tolerance: float
) -> tuple[Float64s, Float64s]:
    """Return the left and right side of the normal equations for the next step.

    Unknowns are eight for each view, then the lens' three.
    """
    count = 8 * len(views)
    left = np.zeros((count + 3, count + 3))
    right = np.zeros(count + 3)
    left[-3:, -3:] = np.diag((SCATTER * tolerance / np.array(PRIOR)) ** 2)
    right[-3:] = -left[-3:, -3:] @ bending
    for i, (view, pinhole) in enumerate(zip(views, pinholes, strict=True)):
        jacobian, off = _jacobian(view, pinhole, bending)
        far = np.sum(off * off, axis=1) / tolerance**2
        weight = np.where(far < 1, (1 - far) ** 2, 0.0)
        rows = jacobian.reshape(-1, jacobian.shape[2])
        weighed = (jacobian * weight[:, None, None]).reshape(rows.shape)
        all_left, all_right = weighed.T @ rows, weighed.T @ off.ravel()
        mine = [*range(8 * i, 8 * i + 8), *range(count, count + 3)]
        left[np.ix_(mine, mine)] += all_left
        right[mine] += all_right
    return left + RIDGE * np.eye(count + 3), right


def _solved(left: Float64s, right: Float64s, bending: Float64s, is_free: bool) -> Float64s:
    """Return the step: 0 for a fixed lens, and with c at least 0, since rays would fold below."""
    free = len(right) if is_free else len(right) - 3
    step = np.zeros(len(right))
    step[:free] = np.linalg.solve(left[:free, :free], right[:free])
    if is_free and bending[2] + step[-1] < 0:
        step[-1] = -bending[2]
        rest = right[:-1] - left[:-1, -1] * step[-1]
        step[:-1] = np.linalg.solve(left[:-1, :-1], rest)
    return step


def _jacobian(view: _View, pinhole: Float64s, bending: Float64s) -> tuple[Float64s, Float64s]:
    """Return the jacobian of points, (N, 2, 11), and their residuals, (N, 2)."""
    a, b, c = bending
    x, y = view.board.T
    ahead = pinhole[2, 0] * x + pinhole[2, 1] * y + 1
    straight = project(pinhole, view.board)
    t = np.sum(straight * straight, axis=1)
    below = 1 + c * t
    stretch = (1 + t * (a + b * t)) / below
    steeper = (a + 2 * b * t - c * stretch) / below  # of the stretch, with t
    of_straight = np.zeros((len(x), 2, 8))
    for row, column in ((0, 0), (1, 3)):
        of_straight[:, row, column : column + 3] = (
            np.stack([x, y, np.ones_like(x)], axis=1) / ahead[:, None]
        )
    for column, along in ((6, x), (7, y)):
        of_straight[:, :, column] = -straight * (along / ahead)[:, None]
    bent_of_straight = stretch[:, None, None] * np.eye(2) + (2 * steeper)[:, None, None] * (
        straight[:, :, None] * straight[:, None, :]
    )
    of_lens = straight[:, :, None] * (
        np.stack([t, t * t, -t * stretch], axis=1)[:, None, :] / below[:, None, None]
    )
    jacobian = np.concatenate([bent_of_straight @ of_straight, of_lens], axis=2)
    return jacobian, view.frame - straight * stretch[:, None]
