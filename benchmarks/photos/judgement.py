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
class WrongRoute:
    """A route that was read wrongly."""

    route: RouteId
    said: str | None  # said, truth: Whose trains stand there, None for free
    truth: str | None
    doubted: bool  # whether the reading asked about it


@dataclass(frozen=True)
class Answers:
    """What was read in one photo, judged."""

    routes: int  # routes, routes_right: Of those that are labelled and not half filled
    routes_right: int
    spaces: int  # spaces, spaces_right: Of the same routes; a space is read as its route is
    spaces_right: int
    wrong: tuple[WrongRoute, ...]
    doubts: int  # all of them: the players are asked about unlabelled and half-filled routes too
    half_filled: int
    half_filled_doubted: int
    unlabelled: int  # routes that are left out because nobody knows

    @property
    def is_right(self) -> bool:
        """Whether every route was read rightly."""
        return not self.wrong

    @property
    def wrong_and_certain(self) -> int:
        """How many routes are wrong and nobody would be asked."""
        return sum(not wrong.doubted for wrong in self.wrong)


@dataclass(frozen=True)
class WrongStation:
    """A place whose station was read wrongly."""

    place: PlaceId
    said: str | None  # said, truth: Whose station stands there, None for none
    truth: str | None
    doubted: bool  # whether the reading asked about it


@dataclass(frozen=True)
class StationAnswers:
    """What was read of one photo's stations, judged."""

    places: int  # all of the board's
    stations: int  # how many stations stand there
    wrong: tuple[WrongStation, ...]
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
class TroubleCount:
    """How routes of one kind of trouble were read."""

    kind: str
    routes: int  # labelled ones that are not half filled
    wrong: int
    wrong_and_certain: int
    doubted: int  # of these, how many the players are asked about


@dataclass(frozen=True)
class Seconds:
    """What one photo took."""

    load: float  # reading and decoding the file as the program does
    yardstick: float  # decoding the same file with OpenCV: what this machine is worth just now
    find: float
    read: float
    score: float

    @property
    def total(self) -> float:
        """From the decoded picture to the score."""
        return self.find + self.read + self.score


@dataclass(frozen=True)
class JudgedPhoto:
    """One photo, found and read."""

    photo: LabelledPhoto
    reason: str | None  # why the board was not found
    corner_mm: float | None  # how far the worst corner is off, on the board
    answers: Answers | None  # None when the board was not found
    seconds: Seconds
    # None when the board was not found, or nobody knows where stations stand.
    stations: StationAnswers | None = None
    # How the routes of each kind of trouble were read; empty when the board was not found.
    trouble: tuple[TroubleCount, ...] = ()


def judge(
    photo: LabelledPhoto,
    routes: Collection[RouteId],
    claims: Mapping[RouteId, str],
    doubted: Collection[RouteId],
) -> Answers:
    """Judge a reading."""
    labelled = photo.truth["spaces"]
    counted = [r for r in routes if r in labelled and r not in photo.half_filled]
    half_filled = [r for r in routes if r in photo.half_filled]
    true_claims = photo.truth["claims"]
    wrong = tuple(
        WrongRoute(r, claims.get(r), true_claims.get(r), r in doubted)
        for r in counted
        if claims.get(r) != true_claims.get(r)
    )
    spaces = [claims.get(r) == space for r in counted for space in labelled[r]]
    return Answers(
        routes=len(counted),
        routes_right=len(counted) - len(wrong),
        spaces=len(spaces),
        spaces_right=sum(spaces),
        wrong=wrong,
        doubts=len(doubted),
        half_filled=len(half_filled),
        half_filled_doubted=sum(r in doubted for r in half_filled),
        unlabelled=len(routes) - len(counted) - len(half_filled),
    )


def judge_stations(
    photo: LabelledPhoto,
    places: Collection[PlaceId],
    built: Mapping[PlaceId, str],
    doubted: Collection[PlaceId],
) -> StationAnswers | None:
    """Judge what was read of stations; None where nobody labelled them."""
    if photo.stations is None:
        return None
    truth = photo.stations
    wrong = tuple(
        WrongStation(p, built.get(p), truth.get(p), p in doubted)
        for p in places
        if built.get(p) != truth.get(p)
    )
    return StationAnswers(len(places), len(truth), wrong, len(doubted))


def worst_corner_mm(
    found_px: npt.ArrayLike, true_px: npt.ArrayLike, size_mm: tuple[float, float]
) -> float:
    """Return how far the worst of the four found corners is off, in millimetres on the board."""
    board_from_frame = np.linalg.inv(homography_from_corners(true_px, size_mm))
    off = project(board_from_frame, found_px) - outline_mm(size_mm)
    return float(np.linalg.norm(off, axis=1).max())
