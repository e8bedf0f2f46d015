"""The firmware on a simulated ATmega328P: what its pins do is what the scoreboard says."""

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import serial
from avr_rig import Built, Seen, SimulatedBoard, build_firmware, shown_digits, sizes
from railspotter.firmware_bridge.bridge import Bridge
from railspotter.firmware_bridge.framing import FrameReader, frame
from railspotter.firmware_bridge.http_port import open_port
from railspotter.firmware_bridge.lights import ALARM_S, DisplayMoment, Strip, lights
from railspotter.firmware_bridge.made_up_game import made_up_scoreboards
from railspotter.firmware_bridge.own_display import (
    HELLO,
    PING,
    Capabilities,
    FromDevice,
    Kind,
    Ready,
    ToDevice,
    decode_from_device,
    encode,
)
from railspotter.firmware_bridge.ports import Port
from railspotter.firmware_bridge.scoreboard import PlayerScore, Scoreboard, digits
from wire_noise import noisy_stream

NS = 62.5  # one cycle of 16 MHz
# From the WS2812B's data sheet, each 150 ns more or less.
NOMINAL_NS = {"T0H": 400, "T1H": 800, "T0L": 850, "T1L": 450}
FRAMES = 1000
DARK = bytes(300)
HAS = Capabilities(1, 100, 5, "railspotter 1", answers=3)


class Line:
    """The host's end of the wire: says one message and waits for the answer."""

    def __init__(self, port: str, leds: int = 100, modules: int = 5) -> None:
        self.serial = serial.serial_for_url(port, 115200, timeout=10, exclusive=True)
        self._reader = FrameReader()
        self._heard: list[FromDevice | None] = []
        # What the firmware says at its start is lost when the port is opened a little later, and
        # a hello when it comes while the strip is darkened.
        self.serial.write(encode(HELLO, 2))
        time.sleep(0.1)
        self.capabilities = self.ask(HELLO, 3)
        while self.capabilities and self.capabilities != replace(HAS, leds=leds, modules=modules):
            self.capabilities = self.hear()

    def hear(self) -> FromDevice | None:
        while not self._heard:
            data = self.serial.read(max(1, self.serial.in_waiting))
            assert data, (
                f"the firmware says nothing, {len(self._reader._stuffed)} bytes of an answer"
            )
            self._heard += map(decode_from_device, self._reader.feed(data))
        return self._heard.pop(0)

    def ask(self, message: ToDevice, number: int = 0) -> FromDevice | None:
        self.serial.write(encode(message, number))
        return self.hear()


@pytest.fixture
def board(built: Built) -> Iterator[SimulatedBoard]:
    with SimulatedBoard(built) as board:
        assert board.wait_for(DARK)
        yield board


@pytest.fixture
def line(board: SimulatedBoard) -> Iterator[Line]:
    line = Line(board.port)
    yield line
    line.serial.close()


def test_it_fits(built: Built) -> None:
    assert built.flash < 16 * 1024
    with SimulatedBoard(built) as board, serial.serial_for_url(board.port, 115200, timeout=10):
        assert board.wait_for(DARK)
    assert board.seen.stack > 0
    assert built.static_ram + board.seen.stack < 1536


@pytest.mark.parametrize(
    ("leds", "modules"), [(400, 16), (60, 0), (0, 4), (1, 1)], ids=lambda count: str(count)
)
def test_other_displays_fit_too(built: Built, tmp_path: Path, leds: int, modules: int) -> None:
    """Of 2048 bytes of RAM the stack needs less than a tenth."""
    elf = build_firmware(tmp_path, leds, modules)
    flash, ram = sizes(elf)
    assert flash < 16 * 1024
    assert ram < 2048 - 200
    with SimulatedBoard(replace(built, elf=elf)) as board:
        line = Line(board.port, leds, modules)
        assert line.ask(ToDevice(Kind.DIGITS, bytes([3, *range(8 * modules)])), 1) == Ready(1)
        assert line.ask(ToDevice(Kind.LIGHTS, b"\x06" * 3 * leds), 2) == Ready(2)
        if leds:
            assert board.wait_for(b"\x06" * 3 * leds)
        line.serial.close()


def test_a_games_lights_are_what_the_scoreboard_says(board: SimulatedBoard, line: Line) -> None:
    strip = Strip(100, brightness=0.6, most_ma=6000)
    boards = made_up_scoreboards()
    alarm = next(i for i, shown in enumerate(boards) if shown.is_last_turns)
    wanted = []
    for i in range(FRAMES):
        turn = i * len(boards) // FRAMES
        age_s = (i - alarm * FRAMES // len(boards)) * ALARM_S / 30
        t_s = i / 20
        timed = replace(
            boards[turn], claimed_s=t_s - i % 12 / 8, last_turns_s=t_s - max(0.0, age_s)
        )
        wanted.append(lights(timed, strip, DisplayMoment(t_s, is_reading=i % 50 > 45)))
        assert line.ask(ToDevice(Kind.LIGHTS, wanted[-1].tobytes()), i % 256) == Ready(i % 256)
    assert board.wait_until(lambda seen: len(seen.strips) > FRAMES)
    shown = np.frombuffer(b"".join(board.seen.strips[1:]), np.uint8).reshape(FRAMES, 100, 3)
    wrong = (shown != np.stack(wanted)).any(axis=2)
    assert wrong.sum() == 0
    assert board.seen.lost == 0
    assert len({light.tobytes() for light in wanted}) > FRAMES / 4
    for name, nominal_ns in NOMINAL_NS.items():
        for pulses in board.seen.pulses[name]:
            assert nominal_ns - 150 <= pulses.least * NS <= pulses.most * NS <= nominal_ns + 150


def test_a_games_digits_are_what_the_scoreboard_says(board: SimulatedBoard, line: Line) -> None:
    for i, shown in enumerate(made_up_scoreboards()[::8]):
        segments = digits(shown, 5, 0.0)
        words = board.seen.words
        assert line.ask(ToDevice(Kind.DIGITS, bytes([i % 16]) + b"".join(segments)), 1) == Ready(1)
        assert board.wait_until(lambda seen, words=words: seen.words == words + 13)  # type: ignore[misc]
        assert shown_digits(board.seen.modules) == list(segments)
        for module in board.seen.modules:
            registers = {"decode": 9, "brightness": 10, "limit": 11, "power": 12, "test": 15}
            said = {name: module[at] for name, at in registers.items()}
            assert said == {"decode": 0, "brightness": i % 16, "limit": 7, "power": 1, "test": 0}


def test_fewer_lights_leave_the_rest_dark_and_more_are_dropped(
    board: SimulatedBoard, line: Line
) -> None:
    assert line.ask(ToDevice(Kind.LIGHTS, b"\xff" * 300), 1) == Ready(1)
    assert line.ask(ToDevice(Kind.LIGHTS, b"\x07" * 30), 2) == Ready(2)
    assert board.wait_for(b"\x07" * 30 + bytes(270))
    assert line.ask(ToDevice(Kind.LIGHTS, b"\x09" * 303), 3) == Ready(3)
    assert board.wait_for(b"\x09" * 300)


def test_unknown_messages_are_passed_over_and_answered(board: SimulatedBoard, line: Line) -> None:
    assert line.ask(ToDevice(Kind.LIGHTS, b"\x05" * 300)) == Ready(0)
    line.serial.write(frame(bytes([0x66, 9]) + b"from the future"))
    assert line.hear() == Ready(9)
    line.serial.write(frame(bytes([0x04, 10]) + b"a longer ping"))
    assert line.hear() == Ready(10)
    assert line.ask(ToDevice(Kind.HELLO, b"\x02"), 8) == replace(HAS, answers=8)
    assert board.seen.strips[-1] == b"\x05" * 300


def test_noise_is_passed_over_and_the_next_frame_shown(built: Built) -> None:
    """2,000 damaged frames come without a pause: some bytes are lost, and none is believed."""
    noise = noisy_stream(random.Random(5), 2000, wholes=0)
    with SimulatedBoard(built) as board:
        assert board.wait_for(DARK)
        line = Line(board.port)
        for at in range(0, len(noise.data), 4096):
            line.serial.write(noise.data[at : at + 4096])
        line.serial.write(b"\0")
        lit = bytes([1, 2, 3]) * 100
        assert line.ask(ToDevice(Kind.LIGHTS, lit), 77) == Ready(77)
        assert board.wait_for(lit)
        assert board.seen.lost > 0
        assert set(board.seen.strips) == {DARK, lit}  # dark at the start, and after 10 s of noise
        line.serial.close()


def test_silence_darkens_and_pings_keep_the_lights(built: Built) -> None:
    """For longer than the chip's clock counts, too: 128 seconds."""
    lit = bytes([9, 9, 9]) * 100
    with SimulatedBoard(built, "--hurried") as board:
        assert board.wait_for(DARK)
        line = Line(board.port)
        assert line.ask(ToDevice(Kind.LIGHTS, lit), 1) == Ready(1)
        for _ in range(40):
            time.sleep(0.2)  # 4 s to the chip
            assert line.ask(PING, 2) == Ready(2)
        assert board.seen.strips == [DARK, lit]
        assert board.wait_for(DARK)
        assert line.ask(ToDevice(Kind.LIGHTS, lit), 3) == Ready(3)
        assert board.wait_for(lit)
        line.serial.close()


def test_the_bridge_shows_a_game_on_it(built: Built) -> None:
    """Bridge, line and firmware together."""
    boards = [replace(board, is_last_turns=False) for board in made_up_scoreboards()]
    with SimulatedBoard(built, "--paced") as board:
        assert board.wait_for(DARK)
        with Bridge(board.port, Strip(100)) as bridge:
            for shown in boards[::20]:
                players = tuple(replace(player, has_longest_path=False) for player in shown.players)
                still = replace(shown, players=players, newest_claim=None)
                bridge.show(still)
                assert board.wait_for(lights(still, Strip(100), DisplayMoment()))
                wanted = list(digits(still, 5, 0.0))

                def are_right(seen: Seen, wanted: list[bytes] = wanted) -> bool:
                    return shown_digits(seen.modules) == wanted

                assert board.wait_until(are_right)
        assert board.wait_for(DARK)
        assert board.wait_until(lambda seen: shown_digits(seen.modules) == [bytes(8)] * 5)
        assert board.seen.lost == 0


class NoisyPort:
    """A port on whose line some bytes are damaged, in both directions, while it is noisy."""

    def __init__(self, port: Port, rng: random.Random) -> None:
        self._port, self._rng = port, rng
        self.is_noisy = True
        self.damaged = 0

    def read(self) -> bytes:
        return self._heard(self._port.read())

    def write(self, data: bytes, baud: int) -> None:
        self._port.write(self._heard(data), baud)

    def close(self) -> None:
        self._port.close()

    def _heard(self, data: bytes) -> bytes:
        if not self.is_noisy:
            return data
        heard = bytes(b if self._rng.random() > 0.002 else self._rng.randrange(256) for b in data)
        self.damaged += heard != data
        return heard


def test_a_noisy_line_shows_nothing_wrong_and_then_the_newest(built: Built) -> None:
    boards = [
        Scoreboard((PlayerScore("red", score), PlayerScore("blue", score // 2)))
        for score in range(100)
    ]
    strip = Strip(100)
    told = {lights(board, strip, DisplayMoment()).tobytes() for board in boards} | {DARK}
    ports: list[NoisyPort] = []

    def opened(url: str, baud: int) -> NoisyPort:
        ports.append(NoisyPort(open_port(url, baud), random.Random(4)))
        return ports[-1]

    with (
        SimulatedBoard(built) as board,
        Bridge(f"own:{board.port}", strip, opened=opened) as bridge,
    ):
        for shown in boards:
            bridge.show(shown)
            time.sleep(0.03)
        for port in ports:
            port.is_noisy = False
        assert board.wait_for(lights(boards[-1], strip, DisplayMoment()))
        assert sum(port.damaged for port in ports) > 3
        assert set(board.seen.strips) <= told
