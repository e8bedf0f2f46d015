"""A look: one still frame to be read, and its readings of every spot."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from railspotter.calibration.arrays import Float32s, Indices, Picture
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Shown, pyramid_of
from railspotter.scoring.spot import Spot

from ..colours.train_colours import TrainColour
from ..lab import distance2
from ..look.first_look import in_reference_light
from ..look.print_as_seen import CopyPrints
from ..look.view import Pieces, View
from ..printed.board_cache import cached_per_board
from ..printed.printed_board import PrintedBoard
from ..reading.cue_reader import weigh
from ..reading.doubts import reading_of
from ..reading.odds import WeighedBoard
from ..reading.other_trains import read_with_other_trains
from ..reading.score_markers import read_markers
from ..reading.several_photos import JointReading
from ..reading.whose_trains import tops_as
from ..readings import Colour, MarkerReading, Reading
from .spot_state import SpaceReading, SpotReading

# Probability of a wrong answer up to which no doubt is raised: higher than for a photo, since a
# watched spot was also seen to change, and several looks must agree.
RISK = 0.15
# The collected offsets of prints of a game's board.
prints_of = cached_per_board(CopyPrints)
# Probability of trains in a colour that nobody plays from which the board is read with it too. Of
# one route among 10 to 13 drawn ones it was .3 and more in 23 of 24 boards.
MAY_PLAY = 0.1
FURTHEST = 30.0  # limit of squared standard deviations from a colour


@dataclass(frozen=True, eq=False)
class Look:
    """A frame to be read, in any thread."""

    shown: Shown
    pose: Pose
    at_s: float  # when it was taken
    printed: PrintedBoard
    pieces: Pieces
    in_play: frozenset[Colour] = frozenset()  # colours that are known to be in play

    @property
    def picture(self) -> Picture:
        """The frame at full size, (H, W, 3), BGR; some are decoded only now."""
        return pyramid_of(self.shown).whole

    @property
    def view(self) -> View:
        """The rectified board, as input of the reader."""
        return View.of(self.picture, self.pose, self.printed, self.pieces, self.in_play)


@dataclass(frozen=True, eq=False)
class LookRead:
    """The readings of a look."""

    at_s: float  # when its frame was taken
    seen: Mapping[Spot, SpotReading]  # every spot that the frame shows
    colours: tuple[TrainColour, ...] = ()  # the players' trains as they look in it
    # Spots with trains of a colour that nobody plays. In `seen` they count for the player of
    # `Pieces.whose`, or for nobody.
    strange: Mapping[Spot, Colour] = field(default_factory=dict)


def read(look: Look) -> LookRead:
    """Read a look; takes some tenths of a second."""
    prints = prints_of(look.printed)
    (weighed,), together = read_with_other_trains(
        [look.view],
        lambda view, before: weigh(view, prints, before),
        lambda weighed: JointReading(reading_of(weighed[0], RISK), (1.0,), ()),
        may_play=MAY_PLAY,
        least=1,
    )
    reading = together.reading
    pieces = weighed.view.pieces
    strange = {spot: colour for spot, colour in reading.held.items() if colour in pieces.whose}
    nobodys = {spot for spot, colour in strange.items() if pieces.whose[colour] is None}
    reading = reading.as_played(pieces.whose)
    seen = _read_routes(weighed, reading, nobodys)
    stations = weighed.odds.stations
    if stations is not None:
        of_players = _per_player(stations.odds, pieces)
        for p, place in enumerate(look.printed.board.places):
            spot = Spot("station", place.id)
            piece = reading.pieces[spot]
            if piece.is_unseen:
                continue
            odds = tuple(of_players[p].tolist())
            seen[spot] = SpotReading(
                piece.colour,
                odds,
                parts=1,
                covered=int(max(odds) > 0),
                visible=float(stations.visible[p]),
                doubt=piece.doubt,
                is_strange=spot in nobodys,
                shape=max(odds),  # the odds that any stands there are by its shape
            )
    trains = tuple(train for train in weighed.first.colours if train.name in pieces.players)
    return LookRead(look.at_s, seen, trains, strange)


def read_track(look: Look, colours: Sequence[TrainColour]) -> dict[Colour, MarkerReading]:
    """Read only the markers on the score track.

    Parameters
    ----------
    colours : sequence of TrainColour
        Trains as an earlier look showed them.
    """
    view = look.view
    _, lit = in_reference_light(view)
    return read_markers(view, lit, colours)


def _read_routes(
    weighed: WeighedBoard, reading: Reading, nobodys: Collection[Spot]
) -> dict[Spot, SpotReading]:
    """Return the readings of routes, and of sites, which are read as routes.

    `nobodys` are the spots with trains that are no player's.
    """
    odds, view = weighed.odds, weighed.view
    whose, players = view.pieces.whose, view.pieces.players
    of_players = _per_player(odds.routes, view.pieces)
    best = odds.routes.argmax(axis=1)
    single = view.pieces.one_piece_a_route
    nearest = [(None, 0.0)] * len(best) if single else _nearest(weighed, best)
    seen: dict[Spot, SpotReading] = {}
    for r, spot in enumerate(view.printed.spots):
        of_route = odds.spaces[view.printed.route_of == r]
        spaces = of_route[:, best[r]]
        parts, covered = len(spaces), int(np.count_nonzero(spaces > 0))
        if whose.get(view.pieces.colours[best[r]], "") is None:
            covered = 0  # nobody's trains do not count
        piece = reading.pieces[spot]
        if piece.is_unseen:
            continue
        seen[spot] = SpotReading(
            piece.colour,
            tuple(of_players[r].tolist()),
            parts,
            covered,
            visible=float(odds.visible[r]),
            doubt=piece.doubt,
            is_strange=spot in nobodys,
            shape=float(odds.covered[r]),
            nearest=whose.get(nearest[r][0] or "", nearest[r][0]),
            nearest_lead=nearest[r][1],
            spaces=() if single else _space_readings(_per_player(of_route, view.pieces), players),
        )
    return seen


def _per_player(odds: Float32s, pieces: Pieces) -> Float32s:
    """Return the log-odds of each player, (n, P), from those of all colours, (n, C)."""
    plays = [pieces.whose.get(colour, colour) for colour in pieces.colours]
    return np.column_stack(
        [
            odds[:, [c for c, whose in enumerate(plays) if whose == player]].max(axis=1)
            for player in pieces.players
        ]
    )


def _space_readings(odds: Float32s, colours: Sequence[Colour]) -> tuple[SpaceReading, ...]:
    """Return the readings of a route's spaces from their log-odds, (n, P)."""
    answers = (None, *colours)
    against_none = np.column_stack([np.zeros(len(odds), np.float32), odds])
    order = np.argsort(-against_none, axis=1)[:, :2]
    near = np.take_along_axis(against_none, order, axis=1)
    leads = (near[:, 0] - near[:, 1]).tolist()
    return tuple(SpaceReading(answers[s], lead) for s, lead in zip(order[:, 0], leads, strict=True))


def _nearest(weighed: WeighedBoard, placed_as: Indices) -> list[tuple[Colour | None, float]]:
    """Return the colour nearest to the tops of each route's trains, and its lead."""
    view, first = weighed.view, weighed.first
    if len(first.colours) < 2:
        return [(None, 0.0)] * len(placed_as)
    tops = tops_as(view, first, placed_as)
    of_spaces = [
        np.minimum(distance2(tops, train.lab) / train.spread**2, FURTHEST)
        for train in first.colours
    ]
    away = view.printed.per_route_mean(np.stack(of_spaces, axis=-1))
    order = np.argsort(away, axis=1)[:, :2]
    near = np.take_along_axis(away, order, axis=1)
    lead = (near[:, 1] - near[:, 0]) / 2
    names = [first.colours[c].name for c in order[:, 0]]
    return list(zip(names, lead.tolist(), strict=True))
