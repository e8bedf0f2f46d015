"""Calls by which a phone becomes a host's without a link: by a number, or a host's word."""

import math
from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.names import Name
from railspotter.scoring.sentence import Sentence

from ..access.becoming_host import Said, is_pin
from ..access.limits import ALL
from ..access.roles import Device, Devices
from ..sessions.services import GameSession, Needs
from .calls import CallRequest, Nothing, Who, call
from .phones import known_device, with_new_cookie
from .refusals import CallError

NumberText = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}$")]
PinText = Annotated[str, msgspec.Meta(pattern="^[0-9]{4,8}$")]


class HostNow(msgspec.Struct, frozen=True):
    """How a phone becomes a host's now."""

    has_host: bool  # whether any phone is one: then one asks, and no number is taken
    is_here: bool  # whether this is the computer itself, or a host: it needs neither
    number: str | None  # to be shown on this computer's screen; null elsewhere, and with a host
    asked: Said | None  # what this phone's own request was told
    has_pin: bool  # whether a phone that has joined becomes one by the keeper's PIN


@call("GET", "/host", Who.STRANGER, needs=Needs.NOTHING)
def get_host(request: CallRequest) -> HostNow:
    """How this phone becomes a host's."""
    access, device, here = request.access, request.device, request.is_here
    own = access.becoming_host.of(device.cookie_hash) if device else None
    number = access.becoming_host.number if here and not access.has_host else None
    has_pin = bool(access.devices.door.pin) and Who.JOINED.may(device)
    return HostNow(access.has_host, here, number, own.said if own else None, has_pin)


@call("POST", "/host", Who.STRANGER, rate="join", needs=Needs.NOTHING)
def become_host(request: CallRequest, *, number: NumberText | None = None) -> Response:
    """Makes this phone a host's: by the number on the computer's screen, there without one."""
    access, becoming = request.access, request.access.becoming_host
    if request.is_here:
        return _made_host(request)
    if access.has_host:
        raise CallError(409, "has host", "This table has a host: ask on this page to be one too.")
    if number is not None:
        _require_rate(request, "number")
    shown = becoming.number
    is_right = number is not None and becoming.try_number(number)
    if becoming.number != shown:
        access.on_codes("host")
    if not is_right:
        raise CallError(403, "old", "The computer shows another number: look again.")
    request.page_context.limits.forget("number", ALL)
    return _made_host(request)


@call("POST", "/host/pin", Who.JOINED, rate="join", needs=Needs.NOTHING)
def become_host_by_pin(request: CallRequest, *, pin: PinText) -> Response:
    """Makes this phone a host's: by the keeper's PIN."""
    _require_rate(request, "pin")
    if not is_pin(pin, request.access.devices.door.pin):
        raise CallError(403, "old", "That is not this table's PIN.")
    request.page_context.limits.forget("pin", ALL)
    return _made_host(request)


def _require_rate(request: CallRequest, what: str) -> None:
    """Count a try of all phones together; raise `CallError` above the rate."""
    if wait_s := request.page_context.limits.wait_s(what, ALL):
        minutes = math.ceil(wait_s / 60)
        message = Sentence("That was wrong too often: try again in {minutes} min.", minutes=minutes)
        raise CallError(429, "too often", message, retry_after_s=wait_s)


def _made_host(request: CallRequest) -> Response:
    response = with_new_cookie(request, lambda one: replace(one, has_joined=True, is_host=True))
    _tell_all(request)
    return response


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
