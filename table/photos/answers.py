"""What people say stands on routes, places and sites: it outranks what the camera read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from railspotter.scoring import Board, Colour, Edition, Kind, PlaceId, RouteId, SiteId

from ..errors import AnswersError
from .scored_photo import Answer, ScoredPhoto, photo_standing

Answers = Mapping[RouteId | PlaceId | SiteId, Colour | None]
"""Whose trains stand on a route, whose station at a place, whose train on a site; None for free."""


def parse_answers(
    content: bytes, board: Board, edition: Edition, colours: Collection[Colour]
) -> Answers:
    """Return the answers in a file's content: a JSON object, ids to colours or null for free.

    Raises
    ------
    AnswersError
        When it is no such object, or names a route that the board has not, or a colour that is not
        in play.

    Examples
    --------
    >>> from railspotter.scoring import load_board, load_edition
    >>> usa = load_board("usa"), load_edition("usa"), ["red"]
    >>> parse_answers(b'{"helena--seattle": null}', *usa)
    {'helena--seattle': None}
    >>> europe = load_board("europe"), load_edition("europe"), ["red"]
    >>> parse_answers(b'{"berlin--essen": "red", "essen": "red"}', *europe)
    {'berlin--essen': 'red', 'essen': 'red'}
    """
    try:
        answers = msgspec.json.decode(content, type=dict[str, str | None])
    except msgspec.MsgspecError as error:
        raise AnswersError(
            'answers are one JSON object such as {"helena--seattle": "red", "duluth--helena": null}'
        ) from error
    for name, colour in answers.items():
        if kind_of(name, board, edition) is None:
            raise AnswersError(f"the board {board.id!r} has no {_kinds(edition)} {name!r}")
        if colour is not None and colour not in colours:
            raise AnswersError(
                f"{colour!r} is not in play on {name!r}: say {', '.join(colours)} or null"
            )
    return answers


def load_answers(
    path: Path, board: Board, edition: Edition, colours: Collection[Colour]
) -> Answers:
    """Return the answers in a file, as `parse_answers` does, which its errors name."""
    try:
        return parse_answers(path.read_bytes(), board, edition, colours)
    except OSError as error:
        raise AnswersError(f"{path}: cannot be read: {error.strerror}") from error
    except AnswersError as error:
        raise AnswersError(f"{path}: {error}") from error


def kind_of(name: str, board: Board, edition: Edition) -> Kind | None:
    """Return what an id names that pieces can stand on in this game; None for nothing.

    Examples
    --------
    >>> from railspotter.scoring import load_board, load_edition
    >>> kind_of("essen", load_board("europe"), load_edition("europe"))
    'station'
    >>> kind_of("helena", load_board("usa"), load_edition("usa")) is None
    True
    """
    if name in board.route_by_id:
        return "route"
    if edition.stations and name in board.place_by_id:
        return "station"
    return "site" if name in board.site_by_id else None


def with_answers(photo: ScoredPhoto, answers: Answers) -> ScoredPhoto:
    """Return a photo of a found board with answers put in the place of what was read.

    Doubts that were answered vanish. What was not doubted may be answered too.
    """
    if not answers or photo.claims is None or photo.standing is None:
        return photo
    read = {"route": photo.claims, "station": photo.stations, "site": photo.sites}
    doubted = {doubt.spot.id for doubt in photo.doubts}
    given = []
    for name, said in answers.items():
        kind = kind_of(name, photo.board, photo.edition) or "route"
        given.append(Answer(name, read[kind].get(name), said, name in doubted, kind))

    def held(kind: Kind) -> dict[str, Colour]:
        """Return what is read, and said, to stand on spots of a kind."""
        spoken = {answer.about: answer.said for answer in given if answer.kind == kind}
        now = {**read[kind], **spoken}
        return {name: colour for name, colour in now.items() if colour is not None}

    colours = tuple(player.colour for player in photo.standing.players)
    claims, stations, sites = held("route"), held("station"), held("site")
    return replace(
        photo,
        claims=claims,
        stations=stations,
        sites=sites,
        doubts=tuple(doubt for doubt in photo.doubts if doubt.spot.id not in answers),
        standing=photo_standing(photo.edition, photo.board, colours, claims, stations, sites),
        answers=tuple(given),
    )


def _kinds(edition: Edition) -> str:
    """Return what an answer may name."""
    if edition.stations:
        return "route or place"
    return "route or site" if edition.site_points else "route"
