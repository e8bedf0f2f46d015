"""Cameras of this computer: lists them and grabs their pictures.

Differences between operating systems are in `camera_system`. It was written without a camera at
hand: docs/sources.md lists what is tested.
"""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
from railspotter.scoring.sentence import Sentence

from ..binary_packages import working_package
from .source import Frame, Shots, Source, SourceLostError, SourceUnusableError, Watch
from .video import live_shots, opened

SYSTEM_CAMERAS = Path("/sys/class/video4linux")
MOST_PROBED = 4  # device numbers that are tried if the system does not list cameras
IN_USE = Sentence("it cannot be opened; another program may be using it")


@dataclass(frozen=True)
class CameraSystem:
    """How an operating system gives access to cameras."""

    backend: int = cv2.CAP_ANY  # OpenCV's capture backend
    # Whether the system lists its cameras. Otherwise each number is opened as a test, which takes
    # seconds and lights the camera's lamp.
    is_listed: bool = False
    refused: Sentence = IN_USE  # why a camera may not open


SYSTEMS = {
    "linux": CameraSystem(cv2.CAP_V4L2, is_listed=True),
    "darwin": CameraSystem(
        cv2.CAP_AVFOUNDATION,
        refused=Sentence(
            "it cannot be opened; another program may be using it, or this one is not allowed to:"
            " see System Settings, Privacy, Camera"
        ),
    ),
    # Media Foundation takes 10 to 30 s to open many cameras (opencv issues 17687 and 26495).
    "win32": CameraSystem(cv2.CAP_DSHOW),
}
OTHER = CameraSystem()


def camera_system() -> CameraSystem:
    """Return the camera access of this operating system."""
    return SYSTEMS.get(sys.platform, OTHER)


@dataclass(frozen=True)
class FoundCamera:
    """A camera that can be opened."""

    number: int  # the system's device number, which may change when it is plugged in again
    name: str  # its own name, or "camera 0" if the system does not tell


def list_cameras(system_cameras: Path = SYSTEM_CAMERAS) -> list[FoundCamera]:
    """Return the cameras that are plugged in.

    Linux lists them with their names. On macOS and Windows the first numbers are opened in turn,
    which lights their lamps and takes seconds, and was never tried on such a computer.
    """
    if camera_system().is_listed:
        return _list_linux(system_cameras)
    return [camera for camera in map(_try_open, range(MOST_PROBED)) if camera]


def number_of(name: str, cameras: list[FoundCamera]) -> int:
    """Return the number of the camera with this name, or with a name that contains it.

    Raises `SourceLostError` when there is none.

    >>> number_of("c920", [FoundCamera(0, "Integrated"), FoundCamera(2, "HD Pro Webcam C920")])
    2
    """
    wanted = name.casefold()
    for fits in (str.__eq__, str.__contains__):
        for camera in cameras:
            if fits(camera.name.casefold(), wanted):
                return camera.number
    raise SourceLostError("no camera of that name is plugged in")


def _list_linux(system_cameras: Path) -> list[FoundCamera]:
    found = []
    for folder in system_cameras.glob("video*"):
        number = re.fullmatch(r"video(\d+)", folder.name)
        # A camera's first node gives pictures, its second one metadata.
        if number and _read_line(folder / "index") in ("0", ""):
            name = _read_line(folder / "name") or Sentence("camera {number}", number=number[1])
            found.append(FoundCamera(int(number[1]), name))
    return sorted(found, key=lambda camera: camera.number)


def _read_line(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:  # it was unplugged just now
        return ""


def _try_open(number: int) -> FoundCamera | None:
    capture = cv2.VideoCapture(number, camera_system().backend)
    is_there = capture.isOpened()
    capture.release()
    return FoundCamera(number, Sentence("camera {number}", number=number)) if is_there else None


@dataclass(frozen=True)
class Camera(Source):
    """A camera of this computer."""

    is_filming = True
    # Its number, its device's path (``/dev/v4l/by-id/...`` does not change), or, on Linux, its name
    # or a part of it.
    device: int | str = 0
    # The size to ask for; a camera without it gives another one, which a note tells. None for its
    # default, with OpenCV often 640 x 480.
    size_wh: tuple[int, int] | None = (1920, 1080)
    per_s: float = 5.0  # pictures a second; others are skipped without decoding
    backend: int | None = None  # OpenCV's capture backend; None for this system's

    @property
    def name(self) -> str:
        """``camera 0``, or its path or name."""
        return (
            Sentence("camera {number}", number=self.device)
            if isinstance(self.device, int)
            else self.device
        )

    def shots(self, watch: Watch) -> Shots:
        """Yield its pictures as they come."""
        system = camera_system()
        backend = system.backend if self.backend is None else self.backend
        with opened(self._find_device(), backend, why=system.refused) as capture:
            self._ask_for_size(capture, watch)
            yield from live_shots(capture, watch, self.per_s)

    def _find_device(self) -> int | str:
        """Return the number or path to open, looked up each time: numbers change on plugging in."""
        device = self.device
        if isinstance(device, str) and not is_path(device):
            device = number_of(device, list_cameras())
        if isinstance(device, int) and not camera_system().is_listed:
            return device
        # OpenCV would print a warning for each try, without the cause.
        path = Path(f"/dev/video{device}" if isinstance(device, int) else device)
        if not path.exists():
            raise SourceLostError("it is not plugged in")
        if not os.access(path, os.R_OK | os.W_OK):
            # May be temporary, just after it was plugged in.
            raise SourceLostError(
                "this user may not use it: add them to the group 'video' and log in again"
            )
        return str(path)

    def _ask_for_size(self, capture: cv2.VideoCapture, watch: Watch) -> None:
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
        watch.add_note(
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
    """Tell whether a text is a device's path rather than a camera's name."""
    return device.startswith("/")


@dataclass(frozen=True)
class PiCamera(Source):
    """A Raspberry Pi's own camera, through picamera2.

    Written after picamera2's manual and tried on a stand-in only.
    """

    name = Sentence("the Raspberry Pi's camera")
    is_filming = True
    size_wh: tuple[int, int] = (1920, 1080)
    per_s: float = 5.0  # pictures a second

    def shots(self, watch: Watch) -> Shots:
        """Yield its pictures as they come."""
        camera = _open_pi_camera()
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
        while not watch.is_over:
            picture = camera.capture_array("main")
            taken_at_s = watch.now_s()
            yield Frame(picture, taken_at_s)
            watch.rest(max(0.0, taken_at_s + 1 / self.per_s - watch.now_s()))


def _open_pi_camera() -> Any:
    picamera2 = working_package("picamera2", SourceUnusableError)
    try:
        return picamera2.Picamera2()
    except (RuntimeError, IndexError) as error:
        raise SourceLostError("no camera answers on its cable") from error
