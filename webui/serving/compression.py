"""Sending text compressed: the page opens in a third of the bytes."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Request, Response

TEXTS = frozenset({"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"})
LEAST_BYTES = 1000  # below, a packet holds it anyway
# Ends of paths whose answers hold secrets: their length is not to depend on what is in them.
SECRETS = ("/hand", "/codes", "/join", "/card-games")
MOST_KEPT = 100  # compressed texts: the page's own files, and some states


def compress(request: Request, response: Response) -> Response:
    """Compress an answer that is text and public, where the browser takes it."""
    if (
        request.method != "GET"
        or response.status_code != 200
        or response.mimetype not in TEXTS
        or response.headers.get("Content-Encoding")
        or request.path.endswith(SECRETS)
    ):
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings.quality("gzip"):
        return response
    response.direct_passthrough = False
    content = response.get_data()
    if len(content) < LEAST_BYTES:
        return response
    response.set_data(_compressed(content))
    response.headers["Content-Encoding"] = "gzip"
    tag, _ = response.get_etag()
    if tag is not None:  # the same text, not the same bytes
        response.set_etag(tag, weak=True)
    return response


@lru_cache(MOST_KEPT)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
