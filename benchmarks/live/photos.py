"""Photos before a live table: a game joined late, or placed behind one arm.

A photo that was cut at the board's edge is laid on a table; the others keep the room around the
board. The empty board of a shoot is shown in the place and light of the photo that follows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.table.photo_file import load_photo

from composed.laid_train import trains_of_routes
from composed.library import Library
from composed.stage import TABLE_BGR, make_stage
from composed.table import ComposedTable
from live.streamed_photo import StreamedPhoto, Sweep
from photos.labelled import (
    GROUND_PHOTOS,
    OTHER_BLANKS,
    PHOTOS,
    LabelledPhoto,
    labelled_photos,
    reference_profile,
)

STREAMS = ("joined", "drawn", "once", "steps")
STEPS = 3
MARGIN = 0.06  # of a picture's height, that is put around one that was cut at the board's edge
SURROUNDINGS_SHARE = 0.15  # the share of half a picture's height that is seen around the board


@cache
def load_library(board: str) -> Library:
    """Return a board's photos."""
    return Library(load_board(board), px_per_mm=1.8)


def make_stream(photo: LabelledPhoto, kind: str, width: int, seed: int) -> StreamedPhoto:
    """Return a photo as a stream of a kind."""
    pictures = _stream_pictures(photo, kind)
    corners = photo.corners_px
    if kind in ("once", "steps"):
        count = len(pictures)
        sweeps = tuple(Sweep(4.0 + 16.0 * i, i + 1) for i in range(count - 1))
        sweeps += (Sweep(sweeps[-1].end_s + 12.0),)
    else:
        sweeps = (Sweep(8.0), Sweep(14.0))
    height, _ = pictures[0].shape[:2]
    pad = round(MARGIN * height) if corners.min() < 0.02 * height else 0  # cut at the board's edge
    pictures = [_add_table_border(one, pad) for one in pictures]
    rows, columns = _board_crop(corners + pad, pictures[0])
    corners = corners + pad - (columns.start, rows.start)
    scale = min(1.0, width / (columns.stop - columns.start))
    small = [_shrink(one[rows, columns], scale) for one in pictures]
    at_px = (corners + 0.5) * scale - 0.5
    knocks = tuple(sweep.end_s + 1.5 for sweep in sweeps)
    size_mm = load_board(photo.board).size_mm
    return StreamedPhoto(small, at_px, size_mm, sweeps, knocks, seed)


def _stream_pictures(photo: LabelledPhoto, kind: str) -> list[Picture]:
    last = load_photo(photo.path)
    if kind not in ("once", "steps"):
        return [last]
    photos, name = load_library(photo.board), photo.path.stem
    stage = make_stage(photos, name, GROUND_PHOTOS[photo.shoot])
    table = ComposedTable(photos.board, stage, [photos.source(name)])
    pictures = [table.picture([])]
    if kind == "steps":
        routes = sorted(photo.truth["claims"])
        np.random.default_rng(1).shuffle(routes)
        for step in range(1, STEPS):
            laid = routes[: len(routes) * step // STEPS]
            pictures.append(table.picture(trains_of_routes(photos.source(name), laid)))
    photos.drop(name)
    return [*pictures, last]


def _add_table_border(picture: Picture, pad: int) -> Picture:
    if pad == 0:
        return picture
    around = [float(value) for value in TABLE_BGR]
    wider = cv2.copyMakeBorder(picture, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=around)
    return np.asarray(wider, np.uint8)


def _board_crop(corners_px: Float64s, picture: Picture) -> tuple[slice, slice]:
    """Return rows and columns about the middle with the board and some table.

    The lens's axis stays in the middle.
    """
    half_px = np.array(picture.shape[1::-1]) / 2
    reach_px = np.abs(corners_px - half_px).max(axis=0) + SURROUNDINGS_SHARE * half_px[1]
    low = np.ceil(np.maximum(half_px - reach_px, 0)).astype(int)
    high = np.floor(np.minimum(half_px + reach_px, 2 * half_px)).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _shrink(picture: Picture, scale: float) -> Picture:
    if scale == 1.0:
        return picture
    smaller = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8)


@cache
def stream_profile(board: str, shoot: str, kind: str) -> Profile:
    """Return the profile for reading a stream."""
    name = OTHER_BLANKS[shoot]
    if kind == "drawn" or (kind in ("once", "steps") and name == GROUND_PHOTOS.get(shoot)):
        drawn = stand_in_profile(load_board(board))
        assert drawn is not None
        return drawn
    reference = load_library(board).photo(name)
    return reference_profile(reference.path, load_board(board), reference.corners_px)


@dataclass(frozen=True, eq=False)
class PhotoScene:
    """A photo before a live table, with its ground truth.

    Routes that are half laid or not labelled count for nothing.
    """

    photo: LabelledPhoto
    stream: StreamedPhoto
    profile: Profile
    # So long after the last arm: who lays a route in part is asked about it after twenty seconds.
    watch_after_s: float = 26.0
    question_wait_s: float = 100.0  # so long more while something is asked
    ends_game: bool = False

    @classmethod
    def from_photo(cls, photo: LabelledPhoto, kind: str, width: int) -> "PhotoScene":
        """Return the scene of a photo."""
        profile = stream_profile(photo.board, photo.shoot, kind)
        return cls(photo, make_stream(photo, kind, width, seed=1), profile)

    @property
    def edition(self) -> str:
        """The edition's id."""
        return self.photo.board

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours."""
        return tuple(sorted(set(self.photo.truth["claims"].values())))

    @property
    def duration_s(self) -> float:
        """The time at which the last arm has left."""
        return self.stream.sweeps[-1].end_s

    @cached_property
    def _unknown(self) -> set[str]:
        truth = self.photo.truth
        strays = {stray["route"] for stray in truth.get("stray_trains") or ()}
        routes = {route.id for route in load_board(self.photo.board).routes}
        return routes - set(truth["spaces"]) | self.photo.half_filled | strays

    def take(self, t_s: float) -> tuple[Picture, None]:
        """Return the picture at a time; it trembles, so that corners are not known exactly."""
        return self.stream.picture_at(t_s), None

    def is_known(self, spot: Spot) -> bool:
        """Tell whether the truth of a spot is known."""
        if spot.kind == "station":
            return self.photo.stations is not None
        return spot.id not in self._unknown

    def truth(self, t_s: float) -> dict[Spot, str]:
        """Return the final pieces at any time, so that questions are answered by them."""
        claims, stations = self.photo.truth["claims"], self.photo.stations or {}
        stands = {
            **{Spot("route", route): colour for route, colour in claims.items()},
            **{Spot("station", place): colour for place, colour in stations.items()},
        }
        return {spot: colour for spot, colour in stands.items() if self.is_known(spot)}

    def is_true(self, spot: Spot, colour: str | None, t_s: float) -> bool:
        """Tell whether a spot's colour is true, or may be while an arm passes."""
        shown, in_the_end = self.stream.picture_number_at(t_s), self.truth(t_s).get(spot)
        if not self.is_known(spot):
            return True
        if shown == len(self.stream.pictures) - 1:
            return colour == in_the_end
        if shown == 0 and not self.stream.is_arm_over_at(t_s):
            return colour is None
        return colour in (None, in_the_end)

    def claims(self, until_s: float) -> Iterator[tuple[str, float, float]]:
        """Yield nothing: the trains were not placed route by route."""
        yield from ()

    def is_still_at(self, t_s: float) -> bool:
        """Tell whether nothing moves."""
        return False

    def movement_starts(self) -> Float64s:
        """Return the times at which something begins to happen."""
        return np.array([sweep.start_s for sweep in self.stream.sweeps])

    def hand_intervals(self) -> list[tuple[float, float]]:
        """Return nothing: every picture is taken."""
        return []


def choose_photos(only: str, board: str | None = None) -> list[LabelledPhoto]:
    """Return the photos with trains, one file of each exposure."""
    best: dict[str, LabelledPhoto] = {}
    for photo in labelled_photos(PHOTOS):
        if photo.is_blank or photo.size_class == "12mp" or board not in (None, photo.board):
            continue
        known = best.get(photo.exposure)
        if fnmatch(photo.path.stem, only) and (
            known is None or max(photo.truth["size_px"]) > max(known.truth["size_px"])
        ):
            best[photo.exposure] = photo
    return list(best.values())
