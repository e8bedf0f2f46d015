"""Real plastic in other colours, shading and gloss kept: another player's, or one's own set's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Picture
from railspotter.vision.colours.learned_colours import lab_of
from railspotter.vision.look.view import View
from railspotter.vision.printed.light import measure_light

from composed.trains import find_trains, likeness, plastic_colours, to_lab
from photos.labelled import LabelledPhoto

CHROMA_OF_GLOSS = 0.5  # a highlight has less colour than the plastic around it
MOST_GLOSS = 1.2  # over the plastic's own lightness: what is lighter is ground at the train's edge
# For each colour of the box another one, as sRGB: two of them are printed on the board as well.
OWN_SET = {
    "black": ("brown", (107, 68, 35)),
    "blue": ("teal", (26, 138, 138)),
    "green": ("purple", (122, 63, 160)),
    "red": ("orange", (224, 120, 32)),
    "yellow": ("pink", (229, 143, 181)),
}
WIDER_MM = 1.5  # how much more than a train's outline may show its plastic


def recoloured(
    picture: Picture,
    plastic: Float32s,
    colours: Mapping[str, Float64s],
    colour: str,
    wanted: str,
) -> Picture:
    """Return a picture with its plastic in another of the photo's train colours."""
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    here = plastic > 0.5
    if not here.any():
        return picture
    # The measured plastic of these very pixels, so that their light stays theirs.
    own = np.median(lab[here], axis=0)
    target = colours[wanted] + (own - colours[colour]) * np.array([1, 0.3, 0.3])
    shade = (lab[..., 0] - own[0]) / max(float(own[0]), 25.0)
    scale = max(float(target[0]), 12.0)
    shade = np.clip(shade, -1, MOST_GLOSS)
    lightness = target[0] + shade * np.where(shade < 0, scale, 25.0)
    dull = np.clip(1 + 0.6 * np.minimum(shade, 0), 0.2, 1)
    dull /= 1 + CHROMA_OF_GLOSS * np.maximum(shade, 0)
    painted = np.dstack([np.clip(lightness, 0, 100), target[1] * dull, target[2] * dull])
    bgr = cv2.cvtColor(painted.astype(np.float32), cv2.COLOR_LAB2BGR)
    return np.asarray(np.clip(np.asarray(bgr) * 255 + 0.5, 0, 255), np.uint8)


def in_own_set(photo: LabelledPhoto, view: View) -> View:
    """Return a found board with its trains in the colours of `OWN_SET`, shading and glare kept."""
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
        own = _in_light(OWN_SET[name][1], overall)
        lab = lab + soft * (own - plastics[name]).astype(np.float32)
    lab[..., 0] = np.clip(lab[..., 0], 0, 100)
    bgr = cv2.cvtColor(lab.astype(np.float32), cv2.COLOR_LAB2BGR)
    picture = np.rint(np.clip(bgr, 0, 1) * 255).astype(np.uint8)
    return replace(view, rectified=picture)


def _in_light(srgb: tuple[int, int, int], gain: AnyFloats) -> Float64s:
    """Return the Lab of a colour as a photo's light shows it."""
    lit = np.clip(np.array(srgb) * gain[::-1], 0, 255).astype(int)
    return np.array(lab_of((int(lit[0]), int(lit[1]), int(lit[2]))))
