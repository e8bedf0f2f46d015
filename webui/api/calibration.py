"""Calls about where the board is: how it was found, corners and spaces that a person moves."""

from typing import Annotated

import msgspec
from flask import Response
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot_names import lane_number
from railspotter.table.live_calibration.live_calibration import LiveCalibration
from railspotter.table.live_calibration.view import Calibration

from ..sessions.services import GameSession, Needs
from . import responses
from .calls import JPEG, CallRequest, Corners, Json, Who, call, query_number
from .refusals import CallError

Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Step = Annotated[float, msgspec.Meta(ge=-100, le=100)]
Shift = Annotated[list[Step], msgspec.Meta(min_length=2, max_length=2)]
# A route's or a site's id, or one of its spaces as `helena--seattle#2`.
Key = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,80}(#[0-9]{1,2})?$")]
NO_NUMBER = Sentence("A picture's number is a whole number.")
Which = Annotated[int, query_number("The picture's number; without it the newest.", NO_NUMBER)]
Holding = Annotated[
    int, query_number("The number of a picture that is looked at: it is kept.", NO_NUMBER)
]


@call("GET", "/calibration", Who.HOST, needs=Needs.CAMERA)
def get_calibration(request: CallRequest, holding: Holding | None = None) -> Calibration:
    """Where the board is, how it was found or why not, and what is wrong with the picture."""
    return _desk(request).view(holding)


@call("GET", "/calibration/picture.jpg", Who.HOST, needs=Needs.CAMERA, gives=JPEG)
def get_picture(request: CallRequest, number: Which | None = None) -> Response:
    """The picture that was looked at, in full."""
    return responses.of(_desk(request).picture(number), JPEG)


@call("GET", "/calibration/spaces", Who.HOST, needs=Needs.CAMERA)
def get_spaces(request: CallRequest, number: Which | None = None) -> Json:
    """Where all spaces are in a picture."""
    desk = _desk(request)
    picture, spaces = desk.spaces(number)
    profile = desk.profile
    return {
        "picture": picture,
        "spaces": spaces,
        "routes": _names(desk.board),
        "nudges_mm": {} if profile is None else profile.nudges_mm,
    }


def _names(board: Board) -> list[Json]:
    """Return the names of routes (ends and lane number, from 1) and sites."""
    places = {place.id: place.name for place in board.places}
    routes = [
        {
            "id": route.id,
            "a": places[route.a],
            "b": places[route.b],
            "lane": lane_number(board, route.id),
        }
        for route in board.routes
    ]
    return [*routes, *({"id": site.id, "name": site.name} for site in board.sites if site.space)]


@call("PUT", "/calibration/corners", Who.HOST, needs=Needs.CAMERA)
def put_corners(
    request: CallRequest,
    *,
    corners_px: Corners,
    picture: Number | None = None,
    is_exact: bool = False,
) -> Calibration:
    """Says where the board's corners are; that picture becomes the photo of the board.

    Without corners the program looks for them. They are moved so that spaces lie where they are
    seen, unless they are exact. Without its number the newest picture is meant.
    """
    corners = tuple((x, y) for x, y in corners_px)
    _desk(request).put_corners(corners, picture, is_exact=is_exact)
    return _desk(request).view()


@call("POST", "/calibration/look", Who.HOST, needs=Needs.CAMERA)
def look(request: CallRequest) -> Calibration:
    """Looks for the board anew, in the newest picture."""
    _desk(request).look()
    return _desk(request).view()


@call("POST", "/calibration/keep", Who.HOST, needs=Needs.CAMERA)
def keep_picture(request: CallRequest, *, picture: Number | None = None) -> Calibration:
    """Keeps a picture, without its number the newest, as the photo of the board."""
    _desk(request).keep(picture)
    return _desk(request).view()


@call("PUT", "/calibration/nudges", Who.HOST, needs=Needs.CAMERA)
def nudge(request: CallRequest, *, key: Key, dxy_mm: Shift) -> Calibration:
    """Moves a route or a space a little more."""
    dx, dy = dxy_mm
    _desk(request).nudge(key, (dx, dy))
    return _desk(request).view()


@call("DELETE", "/calibration/nudges", Who.HOST, needs=Needs.CAMERA)
def take_nudges_back(request: CallRequest, *, key: Key | None = None) -> Calibration:
    """Puts a route or a space back where it was measured, or all of them."""
    _desk(request).take_back(key)
    return _desk(request).view()


def _desk(request: CallRequest) -> LiveCalibration:
    desk, now = request.table.calibration, request.now
    if desk is not None:
        return desk
    why = Sentence("There is no board to look for: choose a board and a camera.")
    if isinstance(now, GameSession):
        why = Sentence("This is a demo game: its board is known already.")
        if not now.table.view.has_camera:
            why = Sentence("No camera sees this game's board: there is nothing to look for.")
    raise CallError(404, "unknown", why)
