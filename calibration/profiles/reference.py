"""Makes a profile from one photo of the empty board."""

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board, Route, Space

from ..arrays import Float32s, Float64s, Picture
from ..errors import OutlineError
from ..geometry import orientation
from ..lenses.lens import Lens
from ..pose import Pose, rectify
from .features import Features, find_spread_features
from .profile import Offset, Profile, board_of_copy

# Scale of references: a train has 52 x 18 pixels; finer ones were no better (docs/vision.md).
REFERENCE_PX_PER_MM = 2.0
# Scale at which features are detected, about that of the pictures to be searched: twice as many
# then agree as at the reference's own scale.
FEATURE_PX_PER_MM = 1.0
FEATURES = 2500
FEATURE_CELLS_WH = (10, 7)
# Range and step of the search for print; chosen by eye on one reference.
REACH_MM = 7.0  # printings were seen to differ by 6 mm
STEP_MM = 0.5
# Colour gradient (Lab per pixel) at which an edge has strength 0.5; strength is below 1.
SOFT_EDGE = 12.0
# Cost of each square millimetre from the neighbourhood's offset, by round; a complete outline earns
# about 3.
PULLS: tuple[float, ...] = (0.004, 0.015, 0.015)
NEIGHBOURS = 7  # routes of a neighbourhood


def make_profile(
    photo: Picture,
    board: Board,
    corners_px: npt.ArrayLike,
    name: str,
    made_at: str,
    lens: Lens | None = None,
    scale: float | None = None,
) -> Profile:
    """Make a profile from a photo of the user's own empty board.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR
    corners_px : (4, 2) array_like
        The printed board's corners in the photo: top left, top right, bottom right, bottom left.
    made_at : str
        UTC time, ISO 8601.
    lens : Lens, optional
        The lens of the photo; the reference is undistorted.
    scale : float, optional
        Size of this copy over the board file's (`profile.scale_of_width`), if it was measured.

    Raises
    ------
    OutlineError
        When the corners cross, are in the wrong order or lie outside the photo.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    check_corners(corners, photo.shape)
    board = board_of_copy(board, scale)
    pose = Pose.at_corners(corners, board.size_mm, lens)
    reference = rectify(photo, pose, REFERENCE_PX_PER_MM)
    return Profile(
        name=name,
        board=board.id,
        size_mm=board.size_mm,
        made_at=made_at,
        reference=reference,
        px_per_mm=REFERENCE_PX_PER_MM,
        features=spread_features(reference, FEATURES),
        print_offsets_mm=fit_print(reference, REFERENCE_PX_PER_MM, board),
        scale=scale,
    )


def spread_features(reference: Picture, limit: int) -> Features:
    """Detect features of a reference at `REFERENCE_PX_PER_MM`, points in board millimetres."""
    shrink = FEATURE_PX_PER_MM / REFERENCE_PX_PER_MM
    small = cv2.resize(reference, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_spread_features(grey, limit, FEATURE_CELLS_WH)
    assert found.frames is not None  # noqa: S101
    frames = np.asarray(found.frames / [FEATURE_PX_PER_MM, 1], np.float32)
    return Features((found.points + 0.5) / FEATURE_PX_PER_MM, found.descriptors, frames)


def check_corners(corners: Float64s, shape: tuple[int, ...]) -> None:
    """Raise if corners cannot be a board's.

    Raises
    ------
    OutlineError
        With the reason, for the person who gave them.
    """
    height, width = shape[:2]
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise OutlineError("four corners are needed, each as x,y")
    way = orientation(corners)
    if way == 0:
        raise OutlineError(
            "the corners cross or lie on one line: give them in the order top left, top"
            " right, bottom right, bottom left"
        )
    if way < 0:
        raise OutlineError(
            "the corners run the wrong way round: give them in the order top left, top"
            " right, bottom right, bottom left"
        )
    slack = 0.02 * max(height, width)
    low, high = corners.min(axis=0), corners.max(axis=0)
    if low.min() < -slack or high[0] > width + slack or high[1] > height + slack:
        raise OutlineError(
            "a corner lies outside the photo, which is {width} x {height} pixels",
            width=width,
            height=height,
        )


def fit_print(reference: Picture, px_per_mm: float, board: Board) -> dict[str, Offset]:
    """Return the offset of every route's print from the board file, in mm.

    Printings of one board differ, single routes by 6 mm, and a fold in the photo shifts what lies
    beside it. A printed space has an outline on all four sides; the lanes between two places are
    moved together onto their outlines, near the offset of their neighbourhood. A single lane would
    fit its neighbour's print as well as its own.
    """
    reach = round(REACH_MM / STEP_MM)
    steps = np.arange(-reach, reach + 1) * STEP_MM
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1)
    across_x, across_y = _gradients(reference)

    pairs: dict[frozenset[str], list[Route]] = {}
    for route in board.routes:
        pairs.setdefault(frozenset((route.a, route.b)), []).append(route)
    strengths, middles = [], []
    for routes in pairs.values():
        spaces = [space for route in routes for space in route.spaces]
        outlines = [
            _outline_strength(across_x, across_y, px_per_mm, space, offsets) for space in spaces
        ]
        strengths.append(np.mean(outlines, axis=0))
        middles.append(np.mean([space.xy_mm for space in spaces], axis=0))

    best = _best_offsets(strengths, np.array(middles), offsets)
    return {
        route.id: (float(dx), float(dy))
        for routes, (dx, dy) in zip(pairs.values(), best, strict=True)
        for route in routes
    }


def _gradients(reference: Picture) -> tuple[Float32s, Float32s]:
    """Return the gradient of colour (Lab per pixel) along x and along y, (H, W, 3) each."""
    lab = cv2.cvtColor(reference, cv2.COLOR_BGR2LAB).astype(np.float32)
    soft = cv2.GaussianBlur(lab, (0, 0), 0.8)
    along_x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    along_y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(along_x, np.float32), np.asarray(along_y, np.float32)


def _outline_strength(
    along_x: Float32s,
    along_y: Float32s,
    px_per_mm: float,
    space: Space,
    offsets: Float64s,
) -> Float32s:
    """Return the strength of a space's outline at every offset, about 0 to 5."""
    angle = np.deg2rad(space.angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    half_length, half_width = space.size_mm[0] / 2, space.size_mm[1] / 2
    margin = 1.5 * REACH_MM  # reach of offsets along the space's own axes
    along = np.arange(-half_length - margin, half_length + margin, STEP_MM)
    across = np.arange(-half_width - margin, half_width + margin, STEP_MM)
    u, v = np.meshgrid(along, across)
    x = ((space.xy_mm[0] + u * cos - v * sin) * px_per_mm - 0.5).astype(np.float32)
    y = ((space.xy_mm[1] + u * sin + v * cos) * px_per_mm - 0.5).astype(np.float32)
    gx = cv2.remap(along_x, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    gy = cv2.remap(along_y, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def edges(gradient: Float32s, run_mm: tuple[float, float]) -> Float32s:
        strength = np.linalg.norm(gradient, axis=-1)
        size = tuple(max(2, round(run / STEP_MM)) for run in run_mm)
        return np.asarray(cv2.blur(strength / (strength + SOFT_EDGE), size), np.float32)

    # Edges are averaged over most of a side, so that a corner or a symbol is not enough.
    long_sides = edges(cos * gy - sin * gx, (1.8 * half_length, 0))
    short_sides = edges(cos * gx + sin * gy, (0, 1.6 * half_width))
    above, below = _shifted(long_sides, 0, half_width / STEP_MM)
    before, behind = _shifted(short_sides, 1, half_length / STEP_MM)
    # Both long sides must be there: one alone may be the next lane's.
    strength = 2 * np.minimum(above, below) + 0.6 * (above + below) + before + behind

    offset_along = cos * offsets[..., 0] + sin * offsets[..., 1]
    offset_across = -sin * offsets[..., 0] + cos * offsets[..., 1]
    column = ((offset_along - along[0]) / STEP_MM).astype(np.float32)
    row = ((offset_across - across[0]) / STEP_MM).astype(np.float32)
    return np.asarray(
        cv2.remap(strength.astype(np.float32), column, row, cv2.INTER_LINEAR), np.float32
    )


def _shifted(values: Float32s, axis: int, steps: float) -> tuple[Float32s, Float32s]:
    """Return the values `steps` before and after each place along an axis."""
    count = round(steps)
    return np.roll(values, count, axis), np.roll(values, -count, axis)


def _best_offsets(strengths: list[Float32s], middles: Float64s, offsets: Float64s) -> Float64s:
    """Return the offset of each pair of places, near the median offset of its neighbours."""
    distance = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
    nearest = np.argsort(distance, axis=1)[:, :NEIGHBOURS]
    expected = np.zeros_like(middles)
    best = np.zeros_like(middles)
    for pull in PULLS:
        for i, strength in enumerate(strengths):
            cost = pull * np.sum((offsets - expected[i]) ** 2, axis=-1)
            row, column = np.unravel_index(np.argmax(strength - cost), strength.shape)
            best[i] = offsets[row, column]
        expected = np.median(best[nearest], axis=1)
    return best
