"""Calls that only look: the state, the board, the log, its pictures, the camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response
from railspotter.scoring.board import Board
from railspotter.scoring.ticket_deck import ticket_deck
from railspotter.table.game_log import exports
from railspotter.table.plays.play import play_of

from ..access.limits import Place
from ..access.roles import Device
from ..feed.public_state import PublicGame, entry
from ..feed.stream import Stream
from ..rooms.services import Needs
from ..words.translation import json_bytes
from .calls import GUEST, Call, CallError, CallRequest, Query, Who, content_response
from .plays import PLAYS, play_response

CAMERA_S = 0.2  # a picture of the moving camera is shown for so long at least
# After so long without a new frame the last one is sent again: so it is noticed who has gone.
MOST_SILENT_S = 15.0
BOUNDARY = "frame"
NDJSON = "application/x-ndjson"
# May be kept by the browser, which asks each time whether it is still so.
PRIVATE = "private, no-cache"


def device_json(device: Device | None) -> dict[str, Any]:
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


def _state(request: CallRequest) -> Response:
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
    response = Response(mimetype="application/json", headers={"Cache-Control": PRIVATE})
    tag = f"{tag}-{request.language}"
    response.set_etag(tag)
    if f'"{tag}"' in request.headers.get("If-None-Match", ""):
        response.status_code = 304
    else:
        value = content() if callable(content) else content
        response.data = json_bytes(value, request.say)
    return response


def _you(request: CallRequest) -> dict[str, Any]:
    return device_json(request.device)


def _events(request: CallRequest) -> Response:
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
    if GUEST in request.query:
        guest_link = request.services.door.guest_link
        guest_link.hold(place, request.query[GUEST])
        response.call_on_close(lambda: guest_link.let_go(place))
    return response


def _board(request: CallRequest) -> Response:
    now = request.room.feed.now()
    return tagged_response(
        request, f"board-{now.game.id}", lambda: board_json(now.game.position.board)
    )


def board_json(board: Board) -> dict[str, Any]:
    """Return all that a board is drawn with."""
    return {**msgspec.to_builtins(board), "lanes": board.lanes}


def _deck(request: CallRequest) -> Response:
    now = request.room.feed.now()
    edition = now.game.edition

    def content() -> dict[str, Any]:
        return {
            "edition": edition.id,
            "title": edition.title,
            "colours": edition.colours,
            "tickets": ticket_deck(edition, now.game.position.board),
        }

    return tagged_response(request, f"deck-{now.game.id}", content)


def _log(request: CallRequest) -> dict[str, Any]:
    text = request.query.get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 17):
        raise CallError(400, "wrong", "after is the number of an event: a whole number.")
    game = request.room.feed.now().game
    after, log = int(text), game.log
    return {
        "events": [
            entry(event, game) for event in log.events if log.number_by_seq[event.seq] > after
        ]
    }


def _log_crop(request: CallRequest) -> Response:
    number = request.named["seq"]
    log = request.room.feed.now().game.log
    seq = log.seq_of(int(number)) if number.isascii() and number.isdigit() else None
    crops = request.room.table.log.crops(seq) if seq is not None else ()
    if not crops:
        raise CallError(404, "unknown", "There is no picture of such an event.")
    return content_response(
        crops[0], "image/jpeg", **{"Cache-Control": "private, max-age=86400, immutable"}
    )


def _question_crop(request: CallRequest) -> Response:
    question = request.room.table.questions.find(request.named["id"])
    if question is None or not question.crop:
        raise CallError(404, "unknown", "This question is not open, or has no picture.")
    return content_response(question.crop, "image/jpeg")


def _still(request: CallRequest) -> Response:
    newest = request.equipment.camera.newest()
    if newest is None:
        raise CallError(404, "unknown", "The camera has not sent a picture yet.")
    return content_response(newest[1], "image/jpeg")


def _moving(request: CallRequest) -> Response:
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


def _export(request: CallRequest) -> Response:
    return export_response(request, request.room.feed.now().game)


def export_response(request: CallRequest, public: PublicGame) -> Response:
    """Return a game as a file, without secrets."""
    format, game = request.named["format"], public.log.as_game()
    if format in PLAYS:
        return play_response(request, play_of(public.id, game, public.answer))
    match format:
        case "jsonl":
            text, media_type, ending = exports.jsonl(game, with_secrets=True), NDJSON, "jsonl"
        case "csv":
            text, media_type, ending = exports.table(game, with_secrets=True), "text/csv", "csv"
        case "game":
            text, media_type, ending = exports.game(game), "application/json", "json"
        case _:
            raise CallError(404, "unknown", "A game is given as jsonl, csv, game, bgstats or bgg.")
    name = f'attachment; filename="game.{ending}"'
    return content_response(text.encode(), media_type, **{"Content-Disposition": name})


CALLS = (
    Call("GET", "/state", Who.ALL, "All that everyone may see, and who you are.", _state),
    Call("GET", "/you", Who.ALL, "Who you are.", _you, needs=Needs.DOOR),
    Call(
        "GET", "/events", Who.ALL, "What changes, as it does.", _events, gives="text/event-stream"
    ),
    Call("GET", "/board", Who.ALL, "The board, to draw it.", _board),
    Call("GET", "/deck", Who.ALL, "The edition's tickets and colours.", _deck),
    Call(
        "GET",
        "/log",
        Who.ALL,
        "The public events.",
        _log,
        queries=(Query("after", "Only events with a greater number."),),
    ),
    Call(
        "GET",
        "/log/{seq}/crop.jpg",
        Who.ALL,
        "The picture that proves an event.",
        _log_crop,
        gives="image/jpeg",
    ),
    Call(
        "GET",
        "/questions/{id}/crop.jpg",
        Who.ALL,
        "The picture that a question is about.",
        _question_crop,
        gives="image/jpeg",
    ),
    Call(
        "GET",
        "/camera.jpg",
        Who.TABLE,
        "What the camera sees.",
        _still,
        gives="image/jpeg",
        needs=Needs.CAMERA,
    ),
    Call(
        "GET",
        "/camera.mjpg",
        Who.TABLE,
        "What the camera sees, moving.",
        _moving,
        gives="multipart/x-mixed-replace",
        needs=Needs.CAMERA,
    ),
    Call(
        "GET",
        "/export/{format}",
        Who.ALL,
        "The game as a file, without secrets: jsonl, csv, game; over, bgstats or bgg.",
        _export,
        gives="*/*",
    ),
)
