"""Outlines in a photo that could be whole cards: four straight sides, about as long as a card's."""

from __future__ import annotations

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Int32s, Picture

LEVELS = 9
"""Steps of each channel at which the picture is parted."""
AREA_SHARES = (0.0012, 0.3)
"""Least and most of a picture that one card covers."""
ASPECTS = (1.15, 2.0)
"""Long side over short one, as the camera sees it; sold are 1.4 to 1.56."""
LEAST_SOLID, LEAST_FILL = 0.9, 0.84
"""Least share of its hull that an outline fills, and its hull of the narrowest rectangle around."""
MOST_BENT = 0.025
"""How far an outline's points are from its sides, in short sides."""
DRAWN_WITHIN, DRAWN = 0.75, 0.7
"""Share of the sides where a drawing is looked for; its lines' pixels, beside the field's side."""
CORNER = 0.2
"""Share of each side beside its ends that is left out: corners are round."""


def card_sheets(picture: Picture) -> Float64s:
    """Return outlines that could be cards, many of them more than once.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR

    Returns
    -------
    (N, 4, 2) float64 array
        Corners in pixels; the first side is a long one.
    """
    height, width = picture.shape[:2]
    least, most = (share * height * width for share in AREA_SHARES)
    found = []
    parts, edges = _parted(picture)
    for mask in parts:
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if len(contour) < 60 or not least < cv2.contourArea(contour) < most:
                continue
            sheet = _sheet(np.asarray(contour, np.int32))
            if sheet is not None and _is_drawn(sheet, edges):
                found.append(sheet)
    return np.array(found).reshape(-1, 4, 2)


def _parted(picture: Picture) -> tuple[list[Picture], Picture]:
    """Return pictures in black and white that part what differs in colour; and the edges."""
    smooth = cv2.medianBlur(picture, 5)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab)
    edges = np.zeros(picture.shape[:2], np.uint8)
    parts = []
    for channel in cv2.split(lab):
        low, high = np.percentile(channel[::4, ::4], (2, 98))
        for level in np.linspace(low, high, LEVELS + 2)[1:-1]:
            parts.append((channel > level).astype(np.uint8))
        steepest = max(8.0, 0.35 * (high - low))
        edges = np.maximum(
            edges, np.asarray(cv2.Canny(channel, 0.4 * steepest, steepest), np.uint8)
        )
    parts += [cv2.dilate(edges, np.ones((reach, reach), np.uint8)) for reach in (2, 4)]
    return parts, edges


def _is_drawn(sheet: Float64s, edges: Picture) -> bool:
    """Tell whether something is drawn inside: a chequered cloth has empty fields."""
    middle = sheet.mean(axis=0)
    inner = np.rint(middle + DRAWN_WITHIN * (sheet - middle)).astype(np.int32)
    left, top = np.maximum(inner.min(axis=0), 0)
    right, bottom = inner.max(axis=0) + 1
    part = edges[top:bottom, left:right]
    if part.size == 0:
        return False
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(mask, inner - (left, top), 1)
    return bool(np.count_nonzero(part[mask > 0]) > DRAWN * np.sqrt(max(1, int(mask.sum()))))


def _sheet(contour: Int32s) -> Float64s | None:
    """Return an outline's four corners, where its sides are straight."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    middle, (width, height), turn = cv2.minAreaRect(hull)
    short = min(width, height)
    if short < 1 or not ASPECTS[0] < max(width, height) / short < ASPECTS[1]:
        return None
    if cv2.contourArea(contour) < LEAST_SOLID * area or area < LEAST_FILL * width * height:
        return None
    points = contour[:, 0].astype(np.float64)
    box = cv2.boxPoints((middle, (width, height), turn)).astype(np.float64)
    sides = []
    for i in range(4):
        along = box[(i + 1) % 4] - box[i]
        length = np.hypot(*along)
        off = points - box[i]
        share = off @ along / length**2
        away = np.abs(off @ np.array([-along[1], along[0]]) / length)
        own = points[(share > CORNER) & (share < 1 - CORNER) & (away < 0.12 * short)]
        if len(own) < 8:
            return None
        x_way, y_way, x, y = cv2.fitLine(own.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)[
            :, 0
        ]
        normal = np.array([-y_way, x_way])
        if np.sqrt(np.mean(((own - (x, y)) @ normal) ** 2)) > MOST_BENT * short:
            return None
        sides.append((normal, normal @ (x, y)))
    return _long_side_first(np.array([_crossing(sides[i - 1], sides[i]) for i in range(4)]))


def _crossing(one: tuple[Float64s, float], other: tuple[Float64s, float]) -> Float64s:
    normals = np.array([one[0], other[0]], np.float64)
    if abs(np.linalg.det(normals)) < 0.2:
        return np.full(2, 1e9)
    return np.asarray(np.linalg.solve(normals, [one[1], other[1]]), np.float64)


def _long_side_first(corners: Float64s) -> Float64s:
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return np.roll(corners, -1, axis=0) if lengths[0] < lengths[1] else corners
