"""Time that waits for nobody, numbered pictures, and a watch for a source without a grabber."""

import threading
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.source import Clock, Frame, Source, Watch

BITS = 8
FILMS = Path(__file__).with_name("films")  # of 64 x 48 pixels, by FFmpeg
PATIENT_S = 20.0  # for something that surely comes, on a machine that others use too


def numbered(number: int, size_wh: tuple[int, int] = (320, 240)) -> Picture:
    """Draw a picture that says its number, from 0 to 255, through any compression."""
    width, height = size_wh
    picture = np.full((height, width, 3), 60, np.uint8)
    for bit in range(BITS):
        if number >> bit & 1:
            picture[:, bit * width // BITS : (bit + 1) * width // BITS] = 220
    return picture


def number_in(picture: Picture) -> int:
    """Return the number that a picture says."""
    stripes = np.array_split(picture, BITS, axis=1)
    return sum(int(stripe.mean() > 140) << bit for bit, stripe in enumerate(stripes))


def jpeg(number: int, size_wh: tuple[int, int] = (320, 240)) -> bytes:
    return cv2.imencode(".jpg", numbered(number, size_wh))[1].tobytes()


class QuickClock(Clock):
    """A clock on which waiting takes no time, and nothing else does either."""

    def __init__(self) -> None:
        self._now_s = 1000.0
        self._lock = threading.Lock()
        self.waited: list[float] = []

    def now_s(self) -> float:
        return self._now_s

    def wait(self, event: threading.Event, seconds: float) -> bool:
        assert seconds >= 0
        with self._lock:
            self.waited.append(seconds)
        self.pass_by(seconds)
        return event.is_set()

    def pass_by(self, seconds: float) -> None:
        with self._lock:
            self._now_s += seconds


class QuickWatch(Watch):
    """A watch on such a clock, that is over after a while so that no test runs for ever."""

    def __init__(self, clock: QuickClock | None = None, looks: int = 10_000) -> None:
        self.clock, self.looks = clock or QuickClock(), looks
        self.waits_for: list[Sentence] = []
        super().__init__(lambda _, what: self.waits_for.append(what), self.clock)

    @property
    def is_over(self) -> bool:
        self.looks -= 1
        if self.looks < 0:
            self.over.set()
        return super().is_over


def taken(source: Source, most: int = 1000, watch: QuickWatch | None = None) -> list[Frame]:
    """Return the first shots of a source, which is closed after them."""
    shots = source.shots(watch or QuickWatch())
    try:
        return [*islice(shots, most)]
    finally:
        shots.close()
