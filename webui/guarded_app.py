"""The base Flask app of all pages: request checks, security headers, compression and errors."""

import gzip
from collections.abc import Callable
from functools import lru_cache

from flask import Flask, Request, Response, g, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from .access.gate import MOST_BYTES, check_rate, check_request, drain_body, guard_response
from .access.limits import Limits
from .api.refusals import page_refusal
from .api.routes import is_api
from .pages import texts
from .pages.installed import add_installed
from .words.translation import language_of, translator_to

TEXTS = frozenset({"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"})
LEAST_BYTES = 1000  # a smaller response fits into one packet anyway
MOST_CACHED = 100  # compressed texts: static files, and some states
Answer = tuple[str, int]


def compress(request: Request, response: Response) -> Response:
    """Compress a public text response if the browser accepts gzip.

    What not everybody may see is not compressed (`g.is_secret`), so that its length tells nothing.
    """
    if (
        request.method != "GET"
        or response.status_code != 200
        or response.mimetype not in TEXTS
        or response.headers.get("Content-Encoding")
        or g.get("is_secret")
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
    if tag is not None:  # the same text in other bytes
        response.set_etag(tag, weak=True)
    return response


@lru_cache(MOST_CACHED)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def guarded_app(limits: Limits, problem_page: Callable[[int], Answer | Response]) -> Flask:
    """Build the base app; `problem_page` renders the page for an HTTP error status."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(texts=texts, most_bytes=MOST_BYTES)
    app.context_processor(_language)

    @app.before_request
    def gate() -> Response | None:
        check_request(request)
        is_call = is_api(request.path) and request.endpoint not in (None, "openapi")
        return None if is_call else check_rate(request, limits)

    app.after_request(guard_response)
    app.after_request(lambda response: compress(request, response))
    add_installed(app)

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Answer | Response:
        code = error.code or 500
        if code == 413:
            drain_body(request)
        if is_api(request.path):
            return page_refusal(error, translator_to(language_of(request)))
        return problem_page(code)

    return app


def _language() -> dict[str, object]:
    """Return the templates' variables for the reader's language, and its translator."""
    language = language_of(request)
    return {"language": language, "say": translator_to(language)}
