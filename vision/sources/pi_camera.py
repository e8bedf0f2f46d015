"""The camera on a Raspberry Pi's ribbon cable, through picamera2.

Written after picamera2's manual and tried on a stand-in only: no Raspberry Pi was at hand.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from railspotter.scoring.sentence import Sentence

from .camera_locks import Control, Locks
from .errors import SourceLostError, SourceUnusableError
from .source import Shot, Shots, Source, Watch

SETTLE_S = 3.0
"""What the camera does by itself is locked after it had so long to get it right. Chosen."""
FIX = {
    Control.EXPOSURE: ("AeEnable", False),
    Control.FOCUS: ("AfMode", 0),
    Control.WHITE_BALANCE: ("AwbEnable", False),
}
"""libcamera's controls; AfMode 0 is AfModeManual, which only cameras with a focus motor have."""


@dataclass(frozen=True)
class PiCamera(Source):
    """A Raspberry Pi's own camera.

    Attributes
    ----------
    size_wh : (int, int)
    per_s : float
        Pictures a second.
    lock : frozenset of Control
        What is fixed after some seconds, where the camera allows.
    """

    size_wh: tuple[int, int] = (1920, 1080)
    per_s: float = 5.0
    lock: frozenset[Control] = frozenset()

    @property
    def name(self) -> str:
        """What people call it."""
        return Sentence("the Raspberry Pi's camera")

    def shots(self, watch: Watch) -> Shots:
        """Give its pictures as they come."""
        camera = _opened()
        try:
            # libcamera names formats from the last byte to the first: this one is BGR in memory.
            form = {"size": self.size_wh, "format": "RGB888"}
            camera.configure(camera.create_video_configuration(main=form))
            camera.start()
            yield from self._live(camera, watch)
        except RuntimeError as error:
            raise SourceLostError("it stopped: {error}", error=error) from error
        finally:
            camera.close()

    def _live(self, camera: Any, watch: Watch) -> Shots:
        to_lock, lock_at_s = self.lock, watch.now_s() + SETTLE_S
        while not watch.is_over:
            picture = camera.capture_array("main")
            taken_at_s = watch.now_s()
            if to_lock and taken_at_s >= lock_at_s:
                watch.say(_lock(camera, to_lock).sentence)
                to_lock = frozenset()
            yield Shot(picture, taken_at_s)
            watch.rest(max(0.0, taken_at_s + 1 / self.per_s - watch.now_s()))


def _opened() -> Any:
    try:
        picamera2 = importlib.import_module("picamera2")
    except ImportError as error:
        raise SourceUnusableError(
            "picamera2 is not installed here: on a Raspberry Pi, 'sudo apt install"
            " python3-picamera2' and make the environment with --system-site-packages"
        ) from error
    try:
        return picamera2.Picamera2()
    except (RuntimeError, IndexError) as error:
        raise SourceLostError("no camera answers on its cable") from error


def _lock(camera: Any, wanted: frozenset[Control]) -> Locks:
    has = {control: FIX[control][0] in camera.camera_controls for control in Control}
    locked = tuple(control for control in Control if control in wanted and has[control])
    camera.set_controls(dict(FIX[control] for control in locked))
    return Locks(locked, tuple(c for c in Control if c in wanted and not has[c]))
