"""A look: one still frame that is worth reading, and what its reading says of every spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter

import numpy as np
from railspotter.calibration.arrays import Float32s, Indices, Picture
from railspotter.calibration.pose import Pose, Viewpoint, rectifying_maps, viewpoint
from railspotter.calibration.pyramid import Shown, pyramid_of
from railspotter.scoring.spot import Spot

from ..colours.train_colours import TrainColour
from ..lab import distance2
from ..look.first_look import (
    has_vivid_hue,
    in_reference_light,
    nearest_others,
    other_colours_in_play,
)
from ..look.print_as_seen import CopyPrints
from ..look.view import Pieces, View
from ..printed.printed_board import PrintedBoard
from ..reading.cue_reader import weigh
from ..reading.doubts import reading_of
from ..reading.odds import WeighedBoard
from ..reading.score_markers import read_markers
from ..reading.sites import spot_of
from ..reading.whose_trains import tops_as
from ..readings import Colour, MarkerReading, PieceReading, Reading
from .belief import SpaceReading, SpotReading

# A spot that is watched was seen to change, which is a second witness; several looks must agree
# anyway. A single photo has neither, and is asked about sooner.
RISK = 0.15
# How probable it must be that trains of a colour lie there that nobody plays, for the board to be
# read with it as well: that counts where a route is surely of it. Of one route among 21 drawn ones
# it is .11 to .65, but for white on white print; of a real one in glare 0.
MAY_PLAY = 0.1
FURTHEST = 30.0  # squared standard deviations beyond which a colour is simply another one


@dataclass(frozen=True, eq=False)
class Look:
    """A frame to be read. Reading it may take a while, and any thread."""

    shown: Shown
    pose: Pose
    at_s: float  # when it was taken
    printed: PrintedBoard
    pieces: Pieces
    in_play: frozenset[Colour] = frozenset()  # the colours that are believed to lie on the board

    @property
    def picture(self) -> Picture:
        """The whole frame, (H, W, 3), BGR; some cameras' are decoded only now."""
        return pyramid_of(self.shown).whole

    @property
    def view(self) -> View:
        """The board from above, as the reader is handed it."""
        picture = self.picture
        height, width = picture.shape[:2]
        maps, seen_from = _standing_camera(self.pose, (width, height), self.printed.px_per_mm)
        return View.of(picture, maps, self.printed, seen_from, self.pieces, self.in_play)


@dataclass(frozen=True, eq=False)
class LookRead:
    """What a look says."""

    at_s: float  # when its frame was taken
    seen: Mapping[Spot, SpotReading]  # of every spot that the frame shows
    colours: tuple[TrainColour, ...] = ()  # the players' trains as they looked in it
    # Where trains of a colour lie that nobody plays, and whose they are by what people say:
    # `Pieces.whose`, or nobody's. In `seen` they are those of who plays them, or none.
    strange: Mapping[Spot, Colour] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _standing_camera(
    pose: Pose, size_wh: tuple[int, int], px_per_mm: float
) -> tuple[tuple[Float32s, Float32s], Viewpoint]:
    """Return what follows from a pose alone: the maps that rectify frames, and the viewpoint."""
    return rectifying_maps(pose, px_per_mm), viewpoint(pose.frame_from_board, size_wh)


def read(look: Look) -> LookRead:
    """Read a look; it takes some tenths of a second."""
    weighed, reading = _weighed(look)
    pieces = weighed.view.pieces
    strange = {spot: colour for spot, colour in reading.held.items() if colour in pieces.whose}
    reading = reading.as_played(pieces.whose)
    seen = _of_routes(weighed, reading)
    stations = weighed.odds.stations
    if stations is not None:
        of_players = _of_players(stations.odds, pieces)
        for p, place in enumerate(look.printed.board.places):
            odds, visible = of_players[p], float(stations.visible[p])
            covered = int(odds.max() > 0)
            spot = Spot("station", place.id)
            if reading.pieces[spot].is_unseen:
                continue
            told = _seen(reading.pieces[spot], odds, 1, covered, visible)
            # Whose it is is told apart from whether one stands there: by its shape.
            seen[spot] = replace(told, shape=float(odds.max()))
    trains = tuple(train for train in weighed.first.colours if train.name in pieces.players)
    return LookRead(look.at_s, seen, trains, strange)


def _weighed(look: Look) -> tuple[WeighedBoard, Reading]:
    """Read a look; with trains of colours that nobody plays as well, where some surely lie.

    The likeliest is taken first: pink ones beside red ones are a red in another light until then,
    and red ones orange.
    """
    view = look.view
    prints = _copy_prints(view.printed)
    weighed = weigh(view, prints)
    reading = reading_of(weighed, RISK)
    while True:
        view, first = weighed.view, weighed.first
        pieces = view.pieces
        shares = other_colours_in_play(view, first, nearest_others(view, first))
        name, share = max(shares.items(), key=itemgetter(1), default=("", 0.0))
        if share < MAY_PLAY:
            return weighed, reading
        with_it = replace(
            pieces,
            trains=(*pieces.trains, *(train for train in pieces.others if train.name == name)),
            whose={**pieces.whose, name: None},
            others=tuple(train for train in pieces.others if train.name != name),
        )
        view = replace(view, pieces=with_it, in_play=view.in_play | {name})
        with_other = weigh(view, prints, weighed)
        found = reading_of(with_other, RISK)
        of_players = [train for train in with_it.trains if train.name in with_it.players]
        if has_vivid_hue(with_other.view, with_other.first, of_players, name):
            without_it = replace(pieces, others=with_it.others)
            weighed = replace(weighed, view=replace(weighed.view, pieces=without_it))
            continue
        if all(one.doubt or one.colour != name for one in found.pieces.values()):
            return weighed, reading
        weighed, reading = with_other, found


def read_track(look: Look, colours: Sequence[TrainColour]) -> dict[Colour, MarkerReading]:
    """Read where everybody's marker stands on the score track, and nothing else.

    Parameters
    ----------
    colours : sequence of TrainColour
        As an earlier look showed the trains.
    """
    view = look.view
    _, lit = in_reference_light(view)
    return read_markers(view, lit, colours)


@lru_cache(maxsize=2)
def _copy_prints(printed: PrintedBoard) -> CopyPrints:
    """Return what looks have seen of the prints of a game's copy; each game has its own board."""
    return CopyPrints(printed)


def _of_routes(weighed: WeighedBoard, reading: Reading) -> dict[Spot, SpotReading]:
    """Return what was seen of routes, and of sites, which are read as routes."""
    odds, view = weighed.odds, weighed.view
    whose, players = view.pieces.whose, view.pieces.players
    of_players = _of_players(odds.routes, view.pieces)
    best = odds.routes.argmax(axis=1)
    single = view.pieces.one_piece_a_route
    nearest = [(None, 0.0)] * len(best) if single else _nearest(weighed, best)
    seen: dict[Spot, SpotReading] = {}
    for r, route in enumerate(view.printed.board.routes):
        of_route = odds.spaces[view.printed.route_of == r]
        spaces = of_route[:, best[r]]
        parts, covered = len(spaces), int(np.count_nonzero(spaces > 0))
        if whose.get(view.pieces.colours[best[r]], "") is None:
            covered = 0  # they are nobody's, and none as far as players are concerned
        if single:
            parts, covered = 1, min(covered, 1)
        spot = spot_of(view.printed.board, route.id)
        if reading.pieces[spot].is_unseen:
            continue
        seen[spot] = replace(
            _seen(reading.pieces[spot], of_players[r], parts, covered, float(odds.visible[r])),
            shape=float(odds.covered[r]),
            nearest=whose.get(nearest[r][0] or "", nearest[r][0]),
            nearest_lead=nearest[r][1],
            spaces=() if single else _of_spaces(_of_players(of_route, view.pieces), players),
        )
    return seen


def _of_players(odds: Float32s, pieces: Pieces) -> Float32s:
    """Return the odds of each player, (n, P), of the odds of all colours, (n, C)."""
    plays = [pieces.whose.get(colour, colour) for colour in pieces.colours]
    return np.column_stack(
        [
            odds[:, [c for c, whose in enumerate(plays) if whose == player]].max(axis=1)
            for player in pieces.players
        ]
    )


def _of_spaces(odds: Float32s, colours: Sequence[Colour]) -> tuple[SpaceReading, ...]:
    """Return what stands on each space of a route."""
    answers = (None, *colours)
    against_none = np.column_stack([np.zeros(len(odds), np.float32), odds])
    order = np.argsort(-against_none, axis=1)[:, :2]
    near = np.take_along_axis(against_none, order, axis=1)
    leads = (near[:, 0] - near[:, 1]).tolist()
    return tuple(SpaceReading(answers[s], lead) for s, lead in zip(order[:, 0], leads, strict=True))


def _nearest(weighed: WeighedBoard, placed_as: Indices) -> list[tuple[Colour | None, float]]:
    """Return the colour that the tops of each route's trains are nearest to, and its lead."""
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


def _seen(
    piece: PieceReading,
    odds: Float32s,
    parts: int,
    covered: int,
    visible: float,
) -> SpotReading:
    log_odds = tuple(float(value) for value in odds)
    return SpotReading(piece.colour, log_odds, parts, covered, visible, piece.doubt)
