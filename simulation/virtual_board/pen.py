"""A pen that draws in millimetres."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Int32s, Picture, Points
from .inks import Ink

FONT = cv2.FONT_HERSHEY_TRIPLEX

_TURN = np.linspace(0, 2 * np.pi, 29)
# Around the origin, of radius 1, closed.
CIRCLE: Points = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


class Pen:
    """Draws on a picture; a pixel's own coordinates are those of its middle."""

    def __init__(self, picture: Picture, px_per_mm: float) -> None:
        self.picture = picture
        self.px_per_mm = px_per_mm

    def fill(self, outline_mm: ArrayLike, ink: Ink) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.picture, [self._fixed(outline_mm)], ink, cv2.LINE_AA, 4)

    def line(self, points_mm: ArrayLike, ink: Ink, width_mm: float) -> None:
        """Draw a line through points, a pixel wide at least."""
        width = max(1, round(width_mm * self.px_per_mm))
        cv2.polylines(self.picture, [self._fixed(points_mm)], False, ink, width, cv2.LINE_AA, 4)

    def disc(self, middle_mm: ArrayLike, radius_mm: float, ink: Ink) -> None:
        """Fill a circle."""
        self.fill(np.asarray(middle_mm) + radius_mm * CIRCLE, ink)

    def text(self, middle_mm: ArrayLike, text: str, height_mm: float, ink: Ink) -> None:
        """Write so that the middle of the capitals is there."""
        scale = self.font_scale(height_mm)
        (width, height), _ = cv2.getTextSize(text, FONT, scale, 1)
        x, y = np.asarray(middle_mm) * self.px_per_mm + (-width / 2 - 0.5, height / 2 - 0.5)
        cv2.putText(self.picture, text, (round(x), round(y)), FONT, scale, ink, 1, cv2.LINE_AA)

    def text_width_mm(self, text: str, height_mm: float) -> float:
        """Return how wide a text is whose capitals are that high."""
        (width, _), _ = cv2.getTextSize(text, FONT, 1.0, 1)
        return float(width * self.font_scale(height_mm) / self.px_per_mm)

    def font_scale(self, height_mm: float) -> float:
        """Return the scale at which capitals are that high."""
        (_, height), _ = cv2.getTextSize("H", FONT, 4.0, 1)
        return 4.0 * height_mm * self.px_per_mm / float(height)

    def _fixed(self, points_mm: ArrayLike) -> Int32s:
        px = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.rint(px * 16).astype(np.int32)
