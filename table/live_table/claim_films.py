"""Films of claims: a spot from a second before somebody reached over it until a second after.

They are in memory alone, until the points are counted.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

import cv2
import numpy as np
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState

from ..photo_file import to_jpeg
from .pictures import Area, area_around, picture_around

AROUND_S = 1.0  # of a film before and after what happens
RECENT_S = 12.0  # for so long all pictures are kept; a route is laid in less
MOVING_S, RESTING_S = 0.2, 1.0  # between two pictures while something moves, and while nothing does
LEAST_PX_PER_MM = 0.75  # of the board in a picture: in less a train is hard to tell
QUALITY = 75
MOST_PICTURES = 12  # of a film
FILM_WIDTH_PX = 480
MOST_BYTES = 24 * 2**20  # of a game's films; one has some 160 kB, and the oldest go first


@dataclass(frozen=True)
class Film:
    """Pictures of a spot, oldest first."""

    shown_mm: Area  # the part of the board: left, top, width, height
    after_s: tuple[float, ...]  # the pictures' times, from when the claim was written
    pictures: tuple[bytes, ...]  # JPEG files


@dataclass(frozen=True)
class _Shot:
    """A picture of the last seconds, `scale` times as large as its frame, and the board in that."""

    at_s: float
    is_settled: bool
    pose: Pose
    scale: float
    jpeg: bytes = field(repr=False)


class ClaimFilms:
    """The films of one game's claims. One thread adds frames and claims; any may read films."""

    def __init__(self, board: Board, work: Executor) -> None:
        self._board, self._work = board, work
        self._now_s = 0.0  # when the last frame was taken
        self._shots: deque[_Shot] = deque()
        self._begun: list[tuple[int, Spot, float]] = []  # claims whose last second is not over
        self.films: dict[int, Film] = {}  # by the number of the claim's event; never changed

    def add(self, frame: Frame, pose: Pose | None, state: WatchState) -> None:
        """Add a frame as it was watched."""
        self._now_s, is_settled = frame.taken_at_s, state is WatchState.SETTLED
        last = self._shots[-1] if self._shots else None
        pause_s = RESTING_S if is_settled and last and last.is_settled else MOVING_S
        pose = pose or (last.pose if last else None)
        if pose is not None and (last is None or self._now_s > last.at_s + pause_s - 0.01):
            # Only halved: that has been done for watching already.
            halvings = int(np.log2(max(pose.px_per_mm / LEAST_PX_PER_MM, 1)))
            jpeg = to_jpeg(frame.pyramid.at(halvings), QUALITY)
            self._shots.append(_Shot(self._now_s, is_settled, pose, 0.5**halvings, jpeg))
        while self._shots and self._shots[0].at_s < self._now_s - RECENT_S:
            self._shots.popleft()
        while self._shots and self._begun and self._now_s >= self._begun[0][2] + AROUND_S:
            self._work.submit(self._cut, *self._begun.pop(0), tuple(self._shots))

    def begin(self, number: int, spot: Spot) -> None:
        """Begin the film of an event that was written just now."""
        self._begun.append((number, spot, self._now_s))

    def forget(self) -> None:
        """Drop everything: the game is over."""
        self._shots.clear()
        self._begun.clear()
        self.films = {}

    def _cut(self, number: int, spot: Spot, claimed_s: float, shots: Sequence[_Shot]) -> None:
        """Make a claim's film of the last seconds' pictures."""
        area, chosen = area_around(self._board, spot), _chosen(shots, claimed_s)
        pictures = list[bytes]()
        for shot in chosen:
            shown = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
            whole = np.asarray(shown, np.uint8)
            pictures.append(picture_around(whole, shot.pose, area, shot.scale, FILM_WIDTH_PX))
        after_s = tuple(round(shot.at_s - claimed_s, 2) for shot in chosen)
        films = {**self.films, number: Film(area, after_s, tuple(pictures))}
        while sum(len(one) for film in films.values() for one in film.pictures) > MOST_BYTES:
            del films[next(iter(films))]
        self.films = films


def _chosen(shots: Sequence[_Shot], claimed_s: float) -> list[_Shot]:
    """Return a film's pictures: from before the movement that led to the claim until after it."""
    first = max((i for i, shot in enumerate(shots) if shot.at_s <= claimed_s), default=0)
    for is_settled in (True, False):  # back over the rest after the movement, then over it
        while first > 0 and shots[first].is_settled is is_settled:
            first -= 1
    from_s, until_s = shots[first].at_s - AROUND_S, claimed_s + AROUND_S + MOVING_S
    around = [shot for shot in shots if from_s <= shot.at_s <= until_s]
    steps = np.linspace(0, len(around) - 1, min(len(around), MOST_PICTURES))
    return [around[round(step)] for step in steps]
