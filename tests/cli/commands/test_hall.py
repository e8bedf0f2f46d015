"""`railspotter hall`: what it refuses in a sentence, and a hall that is opened and left."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((), "--mqtt"),
        (("--mqtt", "broker.local"), "a broker is written"),
        (("--mqtt", "mqtt://hall:secret@b"), "leave the password out"),
        (("--mqtt", "mqtt://b/+"), "beginning of topics"),
        (("--mqtt", "mqtt://b", "--mqtt-password-file", "none"), "the password cannot be read"),
        (("--mqtt", "mqtt://b", "--port", "0", "--host", "192.0.2.1"), "cannot serve"),
        (("--mqtt", "mqtt://b", "--tables", "3"), "no option '--tables'"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    given: tuple[str, ...],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))
    try:
        code = main(["hall", *given])
    except SystemExit as end:
        code = int(end.code or 0)
    (line,) = capsys.readouterr().err.splitlines()
    assert (code, line.startswith("railspotter: ")) == (2, True)
    assert why in line
    assert "secret" not in line


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
        assert hall.wait(20) == 0
    assert (tmp_path / "home" / "hall" / "club.sqlite").exists()
