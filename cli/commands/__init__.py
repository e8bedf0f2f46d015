"""The commands, one a module: its arguments, what it does, what it prints."""

from . import (
    board,
    calibrate,
    colours,
    demo,
    display,
    games,
    markers,
    play,
    read,
    render,
    replay,
    score,
    serve,
)

__all__ = [
    "board",
    "calibrate",
    "colours",
    "demo",
    "display",
    "games",
    "markers",
    "play",
    "read",
    "render",
    "replay",
    "score",
    "serve",
]
