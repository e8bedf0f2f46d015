"""What people type becomes a source, or one clear sentence."""

from pathlib import Path

import pytest
from railspotter.vision.sources import cameras, choose
from railspotter.vision.sources.cameras import Camera, PiCamera
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.network import VideoStream, WebCamera
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.photos import Photos
from railspotter.vision.sources.source import SourceUnusableError
from railspotter.vision.sources.video import VideoFile

from .stand_ins import jpeg


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("0", Camera(0)),
        ("12", Camera(12)),
        ("/dev/video2", Camera("/dev/video2")),
        ("/dev/v4l/by-id/usb-046d_C920-index0", Camera("/dev/v4l/by-id/usb-046d_C920-index0")),
        ("http://192.0.2.7/snapshot.jpg", WebCamera("http://192.0.2.7/snapshot.jpg")),
        ("https://u:p@192.0.2.7:8080/video", WebCamera("https://u:p@192.0.2.7:8080/video")),
        ("rtsp://192.0.2.7/live", VideoStream("rtsp://192.0.2.7/live")),
        ("RTSPS://192.0.2.7/live", VideoStream("rtsps://192.0.2.7/live")),
        ("pi", PiCamera()),
    ],
)
def test_what_needs_no_file_to_be_there(text: str, source: object) -> None:
    assert parse_source(text) == source


def test_files_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("photos").mkdir()
    Path("game.mp4").write_bytes(b"")
    Path("board.JPG").write_bytes(jpeg(1))
    assert parse_source("game.mp4") == VideoFile(Path("game.mp4"))
    assert parse_source("photos/") == Photos(Path("photos"))
    assert parse_source("board.JPG") == Photos(Path("board.JPG"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert parse_source("~/game.mp4") == VideoFile(tmp_path / "game.mp4")


def test_a_camera_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [cameras.FoundCamera(2, "HD Pro Webcam C920")]
    monkeypatch.setattr(choose, "list_cameras", lambda: found)
    assert parse_source("c920") == Camera("c920")


def test_what_the_caller_names_goes_first() -> None:
    phone = PostedFrames()
    assert parse_source("phone", {"phone": phone}) is phone
    with pytest.raises(SourceUnusableError, match=r"one of these words: pi, phone$"):
        parse_source("demo", {"phone": phone})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game.mp4", "there is no file or folder 'game.mp4'"),
        ("holiday/photos", "there is no file or folder"),
        ("", "is no source: give a camera's number"),
        ("webcam", "is no source: give a camera's number"),
        ("-1", "is no source"),
        ("99999", "is no source"),
        ("\u0664", "is no source"),
        ("http://", "is no camera's address"),
        ("ftp://me:secret@192.0.2.7/x.jpg", "'ftp://192.0.2.7/x.jpg' is no camera's address"),
        ("file:///etc/hostname", "is no camera's address"),
        ("rtsp://me:sec/ret@192.0.2.7/live", "signs like / in a password as %2F"),
    ],
)
def test_what_is_no_source_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(SourceUnusableError) as said:
        parse_source(text)
    assert words in str(said.value)
    assert "\n" not in str(said.value)
    assert "secret" not in str(said.value)


@pytest.mark.parametrize(
    "text",
    [
        "http://me:secret@192.0.2.7:8080/video",
        "http://192.0.2.7:8080/video?user=me&pwd=secret",
        "http://192.0.2.7:8080/video?user=a@b&pwd=secret",
        "http://192.0.2.7:8080/video#secret",
        "rtsp://me:sec/secret@192.0.2.7/live",
        "rtsp://me:x?secret@192.0.2.7/live",
        "rtsp://me:x#secret@192.0.2.7/live",
        "rtsp://me:x@secret@192.0.2.7/live",
        "rtsp://me:secret@192.0.2.7/live?x=y@z",
        "rtsp://192.0.2.7:554/user=admin&password=secret&channel=1",
        "rtsp://me@home:secret@192.0.2.7/a@b?secret",
    ],
)
def test_no_name_of_a_source_has_a_password(text: str) -> None:
    source = VideoStream(text) if text.startswith("rtsp") else WebCamera(text)
    assert "secret" not in source.name
    assert "me:" not in source.name
    assert source.name.startswith(text[:7])
