"""Calls of the phone that is the camera: its pictures come in, and what was seen goes back."""

from __future__ import annotations

from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.live_table.phone_camera import PhoneCamera

from ..rooms.services import Needs
from .calls import CallRequest, Json, Upload, Who, call
from .refusals import BUSY_S, CallError, reason_of


@call("GET", "/frames", Who.CAMERA, needs=Needs.CAMERA)
def get_sight(request: CallRequest) -> Json:
    """What was seen in the phone's newest picture."""
    return _sight_json(_phone(request))


@call("POST", "/frames", Who.CAMERA, upload=Upload.FRAME, rate="frame", needs=Needs.CAMERA)
def post_picture(request: CallRequest, content: bytes) -> Json:
    """Gives the table a picture of the phone that is the camera; only the newest counts."""
    phone = _phone(request)
    try:
        picture = request.services.photos.plain(content)
        count = phone.post(picture, request.device.cookie_hash if request.device else "")
    except PhotoError:
        raise
    except TableError as error:  # whatever reads photos did not
        raise CallError(503, "full", reason_of(error), retry_after_s=BUSY_S) from error
    if count is None:
        message = Sentence(
            "Another phone is the camera right now: stop it there, or wait a moment."
        )
        raise CallError(409, "taken", message)
    return {"number": count, **_sight_json(phone)}


def _sight_json(phone: PhoneCamera) -> Json:
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
