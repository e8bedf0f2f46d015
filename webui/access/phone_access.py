"""Access to the page: tokens, links, and the phones that were let in, which a file keeps."""

import io
import os
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
import segno
from msgspec.structs import replace
from railspotter.table.game_log.game_store import PAIRING
from railspotter.table.whole_file import write_whole

from ..errors import PairingError
from .becoming_host import BecomingHost
from .gate import is_this_machine
from .roles import Device, Devices, Door, is_same, new_token

CodeKind = Literal["join", "host", "camera"]  # tokens that are exchanged for a cookie
# A guest's token is not exchanged; it is sent with every request.
LinkKind = Literal["join", "host", "camera", "guest"]
MOST_USED = 20  # used host links that are remembered, for a better error message

# No look-alikes: people type the guest link with a television's remote control.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LINK_LETTERS = 10  # 49 bits: too many to guess at the rate limit, and few enough to type
WORD_LETTERS = 6  # 30 bits: few enough to type on a phone; tries of all addresses are limited


class Codes:
    """The tokens of a table. Thread-safe.

    The join code, the table's word, works for every phone until it is renewed. The host's and the
    camera's links are in memory only and work once, so that one found later, in a history or a
    photo, is useless.
    """

    def __init__(self, word: Callable[[], str]) -> None:
        self._lock, self._word = threading.Lock(), word
        self.host, self.camera = new_token(), new_token()
        self._used: deque[str] = deque(maxlen=MOST_USED)

    @property
    def join(self) -> str:
        """The table's word."""
        return self._word()

    def redeem(self, token: str) -> CodeKind | None:
        """Use a token; return its kind, or None if it is invalid."""
        with self._lock:
            is_host, is_camera = is_same(token, self.host), is_same(token, self.camera)
            is_join = self.is_word(token)
            if is_host:
                self._used.append(self.host)
                self.host = new_token()
            if is_camera:
                self.camera = new_token()
            return "host" if is_host else "camera" if is_camera else "join" if is_join else None

    def is_used(self, token: str) -> bool:
        """Tell whether a token is that of a used host link."""
        with self._lock:
            return any(is_same(token, used) for used in self._used)

    def is_word(self, text: str) -> bool:
        """Tell whether a text is the table's word, as people type it."""
        return is_same(text.strip().casefold(), self.join)


def new_word(letters: int = WORD_LETTERS) -> str:
    """Return random letters that people can type: a table's word, or a guest link's token.

    When either is renewed, streams opened by it must be ended (`Limits.end_guests`).
    """
    return "".join(secrets.choice(LETTERS) for _ in range(letters))


def link(url: str, kind: LinkKind, token: str) -> str:
    """Return a link to the page with a token.

    It is after the #, which browsers do not send to servers; the page's script exchanges it.
    """
    return f"{url}#{kind}={token}"


def qr_svg(text: str) -> str:
    """Return a QR code as SVG."""
    out = io.BytesIO()
    segno.make(text, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, light="#fff"
    )
    return out.getvalue().decode()


def qr_terminal(text: str) -> str:
    """Return a QR code for a terminal, with two modules in each character."""
    out = io.StringIO()
    segno.make(text, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()


SCREENS = ("screen", "overlay")  # the pages for the guest link


class PhoneAccess:
    """The codes and the known phones of a table, whatever goes on there. Thread-safe.

    The phones are in memory (`devices`) and in the file at `path`; an unreadable file counts as
    missing: everyone has to scan the code again. While a game runs, they are in the game's file
    too, with their seats. `cookie` is the name of the cookies where no file names one; `is_open`
    lets everybody look on.
    """

    def __init__(self, path: Path, cookie: str = "", *, is_open: bool = False) -> None:
        self._path = self._game_path = path
        self._lock = threading.Lock()
        # Tables at other ports of this computer need other names.
        cookie = cookie or f"railspotter-{secrets.token_hex(4)}"
        known = _read(path) or Devices(cookie)
        door = replace(known.door, word=known.door.word or new_word())
        self.devices = replace(known, door=replace(door, is_open=door.is_open or is_open))
        self.codes, self.becoming_host = Codes(lambda: self.devices.door.word), BecomingHost()
        if not known.door.word:
            with suppress(PairingError):  # it is tried again with the next change
                self._write(self.devices)
        # Called when a code or link changes; whoever shows them sets it.
        self.on_codes: Callable[[CodeKind], None] = lambda kind: None
        self.url = ""  # the page's URL for phones, once known
        self.named_url = ""  # the same with the name that the network is told of, if it is
        self.trust_url = ""  # of the page about trusting this computer's certificate, over https
        # Starts serving the page to the network; None if it is served already, or cannot be.
        self.let_phones_in: Callable[[], None] | None = None
        self._has_seat: Callable[[str], bool] = lambda seat: True

    @property
    def has_host(self) -> bool:
        """Whether any phone is a host's."""
        return any(device.is_host for device in self.devices.all)

    def change(self, change: Callable[[Devices], Devices]) -> Devices:
        """Change the phones and save them; nothing changes if an exception is raised.

        Raises `PairingError` when they cannot be saved.
        """
        with self._lock:
            devices = change(self.devices)
            self._write(devices)
            self.devices = devices
            return devices

    def change_door(self, **changes: Any) -> None:
        """Change fields of the table's door, and save them."""
        self.change(lambda devices: replace(devices, door=replace(devices.door, **changes)))

    def enter_game(self, game: Path, has_seat: Callable[[str], bool]) -> None:
        """Keep the phones in a game's file too, where known ones have their seats.

        `has_seat` tells whether a seat is still in the game. A file that cannot be written is
        tried again with the next change.
        """
        with self._lock:
            here, self._game_path = self.devices, game.with_suffix(PAIRING)
            there = _read(self._game_path) or Devices()
            if any(device.is_camera for device in here.all):  # one phone at a time
                there = there.without_camera()
            for device in here.all:
                there = there.put(_moved(device, there))
            cookies = [one for one in (*here.more, *there.cookies) if one]
            there = replace(there, cookie=here.cookie, more=())
            self.devices = there.at_table_of(here, cookies)
            self._has_seat = has_seat
            with suppress(PairingError):
                self._write(self.devices)

    def leave_game(self) -> None:
        """Keep the phones without their seats and hands: no game runs."""
        with self._lock:
            if self._game_path == self._path:
                return
            self.devices, self._game_path = self.devices.without_seats(), self._path
            self._has_seat = lambda seat: True
            with suppress(PairingError):
                self._write(self.devices)

    def _write(self, devices: Devices) -> None:
        if self._game_path != self._path:
            _write(self._game_path, replace(devices, door=Door()))
            devices = devices.without_seats()
        _write(self._path, devices)

    def phone_by_cookies(self, cookies: Mapping[str, str]) -> Device | None:
        """Return the phone of a request's cookies; None for an unknown one.

        A phone from a set-up may have two cookies; the one with a seat gets the rights of both.
        """
        sent = [cookies[name] for name in self.devices.cookies if cookies.get(name)]
        parts = [found for cookie in sent if (found := self._device_of(cookie))]
        if not parts:
            return None
        phone = next((one for one in parts if one.seat is not None), parts[0])
        kinds = ("has_joined", "is_host")
        rights = {kind: any(getattr(one, kind) for one in parts) for kind in kinds}

        def with_rights(devices: Devices) -> Devices:
            known = devices.current(phone)
            return devices if known is None else devices.put(replace(known, **rights))

        if replace(phone, **rights) != phone:
            with suppress(PairingError):  # it is tried again
                self.change(with_rights)
        return replace(phone, **rights, is_camera=any(one.is_camera for one in parts))

    def _device_of(self, cookie: str) -> Device | None:
        """Return the phone of a cookie, without a seat that has left the game."""
        device = self.devices.with_cookie(cookie)
        if device is None or device.seat is None or self._has_seat(device.seat):
            return device
        return replace(device, seat=None)

    def links(self, url: str) -> dict[CodeKind, str]:
        """Return the links for players, the host and the camera.

        `url` is the requesting browser's; loopback is replaced by the URL for phones.
        """
        url = self.for_phones(url)
        return {
            "camera": link(f"{url}camera", "camera", self.codes.camera),
            "join": link(url, "join", self.codes.join),
            "host": link(url, "host", self.codes.host),
        }

    def guest_links(self, url: str) -> dict[str, str]:
        """Return the guest link of each screen page; empty if there is none."""
        url, token = self.for_phones(url), self.devices.guest
        return {page: link(f"{url}{page}", "guest", token) for page in SCREENS} if token else {}

    def for_phones(self, url: str) -> str:
        """Return a page's URL as phones can open it."""
        return self.url if self.url and is_this_machine(url) else url


def _moved(device: Device, there: Devices) -> Device:
    """Return a phone for another game, with its rights but without access to hands there."""
    moved = replace(
        there.current(device) or Device(device.cookie_hash),
        has_joined=device.has_joined,
        is_host=device.is_host,
        is_camera=device.is_camera,
    )
    if moved.seat is not None:
        return moved
    seat = None if device.seat in there.seats else device.seat
    return replace(moved, seat=seat, hand_from=None)


def _read(path: Path) -> Devices | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Devices)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _write(path: Path, devices: Devices) -> None:
    try:
        write_whole(path, msgspec.json.encode(devices), is_private=True)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise PairingError(
            "cannot write {path}: {error}", path=f"{path}, who sits where", error=why
        ) from error
