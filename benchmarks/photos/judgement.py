"""One photo's reading held against its truth."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from railspotter.calibration.geometry import homography_from_corners, outline_mm, project
from railspotter.scoring.board import PlaceId, RouteId

from photos.labelled import LabelledPhoto


@dataclass(frozen=True)
class Wrong:
    """A route, or a place for a station, that was read wrongly."""

    at: RouteId | PlaceId
    said: str | None  # said, truth: Whose pieces stand there, None for free
    truth: str | None
    doubted: bool  # whether the reading asked about it


@dataclass(frozen=True)
class Answers:
    """What was read in one photo, judged."""

    routes: int  # those that are labelled and not half filled
    wrong: tuple[Wrong, ...]
    doubts: int  # all of them: the players are asked about unlabelled and half-filled routes too

    @property
    def routes_right(self) -> int:
        """How many routes were read rightly."""
        return self.routes - len(self.wrong)

    @property
    def wrong_and_certain(self) -> int:
        """How many routes are wrong and nobody would be asked."""
        return sum(not wrong.doubted for wrong in self.wrong)


@dataclass(frozen=True)
class StationAnswers:
    """What was read of one photo's stations, judged."""

    stations: int  # how many stations stand there
    wrong: tuple[Wrong, ...]
    doubts: int  # how many places the players are asked about

    @property
    def missed(self) -> int:
        """How many stations were not seen."""
        return sum(wrong.said is None for wrong in self.wrong)

    @property
    def invented(self) -> int:
        """How many were seen where none stands."""
        return sum(wrong.truth is None for wrong in self.wrong)

    @property
    def wrong_colour(self) -> int:
        """How many were taken for another player's."""
        return len(self.wrong) - self.missed - self.invented

    @property
    def right(self) -> int:
        """How many were seen in their colour."""
        return self.stations - self.missed - self.wrong_colour


@dataclass(frozen=True)
class Seconds:
    """What one photo took."""

    load: float  # reading and decoding the file as the program does
    yardstick: float  # decoding the same file with OpenCV: what this machine is worth just now
    find: float
    read: float = 0.0
    score: float = 0.0

    @property
    def total(self) -> float:
        """From the decoded picture to the score."""
        return self.find + self.read + self.score


@dataclass(frozen=True)
class JudgedPhoto:
    """One photo, found and read."""

    photo: LabelledPhoto
    reason: str | None  # why the board was not found
    seconds: Seconds
    corner_mm: float | None = None  # how far the worst corner is off, on the board
    answers: Answers | None = None  # None when the board was not found
    # None when the board was not found, or nobody knows where stations stand.
    stations: StationAnswers | None = None


def judge(
    photo: LabelledPhoto,
    routes: Collection[RouteId],
    claims: Mapping[RouteId, str],
    doubted: Collection[RouteId],
) -> Answers:
    """Judge a reading."""
    truth = photo.truth
    counted = [r for r in routes if r in truth["spaces"] and r not in photo.half_filled]
    return Answers(len(counted), _wrong(counted, claims, truth["claims"], doubted), len(doubted))


def judge_stations(
    photo: LabelledPhoto,
    places: Collection[PlaceId],
    built: Mapping[PlaceId, str],
    doubted: Collection[PlaceId],
) -> StationAnswers | None:
    """Judge what was read of stations; None where nobody labelled them."""
    if photo.stations is None:
        return None
    wrong = _wrong(places, built, photo.stations, doubted)
    return StationAnswers(len(photo.stations), wrong, len(doubted))


def _wrong(
    spots: Collection[str],
    said: Mapping[str, str],
    truth: Mapping[str, str],
    doubted: Collection[str],
) -> tuple[Wrong, ...]:
    return tuple(
        Wrong(at, said.get(at), truth.get(at), at in doubted)
        for at in spots
        if said.get(at) != truth.get(at)
    )


def worst_corner_mm(
    found_px: npt.ArrayLike, true_px: npt.ArrayLike, size_mm: tuple[float, float]
) -> float:
    """Return how far the worst of the four found corners is off, in millimetres on the board."""
    board_from_frame = np.linalg.inv(homography_from_corners(true_px, size_mm))
    off = project(board_from_frame, found_px) - outline_mm(size_mm)
    return float(np.linalg.norm(off, axis=1).max())
