"""The Flask app of a table: its pages and API."""

from flask import Flask, Response, redirect, request
from railspotter.scoring.sentence import NOTHING, Sentence
from werkzeug.wrappers import Response as AnyResponse

from .access.door import refused_s
from .access.gate import drain_body
from .api.routes import add_api, is_api
from .guarded_app import guarded_app
from .pages import texts
from .pages.page_table import add_pages, render
from .sessions.services import Services
from .words.translation import Statement

# The program's own files, which strangers reach; calls say so themselves.
OUTSIDE = (
    "/static/",
    "/words/",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/trust",
    "/unreachable",
)


def create_app(services: Services) -> Flask:
    """Build the app of a table: its pages and API."""
    limits, access = services.limits, services.phone_access

    def at_door(problem: Sentence = NOTHING, status: int = 403) -> Response | None:
        """Return the page that asks strangers for the table's word; None for who may come in."""
        device = access.phone_by_cookies(request.cookies)
        wait_s = refused_s(request, device, access, limits)
        if wait_s is None:
            return None
        drain_body(request)
        page = render("door.html", "door/main.js", problem=problem and Statement(problem))
        page.status_code = 429 if wait_s else status
        return page

    def problem_page(code: int) -> Response:
        at_home = at_door(texts.error(code), code)
        if at_home is not None:
            return at_home
        page = render("problem.html", problem=Statement(texts.error(code)))
        page.status_code = code
        return page

    app = guarded_app(limits, problem_page)
    add_pages(app, services)
    add_api(app, services)

    @app.before_request
    def door() -> Response | None:
        is_outside = request.path.startswith(OUTSIDE) or is_api(request.path)
        return None if is_outside else at_door()

    @app.get("/trust")
    def trust() -> AnyResponse:
        return redirect(access.trust_url or "/help")

    return app
