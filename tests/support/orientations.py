"""A picture whose quarters differ, as files hold it for each orientation."""

import numpy as np
from railspotter.calibration.arrays import Picture

QUARTERS = np.array([[(0, 0, 255), (0, 255, 0)], [(255, 0, 0), (255, 255, 255)]], np.uint8)
# BGR: red and green above blue and white, 320 x 240.
UPRIGHT: Picture = QUARTERS.repeat(120, axis=0).repeat(160, axis=1)
# What a file holds for each orientation (Exif 2.32, 4.6.4).
AS_STORED = {
    1: UPRIGHT,
    2: UPRIGHT[:, ::-1],
    3: UPRIGHT[::-1, ::-1],
    4: UPRIGHT[::-1],
    5: UPRIGHT.transpose(1, 0, 2),
    6: UPRIGHT.transpose(1, 0, 2)[::-1],
    7: UPRIGHT.transpose(1, 0, 2)[::-1, ::-1],
    8: UPRIGHT.transpose(1, 0, 2)[:, ::-1],
}
