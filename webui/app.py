"""The Flask app of a table: its pages and API, and the scoring of uploaded photos."""

from math import isfinite

from flask import Flask, Response, abort, jsonify, redirect, render_template, request, url_for
from railspotter.scoring.sentence import NOTHING, Sentence, StatedError
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photos.answers import picture_with_answers, playable_spots
from werkzeug.wrappers import Response as AnyResponse

from .access.door import refused_s
from .access.gate import drain_body
from .api.routes import add_api, is_api
from .errors import BoardNotFoundError, BusyError, UploadError
from .guarded_app import Answer, guarded_app
from .pages import texts
from .pages.page_table import add_pages, render
from .pages.result_view import FREE, asked_about, paint_of, result_view
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
    """Build the app of a table: its pages and API, and the scoring of photos."""
    limits, photos, access = services.limits, services.photos, services.phone_access
    reading = photos.reading

    def start_page(
        problem: Sentence = NOTHING, status: int = 200, *, advice: bool = False, unfound: str = ""
    ) -> Answer:
        said, boards = problem and Statement(problem), reading.boards()
        return render_template(
            "start.html", problem=said, advice=advice, unfound=unfound, boards=boards
        ), status

    def refusal(error: StatedError, unfound: str = "") -> Answer:
        """Show an upload's error, with the photo to set its corners on if it was kept."""
        if isinstance(error, BoardNotFoundError):
            return start_page(error.sentence, 422, advice=True, unfound=error.unfound)
        is_none_read = isinstance(error, TableError) and not isinstance(error, PhotoError)
        status = 503 if isinstance(error, BusyError) else 409 if is_none_read else 400
        return start_page(error.sentence, status, unfound=unfound)

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

    def problem_page(code: int) -> Answer | Response:
        return at_door(texts.error(code), code) or start_page(texts.error(code), code)

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

    @app.get("/photo")
    def start() -> Answer:
        return start_page()

    @app.post("/")  # as scripts know it
    @app.post("/photo")
    def read() -> Answer | AnyResponse:
        if limits.wait_s("photo", request.remote_addr or ""):
            return start_page(texts.TOO_OFTEN, 429)
        try:
            ticket, rest_of = (request.form.get(name, "") for name in ("ticket", "rest_of"))
            result = photos.read(request.files.getlist("photo"), ticket, rest_of)
        except (UploadError, TableError) as error:
            return refusal(error)
        return redirect(url_for("result", name=result.id), 303)

    @app.post("/photos/<name>/corners")
    def read_at(name: str) -> Answer | AnyResponse:
        if limits.wait_s("photo", request.remote_addr or ""):
            return start_page(texts.TOO_OFTEN, 429, unfound=name)
        corners, board = _corners(request.form.get("corners", "")), request.form.get("board", "")
        boards = reading.boards()
        if corners is None or (boards and board not in boards):
            abort(400)
        try:
            result = photos.read_at(name, corners, board)
        except (UploadError, TableError) as error:
            return refusal(error, name)
        if result is None:
            return start_page(texts.GONE, 404)
        return redirect(url_for("result", name=result.id), 303)

    @app.get("/photos/<name>/corners")
    def corners_of(name: str) -> Answer:
        """Show the photo again whose corners were refused: the address is that of the refusal."""
        is_here = photos.unfound(name) is not None
        return start_page(unfound=name) if is_here else start_page(texts.GONE, 404)

    @app.get("/photos/<name>/photo.jpg")
    def unfound_photo(name: str) -> Response:
        photo = photos.unfound(name)
        if photo is None:
            abort(404)
        return Response(photo[0], mimetype="image/jpeg")

    @app.get("/photos/before/<ticket>")
    def before(ticket: str) -> Response:
        return jsonify(before=photos.before(ticket))

    @app.get("/photos/<name>")
    def result(name: str) -> Answer:
        photo = photos.result(name)
        if photo is None:
            return start_page(texts.GONE, 404)
        view = result_view(photo.photo, photo.answers)
        return render_template("result.html", kept=photo, result=view, paint_of=paint_of), 200

    @app.post("/photos/<name>/answers")
    def answer(name: str) -> Answer | AnyResponse:
        photo = photos.result(name)
        if photo is None:
            return start_page(texts.GONE, 404)
        about, said = request.form.get("about", ""), request.form.get("said", "")
        asked = asked_about(photo.photo)
        playable = playable_spots(photo.photo.board, photo.photo.edition)
        if about not in asked and about not in playable:
            abort(400)
        spots = asked[about] if about in asked else [playable[about]]
        if "undo" in request.form:
            photos.take_back(name, spots)
        elif said in (FREE, *photo.photo.colours, *photo.photo.uncounted.values()):
            # What was said of one of a colour's routes stays when it is said who plays the others.
            spots = [spot for spot in spots if spot not in photo.answers] or spots
            photos.answer(name, dict.fromkeys(spots, None if said == FREE else said))
        else:
            abort(400)
        anchor = "doubts" if about in asked else "corrections"
        return redirect(url_for("result", name=name, _anchor=anchor), 303)

    @app.get("/photos/<name>/board.jpg")
    def picture(name: str) -> Response:
        photo = photos.result(name)
        if photo is None or photo.jpeg is None:
            abort(404)
        drawn = picture_with_answers(photo.jpeg, photo.photo.board, photo.answers)
        return Response(drawn, mimetype="image/jpeg")

    return app


def _corners(text: str) -> Corners | None:
    """Parse four corners from `x,y x,y x,y x,y`; None for anything else."""
    try:
        corners = tuple((float(x), float(y)) for x, y in (one.split(",") for one in text.split()))
    except ValueError:
        return None
    is_usable = len(corners) == 4 and isfinite(sum(x + y for x, y in corners))
    return corners if is_usable else None
