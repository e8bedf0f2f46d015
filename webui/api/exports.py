"""A game as a file or for elsewhere: for other programs, for BG Stats, for BoardGameGeek."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response
from railspotter.table.game_log import exports
from railspotter.table.plays.play import Play, Say, play_link, play_of, play_text

from ..feed.public_state import PublicGame
from .calls import JSON, CallRequest, Who, call, content_response, download_response
from .refusals import CallError

NDJSON = "application/x-ndjson"
# What writes a game for elsewhere, its media type, and what a browser does with it: texts are
# shown, for people copy them.
PLAYS: dict[str, tuple[Callable[[Play, Say], bytes], str, str]] = {
    "bgstats": (lambda play, say: play_link(play, say).encode(), "text/plain", "inline"),
    "bgg": (lambda play, say: play_text(play, say).encode(), "text/plain", "inline"),
}


def play_response(request: CallRequest, play: Play, format: str) -> Response:
    """Return a game in one of the formats of `PLAYS`."""
    write, media_type, disposition = PLAYS[format]
    content = write(play, request.say)
    return content_response(content, media_type, **{"Content-Disposition": disposition})


@call("GET", "/export/{format}", Who.ALL, gives="*/*")
def export(request: CallRequest, format: str) -> Response:
    """The game as a file, without secrets: jsonl, csv, game; over, bgstats or bgg."""
    return export_response(request, request.session.feed.now().game, format)


def export_response(request: CallRequest, public: PublicGame, format: str) -> Response:
    """Return a game as a file, without secrets."""
    game = public.log.as_game()
    if format in PLAYS:
        return play_response(request, play_of(public.id, game, public.answer), format)
    match format:
        case "jsonl":
            text, media_type, ending = exports.jsonl(game, with_secrets=True), NDJSON, "jsonl"
        case "csv":
            text, media_type, ending = exports.table(game, with_secrets=True), "text/csv", "csv"
        case "game":
            text, media_type, ending = exports.game(game), JSON, "json"
        case _:
            raise CallError(404, "unknown", "A game is given as jsonl, csv, game, bgstats or bgg.")
    return download_response(text.encode(), media_type, f"game.{ending}")
