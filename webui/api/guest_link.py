"""Calls by which the host gives out the guest link, for a television or a stream."""

from __future__ import annotations

from ..access import codes
from ..access.gate import is_this_machine
from ..rooms.services import Needs
from .calls import CallRequest, Json, Who, call


@call("GET", "/guest-link", Who.HOST, needs=Needs.CAMERA)
def get_guest_link(request: CallRequest) -> Json:
    """The link that a television or a stream looks on by, if one is out."""
    door = request.services.door
    links = door.guest_links(request.origin)
    return {
        "is_out": bool(links),
        **{page: {"url": url, "svg": codes.svg(url)} for page, url in links.items()},
        "is_local": is_this_machine(door.links(request.origin)["join"]),
        "can_let_in": door.let_phones_in is not None,
    }


@call("POST", "/guest-link", Who.HOST, needs=Needs.CAMERA)
def renew_guest_link(request: CallRequest) -> Json:
    """Makes that link; where one is out, another one in its place."""
    request.services.door.guest_link.renew()
    return get_guest_link(request)


@call("DELETE", "/guest-link", Who.HOST, needs=Needs.CAMERA)
def take_back_guest_link(request: CallRequest) -> Json:
    """Takes that link back: whatever looks on by it ends."""
    request.services.door.guest_link.take_back()
    return get_guest_link(request)
