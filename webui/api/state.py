"""Calls that only look: the state, the board, the log, its pictures, the camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.ticket_deck import ticket_deck
from railspotter.table.game_log import exports
from railspotter.table.plays.play import play_of

from ..access.limits import Place
from ..access.roles import Device
from ..feed.public_state import PublicGame, entry
from ..feed.stream import Stream
from ..rooms.services import Needs
from ..words.translation import json_bytes
from .calls import (
    JPEG,
    JSON,
    CallRequest,
    Json,
    Who,
    call,
    content_response,
    download_response,
    query_number,
)
from .plays import PLAYS, play_response
from .refusals import CallError

CAMERA_S = 0.2  # a picture of the moving camera is shown for so long at least
# After so long without a new frame the last one is sent again: so it is noticed who has gone.
MOST_SILENT_S = 15.0
BOUNDARY = "frame"
NDJSON = "application/x-ndjson"
# May be kept by the browser, which asks each time whether it is still so.
PRIVATE = "private, no-cache"

After = Annotated[
    int,
    query_number(
        "Only events with a greater number.",
        Sentence("after is the number of an event: a whole number."),
    ),
]


def device_json(device: Device | None) -> Json:
    """Return who a phone is."""
    device = device or Device("")
    return {
        "role": device.role,
        "is_host": device.is_host,
        "seat": device.seat,
        "has_joined": device.has_joined or device.is_host,
        "is_camera": device.is_camera,
        "lost_seat": device.lost_seat,
    }


@call("GET", "/state", Who.ALL)
def get_state(request: CallRequest) -> Response:
    """All that everyone may see, and who you are."""
    now, own = request.room.feed.now(), device_json(request.device)
    names = ("role", "seat", "is_host", "has_joined", "is_camera", "lost_seat")
    marks = [now.number, *(own[name] or "" for name in names)]
    tag = "-".join(str(mark) for mark in marks)
    return tagged_response(request, tag, {**now.state, "you": own})


def tagged_response(request: CallRequest, tag: str, content: Any) -> Response:
    """Return an answer under a tag, or that nothing changed for whoever has it under that.

    Parameters
    ----------
    content : object
        What JSON is made of, or a function that returns it where that takes work.
    """
    response = Response(mimetype=JSON, headers={"Cache-Control": PRIVATE})
    tag = f"{tag}-{request.language}"
    response.set_etag(tag)
    if f'"{tag}"' in request.headers.get("If-None-Match", ""):
        response.status_code = 304
    else:
        value = content() if callable(content) else content
        response.data = json_bytes(value, request.say)
    return response


@call("GET", "/you", Who.ALL, needs=Needs.DOOR)
def get_you(request: CallRequest) -> Json:
    """Who you are."""
    return device_json(request.device)


@call("GET", "/events", Who.ALL, gives="text/event-stream")
def get_events(request: CallRequest) -> Response:
    """What changes, as it does."""
    return stream_response(request, request.room.feed.streams[request.language])


def stream_response(request: CallRequest, stream: Stream) -> Response:
    """Return what a stream tells from where the phone left off, as long as there is a place."""
    limits = request.entrance.limits
    place = limits.take("streams", request.address, stream.wake)
    if place is None:
        raise CallError(503, "full", "Too many pages are open: close some.", retry_after_s=10)
    last = request.headers.get("Last-Event-ID", "")
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 18 else None
    response = Response(stream.listen(after, place.is_over), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-cache"
    response.call_on_close(lambda: limits.give_back("streams", place))
    if request.guest is not None:
        guest_link = request.services.door.guest_link
        guest_link.hold(place, request.guest)
        response.call_on_close(lambda: guest_link.let_go(place))
    return response


@call("GET", "/board", Who.ALL)
def get_board(request: CallRequest) -> Response:
    """The board, to draw it."""
    now = request.room.feed.now()
    return tagged_response(
        request, f"board-{now.game.id}", lambda: board_json(now.game.position.board)
    )


def board_json(board: Board) -> Json:
    """Return all that a board is drawn with."""
    return {**msgspec.to_builtins(board), "lanes": board.lanes}


@call("GET", "/deck", Who.ALL)
def get_deck(request: CallRequest) -> Response:
    """The edition's tickets and colours."""
    now = request.room.feed.now()
    edition = now.game.edition

    def content() -> Json:
        return {
            "edition": edition.id,
            "title": edition.title,
            "colours": edition.colours,
            "tickets": ticket_deck(edition, now.game.position.board),
        }

    return tagged_response(request, f"deck-{now.game.id}", content)


@call("GET", "/log", Who.ALL)
def get_log(request: CallRequest, after: After = 0) -> Json:
    """The public events."""
    game = request.room.feed.now().game
    numbers = game.log.number_by_seq
    return {
        "events": [entry(event, game) for event in game.log.events if numbers[event.seq] > after]
    }


@call("GET", "/log/{seq}/crop.jpg", Who.ALL, gives=JPEG)
def get_event_picture(request: CallRequest, seq: str) -> Response:
    """The picture that proves an event."""
    is_number = seq.isascii() and seq.isdigit()
    own_seq = request.room.feed.now().game.log.seq_of(int(seq)) if is_number else None
    crops = request.room.table.log.crops(own_seq) if own_seq is not None else ()
    if not crops:
        raise CallError(404, "unknown", "There is no picture of such an event.")
    return content_response(
        crops[0], JPEG, **{"Cache-Control": "private, max-age=86400, immutable"}
    )


@call("GET", "/questions/{id}/crop.jpg", Who.ALL, gives=JPEG)
def get_question_picture(request: CallRequest, id: str) -> Response:
    """The picture that a question is about."""
    question = request.room.table.questions.find(id)
    if question is None or not question.crop:
        raise CallError(404, "unknown", "This question is not open, or has no picture.")
    return content_response(question.crop, JPEG)


@call("GET", "/camera.jpg", Who.TABLE, gives=JPEG, needs=Needs.CAMERA)
def get_camera_picture(request: CallRequest) -> Response:
    """What the camera sees."""
    newest = request.equipment.camera.newest()
    if newest is None:
        raise CallError(404, "unknown", "The camera has not sent a picture yet.")
    return content_response(newest[1], JPEG)


@call("GET", "/camera.mjpg", Who.TABLE, gives="multipart/x-mixed-replace", needs=Needs.CAMERA)
def get_camera_stream(request: CallRequest) -> Response:
    """What the camera sees, moving."""
    limits = request.services.limits
    place = limits.take("cameras", request.address)
    if place is None:
        raise CallError(503, "full", "Too many pages show the camera: close one.", retry_after_s=10)
    media_type = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    response = Response(_pictures(request, place), content_type=media_type)
    response.call_on_close(lambda: limits.give_back("cameras", place))
    return response


def _pictures(request: CallRequest, place: Place) -> Iterator[bytes]:
    number, sent_s, is_over = 0, 0.0, request.equipment.is_over
    while not (is_over.wait(CAMERA_S) or place.is_over.is_set()):
        newest = request.equipment.camera.newest()
        if newest and (newest[0] != number or time.monotonic() > sent_s + MOST_SILENT_S):
            number, jpeg = newest
            sent_s = time.monotonic()
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n"
            yield head.encode() + b"\r\n" + jpeg + b"\r\n"


@call("GET", "/export/{format}", Who.ALL, gives="*/*")
def export(request: CallRequest, format: str) -> Response:
    """The game as a file, without secrets: jsonl, csv, game; over, bgstats or bgg."""
    return export_response(request, request.room.feed.now().game, format)


def export_response(request: CallRequest, public: PublicGame, format: str) -> Response:
    """Return a game as a file, without secrets."""
    game = public.log.as_game()
    if format in PLAYS:
        return play_response(request, play_of(public.id, game, public.answer), format)
    match format:
        case "jsonl":
            text, media_type, ending = exports.jsonl(game, with_secrets=True), NDJSON, "jsonl"
        case "csv":
            text, media_type, ending = exports.table(game, with_secrets=True), "text/csv", "csv"
        case "game":
            text, media_type, ending = exports.game(game), JSON, "json"
        case _:
            raise CallError(404, "unknown", "A game is given as jsonl, csv, game, bgstats or bgg.")
    return download_response(text.encode(), media_type, f"game.{ending}")
