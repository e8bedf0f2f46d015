"""The view of a scored photo for its template."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec.structs import replace as replace_fields
from railspotter.scoring.board import Board, RouteId
from railspotter.scoring.edition import Colour
from railspotter.scoring.paths.longest_path import longest_holders
from railspotter.scoring.points.standing import PlayerStanding
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Kind, Spot, spots_of
from railspotter.scoring.spot_names import lane_side, route_ends, spot_name
from railspotter.table.photos.answers import playable_spots
from railspotter.table.photos.scored_photo import Answers, ScoredPhoto, uncounted_routes
from railspotter.vision.readings import Doubt

from ..words.translation import Statement
from . import texts

# Whose pieces may stand somewhere, None for nobody's, and the words for it.
Choices = Mapping[Colour | None, str]
FREE = "free"  # the form's value for no pieces; no colour has that name
# The colours that have a pattern of their own in the style sheet.
PATTERNED = ("black", "blue", "green", "orange", "purple", "red", "white", "yellow")


def paint_of(colour: str) -> tuple[str, str]:
    """Return a colour's letter, for the colour-blind, and what follows `car-` in its style's name.

    >>> paint_of("black"), paint_of("teal")
    (('K', 'black'), ('T', 'other'))
    """
    letter = "K" if colour == "black" else colour[:1].upper()  # as printers have it: B is blue
    return letter, colour if colour in PATTERNED else "other"


@dataclass(frozen=True)
class DoubtCard:
    """One doubt, as a question."""

    about: str  # the id of the route, place or site, or a colour that nobody plays
    question: Sentence
    why: Sentence
    counts_as: Sentence  # how it is scored
    # The words for each likely answer and for none; empty if it is answered.
    choices: Choices = field(default_factory=dict)
    other_choices: Choices = field(default_factory=dict)  # the other players
    is_answered: bool = False


@dataclass(frozen=True)
class ResultView:
    """The result of a photo in which the board was found."""

    photo: ScoredPhoto  # with the users' answers
    # In the order of their numbers on the annotated picture; last, the colours that nobody plays.
    doubts: tuple[DoubtCard, ...]
    notes: tuple[Sentence, ...]
    corrections: tuple[DoubtCard, ...]  # answers about what was not asked
    # The names of what can be corrected by its id, by what it counts as: players' first.
    correctable: Mapping[str, Mapping[str, Sentence]]

    @property
    def choices(self) -> Choices:
        """The answers to choose from in a correction."""
        return {colour: colour or _nothing("route") for colour in (*self.photo.colours, None)}

    @property
    def players(self) -> tuple[PlayerStanding, ...]:
        """The players with pieces on the board, most points first."""
        holding = {*self.photo.held.values()}
        playing = (one for one in self.photo.standing.players if one.lines or one.colour in holding)
        return tuple(sorted(playing, key=lambda one: -one.route_points))

    @property
    def absent(self) -> tuple[Colour, ...]:
        """The colours without pieces."""
        players = self.players
        return tuple(one.colour for one in self.photo.standing.players if one not in players)

    @property
    def longest(self) -> frozenset[Colour]:
        """The colours that have the longest path, if the edition has that bonus."""
        longest = longest_holders({one.colour: one.longest_path for one in self.players})
        return frozenset(longest.sure if self.photo.edition.longest_path_bonus else ())

    @property
    def open_doubts(self) -> int:
        """The number of unanswered doubts."""
        return sum(not doubt.is_answered for doubt in self.doubts)

    def stations_left(self, colour: Colour) -> int:
        """Return how many stations a player can still build."""
        built = [*self.photo.stations.values()].count(colour)
        return max(0, self.photo.edition.stations - built)


def result_view(read: ScoredPhoto, answers: Answers) -> ResultView:
    """Make the view of a photo in which the board was found, with the users' answers."""
    photo = read.with_answers(answers)
    # Uncounted colours are asked about instead of mentioned in the remarks.
    noted = replace_fields(photo, uncounted={})
    notes: list[Sentence] = [Statement(remark) for remark in noted.remarks]
    notes += [
        texts.LEFT_OUT.filled(photo=part.photo, reason=part.reason)
        for part in photo.parts
        if part.reason
    ]
    cards = (*_doubt_cards(read, answers), *_strange_cards(read, answers))
    corrections = tuple(_corrections(read, answers, cards))
    return ResultView(photo, cards, tuple(notes), corrections, _correctable(read, photo))


def _doubt_cards(photo: ScoredPhoto, answers: Answers) -> Iterator[DoubtCard]:
    for doubt in photo.doubts:
        likely = (doubt.said, *doubt.alternatives)
        names = [answer or _nothing(doubt.spot.kind) for answer in likely]
        card = DoubtCard(
            about=doubt.spot.id,
            question=_question(photo.board, doubt, names),
            why=Statement(doubt.why),
            counts_as=texts.COUNTED.filled(answer=names[0]),
        )
        if doubt.spot in answers:
            said = _answered(answers[doubt.spot] or _nothing(doubt.spot.kind))
            yield replace(card, counts_as=said, is_answered=True)
        else:
            offered = dict.fromkeys((*likely, None))
            others = [colour for colour in photo.colours if colour not in offered]
            yield replace(
                card,
                choices={colour: colour or _nothing(doubt.spot.kind) for colour in offered},
                other_choices={colour: colour for colour in others},
            )


def asked_about(photo: ScoredPhoto) -> dict[str, list[Spot]]:
    """Return the spots of each card, by its `about`."""
    spots = {doubt.spot.id: [doubt.spot] for doubt in photo.doubts}
    for route, colour in photo.uncounted.items():
        if route not in spots:  # doubtful routes have their own cards
            spots.setdefault(colour, []).append(Spot("route", route))
    return spots


def _strange_cards(photo: ScoredPhoto, answers: Answers) -> Iterator[DoubtCard]:
    """Yield a card for each colour that nobody plays."""
    spots = asked_about(photo)
    for colour, routes in uncounted_routes(photo).items():
        if colour not in spots:
            continue
        said = [answers[spot] or texts.NOBODY for spot in spots[colour] if spot in answers]
        is_answered = len(said) == len(spots[colour])
        answer = together(dict.fromkeys(said), ", ")
        card = DoubtCard(
            about=colour,
            question=texts.WHO_PLAYS.filled(routes=routes),
            why=texts.NOT_IN_GAME,
            counts_as=_answered(answer) if is_answered else texts.NOT_COUNTED,
            is_answered=is_answered,
        )
        choices: Choices = {colour: colour, None: texts.NOBODY}
        others: Choices = {one: one for one in photo.colours}
        yield card if is_answered else replace(card, choices=choices, other_choices=others)


def _corrections(
    read: ScoredPhoto, answers: Answers, cards: Sequence[DoubtCard]
) -> Iterator[DoubtCard]:
    """Yield a card for each answer that is not in the card of a question."""
    asked = asked_about(read)
    shown = {spot for card in cards if card.is_answered for spot in asked[card.about]}
    for spot, said in answers.items():
        if spot not in shown:
            yield DoubtCard(
                about=spot.id,
                question=listed_name(read.board, spot),
                why=texts.READ_AS.filled(answer=_now(read, spot)),
                counts_as=_answered(said or _nothing(spot.kind)),
                is_answered=True,
            )


def _correctable(read: ScoredPhoto, photo: ScoredPhoto) -> dict[str, dict[str, Sentence]]:
    """Name all spots but doubts by what they count as in `photo`, which has the answers."""
    groups = (*photo.colours, *photo.uncounted.values(), texts.UNSEEN, texts.EMPTY)
    names: dict[str, dict[str, Sentence]] = {now: {} for now in groups}
    doubted = {doubt.spot for doubt in read.doubts}
    for spot in sorted(playable_spots(photo.board, photo.edition).values()):
        if spot not in doubted:
            now, name = _now(photo, spot), listed_name(photo.board, spot)
            names.setdefault(now, {})[spot.id] = texts.LISTED.filled(spot=name, now=now)
    return {now: some for now, some in names.items() if some}


def _now(photo: ScoredPhoto, spot: Spot) -> str:
    if spot in photo.unseen:
        return texts.UNSEEN
    there = {**spots_of("route", photo.uncounted), **photo.held}
    return there.get(spot) or _nothing(spot.kind)


def _question(board: Board, doubt: Doubt, answers: Sequence[str]) -> Sentence:
    if doubt.spot.kind == "station":
        return texts.station_question(board.place_by_id[doubt.spot.id].name, answers)
    if doubt.spot.kind == "site":
        return texts.question(spot_name(board, doubt.spot), answers)
    return texts.question(route_phrase(board, doubt.spot.id), answers)


def _answered(answer: str) -> Sentence:
    return texts.ANSWERED.filled(answer=answer)


def _nothing(kind: Kind) -> Sentence:
    return texts.NO_STATION if kind == "station" else texts.EMPTY


def route_phrase(board: Board, name: RouteId) -> str:
    """Return a route's name, with the side of its lane on the upright board.

    >>> from railspotter.scoring.board import load_board
    >>> route_phrase(load_board("usa"), "helena--seattle")
    'Helena - Seattle'
    >>> route_phrase(load_board("usa"), "portland--seattle--1")
    'the right lane of Portland - Seattle'
    """
    ends, side = route_ends(board, name), lane_side(board, name)
    return ends if side is None else texts.LANES[side].filled(route=ends)


def listed_name(board: Board, spot: Spot) -> Sentence:
    """Return a spot's name as lists begin with it, by the words of the table's page.

    >>> from railspotter.scoring.board import load_board
    >>> left = listed_name(load_board("usa"), Spot("route", "portland--seattle--0"))
    >>> left.template, left.values
    ('route.lane_left', {'a': 'Portland', 'b': 'Seattle'})
    """
    places, names = board.place_by_id, {}
    match spot:
        case Spot("station", place):
            word, names = "station.name", {"place": places[place].name}
        case Spot("site", site):
            word = board.site_by_id[site].name
        case Spot(_, name):
            route = board.route_by_id[name]
            is_lane = name in board.other_lanes
            word = f"route.lane_{lane_side(board, name) or route.lane}" if is_lane else "route.name"
            names = {"a": places[route.a].name, "b": places[route.b].name}
    return Sentence(word, **names)
