"""What people say stands on routes: it outranks what the camera read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from railspotter.scoring import Board, Colour, RouteId, standing

from .errors import AnswersError
from .scored_photo import Answer, ScoredPhoto

Answers = Mapping[RouteId, Colour | None]
"""Whose trains stand on a route, None for free."""


def parse_answers(content: bytes, board: Board, colours: Collection[Colour]) -> Answers:
    """Return the answers in a file's content: a JSON object, route ids to colours or null for free.

    Raises
    ------
    AnswersError
        When it is no such object, or names a route that the board has not, or a colour that is not
        in play.

    Examples
    --------
    >>> from railspotter.scoring import load_board
    >>> parse_answers(b'{"helena--seattle": null}', load_board("usa"), ["red"])
    {'helena--seattle': None}
    """
    try:
        answers = msgspec.json.decode(content, type=dict[str, str | None])
    except msgspec.MsgspecError as error:
        raise AnswersError(
            'answers are one JSON object such as {"helena--seattle": "red", "duluth--helena": null}'
        ) from error
    for route, colour in answers.items():
        if route not in board.route_by_id:
            raise AnswersError(f"the board {board.id!r} has no route {route!r}")
        if colour is not None and colour not in colours:
            raise AnswersError(
                f"{colour!r} is not in play on {route!r}: say {', '.join(colours)} or null"
            )
    return answers


def load_answers(path: Path, board: Board, colours: Collection[Colour]) -> Answers:
    """Return the answers in a file, as `parse_answers` does, which its errors name."""
    try:
        return parse_answers(path.read_bytes(), board, colours)
    except OSError as error:
        raise AnswersError(f"{path}: cannot be read: {error.strerror}") from error
    except AnswersError as error:
        raise AnswersError(f"{path}: {error}") from error


def with_answers(photo: ScoredPhoto, answers: Answers) -> ScoredPhoto:
    """Return a photo of a found board with answers put in the place of what was read.

    Doubts that were answered vanish. A route that was not doubted may be answered too.
    """
    if not answers or photo.claims is None or photo.standing is None:
        return photo
    claims = {**photo.claims, **answers}
    held = {route: colour for route, colour in claims.items() if colour is not None}
    doubted = {doubt.about for doubt in photo.doubts}
    colours = tuple(player.colour for player in photo.standing.players)
    return replace(
        photo,
        claims=held,
        doubts=tuple(doubt for doubt in photo.doubts if doubt.about not in answers),
        standing=standing(photo.edition, photo.board, held, colours),
        answers=tuple(
            Answer(route, photo.claims.get(route), colour, route in doubted)
            for route, colour in answers.items()
        ),
    )
