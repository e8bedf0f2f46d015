"""The bridge keeps displays right, and never makes a game wait."""

import os
import random
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from pathlib import Path

import msgspec
import pytest
from fake_displays import FakeFirmware, FakeWled
from railspotter.firmware_bridge.bridge import Bridge, BridgeState
from railspotter.firmware_bridge.display_name import candidates
from railspotter.firmware_bridge.errors import DisplayError, PortBusyError, PortError
from railspotter.firmware_bridge.http_port import open_port
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, lights
from railspotter.firmware_bridge.made_up_game import made_up_scoreboards
from railspotter.firmware_bridge.own_display import Capabilities, OwnDisplay
from railspotter.firmware_bridge.ports import FoundPort
from railspotter.firmware_bridge.scoreboard import DIGITS, GLYPHS, PlayerScore, Scoreboard, digits
from railspotter.firmware_bridge.wled import requests
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.table.display_control import DisplayStatus
from standings import standing
from terminals import terminal
from waiting import until

STRIP = Strip(100)


def still(score: int) -> Scoreboard:
    """A scoreboard whose lights do not move."""
    return Scoreboard((PlayerScore("red", score), PlayerScore("blue", 2 * score)))


def light(scoreboard: Scoreboard, leds: int = 100, *, is_reading: bool = False) -> bytes:
    return lights(scoreboard, Strip(leds), DisplayMoment(is_reading=is_reading)).tobytes()


def test_scores_reach_our_firmware(tmp_path: Path) -> None:
    with FakeFirmware(tmp_path / "port") as device:
        with Bridge(f"own:{device.link}", STRIP) as bridge:
            for score in (7, 60, 120):
                board = still(score)
                bridge.show(board)
                until(lambda board=board: device.lights == light(board))  # type: ignore[misc]
                wanted = b"".join(digits(board, 2, 0.0))
                until(lambda wanted=wanted: device.segments == wanted)  # type: ignore[misc]
            about = "fake firmware: 100 LEDs, 2 modules of digits"
            assert bridge.state == BridgeState(
                DisplayStatus.CONNECTED, Sentence(f"{about} ({device.link})"), 1
            )
            bridge.show_camera(is_reading=True)
            until(lambda: device.lights == light(still(120), is_reading=True))
            bridge.show_camera(is_reading=False)
            bridge.show_camera(is_blind=True)
            dashes = bytes([GLYPHS["-"]]) * DIGITS
            until(lambda: device.segments.startswith(dashes))
            bridge.show_camera(is_blind=False)
            until(lambda: device.segments == b"".join(digits(still(120), 2, 0.0)))
            assert device.heard_too_early == 0
        until(lambda: not any(device.lights))


def test_what_is_shown_instead_of_the_score_is_seen_by_a_table_that_is_blind() -> None:
    bridge = Bridge("own:x", STRIP, find=lambda name: (), clock=lambda: 0.0)

    def drawn() -> bytes:
        shown = bridge.drawn()
        assert shown is not None
        return shown.lights.tobytes()

    bridge.show(still(9))
    score = drawn()
    bridge.show_camera(is_blind=True)
    blind = drawn()
    assert blind != score
    assert bridge.drawn().lines == ("--------",) * 2  # type: ignore[union-attr]
    bridge.show_instead(still(60))
    assert drawn() not in (score, blind)
    bridge.show_instead(still(9))
    assert drawn() == score
    bridge.show_instead(None)
    assert drawn() == blind


def test_a_lost_answer_costs_a_moment_only(tmp_path: Path) -> None:
    with FakeFirmware(tmp_path / "port") as device, Bridge(f"own:{device.link}", STRIP) as bridge:
        device.ignores = lambda number: number % 4 == 1
        for score in range(0, 100, 20):
            bridge.show(still(score))
            until(lambda score=score: device.lights == light(still(score)))  # type: ignore[misc]
        device.ignores = lambda number: False


def test_no_more_than_twenty_frames_a_second(tmp_path: Path) -> None:
    with FakeFirmware(tmp_path / "port", modules=0) as device:
        with Bridge(f"own:{device.link}", STRIP) as bridge:
            begun_s = time.monotonic()
            while time.monotonic() - begun_s < 1.0:
                bridge.show(still(random.Random(time.monotonic_ns()).randrange(100)))
                time.sleep(0.003)
            bridge.show(still(42))
            until(lambda: device.lights == light(still(42)))
        took_s = device.shown_at_s[-2] - device.shown_at_s[0]
        assert 3 < len(device.shown_at_s) < 20 * took_s + 4


def test_a_wled_on_a_cable_shows_the_score_and_keeps_it(tmp_path: Path) -> None:
    with FakeWled(tmp_path / "port") as device:
        with Bridge(f"wled:{device.link}", STRIP) as bridge:
            bridge.show(still(30))
            until(lambda: device.lights == light(still(30), leds=30))
            assert bridge.state.text.startswith("WLED 0.15.0: 30 LEDs")
            time.sleep(1.3)
            assert device.frames > 1
            assert device.is_realtime
        until(lambda: not device.is_realtime)
        assert device.ends == 1


def test_a_wled_at_another_speed_and_in_the_midst_of_a_frame(tmp_path: Path) -> None:
    with FakeWled(tmp_path / "port", baud=230400) as device:
        for byte in b"Ada\x00\x63\x36rest of it":  # a cable was pulled here
            device._state(byte)
        with Bridge(f"wled:{device.link}", STRIP) as bridge:
            bridge.show(still(30))
            until(lambda: device.lights == light(still(30), leds=30))


@pytest.mark.parametrize("make", [FakeFirmware, FakeWled])
def test_auto_finds_what_is_plugged_in(
    tmp_path: Path, make: Callable[[Path], FakeFirmware | FakeWled]
) -> None:
    with make(tmp_path / "port") as device:
        found = (FoundPort(str(device.link), "a copy", "CH340"), FoundPort("nothing here", "modem"))
        bridge = Bridge("auto", STRIP, find=lambda name: candidates(name, lambda: found))
        with bridge:
            bridge.show(still(9))
            leds = device.leds if isinstance(device, FakeWled) else 100
            until(lambda: device.lights == light(still(9), leds=leds))


def test_a_bootloader_is_waited_for(tmp_path: Path) -> None:
    with (
        FakeFirmware(tmp_path / "port", deaf_s=1.6) as device,
        Bridge(str(device.link), STRIP) as bridge,
    ):
        bridge.show(still(9))
        until(lambda: device.lights == light(still(9)))


def test_plain_text_arrives(tmp_path: Path) -> None:
    master, slave = terminal()
    with Bridge(f"text:{os.ttyname(slave)}", STRIP) as bridge:
        bridge.show(still(9))
        until(lambda: bridge.state.status is DisplayStatus.CONNECTED)
        heard = b""
        while heard.count(b"\n") < 3:
            heard += os.read(master, 100)
    os.close(master)
    os.close(slave)
    assert heard.split() == [b"red", b"9", b"+45", b"blue", b"18", b"+45"]


def test_a_url_of_pyserials_is_a_port_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with Bridge(f"text:socket://127.0.0.1:{server.getsockname()[1]}", STRIP) as bridge:
            bridge.show(still(9))
            line, _ = server.accept()
            with line:
                heard = b""
                while heard.count(b"\n") < 3:
                    heard += line.recv(100)
        assert heard.split()[:3] == [b"red", b"9", b"+45"]


def test_a_standing_is_shown_and_its_claim_seen(tmp_path: Path) -> None:
    edition, usa = load_edition("usa"), load_board("usa")
    with Bridge(f"own:{tmp_path / 'nothing'}", STRIP) as bridge:
        bridge.show_standing(standing(edition, usa, {}, ["red", "blue"]), edition)
        claims = {"helena--seattle": "blue"}
        bridge.show_standing(standing(edition, usa, claims, ["red", "blue"]), edition, ["blue"])
        assert bridge._shown
        assert bridge._shown.newest_claim == "blue"


def test_nothing_flashes_for_the_last_turns_once_the_game_is_over() -> None:
    edition = msgspec.structs.replace(load_edition("usa"), last_round_at=45)
    now, bridge = standing(edition, load_board("usa"), {}, ["red"]), Bridge("virtual", STRIP)
    for is_over in (False, True):
        bridge.show_standing(now, edition, is_over=is_over)
        assert bridge._shown
        assert bridge._shown.is_last_turns != is_over


def test_a_virtual_display_is_drawn_as_a_real_one_shows_it() -> None:
    with Bridge("virtual", STRIP) as bridge:
        assert bridge.drawn() is None
        bridge.show(still(9))
        until(lambda: "virtual" in bridge.state.text)
        drawn = bridge.drawn()
        assert drawn
        assert drawn.lights.tobytes() == light(still(9))
        assert drawn.lines == ("1 45   9", "2 45  18")


def test_claims_and_last_turns_are_seen_from_their_moment_on() -> None:
    now_s = 100.5
    bridge = Bridge("virtual", STRIP, clock=lambda: now_s)
    start = still(9)
    claimed = replace(start, claims=1, newest_claim="red")
    last = replace(claimed, is_last_turns=True)

    def is_as(board: Scoreboard, claim_age_s: float, alarm_age_s: float) -> bool:
        drawn = bridge.drawn()
        timed = replace(board, claimed_s=now_s - claim_age_s, last_turns_s=now_s - alarm_age_s)
        wanted = lights(timed, STRIP, DisplayMoment(now_s))
        return drawn is not None and drawn.lights.tobytes() == wanted.tobytes()

    bridge.show(start)
    assert is_as(start, inf, inf)
    bridge.show(claimed)
    now_s = 101.0
    assert is_as(claimed, 0.5, inf)
    bridge.show(last)
    bridge.show(last)
    now_s = 101.75
    assert is_as(last, 1.25, 0.75)
    assert not is_as(last, 1.25, inf)
    assert not is_as(last, inf, 0.75)


def test_a_port_that_comes_later(tmp_path: Path) -> None:
    link = tmp_path / "port"
    with Bridge(f"own:{link}", STRIP) as bridge:
        bridge.show(still(9))
        until(lambda: bridge.state.text == f"there is no port {link}")
        with FakeFirmware(link) as device:
            until(lambda: device.lights == light(still(9)))


def test_a_port_that_another_program_holds(tmp_path: Path) -> None:
    with FakeFirmware(tmp_path / "port") as device:
        holder = open_port(str(device.link), 115200)
        with pytest.raises(PortBusyError, match="in use by another program"):
            open_port(str(device.link), 115200)
        with Bridge(f"own:{device.link}", STRIP) as bridge:
            bridge.show(still(9))
            until(lambda: "in use" in bridge.state.text)
            assert bridge.state.status is DisplayStatus.BUSY
            holder.close()
            until(lambda: device.lights == light(still(9)))


def test_newer_firmware_is_named(tmp_path: Path) -> None:
    device = FakeFirmware(tmp_path / "port")
    device.has = Capabilities(2, 100, 0)
    with device, Bridge(f"own:{device.link}", STRIP) as bridge:
        bridge.show(still(9))
        until(lambda: "speaks version 2" in bridge.state.text)
        assert not any(device.lights)


@pytest.mark.parametrize("name", ["", "own:", "wled:", " "])
def test_a_display_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(DisplayError):
        Bridge(name)


class StuckPort:
    """A port on which every write lasts for ever, until its test is over."""

    def __init__(self) -> None:
        self.is_over = threading.Event()

    def read(self) -> bytes:
        return b""

    def write(self, data: bytes, baud: int) -> None:
        self.is_over.wait(30)
        raise PortError("stuck")

    def close(self) -> None:
        pass


def test_a_stuck_port_makes_nobody_wait() -> None:
    port = StuckPort()
    find = lambda name: candidates("own:stuck")  # noqa: E731
    with Bridge("own:stuck", STRIP, find=find, opened=lambda url, baud: port) as bridge:
        slowest_s = 0.0
        for i in range(2000):
            before_s = time.perf_counter()
            bridge.show(still(i % 100))
            slowest_s = max(slowest_s, time.perf_counter() - before_s)
        assert slowest_s < 0.5
        port.is_over.set()


def test_a_driver_that_fails_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    failures: list[str] = []

    def make() -> OwnDisplay:
        if len(failures) < 2:
            failures.append("one more")
            raise RuntimeError("a mistake of ours")
        return OwnDisplay()

    with FakeFirmware(tmp_path / "port") as device:
        find = lambda name: ((str(device.link), make),)  # noqa: E731
        with Bridge("own:x", STRIP, find=find) as bridge:
            bridge.show(still(9))
            until(lambda: device.lights == light(still(9)))
    assert caplog.text.count("Traceback") == 1


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return sum(1 for _ in folder.iterdir()) if folder.exists() else 0


def test_torn_away_at_random_moments(tmp_path: Path) -> None:
    """A port torn away while scores change is found again."""
    rng = random.Random(11)
    boards = made_up_scoreboards()
    files = open_files()
    threads = threading.active_count()
    with FakeFirmware(tmp_path / "port") as device, Bridge(str(device.link), STRIP) as bridge:
        for i in range(12):
            bridge.show(boards[i * 7 % len(boards)])
            time.sleep(rng.random() * 0.2)
            device.tear_away()
            score = still(rng.randrange(100))
            bridge.show(score)
            time.sleep(rng.random() * 0.1)
            device.plug_in()
            until(lambda score=score: device.lights == light(score), 6.0)  # type: ignore[misc]
    assert threading.active_count() == threads
    assert open_files() == files


class Wled(BaseHTTPRequestHandler):
    """A WLED controller's web server."""

    bodies: list[bytes] = []  # noqa: RUF012

    def do_GET(self) -> None:
        assert self.path == "/json/info"
        self._answer(b'{"ver":"0.15.0","leds":{"count":20},"name":"WLED"}')

    def do_POST(self) -> None:
        assert self.path == "/json/state"
        assert self.headers["Content-Type"] == "application/json"
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self._answer(b'{"success":true}')

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_wled_in_the_network() -> None:
    Wled.bodies.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Wled) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.02,))
        serving.start()
        with Bridge(f"http://127.0.0.1:{server.server_port}", STRIP) as bridge:
            bridge.show(still(30))
            wanted = requests(lights(still(30), replace(STRIP, leds=20), DisplayMoment()))
            until(lambda: Wled.bodies[-1:] == list(wanted))
        assert Wled.bodies[-1] == b'{"seg":{"id":0,"frz":false}}'
        server.shutdown()
        serving.join()
    with Bridge(f"http://127.0.0.1:{server.server_port}", STRIP) as bridge:
        until(lambda: "does not answer" in bridge.state.text)
