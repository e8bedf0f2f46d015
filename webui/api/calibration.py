"""Calls about where the board is: how it was found, corners and spaces that a person moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response
from railspotter.scoring import Board
from railspotter.table.calibration_desk import CalibrationDesk, DeskView
from railspotter.table.errors import CalibratingError, HomeError, NotNowError

from ..rooms import Room
from .bodies import Nothing
from .calibration_bodies import GivenCorners, Nudge, NudgedKey, Picture
from .calls import Asked, Call, CallError, Needs, Query, Who, given

Json = dict[str, Any]
WHICH = Query("number", "The picture's number; without it the newest.")


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
