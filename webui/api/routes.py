"""The API's routes: authorisation, rate limits, parsing of requests, and the dispatch to calls."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import msgspec
from flask import Flask, Request, Response, g, request
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.sentence import Sentence, StatedError
from werkzeug.datastructures import FileStorage

from ..access.door import GUEST, refused_s
from ..access.gate import drain_body
from ..access.roles import Device
from ..sessions.services import GameSession, Needs, PageContext, Session
from ..words.translation import Statement, json_bytes, language_of, translator_to
from . import (
    boards,
    calibration,
    card_games,
    cards,
    dealt_card_games,
    display,
    disputes,
    game,
    hand,
    hand_photo,
    history,
    hosts,
    people,
    phones,
    pictures,
    set_up,
    state,
    table,
)
from .calls import JSON, Call, CallRequest, Upload, Who, calls_of, constraints_of
from .openapi import description
from .refusals import TOO_OFTEN, CallError, call_error_of, refusal_answer

BASE = "/api/v1"
MOST_FILE_BYTES = 2**25  # of a file that is sent alone, which is held in memory
MOST_BYTES = 2**16  # of a call's body; the longest, a confirmed board, takes some 10 kB
MOST_FRAME_BYTES = 8 * 2**20  # of a phone camera's picture; the page sends some 0.4 MB
DIGITS = re.compile("[0-9]{1,16}")
NOT_NOW = {
    Needs.GAME: Sentence("No game is played at this table now."),
    Needs.SET_UP: Sentence("No game is set up at this table now."),
    Needs.CAMERA: Sentence("No game is played or set up at this table now."),
}

CALLS = calls_of(
    table,
    state,
    phones,
    game,
    people,
    hosts,
    hand,
    hand_photo,
    cards,
    pictures,
    disputes,
    display,
    calibration,
    set_up,
    history,
    card_games,
    dealt_card_games,
    boards,
)


def add_api(app: Flask, page_context: PageContext, more: Sequence[Call] = ()) -> None:
    """Add the calls whose needs the page may meet, and their OpenAPI description.

    `more` are further calls, of a hall.
    """
    calls = [call for call in (*CALLS, *more) if call.needs in page_context.kinds]

    @cache
    def described() -> bytes:  # computed on demand: it takes a while, and is rarely needed
        return json_bytes(description(calls, BASE))

    @app.get(f"{BASE}/openapi.json")
    def openapi() -> Response:
        return Response(described(), mimetype=JSON)

    for call in calls:
        _add(app, call, page_context)


def is_api(path: str) -> bool:
    """Tell whether a path is the API's, whose errors are JSON."""
    return path == BASE or path.startswith(f"{BASE}/")


def _add(app: Flask, call: Call, page_context: PageContext) -> None:
    def answer(**named: str) -> Response:
        g.is_secret = call.who not in (Who.STRANGER, Who.ALL)
        language = language_of(request)
        say = translator_to(language)
        try:
            call_request = _authorised(call, page_context, language)
            arguments = {**named, **_uploads(call, request), **_queries(call, request)}
            with _exclusive(call, call_request.now):
                result = call.do(call_request, **arguments)
        except CallError as error:
            return refusal_answer(error, say)
        except StatedError as error:
            return refusal_answer(call_error_of(error), say)
        if isinstance(result, Response):
            return result
        return Response(json_bytes(result, say), mimetype=JSON)

    rule = BASE + re.sub(r"\{(\w+)\}", r"<\1>", call.path)
    name = f"{call.method} {call.path}"
    # No OPTIONS: it would pass the door and the rates.
    app.add_url_rule(rule, name, answer, methods=[call.method], provide_automatic_options=False)


def _authorised(call: Call, page_context: PageContext, language: str) -> CallRequest:
    """Check rate limit and access, the cheapest first; return the call's context."""
    address, guest = request.remote_addr or "", request.args.get(GUEST)
    if wait_s := page_context.limits.wait_s(call.limit, address):
        raise CallError(429, "too often", TOO_OFTEN, retry_after_s=wait_s)
    access, now = page_context.phone_access, page_context.now
    device = None if guest is not None else access.phone_by_cookies(request.cookies)
    if guest is not None or call.who is not Who.STRANGER:
        _check_door(page_context, device, guest)
    if not page_context.meets(call.needs, now):
        raise CallError(404, "not now", NOT_NOW[call.needs])
    if not call.who.may(device):
        message = Sentence("Only {who} may do this.", who=call.who.value)
        if device is None or device.is_sent_away:
            raise CallError(401, "unknown phone", message)
        raise CallError(403, "not your role", message)
    return CallRequest(
        page_context=page_context,
        now=now,
        device=device,
        address=address,
        origin=request.host_url,
        guest=guest,
        headers=request.headers,
        language=language,
        is_let_in=lambda: refused_s(request, device, access, page_context.limits) is None,
    )


def _check_door(page_context: PageContext, device: Device | None, guest: str | None) -> None:
    """Refuse a stranger, and a guest link's request that has an old token or changes anything."""
    access = page_context.phone_access
    wait_s = refused_s(request, device, access, page_context.limits)
    if wait_s:
        raise CallError(429, "too often", TOO_OFTEN, retry_after_s=wait_s)
    if wait_s is None:
        return
    if guest is None:
        raise CallError(403, "word", "This table asks for its word, below the code on its wall.")
    if access.devices.admits_guest(guest):
        raise CallError(403, "not your role", "With this link one can only look on.")
    raise CallError(403, "old", "This link works no more: the host may have another one.")


def _exclusive(call: Call, now: Session | None) -> AbstractContextManager[object]:
    """Return the game's lock for a changing call, since calls check the table before they act."""
    is_long = call.upload is Upload.PHOTOS  # they change nothing while they are read
    if (
        isinstance(now, GameSession)
        and call.needs is Needs.GAME
        and call.is_changing
        and not is_long
    ):
        return now.lock
    return nullcontext()


def _uploads(call: Call, request: Request) -> dict[str, Any]:
    """Return a call's body or its fields, photos or file, by parameter name."""
    if call.upload is Upload.PHOTOS:
        return {"photos": _photos(request)}
    if call.upload is not None:
        return {"content": _content(request, call.upload)}
    if call.body is None:
        return {}
    body = _body(call.body, request)
    return msgspec.structs.asdict(body) if call.is_spread else {"body": body}


def _queries(call: Call, request: Request) -> dict[str, Any]:
    """Return the parsed query parameters that were sent."""
    return {
        name: _query(request.args[name], kind)
        for name, kind in call.queries.items()
        if name in request.args
    }


def _query(text: str, kind: Any) -> Any:
    refusals = [meta.extra["refusal"] for meta in constraints_of(kind) if meta.extra]
    # Only digits: no 1e3.
    value = int(text) if refusals and DIGITS.fullmatch(text) else text
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message = refusals[0] if refusals else Statement(str(error))
        raise CallError(400, "wrong", message) from error


def _photos(request: Request) -> list[FileStorage]:
    if request.mimetype != "multipart/form-data":
        raise CallError(415, "not a form", "Send the photo as multipart/form-data.")
    return request.files.getlist("photo")


def _content(request: Request, upload: Upload) -> bytes:
    """Read an uploaded file; raises `CallError` for another type or size."""
    most = MOST_FRAME_BYTES if upload is Upload.FRAME else MOST_FILE_BYTES
    if request.mimetype != upload.value:
        raise CallError(415, "not a file", Sentence("Send the file as {kind}.", kind=upload.value))
    return _read(request, most, Sentence("A file has at most {most} bytes.", most=most))


def _read(request: Request, most: int, refusal: Sentence) -> bytes:
    """Read the request's content; raises `CallError` if it exceeds `most` bytes."""
    length = request.content_length or 0
    content: bytes = request.stream.read(most + 1) if length <= most else b""
    if max(length, len(content)) > most:
        drain_body(request)
        raise CallError(413, "too large", refusal)
    return content


def _body(kind: type[msgspec.Struct], request: Request) -> msgspec.Struct:
    """Read and decode the JSON body."""
    if request.mimetype != JSON:
        raise CallError(415, "not JSON", "Send application/json.")
    most = MOST_BYTES
    content = _read(request, most, Sentence("A call's body has at most {most} bytes.", most=most))
    try:
        return parse_json(content or b"{}", kind, StatedError)
    except StatedError as error:
        raise CallError(400, "wrong", Statement(error.sentence)) from error
