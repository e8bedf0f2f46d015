"""Calls about where the board is: how it was found, corners and spaces that a person moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.scoring.board import Board
from railspotter.table.calibration_desk.desk import CalibrationDesk
from railspotter.table.calibration_desk.view import DeskView
from railspotter.table.errors import CalibratingError, HomeError, NotNowError

from ..rooms.services import Needs
from .calls import (
    Body,
    Call,
    CallError,
    CallRequest,
    Corner,
    ErrorRule,
    Nothing,
    Query,
    Who,
    content_response,
    with_refusals,
)

Json = dict[str, Any]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Step = Annotated[float, msgspec.Meta(ge=-100, le=100)]
# A route's or a site's id, or one of its spaces as `helena--seattle#2`.
Key = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,80}(#[0-9]{1,2})?$")]
# What cannot be done with a board, or with the disk.
REFUSALS = (
    ErrorRule((NotNowError,), 409, "not now"),
    ErrorRule((HomeError,), 503, "not written"),
    ErrorRule((CalibratingError,), 400, "wrong"),
)
WHICH = Query("number", "The picture's number; without it the newest.")


class Picture(Body, frozen=True):
    """A picture by its number; without it the newest."""

    picture: Number | None = None


class GivenCorners(Body, frozen=True):
    """The printed board's corners in a picture, clockwise from its top left.

    None: the program looks for them. They are moved onto the board's edge where it is clear, unless
    they are exact. Without its number the newest picture is meant.
    """

    corners_px: Annotated[list[Corner], msgspec.Meta(max_length=4)]
    picture: Number | None = None
    is_exact: bool = False


class Nudge(Body, frozen=True):
    """A route, or one space of it, and how far it is moved from where it is now."""

    key: Key
    dxy_mm: Annotated[list[Step], msgspec.Meta(min_length=2, max_length=2)]


class NudgedKey(Body, frozen=True):
    """A route or a space that was moved; without it all of them."""

    key: Key | None = None


def _view(request: CallRequest) -> Json:
    return view_json(_desk(request).view(_number(request, "holding")))


def view_json(view: DeskView) -> Json:
    """Return how calibrating stands, as it is sent."""
    picture = {"number": view.picture, "size_px": view.size_px} if view.picture else None
    verdict = {"grade": view.verdict, "findings": view.findings} if view.verdict else None
    return {
        "number": view.number,
        "state": view.state,
        "said": view.said,
        "problem": view.problem,
        "notes": view.notes,
        "is_ready": view.is_ready,
        "picture": picture,
        "way": _way(view.way.name) if view.way else None,
        "corners_px": view.corners_px or None,
        "tried": [{"way": _way(one.way.name), "said": one.reason} for one in view.tried],
        "verdict": verdict,
        "profile": view.profile,
        "nudged": view.nudged,
        "outlines": view.outlines,
    }


def _way(name: str) -> str:
    return name.lower().replace("_", " ")


def _picture(request: CallRequest) -> Response:
    return content_response(_desk(request).picture(_number(request, "number")), "image/jpeg")


def _spaces(request: CallRequest) -> Json:
    desk = _desk(request)
    number, spaces = desk.spaces(_number(request, "number"))
    profile = desk.profile
    return {
        "picture": number,
        "spaces": spaces,
        "routes": _names(desk.board),
        "nudges_mm": {} if profile is None else profile.nudges_mm,
    }


def _names(board: Board) -> list[Json]:
    """Return what routes and sites are called: by their ends, and a lane by its number from 1."""
    places = {place.id: place.name for place in board.places}
    lanes = {name: number for lane in board.lanes for number, name in enumerate(lane, start=1)}
    routes = [
        {"id": route.id, "a": places[route.a], "b": places[route.b], "lane": lanes.get(route.id)}
        for route in board.routes
    ]
    return [*routes, *({"id": site.id, "name": site.name} for site in board.sites if site.space)]


def _put_corners(request: CallRequest) -> Json:
    body = request.body_as(GivenCorners)
    corners = tuple((x, y) for x, y in body.corners_px)
    _desk(request).put_corners(corners, body.picture, is_exact=body.is_exact)
    return view_json(_desk(request).view())


def _look(request: CallRequest) -> Json:
    _desk(request).look()
    return view_json(_desk(request).view())


def _keep(request: CallRequest) -> Json:
    _desk(request).keep(request.body_as(Picture).picture)
    return view_json(_desk(request).view())


def _nudge(request: CallRequest) -> Json:
    body = request.body_as(Nudge)
    dx, dy = body.dxy_mm
    _desk(request).nudge(body.key, (dx, dy))
    return view_json(_desk(request).view())


def _take_back(request: CallRequest) -> Json:
    _desk(request).take_back(request.body_as(NudgedKey).key)
    return view_json(_desk(request).view())


def _desk(request: CallRequest) -> CalibrationDesk:
    desk = request.equipment.calibration
    room = request.services.room
    if desk is None and room is not None and not room.table.view.has_camera:
        raise CallError(
            404, "unknown", "No camera sees this game's board: there is nothing to look for."
        )
    if desk is None and room is not None:
        raise CallError(404, "unknown", "This is a demo game: its board is known already.")
    if desk is None:
        raise CallError(
            404, "unknown", "There is no board to look for: choose a board and a camera."
        )
    return desk


def _number(request: CallRequest, name: str) -> int | None:
    text = request.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 17):
        raise CallError(400, "wrong", "A picture's number is a whole number.")
    return int(text)


def _call(
    method: str, path: str, means: str, do: Callable[[CallRequest], Any], **more: Any
) -> Call:
    return Call(
        method,
        f"/calibration{path}",
        Who.HOST,
        means,
        with_refusals(do, REFUSALS),
        needs=Needs.CAMERA,
        **more,
    )


CALLS = (
    _call(
        "GET",
        "",
        "Where the board is, how it was found or why not, and what is wrong with the picture.",
        _view,
        queries=(Query("holding", "The number of a picture that is looked at: it is kept."),),
    ),
    _call(
        "GET",
        "/picture.jpg",
        "The picture that was looked at, in full.",
        _picture,
        gives="image/jpeg",
        queries=(WHICH,),
    ),
    _call("GET", "/spaces", "Where all spaces are in a picture.", _spaces, queries=(WHICH,)),
    _call(
        "PUT",
        "/corners",
        "Says where the board's corners are; that picture becomes the photo of the board.",
        _put_corners,
        body=GivenCorners,
    ),
    _call("POST", "/look", "Looks for the board anew, in the newest picture.", _look, body=Nothing),
    _call("POST", "/keep", "Keeps a picture as the photo of the board.", _keep, body=Picture),
    _call("PUT", "/nudges", "Moves a route or a space a little more.", _nudge, body=Nudge),
    _call(
        "DELETE",
        "/nudges",
        "Puts a route or a space back where it was measured, or all of them.",
        _take_back,
        body=NudgedKey,
    ),
)
