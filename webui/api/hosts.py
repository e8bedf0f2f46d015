"""Calls by which a phone becomes a host's without a link: by a number, or a host's word."""

import math
from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.names import Name
from railspotter.scoring.sentence import Sentence

from ..access.becoming_host import PIN_PATTERN, Said, Tries, is_pin
from ..access.roles import Device, Devices
from ..sessions.services import GameSession, Needs
from .calls import CallRequest, Nothing, Who, call
from .phones import known_device, with_new_cookie
from .refusals import CallError

NumberText = Annotated[str, msgspec.Meta(pattern="^[0-9]{4}$")]
PinText = Annotated[str, msgspec.Meta(pattern=PIN_PATTERN)]


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
def become_host(
    request: CallRequest, *, number: NumberText | None = None, pin: PinText | None = None
) -> Response:
    """Makes this phone a host's: by the computer's number, there without one; by the PIN."""
    if pin is not None:
        _check_pin(request, pin)
    elif not request.is_here:
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
    _require(is_right, becoming.numbers, Sentence("The computer shows another number: look again."))


def _check_pin(request: CallRequest, pin: str) -> None:
    """Raise `CallError` unless a PIN is the keeper's, and sent by a phone that has joined."""
    if not Who.JOINED.may(request.device):
        raise CallError(401, "unknown phone", "Scan the join code first.")
    tries, kept = request.access.becoming_host.pins, request.access.devices.door.pin
    is_right = tries.check(lambda: is_pin(pin, kept))
    _require(is_right, tries, Sentence("That is not this table's PIN."))


def _require(is_right: bool | None, tries: Tries, message: Sentence) -> None:
    """Raise `CallError` for a wrong try, or one that came too early."""
    if is_right is None:
        wait_s = tries.wait_s()
        minutes = math.ceil(wait_s / 60)
        early = Sentence("That was wrong too often: try again in {minutes} min.", minutes=minutes)
        raise CallError(429, "too often", early, retry_after_s=wait_s)
    if not is_right:
        raise CallError(403, "old", message)


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
