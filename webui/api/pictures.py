"""Calls about pictures: what the camera sees, those of a phone that is the camera, photos."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.board import Identifier
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.game_log.budgets import HOST
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.pictures import PhoneCamera, PhoneView
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.set_up.photo_game import (
    begin_photo_game,
    keep_photos,
    kept_photos,
    seen_facts,
)
from railspotter.table.set_up.planned_game import GameHandover
from werkzeug.datastructures import FileStorage

from ..access.limits import Slot
from ..errors import BoardNotFoundError
from ..sessions.photo_queue import MOST_TICKET
from ..sessions.services import GameSession, Needs
from . import responses
from .calls import JPEG, CallRequest, Corners, Json, Upload, Who, call, query_text
from .phones import with_new_cookie
from .refusals import BUSY_S, CallError, reason_of

INTERVAL_S = 0.2  # the least time between two pictures of a camera stream
# After so long without a new frame the last one is sent again, to detect closed connections.
KEEPALIVE_S = 15.0
BOUNDARY = "frame"
CORNERS = range(4)
GONE = Sentence("This photo is no longer kept: send it again.")


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


class PhotoRead(msgspec.Struct, frozen=True):
    """What was read of photos, and the game that they began or belong to."""

    reading: Json  # as `railspotter read --json` prints it
    id: str | None = None  # the game's; null while another game is played or set up
    page: str | None = None  # where the game goes on


Ticket = Annotated[
    str, query_text("Any text, by which `GET /photos/reading` tells how far it is.", MOST_TICKET)
]


@call("POST", "/photos", Who.ALL, upload=Upload.PHOTOS, rate="photo", needs=Needs.NOTHING)
def read_photos(
    request: CallRequest, photos: Sequence[FileStorage], ticket: Ticket = ""
) -> Response:
    """Reads photos of one board's end: at rest they begin a game, in that game they add to it."""
    game = _photo_game(request)
    kept = kept_photos(game.table.log.path) if game is not None else ()
    with _board_is_found(request):
        photo, files = request.services.photos.read(photos, ticket, kept)
    return _taken(request, game, photo, files)


@call("POST", "/photos/{id}/corners", Who.ALL, rate="photo", needs=Needs.NOTHING)
def read_photo_at_corners(
    request: CallRequest, id: str, *, corners_px: Corners, board: Identifier | None = None
) -> Response:
    """Reads a photo in which no board was found, by where its printed corners are."""
    game, boards = _photo_game(request), request.services.photos.reading.boards()
    if len(corners_px) != len(CORNERS) or (boards and board not in boards):
        raise CallError(400, "wrong", "Say where four corners are, and which board it is.")
    corners = tuple((x, y) for x, y in corners_px)
    with _board_is_found(request):
        read = request.services.photos.read_at(id, corners, board or "")
    if read is None:
        raise CallError(404, "unknown", GONE)
    return _taken(request, game, *read)


@call("GET", "/photos/{id}/photo.jpg", Who.ALL, gives=JPEG, needs=Needs.NOTHING)
def get_unfound_photo(request: CallRequest, id: str) -> Response:
    """A photo in which no board was found, upright; by an id that nobody can guess."""
    photo = request.services.photos.unfound(id)
    if photo is None:
        raise CallError(404, "unknown", GONE)
    return responses.of(photo[0], JPEG, **{"Cache-Control": "private, no-store"})


@call("GET", "/photos/reading", Who.ALL, needs=Needs.NOTHING)
def get_reading(request: CallRequest, ticket: Ticket = "") -> Json:
    """How far the photo with a ticket is, without one the photo that is read now; else null."""
    progress = request.services.photos.progress(ticket)
    return {"reading": progress and {**vars(progress), "seconds": round(progress.seconds)}}


def _photo_game(request: CallRequest) -> GameSession | None:
    """Return the game of a photo that runs, to whose players more photos are left; else None."""
    now = request.now
    if isinstance(now, GameSession) and now.table.log.state.table.started.origin == "photo":
        if not Who.TABLE.may(request.device):
            raise CallError(
                403, "not your role", Sentence("Only {who} may do this.", who=Who.TABLE.value)
            )
        return now
    return None


@contextmanager
def _board_is_found(request: CallRequest) -> Iterator[None]:
    """Refuse a photo without a board by where it is kept, and the boards that it may show."""
    try:
        yield
    except BoardNotFoundError as error:
        boards = dict(request.services.photos.reading.boards())
        raise CallError(
            422, "no board", reason_of(error), unfound=error.unfound or None, boards=boards
        ) from error
    except PhotoError:
        raise
    except TableError as error:
        raise CallError(409, "no profile", reason_of(error)) from error


def _taken(
    request: CallRequest, game: GameSession | None, photo: ScoredPhoto, files: Files
) -> Response:
    """Begin a game of a reading, or add it; whoever begins it may take a seat there."""
    services, reading = request.services, photo.as_json()
    if game is not None:
        with game.lock:
            table = game.table
            table.execute(seen_facts(photo, table.log.state.table), HOST)
            keep_photos(table.log.path, files)
        return responses.as_json(request, PhotoRead(reading, table.log.id, "/"))
    if not services.is_resting:
        return responses.as_json(request, PhotoRead(reading))
    begun: list[str] = []

    def begin() -> GameHandover:
        handover = begin_photo_game(GameStore(services.home), photo, files)
        begun.append(handover.game)
        return handover

    services.wish_at_rest(begin)
    answer = PhotoRead(reading, begun[0], "/")
    if Who.JOINED.may(request.device):
        return responses.as_json(request, answer)
    return with_new_cookie(request, lambda device: replace(device, has_joined=True), answer)
