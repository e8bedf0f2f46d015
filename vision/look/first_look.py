"""The first look at a board: light, evidence by colour, trains put where it says, what hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import (
    AnyFloats,
    Float32s,
    Float64s,
    Indices,
    Lab,
    Mask,
    Picture,
)
from railspotter.calibration.pose import Viewpoint

from ..colours.photo_colours import PhotoColours, photo_colours
from ..colours.train_colours import TrainColour, limited_to_leash
from ..errors import ReaderError
from ..lab import COLOURFUL, distance2
from ..printed.light import LightChange, measure_light
from ..printed.print_windows import pixels_at
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .evidence import CAP, PRINT_SPREAD, SeenBoard, colour_evidence, see_board
from .placement import Placements, StandingTrains, TrainPlacer, seen_mm
from .shape_look import ShapeLook, look_at_shape
from .stations import SeenStations, StationFinder
from .view import View

SURE = 1.5  # mean evidence from which a route's trains may say what their colour looks like
HALF_PX = 4  # half the square that is looked at on each top: 5.6 mm of its 9, at 1.6 px/mm
# Shares of a space's pixels that look like neither print nor train, up to which it is seen and from
# which it is hidden. Under glare it was .2 to .8 on shoot-2, elsewhere below .1.
SEEN, HIDDEN = 0.1, 0.5
# Share of a train's place from which a station hides it: astride, it leaves 5 mm at each end.
UNDER = 0.4
# How far the hue of what is strongly drawn may be turned, in degrees: red has 36, orange 52, and
# strongly drawn red trains were seen at 40 to 45.
TURNED_DEG = 10.0


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What shape and colour say of a board before anything is weighed."""

    light: LightChange
    picture: Picture  # (H, W, 3) uint8, BGR: the board from above in the reference's light
    seen: SeenBoard
    colours: tuple[TrainColour, ...]
    trains: StandingTrains
    shape: ShapeLook
    learned: PhotoColours | None = None  # None where single pieces are played with
    stations: SeenStations | None = None  # None for a game without stations
    # (N,) bool array, or None: the spaces of which stations hide so much that trains on them show
    # at their ends only.
    under_stations: Mask | None = None

    def beside_stations(self, printed: PrintedBoard, values: AnyFloats) -> AnyFloats:
        """Return values of all spaces, (N, ...), where stations hide one what the rest has.

        That is the mean of the route's other spaces: what lies under a station is what lies beside
        it. Where nothing of the route is beside stations, values stay.
        """
        hidden = self.under_stations
        if hidden is None or not hidden.any():
            return values
        told = values.copy()
        for space in np.flatnonzero(hidden):
            rest = (printed.route_of == printed.route_of[space]) & ~hidden
            if rest.any():
                told[space] = values[rest].mean(axis=0)
        return told

    @property
    def colours_seen(self) -> PhotoColours:
        """What the photo says of its own colours."""
        if self.learned is None:
            raise ReaderError("a photo's own colours are not learned of single pieces")
        return self.learned


def in_reference_light(view: View) -> tuple[LightChange, Picture]:
    """Return a photo's light, and the board from above in the reference's light.

    What the photo does not show of the board is the reference's.
    """
    light = measure_light(view.rectified, view.printed)
    lit = light.taken_out_of(view.rectified)
    if view.shown is not None:  # bare print is looked at there, and nothing said of it
        lit[~view.shown] = view.printed.reference[~view.shown]
    return light, lit


def look(view: View, before: FirstLook | None = None) -> FirstLook:
    """Look at a board by shape, then by colour, the trains' colours as this photo shows them.

    Parameters
    ----------
    before : FirstLook, optional
        A look at the same photo and print for trains of other colours: what needs none is its.
    """
    if before is None:
        light, lit = in_reference_light(view)
        shape, seen = look_at_shape(view, lit), see_board(lit, view.printed)
    else:
        light, lit, shape, seen = before.light, before.picture, before.shape, before.seen
    if view.pieces.one_piece_a_route:
        alone = _placer(view, colour_evidence(seen, view.pieces.trains)).place_alone()
        colours = _as_pieces_show(view, seen, alone)
        learned = None
    else:
        learned = estimate_photo_colours(view, shape)
        colours = tuple(
            replace(train, lab=(float(lab[0]), float(lab[1]), float(lab[2])))
            for train, lab in zip(view.pieces.trains, learned.lab, strict=True)
        )
    placer = _placer(view, colour_evidence(seen, colours))
    alone = placer.place_alone()
    if view.pieces.station_size_mm is None:
        return FirstLook(light, lit, seen, colours, placer.stand(alone), shape, learned)
    # A plain station comes first: what shows of it over spaces is no train.
    stations = StationFinder(view, view.pieces.station_size_mm, lit, colours)
    plain = stations.plain()
    trains = placer.stand(alone, plain)
    under = spaces_under(view, plain)
    odds = stations.look(trains.owner)
    return FirstLook(light, lit, seen, colours, trains, shape, learned, odds, under)


def spaces_under(view: View, stations: npt.NDArray[np.uint8]) -> Mask:
    """Return of which spaces stations hide most of where a train would be seen, (N,)."""
    printed = view.printed
    lean = seen_mm(view.viewpoint, printed.xy_mm, view.pieces.train_size_mm[2])
    u, v = (np.linspace(-side / 2, side / 2, 9) for side in view.pieces.train_size_mm[:2])
    xy_mm = (
        (printed.xy_mm + lean)[:, None, None]
        + u[None, None, :, None] * printed.along[:, None, None]
        + v[None, :, None, None] * printed.across[:, None, None]
    )
    at = pixels_at(xy_mm, printed.px_per_mm, printed.reference)
    hidden = (stations.reshape(-1)[at] > 0).mean(axis=(1, 2))
    return np.asarray(hidden > UNDER, np.bool_)


def estimate_photo_colours(view: View, shape: ShapeLook) -> PhotoColours:
    """Return what print and the players' plastic look like in this photo, told by the photo."""
    printed = view.printed
    return photo_colours(
        view.pieces.trains,
        per_route_median(printed, shape.looks.seen),
        per_route_median(printed, shape.looks.bare),
        [route.colour for route in printed.board.routes],
        shape.covered_routes(printed),
        view.in_play,
    )


def nearest_others(view: View, first: FirstLook) -> list[TrainColour]:
    """Return the other colours that trains on some route are nearer to than to any in play.

    These are where the photo has them, but no further from the box's than their leash: what lies
    beyond may be another's.
    """
    printed, trains, others = view.printed, view.pieces.trains, view.pieces.others
    if first.learned is None or not others:
        return []
    covered = first.shape.covered_routes(printed) > 0
    looks = per_route_median(printed, first.shape.looks.seen)[covered]
    known = np.array([train.lab for train in trains])
    off = first.learned.lab - known
    leash = np.array([[train.leash] for train in trains])
    off *= np.minimum(1, leash / np.maximum(np.linalg.norm(off, axis=1, keepdims=True), 1e-6))
    colours = np.array([*(known + off), *(train.lab for train in others)], np.float32)
    nearest = np.argmin([distance2(looks, lab) for lab in colours], axis=0)
    return [train for c, train in enumerate(others, len(trains)) if c in nearest]


def other_colours_in_play(
    view: View, first: FirstLook, others: Sequence[TrainColour]
) -> dict[Colour, float]:
    """Return how probable it is that a photo shows trains of other colours beside its players'."""
    if first.learned is None or not others:
        return {}
    # Sets of colours are twice as many with each: those that surely play are in all of them, but
    # for what the photo shows so far from the box's that it may be another's.
    moved = np.linalg.norm(first.learned.lab - [train.lab for train in view.pieces.trains], axis=1)
    players = zip(view.pieces.trains, first.learned.in_play > 0.5, moved, strict=True)
    playing = [(train, off) for train, plays, off in players if plays]
    with_others = replace(view.pieces, trains=(*(train for train, _ in playing), *others))
    in_play = frozenset(train.name for train, off in playing if off <= train.leash)
    learned = estimate_photo_colours(
        replace(view, pieces=with_others, in_play=in_play), first.shape
    )
    shares = zip(with_others.trains, learned.in_play.tolist(), strict=True)
    return {train.name: share for train, share in shares if train in others}


def is_strongly_drawn(
    view: View, first: FirstLook, box: Sequence[TrainColour], name: Colour
) -> bool:
    """Tell whether a photo shows a colour in the hue of one of the box rather than in its own.

    Cameras that draw colours strongly make red as colourful as orange, and leave it its hue.
    """
    trains = view.pieces.trains
    number = next((c for c, train in enumerate(trains) if train.name == name), None)
    if first.learned is None or number is None or name in {train.name for train in box}:
        return False

    seen = first.learned.lab[number]

    def turned(lab: Lab) -> float:
        """Return by how much a colour's hue is turned from what is seen, in degrees."""
        way = np.degrees(np.arctan2(lab[2], lab[1]) - np.arctan2(seen[2], seen[1]))
        return float(abs((way + 180) % 360 - 180))

    own = trains[number].lab
    if np.hypot(*own[1:]) < COLOURFUL:
        return False
    others = {one.name: turned(one.lab) for one in box if np.hypot(*one.lab[1:]) >= COLOURFUL}
    nearest = min(others, key=lambda one: others[one], default="")
    # Where the photo shows none of the nearest colour's own, they are likely to be these.
    plays = dict(zip((train.name for train in trains), first.learned.in_play, strict=True))
    most = turned(own) if plays.get(nearest, 0.0) > 0.5 else TURNED_DEG
    return bool(others) and others[nearest] < most


def per_route_median(printed: PrintedBoard, values: Float32s) -> Float32s:
    """Return the median over each route's spaces, channel by channel: (N, 3) to (R, 3)."""
    lengths = np.bincount(printed.route_of)
    medians = np.empty((len(lengths), values.shape[1]), np.float32)
    for length in np.unique(lengths):
        spaces = printed.first_space[lengths == length, None] + np.arange(length)
        medians[lengths == length] = np.median(values[spaces], axis=1)
    return medians


def _placer(view: View, evidence: Float32s) -> TrainPlacer:
    size_mm, single = view.pieces.train_size_mm, view.pieces.one_piece_a_route
    return TrainPlacer(view.printed, evidence, view.viewpoint, size_mm, single)


def _as_pieces_show(view: View, seen: SeenBoard, placed: Placements) -> tuple[TrainColour, ...]:
    """Return the colours of single pieces, each moved to what its sure ones show of it.

    Pieces on a print of their own colour do not vote: there the print would.
    """
    printed = view.printed
    score = np.asarray(placed.score, np.float64)
    best = np.argmax(score, axis=1)
    own = view.is_own_print[printed.route_of]
    adapted = []
    for c, colour in enumerate(view.pieces.trains):
        spaces = np.flatnonzero((best == c) & (score[:, c] > SURE) & ~own[:, c])
        if len(spaces) == 0:
            adapted.append(colour)
            continue
        tops, _ = top_colours(
            printed,
            view.viewpoint,
            view.pieces.train_size_mm[2],
            seen.lab,
            spaces,
            placed.offset_mm[spaces, c],
        )
        adapted.append(limited_to_leash(colour, np.median(tops, axis=0), len(spaces)))
    return tuple(adapted)


def top_colours(
    printed: PrintedBoard,
    viewpoint: Viewpoint,
    height_mm: float,
    lab: Float32s,
    spaces: Indices,
    offset_mm: Float64s,
) -> tuple[Float32s, Float32s]:
    """Return what trains on some spaces look like from above.

    Parameters
    ----------
    height_mm : float
        Height of a train.
    lab : (M, 3) float32 array
        CIE Lab of `PrintedBoard.seen_pixels`, in the light of the reference.
    spaces : (n,) int array
    offset_mm : (n, 2) float array
        How far each train's foot stands off its space.

    Returns
    -------
    (n, 3) float32 array, (n,) float32 array
        The median of each train's pixels, and the median of their distances from it.
    """
    lean = seen_mm(viewpoint, printed.xy_mm[spaces], height_mm)
    middle = (printed.xy_mm[spaces] + offset_mm + lean) * printed.px_per_mm
    around = np.arange(-HALF_PX, HALF_PX + 1)
    height, width = printed.reference.shape[:2]
    columns = np.clip(np.rint(middle[:, 0, None, None]) + around, 0, width - 1)
    rows = np.clip(np.rint(middle[:, 1, None, None]) + around[:, None], 0, height - 1)
    pixels = (rows * width + columns).astype(np.intp).reshape(len(spaces), -1)
    tops = lab[printed.place_among_seen[pixels]]
    median = np.median(tops, axis=1)
    scatter = np.median(np.linalg.norm(tops - median[:, None], axis=-1), axis=1)
    return np.asarray(median, np.float32), np.asarray(scatter, np.float32)


def visible_spaces(printed: PrintedBoard, first: FirstLook) -> Float32s:
    """Return how much of each space can be seen, (N,): 0 for nothing, 1 for all.

    What a pixel shows is hidden where it looks like neither the print, lit somehow or as its ink
    looks where it is bare in the photo, nor any train.
    """
    inside = printed.middles_of_seen
    strange = first.seen.print_distance2[inside] >= CAP
    unlike_print = first.seen.lab[inside[strange]]
    away = np.min(
        [distance2(unlike_print, train.lab) / train.spread**2 for train in first.colours], axis=0
    )
    if first.learned is not None:
        unlit = np.zeros((len(printed.inks), 3))
        steps = first.learned.bare_as_seen(unlit, printed.inks).astype(np.float32)
        bare = printed.reference_lab[inside[strange]] + steps[np.nonzero(strange)[0]]
        away = np.minimum(away, distance2(unlike_print, bare) / PRINT_SPREAD**2)
    strange[strange] = away >= CAP
    share = strange.mean(axis=(1, 2))
    if first.under_stations is not None:
        share[first.under_stations] = 1.0
    return np.asarray(np.clip((HIDDEN - share) / (HIDDEN - SEEN), 0, 1), np.float32)


def visible_routes(printed: PrintedBoard, first: FirstLook) -> Float32s:
    """Return how much of each route can be seen, (R,): 0 for nothing, 1 for all."""
    return printed.per_route_mean(visible_spaces(printed, first)).astype(np.float32)
