"""Calls about the user's boards: their files, and those that are being made from a picture."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.scoring.board import Board, Identifier, board_names, load_board
from railspotter.scoring.errors import BoardError
from railspotter.table.boards.draft import BoardDraft, board_of, grow_notes
from railspotter.table.boards.draft_store import KeptDraft
from railspotter.table.boards.edits import DraftChange, edited
from railspotter.table.boards.own_boards import file_of
from railspotter.table.boards.sites_table import sites_text
from railspotter.table.boards.tickets_table import tickets_text
from railspotter.table.errors import (
    BoardKeptError,
    ChangedBoardError,
    DraftError,
    HomeError,
    NoBoardError,
    PhotoError,
)

from ..errors import BusyError
from ..rooms.services import Needs
from .calls import (
    Body,
    Call,
    CallRequest,
    Corner,
    ErrorRule,
    Nothing,
    Upload,
    Who,
    content_response,
    with_refusals,
)

Seen = Annotated[int, msgspec.Meta(ge=0, le=2**53)]  # the number of the draft that was looked at
Side = Annotated[float, msgspec.Meta(ge=100, le=2000)]
SpaceSide = Annotated[float, msgspec.Meta(ge=3, le=100)]
# What the rules of boards and the disk refuse.
REFUSALS = (
    ErrorRule((NoBoardError,), 404, "unknown"),
    ErrorRule((BoardKeptError,), 409, "here"),
    ErrorRule((ChangedBoardError,), 409, "changed"),
    ErrorRule((HomeError,), 503, "not written"),
    ErrorRule((BusyError,), 503, "full"),
    ErrorRule((BoardError, DraftError, PhotoError), 400, "wrong"),
)


class NewBoard(Body, frozen=True):
    """A board to make; `onto` is one to complete or change, the others may then be missing."""

    title: Annotated[str, msgspec.Meta(max_length=80)] = ""
    width_mm: Side | None = None
    height_mm: Side | None = None
    onto: Identifier | None = None


class BoardCorners(Body, frozen=True):
    """The printed board's corners in the photo, clockwise from its top left; none: all of it."""

    corners_px: Annotated[list[Corner], msgspec.Meta(max_length=4)]


class SeenDraft(Body, frozen=True):
    """The draft that was seen."""

    seen: Seen


class SpaceSize(Body, frozen=True):
    """The size of a printed space; without it, it is estimated."""

    length_mm: SpaceSide | None = None
    width_mm: SpaceSide | None = None


def _list(request: CallRequest) -> dict[str, Any]:
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


def _row(board: Board) -> dict[str, Any]:
    return {
        "id": board.id,
        "title": board.title,
        "places": len(board.places),
        "routes": len(board.routes),
        "sites": len(board.sites),
        "tickets": len(board.tickets),
        "size_mm": board.size_mm,
        "measured": board.measured,
        "complete": board.complete,
    }


def _take_in(request: CallRequest) -> dict[str, Any]:
    return {"id": request.services.boards.take_in(request.content).id}


def _export(request: CallRequest) -> Response:
    board = request.services.boards.board(request.named["board"])
    name = f'attachment; filename="{board.id}.json"'
    return content_response(file_of(board), "application/json", **{"Content-Disposition": name})


def _delete(request: CallRequest) -> dict[str, Any]:
    request.services.boards.delete(request.named["board"])
    return {}


def _begin(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(NewBoard)
    title = body.title.strip()
    if not title and body.onto is None:
        raise DraftError("a board needs a title")
    sides = (body.width_mm, body.height_mm)
    size = None if sides[0] is None or sides[1] is None else (sides[0], sides[1])
    return _draft_json(request, request.services.boards.begin(title, size, body.onto))


def _draft(request: CallRequest) -> dict[str, Any]:
    return _draft_json(request, request.services.boards.drafts.load(request.named["board"]))


def _discard(request: CallRequest) -> dict[str, Any]:
    request.services.boards.drafts.delete(request.named["board"])
    return {}


def _put_photo(request: CallRequest) -> dict[str, Any]:
    content = request.services.photos.plain(request.content)
    return _draft_json(request, request.services.boards.put_photo(request.named["board"], content))


def _photo(request: CallRequest) -> Response:
    return content_response(
        request.services.boards.drafts.photo(request.named["board"]), "image/jpeg"
    )


def _above(request: CallRequest) -> Response:
    return content_response(
        request.services.boards.drafts.above(request.named["board"]), "image/jpeg"
    )


def _put_corners(request: CallRequest) -> dict[str, Any]:
    corners = tuple((x, y) for x, y in request.body_as(BoardCorners).corners_px)
    return _draft_json(
        request, request.services.boards.put_corners(request.named["board"], corners)
    )


def _edit(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(DraftChange)
    name = request.named["board"]
    return _draft_json(
        request, request.services.boards.change(name, body.seen, lambda draft: edited(draft, body))
    )


def _undo(request: CallRequest) -> dict[str, Any]:
    seen = request.body_as(SeenDraft).seen
    return _draft_json(
        request, request.services.boards.step(request.named["board"], seen, is_back=True)
    )


def _redo(request: CallRequest) -> dict[str, Any]:
    seen = request.body_as(SeenDraft).seen
    return _draft_json(
        request, request.services.boards.step(request.named["board"], seen, is_back=False)
    )


def _propose(request: CallRequest) -> dict[str, Any]:
    body, name = request.body_as(SpaceSize), request.named["board"]
    sides = (body.length_mm, body.width_mm)
    size = None if sides[0] is None or sides[1] is None else (sides[0], sides[1])
    request.services.boards.propose(name, size)
    return _draft_json(request, request.services.boards.drafts.load(name))


def _work(request: CallRequest) -> dict[str, Any]:
    request.services.boards.drafts.load(request.named["board"])
    return dataclasses.asdict(request.services.boards.work(request.named["board"]))


def _save(request: CallRequest) -> dict[str, Any]:
    board = request.services.boards.save(request.named["board"], request.body_as(SeenDraft).seen)
    return {"board": _row(board)}


def _draft_json(request: CallRequest, kept: KeptDraft) -> dict[str, Any]:
    """Return a draft as the page draws it."""
    draft = kept.now
    proposal = draft.proposal
    return {
        "id": draft.id,
        "number": kept.number,
        "title": draft.title,
        "is_complete": draft.is_complete,
        "size_mm": proposal.size_mm,
        "space_size_mm": proposal.space_size_mm,
        "photo_px": kept.photo_px,
        "corners_px": kept.corners_px,
        "can_undo": kept.history.at > 0,
        "can_redo": kept.history.at + 1 < len(kept.history.versions),
        "places": proposal.places,
        "unplaced": [{"id": place.id, "name": place.name} for place in draft.unplaced],
        "routes": [
            {**vars(route), "traits": draft.traits.get(route.number)} for route in proposal.routes
        ],
        "loose": proposal.loose,
        "sites": sites_text(draft.sites, draft.names),
        "tickets": tickets_text(draft.tickets, draft.names),
        "work": dataclasses.asdict(request.services.boards.work(draft.id)),
        **_check_json(request, draft),
    }


def _check_json(request: CallRequest, draft: BoardDraft) -> dict[str, Any]:
    """Return what is wrong with the board that a draft gives, and whether its file is that."""
    try:
        board, notes = board_of(draft), grow_notes(draft)
    except (BoardError, DraftError) as error:
        names = [value for value in error.sentence.values.values() if isinstance(value, str)]
        return {
            "problem": error.sentence,
            "problem_names": names,
            "notes": [],
            "is_saved": False,
            "measured": False,
        }
    try:
        is_saved = request.services.boards.boards.load(draft.id) == board
    except HomeError:
        is_saved = False
    notes = (*draft.proposal.doubts, *notes) if draft.proposal.routes else notes
    return {
        "problem": "",
        "problem_names": [],
        "notes": notes,
        "is_saved": is_saved,
        "measured": board.measured,
    }


def _call(
    method: str, path: str, means: str, do: Callable[[CallRequest], Any], **more: Any
) -> Call:
    return Call(
        method, path, Who.HOST, means, with_refusals(do, REFUSALS), needs=Needs.NOTHING, **more
    )


CALLS = (
    _call("GET", "/boards", "The user's boards, those being made, and the program's.", _list),
    _call(
        "POST",
        "/boards",
        "Takes over a board file, whole or not at all; what is wrong is told with its place.",
        _take_in,
        upload=Upload.FILE,
    ),
    _call("GET", "/boards/{board}", "A board as a board file.", _export),
    _call("DELETE", "/boards/{board}", "Deletes a board of the user's.", _delete, body=Nothing),
    _call(
        "POST",
        "/board-drafts",
        "Begins to make a board, or to complete one that is there.",
        _begin,
        body=NewBoard,
    ),
    _call("GET", "/board-drafts/{board}", "A board that is being made.", _draft),
    _call(
        "DELETE",
        "/board-drafts/{board}",
        "Throws away what was made; a board file that was saved stays.",
        _discard,
        body=Nothing,
    ),
    _call(
        "PUT",
        "/board-drafts/{board}/photo",
        "Keeps a photo or scan of the empty board.",
        _put_photo,
        upload=Upload.FILE,
        rate="photo",
    ),
    _call("GET", "/board-drafts/{board}/photo", "That photo.", _photo, gives="image/jpeg"),
    _call(
        "PUT",
        "/board-drafts/{board}/corners",
        "Says where the printed board's corners are in the photo.",
        _put_corners,
        body=BoardCorners,
    ),
    _call(
        "GET",
        "/board-drafts/{board}/above",
        "The board from straight above.",
        _above,
        gives="image/jpeg",
    ),
    _call("POST", "/board-drafts/{board}/edits", "One edit of it.", _edit, body=DraftChange),
    _call("POST", "/board-drafts/{board}/undo", "Takes the last edit back.", _undo, body=SeenDraft),
    _call("POST", "/board-drafts/{board}/redo", "Does it again.", _redo, body=SeenDraft),
    _call(
        "POST",
        "/board-drafts/{board}/propose",
        "Looks for spaces and routes on the picture, which takes a while.",
        _propose,
        body=SpaceSize,
    ),
    _call("GET", "/board-drafts/{board}/work", "How far that is.", _work),
    _call(
        "POST",
        "/board-drafts/{board}/save",
        "Writes it as the board file that is played with.",
        _save,
        body=SeenDraft,
    ),
)
