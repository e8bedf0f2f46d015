"""Calls about past games: their list, each of them, taking them in and out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec
from flask import Response
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.errors import (
    BundleError,
    GameInUseError,
    NewerFormatError,
    NoGameError,
)
from railspotter.table.past_games import records
from railspotter.table.past_games.summaries import Summary, key_of

from ..errors import DamagedGameError, GameKeptError, SlowGameError, UnfinishedGameError
from ..feed.public_state import PublicGame, public_game
from ..rooms.services import Needs
from .calls import Call, CallError, CallRequest, Nothing, Query, Upload, Who, content_response
from .state import board_json, export_response, tagged_response

PAGE = 50  # games on a page of the list
MOST_PAGES = 10**6
MOST_NAME = 80  # letters of a name, as the log has it
OCTETS = "application/octet-stream"


def _games(request: CallRequest) -> dict[str, Any]:
    known = request.services.history.games()
    edition = request.query.get("edition", "")[:MOST_NAME]
    player = key_of(request.query.get("player", "")[:MOST_NAME])
    of_edition = [game for game in known.games if edition in ("", game.edition)]
    found = [
        game
        for game in of_edition
        if not player or any(result.key == player for result in game.players)
    ]
    page = _page(request)
    against = records.head_to_head(of_edition, player) if player else []
    return {
        "games": [_row(game) for game in found[page * PAGE : (page + 1) * PAGE]],
        "page": page + 1,
        "pages": max(1, -(-len(found) // PAGE)),
        "count": len(found),
        "all": len(known.games),
        "unread": known.unread,
        "editions": [
            {"edition": name, "title": title}
            for name, title in sorted({(g.edition, g.title) for g in known.games if g.edition})
        ],
        "people": [asdict(person) for person in records.people(known.games)],
        "bests": [asdict(best) for best in records.bests(of_edition, player)],
        "head_to_head": [asdict(one) for one in against],
    }


def _page(request: CallRequest) -> int:
    text = request.query.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 17):
        raise CallError(400, "wrong", "page is the number of a page: a whole number.")
    return min(max(int(text), 1), MOST_PAGES) - 1


def _row(game: Summary) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(game)
    return row


def _game_of(request: CallRequest) -> PublicGame:
    try:
        return request.services.history.game(request.named["id"])
    except NoGameError as error:
        raise _unknown() from error
    except DamagedGameError as error:
        raise _damaged() from error
    except SlowGameError as error:
        raise _slow() from error


def _unknown() -> CallError:
    return CallError(404, "unknown", "There is no such game here.")


def _slow() -> CallError:
    message = Sentence("Reading this game takes a while: try again in a moment.")
    return CallError(503, "full", message, retry_after_s=5)


def _damaged() -> CallError:
    # Not what the log says: it names the file, and guests ask too.
    return CallError(503, "damaged", "This game's file cannot be read.")


def _game(request: CallRequest) -> dict[str, Any]:
    game = _game_of(request)
    events = game.log.events
    return {
        **public_game(game),
        "last_at_s": events[-1].at_s,
        "tie_break": list(game.edition.tie_break),
    }


def _board(request: CallRequest) -> Response:
    game = _game_of(request)
    return tagged_response(request, f"board-{game.id}", lambda: board_json(game.position.board))


def _packed_picture(request: CallRequest) -> Response:
    try:
        jpeg = request.services.history.packed_picture(request.named["id"])
    except NoGameError as error:
        raise _unknown() from error
    except DamagedGameError as error:
        raise _damaged() from error
    if jpeg is None:
        raise CallError(404, "unknown", "There is no picture of such a game.")
    return content_response(jpeg, "image/jpeg", **{"Cache-Control": "private, no-cache"})


def _moments(request: CallRequest) -> Response:
    try:
        return content_response(
            request.services.history.moments(request.named["id"]), "application/json"
        )
    except NoGameError as error:
        raise _unknown() from error
    except DamagedGameError as error:
        raise _damaged() from error
    except SlowGameError as error:
        raise _slow() from error


def _export(request: CallRequest) -> Response:
    return export_response(request, _game_of(request))


def _bundle(request: CallRequest) -> Response:
    _game_of(request)
    name = 'attachment; filename="game.railspotter"'
    try:
        content = request.services.history.bundle(request.named["id"])
    except GameInUseError as error:
        message = Sentence(
            "This game is being played: it can be saved once Railspotter has stopped or begun"
            " another."
        )
        raise CallError(409, "in use", message) from error
    except UnfinishedGameError as error:
        message = Sentence(
            "This game is not over, and its file tells all secrets: it can be saved here once"
            " the game has ended, or on the computer with railspotter games export."
        )
        raise CallError(409, "not over", message) from error
    return content_response(content, OCTETS, **{"Content-Disposition": name})


def _delete(request: CallRequest) -> dict[str, Any]:
    try:
        request.services.history.store.delete(request.named["id"])
    except NoGameError as error:
        raise _unknown() from error
    except GameInUseError as error:
        raise CallError(
            409,
            "in use",
            "This game is being played: it can be deleted once Railspotter has stopped or begun"
            " another.",
        ) from error
    return {}


def _take_in(request: CallRequest) -> dict[str, Any]:
    try:
        return {"id": request.services.history.take_in(request.content)}
    except GameKeptError as error:
        raise CallError(409, "here", "This game is here already.") from error
    except (BundleError, NewerFormatError) as error:
        raise CallError(
            400, "wrong", Sentence("Nothing was imported: {error}.", error=error)
        ) from error


CALLS = (
    Call(
        "GET",
        "/games",
        Who.ALL,
        "The past games, newest first, with records and who won against whom.",
        _games,
        queries=(
            Query("page", "Which page of 50 games, from 1."),
            Query("edition", "Only games of this edition.", MOST_NAME),
            Query("player", "Only games of who has this name.", MOST_NAME),
        ),
        needs=Needs.NOTHING,
    ),
    Call(
        "POST",
        "/games",
        Who.HOST,
        "Takes over a game that was exported as a bundle, whole or not at all.",
        _take_in,
        upload=Upload.FILE,
        needs=Needs.NOTHING,
    ),
    Call("GET", "/games/{id}", Who.ALL, "A past game and its score.", _game, needs=Needs.NOTHING),
    Call(
        "GET", "/games/{id}/board", Who.ALL, "Its board, to draw it.", _board, needs=Needs.NOTHING
    ),
    Call(
        "GET",
        "/games/{id}/packed.jpg",
        Who.ALL,
        "The board of a game that was packed away, as it lay.",
        _packed_picture,
        gives="image/jpeg",
        needs=Needs.NOTHING,
    ),
    Call(
        "GET",
        "/games/{id}/moments",
        Who.ALL,
        "It once more, moment by moment.",
        _moments,
        needs=Needs.NOTHING,
    ),
    Call(
        "GET",
        "/games/{id}/export/{format}",
        Who.ALL,
        "It as a file, without secrets: jsonl, csv, game; over, bgstats or bgg.",
        _export,
        gives="*/*",
        needs=Needs.NOTHING,
    ),
    Call(
        "GET",
        "/games/{id}/bundle",
        Who.HOST,
        "All of it as a file, secrets and pictures too; of no game that is being played.",
        _bundle,
        gives=OCTETS,
        needs=Needs.NOTHING,
    ),
    Call(
        "DELETE",
        "/games/{id}",
        Who.HOST,
        "Deletes it for good.",
        _delete,
        body=Nothing,
        needs=Needs.NOTHING,
    ),
)
