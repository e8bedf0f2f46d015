"""Photos of real trains in other colours: what a set of the user's own would look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from composed_trains import find_trains, likeness, plastic_colours, to_lab
from photo_set import LabelledPhoto
from railspotter.calibration.arrays import AnyFloats, Float64s
from railspotter.vision.colours.learned_colours import lab_of
from railspotter.vision.look.view import View
from railspotter.vision.printed.light import measure_light

SET = {
    "black": ("brown", (107, 68, 35)),
    "blue": ("teal", (26, 138, 138)),
    "green": ("purple", (122, 63, 160)),
    "red": ("orange", (224, 120, 32)),
    "yellow": ("pink", (229, 143, 181)),
}
"""For each colour of the box another one, as sRGB: two of them are printed on the board as well."""
WIDER_MM = 1.5


def recoloured(photo: LabelledPhoto, view: View) -> View:
    """Return a found board with its trains in the colours of `SET`, shading and glare kept."""
    printed = view.printed
    spaces: Mapping[str, list[str | None]] = photo.truth["spaces"]
    lab = to_lab(view.rectified)
    plastics = plastic_colours(lab, printed.px_per_mm, printed.board, spaces)
    gain = measure_light(view.rectified, printed).gain
    overall = np.median(gain.reshape(-1, 3), axis=0)
    share = {name: np.zeros(lab.shape[:2], np.float32) for name in plastics}
    for train in find_trains(view.rectified, printed.px_per_mm, printed.board, spaces):
        outline = train.outline_mm(WIDER_MM) * printed.px_per_mm - 0.5
        cv2.fillConvexPoly(share[train.colour], np.rint(outline).astype(np.int32), 1.0)
    for name, where in share.items():
        # What of a train's place looks like its plastic at all, in light or in shade.
        alike = np.minimum(1, 2 * likeness(lab, plastics[name])) * where
        soft = cv2.GaussianBlur(alike, (0, 0), 0.7)[..., None]
        own = _in_light(SET[name][1], overall)
        lab = lab + soft * (own - plastics[name]).astype(np.float32)
    lab[..., 0] = np.clip(lab[..., 0], 0, 100)
    bgr = cv2.cvtColor(lab.astype(np.float32), cv2.COLOR_LAB2BGR)
    picture = np.rint(np.clip(bgr, 0, 1) * 255).astype(np.uint8)
    return replace(view, rectified=picture)


def _in_light(srgb: tuple[int, int, int], gain: AnyFloats) -> Float64s:
    """Return the Lab of a colour as a photo's light shows it."""
    lit = np.clip(np.array(srgb) * gain[::-1], 0, 255).astype(int)
    return np.array(lab_of((int(lit[0]), int(lit[1]), int(lit[2]))))
