"""Access to the page: tokens, links, and the phones that were let in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from ..errors import PairingError
from .codes import CodeKind, Codes, link
from .gate import is_this_machine
from .pairing import Pairing
from .roles import Device, Devices

SCREENS = ("screen", "overlay")  # the pages for the guest link


class PhoneAccess:
    """The codes and the known phones of a page, with or without a running game.

    The phones are stored in the file at `path`; `cookie` is the cookies' name. `has_seat` tells
    whether a seat is still in the game.
    """

    def __init__(
        self,
        path: Path,
        cookie: str,
        *,
        has_seat: Callable[[str], bool] = lambda seat: True,
    ) -> None:
        self.pairing = Pairing(path, cookie)
        self.codes = Codes()
        # Called when a code or link changes; whoever shows them sets it.
        self.on_codes: Callable[[CodeKind], None] = lambda kind: None
        self.url = ""  # the page's URL for phones, once known
        # Starts serving the page to the network; None if it is served already, or cannot be.
        self.let_phones_in: Callable[[], None] | None = None
        self._has_seat = has_seat

    def device_by_cookie(self, cookie: str) -> Device | None:
        """Return the phone of a cookie, without a seat that has left the game."""
        device = self.pairing.devices.with_cookie(cookie)
        if device is None or device.seat is None or self._has_seat(device.seat):
            return device
        return replace(device, seat=None)

    def phone_by_cookies(self, cookies: Mapping[str, str]) -> Device | None:
        """Return the phone of a request's cookies; None for an unknown one.

        A phone from a set-up may have two cookies; the one with a seat gets the rights of both.
        """
        sent = [cookies[name] for name in self.pairing.devices.cookies if cookies.get(name)]
        parts = [found for cookie in sent if (found := self.device_by_cookie(cookie))]
        if not parts:
            return None
        phone = next((one for one in parts if one.seat is not None), parts[0])
        has_joined = any(one.has_joined for one in parts)
        is_host, is_camera = any(one.is_host for one in parts), any(one.is_camera for one in parts)

        def with_rights(devices: Devices) -> Devices:
            known = devices.current(phone)
            if known is None:
                return devices
            return devices.put(replace(known, has_joined=has_joined, is_host=is_host))

        if (has_joined, is_host) != (phone.has_joined, phone.is_host):
            with suppress(PairingError):  # it is tried again
                self.pairing.change(with_rights)
        return replace(phone, has_joined=has_joined, is_host=is_host, is_camera=is_camera)

    def links(self, url: str) -> dict[CodeKind, str]:
        """Return the links for players, the host and the camera.

        `url` is the requesting browser's; loopback is replaced by the URL for phones.
        """
        url = self._for_phones(url)
        return {
            "camera": link(f"{url}camera", "camera", self.codes.camera),
            "join": link(url, "join", self.codes.join),
            "host": link(url, "host", self.codes.host),
        }

    def guest_links(self, url: str) -> dict[str, str]:
        """Return the guest link of each screen page; empty if there is none."""
        url, token = self._for_phones(url), self.pairing.devices.guest
        return {page: link(f"{url}{page}", "guest", token) for page in SCREENS} if token else {}

    def _for_phones(self, url: str) -> str:
        return self.url if self.url and is_this_machine(url) else url
