"""Type aliases for the arrays and points of drawn boards and cards.

Arrays are indexed (row, column), points are (x, y). A docstring beside a value says its shape.
"""

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # (H, W, 3) uint8: a picture in colour, BGR

Mask = NDArray[np.bool_]  # bool, any shape: selects pixels or members of a list

# (..., 2) float64: points (x, y), in millimetres or pixels as the value's name says.
Points = NDArray[np.float64]

# Float32, any shape: values of every pixel, such as light.
Float32s = NDArray[np.float32]

# Float64, any shape: homographies, points (x, y, z) in millimetres, directions of length 1.
Float64s = NDArray[np.float64]

AnyFloats = NDArray[np.floating]  # float32 or float64, any shape: for functions that take both

Indices = NDArray[np.intp]  # intp, any shape: indices into another array

Int32s = NDArray[np.int32]  # int32, any shape: pixel coordinates in OpenCV's fixed point

Point = tuple[float, float]  # one point (x, y), in millimetres or pixels as the value's name says
