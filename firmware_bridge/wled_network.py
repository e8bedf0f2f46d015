"""WLED controllers in the network: their JSON API over HTTP.

References
----------
.. [1] WLED, "JSON API", kno.wled.ge/interfaces/json-api.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from math import inf
from typing import Any

from .driver import BAUD, Driver
from .errors import PortError
from .lights import Lights, Moment, Strip, lights
from .scoreboard import Scoreboard
from .wled_cable import leds_in_info

PACE_S = 0.2
"""Between two requests: a controller that also draws its own page bears no more. Chosen."""
AGAIN_S = 5.0
"""So often it is said again, for whoever turned the controller off or on meanwhile."""
MOST_COLOURS = 200
"""In one request: WLED's buffer is good for 256 on the smallest controllers."""
ANSWER_S = 5.0


def requests(colours: Lights) -> tuple[bytes, ...]:
    """Return the bodies of the requests that show these colours.

    Examples
    --------
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
    """Yield index and colour of single LEDs, and first, end and colour of several alike."""
    at = 0
    for colour, alike in groupby(bytes(led) for led in colours):
        end = at + len(list(alike))
        text = colour.hex().upper()
        yield [at, text] if end == at + 1 else [at, end, text]
        at = end


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


class WledInNetwork:
    """Speaks to a WLED controller over HTTP: each line is the body of a request."""

    baud = BAUD

    def __init__(self, strip: Strip) -> None:
        self._strip = strip
        self._leds = 0
        self._began_s = inf
        self._frame_s = -inf
        self._shown: tuple[bytes, ...] = ()

    @property
    def title(self) -> str:
        """What it is, and the number of LEDs."""
        return f"WLED in the network: {self._leds} LEDs" if self._leds else ""

    @property
    def leds(self) -> int:
        """How many LEDs it has, once it told."""
        return self._leds

    def relight(self, strip: Strip) -> None:
        """Let the lights look so from the next frame on."""
        self._strip = strip

    def hear(self, data: bytes, t_s: float) -> None:
        """Take an answer: the first one tells what there is."""
        if not self._leds:
            self._leds = leds_in_info(data)

    def say(self, scoreboard: Scoreboard | None, moment: Moment) -> bytes:
        """Return the next frame, as lines of JSON."""
        t_s = moment.t_s
        self._began_s = min(self._began_s, t_s)
        if not self._leds:
            if t_s - self._began_s > ANSWER_S:
                raise PortError("no WLED controller answers at this address")
            return b""
        since_s = t_s - self._frame_s
        if scoreboard is None or since_s < PACE_S:
            return b""
        frame = requests(lights(scoreboard, replace(self._strip, leds=self._leds), moment))
        if frame == self._shown and since_s < AGAIN_S:
            return b""
        self._shown, self._frame_s = frame, t_s
        return b"\n".join(frame)

    def farewell(self) -> bytes:
        """Return what gives the lights back to the controller's own effect."""
        return _json({"seg": {"id": 0, "frz": False}}) if self._leds else b""

    def settled(self) -> Driver:
        """Return this driver."""
        return self
