"""Classifies the colours of printed spaces by the game's names.

Each name has a centre in Lab, which is shifted towards the median of the spaces nearest to it,
since lamps and printings differ, but not far.
"""

import numpy as np

from ..arrays import Float64s, Lab

# OpenCV's 8-bit Lab; between a photo of a printed board (shoot-1) and a drawn one.
CENTRES: dict[str, Lab] = {
    "red": (108, 178, 170),
    "orange": (155, 158, 188),
    "yellow": (213, 125, 200),
    "green": (155, 103, 180),
    "blue": (115, 130, 86),
    "pink": (142, 168, 124),
    "white": (228, 128, 134),
    "grey": (165, 128, 130),
    "black": (44, 129, 129),
}
NAMES = tuple(CENTRES)
LIGHTNESS_WEIGHT = 0.6  # lamps change lightness more than hue
# Most shift of a centre, so that no name takes over another's spaces.
MOST_MOVED = 20.0
ROUNDS = 3


def shifted_centres(points: Float64s) -> Float64s:
    """Return the centres of all names, (9, 3), shifted to the colours of a picture."""
    first = np.array(list(CENTRES.values()))
    centres = first.copy()
    for _ in range(ROUNDS):
        nearest = distances(points, centres).argmin(axis=1)
        for i in range(len(NAMES)):
            if np.sum(nearest == i) >= 3:
                shift = np.median(points[nearest == i], axis=0) - first[i]
                far = np.linalg.norm(shift)
                centres[i] = first[i] + shift * min(1.0, MOST_MOVED / max(float(far), 1e-9))
    return centres


def distances(points: Float64s, centres: Float64s) -> Float64s:
    """Return weighted Lab distances of colours: (N, 3) and (M, 3) to (N, M)."""
    weighted = (points[:, None] - centres[None]) * (LIGHTNESS_WEIGHT, 1.0, 1.0)
    return np.asarray(np.linalg.norm(weighted, axis=-1))
