"""A scored photo: the value that is printed, shown on the page and sent by the reader process."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.scoring.answer import path_json
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.legality import likely_names, number_problem, position_problems
from railspotter.scoring.points.standing import Standing, position_standing
from railspotter.scoring.position import Position, seats_of, stations_by_colour
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Spot, of_kind
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.readings import Doubt as Doubt
from railspotter.vision.readings import MarkerReading

Answers = Mapping[Spot, Colour | None]  # the colours of spots by users' answers; None for free

# A photo of less weight repeats another one; 0.5 is one of two identical photos.
MUCH_ALIKE = 0.7
# The least routes of each other colour for a lone route to look odd; chosen.
MANY = 4

TOO_MANY = Sentence("{problem}: not sure of {routes}")
UNCOUNTED = Sentence(
    "there are also trains on the board that nobody in this game has ({routes}). They are not"
    " counted; if somebody plays them, name that player's colour too"
)
MOST_NAMED = 5  # routes of a colour that a remark names; the JSON has them all
UNSEEN = Sentence(
    "{n} routes are out of the picture, covered, in glare or too small in it: {names}. Points and"
    " paths are at least what is told; take another photo of the rest"
)
UNSEEN_ONE = Sentence(
    "{names} is out of the picture, covered, in glare or too small in it: take another photo of it,"
    " or say what stands there"
)
UNSEEN_PLACES = Sentence(
    "{n} places are out of the picture, covered, in glare or too small in it: {names}; take another"
    " photo of the rest"
)
LONE_ROUTE = Sentence(
    "only one route is {colour}, {route}: check that {colour} trains are really there"
)
# The kinds of problems that players cannot have caused, so that a misreading is likely.
IMPOSSIBLE_PROBLEMS = "both_lanes", "double_routes_open_from", "stations", "site_before_station"
MARKER = Sentence(
    "{colour}'s marker stands at {at}, but its routes are worth {points}: either it was not moved,"
    " or a route is misread"
)
REPEATED = Sentence(
    "{photo} is so much like another photo that it adds little: take one from another side or in"
    " another light"
)


class SpotAnswer(msgspec.Struct, frozen=True):
    """A user's answer about a spot."""

    spot: Spot
    read: Colour | None  # the reading; None for free
    said: Colour | None  # the answer; None for free
    was_doubted: bool  # whether it was asked about


class PhotoPart(msgspec.Struct, frozen=True):
    """One of the photos of a board."""

    photo: str  # its name
    reason: Sentence | None  # why the board was not found in it; None if it was
    corners_px: tuple[tuple[float, float], ...] | None
    # Its weight in the joint reading: 1 for a photo unlike all others, half for one of two in the
    # same light and from the same side, 0 if the board was not found.
    counts: float
    unseen: frozenset[RouteId] = frozenset()  # the routes that it does not show


class ScoredPhoto(msgspec.Struct, frozen=True, eq=False, dict=True, tag="photo"):
    """The score of one photo, or of several photos of one board."""

    photo: str  # the name: a path or a file's name; of several photos the first's
    board: Board
    edition: Edition
    colours: tuple[Colour, ...] = ()  # the players'; empty if the board was not found
    reason: Sentence | None = None  # why the board was not found; None if it was
    # The printed board's corners in the photo: TL, TR, BR, BL.
    corners_px: tuple[tuple[float, float], ...] | None = None
    # The colour of each occupied spot, by answer or else by the best reading, doubtful or not.
    held: Mapping[Spot, Colour] = {}
    sure: Mapping[Spot, float] = {}  # the reading's confidence of each, 1 for an answer
    doubts: tuple[Doubt, ...] = ()  # the unanswered ones
    notes: tuple[Sentence, ...] = ()  # about the picture; `remarks` adds those on the scores
    profile: str | None = None  # the name of the profile used; None for the program's fingerprint
    seconds: float = 0.0  # the time for finding, reading and scoring
    # (H, W, 3) uint8, BGR, or None: the rectified board with the reading drawn on it.
    annotated: Picture | None = None
    crops: Mapping[Spot, bytes] = {}  # JPEGs of the spots that are held or doubted, if wanted
    answers: tuple[SpotAnswer, ...] = ()  # already applied to `held`
    parts: tuple[PhotoPart, ...] = ()  # the photos that were read together
    # In the accessible edition: the space with the piece of each claimed route, from 0 at its `a`.
    seen_pins: Mapping[RouteId, int] = {}
    markers: Mapping[Colour, MarkerReading] = {}  # the score markers, if they were read
    # Routes with trains of colours that nobody plays; not in `held`.
    uncounted: Mapping[RouteId, Colour] = {}
    # Spots that no photo shows: out of the picture, covered, in glare or too small. They are
    # neither free nor held, so that the scores are lower bounds.
    unseen: tuple[Spot, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the board was found."""
        return self.reason is None

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """The claimed routes' colours."""
        return of_kind("route", self.held)

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """The stations' colours by place."""
        return of_kind("station", self.held)

    @property
    def sites(self) -> dict[SiteId, Colour]:
        """The claimed sites' colours."""
        return of_kind("site", self.held)

    @property
    def pins(self) -> dict[RouteId, int]:
        """The space with the piece of each claimed route, where it was seen."""
        claims = self.claims
        return {route: pin for route, pin in self.seen_pins.items() if route in claims}

    @property
    def position(self) -> Position:
        """The position to score."""
        return Position(self.edition, self.board, seats_of(self.colours)).with_held(self.held)

    @cached_property
    def standing(self) -> Standing:
        """Everyone's score so far: a site costs a train, and no station scores before the end.

        >>> from railspotter.scoring.board import load_board
        >>> from railspotter.scoring.edition import load_edition
        >>> held = {Spot("route", "berlin--essen"): "red", Spot("station", "essen"): "red"}
        >>> europe = load_board("europe"), load_edition("europe")
        >>> now = ScoredPhoto("a.jpg", *europe, ("red",), held=held).standing
        >>> now["red"].route_points, now["red"].trains_left
        (2, 43)
        """
        return position_standing(self.position)

    def with_answers(self, answers: Answers) -> "ScoredPhoto":
        """Return the photo with users' answers applied.

        Spots without a doubt may be answered too. Colours in answers become players' colours.
        """
        if not answers or not self.found:
            return self
        doubted = {doubt.spot for doubt in self.doubts}
        now = {**self.held, **answers}
        answered = (colour for colour in answers.values() if colour is not None)
        return replace(
            self,
            colours=tuple(dict.fromkeys((*self.colours, *answered))),
            uncounted={
                route: colour
                for route, colour in self.uncounted.items()
                if Spot("route", route) not in answers
            },
            held={spot: colour for spot, colour in now.items() if colour is not None},
            sure={**self.sure, **dict.fromkeys(answers, 1.0)},
            doubts=tuple(doubt for doubt in self.doubts if doubt.spot not in answers),
            unseen=tuple(spot for spot in self.unseen if spot not in answers),
            answers=tuple(
                SpotAnswer(spot, self.held.get(spot), said, spot in doubted)
                for spot, said in answers.items()
            ),
        )

    def with_note(self, note: Sentence) -> "ScoredPhoto":
        """Return the photo with one note more; an empty one, or no board, changes nothing."""
        return replace(self, notes=(*self.notes, note)) if note and self.found else self

    @property
    def remarks(self) -> tuple[Sentence, ...]:
        """The notes of the reading, and warnings about implausible scores.

        The reader does not rule out too many trains of a colour, or a colour with a single route:
        users have to check them.
        """
        return (*self.notes, *_remarks_on_scores(self))

    def as_json(self) -> dict[str, Any]:
        """Return the object that `railspotter read --json` prints for this photo."""
        line: dict[str, Any] = {
            "photo": self.photo,
            "board": self.board.id,
            "edition": self.edition.id,
            "found": self.found,
            "reason": self.reason,
            "profile": self.profile,
            "corners_px": self.corners_px,
            "claims": self.claims,
            "doubts": [_about_spot(doubt, "said", "alternatives", "why") for doubt in self.doubts],
            "notes": list(self.remarks),
            "standing": {
                player.colour: {
                    "route_points": player.route_points,
                    "trains_left": player.trains_left,
                    "longest_path": path_json(player),
                }
                for player in self.standing.players
            },
            "unseen": [spot.id for spot in self.unseen],
            "seconds": round(self.seconds, 3),
        }
        if self.edition.stations:
            line["stations"] = stations_by_colour(self.stations)
        if self.edition.site_points:
            line["sites"] = self.sites
        if self.edition.one_piece_a_route:
            line["pins"] = self.pins
        if self.markers:
            line["markers"] = {
                colour: {"at": marker.at, "why": marker.why or None}
                for colour, marker in self.markers.items()
            }
        if self.uncounted:
            line["uncounted"] = self.uncounted
        if self.answers:
            line["answers"] = [_about_spot(a, "read", "said", "was_doubted") for a in self.answers]
        if len(self.parts) > 1:
            line["photos"] = [
                {
                    "photo": part.photo,
                    "found": part.reason is None,
                    "reason": part.reason,
                    "corners_px": part.corners_px,
                    "counts": round(part.counts, 3),
                }
                for part in self.parts
            ]
        return line


def _about_spot(value: Doubt | SpotAnswer, *fields: str) -> dict[str, Any]:
    return {value.spot.kind: value.spot.id} | {name: getattr(value, name) for name in fields}


def _remarks_on_scores(photo: ScoredPhoto) -> Iterator[Sentence]:
    """Yield warnings about implausible scores, and about repetitive photos."""
    players = photo.standing.players
    there = len({*photo.held.values()})
    if there > photo.edition.players[1]:
        yield number_problem(photo.edition, there)
    yield from _broken_rules(photo)
    if photo.unseen:
        yield _unseen(photo)
    if photo.uncounted:
        yield UNCOUNTED.filled(routes=together(uncounted_routes(photo).values()))
    yield from _lone_routes(photo)
    for player in players:
        marker = photo.markers.get(player.colour)
        if marker is None or marker.at is None:
            continue
        if marker.at != player.route_points % len(photo.board.score_track):
            yield MARKER.filled(colour=player.colour, at=marker.at, points=player.route_points)
    for part in photo.parts:
        if 0 < part.counts < MUCH_ALIKE:
            yield REPEATED.filled(photo=part.photo)


def _broken_rules(photo: ScoredPhoto) -> Iterator[Sentence]:
    """Yield rule violations that players cannot have caused, and that are not asked about.

    If the players are unknown, all colours on the board count once each has `MANY` routes.
    """
    there = Counter(photo.claims.values())
    if there and min(there.values()) >= MANY:
        photo = replace(photo, colours=tuple(there))
    asked = {doubt.spot.id for doubt in photo.doubts}
    for problem in position_problems(photo.position):
        is_shown = problem.kind in IMPOSSIBLE_PROBLEMS and asked.isdisjoint(problem.routes)
        if problem.kind == "stock":
            names = likely_names(problem, photo.board, photo.held, photo.sure)
            yield TOO_MANY.filled(problem=problem.what, routes=names)
        elif is_shown and isinstance(problem.what, Sentence):
            yield problem.what


def _unseen(photo: ScoredPhoto) -> Sentence:
    """Return the warning about unseen routes, or else unseen places and sites."""
    routes = [spot for spot in photo.unseen if spot.kind == "route"]
    spots = routes or photo.unseen
    names = ", ".join(spot_name(photo.board, spot) for spot in spots[:MOST_NAMED])
    names += ", ..." if len(spots) > MOST_NAMED else ""
    if len(spots) == 1:
        return UNSEEN_ONE.filled(names=names)
    return (UNSEEN if routes else UNSEEN_PLACES).filled(n=len(spots), names=names)


def uncounted_routes(photo: ScoredPhoto) -> dict[Colour, Sentence]:
    """Return by colour a sentence with the routes of trains that nobody plays."""
    whose: dict[Colour, list[str]] = {}
    for route, colour in photo.uncounted.items():
        whose.setdefault(colour, []).append(spot_name(photo.board, Spot("route", route)))
    template = Sentence("{colour} {n}: {routes}")
    return {
        colour: template.filled(
            colour=colour,
            n=len(names),
            routes=", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else ""),
        )
        for colour, names in sorted(whose.items())
    }


def _lone_routes(photo: ScoredPhoto) -> Iterator[Sentence]:
    """Yield warnings about colours with a single route that was neither asked nor answered."""
    claims, places = photo.claims, photo.board.place_by_id
    counts = Counter(claims.values())
    asked = {doubt.spot.id for doubt in photo.doubts} | {one.spot.id for one in photo.answers}
    for name, colour in claims.items():
        others = [count for other, count in counts.items() if other != colour]
        if counts[colour] == 1 and name not in asked and others and min(others) >= MANY:
            route = photo.board.route_by_id[name]
            ends = f"{places[route.a].name} - {places[route.b].name}"
            yield LONE_ROUTE.filled(colour=colour, route=ends)
