"""Calls about the display beside the board: how it is, which one it is to be, a test of it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from railspotter.table.display_desk import DisplayDesk
from railspotter.table.errors import HomeError

from ..rooms.services import Needs
from .calls import Body, Call, CallError, CallRequest, Nothing, Who, reason_of


class ChosenDisplay(Body, frozen=True):
    """What is to be changed of the display beside the board: its name as behind `--display`."""

    display: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    brightness: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    palette: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] | None = None


def _view(request: CallRequest) -> dict[str, Any]:
    view = _desk(request).view()
    return {
        "display": view.choice.display,
        "brightness": view.choice.brightness,
        "palette": view.choice.palette,
        "state": view.doing.value,
        "about": view.about,
        "is_testing": view.is_testing,
        "players": view.players,
        "palettes": view.palettes,
        "ports": [{"port": port, "about": about} for port, about in view.ports.items()],
    }


def _choose(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(ChosenDisplay)
    try:
        _desk(request).choose(body.display, body.brightness, body.palette)
    except HomeError as error:
        raise CallError(503, "not written", reason_of(error)) from error
    return _view(request)


def _test(request: CallRequest) -> dict[str, Any]:
    _desk(request).test()
    return _view(request)


def _desk(request: CallRequest) -> DisplayDesk:
    desk = request.equipment.display
    if desk is None:
        raise CallError(404, "unknown", "This table has no display.")
    return desk


CALLS = (
    Call(
        "GET",
        "/display",
        Who.HOST,
        "The display beside the board, and what it shows.",
        _view,
        needs=Needs.CAMERA,
    ),
    Call(
        "PATCH",
        "/display",
        Who.HOST,
        "Chooses another display, brightness or palette, also for the next game.",
        _choose,
        body=ChosenDisplay,
        needs=Needs.CAMERA,
    ),
    Call(
        "POST",
        "/display/test",
        Who.HOST,
        "Shows a made-up game for some seconds, then the score again.",
        _test,
        body=Nothing,
        needs=Needs.CAMERA,
    ),
)
