"""Captures by OpenCV: shared by cameras and streams; and video files."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence, raised_as

from .source import Frame, Pace, Shots, Source, SourceLostError, SourceUnusableError, Watch

# Environment variable with OpenCV's further options for FFmpeg.
FFMPEG_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
PROTOCOLS = ("file", "tcp", "tls", "rtsp", "rtsps", "http", "https")
# Formats of streams and films; none can refer to other addresses, as playlists do.
FORMATS = (
    *("rtsp", "mjpeg", "mpjpeg", "avi", "mov", "matroska", "mpegts", "mpeg", "mpegvideo", "flv"),
    *("live_flv", "h264", "hevc", "m4v"),
)
# What cameras, phones and browsers film in. Others have rarely been tried: the FFmpeg of OpenCV
# 5.0.0.93 has faults in some that strangers can use, as in MagicYUV before FFmpeg 8.1.2.
CODECS = ("h264", "hevc", "mjpeg", "mpeg4", "mpeg1video", "mpeg2video", "vp8", "vp9")
UNREADABLE = Sentence("it sent a picture that cannot be read")
UNKNOWN_CODEC = Sentence(
    "it is filmed in a way that is not read here: film in H.264, HEVC or MJPEG"
)
# Options: allowed protocols, formats and codecs, and RTSP over TCP.
ONLY = (
    f"protocol_whitelist;{','.join(PROTOCOLS)}|format_whitelist;{','.join(FORMATS)}"
    f"|codec_whitelist;{','.join(CODECS)}|rtsp_transport;tcp"
)
UNKNOWN_PIXELS = -1  # OpenCV's number for a pixel format that nothing has told
USUAL_PER_S = 25.0  # default pictures a second of a film


@contextmanager
def opened(
    what: int | str,
    backend: int,
    parameters: Sequence[int] = (),
    why: str = Sentence("it cannot be opened"),
) -> Iterator[cv2.VideoCapture]:
    """Open an OpenCV capture and release it at the end.

    Raises `SourceLostError` with the reason `why` when it does not open, and `SourceUnusableError`
    when this OpenCV lacks the backend.
    """
    if not cv2.videoio_registry.hasBackend(backend):
        backend_name = cv2.videoio_registry.getBackendName(backend)
        raise SourceUnusableError(f"this installation of OpenCV has no {backend_name}")
    if backend == cv2.CAP_FFMPEG:
        given = os.environ.get(FFMPEG_OPTIONS)
        # With putenv the library sees it, but `os.environ` stays as the user has it.
        os.putenv(FFMPEG_OPTIONS, f"{given}|{ONLY}" if given else ONLY)
    capture = cv2.VideoCapture(what, backend, list(parameters))
    try:
        if not capture.isOpened():
            raise SourceLostError(why)
        # FFmpeg decodes a little to know what pixels come, by listed codecs alone; OpenCV would
        # decode the rest by any.
        pixels = capture.get(cv2.CAP_PROP_CODEC_PIXEL_FORMAT)
        if backend == cv2.CAP_FFMPEG and pixels == UNKNOWN_PIXELS:
            raise SourceLostError(UNKNOWN_CODEC)
        yield capture
    finally:
        capture.release()


def live_shots(capture: cv2.VideoCapture, watch: Watch, per_s: float) -> Shots:
    """Yield a camera's pictures as they come, at most `per_s` a second.

    All are grabbed, so that none waits in the driver, but those beyond `per_s` are not decoded.
    Raises `SourceLostError` when they stop.
    """
    pace = Pace(watch, per_s)
    while not watch.is_over:
        if not capture.grab():
            raise SourceLostError("it sends no more pictures")
        taken_at_s = watch.now_s()
        if pace.lets_through(taken_at_s):
            yield Frame(retrieve_picture(capture), taken_at_s)


def retrieve_picture(capture: cv2.VideoCapture) -> Picture:
    """Decode the picture grabbed last; raises `SourceLostError` when it cannot be read."""
    with raised_as(SourceLostError, cv2.error, UNREADABLE):
        was_decoded, picture = capture.retrieve()
    if not was_decoded or picture.dtype != np.uint8:
        raise SourceLostError(UNREADABLE)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.ndim != 3 or picture.shape[2] != 3:
        raise SourceLostError(
            "it sent a picture of an unknown kind, {shape!r}", shape=picture.shape
        )
    return np.asarray(picture, dtype=np.uint8)


@dataclass(frozen=True)
class VideoFile(Source):
    """A video file, played at its own pace."""

    path: Path

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def shots(self, watch: Watch) -> Shots:
        """Play the file once, at its own pace."""
        if not self.path.is_file():
            raise SourceUnusableError("there is no such file")
        with raised_as(SourceUnusableError, SourceLostError):
            # An absolute path, so that FFmpeg takes no file name for an option or a protocol.
            path, why = str(self.path.resolve()), Sentence("it is not a video that can be read")
            with opened(path, cv2.CAP_FFMPEG, why=why) as capture:
                yield from self._played(capture, watch)

    def _played(self, capture: cv2.VideoCapture, watch: Watch) -> Shots:
        begun_s = watch.now_s()
        per_s = capture.get(cv2.CAP_PROP_FPS)
        step_s = 1 / (per_s if per_s > 0 else USUAL_PER_S)
        t_s = -step_s
        for number in count():
            if watch.is_over or not capture.grab():
                if number == 0:
                    raise SourceUnusableError("there are no pictures in it")
                return
            # Frame rates of phones vary; times of a damaged file may repeat or go back.
            file_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            t_s = file_s if file_s > t_s else t_s + step_s
            watch.rest(max(0.0, begun_s + t_s - watch.now_s()))
            yield Frame(retrieve_picture(capture), begun_s + t_s)
