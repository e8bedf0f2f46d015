"""Which cameras there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import cv2
from railspotter.scoring.sentence import Sentence

from .camera_system import camera_system
from .errors import SourceLostError

SYSTEM_CAMERAS = Path("/sys/class/video4linux")
MOST_PROBED = 4
"""Cameras that are tried where the system does not list them."""


@dataclass(frozen=True)
class FoundCamera:
    """A camera that can be watched.

    Attributes
    ----------
    number : int
        The system's number of it, which may be another one after it was plugged in again.
    name : str
        What it calls itself, or "camera 0" where the system does not tell.
    """

    number: int
    name: str


def list_cameras(system_cameras: Path = SYSTEM_CAMERAS) -> list[FoundCamera]:
    """Return the cameras that are plugged in.

    Linux lists them with their names, at no cost. On macOS and Windows OpenCV tells no names: the
    first numbers are opened one after the other, which lights their lamps and takes seconds. That
    way was never tried on such a computer.
    """
    if camera_system().is_listed:
        return _listed(system_cameras)
    return [camera for camera in map(_probed, range(MOST_PROBED)) if camera]


def number_of(name: str, cameras: list[FoundCamera]) -> int:
    """Return the number of the camera with a name, or whose name holds it.

    >>> number_of("c920", [FoundCamera(0, "Integrated"), FoundCamera(2, "HD Pro Webcam C920")])
    2

    Raises
    ------
    SourceLostError
        When there is none.
    """
    wanted = name.casefold()
    for fits in (str.__eq__, str.__contains__):
        for camera in cameras:
            if fits(camera.name.casefold(), wanted):
                return camera.number
    raise SourceLostError("no camera of that name is plugged in")


def _listed(system_cameras: Path) -> list[FoundCamera]:
    found = []
    for folder in system_cameras.glob("video*"):
        number = re.fullmatch(r"video(\d+)", folder.name)
        # A camera's first node gives pictures, its second one only tells about them.
        if number and _line(folder / "index") in ("0", ""):
            name = _line(folder / "name") or Sentence("camera {number}", number=number[1])
            found.append(FoundCamera(int(number[1]), name))
    return sorted(found, key=lambda camera: camera.number)


def _line(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:  # it was unplugged just now
        return ""


def _probed(number: int) -> FoundCamera | None:
    capture = cv2.VideoCapture(number, camera_system().backend)
    is_there = capture.isOpened()
    capture.release()
    return FoundCamera(number, Sentence("camera {number}", number=number)) if is_there else None
