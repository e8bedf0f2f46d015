"""Calls about where the board is: how it was found, corners and spaces that a person moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.scoring import Board
from railspotter.table.calibration_desk import CalibrationDesk, DeskView
from railspotter.table.errors import CalibratingError, HomeError, NotNowError

from ..rooms import Needs, Room
from .calls import Asked, Body, Call, CallError, Corner, Nothing, Query, Who, given

Json = dict[str, Any]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Step = Annotated[float, msgspec.Meta(ge=-100, le=100)]
Key = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,80}(#[0-9]{1,2})?$")]
"""A route's or a site's id, or one of its spaces as `helena--seattle#2`."""
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


def refusing(do: Callable[[Asked], Any]) -> Callable[[Asked], Any]:
    """Make refusals of what cannot be done with a board, or with the disk."""

    @wraps(do)
    def answer(asked: Asked) -> Any:
        try:
            return do(asked)
        except NotNowError as error:
            raise CallError(409, "not now", f"{error}.") from error
        except HomeError as error:
            raise CallError(503, "not written", f"{error}.") from error
        except CalibratingError as error:
            raise CallError(400, "wrong", f"{error}.") from error

    return answer


def _view(asked: Asked) -> Json:
    return told(_desk(asked).view(_number(asked, "holding")))


def told(view: DeskView) -> Json:
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


def _picture(asked: Asked) -> Response:
    return given(_desk(asked).picture(_number(asked, "number")), "image/jpeg")


def _spaces(asked: Asked) -> Json:
    desk = _desk(asked)
    number, spaces = desk.spaces(_number(asked, "number"))
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


def _put_corners(asked: Asked) -> Json:
    said = asked.said(GivenCorners)
    corners = tuple((x, y) for x, y in said.corners_px)
    _desk(asked).put_corners(corners, said.picture, is_exact=said.is_exact)
    return told(_desk(asked).view())


def _look(asked: Asked) -> Json:
    _desk(asked).look()
    return told(_desk(asked).view())


def _keep(asked: Asked) -> Json:
    _desk(asked).keep(asked.said(Picture).picture)
    return told(_desk(asked).view())


def _nudge(asked: Asked) -> Json:
    said = asked.said(Nudge)
    dx, dy = said.dxy_mm
    _desk(asked).nudge(said.key, (dx, dy))
    return told(_desk(asked).view())


def _take_back(asked: Asked) -> Json:
    _desk(asked).take_back(asked.said(NudgedKey).key)
    return told(_desk(asked).view())


def _desk(asked: Asked) -> CalibrationDesk:
    desk = asked.watched.calibration
    if desk is None and isinstance(asked.door, Room):
        raise CallError(404, "unknown", "This game is only drawn: its board is known already.")
    if desk is None:
        raise CallError(
            404, "unknown", "There is no board to look for: choose a board and a camera."
        )
    return desk


def _number(asked: Asked, name: str) -> int | None:
    text = asked.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 17):
        raise CallError(400, "wrong", "A picture's number is a whole number.")
    return int(text)


def _call(method: str, path: str, means: str, do: Callable[[Asked], Any], **more: Any) -> Call:
    return Call(
        method,
        f"/calibration{path}",
        Who.HOST,
        means,
        refusing(do),
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
