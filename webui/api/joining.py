"""Calls by which a phone becomes the host's, a player's or the camera."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.scoring.board import Identifier

from ..access import Device, Devices, codes, hash_of, new_token
from ..feed import encoded
from ..rooms import Needs, WatchedDoor
from .calls import Asked, Body, Call, CallError, Nothing, Who
from .looking import you

COOKIE_S = 30 * 24 * 3600
"""A phone stays paired for a month; a game that is put by takes no longer."""


class Token(Body, frozen=True):
    """What stands behind the # of a join code or of a host's link."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class Seat(Body, frozen=True):
    """One seat."""

    seat: Identifier


def _join(asked: Asked) -> Response:
    opens = asked.door.codes.trade(asked.said(Token).token)
    if opens is None:
        message = "This code opens nothing any more: scan the one that is shown now."
        raise CallError(403, "old", message)
    # A known phone keeps what it has. Its cookie is a new one all the same.
    cookie, known = new_token(), asked.device
    device = replace(known or Device(""), cookie_hash=hash_of(cookie))
    if opens == "camera":
        device = replace(device, is_camera=True)
    else:
        device = replace(device, has_joined=True, is_host=device.is_host or opens == "host")

    def joined(devices: Devices) -> Devices:
        devices = devices.without(known) if known else devices
        if opens == "camera":  # one phone at a time
            devices = Devices(tuple(replace(one, is_camera=False) for one in devices.all))
        return devices.put(device)

    asked.door.pairing.change(joined)
    if opens != "join":
        asked.door.on_codes(opens)
    if opens == "camera" and isinstance(asked.door, WatchedDoor):
        phone = asked.door.watched().phone
        if phone is not None:
            phone.let_go()
    response = Response(encoded(you(device)), mimetype="application/json")
    response.set_cookie(
        asked.door.pairing.cookie,
        cookie,
        max_age=COOKIE_S,
        httponly=True,
        samesite="Strict",
        secure=asked.origin.startswith("https:"),
    )
    return response


def _take_seat(asked: Asked) -> dict[str, Any]:
    seat, device = asked.said(Seat).seat, _known(asked)
    if asked.room.table.log.state.table.player(seat) is None:
        raise CallError(404, "unknown", "There is no such seat.")

    def seated(devices: Devices) -> Devices:
        holder = devices.at(seat)
        if holder is not None and holder.cookie_hash != device.cookie_hash:
            raise CallError(409, "taken", "Another phone has this seat: the host can free it.")
        now = devices.known(device)
        if now is None or not (now.has_joined or now.is_host):
            raise CallError(401, "unknown phone", "Scan the join code first.")
        return devices.put(replace(now, seat=seat))

    devices = asked.room.pairing.change(seated)
    asked.room.feed.tell_paired()
    return you(devices.at(seat))


def _free_seat(asked: Asked) -> dict[str, Any]:
    seat, device = asked.named["seat"], _known(asked)
    is_own = device.seat == seat
    if not (is_own or device.is_host):
        raise CallError(403, "not yours", "Only its own phone or the host can free a seat.")
    if asked.room.pairing.devices.at(seat) is None:
        raise CallError(404, "unknown", "No phone has this seat.")

    def freed(devices: Devices) -> Devices:
        holder = devices.at(seat)
        if holder is None:
            return devices
        if is_own or holder.is_host:
            return devices.put(replace(holder, seat=None))
        return devices.without(holder)

    asked.room.pairing.change(freed)
    if not is_own:
        # The phone that had it must not simply come back with the old code.
        asked.room.codes.renew_join()
        asked.room.on_codes("join")
    asked.room.feed.tell_paired()
    return you(asked.room.pairing.devices.known(device))


def _codes(asked: Asked) -> dict[str, Any]:
    return {
        opens: {"url": url, "svg": codes.svg(url)}
        for opens, url in asked.door.links(asked.origin).items()
        if opens != "camera" or asked.watched.phone is not None
    }


def _known(asked: Asked) -> Device:
    if asked.device is None:
        raise CallError(401, "unknown phone", "Scan the join code first.")
    return asked.device


CALLS = (
    Call(
        "POST",
        "/join",
        Who.ALL,
        "Trades the token of a join code, the host's or the camera's link for a cookie.",
        _join,
        body=Token,
        rate="join",
        needs=Needs.NOTHING,
    ),
    Call("POST", "/seat", Who.JOINED, "Takes a free seat.", _take_seat, body=Seat),
    Call("DELETE", "/seat/{seat}", Who.JOINED, "Frees a seat.", _free_seat, body=Nothing),
    Call(
        "GET",
        "/codes",
        Who.HOST,
        "The join code, the next host's link, and the camera's.",
        _codes,
        needs=Needs.CAMERA,
    ),
)
