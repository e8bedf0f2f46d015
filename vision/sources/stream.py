"""Streams that FFmpeg reads: RTSP above all."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from .capture import live_shots, opened
from .source import Shots, Source, Watch
from .web_request import shown


@dataclass(frozen=True)
class VideoStream(Source):
    """A camera's stream, read by the FFmpeg inside OpenCV.

    Attributes
    ----------
    url : str
        ``rtsp://user:password@192.0.2.7:554/stream1``, or another address that FFmpeg knows.
    per_s : float
        Pictures a second; the others are passed over.
    timeout_s : float
        So long it may take to open it, and from one picture to the next. FFmpeg alone would wait
        30 s.
    """

    url: str
    per_s: float = 5.0
    timeout_s: float = 5.0

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return shown(self.url)

    def shots(self, watch: Watch) -> Shots:
        """Give its pictures as they come."""
        timeout_ms = round(1000 * self.timeout_s)
        timeouts = (
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, timeout_ms),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, timeout_ms),
        )
        why = "it does not answer, or sends no video"
        with opened(self.url, cv2.CAP_FFMPEG, timeouts, why) as capture:
            yield from live_shots(capture, watch, self.per_s)
