"""Score markers drawn into real photos, in the colours that the photo's own trains have there.

The labelled photos show none. A disc of painted wood is simple enough to be drawn: its top and its
side where the camera sees them, a soft shadow, the photo's blur and noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.table.photos.score import FoundBoard

from photos.labelled import LabelledPhoto

from .laid import LaidMarker

RADIUS_MM, HEIGHT_MM = (5.0, 7.0), (4.0, 7.0)
PAINT_LAB = 5.0  # how far painted wood is from plastic of the same name, one standard deviation
SIDE, SHADOW = 0.65, 0.6
SHADOW_MM = 3.0
NEAREST = 6
FINER = 4  # how many times finer than the photo edges are drawn


Plastic = Mapping[str, Float64s]


def plastic_in(photo: LabelledPhoto, picture: Picture, found: FoundBoard) -> Plastic:
    """Return what each colour's trains look like in a photo, by its truth.

    Where each train stands, in board millimetres, and its BGR.
    """
    board = found.view.printed.board
    seen: dict[str, list[list[float]]] = {}
    for route, stands in photo.truth["spaces"].items():
        for space, colour in zip(board.route_by_id[route].spaces, stands, strict=True):
            if colour is not None:
                xy = np.array(space.xy_mm)
                at = xy + found.view.viewpoint.lean_mm(xy, 8.0)
                x, y = np.rint(_to_photo(found, at[None])[0]).astype(int)
                patch = picture[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3].reshape(-1, 3)
                bgr = np.median(patch, axis=0).tolist()
                seen.setdefault(colour, []).append([*space.xy_mm, *bgr])
    return {c: np.array(trains) for c, trains in seen.items() if len(trains) >= NEAREST}


def with_markers(
    picture: Picture,
    found: FoundBoard,
    laid: Sequence[LaidMarker],
    plastic: Plastic,
    rng: np.random.Generator,
) -> Picture:
    """Return a photo with markers on its score track."""
    shown = picture.astype(np.float32)
    light_from = rng.uniform(0, 2 * np.pi)
    away_from_light = SHADOW_MM * np.array([np.cos(light_from), np.sin(light_from)])
    radius, height = rng.uniform(*RADIUS_MM), rng.uniform(*HEIGHT_MM)
    for marker in sorted(laid, key=lambda one: one.z_mm):
        if marker.how == "away":
            continue
        # The light is that of the trains nearest to it.
        trains = plastic[marker.colour]
        away_mm = np.linalg.norm(trains[:, :2] - marker.xy_mm, axis=1)
        near = trains[away_mm.argsort()[:NEAREST], 2:]
        paint = _paint(np.median(near, axis=0), rng)
        low, high = marker.z_mm * height / 5.0, (marker.z_mm / 5.0 + 1) * height
        foot, top = (_circle(found, marker.xy_mm, radius, z) for z in (low, high))
        (x, y), (dx, dy) = marker.xy_mm, away_from_light
        shadow = _circle(found, (x + dx, y + dy), radius, 0.0)
        _blend(shown, np.vstack([foot, shadow]), SHADOW * shown, blur=2.0)
        _blend(shown, np.vstack([foot, top]), SIDE * paint)
        _blend(shown, top, paint)
    noise = rng.normal(0, 2.5, shown.shape) * (shown != picture).any(axis=2, keepdims=True)
    return np.asarray(np.clip(shown + noise, 0, 255), np.uint8)


def _paint(plastic: Float64s, rng: np.random.Generator) -> Float64s:
    lab = cv2.cvtColor(np.asarray([[plastic / 255]], np.float32), cv2.COLOR_BGR2LAB)
    lab += rng.normal(0, PAINT_LAB, 3).astype(np.float32)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)[0, 0] * 255, np.float64).clip(0, 255)


def _circle(found: FoundBoard, xy_mm: Sequence[float], radius: float, z_mm: float) -> Float64s:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    points = np.array(xy_mm) + radius * np.column_stack([np.cos(turn), np.sin(turn)])
    return _to_photo(found, points + found.view.viewpoint.lean_mm(points, z_mm))


def _to_photo(found: FoundBoard, points_mm: Float64s) -> Float64s:
    """Return where points of the board are seen in the photo as it was given."""
    at = cv2.perspectiveTransform(points_mm[None].astype(np.float64), found.pose.frame_from_board)
    return np.asarray((at[0] + 0.5) / found.shrunk - 0.5)


def _blend(shown: np.ndarray, points: Float64s, ink: np.ndarray, blur: float = 0.7) -> None:
    """Draw the outline around some points, softly."""
    mask = np.zeros(shown.shape[:2], np.uint8)
    hull = cv2.convexHull(np.rint(points * 2**FINER).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, FINER)
    soft = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32)[..., None] / 255
    shown += soft * (ink - shown)
