"""A printed chequered sheet, and fitting a camera's lens to photos of it.

A board's print gives a lens too, but only if it is known and flat. The sheet's corners are known
exactly and identified by the markers between them (ChArUco), so that any part of it is enough. The
model is the program's own lens, not OpenCV's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s, Picture
from ..geometry import homography_between
from ..lenses.lens import Lens, no_lens
from ..lenses.lens_fit import Sighting, fit_lens
from ..pose import NotFound
from .marker_sheet import MARGIN_MM, marker_boxes, ruler
from .sheet import PAPERS, Box, Sheet, SheetLine, Words

SQUARES_WH = (7, 10)
SQUARE_MM = 24.0  # seven fill the width of either paper
MARKER_MM = 17.5  # seven fields of 2.5 mm
# Least shift of the picture's corners by a lens, in half diagonals; less is ignored: six labelled
# photos of a board gave .005, and others of that shoot fitted worse with it.
LEAST_BENDING = 0.01
TITLE = "Railspotter: sheet for a camera's lens"
HOW_TO = (
    "Print at 100 % and lay the sheet flat. Take five photos of it or more, so near that it fills",
    "the picture, tilted to different sides, and reaching into every corner of the picture. Then:",
    "    railspotter calibrate empty.jpg --board NAME --lens-from sheet1.jpg sheet2.jpg ...",
)

# Requirements of photos of the sheet; tried on drawn photos.
LEAST_VIEWS = 3
LEAST_CORNERS = 12  # least corners of the sheet, of 54, that a photo shows
# Tolerance of an inlier, in a picture 1000 pixels wide: before a lens is known, and in two more
# rounds.
FIRST_PX = 8.0
THEN_PX: tuple[float, ...] = (4.0, 1.5)
# Least distance of the farthest corner from the picture's middle, in half diagonals: beyond, a lens
# is extrapolated. Corners of a board that fills the picture are at .9, those of a sheet at .7.
LEAST_REACH = 0.6
# Least share of inliers at the end: a sheet that is not flat, or two lenses, have fewer.
LEAST_AGREEING = 0.8


def lens_sheet(paper: str = "a4") -> Sheet:
    """Return the chequered sheet, on a paper of `sheet.PAPERS`."""
    width, height = PAPERS[paper]
    columns, rows = SQUARES_WH
    left = (width - columns * SQUARE_MM) / 2
    top = height - MARGIN_MM - rows * SQUARE_MM - 2
    items: list[Box | SheetLine | Words] = [
        Words(left, MARGIN_MM + 3 + 4.2 * number, text, 3.0) for number, text in enumerate(HOW_TO)
    ]
    items += ruler(left, MARGIN_MM + 18)
    items += _squares(left, top)
    return Sheet((width, height), TITLE, tuple(items))


def _squares(left: float, top: float) -> Iterator[Box]:
    board = _board()
    columns, rows = SQUARES_WH
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2 == 0:
                at = (left + column * SQUARE_MM, top + row * SQUARE_MM)
                yield Box(*at, SQUARE_MM, SQUARE_MM)
    dictionary = board.getDictionary()
    side = dictionary.markerSize + 2
    for code, corners in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = np.asarray(corners)[0, :2].tolist()
        fields = np.asarray(dictionary.generateImageMarker(int(code), side, borderBits=1)) > 0
        yield from marker_boxes(fields, left + x, top + y, MARKER_MM)


def detect_sheet(frame: Picture) -> tuple[Float64s, Float64s] | None:
    """Detect the sheet's corners in a frame: in mm on the sheet, and in frame pixels; or None."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    corners, codes, _, _ = cv2.aruco.CharucoDetector(_board()).detectBoard(grey)
    if codes is None:
        return None
    every = np.asarray(_board().getChessboardCorners(), np.float64)[:, :2]
    return every[np.ravel(codes)], np.asarray(corners, np.float64).reshape(-1, 2)


def lens_from_sheets(frames: Sequence[Picture]) -> Lens | NotFound:
    """Fit a camera's lens to photos of the chequered sheet.

    Parameters
    ----------
    frames : sequence of (H, W, 3) uint8 array, BGR
        From different sides, not cropped, all of one size.

    Returns
    -------
    Lens or NotFound
        A lens without distortion if it is negligible. `NotFound` if the photos are not enough, with
        advice on what to photograph.
    """
    if len({frame.shape for frame in frames}) > 1:
        return NotFound(
            Sentence("the photos are of different sizes: take all with one camera, held one way")
        )
    sightings = [one for frame in frames if (one := _sighting(frame)) is not None]
    if len(sightings) < LEAST_VIEWS:
        return NotFound(
            Sentence(
                "the sheet was seen in {seen} of {all} photos: a lens takes {least}, from different"
                " sides, flat and in even light",
                seen=len(sightings),
                all=len(frames),
                least=LEAST_VIEWS,
            )
        )
    height, width = frames[0].shape[:2]
    none = no_lens((width, height))
    reach = max(_reach(one.frame_px, none) for one in sightings)
    if reach < LEAST_REACH:
        return NotFound(
            Sentence(
                "the sheet stays in the middle of the photos: go nearer, and take some with it in"
                " the picture's corners"
            )
        )
    unit = width / 1000
    fit = fit_lens(sightings, none, [px * unit for px in (FIRST_PX, *THEN_PX)])
    if np.mean(np.concatenate(fit.off_px) < THEN_PX[-1] * unit) < LEAST_AGREEING:
        return NotFound(
            Sentence(
                "the photos do not fit one lens: lay the sheet flat, do not zoom in between, and"
                " switch the phone's own straightening on or off for all"
            )
        )
    bending = abs(float(fit.lens.stretch(np.ones(1))[0]) - 1)
    return fit.lens if bending >= LEAST_BENDING else replace(fit.lens, bending=(0.0, 0.0, 0.0))


def _sighting(frame: Picture) -> Sighting | None:
    seen = detect_sheet(frame)
    if seen is None or len(seen[0]) < LEAST_CORNERS:
        return None
    # With a wide tolerance: the lens is not known yet.
    common = homography_between(*seen, tolerance=FIRST_PX * frame.shape[1] / 1000)
    return None if common is None else Sighting(*seen, common[0])


def _reach(points_px: Float64s, none: Lens) -> float:
    """Return the largest distance of points from the picture's middle, in half diagonals."""
    off = (points_px - none.centre_px) / none.half_diagonal_px
    return float(np.hypot(*off.T).max())


def _board() -> cv2.aruco.CharucoBoard:
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    return cv2.aruco.CharucoBoard(SQUARES_WH, SQUARE_MM, MARKER_MM, every)
