"""Measures the completeness of a space's outline everywhere in a picture.

A printed space is a rectangle: an edge along each of its four sides, and nothing inside but a small
symbol. The picture's edges are rotated until spaces of one angle are level; a side is then the mean
of a row or a column of edges.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from railspotter.scoring.board import Space

from ..arrays import AnyFloats, Float32s, Float64s, Int32s, Picture

SizeMm = tuple[float, float]

# Colour gradient (Lab per mm) at which an edge has strength 0.5; strength is below 1.
SOFT_EDGE = 10.0
SMOOTHED_MM = 0.35  # standard deviation of the blur
SLACK_MM = 0.8  # tolerance for bent or tilted sides
LONG_SHARE, SHORT_SHARE = 0.8, 0.7  # share of a side that must be edge: corners are rounded
INNER_SHARES = (0.7, 0.45)  # shares of length and width that should hold no edges
INNER_WEIGHT = 0.5
# Sampling points on a side, as shares of it: corners are rounded.
ON_LONG = np.linspace(-0.4, 0.4, 9)
ON_SHORT = np.linspace(-0.33, 0.33, 9)


@dataclass(frozen=True, eq=False)
class Edges:
    """The structure tensor of a picture's colours, for edges in any direction."""

    # xx, xy, yy: (H, W) float32: products of the gradients along x and y, summed over the channels
    # of Lab, per mm^2
    xx: Float32s
    xy: Float32s
    yy: Float32s
    px_per_mm: float

    @classmethod
    def of(cls, picture: Picture, px_per_mm: float) -> "Edges":
        """Return the edges of a BGR picture."""
        lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
        soft = cv2.GaussianBlur(lab, (0, 0), SMOOTHED_MM * px_per_mm)
        x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=px_per_mm / 8)
        y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=px_per_mm / 8)
        return cls((x * x).sum(-1), (x * y).sum(-1), (y * y).sum(-1), px_per_mm)

    @cached_property
    def products(self) -> Float32s:
        """xx, xy and yy stacked, (H, W, 3)."""
        return np.stack([self.xx, self.xy, self.yy], axis=-1)

    def along_sides(self, poses: Float64s, size_mm: SizeMm | Float64s) -> Float64s:
        """Return the edge strength along the sides of spaces, (N, 4), long sides first.

        `poses` is (N, 3): each space's middle in millimetres, (x, y), and its angle in degrees.
        `size_mm` is their length and width: of all, or of each its own, (N, 2).
        """
        length, width = np.moveaxis(np.broadcast_to(size_mm, (len(poses), 2))[:, None], -1, 0)
        angle = np.deg2rad(poses[:, 2:3])
        c, s = np.cos(angle), np.sin(angle)
        sides = []
        for sign in (-1, 1):
            x, y = points_on(poses, ON_LONG * length, sign * width / 2 + 0 * ON_LONG)
            sides.append(self._across(x, y, -s, c))
        for sign in (-1, 1):
            x, y = points_on(poses, sign * length / 2 + 0 * ON_SHORT, ON_SHORT * width)
            sides.append(self._across(x, y, c, s))
        return np.column_stack(sides)

    def _across(self, x: Float64s, y: Float64s, normal_x: Float64s, normal_y: Float64s) -> Float64s:
        """Return the mean edge strength across normals at points, (N,)."""
        xx, xy, yy = np.moveaxis(sampled(self.products, x, y, self.px_per_mm), -1, 0)
        square = normal_x**2 * xx + 2 * normal_x * normal_y * xy + normal_y**2 * yy
        strength = np.sqrt(np.maximum(square, 0))
        return np.asarray((strength / (strength + SOFT_EDGE)).mean(axis=1))

    def level(self, angle_deg: float) -> "LevelEdges":
        """Return the edges rotated so that spaces of an angle are level."""
        angle = np.deg2rad(angle_deg)
        c, s = np.cos(angle), np.sin(angle)
        height, width = self.xx.shape
        turn = np.array([[c, s], [-s, c]])
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ turn.T
        low = corners.min(axis=0)
        size_wh = np.ceil(corners.max(axis=0) - low).astype(int)
        level_from_picture = np.column_stack([turn, -low])
        along = np.sqrt(np.maximum(c * c * self.xx + 2 * s * c * self.xy + s * s * self.yy, 0))
        across = np.sqrt(np.maximum(s * s * self.xx - 2 * s * c * self.xy + c * c * self.yy, 0))
        wh = int(size_wh[0]), int(size_wh[1])
        upright, lying = (
            np.asarray(
                cv2.warpAffine(
                    np.asarray(strength / (strength + SOFT_EDGE), np.float32),
                    level_from_picture,
                    wh,
                ),
                np.float32,
            )
            for strength in (along, across)
        )
        return LevelEdges(upright, lying, level_from_picture, self.px_per_mm)


def sampled(picture: Float32s, x_mm: Float64s, y_mm: Float64s, px_per_mm: float) -> Float64s:
    """Sample a picture at points in millimetres, bilinearly."""
    at_x = (x_mm * px_per_mm - 0.5).astype(np.float32)
    at_y = (y_mm * px_per_mm - 0.5).astype(np.float32)
    found = [
        cv2.remap(picture, part_x, part_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        # OpenCV maps no more than 32767 rows at once.
        for part_x, part_y in zip(
            np.array_split(at_x, len(at_x) // 30000 + 1),
            np.array_split(at_y, len(at_y) // 30000 + 1),
            strict=True,
        )
    ]
    return np.concatenate(found).astype(np.float64)


def points_on(
    poses: Float64s, along_mm: AnyFloats, across_mm: AnyFloats
) -> tuple[Float64s, Float64s]:
    """Return points along and across spaces, x and y in mm, (N, n) each."""
    angle = np.deg2rad(poses[:, 2:3])
    c, s = np.cos(angle), np.sin(angle)
    return poses[:, 0:1] + c * along_mm - s * across_mm, poses[
        :, 1:2
    ] + s * along_mm + c * across_mm


def box_px(space: Space, px_per_mm: float, larger: float = 1.0) -> Int32s:
    """Return the corners of a space in a picture of the board, (4, 2); `larger` scales its size."""
    x, y = (px_per_mm * v for v in space.xy_mm)
    length, width = (px_per_mm * larger * v for v in space.size_mm)
    return np.asarray(cv2.boxPoints(((x, y), (length, width), space.angle_deg)).round(), np.int32)


@dataclass(frozen=True, eq=False)
class LevelEdges:
    """Edge strengths of a rotated picture, 0 to 1."""

    # upright, lying: (H, W) float32: edges that run across and along the spaces
    upright: Float32s
    lying: Float32s
    level_from_picture: Float64s
    px_per_mm: float

    def outlines(self, sizes_mm: Sequence[SizeMm]) -> Iterator[Float32s]:
        """Yield for each size the completeness of an outline around every pixel, at most 1."""
        slack = self._odd(SLACK_MM)
        upright = cv2.dilate(self.upright, np.ones((1, slack), np.uint8))
        lying = cv2.dilate(self.lying, np.ones((slack, 1), np.uint8))
        anything = np.maximum(self.upright, self.lying)
        long_sides = {
            length: np.asarray(cv2.blur(lying, (self._odd(LONG_SHARE * length), 1)), np.float32)
            for length in {length for length, _ in sizes_mm}
        }
        short_sides = {
            width: np.asarray(cv2.blur(upright, (1, self._odd(SHORT_SHARE * width))), np.float32)
            for width in {width for _, width in sizes_mm}
        }
        for length, width in sizes_mm:
            inner = cv2.blur(
                anything, (self._odd(INNER_SHARES[0] * length), self._odd(INNER_SHARES[1] * width))
            )
            yield np.asarray(
                0.6 * _both(long_sides[length], 0, round(width / 2 * self.px_per_mm))
                + 0.4 * _both(short_sides[width], 1, round(length / 2 * self.px_per_mm))
                - INNER_WEIGHT * inner,
                np.float32,
            )

    def picture_points(self, points: Float64s) -> Float64s:
        """Return points of the rotated picture, (N, 2), in the original picture."""
        turn, shift = self.level_from_picture[:, :2], self.level_from_picture[:, 2]
        return np.asarray((points - shift) @ turn)

    def _odd(self, length_mm: float) -> int:
        return max(1, round(length_mm * self.px_per_mm)) | 1


def _both(sides: Float32s, axis: int, half_px: int) -> Float32s:
    """Return the strength of two opposite sides: the weaker one counts more."""
    before, behind = np.roll(sides, half_px, axis), np.roll(sides, -half_px, axis)
    return np.asarray(0.5 * np.minimum(before, behind) + 0.25 * (before + behind), np.float32)
