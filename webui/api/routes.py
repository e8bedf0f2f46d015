"""The calls of the programming interface on the page: who asks, may they, what do they say."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Flask, Request, Response, request
from railspotter.scoring.malformed import MALFORMED, malformed
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import TableError, TakingBackError, UnaskedError
from railspotter.table.game_log.errors import BudgetError, EventError, LogFileError
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import HTTPException

from ..access.gate import MOST_BYTES as MOST_FILE_BYTES
from ..access.gate import swallow_body
from ..errors import PairingError
from ..rooms.services import Entrance
from ..words.languages import language_of, translator_to
from ..words.translation import Statement, Translator, json_bytes
from . import (
    boards,
    calibration,
    camera,
    card_deck,
    card_games,
    cards,
    display,
    game,
    guest_link,
    hand,
    history,
    people,
    phones,
    photos,
    set_up,
    state,
)
from .calls import GUEST, Call, CallError, CallRequest, Upload, reason_of
from .openapi import description

BASE = "/api/v1"
# The largest body of a call; the longest, a whole board that is confirmed, takes some 10 kB.
MOST_BYTES = 2**16

# The largest picture from the phone that is the camera; the page sends some 0.4 MB.
MOST_FRAME_BYTES = 8 * 2**20

CALLS = (
    *state.CALLS,
    *phones.CALLS,
    *guest_link.CALLS,
    *game.CALLS,
    *people.CALLS,
    *hand.CALLS,
    *cards.CALLS,
    *photos.CALLS,
    *display.CALLS,
    *camera.CALLS,
    *calibration.CALLS,
    *set_up.CALLS,
    *history.CALLS,
    *card_games.CALLS,
    *card_deck.CALLS,
    *boards.CALLS,
)


def add_api(app: Flask, entrance: Entrance, more: Sequence[Call] = ()) -> None:
    """Add the calls to the page whose needs are met there, and their description.

    Parameters
    ----------
    more : sequence of Call
        Calls that no page at a table has.
    """
    calls = [call for call in (*CALLS, *more) if entrance.has(call.needs)]
    text = json_bytes(description(calls, BASE))

    @app.get(f"{BASE}/openapi.json")
    def openapi() -> Response:
        return Response(text, mimetype="application/json")

    for call in calls:
        _add(app, call, entrance)


def is_api(path: str) -> bool:
    """Tell whether a path is the programming interface's, whose refusals are JSON."""
    return path == BASE or path.startswith(f"{BASE}/")


def refusal(error: CallError, say: Translator) -> Response:
    """Return the answer to a refused call, in the language of who asked."""
    answer = {"error": {"code": error.code, "message": error.message}, **error.more}
    response = Response(json_bytes(answer, say), error.status, mimetype="application/json")
    if (retry_after_s := error.more.get("retry_after_s")) is not None:
        response.headers["Retry-After"] = str(math.ceil(retry_after_s))
    return response


def refusal_of(error: HTTPException, say: Translator) -> Response:
    """Return the answer to a request that the page itself refuses."""
    codes = {404: "unknown", 405: "wrong method", 413: "too large", 403: "another site"}
    status = error.code or 500
    message = {
        403: Sentence("This came from another site's page, so it was refused."),
        404: Sentence("There is no such call."),
        405: Sentence("This call is made in another way."),
        413: Sentence("This is too large."),
        421: Sentence("This program is not known by that name: open it by its address."),
    }.get(
        status,
        Sentence("That did not work.") if status < 500 else Sentence("Something went wrong here."),
    )
    answer = refusal(CallError(status, codes.get(status, "wrong"), message), say)
    if allowed := getattr(error, "valid_methods", None):
        answer.headers["Allow"] = ", ".join(allowed)
    return answer


def _add(app: Flask, call: Call, entrance: Entrance) -> None:
    def answer(**named: str) -> Response:
        language = language_of(request)
        say = translator_to(language)
        try:
            result = call.do(_call_request(call, entrance, named, language))
        except CallError as error:
            return refusal(error, say)
        except (LogFileError, PairingError) as error:
            return refusal(CallError(503, "not written", reason_of(error)), say)
        except BudgetError as error:
            return refusal(CallError(409, "full", reason_of(error)), say)
        except TakingBackError as error:
            code = "asked" if isinstance(error, UnaskedError) else "refused"
            return refusal(CallError(409, code, reason_of(error)), say)
        except (EventError, TableError) as error:
            return refusal(CallError(400, "wrong", reason_of(error)), say)
        if isinstance(result, Response):
            return result
        return Response(json_bytes(result, say), call.status, mimetype="application/json")

    rule = BASE + re.sub(r"\{(\w+)\}", r"<\1>", call.path)
    app.add_url_rule(rule, f"{call.method} {call.path}", answer, methods=[call.method])


def _call_request(
    call: Call, entrance: Entrance, named: dict[str, str], language: str
) -> CallRequest:
    """Check a request, the cheapest first, and return the call that it makes."""
    address = request.remote_addr or ""
    if wait_s := entrance.limits.wait_s(call.limit, address):
        raise CallError(429, "too often", "Too much at once: wait a moment.", retry_after_s=wait_s)
    cookie, device = entrance.door.phone_of(request.cookies)
    if GUEST in request.args:
        _check_guest(call, entrance, request.args[GUEST], address)
        cookie, device = "", None
    if not call.who.may(device):
        if device is None or device.is_sent_away:
            raise CallError(
                401, "unknown phone", Sentence("Only {who} may do this.", who=call.who.value)
            )
        raise CallError(
            403, "not your role", Sentence("Only {who} may do this.", who=call.who.value)
        )
    return CallRequest(
        entrance=entrance,
        device=device,
        cookie=cookie,
        address=address,
        origin=request.host_url,
        body=_body(call.body, request) if call.body is not None else None,
        uploads=_uploads(request) if call.upload is Upload.PHOTOS else (),
        content=_content(request, call.upload),
        named=named,
        query=request.args,
        headers=request.headers,
        language=language,
    )


def _check_guest(call: Call, entrance: Entrance, token: str, address: str) -> None:
    """Refuse a request by the guest link that is more than looking on, or by an old one."""
    if not entrance.door.guest_link.admits(token):
        if wait_s := entrance.limits.wait_s("join", address):
            raise CallError(
                429, "too often", "Too much at once: wait a moment.", retry_after_s=wait_s
            )
        raise CallError(403, "old", "This link works no more: the host may have another one.")
    if call.is_changing:
        raise CallError(403, "not your role", "With this link one can only look on.")


def _uploads(request: Request) -> list[FileStorage]:
    if request.mimetype != "multipart/form-data":
        raise CallError(415, "not a form", "Send the photo as multipart/form-data.")
    return request.files.getlist("photo")


def _content(request: Request, upload: Upload | None) -> bytes:
    """Read a file that is sent as it is; empty where none is."""
    if upload is None or upload is Upload.PHOTOS:
        return b""
    most = MOST_FRAME_BYTES if upload is Upload.FRAME else MOST_FILE_BYTES
    if request.mimetype != upload.value:
        raise CallError(415, "not a file", Sentence("Send the file as {kind}.", kind=upload.value))
    content = b""
    if (request.content_length or 0) <= most:
        content = request.stream.read(most + 1)
    if (request.content_length or len(content)) > most:
        swallow_body(request)
        raise CallError(413, "too large", Sentence("A file has at most {most} bytes.", most=most))
    return content


def _body(kind: type[msgspec.Struct], request: Request) -> Any:
    """Read what is sent with a call."""
    if request.mimetype != "application/json":
        raise CallError(415, "not JSON", "Send application/json.")
    if (request.content_length or 0) > MOST_BYTES:
        raise CallError(
            413, "too large", Sentence("A call's body has at most {most} bytes.", most=MOST_BYTES)
        )
    content = request.stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise CallError(
            413, "too large", Sentence("A call's body has at most {most} bytes.", most=MOST_BYTES)
        )
    try:
        return msgspec.json.decode(content or b"{}", type=kind)
    except MALFORMED as error:
        raise CallError(400, "wrong", Statement(malformed(content or b"{}", kind))) from error
