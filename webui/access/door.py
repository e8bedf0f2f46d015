"""The table's door: who is unknown sees nothing of the table without its word."""

from flask import Request

from .gate import is_from_here
from .limits import ALL, Limits
from .phone_access import PhoneAccess
from .roles import Device

# The query parameters of who keeps no cookie: a guest link's token, and the table's word.
GUEST, WORD = "guest", "word"


def refused_s(
    request: Request, device: Device | None, access: PhoneAccess, limits: Limits
) -> float | None:
    """Return None for a request that may see the table, 0 for a stranger's.

    Whoever sends words is told how long to wait after wrong ones, even with the right one.
    """
    address, door = request.remote_addr or "", access.devices.door
    is_here = is_from_here(address, request.host_url, request.headers)
    is_screen = access.devices.admits_guest(request.args.get(GUEST, ""))
    if device is not None or door.is_open or is_here or is_screen:
        return None
    word = request.args.get(WORD)
    if word is None:
        return 0.0
    is_wrong = not access.codes.is_word(word)
    wait_s = limits.wait_s("join", address, is_counted=is_wrong)
    wait_s = wait_s or limits.wait_s("word", ALL, is_counted=is_wrong)
    return wait_s if wait_s or is_wrong else None
