"""A game is begun when its camera is known to work; before, nothing is left behind."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from railspotter.cli.command import main
from railspotter.cli.commands import play as play_command
from railspotter.cli.terminal.watching import wait_for_picture
from railspotter.table.errors import TableError
from railspotter.table.game_log.game_store import GameStore
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.photos import VirtualBoard

GREY = np.full((120, 160, 3), 128, np.uint8)


def test_the_first_picture_is_left_for_whoever_watches() -> None:
    source = VirtualBoard(lambda t_s: GREY, 1.0, 5.0, as_fast_as_read=True)
    with Grabber(source) as grabber:
        wait_for_picture(grabber, 20.0)
        frame = grabber.latest()
        assert frame is not None
        assert frame.number == 1


def test_a_source_that_says_nothing_is_given_up_with_what_it_does() -> None:
    said: list[str] = []
    with Grabber(PostedFrames()) as grabber, pytest.raises(TableError) as raised:
        wait_for_picture(grabber, 0.5, said.append)
    assert "no picture within 0 s" in str(raised.value)
    assert "another --source" in str(raised.value)
    assert said


def test_a_camera_that_never_answers_leaves_no_game(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        play_command, "wait_for_picture", lambda g, say: wait_for_picture(g, 0.6, say)
    )
    with deaf() as address:
        players = ["--board", "usa", "--players", "Ann:red", "Bo:blue"]
        assert main(["play", "--source", address, *players]) == 2
    out = capsys.readouterr()
    assert "no picture within" in out.err
    assert len(out.err.splitlines()) == 1
    assert list(GameStore(home).ids()) == []


def test_a_file_that_is_no_video_leaves_no_game(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = tmp_path / "game.mp4"
    video.write_bytes(b"no video at all")
    players = ["--board", "usa", "--players", "Ann:red", "Bo:blue"]
    assert main(["play", "--source", str(video), *players]) == 2
    assert "not a video that can be read" in capsys.readouterr().err
    assert list(GameStore(home).ids()) == []


def test_a_phone_is_waited_for_with_its_page_and_leaves_no_game_when_it_never_comes(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", after_a_while("quit\n"))
    play = ["play", "--board", "usa", "--players", "Ann:red", "Bo:blue", "--source", "phone"]
    assert main([*play, "--port", "0", "--https", "--http-port", "0"]) == 0
    out = capsys.readouterr().out
    assert "the phone that is the camera opens this once: https://127.0.0.1:" in out
    assert "waiting for a picture from the phone's camera" in out
    assert "fingerprint" in out
    assert "--resume" not in out
    assert list(GameStore(home).ids()) == []
    assert (home / "https").is_dir()


def test_a_phone_cannot_be_the_camera_without_the_page(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = ["play", "--board", "usa", "--players", "Ann:red", "Bo:blue", "--source", "phone"]
    assert main([*play, "--no-page"]) == 2
    assert "leave '--no-page' out" in capsys.readouterr().err
    assert list(GameStore(home).ids()) == []


def after_a_while(line: str) -> Iterator[str]:
    """What somebody types who has looked at the terminal first."""
    time.sleep(1.0)
    yield line


@contextmanager
def deaf() -> Iterator[str]:
    """Serve an address that takes connections and says nothing, as a camera that hangs."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5.0)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/video"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for one in taken:
                one.close()
