"""Videos and streams, as the FFmpeg inside OpenCV reads them: files, and RTSP above all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

import cv2
from railspotter.scoring.sentence import Sentence

from .capture import Capture, live_shots, opened, retrieved
from .errors import SourceLostError, SourceUnusableError
from .hosts import AllowedHosts
from .rtsp import RtspAddress, rtsp_relayed
from .source import Shot, Shots, Source, Watch
from .web_request import shown

USUAL_PER_S = 25.0
"""Pictures a second of a file that does not say."""


@dataclass(frozen=True)
class VideoFile(Source):
    """A recorded game.

    Attributes
    ----------
    path : Path
    """

    path: Path

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def shots(self, watch: Watch) -> Shots:
        """Play the file once, at its own pace."""
        if not self.path.is_file():
            raise SourceUnusableError("there is no such file")
        try:
            # The whole path, so that nothing in a file's name means anything to FFmpeg.
            with opened(str(self.path.resolve()), cv2.CAP_FFMPEG) as capture:
                yield from self._played(capture, watch)
        except SourceLostError as error:
            raise SourceUnusableError("it is not a video that can be read") from error

    def _played(self, capture: Capture, watch: Watch) -> Shots:
        begun_s = watch.now_s()
        per_s = capture.get(cv2.CAP_PROP_FPS)
        step_s = 1 / (per_s if per_s > 0 else USUAL_PER_S)
        t_s = -step_s
        for number in count():
            if watch.is_over or not capture.grab():
                if number == 0:
                    raise SourceUnusableError("there are no pictures in it")
                return
            # Phones record at no even pace; a damaged file's times may stand still or go back.
            told_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            t_s = told_s if told_s > t_s else t_s + step_s
            watch.rest(max(0.0, begun_s + t_s - watch.now_s()))
            yield Shot(retrieved(capture), begun_s + t_s)


@dataclass(frozen=True)
class VideoStream(Source):
    """A camera's stream, read by the FFmpeg inside OpenCV, which gets it from this program alone.

    Attributes
    ----------
    url : str
        ``rtsp://user:password@192.0.2.7:554/stream1``, or rtsps.
    per_s : float
        Pictures a second; the others are passed over.
    timeout_s : float
        Longest wait to open it, and from one picture to the next. FFmpeg alone would wait
        30 s.
    allowed : AllowedHosts or None
        What may be opened at home; None where the terminal named the address.
    """

    url: str
    per_s: float = 5.0
    timeout_s: float = 5.0
    allowed: AllowedHosts | None = None

    @property
    def name(self) -> str:
        """Its address, without user name and password."""
        return shown(self.url)

    def shots(self, watch: Watch) -> Shots:
        """Give its pictures as they come."""
        address = RtspAddress.parse(self.url)
        with rtsp_relayed(address, self.timeout_s, self.allowed) as relay:
            try:
                yield from stream_shots(relay.url, watch, self.per_s, self.timeout_s)
            except SourceLostError as error:
                raise (relay.fault or error) from error


def stream_shots(url: str, watch: Watch, per_s: float, timeout_s: float) -> Shots:
    """Give a stream's pictures as they come.

    Parameters
    ----------
    url : str
        Of a port of this computer: FFmpeg would resolve a name anew, and go wherever it is led.
    """
    timeout_ms = round(1000 * timeout_s)
    timeouts = (
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, timeout_ms),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, timeout_ms),
    )
    why = Sentence("it does not answer, or sends no video")
    with opened(url, cv2.CAP_FFMPEG, timeouts, why) as capture:
        yield from live_shots(capture, watch, per_s)
