"""`railspotter doctor --report`: what helps is in it, and nothing that tells of anybody."""

import getpass
import socket
from importlib.metadata import version
from pathlib import Path

import pytest
from railspotter.cli.command import main
from railspotter.cli.doctor import doctor as doctor_command
from railspotter.cli.doctor import network_check
from railspotter.cli.doctor.camera_check import take_picture
from railspotter.cli.doctor.report import CheckResult, State, anonymised, report_text
from railspotter.vision.sources.cameras import FoundCamera
from railspotter.webui.serving.system_network import OwnAddress

PASSWORD, PLAYER, TOKEN = "hunter2", "Rosalind", "q8Zt-41mVb7w0LxKd9eYuR2s"
CAMERA, PROFILE, HOST, USER = "Rosalind's iPhone", "attic-rosalind", "maple-street-7", "rfranklin"


@pytest.fixture
def told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, a computer and cameras that tell much; the home."""
    house = tmp_path / "home" / USER
    data = house / "railspotter data"
    (data / "profiles").mkdir(parents=True)
    (data / "profiles" / f"{PROFILE}.npz").write_bytes(b"torn")
    monkeypatch.setenv("HOME", str(house))
    monkeypatch.setenv("RAILSPOTTER_HOME", str(data))
    monkeypatch.setattr(getpass, "getuser", lambda: USER)
    monkeypatch.setattr(socket, "gethostname", lambda: f"{HOST}.example.org")
    own = (OwnAddress("192.168.178.23", "wlan0"), OwnAddress("2001:db8::7:1", "wlan0"))
    monkeypatch.setattr(network_check, "own_addresses", lambda: own)
    monkeypatch.setattr(doctor_command, "list_cameras", lambda: [FoundCamera(97, CAMERA)])
    monkeypatch.setattr(take_picture, "__defaults__", (0.5, 0.0))  # its patience
    return data


SECRETS = (PASSWORD, PLAYER, TOKEN, CAMERA, PROFILE, HOST, USER, "192.168", "2001:db8")


def assert_tells_of_nobody(said: str) -> None:
    for secret in (*SECRETS, str(Path.home()), socket.gethostname()):
        assert secret.casefold() not in said.casefold(), secret


def test_it_tells_what_runs_and_what_was_found(
    told_of: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--report", "--port", "0"]) == 3
    said = capsys.readouterr().out
    assert_tells_of_nobody(said)
    assert said.startswith(f"Railspotter {version('railspotter')}, ")
    assert f"numpy {version('numpy')}" in said
    assert "kept: 0 games, 1 profiles, 0 boards" in said
    assert "!! profile  <data>" in said
    assert "is damaged" in said
    assert "!! camera   <camera>: " in said
    assert "it is not plugged in" in said
    assert "ok network  a phone would open <address>" in said


def test_a_camera_s_password_is_nowhere(told_of: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = f"http://ann:{PASSWORD}@127.0.0.1:9/shot.jpg?token={TOKEN}"
    assert main(["doctor", "--report", "--port", "0", "--source", source]) == 3
    said = capsys.readouterr().out
    assert_tells_of_nobody(said)
    assert "127.0.0.1:9" not in said
    assert "!! camera" in said


def test_whatever_a_finding_says(told_of: Path) -> None:
    planted = CheckResult(
        "data",
        State.ATTENTION,
        f"{told_of}/games/7f.sqlite3 of {PLAYER!r} on {HOST}: {TOKEN}, /mnt/{PLAYER}/x",
        (
            f"see rtsp://{USER}:{PASSWORD}@cam.{HOST}.lan/1 or 192.168.178.40 or fe80::1ff:fe23:4",
            f"write to {PLAYER}@example.org, \\\\{PLAYER}\\share or C:\\Users\\{PLAYER}\\x",
            "'railspotter calibrate' makes one of 'usa', 1280 x 720, port 8000, /dev/video0",
        ),
    )
    said = report_text([planted], [])
    assert_tells_of_nobody(said)
    assert "fe80" not in said
    assert "'railspotter calibrate' makes one of 'usa', 1280 x 720, port 8000, /dev/video0" in said


@pytest.mark.parametrize("name", ["root", "pi", "railspotter"])
def test_a_name_that_thousands_have_leaves_the_words_whole(name: str) -> None:
    said = "'railspotter doctor': the root of it, 3 pi"
    assert anonymised(said, [(name, "user")]) == said
