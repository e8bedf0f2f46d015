"""Calls that export a game: as a file, for BG Stats or for BoardGameGeek."""

from collections.abc import Callable, Mapping
from functools import partial

from flask import Response
from railspotter.table.game_log import exports
from railspotter.table.game_log.game_state import GameState
from railspotter.table.plays.play import PLAYS, Play, play_of

from ..feed.public_state import PublicGame
from . import responses
from .calls import JSON, CallRequest, Who, call
from .refusals import CallError

# By format what writes a game without secrets, the media type, and the ending of the file's name.
FILES: Mapping[str, tuple[Callable[[GameState], str], str, str]] = {
    "jsonl": (partial(exports.events_as_jsonl, with_secrets=True), "application/x-ndjson", "jsonl"),
    "csv": (partial(exports.events_as_csv, with_secrets=True), "text/csv", "csv"),
    "game": (exports.state_as_game_text, JSON, "json"),
}


def play_response(request: CallRequest, play: Play, format: str) -> Response:
    """Return a game in one of the formats of `PLAYS`."""
    content = PLAYS[format](play, request.translate).encode()
    # Shown in the browser, to be copied.
    return responses.of(content, "text/plain", **{"Content-Disposition": "inline"})


@call("GET", "/export/{format}", Who.ALL, gives="*/*")
def export(request: CallRequest, format: str) -> Response:
    """The game as a file, without secrets: jsonl, csv, game; over, bgstats or bgg."""
    return export_response(request, request.session.feed.now().game, format)


def export_response(request: CallRequest, public: PublicGame, format: str) -> Response:
    """Return a game as a download, without secrets."""
    game = public.log.as_game()
    if format in PLAYS:
        return play_response(request, play_of(public.id, game, public.table.score), format)
    if format not in FILES:
        raise CallError(404, "unknown", "A game is given as jsonl, csv, game, bgstats or bgg.")
    text_of, media_type, ending = FILES[format]
    return responses.download(text_of(game).encode(), media_type, f"game.{ending}")
