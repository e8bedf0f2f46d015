"""WLED controllers: JSON and Adalight frames over serial, JSON over HTTP in a network.

References
----------
.. [1] WLED, "Serial", kno.wled.ge/interfaces/serial; "JSON API", kno.wled.ge/interfaces/json-api;
   the behaviour of wled00/wled_serial.cpp.
.. [2] Adalight: "Ada", the number of LEDs less one, a check byte, the colours.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, groupby
from math import inf
from typing import Any

from railspotter.scoring.sentence import Sentence

from .driver import BAUD, FRAME_S, Driver
from .errors import PortError
from .lights import MOST_LEDS, DisplayMoment, Lights, Strip, lights
from .scoreboard import Scoreboard

# The baud rates of WLED; it starts with the one from its settings.
BAUDS = (BAUD, 230400, 460800, 500000, 576000, 921600, 1000000, 1500000)
ASK_S = 0.5
ASKS = 2  # per baud rate: earlier bytes on the line may garble the first answer
INFO_S = 1.5  # the info is some 3 KB: a third of a second, and WLED may be busy
CABLE_AGAIN_S = 1.0  # Realtime mode ends 2.5 s after the last frame, unless set otherwise
VERSION_S = 2.0
SILENCE_S = 7.0
LONGEST_LINE = 20_000

_VERSION = re.compile(rb"WLED ([\w.\-+]{1,40})")
_BAUD = re.compile(rb"Baud is now (\d{4,7})")
# Between two requests: more would overload a controller that also serves its own page. Chosen.
PACE_S = 0.2
# Before an unchanged frame is resent, in case the controller was switched off meanwhile.
NETWORK_AGAIN_S = 5.0
MOST_COLOURS = 200  # in one request: WLED's buffer is good for 256 on the smallest controllers
ANSWER_S = 5.0


def adalight(colours: Lights) -> bytes:
    """Return an Adalight frame.

    >>> import numpy as np
    >>> adalight(np.array([[255, 0, 0], [1, 2, 3]], np.uint8)).hex(" ")
    '41 64 61 00 01 54 ff 00 00 01 02 03'
    """
    high, low = divmod(len(colours) - 1, 256)
    return b"Ada" + bytes([high, low, high ^ low ^ 0x55]) + colours.tobytes()


class WledOnCable(Driver):
    """Drives a WLED controller over a serial line."""

    def __init__(self) -> None:
        self._bauds = cycle(BAUDS)
        self.baud = next(self._bauds)
        self._asked = 0
        self._line = bytearray()
        self._version = ""
        self._version_heard_s = -inf
        self._info_asked_s: float | None = None
        self._asked_s = self._frame_s = -inf
        self._shown: bytes = b""

    def receive(self, data: bytes, t_s: float) -> None:
        """Parse received lines; there can be any noise between them."""
        *ended, rest = (bytes(self._line) + data).split(b"\n")
        self._line = bytearray(rest[-LONGEST_LINE:])
        for line in ended:
            self._hear_line(line.strip(), t_s)

    def _hear_line(self, line: bytes, t_s: float) -> None:
        if found := _VERSION.search(line):
            self._version, self._version_heard_s = found[1].decode("ascii"), t_s
        elif found := _BAUD.search(line):
            if int(found[1]) in BAUDS:
                self.baud = int(found[1])
        elif line.startswith(b"{") and not self.leds:
            self._count(leds_in_info(line))

    def _count(self, leds: int) -> None:
        self.leds = leds
        if leds:
            self.title = Sentence("WLED {version}: {leds} LEDs", version=self._version, leds=leds)

    def encode(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return the next question, or the next frame."""
        t_s = moment.t_s
        if not self._version:
            return self._ask_version(t_s)
        if not self.leds:
            if self._info_asked_s is None:
                self._info_asked_s = t_s
                return b'{"v":true}'
            if t_s - self._info_asked_s < INFO_S:
                return b""
            self._count(strip.leds)  # no answer: use the number from the settings
        if t_s - self._version_heard_s > SILENCE_S:
            raise PortError("the WLED controller does not answer any more")
        return self._frame(scoreboard, strip, moment)

    def _ask_version(self, t_s: float) -> bytes:
        if t_s - self._asked_s < ASK_S:
            return b""
        if self._asked == ASKS * len(BAUDS):
            raise PortError("no WLED controller answers on this port")
        if self._asked and self._asked % ASKS == 0:
            self.baud = next(self._bauds)
        self._asked, self._asked_s = self._asked + 1, t_s
        # Zeros complete a frame that unplugging cut off; WLED still waits for the rest of it.
        return (bytes(3 * MOST_LEDS) if self._asked % ASKS == 0 else b"") + b"v"

    def _frame(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        t_s = moment.t_s
        line_s = (6 + 3 * self.leds) * 10 / self.baud
        if scoreboard is None or t_s - self._frame_s < max(FRAME_S, 1.2 * line_s):
            return b""
        frame = adalight(lights(scoreboard, replace(strip, leds=self.leds), moment))
        if frame == self._shown and t_s - self._frame_s < CABLE_AGAIN_S:
            return b""
        self._shown, self._frame_s = frame, t_s
        if t_s - max(self._asked_s, self._version_heard_s) >= VERSION_S:
            self._asked_s = t_s
            return frame + b"v"
        return frame

    def farewell(self) -> bytes:
        """Return the command that ends the realtime mode."""
        return b'{"live":false}' if self._version else b""


def leds_in_info(text: bytes) -> int:
    """Parse the number of LEDs from a JSON answer; 0 without a valid one.

    >>> leds_in_info(b'{"info": {"leds": {"count": 30}}}'), leds_in_info(b'{"leds": 3')
    (30, 0)
    """
    try:
        said = json.loads(text)
        count = said.get("info", said)["leds"]["count"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return 0
    return count if isinstance(count, int) and 0 < count <= MOST_LEDS else 0


def requests(colours: Lights) -> tuple[bytes, ...]:
    """Build the bodies of the requests that show these colours.

    >>> import numpy as np
    >>> requests(np.array([[255, 0, 0], [255, 0, 0], [0, 0, 9]], np.uint8))[0]
    b'{"on":true,"bri":255,"transition":0,"seg":{"id":0,"i":[0,2,"FF0000",2,"000009"]}}'
    """
    runs = list(_runs(colours))
    bodies = []
    for at in range(0, len(runs), MOST_COLOURS):
        single = [item for run in runs[at : at + MOST_COLOURS] for item in run]
        state: dict[str, Any] = {} if at else {"on": True, "bri": 255, "transition": 0}
        bodies.append(_json({**state, "seg": {"id": 0, "i": single}}))
    return tuple(bodies)


def _runs(colours: Lights) -> Iterator[list[int | str]]:
    """Run-length encode: index and colour of single LEDs, or start, end and colour of a run."""
    at = 0
    for colour, alike in groupby(bytes(led) for led in colours):
        end = at + len(list(alike))
        text = colour.hex().upper()
        yield [at, text] if end == at + 1 else [at, end, text]
        at = end


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


class WledInNetwork(Driver):
    """Drives a WLED controller over HTTP: each line is the body of a request."""

    def __init__(self) -> None:
        self._frame_s = -inf
        self._shown: tuple[bytes, ...] = ()

    def receive(self, data: bytes, t_s: float) -> None:
        """Read the number of LEDs from the first valid answer."""
        if not self.leds and (leds := leds_in_info(data)):
            self.leds, self.title = leds, Sentence("WLED in the network: {leds} LEDs", leds=leds)

    def encode(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return the next frame, as lines of JSON."""
        t_s = moment.t_s
        if not self.leds:
            if self._waited_s(t_s) > ANSWER_S:
                raise PortError("no WLED controller answers at this address")
            return b""
        since_s = t_s - self._frame_s
        if scoreboard is None or since_s < PACE_S:
            return b""
        frame = requests(lights(scoreboard, replace(strip, leds=self.leds), moment))
        if frame == self._shown and since_s < NETWORK_AGAIN_S:
            return b""
        self._shown, self._frame_s = frame, t_s
        return b"\n".join(frame)

    def farewell(self) -> bytes:
        """Return the request that returns the LEDs to the controller's own effect."""
        return _json({"seg": {"id": 0, "frz": False}}) if self.leds else b""
