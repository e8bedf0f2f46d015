"""How dark the print gets around each part of a board, by which mirrored light is measured.

Print has dark lines and letters nearly everywhere. What a board mirrors is added to all that lies
there, so that even these look pale.
"""

from functools import reduce

import cv2
import numpy as np

from ..arrays import GreyPicture, Picture

PX_MM = 2.0  # side of a compared pixel: a line of half a millimetre is as thin for every camera
REACH_MM = 36.0  # half the window around a part: a double route full of light trains is narrower
CELL_MM = 6.0  # side of a cell of the result, which changes slowly


def darkest_print(rectified: Picture, px_per_mm: float) -> GreyPicture:
    """Return the darkest pixel of the window around each cell of a board, by its lowest channel.

    Parameters
    ----------
    rectified : ndarray, (H, W, 3) uint8
        The board from above; white where nothing is known.

    Returns
    -------
    ndarray, (rows, columns) uint8
        0 for black to 255, one for each `CELL_MM`.
    """
    lowest = reduce(np.minimum, cv2.split(rectified))  # a channel at once: twenty times faster
    height, width = (round(side / px_per_mm / PX_MM) for side in lowest.shape)
    smooth = cv2.resize(lowest, (width, height), interpolation=cv2.INTER_AREA)
    window = np.ones((2 * round(REACH_MM / PX_MM) + 1,) * 2, np.uint8)
    step = round(CELL_MM / PX_MM)
    return np.asarray(cv2.erode(smooth, window)[step // 2 :: step, step // 2 :: step], np.uint8)
