"""Access to a page: the tokens that open it, and the phones that have opened it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from .codes import CodeKind, Codes, GuestLink, link
from .gate import is_this_machine
from .pairing import Pairing
from .roles import Device

SCREENS = ("screen", "overlay")  # the pages that a guest link opens


class PhoneAccess:
    """The codes of a page and the phones that it knows, with or without a running game.

    The phones are kept in the file at `path`, which need not exist yet, and their cookies called
    `cookie`. `on_codes` is told when the join code or the host's link is another one. `has_seat`
    tells whether a seat is in the game still: who joined may be undone again, and who left is not
    in the next game.
    """

    def __init__(
        self,
        path: Path,
        cookie: str,
        on_codes: Callable[[CodeKind], None],
        *,
        has_seat: Callable[[str], bool] = lambda seat: True,
    ) -> None:
        self.pairing = Pairing(path, cookie)
        self.codes = Codes()
        self.guest_link = GuestLink(self.pairing)
        self.on_codes = on_codes
        self.url = ""  # the page's address for phones, once there is one
        # Serves the page to the network, where only this computer can open it so far; None where
        # there is nothing to do, or no network.
        self.let_phones_in: Callable[[], None] | None = None
        self._has_seat = has_seat

    def device_by_cookie(self, cookie: str) -> Device | None:
        """Return the phone that has a cookie; without its seat where the game has that no more."""
        device = self.pairing.devices.with_cookie(cookie)
        if device is None or device.seat is None or self._has_seat(device.seat):
            return device
        return replace(device, seat=None)

    def phone_by_cookies(self, cookies: Mapping[str, str]) -> Device | None:
        """Return who a phone is by its cookies for this page; None for one that is not known.

        One that came over from a set-up may have two, each with a part in the game: it has both.
        """
        sent = [cookies[name] for name in self.pairing.cookies if cookies.get(name)]
        parts = [found for cookie in sent if (found := self.device_by_cookie(cookie))]
        if not parts:
            return None
        return replace(
            next((one for one in parts if one.seat is not None), parts[0]),
            has_joined=any(one.has_joined for one in parts),
            is_host=any(one.is_host for one in parts),
            is_camera=any(one.is_camera for one in parts),
        )

    def links(self, url: str) -> dict[CodeKind, str]:
        """Return the links that open the page for players, for a host and for the camera.

        `url` is where the page is opened here; phones get an address that they can reach.
        """
        url = self._for_phones(url)
        return {
            "camera": link(f"{url}camera", "camera", self.codes.camera),
            "join": link(url, "join", self.codes.join),
            "host": link(url, "host", self.codes.host),
        }

    def guest_links(self, url: str) -> dict[str, str]:
        """Return the guest link of each page that shows a game by it; none where none is out."""
        url, token = self._for_phones(url), self.guest_link.token
        return {page: link(f"{url}{page}", "guest", token) for page in SCREENS} if token else {}

    def _for_phones(self, url: str) -> str:
        return self.url if self.url and is_this_machine(url) else url
