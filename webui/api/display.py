"""Calls about the display beside the board: how it is, which one it is to be, a test of it."""

from typing import Annotated

import msgspec
from railspotter.table.display_control import Display, DisplayControl

from ..sessions.services import Needs
from .calls import CallRequest, Who, call
from .refusals import CallError


@call("GET", "/display", Who.HOST, needs=Needs.NOTHING)
def get_display(request: CallRequest) -> Display:
    """The display beside the board, and what it shows."""
    return _desk(request).view()


@call("PATCH", "/display", Who.HOST, needs=Needs.NOTHING)
def choose_display(
    request: CallRequest,
    *,
    display: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None,
    brightness: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None,
    palette: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] | None = None,
) -> Display:
    """Chooses a display as `--display` does, brightness or palette, also for the next game."""
    _desk(request).choose(display, brightness, palette)
    return get_display(request)


@call("POST", "/display/test", Who.HOST, needs=Needs.NOTHING)
def show_test_game(request: CallRequest) -> Display:
    """Shows a made-up game for some seconds, then the score again."""
    _desk(request).test()
    return get_display(request)


def _desk(request: CallRequest) -> DisplayControl:
    desk = request.services.display
    if desk is None:
        raise CallError(404, "unknown", "This table has no display.")
    return desk
