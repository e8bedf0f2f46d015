"""The Raspberry Pi's camera, on a stand-in for picamera2: there is no Raspberry Pi here."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from railspotter.vision.sources.cameras import PiCamera
from railspotter.vision.sources.source import SourceLostError, SourceUnusableError

from .stand_ins import number_in, numbered, taken


class Picamera2:
    """As much of picamera2 as is used, in the order in which it must be used."""

    made: "list[Picamera2]" = []  # noqa: RUF012  # emptied before each test

    def __init__(self) -> None:
        self.state, self.number = "open", 0
        Picamera2.made.append(self)

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        return main

    def configure(self, main: dict[str, Any]) -> None:
        assert (self.state, main["format"]) == ("open", "RGB888")
        self.size_wh = main["size"]
        self.state = "configured"

    def start(self) -> None:
        assert self.state == "configured"
        self.state = "started"

    def capture_array(self, stream: str) -> object:
        assert (self.state, stream) == ("started", "main")
        if self.number == 30:
            raise RuntimeError("Camera frontend has timed out!")
        self.number += 1
        return numbered(self.number, self.size_wh)

    def close(self) -> None:
        self.state = "closed"


@pytest.fixture
def _picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    Picamera2.made.clear()
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))


@pytest.mark.usefixtures("_picamera2")
def test_its_pictures_come_at_their_pace_and_it_is_closed() -> None:
    shots = taken(PiCamera((640, 480), per_s=4.0), 3)
    assert [number_in(shot.picture) for shot in shots] == [1, 2, 3]
    assert [shot.taken_at_s for shot in shots] == [1000.0, 1000.25, 1000.5]
    assert shots[0].picture.shape == (480, 640, 3)
    assert [camera.state for camera in Picamera2.made] == ["closed"]


@pytest.mark.usefixtures("_picamera2")
def test_a_loose_cable_is_a_lost_camera() -> None:
    with pytest.raises(SourceLostError, match="timed out"):
        taken(PiCamera((640, 480)))
    assert Picamera2.made[0].state == "closed"


def test_without_picamera2_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceUnusableError, match=r"picamera2 cannot be used.*docs/install-pi\.md"):
        taken(PiCamera())


def test_without_a_camera_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise IndexError("list index out of range")

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=none))
    with pytest.raises(SourceLostError, match="no camera answers"):
        taken(PiCamera())
