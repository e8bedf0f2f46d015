"""A bridge with settings that people change while it runs, and a view of its state."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from railspotter.scoring.sentence import raised_as
from railspotter.table.display_control import (
    Display,
    DisplayChoice,
    DisplayPort,
    DisplayStatus,
    DrawnPlayer,
)
from railspotter.table.errors import TableError

from .bridge import LEDS, Bridge
from .display_name import AUTO, KINDS, VIRTUAL, candidates
from .errors import BridgeError
from .http_port import USUAL_PORTS, MayOpen, open_port
from .lights import Lights, Strip, palettes
from .made_up_game import made_up_at, made_up_scoreboards
from .ports import FoundPort, Port, found_ports
from .preview import Preview

TEST_S = 15.0
TURN_S = 0.1  # between two frames of the made-up game


class DisplayController(Bridge):
    """A display beside the board, while its `with` block runs.

    `kept` is what was chosen last, `display` the one for now in its place. `keep` remembers what
    somebody chose; it may raise `HomeError`, then nothing is changed. `find` returns the ports of
    this computer. `may_open` tells whether a phone may name an address, which is written in
    numbers; it may be that of a name. `display` may be any. Raises `DisplayError` when there is no
    such display, palette or brightness.
    """

    def __init__(
        self,
        kept: DisplayChoice,
        display: str | None = None,
        *,
        keep: Callable[[DisplayChoice], None] = lambda choice: None,
        find: Callable[[], tuple[FoundPort, ...]] = found_ports,
        may_open: MayOpen = lambda address: False,
        test_s: float = TEST_S,
    ) -> None:
        strip = Strip(LEDS, kept.brightness, kept.palette)
        self._trusted_display, self._may_open = display, may_open
        self._kept, self._keep, self._ports, self._test_s = kept, keep, find, test_s
        self._lock = threading.Lock()
        self._testing: threading.Thread | None = None
        super().__init__(
            display or kept.display,
            strip,
            find=lambda name: candidates(name, find),
            opened=self._open,
        )

    def close(self) -> None:
        """Stop a running test, and close the display."""
        self._stop_event.set()
        with self._lock:
            testing = self._testing
        if testing is not None:
            testing.join()
        super().close()

    def view(self) -> Display:
        """Return the state of the display and what it shows."""
        state, drawn, testing = self.state, self.drawn(), self._testing
        return Display(
            self.display,
            self.strip.brightness,
            self.strip.palette,
            DisplayStatus.NONE if self.display == VIRTUAL else state.status,
            state.text,
            testing is not None and testing.is_alive(),
            _players(drawn) if drawn else (),
            tuple(palettes()),
            tuple(DisplayPort(port.url, port.likely or port.about) for port in self._ports()),
        )

    def choose(
        self,
        display: str | None = None,
        brightness: float | None = None,
        palette: str | None = None,
    ) -> None:
        """Change the given settings, and save them; raises `TableError`."""
        with self._lock:
            look: dict[str, Any] = {"brightness": brightness, "palette": palette}
            given = {name: value for name, value in look.items() if value is not None}
            with raised_as(TableError, BridgeError):
                kept = replace(self._kept, **given)
                if display is not None:
                    self._require_offered(display)
                    kept = replace(kept, display=display)
                strip = Strip(LEDS, kept.brightness, kept.palette)
                self._keep(kept)
                self._kept = kept
                self.strip = strip
                if display is not None:
                    self.use(display)

    def test(self) -> None:
        """Show a made-up game for some seconds, then the score again; ignored during a test."""
        with self._lock:
            if self._stop_event.is_set() or (
                self._testing is not None and self._testing.is_alive()
            ):
                return
            self._testing = threading.Thread(target=self._show_test, name="display test")
            self._testing.start()

    def _open(self, url: str, baud: int) -> Port:
        """Open a port; with `may_open` checks unless the command line named it."""
        return open_port(url, baud, None if url == self._trusted_display else self._may_open)

    def _show_test(self) -> None:
        made_up_scoreboards()  # fill the cache before the clock starts
        began_s = time.monotonic()
        try:
            while (t_s := time.monotonic() - began_s) < self._test_s:
                self.show_instead(made_up_at(t_s, self._test_s))
                if self._stop_event.wait(min(TURN_S, self._test_s - t_s)):
                    return
        finally:
            self.show_instead(None)

    def _require_offered(self, display: str) -> None:
        """Raise `TableError` unless the display is plugged in or a controller's address.

        The command line may name any port or file of the computer; the page may not.
        """
        if display in (AUTO, VIRTUAL, self.display):
            return
        if display.startswith(("http://", "https://")):
            if not _is_plain_address(display):
                raise TableError(
                    "{text!r} is no address: write it as http://192.168.1.7", text=display
                )
            self._require_at_home(display)
            return
        kind, colon, port = display.partition(":")
        if not (colon and kind in KINDS):
            port = display
        if port not in (found.url for found in self._ports()):
            raise TableError(
                "there is no port {port!r} on this computer now: plug the display in, and"
                " choose it from the list",
                port=port,
            )

    def _require_at_home(self, display: str) -> None:
        """Raise `TableError` for an address outside the home network or with an unusual port.

        Else the page could reach through this computer what it cannot reach itself (SSRF). Host
        names are checked when they are resolved.
        """
        parts = urlsplit(display)
        is_number = _is_number(parts.hostname or "")
        if display == self._trusted_display or (
            parts.port in USUAL_PORTS and (not is_number or self._may_open(parts.hostname or ""))
        ):
            return
        raise TableError(
            "{url} is no address of a WLED controller at home: is it right? Only one"
            " in your own network can be chosen here",
            url=display,
        )


def _is_number(host: str) -> bool:
    """Tell whether a host is an IP address rather than a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_plain_address(url: str) -> bool:
    """Tell whether a URL has only a host and a port: no path, query or user.

    >>> [_is_plain_address(f"http://{rest}") for rest in ("wled.local", "192.0.2.7:81/")]
    [True, True]
    >>> [_is_plain_address(f"http://{rest}") for rest in ("", "a@b", "a/b", "a?b", "a:99999")]
    [False, False, False, False, False]
    """
    try:
        parts = urlsplit(url)
        is_device = bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return False
    return is_device and parts.path in ("", "/") and not (parts.query or parts.fragment)


def _players(drawn: Preview) -> tuple[DrawnPlayer, ...]:
    seen = drawn.colours
    return tuple(
        DrawnPlayer(
            player.colour,
            player.score,
            player.trains_left,
            player.has_longest_path,
            _hex(drawn.segment_of(place, drawn.lights)),
            _hex(drawn.segment_of(place, seen)),
            drawn.lines[place],
        )
        for place, player in enumerate(drawn.players)
    )


def _hex(lights: Lights) -> tuple[str, ...]:
    return tuple(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in lights.tolist())
