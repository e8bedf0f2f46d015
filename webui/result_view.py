"""What the page shows of a scored photo, in its order and its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from railspotter.scoring import Board, Line, PlayerStanding, Route
from railspotter.table.scored_photo import ScoredPhoto

from . import texts
from .paint import Paint, paint_of


@dataclass(frozen=True)
class PlayerRow:
    """One player's row of the scores.

    Attributes
    ----------
    has_longest : bool
        Whether nobody's path is longer, where the edition gives a bonus for that.
    lines : tuple of Line
        Where the points come from.
    """

    colour: str
    paint: Paint
    route_points: int
    trains_left: int
    longest_path: int
    has_longest: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class DoubtCard:
    """One doubt, as a question."""

    question: str
    why: str
    counts_as: str


@dataclass(frozen=True)
class ResultView:
    """A found board's result.

    Attributes
    ----------
    players : tuple of PlayerRow
        Those with trains on the board, most points first.
    absent : tuple of str
        The colours without.
    doubts : tuple of DoubtCard
        Numbered from 1 in this order on the annotated picture.
    notes : tuple of str
        What else the players should know.
    """

    photo: str
    edition: str
    trains_left_heading: str
    players: tuple[PlayerRow, ...]
    absent: tuple[str, ...]
    doubts: tuple[DoubtCard, ...]
    notes: tuple[str, ...]
    seconds: float


def result_view(photo: ScoredPhoto) -> ResultView:
    """Return what the page shows of a photo on which the board was found."""
    edition = photo.edition
    standings = photo.standing.players if photo.standing else ()
    playing = [player for player in standings if player.lines]
    longest = max((player.longest_path.length for player in playing), default=0)
    rows = [
        _row(player, bool(edition.longest_path_bonus) and player.longest_path.length == longest)
        for player in playing
    ]
    notes = [texts.sentence(note) for note in photo.notes]
    if excess := [(p.colour, -p.trains_left) for p in playing if p.trains_left < 0]:
        notes.append(texts.too_many(excess))
    return ResultView(
        photo=photo.photo,
        edition=edition.title,
        trains_left_heading=texts.trains_left(edition.train_word),
        players=tuple(sorted(rows, key=lambda row: -row.route_points)),
        absent=tuple(player.colour for player in standings if not player.lines),
        doubts=tuple(_doubt_cards(photo)),
        notes=tuple(notes),
        seconds=photo.seconds,
    )


def _row(player: PlayerStanding, has_longest: bool) -> PlayerRow:
    return PlayerRow(
        colour=player.colour,
        paint=paint_of(player.colour),
        route_points=player.route_points,
        trains_left=player.trains_left,
        longest_path=player.longest_path.length,
        has_longest=has_longest,
        lines=player.lines,
    )


def _doubt_cards(photo: ScoredPhoto) -> Iterator[DoubtCard]:
    for doubt in photo.doubts:
        answers = [answer or texts.EMPTY for answer in (doubt.said, *doubt.alternatives)]
        yield DoubtCard(
            question=texts.question(route_name(photo.board, doubt.route), answers),
            why=texts.sentence(doubt.why),
            counts_as=texts.counts_as(answers[0]),
        )


def route_name(board: Board, name: str) -> str:
    """Return a route's name for players, who see the board the right way up before them.

    Examples
    --------
    >>> from railspotter.scoring import load_board
    >>> route_name(load_board("usa"), "helena--seattle")
    'Helena - Seattle'
    >>> route_name(load_board("usa"), "portland--seattle--1")
    'the right lane of Portland - Seattle'
    """
    route = board.route_by_id[name]
    ends = f"{board.place_by_id[route.a].name} - {board.place_by_id[route.b].name}"
    twins = [board.route_by_id[twin] for twin in board.other_lanes.get(name, ())]
    if len(twins) != 1 or not route.spaces or not twins[0].spaces:
        return ends
    (x, y), (twin_x, twin_y) = _middle(route), _middle(twins[0])
    if abs(x - twin_x) > abs(y - twin_y):
        return texts.lane("left" if x < twin_x else "right", ends)
    return texts.lane("upper" if y < twin_y else "lower", ends)


def _middle(route: Route) -> tuple[float, float]:
    x, y = (sum(space.xy_mm[axis] for space in route.spaces) for axis in (0, 1))
    return x / len(route.spaces), y / len(route.spaces)
