"""Answers that are more than a value: pictures, files, keys, and what has not changed since."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..words.translation import json_bytes
from .calls import JSON, CallRequest

KEY_S = 30 * 24 * 3600  # a phone stays paired for a month; a game that is put by takes no longer
# May be kept by the browser, which asks each time whether it is still so.
PRIVATE = "private, no-cache"


def as_json(request: CallRequest, answer: Any) -> Response:
    """Return an answer as JSON, for one that more is said with."""
    return Response(json_bytes(answer, request.say), mimetype=JSON)


def set_key(request: CallRequest, response: Response, name: str, key: str, path: str = "/") -> None:
    """Give the phone that asks a cookie that opens something, below a path."""
    response.set_cookie(
        name,
        key,
        max_age=KEY_S,
        path=path,
        httponly=True,
        samesite="Strict",
        secure=request.origin.startswith("https:"),
    )


def of(content: bytes, media_type: str, **headers: str) -> Response:
    """Return an answer that is no JSON."""
    return Response(content, mimetype=media_type, headers=headers)


def download(content: bytes, media_type: str, file_name: str) -> Response:
    """Return an answer that browsers save as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return of(content, media_type, **headers)


def tagged(request: CallRequest, tag: str, content: Any) -> Response:
    """Return an answer under a tag, or that nothing changed for whoever has it under that.

    `content` is what JSON is made of, or a function that returns it where that takes work.
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
