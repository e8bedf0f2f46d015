"""A game as it leaves the house, in answer to a call: for BG Stats, for BoardGameGeek."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response
from railspotter.table.plays.bg_stats import play_link
from railspotter.table.plays.boardgamegeek import play_text
from railspotter.table.plays.play import Play, PlayError, Say

from ..words.translation import Statement
from .calls import CallError, CallRequest, content_response

# What writes a game for elsewhere, its media type, and what a browser does with it: texts are
# shown, for people copy them.
PLAYS: dict[str, tuple[Callable[[Play, Say], bytes], str, str]] = {
    "bgstats": (lambda play, say: play_link(play, say).encode(), "text/plain", "inline"),
    "bgg": (lambda play, say: play_text(play, say).encode(), "text/plain", "inline"),
}


def play_response(request: CallRequest, play: Play) -> Response:
    """Return a game in the format that the path names, one of `PLAYS`."""
    write, media_type, disposition = PLAYS[request.named["format"]]
    try:
        content = write(play, request.say)
    except PlayError as error:
        raise CallError(409, "not over", Statement(error.sentence)) from error
    return content_response(content, media_type, **{"Content-Disposition": disposition})
