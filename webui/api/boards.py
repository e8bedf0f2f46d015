"""Calls about the user's boards: their files, and those that are being made from a picture."""

from typing import Annotated

import msgspec
from flask import Response
from railspotter.scoring.board import Board, Identifier, board_names, load_board
from railspotter.scoring.names import Title
from railspotter.table.boards.board_choice import board_editions
from railspotter.table.boards.board_desk import Work
from railspotter.table.boards.draft_store import KeptDraft
from railspotter.table.boards.edits import DraftChange
from railspotter.table.boards.own_boards import board_file_content
from railspotter.table.boards.tables import sites_text, tickets_text
from railspotter.table.errors import DraftError, HomeError

from ..sessions.services import Needs
from . import responses
from .calls import JPEG, JSON, CallRequest, Corners, Json, Nothing, Upload, Who, call

Seen = Annotated[int, msgspec.Meta(ge=0, le=2**53)]  # the draft's revision that the client saw
Side = Annotated[float, msgspec.Meta(ge=100, le=2000)]
SpaceSide = Annotated[float, msgspec.Meta(ge=3, le=100)]


@call("GET", "/boards", Who.HOST, needs=Needs.NOTHING)
def get_boards(request: CallRequest) -> Json:
    """The user's boards, those being made, and the program's."""
    desk = request.services.boards
    own = []
    for name in desk.boards.names():
        try:
            own.append({**_row(desk.boards.load(name)), "is_damaged": False})
        except HomeError:
            own.append({"id": name, "title": name, "is_damaged": True})
    drafts = []
    for name in desk.drafts.names():
        try:
            drafts.append({"id": name, "title": desk.drafts.load(name).now.title})
        except HomeError:
            drafts.append({"id": name, "title": name})
    return {
        "own": own,
        "drafts": drafts,
        "built_in": [_row(load_board(name)) for name in board_names()],
    }


def _row(board: Board) -> Json:
    lists = ("places", "routes", "sites", "tickets")
    return {
        **_fields(board, "id", "title"),
        **{name: len(getattr(board, name)) for name in lists},
        **_fields(board, "size_mm", "measured", "complete"),
    }


@call("POST", "/boards", Who.HOST, needs=Needs.NOTHING, upload=Upload.FILE)
def take_board_in(request: CallRequest, content: bytes) -> Json:
    """Takes over a board file, whole or not at all; what is wrong is told with its place."""
    return {"id": request.services.boards.import_board(content).id}


@call("GET", "/boards/{board}", Who.HOST, needs=Needs.NOTHING)
def export_board(request: CallRequest, board: str) -> Response:
    """A board as a board file."""
    kept = request.services.boards.board(board)
    return responses.download(board_file_content(kept), JSON, f"{kept.id}.json")


@call("DELETE", "/boards/{board}", Who.HOST, needs=Needs.NOTHING)
def delete_board(request: CallRequest, board: str) -> Nothing:
    """Deletes a board of the user's."""
    request.services.boards.delete(board)
    return Nothing()


@call("POST", "/board-drafts", Who.HOST, needs=Needs.NOTHING)
def begin_draft(
    request: CallRequest,
    *,
    title: Title = "",
    width_mm: Side | None = None,
    height_mm: Side | None = None,
    onto: Identifier | None = None,
) -> Json:
    """Begins to make a board; `onto` is one to complete or change, all else may be missing then."""
    title = title.strip()
    if not title and onto is None:
        raise DraftError("a board needs a title")
    size_mm = _size_mm(width_mm, height_mm)
    return _draft_json(request, request.services.boards.begin(title, size_mm, onto))


@call("GET", "/board-drafts/{board}", Who.HOST, needs=Needs.NOTHING)
def get_draft(request: CallRequest, board: str) -> Json:
    """A board that is being made."""
    return _draft_json(request, request.services.boards.drafts.load(board))


@call("DELETE", "/board-drafts/{board}", Who.HOST, needs=Needs.NOTHING)
def discard_draft(request: CallRequest, board: str) -> Nothing:
    """Throws away what was made; a board file that was saved stays."""
    request.services.boards.drafts.delete(board)
    return Nothing()


@call(
    "PUT",
    "/board-drafts/{board}/photo",
    Who.HOST,
    needs=Needs.NOTHING,
    upload=Upload.FILE,
    rate="photo",
)
def put_photo(request: CallRequest, board: str, content: bytes) -> Json:
    """Keeps a photo or scan of the empty board."""
    photo = request.services.photos.plain(content)
    return _draft_json(request, request.services.boards.put_photo(board, photo))


@call("GET", "/board-drafts/{board}/photo", Who.HOST, needs=Needs.NOTHING, gives=JPEG)
def get_photo(request: CallRequest, board: str) -> Response:
    """That photo."""
    return responses.of(request.services.boards.drafts.photo(board), JPEG)


@call("PUT", "/board-drafts/{board}/corners", Who.HOST, needs=Needs.NOTHING)
def put_corners(request: CallRequest, board: str, *, corners_px: Corners) -> Json:
    """Says where the printed board's corners are in the photo; none: all of it is the board."""
    corners = tuple((x, y) for x, y in corners_px)
    return _draft_json(request, request.services.boards.put_corners(board, corners))


@call("GET", "/board-drafts/{board}/above", Who.HOST, needs=Needs.NOTHING, gives=JPEG)
def get_picture_from_above(request: CallRequest, board: str) -> Response:
    """The board from straight above."""
    return responses.of(request.services.boards.drafts.above(board), JPEG)


@call("POST", "/board-drafts/{board}/edits", Who.HOST, needs=Needs.NOTHING)
def edit(request: CallRequest, board: str, body: DraftChange) -> Json:
    """One edit of it."""
    return _draft_json(request, request.services.boards.edit(board, body))


@call("POST", "/board-drafts/{board}/undo", Who.HOST, needs=Needs.NOTHING)
def undo(request: CallRequest, board: str, *, seen: Seen) -> Json:
    """Takes the last edit back."""
    return _draft_json(request, request.services.boards.step(board, seen, by=-1))


@call("POST", "/board-drafts/{board}/redo", Who.HOST, needs=Needs.NOTHING)
def redo(request: CallRequest, board: str, *, seen: Seen) -> Json:
    """Does it again."""
    return _draft_json(request, request.services.boards.step(board, seen, by=1))


@call("POST", "/board-drafts/{board}/propose", Who.HOST, needs=Needs.NOTHING)
def propose(
    request: CallRequest,
    board: str,
    *,
    length_mm: SpaceSide | None = None,
    width_mm: SpaceSide | None = None,
    places: bool = False,
) -> Json:
    """Looks for spaces and routes on the picture, and first for `places`, which takes a while.

    Without both its sides the size of a printed space is estimated.
    """
    request.services.boards.propose(board, _size_mm(length_mm, width_mm), places=places)
    return _draft_json(request, request.services.boards.drafts.load(board))


@call("GET", "/board-drafts/{board}/work", Who.HOST, needs=Needs.NOTHING)
def get_work(request: CallRequest, board: str) -> Work:
    """How far that is."""
    request.services.boards.drafts.load(board)
    return request.services.boards.work(board)


@call("POST", "/board-drafts/{board}/save", Who.HOST, needs=Needs.NOTHING)
def save(request: CallRequest, board: str, *, seen: Seen) -> Json:
    """Writes it as the board file that is played with."""
    return {"board": _row(request.services.boards.save(board, seen))}


def _size_mm(one: float | None, other: float | None) -> tuple[float, float] | None:
    return None if one is None or other is None else (one, other)


def _draft_json(request: CallRequest, kept: KeptDraft) -> Json:
    """Return a draft for the page."""
    desk, draft = request.services.boards, kept.now
    return {
        "id": draft.id,
        "number": kept.number,
        "title": draft.title,
        "is_complete": draft.complete,
        "edition": draft.edition,
        "editions": [
            _fields(edition, "id", "title", "modes") | {"has_sites": bool(edition.site_points)}
            for edition in board_editions()
        ],
        "size_mm": draft.size_mm,
        "space_size_mm": draft.space_size_mm,
        "photo_px": kept.photo_px,
        "corners_px": kept.corners_px,
        "can_undo": kept.at > 0,
        "can_redo": kept.at + 1 < len(kept.versions),
        "places": [_fields(place, "id", "name", "xy_mm", "is_proposed") for place in draft.placed],
        "unplaced": [_fields(place, "id", "name") for place in draft.unplaced],
        "routes": [
            _fields(route, "number", "a", "b", "colour", "spaces", "doubts", "is_accepted")
            | {
                "traits": _fields(route, "tunnel", "ferry_locomotives", "mode")
                if route.has_traits
                else None
            }
            for route in draft.laid
        ],
        "loose": draft.loose,
        "sites": sites_text(draft),
        "site_marks": [_fields(site, "station", "colours", "space") for site in draft.sites],
        "tickets": tickets_text(draft),
        "work": desk.work(draft.id),
        **vars(desk.check(draft)),
    }


def _fields(value: object, *names: str) -> Json:
    return {name: getattr(value, name) for name in names}
