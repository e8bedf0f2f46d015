"""Compares a photo's reading with its ground truth."""

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
    """The comparison of one photo's routes."""

    routes: int  # those that are labelled and not half filled
    wrong: tuple[Wrong, ...]
    doubts: int  # all of them: the players are asked about unlabelled and half-filled routes too

    @property
    def routes_right(self) -> int:
        """The number of routes that were read right."""
        return self.routes - len(self.wrong)

    @property
    def wrong_and_certain(self) -> int:
        """The number of wrong routes without a question."""
        return sum(not wrong.doubted for wrong in self.wrong)


@dataclass(frozen=True)
class StationAnswers:
    """The comparison of one photo's stations."""

    stations: int  # how many stations stand there
    wrong: tuple[Wrong, ...]
    doubts: int  # how many places the players are asked about

    @property
    def missed(self) -> int:
        """The number of stations that were not found."""
        return sum(wrong.said is None for wrong in self.wrong)

    @property
    def invented(self) -> int:
        """The number of stations that were found where there is none."""
        return sum(wrong.truth is None for wrong in self.wrong)

    @property
    def wrong_colour(self) -> int:
        """The number of stations that were read in a wrong colour."""
        return len(self.wrong) - self.missed - self.invented

    @property
    def right(self) -> int:
        """The number of stations that were read right."""
        return self.stations - self.missed - self.wrong_colour


@dataclass(frozen=True)
class Seconds:
    """The durations of one photo's steps."""

    load: float  # reading and decoding the file as the program does
    yardstick: float  # decoding the same file with OpenCV: what this machine is worth just now
    find: float
    read: float = 0.0
    score: float = 0.0

    @property
    def total(self) -> float:
        """The time from the decoded picture to the score."""
        return self.find + self.read + self.score


@dataclass(frozen=True)
class JudgedPhoto:
    """The comparison of one photo's finding and reading."""

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
    """Compare a reading with its ground truth."""
    truth = photo.truth
    counted = [r for r in routes if r in truth["spaces"] and r not in photo.half_filled]
    return Answers(len(counted), _wrong(counted, claims, truth["claims"], doubted), len(doubted))


def judge_stations(
    photo: LabelledPhoto,
    places: Collection[PlaceId],
    built: Mapping[PlaceId, str],
    doubted: Collection[PlaceId],
) -> StationAnswers | None:
    """Compare the reading of stations; None without labels."""
    if photo.stations is None:
        return None
    wrong = _wrong(places, built, photo.stations, doubted)
    return StationAnswers(len(photo.stations), wrong, len(doubted))


def _wrong(
    spots: Collection[str],
    answers: Mapping[str, str],
    truth: Mapping[str, str],
    doubted: Collection[str],
) -> tuple[Wrong, ...]:
    return tuple(
        Wrong(at, answers.get(at), truth.get(at), at in doubted)
        for at in spots
        if answers.get(at) != truth.get(at)
    )


def worst_corner_mm(
    found_px: npt.ArrayLike, true_px: npt.ArrayLike, size_mm: tuple[float, float]
) -> float:
    """Return the largest error of the four found corners, in millimetres on the board."""
    board_from_frame = np.linalg.inv(homography_from_corners(true_px, size_mm))
    off = project(board_from_frame, found_px) - outline_mm(size_mm)
    return float(np.linalg.norm(off, axis=1).max())
