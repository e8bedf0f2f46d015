"""Calls by which the host gives out the guest link, for a television or a stream."""

from __future__ import annotations

from typing import Any

from ..access import codes
from ..access.gate import is_this_machine
from ..rooms.services import Needs
from .calls import Call, CallRequest, Nothing, Who


def _links(request: CallRequest) -> dict[str, Any]:
    door = request.services.door
    links = door.guest_links(request.origin)
    return {
        "is_out": bool(links),
        **{page: {"url": url, "svg": codes.svg(url)} for page, url in links.items()},
        "is_local": is_this_machine(door.links(request.origin)["join"]),
        "can_let_in": door.let_phones_in is not None,
    }


def _renew(request: CallRequest) -> dict[str, Any]:
    request.services.door.guest_link.renew()
    return _links(request)


def _take_back(request: CallRequest) -> dict[str, Any]:
    request.services.door.guest_link.take_back()
    return _links(request)


CALLS = (
    Call(
        "GET",
        "/guest-link",
        Who.HOST,
        "The link that a television or a stream looks on by, if one is out.",
        _links,
        needs=Needs.CAMERA,
    ),
    Call(
        "POST",
        "/guest-link",
        Who.HOST,
        "Makes that link; where one is out, another one in its place.",
        _renew,
        body=Nothing,
        needs=Needs.CAMERA,
    ),
    Call(
        "DELETE",
        "/guest-link",
        Who.HOST,
        "Takes that link back: whatever looks on by it ends.",
        _take_back,
        body=Nothing,
        needs=Needs.CAMERA,
    ),
)
