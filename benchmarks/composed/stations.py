"""Stations cut from photos and placed on composed boards as people do.

A station is a house, so what is seen of it leans: a cut is turned until it leans where it is laid
as it leaned in its photo, and is taken only where it leaned about as far.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.calibration.pose import Viewpoint, viewpoint
from railspotter.scoring.board import Board, PlaceId, RouteId

from composed.laid_train import recolour
from composed.library import Library
from composed.trains import likeness, plastic_colours, to_lab

# The photos that show stations, each on its city.
STATION_PHOTOS = (
    "cropped5s_12-12",
    "cropped_station_data1",
    "cropped_station_data2",
    "cropped_trainning",
)
HEIGHT_MM, TRAIN_HEIGHT_MM = 13.0, 8.0
HALF_SIDE_MM = 20.0  # half of a cut's side
LEAST_LIKENESS = 0.35  # likeness from which a pixel is plastic of a station's colour
WHOLE_MM2 = (150.0, 480.0)  # what is seen of one that was cut out whole
LEAN_OFF_MM = 2.5  # how much farther or less far a cut may have leaned
# How people lay them: on the city, astride the first train of a route, beside the city.
HABITS = {"on": 0.25, "astride": 0.45, "beside": 0.3}
ON_MM, BESIDE_MM = (0.0, 6.0), (13.0, 32.0)
APART_MM = 19.0  # between the middles of two stations


@dataclass(frozen=True, eq=False)
class CutStation:
    """A station in a rectified photo, with its city in the middle of the picture."""

    colour: str
    photo: str
    picture: Picture  # (n, n, 3) uint8, BGR
    share: Float32s  # (n, n) float32: how much of a pixel is station
    middle_mm: Float64s  # of what is seen of it, from the picture's middle
    lean_mm: Float64s  # of its roof


@dataclass(frozen=True, eq=False)
class LaidStation:
    """A station placed on a board."""

    place: PlaceId
    colour: str
    habit: str  # one of `HABITS`
    foot_mm: Float64s
    on_train: bool
    cut: CutStation = field(repr=False)


def photo_viewpoint(library: Library, name: str) -> Viewpoint:
    """Return the position of a photo's camera."""
    registration = library.registration(name)
    return viewpoint(registration.frame_from_board, registration.frame_wh)


def cut_stations(
    library: Library, name: str, wanted: Mapping[str, Float64s] | None = None
) -> list[CutStation]:
    """Return a photo's stations that are visible as a whole and touch no train of their colour.

    `wanted` is what trains look like, as CIE Lab, where the cuts are to be laid: they are brought
    to it, those of a colour that is not there by as much as the others on average.
    """
    photo, board, scale = library.photo(name), library.board, library.px_per_mm
    picture, eye = library.rectified_board(name), photo_viewpoint(library, name)
    lab = to_lab(picture)
    colours = plastic_colours(lab, scale, board, photo.truth["spaces"])
    if wanted is not None:
        off = np.mean([wanted[c] - colours[c] for c in colours if c in wanted], axis=0)
        wanted = {c: wanted.get(c, lab_of + off) for c, lab_of in colours.items()}
    cuts = []
    for place, colour in (photo.stations or {}).items():
        if colour not in colours or colour in _colours_at(board, photo.truth["spaces"], place):
            continue
        at = np.array(board.place_by_id[place].xy_mm)
        lean = eye.lean_mm(at, HEIGHT_MM)
        like = np.asarray(_crop(likeness(lab, colours[colour]), at, scale), np.float32)
        share = _station_share(like, scale, 0.6 * lean)
        if share is not None:
            middle = _middle_mm(share, scale)
            shown = np.asarray(_crop(picture, at, scale), np.uint8)
            if wanted is not None:
                labs = {colour: colours[colour], "": wanted[colour]}
                shown = recolour(shown, share, labs, colour, "")
            cuts.append(CutStation(colour, name, shown, share, middle, lean))
    return cuts


def visible_middles(library: Library, name: str) -> dict[PlaceId, Float64s]:
    """Return the visible middles of a photo's stations, in board millimetres.

    They lie up to 8 mm off their dots. Those that do not come out whole are left out.
    """
    photo, board, scale = library.photo(name), library.board, library.px_per_mm
    lab, eye = to_lab(library.rectified_board(name)), photo_viewpoint(library, name)
    colours, middles = plastic_colours(lab, scale, board, photo.truth["spaces"]), {}
    for place, colour in (photo.stations or {}).items():
        at = np.array(board.place_by_id[place].xy_mm)
        if colour in colours:
            like = np.asarray(_crop(likeness(lab, colours[colour]), at, scale), np.float32)
            share = _station_share(like, scale, 0.6 * eye.lean_mm(at, HEIGHT_MM))
            if share is not None:
                middles[place] = at + _middle_mm(share, scale)
    return middles


def _middle_mm(share: Float32s, scale: float) -> Float64s:
    """Return the visible middle of a cut station, relative to the picture's middle."""
    rows, columns = np.nonzero(share > 0.5)
    return np.asarray((np.array([columns.mean(), rows.mean()]) + 0.5) / scale - HALF_SIDE_MM)


def _colours_at(
    board: Board, spaces: Mapping[RouteId, Sequence[str | None]], place: PlaceId
) -> set[str | None]:
    """Return the colours of the trains that end at a place."""
    ends = set()
    for route in board.routes:
        if route.id in spaces and place in (route.a, route.b):
            ends.add(spaces[route.id][0 if route.a == place else -1])
    return ends


def _crop(picture: Picture | Float32s, at_mm: Float64s, scale: float) -> npt.NDArray[Any]:
    side = round(2 * HALF_SIDE_MM * scale)
    shift = np.array([[1, 0, 0], [0, 1, 0]], np.float64)
    shift[:, 2] = -((at_mm - HALF_SIDE_MM) * scale)
    return np.asarray(cv2.warpAffine(picture, shift, (side, side)), picture.dtype)


def _station_share(like: Float32s, scale: float, off_mm: Float64s) -> Float32s | None:
    """Return the station's share of every pixel; None if it is not visible as a whole."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(3 * scale) | 1,) * 2)
    seen = (cv2.GaussianBlur(like, (0, 0), 0.4 * scale) > LEAST_LIKENESS).astype(np.uint8)
    side = (np.arange(seen.shape[0]) + 0.5) / scale - HALF_SIDE_MM
    from_middle = np.hypot(side[None, :] - off_mm[0], side[:, None] - off_mm[1])
    seen[from_middle > 17] = 0
    closed = cv2.morphologyEx(seen, cv2.MORPH_CLOSE, kernel)
    seen = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel), np.uint8)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(seen)
    middle = parts[from_middle < 4]
    part = np.bincount(middle[middle > 0], minlength=1).argmax() if (middle > 0).any() else 0
    if part == 0 or not WHOLE_MM2[0] <= stats[part, cv2.CC_STAT_AREA] / scale**2 <= WHOLE_MM2[1]:
        return None
    contours, _ = cv2.findContours(
        (parts == part).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    outline = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    if cv2.contourArea(outline) < 0.85 * cv2.contourArea(hull):
        return None
    filled = np.zeros(seen.shape, np.float32)
    cv2.fillPoly(filled, [outline], (1.0,))
    # What lies at the rim is half of the ground that it stood on.
    rim = np.ones((round(1.2 * scale) | 1,) * 2, np.uint8)
    return np.asarray(cv2.GaussianBlur(cv2.erode(filled, rim), (0, 0), 0.3 * scale), np.float32)


def lay_stations(
    board: Board,
    eye: Viewpoint,
    spaces: Mapping[RouteId, Sequence[str | None]],
    cuts: Sequence[CutStation],
    colours: Sequence[str],
    most_each: int,
    rng: Generator,
) -> list[LaidStation]:
    """Place stations of some colours, up to `most_each` of one, at most one per city.

    What lies beside a city lies nearer to it than to any other: of another, nobody could tell.
    """
    laid: list[LaidStation] = []
    places = [board.places[k] for k in rng.permutation(len(board.places))]
    middles = np.array([place.xy_mm for place in board.places])
    for colour in colours:
        for _ in range(rng.integers(0, most_each + 1)):
            place = places.pop()
            at, name = np.array(place.xy_mm), str(rng.choice(list(HABITS), p=[*HABITS.values()]))
            for _ in range(12):
                foot, on_train = _choose_foot(board, spaces, place.id, at, colour, name, rng)
                if foot is None:
                    break
                nearest = np.hypot(*(middles - foot).T).argmin()
                inside = ((foot > 12) & (foot < np.array(board.size_mm) - 12)).all()
                free = all(np.hypot(*(foot - other.foot_mm)) > APART_MM for other in laid)
                if not (inside and free and board.places[nearest].id == place.id):
                    continue
                lean = eye.lean_mm(foot, HEIGHT_MM)
                candidates = [c for c in cuts if c.colour == colour and _has_similar_lean(c, lean)]
                if candidates:
                    cut = candidates[rng.integers(len(candidates))]
                    laid.append(LaidStation(place.id, colour, name, foot, on_train, cut))
                break
    return laid


def _has_similar_lean(cut: CutStation, lean_mm: Float64s) -> bool:
    return bool(abs(np.hypot(*cut.lean_mm) - np.hypot(*lean_mm)) < LEAN_OFF_MM)


def _choose_foot(
    board: Board,
    spaces: Mapping[RouteId, Sequence[str | None]],
    place: PlaceId,
    at_mm: Float64s,
    colour: str,
    habit: str,
    rng: Generator,
) -> tuple[Float64s | None, bool]:
    """Return a position for a station, or None, and whether it is on a train."""
    ends = []
    for route in board.routes:
        if place in (route.a, route.b) and route.id in spaces:
            number = 0 if route.a == place else -1
            ends.append((route.spaces[number], spaces[route.id][number]))
    if habit == "astride":
        astride = [space for space, train in ends if train not in (None, colour)]
        if not astride:
            return None, False
        space = astride[rng.integers(len(astride))]
        turn = np.deg2rad(space.angle_deg)
        along = np.array([np.cos(turn), np.sin(turn)])
        u, v = rng.normal(0, 3.0), rng.normal(0, 2.0)
        return space.xy_mm + u * along + v * np.array([-along[1], along[0]]), True
    away, way = rng.uniform(*(ON_MM if habit == "on" else BESIDE_MM)), rng.uniform(0, 2 * np.pi)
    foot = at_mm + away * np.array([np.cos(way), np.sin(way)])
    on_train = any(train and np.hypot(*(foot - space.xy_mm)) < 9 for space, train in ends)
    return foot, on_train


def paint_stations(
    board: Picture, scale: float, eye: Viewpoint, laid: Collection[LaidStation], rng: Generator
) -> tuple[Picture, Float32s]:
    """Return a rectified board with stations, and their share of every pixel."""
    canvas = board.astype(np.float32)
    covered = np.zeros(board.shape[:2], np.float32)
    # The farther from the camera, the earlier: nearer ones hide what lies behind them.
    for station in sorted(laid, key=lambda s: -float(np.hypot(*eye.lean_mm(s.foot_mm, 1.0)))):
        lean = eye.lean_mm(station.foot_mm, HEIGHT_MM)
        turn = float(rng.uniform(-180, 180))
        cut = station.cut
        if max(np.hypot(*lean), np.hypot(*cut.lean_mm)) > 1.5:
            ways = [np.degrees(np.arctan2(way[1], way[0])) for way in (lean, cut.lean_mm)]
            turn = float(ways[0] - ways[1])
        raised = eye.lean_mm(station.foot_mm, TRAIN_HEIGHT_MM) if station.on_train else 0.0
        middle = (station.foot_mm + 0.5 * lean + raised) * scale - 0.5
        low = np.maximum(np.floor(middle - 1.4 * HALF_SIDE_MM * scale).astype(int), 0)
        part = canvas[low[1] :, low[0] :][: round(56 * scale), : round(56 * scale)]
        about = (HALF_SIDE_MM + cut.middle_mm) * scale - 0.5
        to_board = cv2.getRotationMatrix2D((float(about[0]), float(about[1])), -turn, 1.0)
        to_board[:, 2] += middle - about - low
        size_wh = part.shape[1], part.shape[0]
        share = np.asarray(cv2.warpAffine(cut.share, to_board, size_wh), np.float32)
        shown = cv2.warpAffine(cut.picture, to_board, size_wh).astype(np.float32)
        shade = np.asarray(cv2.GaussianBlur(share, (0, 0), 2.0 * scale), np.float32)
        part *= (1 - np.float32(0.5) * shade * (1 - share))[..., None]
        part += share[..., None] * (shown - part)
        there = covered[low[1] :, low[0] :][: size_wh[1], : size_wh[0]]
        np.maximum(there, share, out=there)
    return np.asarray(np.clip(canvas + 0.5, 0, 255), np.uint8), covered
