"""Pictures from OpenCV's captures, which cameras, streams and video files have in common."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence

from .errors import SourceLostError, SourceUnusableError
from .source import Shot, Shots, Watch

FFMPEG_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""The variable by which OpenCV tells FFmpeg more than it has parameters for."""
FORMATS = (
    *("rtsp", "mjpeg", "mpjpeg", "avi", "mov", "matroska", "mpegts", "mpeg", "mpegvideo", "flv"),
    *("h264", "hevc", "av1", "obu", "ivf", "m4v", "ogg", "asf", "asf_o", "dv", "mxf", "nut", "gif"),
    *("yuv4mpegpipe", "live_flv", "3gp"),
)
"""Streams and films, none of which names another place to read from, as playlists do."""
ONLY = f"protocol_whitelist;file,tcp,rtsp|format_whitelist;{','.join(FORMATS)}|rtsp_transport;tcp"
"""What FFmpeg may open: a film's file, and a port of this computer (`relay`)."""


class Capture(Protocol):
    """What is used of an open `cv2.VideoCapture`."""

    def grab(self) -> bool:
        """Take the next picture, which need not be decoded yet."""
        ...

    def retrieve(self) -> tuple[bool, object]:
        """Return the picture that was taken, decoded."""
        ...

    def get(self, prop: int, /) -> float:
        """Return a property, 0 or -1 for one that is not known."""
        ...

    def set(self, prop: int, value: float, /) -> bool:
        """Ask for a value; return whether the driver took it."""
        ...


@contextmanager
def opened(
    what: int | str,
    backend: int,
    parameters: Sequence[int] = (),
    why: str = Sentence("it cannot be opened"),
) -> Iterator[cv2.VideoCapture]:
    """Open a capture and close it at the end.

    Raises
    ------
    SourceUnusableError
        When this OpenCV was built without the backend.
    SourceLostError
        With the reason that is given, when it does not open; OpenCV knows none.
    """
    if not cv2.videoio_registry.hasBackend(backend):
        backend_name = cv2.videoio_registry.getBackendName(backend)
        raise SourceUnusableError(f"this installation of OpenCV has no {backend_name}")
    if backend == cv2.CAP_FFMPEG:
        given = os.environ.get(FFMPEG_OPTIONS)
        # For the library in this process alone: the environment stays as the user has it.
        os.putenv(FFMPEG_OPTIONS, f"{given}|{ONLY}" if given else ONLY)
    capture = cv2.VideoCapture(what, backend, list(parameters))
    try:
        if not capture.isOpened():
            raise SourceLostError(why)
        yield capture
    finally:
        capture.release()


def live_shots(capture: Capture, watch: Watch, per_s: float) -> Shots:
    """Give a camera's pictures as they come, at most so many a second.

    Every one is taken, so that none waits in the driver; those beyond `per_s` are not decoded.

    Raises
    ------
    SourceLostError
        When the pictures stop.
    """
    pace = Pace(watch, per_s)
    while not watch.is_over:
        if not capture.grab():
            raise SourceLostError("it sends no more pictures")
        taken_at_s = watch.now_s()
        if pace.lets_through(taken_at_s):
            yield Shot(retrieved(capture), taken_at_s)


def retrieved(capture: Capture) -> Picture:
    """Return the picture that was taken last.

    Raises
    ------
    SourceLostError
        When it cannot be decoded.
    """
    try:
        was_decoded, picture = capture.retrieve()
    except cv2.error as error:
        raise SourceLostError("it sent a picture that cannot be read") from error
    if not was_decoded or not isinstance(picture, np.ndarray) or picture.dtype != np.uint8:
        raise SourceLostError("it sent a picture that cannot be read")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.ndim != 3 or picture.shape[2] != 3:
        raise SourceLostError(
            "it sent a picture of an unknown kind, {shape!r}", shape=picture.shape
        )
    return np.asarray(picture, dtype=np.uint8)


class Pace:
    """Lets through so many pictures a second, as evenly as they come.

    Parameters
    ----------
    watch : Watch
    per_s : float

    Examples
    --------
    A camera gives 30 pictures a second: in four seconds 20 are let through at 5 a second.

    >>> from types import SimpleNamespace
    >>> pace = Pace(SimpleNamespace(now_s=lambda: 0.0), per_s=5.0)
    >>> sum(pace.lets_through(n / 30) for n in range(120))
    20
    """

    def __init__(self, watch: Watch, per_s: float) -> None:
        self._due_s, self._step_s = watch.now_s(), 1 / per_s

    def lets_through(self, taken_at_s: float) -> bool:
        """Return whether a picture of that time is wanted."""
        if taken_at_s < self._due_s:
            return False
        # What came late is not made up for.
        self._due_s = max(self._due_s + self._step_s, taken_at_s)
        return True
