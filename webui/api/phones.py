"""Calls by which a phone becomes the host's, a player's or the camera, or a screen looks on."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.board import Identifier

from ..access import hands, phone_access
from ..access.gate import is_this_machine
from ..access.limits import ALL
from ..access.roles import Device, Devices, hash_of, new_token
from ..errors import AddressError
from ..sessions.services import GameSession, Needs
from . import responses
from .calls import CallRequest, Json, Who, call
from .game import player_at
from .refusals import TOO_OFTEN, CallError, refused_as
from .state import You

TokenText = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


@call("POST", "/join", Who.STRANGER, rate="join", needs=Needs.PHONES)
def join(request: CallRequest, *, token: TokenText) -> Response:
    """Trades the table's word, or the token of the host's or the camera's link, for a cookie."""
    tokens = request.access.codes
    kind = tokens.redeem(token)
    if kind in ("join", None):
        limits = request.page_context.limits
        if wait_s := limits.wait_s("word", ALL, is_counted=kind is None):
            raise CallError(429, "too often", TOO_OFTEN, retry_after_s=wait_s)
    if kind is None and tokens.is_used(token):
        raise CallError(
            403,
            "used",
            "This link was used already: it makes one phone the host's. To play along, scan the"
            " join code that the host's phone shows under Table; on the first page you can ask to"
            " be a host too.",
        )
    if kind is None:
        raise CallError(403, "old", "This code no longer works: scan the one that is shown now.")

    def joined(device: Device) -> Device:
        if kind == "camera":
            return replace(device, is_camera=True)
        return replace(device, has_joined=True, is_host=device.is_host or kind == "host")

    try:
        response = with_new_cookie(request, joined)
    finally:
        if kind != "join":  # also when it cannot be saved: the link is used up
            request.access.on_codes(kind)
    now = request.now
    if kind == "camera" and now is not None and now.phone is not None:
        now.phone.release()
    return response


def with_new_cookie(
    request: CallRequest, change: Callable[[Device], Device], answer: Any = None
) -> Response:
    """Give the phone a new cookie and changed rights; return the response, by default its roles."""
    cookie, known = new_token(), request.device
    device = replace(change(known or Device("")), cookie_hash=hash_of(cookie))

    def changed(devices: Devices) -> Devices:
        devices = devices.without(known) if known else devices
        if device.is_camera:  # one phone at a time
            devices = devices.without_camera()
        return devices.put(device)

    request.access.change(changed)
    response = responses.as_json(request, answer or You.of(device))
    responses.set_key(request, response, request.access.devices.cookie, cookie)
    return response


@call("POST", "/seat", Who.JOINED)
def take_seat(request: CallRequest, *, seat: Identifier) -> You:
    """Takes a free seat."""
    device = known_device(request)
    log = request.session.table.log
    if player_at(log.state.table, seat).computer:
        raise CallError(409, "taken", "A computer plays in this seat.")

    def with_seat_taken(devices: Devices) -> Devices:
        holder = devices.at(seat)
        if holder is not None and holder.cookie_hash != device.cookie_hash:
            raise CallError(409, "taken", "Another phone has this seat: the host can free it.")
        now = devices.current(device)
        if now is None or not (now.has_joined or now.is_host):
            raise CallError(401, "unknown phone", "Scan the join code first.")
        if now.seat == seat:
            return devices
        return hands.with_seat_taken(log.state, devices, now, seat)

    devices = request.access.change(with_seat_taken)
    request.session.feed.send_paired()
    return You.of(devices.at(seat))


@call("DELETE", "/seat/{seat}", Who.JOINED)
def free_seat(request: CallRequest, seat: str) -> You:
    """Frees a seat."""
    device = known_device(request)
    is_own = device.seat == seat
    if not (is_own or device.is_host):
        raise CallError(403, "not yours", "Only its own phone or the host can free a seat.")
    if request.access.devices.at(seat) is None:
        raise CallError(404, "unknown", "No phone has this seat.")

    def freed(devices: Devices) -> Devices:
        holder = devices.at(seat)
        return hands.with_seat_freed(devices, holder, by_host=not is_own) if holder else devices

    request.access.change(freed)
    request.session.feed.send_paired()
    return You.of(request.access.devices.current(device))


@call("GET", "/codes", Who.HOST, needs=Needs.NOTHING)
def get_codes(request: CallRequest) -> Json:
    """The table's word and its link, the next host's link, and the camera's."""
    links = dict(request.access.links(request.origin))
    if request.now is None or request.now.phone is None:
        del links["camera"]
    return {"word": request.access.codes.join, **_links_json(request, links)}


@call("GET", "/invitation", Who.HERE, needs=Needs.NOTHING)
def get_invitation(request: CallRequest) -> Json:
    """The table's word and its link, for screens: here, by the guest link, or that came in."""
    access, is_shown = request.access, request.access.devices.door.is_on_screens
    is_in = is_shown and Who.JOINED.may(request.device)
    if not (request.is_here or request.guest is not None or is_in):
        raise CallError(403, "not yours", "Only the table's own screens show its code.")
    if isinstance(request.now, GameSession) and not is_shown:
        raise CallError(403, "not yours", "During a game no screen shows the code.")
    link = {"join": access.links(request.origin)["join"]}
    return {"word": access.codes.join, **_links_json(request, link)}


@call("POST", "/codes", Who.HOST, needs=Needs.NOTHING)
def renew_word(request: CallRequest) -> Json:
    """Makes another word for the table; the old one and its code let nobody in any more."""
    request.access.change_door(word=phone_access.new_word())
    request.access.on_codes("join")
    request.services.limits.end_guests()
    return get_codes(request)


def _links_json(request: CallRequest, links: Mapping[Any, str]) -> Json:
    """Return links with their QR codes, and whether phones can open them."""
    access = request.access
    return {
        **{what: {"url": url, "svg": phone_access.qr_svg(url)} for what, url in links.items()},
        "named": access.named_url or None,
        "is_local": is_this_machine(access.links(request.origin)["join"]),
        "can_let_in": access.let_phones_in is not None,
    }


@call("POST", "/let-in", Who.HOST, needs=Needs.NOTHING)
def let_phones_in(request: CallRequest) -> Json:
    """Phones in the same network may open the page from now on."""
    let_in = request.access.let_phones_in
    if let_in is not None:  # None for a second tap
        with refused_as(AddressError, 503, "no network"):
            let_in()
    return get_codes(request)


@call("GET", "/guest-link", Who.HOST, needs=Needs.NOTHING)
def get_guest_link(request: CallRequest) -> Json:
    """The link that a television or a stream looks on by, if one is out."""
    links = request.access.guest_links(request.origin)
    return {"is_out": bool(links), **_links_json(request, links)}


@call("POST", "/guest-link", Who.HOST, needs=Needs.NOTHING)
def renew_guest_link(request: CallRequest) -> Json:
    """Makes that link; where one is out, another one in its place."""
    return _with_guest_token(request, phone_access.new_word(phone_access.LINK_LETTERS))


@call("DELETE", "/guest-link", Who.HOST, needs=Needs.NOTHING)
def take_back_guest_link(request: CallRequest) -> Json:
    """Takes that link back: whatever looks on by it ends."""
    return _with_guest_token(request, "")


def _with_guest_token(request: CallRequest, token: str) -> Json:
    request.access.change(lambda devices: replace(devices, guest=token))
    request.services.limits.end_guests()
    return get_guest_link(request)


def known_device(request: CallRequest) -> Device:
    """Return the phone of a call; raises `CallError` for an unknown one."""
    if request.device is None:
        raise CallError(401, "unknown phone", "Scan the join code first.")
    return request.device
