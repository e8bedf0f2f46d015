"""The segmentation of a photo with trains: each pixel's train, plastic and shadow.

Every pixel near trains belongs to exactly one of them. A route can so be cut out whole, half or
train by train; laid side by side again, the cuts are the photo.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Mask, Picture
from railspotter.scoring.board import Board, RouteId

from composed.light import measure_change
from composed.trains import TRAIN_MM, SeenTrain, find_trains, likeness, plastic_colours, to_lab

NO_OWNER = -1
UNKNOWN = "unknown"  # the colour of what stands on routes that have no label
# Bare ground that comes along with a train, and where it has faded into the other photo's.
MARGIN_MM = (1.0, 3.0)
SHADOW_MM = (11.0, 14.0)  # how far a train's shadow is followed, and where the last of it has faded
SHADOW_RATIO = (0.84, 0.94)  # darker than the first is shadow, lighter than the second is not
BARE_MM = 6.0
# How far from the middle of what is seen of a train, over its outline, plastic is looked for.
PLASTIC_MM = 3.5
COLOUR_PULL_MM = 3.0  # how many millimetres nearer a pixel counts to a train of its own colour


@dataclass(frozen=True, eq=False)
class Source:
    """A rectified board with trains, segmented."""

    name: str
    picture: Picture
    px_per_mm: float
    trains: tuple[SeenTrain, ...]
    # (H, W) int16: which train a pixel belongs to, `NO_OWNER` far from all.
    owner: npt.NDArray[np.int16]
    plastic: Picture  # (H, W) uint8: how much of a pixel is train, 0 to 255
    # (H, W) uint8: how much of a pixel comes along when its train is laid elsewhere: plastic,
    # shadow, margin.
    reach: Picture
    shadow: Picture  # (H, W) uint8: by how much the ground is darkened, 255 for not at all
    bare_mask: Mask  # (H, W) bool array. Print with nothing on it.
    plastic_lab: Mapping[str, Float64s]

    @cached_property
    def number_by_space(self) -> dict[tuple[RouteId, int], int]:
        """The number of each train in `owner`, by its route and space."""
        return {(train.route, train.space): i for i, train in enumerate(self.trains)}

    def colour_of(self, route: RouteId) -> str:
        """Return the colour of the first train on a route."""
        return next(train.colour for train in self.trains if train.route == route)

    @cached_property
    def bounds(self) -> tuple[tuple[slice, slice], ...]:
        """The part of the picture, (rows, columns), with each train and its shadow."""
        reaching = np.where(self.reach > 0, self.owner, NO_OWNER)
        height, width = reaching.shape
        parts = []
        for i, train in enumerate(self.trains):
            rows, columns = _part_around(train, SHADOW_MM[1] + 8, self.px_per_mm, (height, width))
            own = np.argwhere(reaching[rows, columns] == i)
            if len(own) == 0:
                parts.append((slice(rows.start, rows.start), slice(columns.start, columns.start)))
                continue
            (top, left), (bottom, right) = own.min(axis=0), own.max(axis=0) + 1
            parts.append(
                (
                    slice(rows.start + int(top), rows.start + int(bottom)),
                    slice(columns.start + int(left), columns.start + int(right)),
                )
            )
        return tuple(parts)

    @cached_property
    def contact(self) -> dict[RouteId, float]:
        """The share of each route's outline that touches other routes' trains, 0 to 1.

        A route that touches none can be cut out with all of its shadow.
        """
        routes = sorted({train.route for train in self.trains})
        number = {route: i for i, route in enumerate(routes)}
        of_train = np.array([number[train.route] for train in self.trains] + [NO_OWNER])
        route_at = np.where(self.reach > 128, of_train[self.owner], NO_OWNER)
        touching = np.zeros(len(routes))
        for axis in (0, 1):
            first, second = (
                np.take(route_at, range(start, route_at.shape[axis] - 1 + start), axis=axis)
                for start in (0, 1)
            )
            meets = (first != second) & (first != NO_OWNER) & (second != NO_OWNER)
            for side in (first[meets], second[meets]):
                touching += np.bincount(side, minlength=len(routes))
        outline = np.zeros(len(routes))
        for train in self.trains:
            outline[number[train.route]] += 2 * TRAIN_MM[0] * self.px_per_mm
        return {route: float(touching[i] / outline[i]) for route, i in number.items()}


def segment(
    name: str,
    picture: Picture,
    empty: Picture,
    px_per_mm: float,
    board: Board,
    spaces: Mapping[RouteId, Sequence[str | None]],
) -> Source:
    """Segment a labelled photo."""
    trains = find_trains(picture, px_per_mm, board, spaces)
    trains += tuple(
        SeenTrain(route.id, i, UNKNOWN, space.xy_mm, space.angle_deg)
        for route in board.routes
        if route.id not in spaces
        for i, space in enumerate(route.spaces)
    )
    lab = to_lab(picture)
    colours = plastic_colours(lab, px_per_mm, board, spaces)
    like = {colour: likeness(lab, value) for colour, value in colours.items()}
    like[UNKNOWN] = np.zeros(lab.shape[:2], np.float32)
    soft_like = {c: _blur(value, 0.8 * px_per_mm) for c, value in like.items()}
    owner, away_mm, own_like = _assign_pixels(trains, soft_like, px_per_mm)
    change = measure_change(empty, picture, away_mm > BARE_MM, px_per_mm)
    ratio = _darkening(picture, change.apply(empty), px_per_mm)
    plastic = _plastic_share(away_mm, own_like, px_per_mm)
    shadowed = _smooth_step(ratio, *SHADOW_RATIO) * _smooth_step(away_mm, *SHADOW_MM)
    reach = np.maximum(_smooth_step(away_mm, *MARGIN_MM), shadowed)
    reach = _blur(np.maximum(reach, plastic), 0.4 * px_per_mm)
    reach = np.maximum(reach, plastic) * (owner != NO_OWNER)
    bare = (away_mm > BARE_MM) & (cv2.erode(ratio, np.ones((5, 5), np.uint8)) > SHADOW_RATIO[1])
    return Source(
        name,
        picture,
        px_per_mm,
        trains,
        owner,
        _to_bytes(plastic),
        _to_bytes(reach),
        _to_bytes(np.minimum(ratio, 1)),
        bare,
        colours,
    )


def _assign_pixels(
    trains: Sequence[SeenTrain], like: Mapping[str, Float32s], px_per_mm: float
) -> tuple[npt.NDArray[np.int16], Float32s, Float32s]:
    """Assign every pixel to a train; return also its distance and colour likeness."""
    shape = next(iter(like.values())).shape
    owner = np.full(shape, NO_OWNER, np.int16)
    cost = np.full(shape, SHADOW_MM[1] + COLOUR_PULL_MM, np.float32)
    away = np.full(shape, 1e3, np.float32)
    own_like = np.zeros(shape, np.float32)
    for i, train in enumerate(trains):
        part = _part_around(train, SHADOW_MM[1] + 6, px_per_mm, shape)
        distance = _distance_mm(train, part, px_per_mm)
        here_like = like[train.colour][part]
        own_cost = distance - COLOUR_PULL_MM * here_like
        nearer = (own_cost < cost[part]) & (distance < SHADOW_MM[1])
        owner[part][nearer] = i
        cost[part][nearer] = own_cost[nearer]
        own_like[part][nearer] = here_like[nearer]
        away[part] = np.minimum(away[part], distance)
    return owner, away, own_like


def _part_around(
    train: SeenTrain, margin_mm: float, px_per_mm: float, shape: tuple[int, ...]
) -> tuple[slice, slice]:
    corners = train.outline_mm(margin_mm) * px_per_mm
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, shape[1::-1])
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _distance_mm(train: SeenTrain, part: tuple[slice, slice], px_per_mm: float) -> Float32s:
    """Return the distance of pixels from a train's outline; negative inside."""
    rows, columns = part
    y, x = np.mgrid[rows, columns].astype(np.float32)
    x, y = (x + 0.5) / px_per_mm - train.xy_mm[0], (y + 0.5) / px_per_mm - train.xy_mm[1]
    turn = np.deg2rad(train.angle_deg)
    u = np.abs(x * np.cos(turn) + y * np.sin(turn)) - TRAIN_MM[0] / 2
    v = np.abs(y * np.cos(turn) - x * np.sin(turn)) - TRAIN_MM[1] / 2
    outside = np.hypot(np.maximum(u, 0), np.maximum(v, 0)) + np.minimum(np.maximum(u, v), 0)
    return np.asarray(outside, np.float32)


def _plastic_share(away_mm: Float32s, own_like: Float32s, px_per_mm: float) -> Float32s:
    """Return the share of every pixel that is plastic."""
    colour = (own_like > 0.4) & (away_mm < PLASTIC_MM)
    solid = (colour | (away_mm < -1.5)).astype(np.uint8)
    size = round(1.2 * px_per_mm) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    closed = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, kernel)
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)
    return _blur(np.asarray(opened, np.float32), 0.25 * px_per_mm)


def _darkening(picture: Picture, expected: Picture, px_per_mm: float) -> Float32s:
    """Return the ground's brightness relative to its bare print in this light."""
    seen, bright = (
        _blur(np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.float32), px_per_mm)
        for p in (picture, expected)
    )
    return (seen + 4) / (bright + 4)


def _blur(values: Float32s, sigma_px: float) -> Float32s:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma_px), np.float32)


def _smooth_step(values: Float32s, whole: float, none: float) -> Float32s:
    """Return a smooth step: 1 up to `whole`, 0 from `none` on."""
    t = np.clip((none - values) / (none - whole), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _to_bytes(share: AnyFloats) -> Picture:
    return np.asarray(np.clip(share * 255 + 0.5, 0, 255), np.uint8)
