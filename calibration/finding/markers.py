"""Finds a board by four printed markers at its corners, whatever its print.

Each marker lies beside the board, left or right of one corner, as its card says: a webcam's picture
is wider than a board, so there is room. Its place on the board is then known, and its own four
corners are points of the homography.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s, Mask, Picture
from ..geometry import orientation, project
from ..lenses.lens import Lens
from ..pose import Grounds, NotFound, Pose, viewpoint
from .finder import MIRRORED
from .picture_faults import fault_of

# The board's corners, in the order of everything here.
CORNERS = (
    Sentence("top left"),
    Sentence("top right"),
    Sentence("bottom right"),
    Sentence("bottom left"),
)
# Their codes among OpenCV's 4x4 markers: the first four that differ from each other, in any
# rotation or reflection, by 6 of their 16 fields; no four of them differ by more.
CODES = (0, 23, 26, 40)
# Six fields of 10 mm: 20 pixels on a board 270 pixels wide, where all were seen
# (benchmarks/results/finding-boards.md).
MARKER_MM = 60.0
GAP_MM = 10.0  # white margin of a marker, one field: needed on a dark table
# Depth of a card below the printed board: the thickness of boards.
BELOW_MM = 2.0
SMALLEST_MM = 2 * (MARKER_MM + GAP_MM)  # least height of a board, for two markers beside it

NO_MARKERS = Sentence(
    "no markers are seen: print the sheet of markers, lay one at each corner"
    " of the board and show all four"
)
TWO_SETS = Sentence("two sets of markers are in the picture: show one board alone")
LIE_BADLY = Sentence(
    "the markers do not fit together: lay each card flat under its corner so that"
    " the board's edges go on along its lines"
)

# Limits of detection; measured on drawn boards (benchmarks/results).
# Width below which a picture is doubled, so that small markers are detected.
LEAST_PX = 1400
MOST_PX = 2600  # width above which a picture is reduced, to save time
# Share of the two correctable bits of a code that are corrected: one.
CORRECTED_BITS = 0.5
# Most root mean square error of the markers' corners, by placing them by hand.
MOST_OFF_MM = 2.0
MOST_OFF_PX = 0.7  # the same by a coarse picture
# Factors of the board's width and height that are tried, to report the size that would fit.
SIZES: tuple[float, ...] = tuple(np.geomspace(1 / 3, 3.0, 23).round(3).tolist())
# Steps of refining the best of them.
FINER_SIZES: tuple[float, ...] = (0.05, 0.025, 0.0125, 0.006)


@dataclass(frozen=True, eq=False)
class SeenMarker:
    """A detected marker in a frame."""

    corner: int  # index into `CORNERS`
    # (4, 2) float64: its corners in the frame, TL, TR, BR, BL as printed.
    corners_px: Float64s


def marker_corners_mm(size_mm: tuple[float, float]) -> Float64s:
    """Return the corners of the four markers beside a board, (4, 4, 2): TL, TR, BR, BL of each."""
    width, height = size_mm
    left, right = -GAP_MM - MARKER_MM, width + GAP_MM
    top, bottom = GAP_MM, height - GAP_MM - MARKER_MM
    origins = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    square = MARKER_MM * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    return np.asarray(origins[:, None] + square, np.float64)


def marker_fields(corner: int) -> Mask:
    """Return a mask of the white fields of a marker, (6, 6), its black border included."""
    side = 6
    drawn = _dictionary().generateImageMarker(corner, side, borderBits=1)
    return np.asarray(drawn) > 0


def detect_markers(frame: Picture) -> tuple[SeenMarker, ...]:
    """Detect the markers in a frame, in any order; one may be there twice."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    longer = max(grey.shape)
    scale = 2.0 if longer < LEAST_PX else min(1.0, MOST_PX / longer)
    if scale != 1:
        how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=how)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.errorCorrectionRate = CORRECTED_BITS
    corners, codes, _ = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(grey)
    if codes is None:
        return ()
    return tuple(
        SeenMarker(int(code), (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / scale - 0.5)
        for code, quad in zip(np.ravel(codes), corners, strict=True)
    )


def find_by_markers(
    frame: Picture,
    size_mm: tuple[float, float],
    lens: Lens | None = None,
) -> Pose | NotFound:
    """Find a board by the markers at its corners.

    The pose's `inliers` are the markers' corners, 16 or 12, its `agreement` the share of the
    markers that were detected: with three, the board's fourth corner is extrapolated, good to 2 mm,
    and in small pictures to 12.
    """
    if min(size_mm) < SMALLEST_MM:
        return NotFound(
            Sentence(
                "markers need a board of at least {least} mm on each side",
                least=f"{SMALLEST_MM:.0f}",
            )
        )
    seen = detect_markers(frame)
    fits = [fit for chosen in _sets(seen) if (fit := _fit(chosen, frame, size_mm, lens))]
    if not fits:
        reason = _trouble(frame, seen, size_mm, lens)
        grounds = Grounds.PRINT if seen else Grounds.NOTHING
        return NotFound(reason, grounds=Grounds.SEEN if reason == MIRRORED else grounds)
    best = min(fits, key=lambda fit: (-len(fit.markers), fit.off_mm))
    if any(not set(best.markers) & set(fit.markers) for fit in fits):
        return NotFound(TWO_SETS, grounds=Grounds.SEEN)
    return best.pose


@dataclass(frozen=True, eq=False)
class _Fit:
    """A pose fitted to markers, and its root mean square error."""

    pose: Pose
    markers: tuple[SeenMarker, ...]
    off_mm: float


def _sets(seen: Sequence[SeenMarker]) -> Iterator[tuple[SeenMarker, ...]]:
    """Yield every set of one marker for each corner, and then of three corners."""
    by_corner = [[one for one in seen if one.corner == corner] for corner in range(4)]
    for corners in ((0, 1, 2, 3), (0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
        if len(corners) == 3 and all(by_corner) and len(seen) == 4:
            return  # if four do not fit, one lies wrongly, and it is not known which
        yield from product(*(by_corner[corner] for corner in corners))


def _fit(
    markers: Sequence[SeenMarker],
    frame: Picture,
    size_mm: tuple[float, float],
    lens: Lens | None,
) -> _Fit | None:
    """Return the pose fitted to markers; None if they do not fit together."""
    height, width = frame.shape[:2]
    lens = lens and lens.for_size((width, height))
    laid_mm = marker_corners_mm(size_mm)[[one.corner for one in markers]].reshape(-1, 2)
    seen_px = np.concatenate([one.corners_px for one in markers])
    straight_px = seen_px if lens is None else lens.straightened(seen_px)
    homography = _homography(laid_mm, straight_px)
    if homography is None:
        return None
    # The cards lie on the table, below the board: they appear shifted towards the camera.
    eye = viewpoint(homography, (width, height))
    on_board_mm = laid_mm + eye.lean_mm(laid_mm, -BELOW_MM)
    homography = _homography(on_board_mm, straight_px)
    if homography is None:
        return None
    off = project(np.linalg.inv(homography), straight_px) - on_board_mm
    off_mm = float(np.sqrt(np.mean(np.sum(off * off, axis=1))))
    pose = Pose(
        homography, np.zeros((1, 1, 2)), size_mm, len(seen_px), len(markers) / len(CORNERS), lens
    )
    if orientation(pose.corners_px) <= 0:
        return None
    if off_mm > np.hypot(MOST_OFF_MM, MOST_OFF_PX / pose.px_per_mm):
        return None
    return _Fit(pose, tuple(markers), off_mm)


def _homography(source: Float64s, target: Float64s) -> Float64s | None:
    found, _ = cv2.findHomography(source, target, 0)
    if np.shape(found) != (3, 3) or not np.isfinite(found).all() or not np.linalg.det(found):
        return None
    return np.asarray(found, np.float64)


def _trouble(
    frame: Picture,
    seen: Sequence[SeenMarker],
    size_mm: tuple[float, float],
    lens: Lens | None,
) -> Sentence:
    """Return the reason why there is no pose, for the person who placed the markers."""
    corners = {one.corner for one in seen}
    if len(corners) < 3:
        if len({one.corner for one in detect_markers(np.ascontiguousarray(frame[:, ::-1]))}) >= 3:
            return MIRRORED
        fault = fault_of(frame)
        return _missing(corners) if corners else NO_MARKERS if fault is None else fault.reason
    if len(seen) > len(corners):
        return TWO_SETS
    order = _clockwise(seen)
    if order != sorted(order):
        lying, right = (", ".join(CORNERS[i] for i in way) for way in (order, sorted(order)))
        return Sentence(
            "the markers lie at wrong corners: clockwise they are those of the {some}, and"
            " belong as {right}",
            some=lying,
            right=right,
        )
    fitting = _size_that_fits(seen, size_mm, frame, lens)
    if fitting is None:
        return LIE_BADLY
    width, height = fitting
    if np.allclose((height, width), size_mm, rtol=0.05) and not np.isclose(*size_mm, rtol=0.1):
        return Sentence("the markers lie one corner on: lay each at the corner that its card names")
    return Sentence(
        "the markers fit a board of {width} x {height} mm, not of {own_width} x"
        " {own_height} mm: give the size of your board, and print the sheet at 100 %"
        " (its line must measure 100 mm)",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        own_width=f"{size_mm[0]:.0f}",
        own_height=f"{size_mm[1]:.0f}",
    )


def _missing(corners: set[int]) -> Sentence:
    """Return a sentence that names the markers that are not detected."""
    names = [name for i, name in enumerate(CORNERS) if i not in corners]
    return Sentence(
        "the markers of the {some} and {last} corners are not seen: show all four,"
        " flat, uncovered and without glare; three are the least",
        some=", ".join(names[:-1]),
        last=names[-1],
    )


def _clockwise(seen: Sequence[SeenMarker]) -> list[int]:
    """Return the corners' indices in clockwise order in the picture, beginning with the lowest."""
    middles = np.array([one.corners_px.mean(axis=0) for one in seen])
    off = middles - middles.mean(axis=0)
    order = [seen[i].corner for i in np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    first = order.index(min(order))
    return order[first:] + order[:first]


def _size_that_fits(
    seen: Sequence[SeenMarker],
    size_mm: tuple[float, float],
    frame: Picture,
    lens: Lens | None,
) -> tuple[float, float] | None:
    """Return the size of a board that the markers would fit; None without one."""
    lens = lens and lens.for_size((frame.shape[1], frame.shape[0]))
    seen_px = np.concatenate([one.corners_px for one in seen])
    straight_px = seen_px if lens is None else lens.straightened(seen_px)
    corners = [one.corner for one in seen]

    def error_px2(shares: tuple[float, float]) -> float:
        laid = marker_corners_mm((size_mm[0] * shares[0], size_mm[1] * shares[1]))
        laid_mm = laid[corners].reshape(-1, 2)
        homography = _homography(laid_mm, straight_px)
        if homography is None:
            return np.inf
        return float(np.sum((project(homography, laid_mm) - straight_px) ** 2))

    best = min(product(SIZES, SIZES), key=error_px2)
    for step in FINER_SIZES:
        steps = (1 - step, 1.0, 1 + step)
        best = min(((best[0] * x, best[1] * y) for x in steps for y in steps), key=error_px2)
    fitting = size_mm[0] * best[0], size_mm[1] * best[1]
    return fitting if _fit(seen, frame, fitting, lens) else None


def _dictionary() -> cv2.aruco.Dictionary:
    """Return OpenCV's dictionary of the four markers; up to 2 wrong fields could be corrected."""
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.Dictionary(np.ascontiguousarray(every.bytesList[list(CODES)]), 4, 2)
