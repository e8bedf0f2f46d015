"""The table's door: who is unknown sees nothing of the table without its word."""

from flask import Request

from .gate import CHANGING_METHODS, is_from_here
from .limits import ALL, Limits
from .phone_access import PhoneAccess
from .roles import Device

# The query parameters of who keeps no cookie: a guest link's token, and the table's word.
GUEST, WORD = "guest", "word"


def refused_s(
    request: Request, device: Device | None, access: PhoneAccess, limits: Limits
) -> float | None:
    """Return None for a request that may see the table, 0 for a stranger's.

    Whoever sends words or tokens is told how long to wait after wrong ones, even with the right
    one. With a token nothing is changed, whatever cookie comes with it.
    """
    address, headers = request.remote_addr or "", request.headers
    token, word = request.args.get(GUEST), request.args.get(WORD)
    if token is not None and request.method in CHANGING_METHODS:
        return 0.0
    is_open = access.devices.door.is_open or is_from_here(address, request.host_url, headers)
    if device is not None or (is_open and token is None):
        return None
    if token is not None:
        is_wrong = not access.devices.admits_guest(token)
    elif word is not None:
        is_wrong = not access.codes.is_word(word)
    else:
        return 0.0
    wait_s = limits.wait_s("join", address, is_counted=is_wrong)
    if token is None:
        wait_s = wait_s or limits.wait_s("word", ALL, is_counted=is_wrong)
    return wait_s if wait_s or is_wrong else None
