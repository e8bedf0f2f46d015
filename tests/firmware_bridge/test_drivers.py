"""What drivers say: against golden dialogues, and against anything that a display may answer."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_displays import decode_to_device, encode_from_device
from hypothesis import given
from hypothesis import strategies as st
from railspotter.firmware_bridge import own_display, wled
from railspotter.firmware_bridge.display_name import Probe
from railspotter.firmware_bridge.driver import Driver, TextDisplay, text
from railspotter.firmware_bridge.errors import PortError
from railspotter.firmware_bridge.framing import FrameReader
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, lights
from railspotter.firmware_bridge.scoreboard import PlayerScore, Scoreboard
from railspotter.table.display_control import PiecesToLay
from scoreboards import scoreboards

GOLDEN = Path(__file__).parent / "golden"
RED = Scoreboard((PlayerScore("red", 50),))
FULL = Strip(6, brightness=1.0, most_ma=1e6)
HAS = own_display.Capabilities(1, 10, 1, "test")


def play(driver: Driver, dialogue: str) -> None:
    """Let a driver have its part of a dialogue; `@` sets the clock."""
    t_s = 0.0
    for line in dialogue.splitlines():
        mark, _, said = line.partition(" ")
        if mark == "@":
            t_s = float(said) + 0.1
        elif mark == "<":
            driver.receive(_bytes(said), t_s)
        elif mark == ">":
            got = driver.encode(RED, FULL, DisplayMoment(t_s)) if t_s >= 0 else driver.farewell()
            assert got == _bytes(said), line
        elif mark == "!":
            assert driver.encode(RED, FULL, DisplayMoment(t_s)) == b""
            t_s = -1.0


def _bytes(text: str) -> bytes:
    return bytes(ast.literal_eval("b'" + text + "'"))


@pytest.mark.parametrize(
    ("name", "make"), [("wled_cable", wled.WledOnCable), ("wled_network", wled.WledInNetwork)]
)
def test_a_dialogue_is_as_written(name: str, make: type[Driver]) -> None:
    play(make(), (GOLDEN / f"{name}.txt").read_text("utf-8"))


MAKERS: list[type[Driver]] = [
    own_display.OwnDisplay,
    wled.WledOnCable,
    wled.WledInNetwork,
    Probe,
    TextDisplay,
]
said = st.one_of(
    st.binary(max_size=60),
    st.just(encode_from_device(HAS)),
    st.builds(lambda number: encode_from_device(own_display.Ready(number)), st.integers(0, 255)),
    st.sampled_from(
        [b"WLED 0.15.0\r\n", b"Baud is now 230400\r\n", b"Baud is now 999999999999\n", b"{" * 50]
    ),
    st.just(b'{"info":{"leds":{"count":12}}}\r\n'),
)


@pytest.mark.parametrize("make", MAKERS)
@given(st.lists(st.tuples(said, st.floats(0, 1)), max_size=30), scoreboards())
def test_no_answer_upsets_a_driver(
    make: type[Driver], heard: list[tuple[bytes, float]], scoreboard: Scoreboard
) -> None:
    driver, t_s = make(), 0.0
    for data, pause_s in heard:
        t_s += pause_s
        try:
            driver.receive(data, t_s)
            driver = driver.detected_driver()
            driver.encode(scoreboard, FULL, DisplayMoment(t_s))
        except PortError:
            return
    driver.farewell()


class Firmware:
    """The other end of the own driver, without any wire."""

    def __init__(self, driver: own_display.OwnDisplay) -> None:
        self.driver = driver
        self.t_s = 0.0
        self.said: list[own_display.ToDevice] = []

    def turn(
        self, scoreboard: Scoreboard | None = RED, pause_s: float = 0.06, *, answers: bool = True
    ) -> own_display.ToDevice | None:
        self.t_s += pause_s
        data = self.driver.encode(scoreboard, FULL, DisplayMoment(self.t_s))
        if not data:
            return None
        (body,) = FrameReader().feed(data)
        decoded = decode_to_device(body)
        assert decoded
        number, message = decoded
        assert message
        if answers:
            hello = replace(HAS, answers=number)
            answer = hello if message == own_display.HELLO else own_display.Ready(number)
            self.driver.receive(encode_from_device(answer), self.t_s)
        self.said.append(message)
        return message

    def says(self, kind: own_display.Kind, scoreboard: Scoreboard = RED) -> bool:
        message = self.turn(scoreboard)
        return message is not None and message.kind is kind


def test_all_is_said_once_then_only_what_changes() -> None:
    device = Firmware(own_display.OwnDisplay())
    assert device.turn() == own_display.HELLO
    assert device.says(own_display.Kind.LIGHTS)
    assert device.says(own_display.Kind.DIGITS)
    assert [device.turn() for _ in range(10)] == [None] * 10
    assert device.turn(pause_s=0.9) == own_display.PING
    more = replace(RED, players=(PlayerScore("red", 60),))
    assert device.says(own_display.Kind.LIGHTS, more)
    assert device.says(own_display.Kind.DIGITS, more)


def test_what_was_not_answered_is_said_again_and_newer() -> None:
    device = Firmware(own_display.OwnDisplay())
    device.turn()
    first = device.turn(answers=False)
    assert device.turn(pause_s=own_display.READY_S / 2) is None
    more = replace(RED, players=(PlayerScore("red", 60),))
    again = device.turn(more, pause_s=own_display.READY_S)
    assert again is not None
    assert again.kind is own_display.Kind.LIGHTS
    assert again != first
    device.turn()
    # Nobody knows whether the first came through: going back to it is said, too.
    device.turn(RED, answers=False)
    device.turn(more, pause_s=2 * own_display.READY_S)
    assert any(device.says(own_display.Kind.LIGHTS, RED) for _ in range(2))


def test_a_restarted_device_is_told_everything() -> None:
    device = Firmware(own_display.OwnDisplay())
    for _ in range(6):
        device.turn()
    late = replace(HAS, answers=own_display.HELLO_NUMBER)
    device.driver.receive(encode_from_device(late), device.t_s)
    assert device.turn() is None
    device.driver.receive(encode_from_device(HAS), device.t_s)
    assert device.says(own_display.Kind.LIGHTS)
    assert device.says(own_display.Kind.DIGITS)


def test_silence_and_strangers_are_given_up() -> None:
    device = Firmware(own_display.OwnDisplay())
    device.turn()
    with pytest.raises(PortError, match="does not answer"):
        device.turn(pause_s=own_display.SILENCE_S + 1)
    device = Firmware(own_display.OwnDisplay())
    asked = [device.turn(answers=False, pause_s=0.3) for _ in range(12)]
    assert asked == [own_display.HELLO] * 12
    with pytest.raises(PortError, match="no Railspotter firmware"):
        device.turn(pause_s=1.0)
    with pytest.raises(PortError, match="version 2"):
        own_display.OwnDisplay().receive(encode_from_device(replace(HAS, version=2)), 0.0)


def test_a_wled_at_another_speed_is_found() -> None:
    driver = wled.WledOnCable()
    asked = []
    for i in range(400):
        if driver.encode(RED, FULL, DisplayMoment(i * 0.1)):
            asked.append(driver.baud)
        if len(asked) == 2 * len(wled.BAUDS):
            break
    assert asked == [baud for baud in wled.BAUDS for _ in range(2)]
    with pytest.raises(PortError, match="no WLED"):
        driver.encode(RED, FULL, DisplayMoment(1000.0))


def test_a_wled_that_falls_silent_is_given_up() -> None:
    driver = wled.WledOnCable()
    driver.receive(b"WLED 0.14\n", 0.0)
    asked = [driver.encode(RED, FULL, DisplayMoment(i * 0.1)) for i in range(70)]
    assert sum(said.endswith(b"v") for said in asked) >= 2
    with pytest.raises(PortError, match="any more"):
        driver.encode(RED, FULL, DisplayMoment(7.1))


def test_the_line_of_a_long_strip_is_not_overfilled() -> None:
    driver, long = wled.WledOnCable(), replace(FULL, leds=600)
    driver.receive(b"WLED 0.14\n", 0.0)
    size, seconds = 0, 5.0
    for i in range(int(seconds * 100)):
        board = Scoreboard((PlayerScore("red", i % 100),))
        size += len(driver.encode(board, long, DisplayMoment(1.0 + i / 100)))
    assert 0.5 < size * 10 / 115200 / seconds < 0.95


@given(scoreboards(), st.integers(1, 700))
def test_requests_to_a_wled_hold_every_colour(scoreboard: Scoreboard, leds: int) -> None:
    shown = lights(scoreboard, replace(FULL, leds=leds), DisplayMoment())
    got = np.zeros_like(shown)
    for body in wled.requests(shown):
        items = iter(ast.literal_eval(body.decode().replace("true", "True"))["seg"]["i"])
        for start in items:
            end_or_colour = next(items)
            end = end_or_colour if isinstance(end_or_colour, int) else start + 1
            colour = next(items) if isinstance(end_or_colour, int) else end_or_colour
            got[start:end] = list(bytes.fromhex(colour))
    assert np.array_equal(got, shown)


@pytest.mark.parametrize(
    "odd",
    [b"", b"[]", b"7", b'{"leds":[]}', b'{"leds":{"count":"9"}}', b'{"leds":{"count":-1}}',
     b'{"info":3}', b"[" * 100_000, b"\xff"],
    ids=lambda odd: repr(odd[:20]),
)  # fmt: skip
def test_an_odd_info_tells_no_leds(odd: bytes) -> None:
    assert wled.leds_in_info(odd) == 0


@pytest.mark.parametrize(
    ("where", "lines"),
    [
        ("Denver - Kansas City", ["Denver - Kansas City"]),
        ("Portland - Seattle (second lane)", ["Portland - Seattle", "(second lane)"]),
        ("San Francisco - Salt Lake City", ["San Francisco - Salt", "Lake City"]),
        ("the station at Zürich", ["the station at", "Zurich"]),
    ],
)
def test_text_says_what_to_lay_where(where: str, lines: list[str]) -> None:
    player = PlayerScore("blue", 7, to_lay=(PiecesToLay("blue", where, 4),))
    shown = TextDisplay().encode(Scoreboard((player,)), FULL, DisplayMoment())
    assert shown.decode("ascii").split("\r\n") == [
        "",
        "blue        7 +45",
        "blue: lay 4",
        *lines,
        "",
    ]


@given(scoreboards())
def test_text_is_short_lines(scoreboard: Scoreboard) -> None:
    lines = text(scoreboard).splitlines()
    assert all(len(line) <= 20 for line in lines)
    for player, line in zip(scoreboard.players, lines, strict=False):
        assert line.split()[:3] == [player.colour, str(player.score), f"+{player.trains_left}"]
