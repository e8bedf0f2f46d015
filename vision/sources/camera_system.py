"""How the cameras of a computer are reached: the one place where systems differ in it."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import cv2
from railspotter.scoring.sentence import Sentence

IN_USE = Sentence("it cannot be opened; another program may be using it")


@dataclass(frozen=True)
class CameraSystem:
    """A system, as cameras see it.

    Attributes
    ----------
    backend : int
        OpenCV's number of what reaches cameras.
    is_listed : bool
        Whether the system tells at no cost which cameras there are. Elsewhere each is opened to
        see whether it is there, which takes seconds and lights its lamp.
    refused : Sentence
        Why a camera that is there may not open.
    """

    backend: int = cv2.CAP_ANY
    is_listed: bool = False
    refused: Sentence = IN_USE


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
    """Return the system that the program runs on."""
    return SYSTEMS.get(sys.platform, OTHER)
