"""Calls about a table's door: who may come in, what guests may do, and the keeper's PIN."""

from typing import Annotated

import msgspec

from ..access.becoming_host import pin_hash
from ..access.roles import Guests
from ..sessions.services import Needs
from .calls import CallRequest, Who, call

NewPin = Annotated[str, msgspec.Meta(pattern="^([0-9]{4,8})?$")]


class DoorNow(msgspec.Struct, frozen=True):
    """Who may come in to the table, and what guests may do there."""

    is_open: bool  # whether everybody in this network may look on without the word
    guests: Guests  # `cafe`: they see no past games
    has_pin: bool


@call("GET", "/door", Who.HOST, needs=Needs.NOTHING)
def get_door(request: CallRequest) -> DoorNow:
    """Who may come in to the table, and what guests may do there."""
    door = request.access.devices.door
    return DoorNow(door.is_open, door.guests, bool(door.pin))


@call("PATCH", "/door", Who.HOST, needs=Needs.NOTHING)
def change_door(
    request: CallRequest,
    *,
    is_open: bool | None = None,
    guests: Guests | None = None,
    pin: NewPin | None = None,
) -> DoorNow:
    """Changes what is given of it; an empty `pin` removes the PIN."""
    access = request.access
    changes = {"is_open": is_open, "guests": guests, "pin": pin_hash(pin) if pin else pin}
    access.change_door(**{name: value for name, value in changes.items() if value is not None})
    if pin is not None:
        access.becoming_host.pins.forget()
    if is_open is False:
        request.services.limits.end_guests()
    return get_door(request)
