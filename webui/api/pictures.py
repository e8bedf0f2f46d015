"""Calls about pictures: what the camera sees, those of a phone that is the camera, photos."""

import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import msgspec
from flask import Response, url_for
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.live_table.pictures import PhoneCamera, PhoneView
from werkzeug.datastructures import FileStorage

from ..access.limits import Slot
from ..sessions.services import Needs
from . import responses
from .calls import JPEG, CallRequest, Json, Upload, Who, call
from .refusals import BUSY_S, CallError, reason_of

INTERVAL_S = 0.2  # the least time between two pictures of a camera stream
# After so long without a new frame the last one is sent again, to detect closed connections.
KEEPALIVE_S = 15.0
BOUNDARY = "frame"


@call("GET", "/camera.jpg", Who.TABLE, gives=JPEG, needs=Needs.CAMERA)
def get_camera_picture(request: CallRequest) -> Response:
    """What the camera sees."""
    newest = request.table.camera.newest()
    if newest is None:
        raise CallError(404, "unknown", "The camera has not sent a picture yet.")
    return responses.of(newest[1], JPEG)


@call("GET", "/camera.mjpg", Who.TABLE, gives="multipart/x-mixed-replace", needs=Needs.CAMERA)
def get_camera_stream(request: CallRequest) -> Response:
    """What the camera sees, moving."""
    limits = request.services.limits
    slot = limits.take("cameras", request.address)
    if slot is None:
        raise CallError(503, "full", "Too many pages show the camera: close one.", retry_after_s=10)
    media_type = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    response = Response(_camera_stream(request, slot), content_type=media_type)
    response.call_on_close(lambda: limits.release("cameras", slot))
    return response


def _camera_stream(request: CallRequest, slot: Slot) -> Iterator[bytes]:
    number, sent_s, is_over = 0, 0.0, request.table.is_over
    while not (is_over.wait(INTERVAL_S) or slot.is_over.is_set()):
        if (phone := request.phone) is not None and not Who.TABLE.may(phone):
            return  # it has lost its seat
        newest = request.table.camera.newest()
        if newest and (newest[0] != number or time.monotonic() > sent_s + KEEPALIVE_S):
            number, jpeg = newest
            sent_s = time.monotonic()
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n"
            yield head.encode() + b"\r\n" + jpeg + b"\r\n"


@call("GET", "/frames", Who.CAMERA, needs=Needs.CAMERA)
def get_sight(request: CallRequest) -> PhoneView:
    """What was seen in the phone's newest picture."""
    return _phone(request).sight()


@call("POST", "/frames", Who.CAMERA, upload=Upload.FRAME, rate="frame", needs=Needs.CAMERA)
def post_picture(
    request: CallRequest,
    content: bytes,
    kind: Annotated[
        Literal["film", "photo"],
        msgspec.Meta(description="`film`: taken while filming, so no two pictures are the same"),
    ] = "photo",
) -> Json:
    """Gives the table a picture of the phone that is the camera; only the newest counts."""
    phone = _phone(request)
    try:
        picture = request.services.photos.plain(content)
        whose = request.device.cookie_hash if request.device else ""
        count = phone.post(picture, whose, is_filmed=kind == "film")
    except PhotoError:
        raise
    except TableError as error:  # the photo reader failed
        raise CallError(503, "full", reason_of(error), retry_after_s=BUSY_S) from error
    if count is None:
        message = Sentence(
            "Another phone is the camera right now: stop it there, or wait a moment."
        )
        raise CallError(409, "taken", message)
    return {"number": count, **vars(phone.sight())}


def _phone(request: CallRequest) -> PhoneCamera:
    phone = request.table.phone
    if phone is None:
        raise CallError(
            404,
            "unknown",
            "This table watches through another camera: the host chooses a phone where a game is"
            " set up.",
        )
    return phone


@call("POST", "/photos", Who.ALL, upload=Upload.PHOTOS, rate="photo", needs=Needs.NOTHING)
def read_photos(request: CallRequest, photos: Sequence[FileStorage]) -> Json:
    """Reads an end-game photo; `page` has the result."""
    try:
        result = request.services.photos.read(photos)
    except PhotoError:
        raise
    except TableError as error:
        raise CallError(409, "no profile", reason_of(error)) from error
    return {"id": result.id, "page": url_for("result", name=result.id)}
