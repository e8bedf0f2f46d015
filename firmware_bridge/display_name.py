"""Parses the names behind `--display`, and detects what is connected to a port."""

from collections.abc import Callable
from math import inf
from typing import TypeAlias

from .driver import Driver, TextDisplay
from .errors import DisplayError, PortError
from .framing import FrameReader
from .lights import DisplayMoment, Strip
from .own_display import HELLO, HELLO_NUMBER, Capabilities, OwnDisplay, decode_from_device, encode
from .ports import FoundPort, found_ports
from .scoreboard import Scoreboard
from .wled import WledInNetwork, WledOnCable

ASK_S = 0.4
ANSWER_S = 3.0  # longer than an Uno's bootloader takes
KINDS: dict[str, type[Driver]] = {"own": OwnDisplay, "wled": WledOnCable, "text": TextDisplay}
AUTO = "auto"
VIRTUAL = "virtual"
HELP = "auto, virtual, own:PORT, wled:PORT, http://ADDRESS (WLED), text:PORT, or PORT"


class Probe(Driver):
    """Detects a display by asking in both protocols; each kind ignores the other's question."""

    def __init__(self) -> None:
        self._reader = FrameReader()
        self._heard = b""
        self._found: Driver | None = None
        self._asked_s = -inf

    def receive(self, data: bytes, t_s: float) -> None:
        """Detect the driver from the answer, and pass the bytes on to it."""
        if self._found:
            self._found.receive(data, t_s)
            return
        self._heard = (self._heard + data)[-200:]
        for body in self._reader.feed(data):
            if isinstance(decode_from_device(body), Capabilities):
                self._found = OwnDisplay()
        if b"WLED " in self._heard and b"\n" in self._heard.split(b"WLED ", 1)[1]:
            self._found = WledOnCable()
        if self._found:
            self._found.receive(self._heard, t_s)

    def encode(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return the questions, every `ASK_S`."""
        t_s = moment.t_s
        if self._waited_s(t_s) > ANSWER_S:
            raise PortError("no display that this program knows answers on this port")
        if t_s - self._asked_s < ASK_S:
            return b""
        self._asked_s = t_s
        return b"v" + encode(HELLO, HELLO_NUMBER)

    def detected_driver(self) -> Driver:
        """Return the driver of the detected display, or this one before that."""
        return self._found or self


# A port to try, and the driver to begin with there.
Candidate: TypeAlias = tuple[str, Callable[[], Driver]]


def candidates(
    name: str, find: Callable[[], tuple[FoundPort, ...]] = found_ports
) -> tuple[Candidate, ...]:
    """Return the ports for a display's name, the likeliest first; none for the virtual display.

    >>> [port for port, _ in candidates("wled:/dev/ttyUSB0")]
    ['/dev/ttyUSB0']
    """
    if name == VIRTUAL:
        return ()
    if name == AUTO:
        likely = [port for port in find() if port.likely]
        if not likely:
            raise PortError("no port looks like a display: plug one in, or name its port")
        return tuple((port.url, Probe) for port in likely)
    if name.startswith(("http://", "https://")):
        return ((name, WledInNetwork),)
    kind, colon, port = name.partition(":")
    if colon and kind in KINDS:
        if not port:
            raise DisplayError("{name!r} names no port: {known}", name=name, known=HELP)
        return ((port, KINDS[kind]),)
    if not name.strip():
        raise DisplayError("{name!r} is no display: {known}", name=name, known=HELP)
    return ((name, Probe),)
