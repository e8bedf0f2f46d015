"""Calls by which a phone becomes a host's without a link: by a number, or a host's word."""

from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.names import Name

from ..access.becoming_host import Said
from ..access.roles import Device, Devices
from ..sessions.services import GameSession, Needs
from .calls import CallRequest, Nothing, Who, call
from .phones import known_device, with_new_cookie
from .refusals import CallError

NumberText = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}$")]


class HostNow(msgspec.Struct, frozen=True):
    """How a phone becomes a host's now."""

    has_host: bool  # whether any phone is one: then one asks, and no number is taken
    is_here: bool  # whether this is the computer itself, or a host: it needs neither
    number: str | None  # to be shown on this computer's screen; null elsewhere, and with a host
    asked: Said | None  # what this phone's own request was told


@call("GET", "/host", Who.ALL, needs=Needs.NOTHING)
def get_host(request: CallRequest) -> HostNow:
    """How this phone becomes a host's."""
    access, device, here = request.access, request.device, request.is_here
    own = access.becoming_host.of(device.cookie_hash) if device else None
    number = access.becoming_host.number if here and not access.has_host else None
    return HostNow(access.has_host, here, number, own.said if own else None)


@call("POST", "/host", Who.ALL, rate="join", needs=Needs.NOTHING)
def become_host(request: CallRequest, *, number: NumberText | None = None) -> Response:
    """Makes this phone a host's: by the number on the computer's screen, there without one."""
    if not request.is_here:
        _check_number(request, number)

    def made_host(device: Device) -> Device:
        return replace(device, has_joined=True, is_host=True)

    response = with_new_cookie(request, made_host)
    _tell_all(request)
    return response


def _check_number(request: CallRequest, number: str | None) -> None:
    """Raise `CallError` unless a number is the one that the computer shows."""
    access, becoming = request.access, request.access.becoming_host
    if access.has_host:
        raise CallError(409, "has host", "This table has a host: ask on this page to be one too.")
    shown = becoming.number
    is_right = number is not None and becoming.try_number(number)
    if becoming.number != shown:
        access.on_codes("host")
    if is_right is None:
        raise CallError(
            429,
            "too often",
            "That was wrong too often: try again in a minute.",
            retry_after_s=becoming.wait_s(),
        )
    if not is_right:
        raise CallError(403, "old", "The computer shows another number: look again.")


@call("POST", "/host/requests", Who.JOINED, rate="join", needs=Needs.NOTHING)
def ask_hosts(request: CallRequest, *, name: Name) -> HostNow:
    """Asks the hosts' phones to let this one be a host's too."""
    if not request.access.becoming_host.ask(known_device(request).cookie_hash, name):
        raise CallError(409, "too often", "Others ask already: try again in a minute or two.")
    _tell_all(request)
    return get_host(request)


@call("POST", "/host/requests/{id}", Who.HOST, needs=Needs.NOTHING)
def answer_host_request(request: CallRequest, id: str, *, said: Literal["yes", "no"]) -> Nothing:
    """Says whether a phone may be a host's; the first answer wins."""
    asked = request.access.becoming_host.answer(id, said)
    if asked is None:
        raise CallError(409, "answered", "This was answered already, or nobody waits any more.")

    def with_host(devices: Devices) -> Devices:
        device = devices.current(Device(asked.cookie_hash))
        return devices.put(replace(device, is_host=True)) if device else devices

    if said == "yes":
        request.access.change(with_host)
    _tell_all(request)
    return Nothing()


def _tell_all(request: CallRequest) -> None:
    """Have the pages of a running game ask who they are."""
    if isinstance(request.now, GameSession):
        request.now.feed.send_paired()
