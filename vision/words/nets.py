"""The two nets that read words, run by OpenCV, and the letters that the second one knows.

Both are PaddleOCR's (PP-OCRv6 small, Apache License 2.0). They are put here when the package is
built (setup.py); a build that could not fetch them is whole but for the reading of words.
"""

import json
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Literal

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Picture

from ..errors import WordsMissingError

FOLDER = Path(__file__).parent
_FORWARDING = Lock()  # OpenCV's nets hold the values of their layers: one thread at a time


def forward(name: Literal["detector", "recogniser"], pictures: Float32s) -> Float32s:
    """Return a net's answer for pictures, (N, 3, height, width) as `to_net` makes them."""
    net = _net(name)
    with _FORWARDING:
        net.setInput(pictures)
        return np.array(net.forward(), np.float32)


def to_net(picture: Picture) -> Float32s:
    """Return a picture as the nets take it: (3, height, width), from -1 to 1."""
    return np.ascontiguousarray(((picture.astype(np.float32) / 127.5) - 1).transpose(2, 0, 1))


@cache
def letters() -> str:
    """Return the signs that the recogniser answers with, in their order."""
    return str(json.loads(_read("nets.json"))["letters"])


@cache
def _net(name: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(
        np.frombuffer(_read(f"{name}.onnx"), np.uint8), engine=cv2.dnn.ENGINE_NEW
    )


def _read(name: str) -> bytes:
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise WordsMissingError from None
