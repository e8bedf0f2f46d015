"""The desk: another display, another look and a test while a game runs."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_displays import FakeFirmware, FakeWled
from railspotter.firmware_bridge import http_port
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, lights
from railspotter.firmware_bridge.made_up_game import made_up_scoreboards
from railspotter.firmware_bridge.ports import FoundPort
from railspotter.firmware_bridge.scoreboard import scoreboard_of
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.points.standing import Standing
from railspotter.table.display_control import DisplayChoice, DisplayStatus
from railspotter.table.errors import HomeError, TableError
from standings import standing
from waiting import until

USA = load_edition("usa")


def standing_of(**claims: str) -> Standing:
    routes = {name.replace("__", "--").replace("_", "-"): claims[name] for name in claims}
    return standing(USA, load_board("usa"), routes, ["red", "blue"])


START = standing_of()


def light(leds: int = 100, *, is_reading: bool = False, **look: Any) -> bytes:
    strip = Strip(leds, **look)
    return lights(scoreboard_of(START, USA), strip, DisplayMoment(is_reading=is_reading)).tobytes()


@pytest.fixture
def firmware(tmp_path: Path) -> Iterator[FakeFirmware]:
    with FakeFirmware(tmp_path / "firmware", leds=40) as device:
        yield device


def desk_of(
    firmware: FakeFirmware, kept: DisplayChoice | None = None, **more: Any
) -> DisplayController:
    ports = (FoundPort(str(firmware.link), "USB serial", "Arduino"), FoundPort("/dev/x", "modem"))
    return DisplayController(kept or DisplayChoice(), find=lambda: ports, **more)


def chosen(desk: DisplayController) -> DisplayChoice:
    view = desk.view()
    return DisplayChoice(view.display, view.brightness, view.palette)


def test_without_a_display_one_sees_what_it_would_show(firmware: FakeFirmware) -> None:
    with desk_of(firmware) as desk:
        assert desk.view().players == ()
        desk.show_standing(START, USA)
        view = desk.view()
        assert view.state is DisplayStatus.NONE
        assert {one.port: one.about for one in view.ports} == {
            str(firmware.link): "Arduino",
            "/dev/x": "modem",
        }
        red, blue = view.players
        shown = bytes.fromhex("".join(red.lights).replace("#", ""))
        assert shown == light()[: len(shown)]
        assert (red.colour, red.score, red.trains_left, red.digits) == ("red", 0, 45, "1 45   0")
        assert len(blue.lights) == len(blue.colours) == 49
        assert "#ff0000" not in red.lights, "LEDs are not at full"
        desk.show_camera(is_blind=True)
        assert desk.view().players[0].lights != red.lights


def test_a_display_is_chosen_dimmed_recoloured_and_left(firmware: FakeFirmware) -> None:
    kept: list[DisplayChoice] = []
    with desk_of(firmware, keep=kept.append) as desk:
        desk.show_standing(START, USA)
        desk.choose(f"own:{firmware.link}")
        until(lambda: firmware.lights == light(40))
        view = desk.view()
        assert view.state is DisplayStatus.CONNECTED
        assert "40 LEDs" in view.about
        assert [len(player.lights) for player in view.players] == [19, 19]
        desk.choose(brightness=0.5, palette="red-green")
        until(lambda: firmware.lights == light(40, brightness=0.5, palette="red-green"))
        desk.show_camera(is_reading=True)
        wanted = light(40, brightness=0.5, palette="red-green", is_reading=True)
        until(lambda: firmware.lights == wanted)
        desk.choose("virtual")
        assert desk.view().state is DisplayStatus.NONE
        until(lambda: not any(firmware.lights))
    assert kept[-1] == DisplayChoice("virtual", 0.5, "red-green")


def test_a_named_display_is_not_remembered(firmware: FakeFirmware) -> None:
    kept: list[DisplayChoice] = []
    before = DisplayChoice("auto", 0.1)
    with desk_of(firmware, before, display=f"own:{firmware.link}", keep=kept.append) as desk:
        desk.choose(brightness=0.3)
        assert chosen(desk) == DisplayChoice(f"own:{firmware.link}", 0.3)
    assert kept == [DisplayChoice("auto", 0.3)]


def test_a_test_shows_a_game_and_then_the_score_again(firmware: FakeFirmware) -> None:
    end = [player.score for player in made_up_scoreboards()[-1].players]
    with desk_of(firmware, display=f"own:{firmware.link}", test_s=3.0) as desk:
        desk.show_standing(START, USA)
        until(lambda: firmware.lights == light(40))
        desk.test()
        desk.test()
        assert desk.view().is_testing
        until(lambda: firmware.lights != light(40))
        until(lambda: [player.score for player in desk.view().players] == end)
        now = standing_of(helena__seattle="blue")
        desk.show_standing(now, USA)  # the game goes on meanwhile
        until(lambda: not desk.view().is_testing)
        assert [player.score for player in desk.view().players] == [0, 15]


def test_what_is_torn_away_in_a_test_stops_nothing(firmware: FakeFirmware) -> None:
    with desk_of(firmware, display=f"own:{firmware.link}", test_s=2.0) as desk:
        desk.show_standing(START, USA)
        until(lambda: firmware.lights == light(40))
        desk.test()
        firmware.tear_away()
        until(lambda: desk.view().state is DisplayStatus.SEARCHING)
        until(lambda: not desk.view().is_testing)
        firmware.plug_in()
        until(lambda: firmware.lights == light(40))
        assert desk.view().state is DisplayStatus.CONNECTED
        desk.test()  # and is cut short when the game is left


@pytest.mark.parametrize(
    "display",
    ["", "/etc/passwd", "text:/etc/passwd", "spy:///dev/x?file=/etc/y", "own:", "http://a/b?c",
     "http://user@192.0.2.7", "https://"],
)  # fmt: skip
def test_a_page_names_no_file_and_no_strange_address(firmware: FakeFirmware, display: str) -> None:
    with desk_of(firmware) as desk, pytest.raises(TableError):
        desk.choose(display)
    assert chosen(desk) == DisplayChoice()


def is_at_home(address: str) -> bool:
    return address == "192.168.1.7"


@pytest.mark.parametrize(
    "display",
    ["http://127.0.0.1", "http://[::1]:80", "http://9.9.9.9", "http://192.168.1.7:22",
     "https://192.168.1.7:8006"],
)  # fmt: skip
def test_a_page_names_no_address_where_no_controller_is(
    firmware: FakeFirmware, display: str
) -> None:
    with desk_of(firmware, may_open=is_at_home) as desk:
        with pytest.raises(TableError, match="Only one in your own network"):
            desk.choose(display)
        assert chosen(desk) == DisplayChoice()
        desk.choose("http://192.168.1.7")
    with desk_of(firmware, display=display, may_open=is_at_home) as desk:
        desk.choose(display)  # the terminal has named it


def test_a_name_that_leads_to_this_computer_is_not_opened(
    monkeypatch: pytest.MonkeyPatch, firmware: FakeFirmware
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(http_port, "UNKNOWN_S", 0.1)
    monkeypatch.setattr(socket, "create_connection", lambda *at: opened.append(at))
    for kept in (DisplayChoice(), DisplayChoice("http://localhost")):  # chosen now, or last time
        with desk_of(firmware, kept, may_open=is_at_home) as desk:
            desk.choose("http://localhost")
            wanted = "no WLED controller answers at http://localhost"
            until(lambda: desk.view().about == wanted)  # noqa: B023
    assert not opened


def test_what_cannot_be_remembered_does_not_hold(firmware: FakeFirmware) -> None:
    def keep(choice: DisplayChoice) -> None:
        raise HomeError("the disk is full")

    with desk_of(firmware, keep=keep) as desk:
        with pytest.raises(HomeError):
            desk.choose("auto", 0.9)
        with pytest.raises(TableError, match="palette"):
            desk.choose(palette="gaudy")
        assert chosen(desk) == DisplayChoice()


def test_another_kind_is_gone_over_to(tmp_path: Path, firmware: FakeFirmware) -> None:
    with FakeWled(tmp_path / "wled") as wled:
        ports = (FoundPort(str(wled.link), "", "Espressif"),)
        kept = DisplayChoice(f"own:{firmware.link}")
        with DisplayController(kept, find=lambda: ports) as desk:
            desk.show_standing(START, USA)
            until(lambda: firmware.lights == light(40))
            desk.choose(f"wled:{wled.link}")
            until(lambda: wled.lights == light(30))
            until(lambda: not any(firmware.lights))
            assert desk.view().about.startswith("WLED 0.15.0: 30 LEDs")
