"""`railspotter doctor`: what is ready is called ready, and what is not is named with what helps."""

import itertools
import json
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import pytest
from camera_server import Request, serving
from railspotter.calibration.profiles.profile import CameraMode
from railspotter.cli.command import main
from railspotter.cli.doctor import camera_check
from railspotter.cli.doctor import doctor as doctor_command
from railspotter.cli.doctor.camera_check import check_camera, take_picture, working_modes
from railspotter.cli.doctor.doctor import check_data
from railspotter.cli.doctor.report import State
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture, to_jpeg
from railspotter.vision.sources.cameras import Camera, FoundCamera

Findings = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is plugged into the computer that the tests run on."""
    monkeypatch.setattr(doctor_command, "list_cameras", list)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Some seconds of the drawn game, filmed."""
    path = tmp_path / "game.avi"
    frame = drawn.game().picture
    size_wh = frame.shape[1], frame.shape[0]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, size_wh)
    for _ in range(3):
        writer.write(frame)
    writer.release()
    return path


def asked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Findings]:
    """Ask the doctor on a port that is surely free; return the exit code and what was found."""
    code = main(["doctor", "--json", "--port", "0", *map(str, words)])
    out = json.loads(capsys.readouterr().out)
    assert out["is_well"] == (code == 0)
    findings: Findings = out["findings"]
    return code, findings


def of(findings: Findings, about: str) -> dict[str, Any]:
    (only,) = (finding for finding in findings if finding["about"] == about)
    return only


def test_a_computer_without_camera_is_told_so_and_is_well(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--port", "0"]) == 0
    out = capsys.readouterr().out
    assert "no camera is plugged in" in out
    assert "there is no profile of your own board yet" in out
    assert out.endswith("all is well\n")
    assert not home.exists() or not any(home.iterdir())


def test_a_profile_that_fits_what_the_camera_sees(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, findings = asked(capsys, "--source", pictures / "game.jpg")
    assert code == 0
    assert of(findings, "camera")["details"]["size_wh"] == [1200, 900]
    fit = of(findings, "profile")
    assert (fit["details"]["profile"], fit["details"]["fits"]) == ("drawn", True)
    assert fit["details"]["agreement"] > 0.6
    assert fit["details"]["picture"]["tilt_deg"] == pytest.approx(12, abs=7)


def test_a_video_and_a_folder_are_looked_through(
    calibrated: Path, video: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = video.parent / "shots"
    folder.mkdir()
    save_picture(folder / "1.jpg", drawn.game().picture)
    for source in (video, folder):
        code, findings = asked(capsys, "--source", source)
        assert code == 0, source
        assert of(findings, "profile")["details"]["fits"]


def test_a_camera_that_sees_no_board_needs_attention(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, findings = asked(capsys, "--source", pictures / "strip.jpg")
    assert code == 3
    lost = of(findings, "profile")
    assert lost["state"] == "attention"
    assert "'drawn'" in lost["said"]
    assert not lost["details"]["fits"]


def test_a_dark_room_is_told_as_dark(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_picture(tmp_path / "dark.png", np.asarray(drawn.game().picture * 0.08, np.uint8))
    code, findings = asked(capsys, "--source", tmp_path / "dark.png")
    assert code == 3
    assert "dark" in of(findings, "light")["said"]


def test_what_is_poor_of_a_picture_is_said_with_what_helps(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    far = cv2.resize(drawn.game().picture, None, fx=0.42, fy=0.42, interpolation=cv2.INTER_AREA)
    save_picture(tmp_path / "far.png", np.asarray(far, np.uint8))
    _, findings = asked(capsys, "--source", tmp_path / "far.png")
    fit = of(findings, "profile")
    assert fit["state"] != "well"
    assert any("more pixels" in advice for advice in fit["advice"])


def test_one_of_several_profiles_must_fit_unless_it_is_asked_for(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = cv2.resize(drawn.game().picture, (800, 600), interpolation=cv2.INTER_AREA)
    save_picture(tmp_path / "game.png", np.asarray(small, np.uint8))
    rng = np.random.default_rng(3)
    other = rng.permutation(drawn.profile().features.descriptors)
    features = replace(drawn.profile().features, descriptors=other)
    ProfileStore(calibrated).save(replace(drawn.profile(), name="other", features=features))
    words = ("--source", tmp_path / "game.png")
    code, findings = asked(capsys, *words)
    assert code == 0
    states = {f["details"]["profile"]: f["state"] for f in findings if f["about"] == "profile"}
    assert states["other"] == "note"
    code, findings = asked(capsys, *words, "--profile", "other")
    assert code == 3
    assert of(findings, "profile")["state"] == "attention"


def test_another_camera_mode_than_the_profile_s_has_a_word_of_its_own(
    home: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_with = CameraMode("game.jpg", (4000, 3000))
    ProfileStore(home).save(replace(drawn.profile(), made_with=made_with))
    _, findings = asked(capsys, "--source", pictures / "game.jpg")
    words = "the profile was made with 'game.jpg' at 4000 x 3000, and this is 'game.jpg' at 1200"
    assert any(advice.startswith(words) for advice in of(findings, "profile")["advice"])


def test_a_damaged_profile_is_named_with_what_to_do(
    calibrated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = calibrated / "profiles" / "drawn.npz"
    file.write_bytes(file.read_bytes()[:-60])
    code, findings = asked(capsys)
    assert code == 3
    damaged = next(f for f in findings if f["about"] == "profile" and f["state"] == "attention")
    assert "drawn.npz" in damaged["said"]
    assert "calibrate anew" in damaged["said"]


@pytest.mark.long
def test_a_board_that_nobody_calibrated_is_looked_for_by_numbers(
    home: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, findings = asked(capsys, "--source", pictures / "nothing.jpg")
    assert code == 3
    lost = [f for f in findings if f["about"] == "camera" and f["state"] == "attention"]
    assert ["no board was recognised" in f["said"] for f in lost] == [True]


def test_why_none_is_recognised_is_the_reason_of_the_board_that_is_there(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = load_photo(photos / "usa" / "IMG_4152_1008.jpg")
    picture[:, : picture.shape[1] * 3 // 5] = 120
    save_picture(tmp_path / "half.png", picture)
    _, findings = asked(capsys, "--source", tmp_path / "half.png")
    (lost,) = (f for f in findings if f["about"] == "camera" and f["state"] == "attention")
    assert "no board was recognised: too much of the board is covered" in lost["said"]


def test_another_board_than_the_profiles_is_named_and_nobody_is_told_to_choose_it(
    calibrated: Path, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, findings = asked(capsys, "--source", photos / "europe" / "house6_800.jpg")
    said = of(findings, "profile")["said"]
    assert said == "profile 'drawn': the picture shows another board, 'europe'"


def test_the_drawn_game_can_be_looked_at(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, findings = asked(capsys, "--source", "demo")
    assert code == 0
    assert of(findings, "profile")["details"]["fits"]


def test_every_camera_that_is_plugged_in_is_looked_through(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [FoundCamera(97, "HD Pro Webcam"), FoundCamera(98, "USB2.0 Camera")]
    monkeypatch.setattr(doctor_command, "list_cameras", lambda: found)
    monkeypatch.setattr(take_picture, "__defaults__", (0.3, 0.0))
    code, findings = asked(capsys)
    assert code == 3
    cameras = [finding for finding in findings if finding["about"] == "camera"]
    assert [camera["said"].partition(":")[0] for camera in cameras] == [c.name for c in found]
    assert all("not plugged in" in camera["said"] for camera in cameras)


def test_a_profile_that_is_not_there_needs_attention(
    calibrated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, findings = asked(capsys, "--profile", "attic")
    assert code == 3
    assert "there are: drawn" in of(findings, "profile")["said"]


def test_the_modes_of_a_camera_are_those_it_gives(video: Path) -> None:
    """What stands for the device is a file: it has one size, whatever it is asked for."""
    camera = Camera(str(video), per_s=1e9, backend=cv2.CAP_FFMPEG)
    assert working_modes(camera, ((640, 480), (1920, 1080))) == ((1200, 900),)
    finding, picture = check_camera(camera, "a webcam")
    assert picture is not None
    assert picture.shape == (900, 1200, 3)
    assert finding.said == "a webcam gives 1200 x 900 pixels; it has 1200 x 900"


def test_a_camera_that_sends_one_picture_again_and_again_hangs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    monkeypatch.setattr(camera_check, "FROZEN_S", 0.6)
    monkeypatch.setattr(take_picture, "__defaults__", (20.0, 1.2))
    still = to_jpeg(drawn.game().picture)
    with serving(lambda request: request.picture(still)) as server:
        code, findings = asked(capsys, "--source", server.url)
    camera = of(findings, "camera")
    assert (code, camera["state"]) == (3, "attention")
    assert "hangs: it has sent the very same picture" in camera["said"]


def test_a_camera_that_is_slow_does_not_hang(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    monkeypatch.setattr(take_picture, "__defaults__", (20.0, 1.2))
    asked_for, picture = itertools.count(), drawn.game().picture.copy()

    def send(request: Request) -> None:
        picture[0, 0] = 40 * (next(asked_for) // 3)  # a new picture for every third request
        request.picture(to_jpeg(picture))

    with serving(send) as server:
        _, findings = asked(capsys, "--source", server.url)
    (camera,) = (finding for finding in findings if "pixels" in finding["said"])
    assert camera["state"] == "well"


def test_a_directory_that_cannot_be_written_needs_attention(tmp_path: Path) -> None:
    file = tmp_path / "home"
    file.write_text("a file, not a folder")
    for folder in (file, file / "below"):
        finding = check_data(folder)
        assert finding.state is State.ATTENTION
        assert any("RAILSPOTTER_HOME" in advice for advice in finding.advice)


def test_a_full_disk_needs_attention(tmp_path: Path) -> None:
    assert check_data(tmp_path).state is State.WELL
    full = check_data(tmp_path, least_free_mb=1e12)
    assert (full.state, list(tmp_path.iterdir())) == (State.ATTENTION, [])
    assert "almost full" in full.said


def test_a_port_in_use_needs_attention(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        port = other.getsockname()[1]
        assert main(["doctor", "--port", str(port)]) == 3
    out = capsys.readouterr().out
    assert f"port {port} is in use" in out
    assert "1 thing needs attention" in out


@pytest.mark.parametrize("host", ["203.0.113.9", "a" * 70, "no such host"])
def test_an_address_of_others_cannot_be_listened_on(
    host: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, findings = asked(capsys, "--host", host)
    assert code == 3
    said = [finding["said"] for finding in findings if finding["state"] == "attention"]
    assert said == [f"this computer has no address {host!r} to listen on"]
