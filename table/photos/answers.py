"""Users' answers about a photo's routes, places and sites, which outrank the reading."""

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from railspotter.scoring.board import Board
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.sentence import Sentence, raised_as
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.reading.annotate import annotate_answers

from ..errors import AnswersError
from ..photo_file import parse_photo, to_jpeg
from .scored_photo import Answers

NO_ANSWERS = Sentence("answers are one JSON object, as {example}: {error}")
EXAMPLE = '{"helena--seattle": "red", "duluth--helena": null}'


def parse_answers(
    content: bytes, board: Board, edition: Edition, colours: Collection[Colour]
) -> Answers:
    """Parse answers: a JSON object of ids or names to colours, or null for free.

    Raises `AnswersError`, also where a spot is written twice.
    """
    with raised_as(AnswersError, AnswersError, NO_ANSWERS, example=EXAMPLE):
        colour_by_id = parse_json(content, dict[str, str | None], AnswersError)
    answers: dict[Spot, Colour | None] = {}
    for name, colour in colour_by_id.items():
        spot = spot_by_name(name, board, edition)
        if spot in answers:
            raise AnswersError(f"{spot_name(board, spot)!r} is written twice")
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
    with raised_as(AnswersError, OSError, "{path}: cannot be read: {error}", path=path):
        content = read_bounded(path)
    with raised_as(AnswersError, AnswersError, "{path}: {error}", path=path):
        return parse_answers(content, board, edition, colours)


def spot_by_name(name: str, board: Board, edition: Edition) -> Spot:
    """Return a spot by its id or its name; raises `AnswersError` with similar names.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> usa = load_board("usa"), load_edition("usa")
    >>> spot_by_name("portland - seattle (second lane)", *usa)
    Spot(kind='route', id='portland--seattle--1')
    >>> spot_by_name("the station at roma", load_board("europe"), load_edition("europe"))
    Spot(kind='station', id='roma')
    """
    spots = playable_spots(board, edition)
    called = {spot_name(board, spot).casefold(): spot for spot in spots.values()}
    if name in spots:
        return spots[name]
    if name.casefold() in called:
        return called[name.casefold()]
    near = get_close_matches(name, spots, n=3, cutoff=0.3)
    raise AnswersError(
        f"the board {board.id!r} has no {_kinds(edition)} {name!r}; near it are"
        f" {', '.join(near) or 'none'}"
    )


def playable_spots(board: Board, edition: Edition) -> dict[str, Spot]:
    """Return by their ids the spots on which pieces can stand in this edition.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> playable_spots(load_board("europe"), load_edition("europe"))["essen"]
    Spot(kind='station', id='essen')
    >>> "helena" in playable_spots(load_board("usa"), load_edition("usa"))
    False
    """
    spots = [Spot("site", site.id) for site in board.sites if site.space is not None]
    if edition.stations:
        spots += [Spot("station", place) for place in board.place_by_id]
    spots += [Spot("route", route) for route in board.route_by_id]
    return {spot.id: spot for spot in spots}


def picture_with_answers(jpeg: bytes, board: Board, answers: Answers) -> bytes:
    """Return an annotated picture with answers drawn over it, as a JPEG."""
    return to_jpeg(annotate_answers(parse_photo(jpeg), board, answers)) if answers else jpeg


def _kinds(edition: Edition) -> str:
    """Return the kinds of spots of an edition, for an error message."""
    if edition.stations:
        return "route or place"
    return "route or site" if edition.site_points else "route"
