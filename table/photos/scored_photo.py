"""A photo and what it is worth: the value that the command prints and the page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, of_kind
from railspotter.scoring.standing import Standing, position_standing
from railspotter.vision.readings import Doubt as Doubt
from railspotter.vision.readings import MarkerReading

from .remarks import remarks


@dataclass(frozen=True)
class SpotAnswer:
    """What someone says of a spot."""

    spot: Spot
    # read, said: Whose trains or station the camera saw there and whose stand there, None for free.
    read: Colour | None
    said: Colour | None
    was_doubted: bool  # whether the reading had asked


@dataclass(frozen=True)
class PhotoPart:
    """One of several photos of a board."""

    photo: str  # what the user calls it
    reason: Sentence | None  # why the board was not found in it
    corners_px: tuple[tuple[float, float], ...] | None
    # How much what it shows counted: 1 for a photo unlike all others, half for one of two in the
    # same light and from the same side, 0 where the board was not found.
    counts: float


@dataclass(frozen=True, eq=False)
class ScoredPhoto:
    """One photo, or several of one board, read and scored."""

    photo: str  # what the user calls it: a path or a file's name; of several photos the first
    board: Board
    edition: Edition
    reason: Sentence | None = None  # why the board was not found; None when it was
    # The printed board's corners in the photo: TL, TR, BR, BL.
    corners_px: tuple[tuple[float, float], ...] | None = None
    # The best reading of every spot, doubted ones included; one not listed is free. Where someone
    # answered, the answer.
    held: Mapping[Spot, Colour] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()  # those that nobody answered
    # What the person with the camera should know, of the picture; `remarks` adds what the scores
    # make somebody look at again.
    notes: tuple[Sentence, ...] = ()
    # The name of the profile that it was found and read with; None for the board's fingerprint.
    profile: str | None = None
    standing: Standing | None = None
    seconds: float = 0.0  # what finding, reading and scoring took
    # (H, W, 3) uint8, BGR, or None: the board from straight above with the reading drawn on it.
    annotated: Picture | None = None
    # What people said, already put into what is held and into the standing.
    answers: tuple[SpotAnswer, ...] = ()
    parts: tuple[PhotoPart, ...] = ()  # the photos, where several of one board were read together
    # The accessible edition: the space that carried the piece of each route that was read as
    # claimed, from 0 at its `a`.
    seen_pins: Mapping[RouteId, int] = field(default_factory=dict)
    # Where everybody's marker stands on the score track; empty where it was not looked for.
    markers: Mapping[Colour, MarkerReading] = field(default_factory=dict)
    # How many routes trains hold that nobody in the game has; they are left out of what is held.
    uncounted: Mapping[Colour, int] = field(default_factory=dict)

    @property
    def found(self) -> bool:
        """Whether the board was found."""
        return self.reason is None

    @property
    def claims(self) -> dict[RouteId, Colour]:
        """Whose trains stand on a route; free routes are not listed."""
        return of_kind("route", self.held)

    @property
    def stations(self) -> dict[PlaceId, Colour]:
        """Whose station stands at a place, in games that have them."""
        return of_kind("station", self.held)

    @property
    def sites(self) -> dict[SiteId, Colour]:
        """Whose train stands on a site, in games that have them."""
        return of_kind("site", self.held)

    @property
    def pins(self) -> dict[RouteId, int]:
        """Which space carries the piece of each claimed route, where one was seen."""
        claims = self.claims
        return {route: pin for route, pin in self.seen_pins.items() if route in claims}

    def as_json(self) -> dict[str, Any]:
        """Return the line that `railspotter read --json` prints for this photo."""
        line: dict[str, Any] = {
            "photo": self.photo,
            "board": self.board.id,
            "edition": self.edition.id,
            "found": self.found,
            "reason": self.reason,
            "profile": self.profile,
            "corners_px": self.corners_px,
            "claims": self.claims,
            "doubts": [
                {
                    doubt.spot.kind: doubt.spot.id,
                    "said": doubt.said,
                    "alternatives": list(doubt.alternatives),
                    "why": doubt.why,
                }
                for doubt in self.doubts
            ],
            "notes": list(remarks(self)),
            "standing": {
                player.colour: {
                    "route_points": player.route_points,
                    "trains_left": player.trains_left,
                    "longest_path": {
                        "length": player.longest_path.at_least,
                        "at_most": player.longest_path.at_most,
                        "routes": list(player.longest_path.routes),
                    },
                }
                for player in (self.standing.players if self.standing else ())
            },
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
        if self.answers:
            line["answers"] = [
                {
                    a.spot.kind: a.spot.id,
                    "read": a.read,
                    "said": a.said,
                    "was_doubted": a.was_doubted,
                }
                for a in self.answers
            ]
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


def photo_standing(
    edition: Edition,
    board: Board,
    colours: Sequence[Colour],
    held: Mapping[Spot, Colour],
) -> Standing:
    """Return everyone's score so far: a site costs a train, and no station scores before the end.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> board, edition = load_board("europe"), load_edition("europe")
    >>> held = {Spot("route", "berlin--essen"): "red", Spot("station", "essen"): "red"}
    >>> now = photo_standing(edition, board, ["red"], held)
    >>> now["red"].route_points, now["red"].trains_left
    (2, 43)
    """
    seats = tuple(Seat(colour) for colour in colours)
    claims, sites = of_kind("route", held), of_kind("site", held)
    stations = stations_by_colour(of_kind("station", held))
    return position_standing(Position(edition, board, seats, claims, {}, stations, sites))


def stations_by_colour(stations: Mapping[PlaceId, Colour]) -> dict[Colour, tuple[PlaceId, ...]]:
    """Return each colour's places, in order, as the text form of a game has them.

    Examples
    --------
    >>> stations_by_colour({"roma": "red", "essen": "blue", "berlin": "red"})
    {'blue': ('essen',), 'red': ('berlin', 'roma')}
    """
    return {
        colour: tuple(sorted(place for place, whose in stations.items() if whose == colour))
        for colour in sorted(set(stations.values()))
    }
