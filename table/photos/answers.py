"""Parsing users' answers about a photo's routes, places and sites, which outrank the reading."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec
from railspotter.scoring.board import Board
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.spot import KINDS, Spot

from ..errors import AnswersError
from .scored_photo import Answers


def parse_answers(
    content: bytes, board: Board, edition: Edition, colours: Collection[Colour]
) -> Answers:
    """Parse answers: a JSON object of ids to colours, or null for free; raises `AnswersError`."""
    try:
        colour_by_id = msgspec.json.decode(content, type=dict[str, str | None])
    except msgspec.MsgspecError as error:
        raise AnswersError(
            'answers are one JSON object such as {"helena--seattle": "red", "duluth--helena": null}'
        ) from error
    answers = {}
    for name, colour in colour_by_id.items():
        spot = playable_spot(name, board, edition)
        if spot is None:
            raise AnswersError(f"the board {board.id!r} has no {_kinds(edition)} {name!r}")
        if colour is not None and colour not in colours:
            raise AnswersError(
                f"{colour!r} is not in play on {name!r}: say {', '.join(colours)} or null"
            )
        answers[spot] = colour
    return answers


def load_answers(
    path: Path, board: Board, edition: Edition, colours: Collection[Colour]
) -> Answers:
    """Load answers from a file, as `parse_answers`; errors name the file."""
    try:
        return parse_answers(read_bounded(path), board, edition, colours)
    except OSError as error:
        raise AnswersError(f"{path}: cannot be read: {error.strerror}") from error
    except AnswersError as error:
        raise AnswersError(f"{path}: {error}") from error


def playable_spot(name: str, board: Board, edition: Edition) -> Spot | None:
    """Return the spot of an id on which pieces can stand in this edition, or None.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> playable_spot("essen", load_board("europe"), load_edition("europe"))
    Spot(kind='station', id='essen')
    >>> playable_spot("helena", load_board("usa"), load_edition("usa")) is None
    True
    """
    named = [Spot(kind, name) for kind in KINDS if kind != "station" or edition.stations]
    return next((spot for spot in named if spot.is_on(board)), None)


def _kinds(edition: Edition) -> str:
    """Return the kinds of spots of an edition, for an error message."""
    if edition.stations:
        return "route or place"
    return "route or site" if edition.site_points else "route"
