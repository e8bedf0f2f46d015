"""Where a picture has lines of letters, found by PaddleOCR's detector.

The net gives every pixel the probability that it lies in the middle of a line of letters (Liao et
al., Real-time Scene Text Detection with Differentiable Binarization, AAAI 2020). A line is a group
of such pixels, grown again by what the net was taught to leave out around it.
"""

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Int32s, Picture

from .nets import forward, to_net

# The net halves its picture five times.
STEP_PX = 32
PIXEL_PROBABILITY = 0.3
LINE_PROBABILITY = 0.5  # of a line's pixels in the mean
LEAST_LINE_PX = 3.0
BAND_PIXELS = 640 * 1024  # that are kept of a band, and how much more it has above and below
MARGIN_PX = 96
# What is grown again, as a part of area / perimeter: the paper's, of an unclipped line.
GROWTH = 1.6


def find_lines(picture: Picture, longest_side_px: int) -> list[Float64s]:
    """Return the outlines of lines of letters, each (4, 2) in the picture's pixels.

    The first side is a long one; which way up the letters stand is not known. The picture is looked
    at with its longer side at most as long as told.
    """
    height, width = picture.shape[:2]
    scale = min(1.0, longest_side_px / max(height, width))
    size = [max(STEP_PX, round(side * scale / STEP_PX) * STEP_PX) for side in (width, height)]
    small = cv2.resize(
        picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    probability = _probability(np.asarray(small, np.uint8))
    pixels = (probability > PIXEL_PROBABILITY).astype(np.uint8)
    contours, _ = cv2.findContours(pixels, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    to_picture = np.array([width / size[0], height / size[1]])
    outlines = (_outline(np.asarray(contour, np.int32), probability) for contour in contours)
    return [outline * to_picture for outline in outlines if outline is not None]


def _probability(picture: Picture) -> Float32s:
    """Return for every pixel the probability that a line of letters is there, (H, W).

    The net sees one band of the picture after the other, for the sake of its memory: 250 bytes for
    each pixel. What is kept of a band lies so far inside that its answer is the whole picture's.
    """
    height, width = picture.shape[:2]
    count = -(-height * width // BAND_PIXELS)
    kept = -(-height // count // STEP_PX) * STEP_PX
    bands = []
    for top in range(0, height, kept):
        above = min(top, MARGIN_PX)
        band = picture[top - above : top + kept + MARGIN_PX]
        answer = forward("detector", to_net(band)[None])[0, 0]
        bands.append(answer[above : above + kept])
    return np.concatenate(bands)


def _outline(contour: Int32s, probability: Float32s) -> Float64s | None:
    """Return a group's rectangle, grown, in the net's picture; None if it is no line."""
    centre, (width, height), angle = cv2.minAreaRect(contour)
    if min(width, height) < LEAST_LINE_PX:
        return None
    x, y, across, down = cv2.boundingRect(contour)
    inside = np.zeros((down, across), np.uint8)
    cv2.drawContours(inside, [contour], -1, 1, cv2.FILLED, offset=(-x, -y))
    if cv2.mean(probability[y : y + down, x : x + across], inside)[0] < LINE_PROBABILITY:
        return None
    if width < height:
        width, height, angle = height, width, angle + 90
    growth = GROWTH * width * height / (width + height)
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    across_line = np.array([-along[1], along[0]])
    half = along * (width + growth) / 2, across_line * (height + growth) / 2
    corners = [centre - half[0] - half[1], centre + half[0] - half[1]]
    corners += [centre + half[0] + half[1], centre - half[0] + half[1]]
    return np.array(corners)
