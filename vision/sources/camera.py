"""Cameras on a USB port or in the computer itself: V4L2, AVFoundation, DirectShow."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import cv2
from railspotter.scoring.sentence import Sentence

from .camera_list import list_cameras, number_of
from .camera_locks import Control, lock_controls
from .camera_system import camera_system
from .capture import Capture, live_shots, opened
from .errors import SourceLostError
from .source import Shots, Source, Watch

SETTLE_S = 3.0
"""What a camera does by itself is locked after it had so long to get it right. Chosen."""


@dataclass(frozen=True)
class Camera(Source):
    """A camera of this computer.

    Only cameras behind Linux' V4L2 can be told by name. No camera was at hand where this was
    written: what is proved and what is not is told in docs/sources.md.

    Attributes
    ----------
    device : int or str
        The camera's number, its device's path (``/dev/v4l/by-id/...`` stays the same whatever else
        is plugged in), or its name or a part of it.
    size_wh : (int, int) or None
        Asked for; a camera that does not have it gives another one, which is told. None for
        whatever it gives by itself, with OpenCV often 640 x 480.
    per_s : float
        Pictures a second; others are passed over without being decoded.
    lock : frozenset of Control
        What is fixed after some seconds, where the camera allows.
    backend : int or None
        OpenCV's number of what reaches the camera; None for this system's.
    """

    device: int | str = 0
    size_wh: tuple[int, int] | None = (1920, 1080)
    per_s: float = 5.0
    lock: frozenset[Control] = frozenset()
    backend: int | None = None

    @property
    def name(self) -> str:
        """``camera 0``, or the path or name it was given."""
        return (
            Sentence("camera {number}", number=self.device)
            if isinstance(self.device, int)
            else self.device
        )

    def shots(self, watch: Watch) -> Shots:
        """Give its pictures as they come."""
        system = camera_system()
        backend = system.backend if self.backend is None else self.backend
        with opened(self._found(), backend, why=system.refused) as capture:
            self._ask_for_size(capture, watch)
            to_lock, lock_at_s = self.lock, watch.now_s() + SETTLE_S
            for shot in live_shots(capture, watch, self.per_s):
                if to_lock and shot.taken_at_s >= lock_at_s:
                    watch.say(lock_controls(capture, to_lock, backend).sentence)
                    to_lock = frozenset()
                yield shot

    def _found(self) -> int | str:
        """Return what opens it, seen anew each time: its number changes when it is plugged in."""
        device = self.device
        if isinstance(device, str) and not is_path(device):
            device = number_of(device, list_cameras())
        if isinstance(device, int) and not camera_system().is_listed:
            return device
        # OpenCV would print a warning for each try, and does not say what is wrong.
        path = Path(f"/dev/video{device}" if isinstance(device, int) else device)
        if not path.exists():
            raise SourceLostError("it is not plugged in")
        if not os.access(path, os.R_OK | os.W_OK):
            # Just after it was plugged in this may pass.
            raise SourceLostError(
                "this user may not use it: add them to the group 'video' and log in again"
            )
        return str(path)

    def _ask_for_size(self, capture: Capture, watch: Watch) -> None:
        if self.size_wh is None:
            return
        # Uncompressed, a USB 2 port carries no more than 5 pictures of 1920 x 1080 a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for prop, side in zip(
            (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT), self.size_wh, strict=True
        ):
            capture.set(prop, side)
        width, height = self.size_wh
        given_wh = (
            round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        watch.say(
            Sentence("{width} x {height} pixels", width=width, height=height)
            if given_wh == self.size_wh
            else Sentence(
                "{width} x {height} pixels instead of {wanted} x {high}",
                width=given_wh[0],
                height=given_wh[1],
                wanted=width,
                high=height,
            )
        )


def is_path(device: str) -> bool:
    """Whether a text is a device's path rather than a camera's name."""
    return device.startswith("/")
