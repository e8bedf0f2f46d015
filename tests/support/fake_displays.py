"""Displays without hardware: our firmware and a WLED controller, each behind a pseudo terminal.

They are models written from the documents, not from the drivers: docs/display-protocol.md, and for
WLED kno.wled.ge and the behaviour of wled00/wled_serial.cpp.
"""

import json
import os
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from railspotter.firmware_bridge.framing import FrameReader, frame
from railspotter.firmware_bridge.own_display import (
    MOST_NAME,
    Capabilities,
    FromDevice,
    Kind,
    Ready,
    ToDevice,
)
from terminals import terminal


def encode_from_device(message: FromDevice) -> bytes:
    """Return what a device says as a frame."""
    if isinstance(message, Ready):
        return frame(bytes([Kind.READY, message.number]))
    head = bytes([Kind.CAPABILITIES, message.answers, message.version])
    parts = message.leds.to_bytes(2, "little") + bytes([message.modules])
    return frame(head + parts + message.name.encode("ascii")[:MOST_NAME])


def decode_to_device(body: bytes) -> tuple[int, ToDevice | None] | None:
    """Return what a device is told, with its number.

    None where not even a kind and a number are there; a message None is one of a kind that this
    version does not know: it is answered, too.
    """
    if len(body) < 2:
        return None
    kind, number, said = body[0], body[1], body[2:]
    lacks_payload = kind in (Kind.HELLO, Kind.DIGITS) and not said
    is_known = kind in (Kind.HELLO, Kind.LIGHTS, Kind.DIGITS, Kind.PING) and not lacks_payload
    return number, ToDevice(Kind(kind), said) if is_known else None


class PtyDisplay:
    """A device behind a pseudo terminal, at a link that stays when it is torn away."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self._master = self._slave = -1
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake display")

    def __enter__(self) -> Self:
        self.plug_in()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_event.set()
        self._thread.join()
        self.tear_away()

    def plug_in(self) -> None:
        """Appear at the link, freshly started."""
        with self._lock:
            self._master, self._slave = terminal()
            tty.setraw(self._slave)
            self.restart()
            self.link.symlink_to(os.ttyname(self._slave))

    def tear_away(self) -> None:
        """Vanish at once, whatever was being said."""
        with self._lock:
            self.link.unlink(missing_ok=True)
            for end in (self._master, self._slave):
                if end >= 0:
                    os.close(end)
            self._master = self._slave = -1

    def _run(self) -> None:
        while not self._stop_event.is_set():
            with self._lock:
                master = self._master
                if master >= 0 and select.select([master], [], [], 0.002)[0]:
                    try:
                        heard = os.read(master, 4096)
                    except OSError:
                        heard = b""
                    if heard:
                        self.hear(heard)
            time.sleep(0.001)

    def answer(self, data: bytes) -> None:
        """Say something; nobody need listen."""
        os.write(self._master, data)

    def speed(self) -> int:
        """Return the baud rate that the host set."""
        code = termios.tcgetattr(self._slave)[5]
        names = {getattr(termios, f"B{rate}"): rate for rate in RATES}
        return names.get(code, 0)

    def restart(self) -> None:
        """Begin as after power came on."""

    def hear(self, data: bytes) -> None:
        """Take what the host said."""
        raise NotImplementedError


RATES = (115200, 230400, 460800, 500000, 576000, 921600, 1000000, 1500000)


class FakeFirmware(PtyDisplay):
    """Our firmware, as its document says. It may be deaf for a while, as in a bootloader."""

    def __init__(
        self,
        link: Path,
        leds: int = 100,
        modules: int = 2,
        *,
        version: int = 1,
        deaf_s: float = 0.0,
    ) -> None:
        super().__init__(link)
        self.has = Capabilities(version, leds, modules, "fake firmware")
        self.deaf_s = deaf_s
        self.ignores: Callable[[int], bool] = lambda number: False
        self.heard_too_early = 0
        self.shown_at_s: list[float] = []

    def restart(self) -> None:
        self.lights = bytes(3 * self.has.leds)
        self.segments = bytes(8 * self.has.modules)
        self._reader = FrameReader()
        self._listens_s = time.monotonic() + self.deaf_s

    def hear(self, data: bytes) -> None:
        if time.monotonic() < self._listens_s:
            return
        bodies = list(self._reader.feed(data))
        if len(bodies) > 1:
            self.heard_too_early += 1  # a second message before the first was answered
        for body in bodies:
            decoded = decode_to_device(body)
            if decoded is None or self.ignores(decoded[0]):
                continue
            number, message = decoded
            match message:
                case ToDevice(Kind.HELLO):
                    self.answer(encode_from_device(replace(self.has, answers=number)))
                    continue
                case ToDevice(Kind.LIGHTS, rgb):
                    self.lights = rgb[: 3 * self.has.leds].ljust(3 * self.has.leds, b"\0")
                    self.shown_at_s.append(time.monotonic())
                case ToDevice(Kind.DIGITS, said):
                    size = 8 * self.has.modules
                    self.segments = said[1 : 1 + size].ljust(size, b"\0")
            self.answer(encode_from_device(Ready(number)))


class FakeWled(PtyDisplay):
    """A WLED controller on a cable; bytes at another speed than its own are noise to it."""

    REALTIME_S = 2.5
    JSON_S = 0.1

    def __init__(self, link: Path, leds: int = 30, baud: int = 115200) -> None:
        super().__init__(link)
        self.leds, self.baud = leds, baud
        self.ends = 0

    def restart(self) -> None:
        self.lights = b""
        self.frames = 0
        self._realtime_until_s = 0.0
        self._state: Callable[[int], None] = self._first
        self._json = b""
        self._json_until_s = 0.0
        self._header = b""
        self._colours = bytearray()
        self._due = 0

    @property
    def is_realtime(self) -> bool:
        """Whether the host's lights are shown, not the controller's own effect."""
        return time.monotonic() < self._realtime_until_s

    def hear(self, data: bytes) -> None:
        is_noise = self.speed() != self.baud
        for byte in data:
            self._state(byte ^ 0x55 if is_noise else byte)

    def _first(self, byte: int) -> None:
        if byte == ord("A"):
            self._header, self._state = b"A", self._adalight
        elif byte == ord("v"):
            self.answer(b"WLED 0.15.0\r\n")
        elif byte == ord("{"):
            self._json, self._state = b"{", self._object
            self._json_until_s = time.monotonic() + self.JSON_S
        elif 0xB0 <= byte <= 0xB7:
            self.baud = RATES[byte - 0xB0]
            self.answer(b"Baud is now %d\r\n" % self.baud)

    def _adalight(self, byte: int) -> None:
        self._header += bytes([byte])
        if not b"Ada".startswith(self._header[:3]):
            self._state = self._first
        elif len(self._header) == 6:
            high, low, check = self._header[3:]
            is_right = high ^ low ^ 0x55 == check
            self._due = 3 * (high * 256 + low + 1)
            self._colours.clear()
            self._state = self._colour if is_right else self._first

    def _colour(self, byte: int) -> None:
        self._colours.append(byte)
        if len(self._colours) == self._due:
            self.lights = bytes(self._colours[: 3 * self.leds])
            self.frames += 1
            self._realtime_until_s = time.monotonic() + self.REALTIME_S
            self._state = self._first

    def _object(self, byte: int) -> None:
        if time.monotonic() > self._json_until_s:
            self._state = self._first
            return
        self._json += bytes([byte])
        try:
            said: dict[str, Any] = json.loads(self._json)
        except ValueError:
            return
        self._state = self._first
        if said.get("live") is False:
            self._realtime_until_s = 0.0
            self.ends += 1
        if said.get("v"):
            info = {"ver": "0.15.0", "leds": {"count": self.leds, "fps": 40}, "name": "WLED"}
            state = {"on": True, "bri": 128, "seg": [{"id": 0, "start": 0, "stop": self.leds}]}
            self.answer(json.dumps({"state": state, "info": info}).encode() + b"\r\n")
