"""Names of displays: what a user writes behind `--display`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .driver import Driver
from .errors import DisplayError, NoDisplayError
from .lights import Strip
from .own_display import OwnDisplay
from .ports import FoundPort, found_ports
from .probe import Probe
from .text_display import TextDisplay
from .wled_cable import WledOnCable
from .wled_network import WledInNetwork

KINDS: dict[str, Callable[[Strip], Driver]] = {
    "own": OwnDisplay,
    "wled": WledOnCable,
    "text": lambda strip: TextDisplay(),
}
AUTO = "auto"
VIRTUAL = "virtual"
HELP = "auto, virtual, own:PORT, wled:PORT, http://ADDRESS (WLED), text:PORT, or PORT"


@dataclass(frozen=True)
class Candidate:
    """A port to try, and the driver to begin with."""

    url: str
    make: Callable[[Strip], Driver]


def candidates(
    name: str, find: Callable[[], tuple[FoundPort, ...]] = found_ports
) -> tuple[Candidate, ...]:
    """Return the ports that a name means, the likeliest first; none for the virtual display.

    Parameters
    ----------
    find : callable
        Returns the ports of this computer.

    Raises
    ------
    DisplayError
        When no display has such a name.
    NoDisplayError
        When `auto` finds no port that looks like one.

    Examples
    --------
    >>> [candidate.url for candidate in candidates("wled:/dev/ttyUSB0")]
    ['/dev/ttyUSB0']
    """
    if name == VIRTUAL:
        return ()
    if name == AUTO:
        likely = [port for port in find() if port.likely]
        if not likely:
            raise NoDisplayError("no port looks like a display: plug one in, or name its port")
        return tuple(Candidate(port.url, Probe) for port in likely)
    if name.startswith(("http://", "https://")):
        return (Candidate(name, WledInNetwork),)
    kind, colon, port = name.partition(":")
    if colon and kind in KINDS:
        if not port:
            raise DisplayError(f"{name!r} names no port: {HELP}")
        return (Candidate(port, KINDS[kind]),)
    if not name.strip():
        raise DisplayError(f"{name!r} is no display: {HELP}")
    return (Candidate(name, Probe),)
