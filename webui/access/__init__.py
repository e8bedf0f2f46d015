"""Who may do what: roles, codes, pairing, and the gate that every request passes."""

from . import codes, hands
from .codes import CodeKind
from .door import Door
from .gate import MOST_BYTES, STYLED, check_request, guard_response, is_this_machine, swallow_body
from .guest_link import GuestLink
from .limits import Limits, Place, household
from .pairing import SUFFIX, Pairing
from .roles import Device, Devices, hash_of, new_token

__all__ = [
    "MOST_BYTES",
    "STYLED",
    "SUFFIX",
    "CodeKind",
    "Device",
    "Devices",
    "Door",
    "GuestLink",
    "Limits",
    "Pairing",
    "Place",
    "check_request",
    "codes",
    "guard_response",
    "hands",
    "hash_of",
    "household",
    "is_this_machine",
    "new_token",
    "swallow_body",
]
