"""The display beside the board, asked for and chosen over the programming interface."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fake_displays import FakeFirmware
from phones import Phone, Table, table
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, lights
from railspotter.firmware_bridge.ports import FoundPort
from railspotter.firmware_bridge.scoreboard import scoreboard_of
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.table.display_control import DisplayChoice, display_choice_file
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.live_table.commands import AddFacts
from standings import standing
from waiting import until

LEDS = 60
CLAIMS = {"helena--seattle": "blue", "calgary--seattle": "red"}


@pytest.fixture
def device(tmp_path: Path) -> Iterator[FakeFirmware]:
    with FakeFirmware(tmp_path / "port", leds=LEDS) as device:
        yield device


@contextmanager
def lit(folder: Path, device: FakeFirmware, test_s: float = 1.0) -> Iterator[Table]:
    """A running table whose computer has the device plugged in, and remembers what is chosen."""
    ports = (FoundPort(str(device.link), "USB serial", "Arduino"),)
    kept = display_choice_file(folder / "home")
    desk = DisplayController(kept.load(), keep=kept.save, find=lambda: ports, test_s=test_s)
    with desk, table(folder / "games", desk=desk) as running:
        yield running


def claim(running: Table) -> None:
    facts = [
        Placed.on(Spot("route", id), colour=colour, by="camera") for id, colour in CLAIMS.items()
    ]
    running.live.execute(AddFacts(facts))


def light() -> bytes:
    """The lights of the claims' standing, which breathe: their hue and where they are."""
    edition = load_edition("usa")
    now = standing(edition, load_board("usa"), CLAIMS, ["red", "blue", "green"])
    return lights(scoreboard_of(now, edition), Strip(LEDS), DisplayMoment()).tobytes()


def lit_leds(content: bytes) -> list[bool]:
    return [max(content[at : at + 3]) > 5 for at in range(0, len(content), 3)]


def display(host: Phone) -> Any:
    answer = host.get("/display")
    assert answer.status == 200, answer.content
    return answer.json


def test_a_display_is_chosen_and_shows_the_standing(tmp_path: Path, device: FakeFirmware) -> None:
    with lit(tmp_path, device) as running:
        host = running.host()
        claim(running)
        until(lambda: [p["score"] for p in display(host)["players"]] == [7, 15, 0])
        before = display(host)
        assert (before["state"], before["display"]) == ("none", "virtual")
        assert before["ports"] == [{"port": str(device.link), "about": "Arduino"}]
        chosen = host.ask("PATCH", "/display", {"display": f"own:{device.link}"})
        assert chosen.status == 200
        assert chosen.json["state"] == "searching"
        until(lambda: display(host)["state"] == "connected")
        until(lambda: lit_leds(device.lights) == lit_leds(light()))
        now = display(host)
        assert "60 LEDs" in now["about"]
        drawn = b"".join(
            bytes.fromhex(led[1:]) for player in now["players"] for led in player["lights"]
        )
        strip = light()
        gap = 3 * len(now["players"][0]["lights"])
        parts = [strip[at : at + gap] for at in (0, gap + 3, 2 * gap + 6)]
        assert lit_leds(drawn) == lit_leds(b"".join(parts))
        assert [player["digits"] for player in now["players"]][1].endswith("39  15")
        assert host.post("/display/test").json["is_testing"]
    # The next game's page finds it again.
    with lit(tmp_path, device) as running:
        assert display(running.host())["display"] == f"own:{device.link}"


@pytest.mark.parametrize(
    "change",
    [
        {"display": "/etc/passwd"},
        {"palette": "gaudy"},
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, device: FakeFirmware, change: dict[str, Any]
) -> None:
    with lit(tmp_path, device) as running:
        host = running.host()
        refused = host.ask("PATCH", "/display", change)
        assert refused.status == 400
        assert refused.json["error"]["message"]
        assert display(host)["display"] == "virtual"


def test_what_cannot_be_written_down_does_not_hold(tmp_path: Path, device: FakeFirmware) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    ports = (FoundPort(str(device.link), "USB serial", "Arduino"),)
    kept = display_choice_file(tmp_path / "home")
    desk = DisplayController(DisplayChoice(), keep=kept.save, find=lambda: ports)
    with desk, table(tmp_path / "games", desk=desk) as running:
        host = running.host()
        assert host.ask("PATCH", "/display", {"brightness": 0.5}).status == 503
        assert display(host)["brightness"] == 0.25


def test_a_display_that_is_stuck_makes_no_call_wait(tmp_path: Path, device: FakeFirmware) -> None:
    with lit(tmp_path, device) as running:
        host = running.host()
        host.ask("PATCH", "/display", {"display": str(device.link)})
        until(lambda: display(host)["state"] == "connected")
        answered: list[int] = []

        def go_on() -> None:
            answered.append(host.ask("PATCH", "/display", {"brightness": 0.5}).status)
            claim(running)
            answered.append(host.state()["players"][1]["points"])

        with device._lock:  # it takes nothing more, as a hung program holds its port
            asking = threading.Thread(target=go_on)
            asking.start()
            asking.join(15)
            assert answered == [200, 15]
