"""The display that was chosen on the page is there at the next game."""

import subprocess
import sys
from pathlib import Path

import pytest
from fake_displays import FakeFirmware
from railspotter.cli.pages import open_display
from railspotter.firmware_bridge.errors import BridgeError
from railspotter.table.display_control import (
    FILE,
    DisplayChoice,
    DisplayControl,
    display_choice_file,
)
from railspotter.table.errors import HomeError
from waiting import until

RUN = "import sys; from railspotter.cli.command import main; sys.exit(main())"
DAMAGED = ["", "{", '{"display": 7}', '{"brightness": "much"}', "\xff"]


def chosen(display: str | None) -> DisplayChoice:
    """What `railspotter play` opens, with or without `--display`."""
    with open_display(display) as desk:
        opened: DisplayControl = desk
        view = opened.view()
    return DisplayChoice(view.display, view.brightness, view.palette)


def test_a_choice_is_kept_and_found_again(tmp_path: Path) -> None:
    kept = display_choice_file(tmp_path / "new")
    assert kept.load() == DisplayChoice()
    for choice in (DisplayChoice("auto", 0.5, "lightness"), DisplayChoice("own:/dev/ttyUSB0")):
        kept.save(choice)
        assert kept.load() == choice


def test_what_was_named_wins_over_what_was_chosen(home: Path) -> None:
    assert chosen(None) == DisplayChoice()
    display_choice_file(home).save(DisplayChoice("own:/dev/nothing", 0.5))
    assert chosen(None) == DisplayChoice("own:/dev/nothing", 0.5)
    assert chosen("virtual") == DisplayChoice("virtual", 0.5)
    assert display_choice_file(home).load().display == "own:/dev/nothing"
    with pytest.raises(BridgeError, match="names no port"):
        chosen("own:")


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_choice_is_told_and_stops_no_game(
    home: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / FILE).write_text(content, "latin-1")
    with pytest.raises(HomeError, match="delete the file"):
        display_choice_file(home).load()
    assert chosen(None) == DisplayChoice()
    assert "delete the file" in capsys.readouterr().err


def test_a_choice_that_there_is_no_more_stops_no_game(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    display_choice_file(home).save(DisplayChoice("auto", 0.5, "gaudy"))
    assert chosen("virtual") == DisplayChoice()
    assert "gaudy" in capsys.readouterr().err


def test_the_next_game_lights_it_and_ends_with_q(home: Path, tmp_path: Path) -> None:
    with FakeFirmware(tmp_path / "port") as device:
        display_choice_file(home).save(DisplayChoice(f"own:{device.link}"))
        playing = subprocess.Popen(
            [sys.executable, "-c", RUN, "play", "--source", "demo"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            until(lambda: any(device.lights))
        finally:
            said, complaints = playing.communicate("q\n", timeout=60)
        assert "blue 0 (45 left)" in said, "the last word is the score"
        assert (playing.returncode, complaints) == (0, "")
        assert not any(device.lights), "it goes dark with the game"
