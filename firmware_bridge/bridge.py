"""The bridge: keeps a display up to date and reconnects whenever its port fails.

Its own thread does all blocking I/O. Callers only store the newest scoreboard: nothing is queued.
"""

import logging
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace

from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.points.standing import Standing
from railspotter.scoring.sentence import Sentence
from railspotter.table.display_control import DisplayStatus, PiecesToLay
from railspotter.table.worker import Worker

from .display_name import AUTO, Candidate, candidates
from .driver import Driver
from .errors import BridgeError, PortBusyError, PortError
from .http_port import open_port
from .lights import DisplayMoment, Strip
from .ports import Port
from .preview import Preview, preview
from .scoreboard import Scoreboard, scoreboard_of

LOG = logging.getLogger(__name__)
FIRST_PAUSE_S = 0.1
# Between two attempts to open a port. A replugged display shall show the score within 3 s.
LONGEST_PAUSE_S = 1.0
STOP_S = 5.0  # for the thread to end: a write takes a second at most, a request two
LEDS = 100  # assumed for a strip that does not report its number
LOOKING = Sentence("looking for a display")


@dataclass(frozen=True, slots=True)
class BridgeState:
    """The state of the connection to a display."""

    status: DisplayStatus
    text: Sentence  # for people: what is connected, or why nothing is
    connections: int = 0  # how often a display was found so far


class Bridge(Worker):
    """Shows scoreboards on a display while its `with` block runs."""

    def __init__(
        self,
        display: str = AUTO,
        strip: Strip | None = None,
        *,
        find: Callable[[str], tuple[Candidate, ...]] = candidates,
        opened: Callable[[str, int], Port] = open_port,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("display bridge", STOP_S)
        self._find, self._opened, self._clock = find, opened, clock
        # Each is replaced as a whole, so the thread needs no lock.
        self.display = self._served = display  # its name, as a user writes it
        self.strip = strip or Strip(LEDS)  # how the lights are to look
        self._leds = 0
        self._shown: Scoreboard | None = None
        self._instead: Scoreboard | None = None
        self._is_reading = self._is_blind = False
        self._state = BridgeState(DisplayStatus.SEARCHING, LOOKING)
        self.use(display)

    @property
    def state(self) -> BridgeState:
        """The state of the connection to a display."""
        state = self._state
        if self._served == self.display:
            return state
        # The thread has not yet noticed the newly chosen display.
        return BridgeState(DisplayStatus.SEARCHING, LOOKING, state.connections)

    def use(self, display: str) -> None:
        """Switch to another display; the old one goes dark."""
        with suppress(PortError):  # nothing is plugged in yet
            self._find(display)
        self.display = display

    def show(self, scoreboard: Scoreboard) -> None:
        """Set the scoreboard to show, without blocking."""
        self._shown = _after(self._shown, scoreboard, self._clock())

    def show_instead(self, scoreboard: Scoreboard | None) -> None:
        """Show another scoreboard in place of the score; None returns to the score."""
        before = self._instead
        self._instead = _after(before, scoreboard, self._clock()) if scoreboard else None

    def show_standing(
        self,
        standing: Standing,
        edition: Edition,
        claimants: Collection[Colour] = (),
        to_lay: Collection[PiecesToLay] = (),
        *,
        is_over: bool = False,
    ) -> None:
        """Show a standing, the claims since the last one and the pieces to lay."""
        shown = scoreboard_of(standing, edition, self._shown, claimants, to_lay)
        self.show(replace(shown, is_last_turns=shown.is_last_turns and not is_over))

    def show_camera(self, *, is_reading: bool = False, is_blind: bool = False) -> None:
        """Dim the display while a camera reads, and show whether the table cannot see its board."""
        self._is_reading, self._is_blind = is_reading, is_blind

    def drawn(self) -> Preview | None:
        """Return a preview of what the display shows now; None before the first score."""
        scoreboard, moment = self._now()
        if scoreboard is None:
            return None
        strip = replace(self.strip, leds=self._leds or self.strip.leds)
        return preview(scoreboard, strip, moment)

    def _now(self) -> tuple[Scoreboard | None, DisplayMoment]:
        """Return the scoreboard to show now, and its moment."""
        t_s, instead = self._clock(), self._instead
        is_blind = self._is_blind and instead is None  # a made-up game needs no camera
        return instead or self._shown, DisplayMoment(t_s, self._is_reading, is_blind)

    def _run(self) -> None:
        pause_s = 0.0
        while not self._stop_event.wait(pause_s):
            connections = self._state.connections
            self._try_all()
            if self._state.connections > connections:
                pause_s = 0.0  # a display was connected until a moment ago: retry soon
            pause_s = min(max(2 * pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)

    def _try_all(self) -> None:
        """Drive the first candidate that answers, until it disconnects or another is chosen."""
        display = self.display
        if display != self._served:
            self._lose(LOOKING)
            self._served = display
        try:
            found = self._find(display)
        except BridgeError as error:
            self._lose(error.sentence)
            return
        if not found:
            self._lose(Sentence("a virtual display: nothing is plugged in"))
        for url, make in found:
            if self._stop_event.is_set() or self.display != display:
                return
            connections = self._state.connections
            try:
                self._serve(url, make(), display)
            except PortBusyError as error:
                self._lose(error.sentence, DisplayStatus.BUSY)
            except BridgeError as error:
                self._lose(error.sentence)
            except Exception as error:  # a display must never stop a game
                reason = Sentence("{url}: {error}", url=url, error=repr(error))
                if self._state.text != reason:
                    LOG.exception("the display's driver failed")
                self._lose(reason)
            if self._state.connections > connections:
                return

    def _lose(self, reason: Sentence, status: DisplayStatus = DisplayStatus.SEARCHING) -> None:
        if self._state.text != reason:
            LOG.info("%s", reason)
        self._leds = 0
        self._state = BridgeState(status, reason, self._state.connections)

    def _serve(self, url: str, driver: Driver, display: str) -> None:
        port = self._opened(url, driver.baud)
        try:
            while not self._stop_event.is_set() and self.display == display:
                driver = self._exchange(port, driver, url)
            with suppress(PortError):  # it may be unplugged
                if message := driver.farewell():
                    port.write(message, driver.baud)
        finally:
            port.close()

    def _exchange(self, port: Port, driver: Driver, url: str) -> Driver:
        """Read and write once; return the driver to continue with."""
        if data := port.read():
            driver.receive(data, self._clock())
            driver = driver.detected_driver()
        if driver.title and self._state.status is not DisplayStatus.CONNECTED:
            text = Sentence("{display} ({url})", display=driver.title, url=url)
            LOG.info("%s", text)
            self._leds = driver.leds
            self._state = BridgeState(DisplayStatus.CONNECTED, text, self._state.connections + 1)
        scoreboard, moment = self._now()
        if message := driver.encode(scoreboard, self.strip, moment):
            port.write(message, driver.baud)
        return driver


def _after(before: Scoreboard | None, scoreboard: Scoreboard, now_s: float) -> Scoreboard:
    """Time a scoreboard: a new claim, or the last turns, if new, start now."""
    if before is None:
        return scoreboard
    is_claim = scoreboard.claims != before.claims
    is_alarm = scoreboard.is_last_turns and not before.is_last_turns
    return replace(
        scoreboard,
        claimed_s=now_s if is_claim else before.claimed_s,
        last_turns_s=now_s if is_alarm else before.last_turns_s,
    )
