"""An app before it has any page: every request passes the gate, every answer is guarded."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from .access.gate import MOST_BYTES, check_request, guard_response, swallow_body
from .access.limits import Limits
from .api.refusals import page_refusal
from .api.routes import is_api
from .pages import texts
from .pages.installed import add_installed
from .pages.page_rate import refuse_haste
from .serving.compression import compress
from .words.languages import language_of, translator_to

Answer = tuple[str, int]


def guarded_app(limits: Limits, problem_page: Callable[[int], Answer | Response]) -> Flask:
    """Build an app with what all pages share.

    Parameters
    ----------
    limits : Limits
        How often one address may ask.
    problem_page : callable
        Returns what is shown for an HTTP status where a page is refused.
    """
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
        return None if is_call else refuse_haste(request, limits)

    app.after_request(guard_response)
    app.after_request(lambda response: compress(request, response))
    add_installed(app)

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Answer | Response:
        code = error.code or 500
        if code == 413:
            swallow_body(request)
        if is_api(request.path):
            return page_refusal(error, translator_to(language_of(request)))
        return problem_page(code)

    return app


def _language() -> dict[str, object]:
    """Give templates the reader's language, and who says the program's words in it."""
    language = language_of(request)
    return {"language": language, "say": translator_to(language)}
