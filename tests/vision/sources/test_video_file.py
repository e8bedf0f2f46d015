"""Videos, written by OpenCV itself: played at their own pace or as fast as they are read."""

from pathlib import Path

import cv2
import pytest
from railspotter.vision.sources.source import SourceUnusableError
from railspotter.vision.sources.video import FFMPEG_OPTIONS, VideoFile

from .stand_ins import FILMS, QuickWatch, number_in, numbered, taken

PER_S = 10.0


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_video(tmp_path_factory.mktemp("video") / "game 1.avi", 30)


def write_video(path: Path, length: int, code: str = "MJPG") -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), PER_S, (320, 240))
    assert writer.isOpened()
    for number in range(length):
        writer.write(numbered(number))
    writer.release()
    return path


def test_at_its_own_pace_every_picture_comes_when_it_was_taken(video: Path) -> None:
    watch = QuickWatch()
    shots = video_shots = VideoFile(video).shots(watch)
    for number, shot in enumerate(shots):
        assert number_in(shot.picture) == number
        assert shot.taken_at_s == pytest.approx(1000.0 + number / PER_S)
        assert watch.now_s() == pytest.approx(shot.taken_at_s)
    assert number == 29
    assert [*video_shots] == []


def test_a_name_full_of_signs_is_a_name(tmp_path: Path) -> None:
    """To FFmpeg "concat:", to OpenCV's reader of numbered pictures "%02d" would mean something."""
    path = write_video(tmp_path / "concat:a|b %02d.avi", 3)
    assert len(taken(VideoFile(path))) == 3


def test_what_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    with pytest.raises(SourceUnusableError, match="no such file"):
        taken(VideoFile(path))
    for content in (b"", b"Dear Railspotter", b"\0" * 10_000):
        path.write_bytes(content)
        with pytest.raises(SourceUnusableError, match="not a video"):
            taken(VideoFile(path))


def test_a_video_that_was_cut_off_ends_where_it_was_cut(video: Path, tmp_path: Path) -> None:
    content = video.read_bytes()
    half = tmp_path / "half.avi"
    half.write_bytes(content[: len(content) // 2])
    seen = [number_in(shot.picture) for shot in taken(VideoFile(half), watch=QuickWatch())]
    assert seen[:10] == [*range(10)]
    assert len(seen) < 20


@pytest.mark.parametrize("film", ["film.h264", "film.hevc"])
def test_what_phones_and_cameras_film_in_is_played(film: str) -> None:
    assert len(taken(VideoFile(FILMS / film))) == 10


@pytest.mark.parametrize(
    ("code", "suffix"),
    [("MJPG", "avi"), ("mp4v", "mp4"), ("mpg2", "mpg"), ("VP80", "webm"), ("VP90", "mkv")],
)
def test_what_is_filmed_in_a_listed_codec_is_played(code: str, suffix: str, tmp_path: Path) -> None:
    assert len(taken(VideoFile(write_video(tmp_path / f"a.{suffix}", 3, code)))) == 3


@pytest.mark.parametrize("code", ["FFV1", "HFYU"])
def test_another_codec_is_refused_before_a_picture_is_decoded(code: str, tmp_path: Path) -> None:
    path = write_video(tmp_path / "game.avi", 3, code)
    with pytest.raises(SourceUnusableError, match="filmed in a way that is not read here"):
        taken(VideoFile(path))


def test_a_codec_with_known_faults_is_refused(tmp_path: Path) -> None:
    """MagicYUV, as FFmpeg and as others name it."""
    magic = FILMS / "magicyuv.avi"
    with pytest.raises(SourceUnusableError, match="filmed in a way that is not read here"):
        taken(VideoFile(magic))
    named = tmp_path / "named.avi"
    named.write_bytes(magic.read_bytes().replace(b"MAGY", b"M8RG"))
    with pytest.raises(SourceUnusableError, match="filmed in a way that is not read here"):
        taken(VideoFile(named))


def test_nobody_allows_another_codec_by_opencvs_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FFMPEG_OPTIONS, "codec_whitelist;magicyuv|analyzeduration;100000")
    with pytest.raises(SourceUnusableError, match="filmed in a way that is not read here"):
        taken(VideoFile(FILMS / "magicyuv.avi"))
