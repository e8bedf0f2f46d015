"""Light that a board mirrors: a flash, a lamp, a window or a sleeve.

It adds the same to all that lies there. In its pale ring trains look like bare print or like white
ones, and as surely as elsewhere: what it lies on counts as not shown.
"""

import cv2
import numpy as np
from railspotter.calibration.arrays import Mask, Picture
from railspotter.calibration.profiles.darkest_print import CELL_MM, darkest_print

from ..printed.printed_board import PrintedBoard

# Light added to the darkest print, as a share of white, from which a part may be misread; and what
# the brightest of a patch must reach, since sheen of whole boards stays below it. Of 72 pictures
# with made veils nothing certain and wrong is left up to .35 and .5.
FADED_SHARE, CORE_SHARE = 0.25, 0.4
# Share of a board by which its usual light is told: a varnished copy or a pale camera adds to all
# print alike, which misleads nobody, and three quarters of a board may lie under a veil.
USUAL_QUANTILE = 0.25
# From the middle of a window how far its light is known: up to its edge but for a train's width
# and some, where one bright thing may be all that there is.
SPREAD_MM = 24.0


def mirrored_light(rectified: Picture, shown: Mask, printed: PrintedBoard) -> Mask:
    """Tell where so much light is mirrored that nobody can say what lies there, (H, W).

    `rectified` is the board from above, of which the pixels `shown` are in the picture. Of a print
    that nobody knows nothing is told.
    """
    if printed.darkest is None:
        return np.zeros(shown.shape, np.bool_)
    picture = rectified.copy()
    picture[~shown] = 255
    seen = darkest_print(picture, printed.px_per_mm)
    size_wh = seen.shape[1], seen.shape[0]
    is_shown = cv2.resize(shown.astype(np.uint8), size_wh, interpolation=cv2.INTER_AREA) > 0
    added = np.subtract(seen, cv2.resize(printed.darkest, size_wh), dtype=np.float32) / 255
    added[~is_shown] = 0
    print_seen = added[is_shown & (seen < 255)]  # elsewhere all of it is burnt out
    if len(print_seen):
        added -= max(0.0, float(np.quantile(print_seen, USUAL_QUANTILE)))
    window = np.ones((2 * round(SPREAD_MM / CELL_MM) + 1,) * 2, np.uint8)
    added = np.asarray(cv2.dilate(added, window), np.float32)
    _, patches = cv2.connectedComponents((added > FADED_SHARE).astype(np.uint8))
    lit = np.isin(patches, patches[added > CORE_SHARE]).astype(np.uint8)
    return np.asarray(cv2.resize(lit, shown.shape[::-1]) > 0, np.bool_)
