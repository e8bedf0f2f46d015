"""Calls of the phone that is the camera: its pictures come in, and what was seen goes back."""

from __future__ import annotations

from typing import Any

from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.live_table.pictures import PhoneCamera

from ..errors import BusyError
from ..rooms.services import Needs
from ..words.translation import Statement
from .calls import Call, CallError, CallRequest, Upload, Who


def _post(request: CallRequest) -> dict[str, Any]:
    phone = _phone(request)
    try:
        content = request.services.photos.plain(request.content)
        count = phone.post(content, request.device.cookie_hash if request.device else "")
    except PhotoError as error:
        raise CallError(400, "wrong", Statement(str(error))) from error
    except (BusyError, TableError) as error:
        raise CallError(503, "full", Statement(str(error)), retry_after_s=5) from error
    if count is None:
        message = Sentence(
            "Another phone is the camera right now: stop it there, or wait a moment."
        )
        raise CallError(409, "taken", message)
    return {"number": count, **_sight_json(phone)}


def _look(request: CallRequest) -> dict[str, Any]:
    return _sight_json(_phone(request))


def _sight_json(phone: PhoneCamera) -> dict[str, Any]:
    sight = phone.sight()
    return {
        "state": sight.state,
        "camera": sight.camera,
        "board": sight.board,
        "outline": sight.outline,
        "doubts": sight.doubts,
    }


def _phone(request: CallRequest) -> PhoneCamera:
    phone = request.equipment.phone
    if phone is None:
        raise CallError(
            404,
            "unknown",
            "This table watches through another camera: start it with --source phone.",
        )
    return phone


CALLS = (
    Call(
        "GET",
        "/frames",
        Who.CAMERA,
        "What was seen in the phone's newest picture.",
        _look,
        needs=Needs.CAMERA,
    ),
    Call(
        "POST",
        "/frames",
        Who.CAMERA,
        "Gives the table a picture of the phone that is the camera; only the newest counts.",
        _post,
        upload=Upload.FRAME,
        rate="frame",
        needs=Needs.CAMERA,
    ),
)
