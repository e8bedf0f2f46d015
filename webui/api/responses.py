"""Helpers for responses: JSON, downloads, cookies and ETags."""

from importlib.metadata import version
from typing import Any

from flask import Response

from ..words.translation import json_bytes
from .calls import JSON, CallRequest

KEY_S = 400 * 24 * 3600  # the lifetime of cookies: the longest that browsers allow
PRIVATE = "private, no-cache"  # `Cache-Control`: may be stored, but must be revalidated


def as_json(request: CallRequest, answer: Any) -> Response:
    """Return a JSON response, to add cookies or headers to."""
    return Response(json_bytes(answer, request.translate), mimetype=JSON)


def set_key(request: CallRequest, response: Response, name: str, key: str, path: str = "/") -> None:
    """Set a secret cookie for a path."""
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
    """Return a response with raw content."""
    return Response(content, mimetype=media_type, headers=headers)


def download(content: bytes, media_type: str, file_name: str) -> Response:
    """Return a response that browsers save as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return of(content, media_type, **headers)


def tagged(request: CallRequest, tag: str, content: Any) -> Response:
    """Return a JSON response with an ETag, or 304 if the client has it already.

    `content` is the value to encode, or a function that computes it.
    """
    response = Response(mimetype=JSON, headers={"Cache-Control": PRIVATE})
    # Another version of the program may tell the same in another form.
    tag = f"{tag}-{request.language}-{version('railspotter')}"
    response.set_etag(tag)
    if f'"{tag}"' in request.headers.get("If-None-Match", ""):
        response.status_code = 304
    else:
        value = content() if callable(content) else content
        response.data = json_bytes(value, request.translate)
    return response
