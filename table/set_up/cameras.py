"""What the page offers as a camera, and what it takes: no file of this computer by its path."""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from railspotter.vision.sources import (
    AllowedHosts,
    Camera,
    FoundCamera,
    NoCamera,
    PiCamera,
    PostedFrames,
    Source,
    SourceUnusableError,
    camera_of_phone,
    camera_system,
    is_network_camera,
    list_cameras,
    parse_source,
)

from .errors import SetUpError

DEMO, PHONE, PI, NONE = "demo", "phone", "pi", "none"
ANEW_S = 2.0
"""A camera may be plugged in while the page is open; looking where Linux lists them costs 1 ms."""
OWN_CAMERAS = (Camera, PiCamera, PostedFrames, NoCamera)
NOBODY = AllowedHosts()
ADDRESSES = ("http", "https", "rtsp", "rtsps")


@dataclass(frozen=True)
class OfferedCamera:
    """A camera of this computer.

    Attributes
    ----------
    source : str
        As behind `--source`.
    about : str
        What it calls itself.
    """

    source: str
    about: str


class Cameras:
    """The cameras of this computer, as they are plugged in. Several threads may use it at once.

    Where the system does not list them, each is opened to see whether it is there, which takes
    seconds and lights its lamp: that is done once, and not while the page waits.

    Parameters
    ----------
    look : callable
        Returns the cameras.
    is_listed : bool
        Whether looking costs nothing.
    """

    def __init__(
        self,
        look: Callable[[], list[FoundCamera]] = list_cameras,
        *,
        is_listed: bool = camera_system().is_listed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look, self._is_listed, self._clock = look, is_listed, clock
        self._lock = threading.Lock()
        self._looked_s: float | None = None
        self._found: tuple[OfferedCamera, ...] = ()
        self._has_pi = importlib.util.find_spec("picamera2") is not None

    def now(self) -> tuple[OfferedCamera, ...]:
        """Return those that are known now."""
        with self._lock:
            is_first = self._looked_s is None
            is_due = is_first or self._clock() >= (self._looked_s or 0.0) + ANEW_S
            if is_first or (self._is_listed and is_due):
                self._looked_s = self._clock()
                if self._is_listed:
                    self._find()
                else:
                    threading.Thread(target=self._find, name="cameras", daemon=True).start()
            return self._found

    def _find(self) -> None:
        found = [OfferedCamera(str(camera.number), camera.name) for camera in self._look()]
        pi = [OfferedCamera(PI, PiCamera().name)] if self._has_pi else []
        self._found = (*found, *pi)


def is_live(source: Source) -> bool:
    """Tell whether a source has no beginning to go back to."""
    return isinstance(source, OWN_CAMERAS) or is_network_camera(source)


def source_of_page(text: str, phone: PostedFrames, allowed: AllowedHosts = NOBODY) -> Source:
    """Return the source that somebody names on the page; what is chosen there is no file.

    Parameters
    ----------
    allowed : AllowedHosts
        The hosts at home that may be chosen there.

    Raises
    ------
    SetUpError
        For a file, a folder or a device by its path, which the command line takes, and for what
        names nothing.
    SourceUnusableError
        For an address that is none, or whose host the terminal did not allow.

    Examples
    --------
    >>> source_of_page("2", PostedFrames()).name
    'camera 2'
    >>> source_of_page("/etc/passwd", PostedFrames())
    Traceback (most recent call last):
    ...
    railspotter.table.set_up.errors.SetUpError: only 'railspotter play --source' watches files
    """
    scheme, is_address, _ = text.partition("://")
    if is_address:
        if scheme.lower() not in ADDRESSES:
            raise SetUpError("an address begins with http, https or rtsp")
        return camera_of_phone(parse_source(text), allowed)
    source = None
    if not ("/" in text or "\\" in text or text.startswith("~")):
        try:
            source = parse_source(text, {PHONE: phone, NONE: NoCamera()})
        except SourceUnusableError as error:
            raise SetUpError(
                "{text!r} is no camera: give the number or name of one that is plugged in, or"
                " an address",
                text=text,
            ) from error
    if source is None or not is_live(source):
        raise SetUpError("only 'railspotter play --source' watches files")
    return source
