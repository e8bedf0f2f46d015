"""What the page shows of a scored photo, in its order and its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as replace_fields
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import Colour
from railspotter.scoring.paths.longest_path import longest_holders
from railspotter.scoring.points.standing import PlayerStanding, ScoreLine
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Kind, Spot
from railspotter.scoring.spot_names import lane_side, route_ends, spot_name
from railspotter.table.photos.scored_photo import Answers, ScoredPhoto, uncounted_routes
from railspotter.vision.readings import Doubt

from ..words.translation import Statement
from . import texts

FREE = "free"  # what a form sends where nothing stands; no colour is called so


@dataclass(frozen=True)
class Paint:
    """A letter and a pattern that stand beside a colour's word."""

    letter: str  # one capital, different for every colour
    style: str  # the suffix of the style sheet's `car-` class, which has a pattern of its own


# K is black, as printers have it: B is blue.
PAINTS = {
    "black": Paint("K", "black"),
    "blue": Paint("B", "blue"),
    "green": Paint("G", "green"),
    "orange": Paint("O", "orange"),
    "purple": Paint("P", "purple"),
    "red": Paint("R", "red"),
    "white": Paint("W", "white"),
    "yellow": Paint("Y", "yellow"),
}


def paint_of(colour: str) -> Paint:
    """Return a colour's paint; an unknown one gets its first letter and a plain pattern.

    Examples
    --------
    >>> paint_of("black").letter, paint_of("teal")
    ('K', Paint(letter='T', style='other'))
    """
    return PAINTS.get(colour) or Paint(colour[:1].upper(), "other")


@dataclass(frozen=True)
class PlayerRow:
    """One player's row of the scores."""

    colour: str
    paint: Paint
    route_points: int
    trains_left: int
    longest_path: int  # its spaces; with `is_bound` it may be longer
    has_longest: bool  # whether nobody's path is longer, where the edition gives a bonus for that
    lines: tuple[ScoreLine, ...]  # where the points come from
    stations_left: int = 0  # how many stations can still be built; 0 in a game without
    is_bound: bool = False


@dataclass(frozen=True)
class Choice:
    """One answer to a doubt."""

    value: str  # what the form sends: a colour, or `FREE`
    label: str
    paint: Paint | None  # None for nothing there


@dataclass(frozen=True)
class DoubtCard:
    """One doubt, as a question."""

    about: str  # the id of the route, place or site; a colour that nobody in the game has
    question: Sentence
    why: Sentence
    counts_as: Sentence  # how it is scored, for now or for good
    # Answers at one tap: the reading's, what else is likely, and none. Empty where nobody can
    # answer, or somebody has.
    choices: tuple[Choice, ...] = ()
    other_choices: tuple[Choice, ...] = ()  # the other players
    is_answered: bool = False


@dataclass(frozen=True)
class ResultView:
    """A found board's result."""

    photo: str
    edition: str
    trains_left_heading: Sentence
    has_stations: bool  # whether the game has stations
    players: tuple[PlayerRow, ...]  # those with something on the board, most points first
    absent: tuple[str, ...]  # the colours without
    # Numbered from 1 in this order on the annotated picture; last, whose trains of other colours
    # are.
    doubts: tuple[DoubtCard, ...]
    notes: tuple[Sentence, ...]  # what else the players should know
    seconds: float
    can_answer: bool  # whether the page takes answers to the doubts
    # Whether some of the board is out of the picture, so that scores are the least there is.
    is_part: bool = False

    @property
    def open_doubts(self) -> int:
        """How many doubts nobody answered."""
        return sum(not doubt.is_answered for doubt in self.doubts)


def result_view(read: ScoredPhoto, answers: Answers | None = None) -> ResultView:
    """Return what the page shows of a photo on which the board was found.

    Parameters
    ----------
    answers : mapping of Spot to (colour or None), optional
        The answers that its doubts got; None where nobody can answer.
    """
    photo = read.with_answers(answers or {})
    edition = photo.edition
    standings = photo.standing.players
    built = [*photo.stations.values()]
    holding = {*built, *photo.sites.values()}
    playing = [player for player in standings if player.lines or player.colour in holding]
    longest = longest_holders({player.colour: player.longest_path for player in playing})
    rows = [
        _row(
            player,
            bool(edition.longest_path_bonus) and player.colour in longest.sure,
            edition.stations - built.count(player.colour),
        )
        for player in playing
    ]
    told = photo if answers is None else replace_fields(photo, uncounted={})  # asked, not told
    notes: list[Sentence] = [Statement(remark) for remark in told.remarks]
    notes += [texts.left_out(part.photo, part.reason) for part in photo.parts if part.reason]
    return ResultView(
        photo=", ".join(part.photo for part in photo.parts) or photo.photo,
        edition=edition.title,
        trains_left_heading=texts.TRAINS_LEFT[edition.train_word],
        has_stations=bool(edition.stations),
        players=tuple(sorted(rows, key=lambda row: -row.route_points)),
        absent=tuple(player.colour for player in standings if player not in playing),
        doubts=(*_doubt_cards(read, answers), *_strange_cards(read, answers)),
        notes=tuple(notes),
        seconds=photo.seconds,
        can_answer=answers is not None,
        is_part=bool(photo.unseen),
    )


def _row(player: PlayerStanding, has_longest: bool, stations_left: int) -> PlayerRow:
    return PlayerRow(
        colour=player.colour,
        paint=paint_of(player.colour),
        route_points=player.route_points,
        trains_left=player.trains_left,
        longest_path=player.longest_path.at_least,
        has_longest=has_longest,
        lines=player.lines,
        stations_left=max(0, stations_left),
        is_bound=not player.longest_path.is_exact,
    )


def _doubt_cards(photo: ScoredPhoto, answers: Answers | None) -> Iterator[DoubtCard]:
    for doubt in photo.doubts:
        likely = (doubt.said, *doubt.alternatives)
        names = [answer or _nothing(doubt.spot.kind) for answer in likely]
        card = DoubtCard(
            about=doubt.spot.id,
            question=_question(photo.board, doubt, names),
            why=Statement(doubt.why),
            counts_as=texts.counts_as(names[0]),
        )
        if answers is None:
            yield card
        elif doubt.spot in answers:
            said = texts.answered(answers[doubt.spot] or _nothing(doubt.spot.kind))
            yield replace(card, counts_as=said, is_answered=True)
        else:
            offered = dict.fromkeys((*likely, None))
            others = [colour for colour in photo.colours if colour not in offered]
            yield replace(
                card,
                choices=tuple(_choice(colour, doubt.spot.kind) for colour in offered),
                other_choices=tuple(_choice(colour, doubt.spot.kind) for colour in others),
            )


def asked_about(photo: ScoredPhoto) -> dict[str, list[Spot]]:
    """Return the spots that the answer to each card of a result is about."""
    spots = {doubt.spot.id: [doubt.spot] for doubt in photo.doubts}
    for route, colour in photo.uncounted.items():
        if route not in spots:  # what is doubted is asked about by itself
            spots.setdefault(colour, []).append(Spot("route", route))
    return spots


def _strange_cards(photo: ScoredPhoto, answers: Answers | None) -> Iterator[DoubtCard]:
    """Yield who is asked about for each colour that nobody in the game has, where one can say."""
    if answers is None:
        return
    spots = asked_about(photo)
    nobody = Choice(FREE, texts.NOBODY, None)
    for colour, routes in uncounted_routes(photo).items():
        if colour not in spots:
            continue
        said = [answers[spot] for spot in spots[colour] if spot in answers]
        card = DoubtCard(
            about=colour,
            question=texts.WHO_PLAYS.filled(routes=routes),
            why=texts.NOT_IN_GAME,
            counts_as=texts.answered(said[0] or nobody.label) if said else texts.NOT_COUNTED,
            is_answered=bool(said),
        )
        choices = (_choice(colour, "route"), nobody)
        others = tuple(_choice(other, "route") for other in photo.colours)
        yield card if said else replace(card, choices=choices, other_choices=others)


def _question(board: Board, doubt: Doubt, answers: Sequence[str]) -> Sentence:
    if doubt.spot.kind == "station":
        return texts.station_question(board.place_by_id[doubt.spot.id].name, answers)
    if doubt.spot.kind == "site":
        return texts.question(spot_name(board, doubt.spot), answers)
    return texts.question(route_phrase(board, doubt.spot.id), answers)


def _choice(colour: Colour | None, kind: Kind) -> Choice:
    if colour is None:
        return Choice(FREE, _nothing(kind), None)
    return Choice(colour, colour, paint_of(colour))


def _nothing(kind: Kind) -> Sentence:
    return texts.NO_STATION if kind == "station" else texts.EMPTY


def route_phrase(board: Board, name: RouteId) -> str:
    """Return a route's name for players, who see the board the right way up before them.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> route_phrase(load_board("usa"), "helena--seattle")
    'Helena - Seattle'
    >>> route_phrase(load_board("usa"), "portland--seattle--1")
    'the right lane of Portland - Seattle'
    """
    ends, side = route_ends(board, name), lane_side(board, name)
    return ends if side is None else texts.LANES[side].filled(route=ends)
