"""Cameras of the computer, as far as they can be tried without one.

What stands for the device is a file or a pipe that OpenCV captures through FFmpeg: opening,
reading, losing and finding it again are real, V4L2 is not.
"""

import os
import sys
import threading
from pathlib import Path

import cv2
import pytest
from railspotter.vision.sources.cameras import Camera, FoundCamera, list_cameras, number_of
from railspotter.vision.sources.grabber import Grabber, RetryPolicy
from railspotter.vision.sources.source import SourceLostError

from .stand_ins import PATIENT_S, QuickWatch, jpeg, number_in, numbered, taken

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux lists its cameras in files")


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "device.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for number in range(20):
        writer.write(numbered(number))
    writer.release()
    return path


class Ticking(QuickWatch):
    """Every look at its clock takes 1/32 s, as does a picture of a webcam's."""

    def now_s(self) -> float:
        self.clock.pass_by(1 / 32)
        return super().now_s()


def test_pictures_come_until_the_device_gives_no_more(recorded: Path) -> None:
    shots = Camera(str(recorded), None, per_s=1e9, backend=cv2.CAP_FFMPEG).shots(Ticking())
    assert [number_in(next(shots).picture) for _ in range(20)] == [*range(20)]
    with pytest.raises(SourceLostError, match="no more pictures"):
        next(shots)


def test_a_fast_camera_gives_as_many_pictures_as_are_wanted(recorded: Path) -> None:
    camera = Camera(str(recorded), None, per_s=8.0, backend=cv2.CAP_FFMPEG)
    shots = taken(camera, 5, Ticking())
    assert [number_in(shot.picture) for shot in shots] == [0, 3, 7, 11, 15]


def test_the_size_that_a_camera_gives_is_told(recorded: Path) -> None:
    for asked, said in (
        ((320, 240), "320 x 240 pixels"),
        ((1920, 1080), "320 x 240 pixels instead of 1920 x 1080"),
    ):
        watch = Ticking()
        taken(Camera(str(recorded), asked, backend=cv2.CAP_FFMPEG), 1, watch)
        assert watch.notes == (said,)


@LINUX
def test_what_is_not_plugged_in_is_waited_for(tmp_path: Path) -> None:
    for device in (987, "/dev/video987", "A camera of no such name"):
        with pytest.raises(SourceLostError, match="plugged in"):
            taken(Camera(device))


def test_what_is_there_but_is_no_camera(tmp_path: Path) -> None:
    path = tmp_path / "device"
    path.write_bytes(b"")
    with pytest.raises(SourceLostError, match="another program may be using it"):
        taken(Camera(str(path), backend=cv2.CAP_FFMPEG))


@LINUX
def test_a_camera_is_unplugged_and_plugged_in_again(tmp_path: Path) -> None:
    """A pipe stands for the device's node: it vanishes, and another one comes under its name."""
    node = tmp_path / "video0.mjpg"
    camera = Camera(str(node), None, per_s=1e9, backend=cv2.CAP_FFMPEG)

    def plug_in(number: int) -> None:
        os.mkfifo(node)
        with node.open("wb") as device:
            for _ in range(40):
                device.write(jpeg(number))

    grabber = Grabber(camera, patience=RetryPolicy(first_s=0.01, most_s=0.05))
    with grabber:
        while "not plugged in" not in grabber.status.said:
            grabber.latest(10**9, 0.01)
        for opening in (1, 2):
            device = threading.Thread(target=plug_in, args=(opening,))
            device.start()
            frame = grabber.latest(timeout_s=PATIENT_S)
            while frame is None or number_in(frame.picture) != opening:
                frame = grabber.latest(frame.number if frame else 0, PATIENT_S)
            device.join(PATIENT_S)
            node.unlink()
            while "not plugged in" not in grabber.status.said:
                grabber.latest(10**9, 0.01)
        assert grabber.status.openings == 2


@LINUX
def test_the_system_names_its_cameras(tmp_path: Path) -> None:
    for number, (name, index) in {
        0: ("Integrated Webcam", 0),
        1: ("Integrated Webcam", 1),  # tells about the pictures of the first
        10: ("HD Pro Webcam C920", 0),
        2: ("Old driver", None),
    }.items():
        folder = tmp_path / f"video{number}"
        folder.mkdir()
        (folder / "name").write_text(f"{name}\n")
        if index is not None:
            (folder / "index").write_text(f"{index}\n")
    (tmp_path / "vbi0").mkdir()
    cameras = list_cameras(tmp_path)
    assert cameras == [
        FoundCamera(0, "Integrated Webcam"),
        FoundCamera(2, "Old driver"),
        FoundCamera(10, "HD Pro Webcam C920"),
    ]
    assert number_of("c920", cameras) == 10
    assert number_of("old driver", cameras) == 2
    with pytest.raises(SourceLostError, match="no camera of that name"):
        number_of("c930", cameras)
    assert list_cameras(tmp_path / "nowhere") == []


def test_a_whole_name_goes_before_a_part_of_one() -> None:
    assert number_of("cam", [FoundCamera(0, "Webcam"), FoundCamera(1, "Cam")]) == 1
