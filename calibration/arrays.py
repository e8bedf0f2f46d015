"""The arrays, points and numbers that calibration and vision hand around, each under one name.

Arrays are indexed (row, column), points are (x, y). A docstring beside a value says its shape.
"""

from typing import Annotated

import msgspec
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]  # (H, W, 3) uint8: a picture in colour, BGR

GreyPicture = npt.NDArray[np.uint8]  # (H, W) uint8: a picture's lightness, 0 black to 255 white

# Bool, any shape: of which pixels, cells or members of a list something is true.
Mask = npt.NDArray[np.bool_]

# (..., 2) float64: points (x, y), in millimetres or pixels as the value's name says.
Points = npt.NDArray[np.float64]

# Float32, any shape: what is measured of pixels, colours in CIE Lab, cues.
Float32s = npt.NDArray[np.float32]

# Float64, any shape: what is calculated with, as homographies, points and probabilities.
Float64s = npt.NDArray[np.float64]

AnyFloats = npt.NDArray[np.floating]  # float32 or float64, any shape: for functions that take both

Indices = npt.NDArray[np.intp]  # intp, any shape: places in another array, counted from 0

# Int32, any shape: pixels that OpenCV draws at, and pixels counted through a picture.
Int32s = npt.NDArray[np.int32]

Point = tuple[float, float]  # one point (x, y), in millimetres or pixels as the value's name says

# Width and height of a picture, in pixels. What an `Annotated` type says is checked when a file is
# read.
SizeWh = tuple[Annotated[int, msgspec.Meta(ge=1)], Annotated[int, msgspec.Meta(ge=1)]]

NotNegative = Annotated[float, msgspec.Meta(ge=0)]

Lab = tuple[float, float, float]  # one colour in CIE Lab: L from 0 to 100, then a and b
