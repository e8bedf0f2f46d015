"""`railspotter hall`: a hall that is opened and left, and where there can be none."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from mosquitto import mosquitto
from phones import Phone
from railspotter.cli.command import main
from railspotter.club.hall.hall_log import HallLog

RUN = "import sys; from railspotter.cli.process import main; sys.exit(main())"


def test_an_address_of_another_computer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))
    assert main(["hall", "--mqtt", "mqtt://b", "--port", "0", "--host", "192.0.2.1"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("railspotter: cannot serve")


def test_two_halls_of_one_log_are_one_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))
    with HallLog(tmp_path / "hall" / "club%2Ffriday.sqlite"):
        assert main(["hall", "--mqtt", "mqtt://127.0.0.1:1/club/friday", "--port", "0"]) == 2
    assert "another hall uses" in capsys.readouterr().err


def test_a_hall_is_opened_and_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path / "home"))
    with (
        mosquitto(tmp_path / "broker") as broker,
        subprocess.Popen(
            [sys.executable, "-c", RUN, "hall", "--mqtt", broker.url, "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        ) as hall,
    ):
        assert hall.stdout is not None
        said = [hall.stdout.readline() for _ in range(4)]
        port = int(said[0].split("127.0.0.1:")[1].split("/")[0])
        token = said[2].split("#host=")[1].strip()
        assert Phone(port).join(token).get("/hall/state").json["tables"] == {}
        assert "only this computer" in said[3]
        hall.send_signal(signal.SIGINT)
        assert hall.wait(60) == 0
    assert (tmp_path / "home" / "hall" / "club.sqlite").exists()
