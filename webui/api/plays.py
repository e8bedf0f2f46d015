"""A game as it leaves the house, in answer to a call: for BG Stats, for BoardGameGeek."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response
from railspotter.table.plays.bg_stats import play_link
from railspotter.table.plays.boardgamegeek import play_text
from railspotter.table.plays.play import Play, Say

from .calls import CallRequest, content_response

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
