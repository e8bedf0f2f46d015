"""The first look at a board: its light, evidence by colour, placed trains, hidden spaces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Lab, Mask, Picture

from ..colours.photo_colours import PhotoColours, photo_colours
from ..colours.train_colours import TrainColour
from ..lab import COLOURFUL, distance2
from ..printed.light import LightChange, measure_light
from ..printed.print_windows import grid_along, pixels_at
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .evidence import CAP, PRINT_SPREAD, SeenBoard, colour_evidence, see_board
from .placement import StandingTrains, TrainPlacer
from .shape_look import ShapeLook, look_at_shape
from .stations import SeenStations, StationFinder
from .view import View

SURE = 1.5  # mean evidence from which a train's top may correct its colour
HALF_PX = 4  # half the square sampled on each train's top: 5.6 mm of its 9, at 1.6 px/mm
# Share of a space's pixels that look like neither print nor train: up to the first the space is
# fully visible, from the second hidden. Under glare it was .2 to .8 on shoot-2, elsewhere below .1.
SEEN, HIDDEN = 0.1, 0.5
# Share of a train's place that hides it if a station covers it: astride, 5 mm show at each end.
UNDER = 0.4
# Most that a vivid camera turns a hue, in degrees: red is at 36, orange at 52, and red trains of
# vivid photos were at 40 to 45.
TURNED_DEG = 10.0
Level = TypeVar("Level", np.float32, np.float64)


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What shape and colour show of a board, before any cue is weighed."""

    light: LightChange
    picture: Picture  # (H, W, 3) uint8, BGR: the board from above in the reference's light
    seen: SeenBoard
    colours: tuple[TrainColour, ...]
    trains: StandingTrains
    shape: ShapeLook
    # (N,) bool: spaces of which stations hide so much that trains show at their ends only.
    under_stations: Mask
    colours_seen: PhotoColours  # the photo's own colours of plastic and inks
    stations: SeenStations | None  # None for a game without stations

    def beside_stations(
        self, printed: PrintedBoard, values: npt.NDArray[Level]
    ) -> npt.NDArray[Level]:
        """Return values of spaces, (N, ...), with those under stations replaced.

        Each becomes the mean over its route's spaces that no station hides, if there are any.
        """
        hidden, filled = self.under_stations, values.copy()
        for space in np.flatnonzero(hidden):
            rest = (printed.route_of == printed.route_of[space]) & ~hidden
            if rest.any():
                filled[space] = values[rest].mean(axis=0)
        return filled

    def route_shapes(self, printed: PrintedBoard) -> Float32s:
        """Return the log-odds by shape that trains of any colour stand on each route, (R,)."""
        covered = self.beside_stations(printed, self.shape.covered)
        return printed.per_route_mean(covered).astype(np.float32)


def in_reference_light(view: View) -> tuple[LightChange, Picture]:
    """Return a photo's light, and its rectified picture in the reference's light.

    Pixels that the photo does not show are copied from the reference.
    """
    light = measure_light(view.rectified, view.printed)
    lit = light.taken_out_of(view.rectified)
    if view.shown is not None:  # as bare print, whose answers are dropped later
        lit[~view.shown] = view.printed.reference[~view.shown]
    return light, lit


def look(view: View, before: FirstLook | None = None) -> FirstLook:
    """Look at a board by shape, then by colour, with trains in the colours that this photo shows.

    Light and shape are reused from a look at the same photo and print for other colours of trains.
    """
    if before is None:
        light, lit = in_reference_light(view)
        shape, seen = look_at_shape(view, lit), see_board(lit, view.printed.print_range)
    else:
        light, lit, shape, seen = before.light, before.picture, before.shape, before.seen
    learned = estimate_photo_colours(view, shape)
    colours = tuple(
        replace(train, lab=(float(lab[0]), float(lab[1]), float(lab[2])))
        for train, lab in zip(view.pieces.trains, learned.lab, strict=True)
    )
    taken, stations = np.zeros(lit.shape[:2], np.uint8), None
    if view.pieces.station_size_mm is not None:
        # Sure stations come first: their pixels over spaces are no trains.
        stations = StationFinder(view, view.pieces.station_size_mm, lit, colours)
        taken = stations.sure_pixels()
    trains = TrainPlacer(view, colour_evidence(seen, colours)).place_all(taken)
    odds = None if stations is None else stations.look(trains.owner)
    under = spaces_under_stations(view, taken)
    return FirstLook(light, lit, seen, colours, trains, shape, under, learned, odds)


def spaces_under_stations(view: View, stations: npt.NDArray[np.uint8]) -> Mask:
    """Return the spaces of which stations hide most of a train, (N,)."""
    printed = view.printed
    u, v = (np.linspace(-side / 2, side / 2, 9) for side in view.pieces.train_size_mm[:2])
    xy_mm = grid_along(printed.xy_mm + view.image_shift_mm, printed.along, u, v)
    at = pixels_at(xy_mm, printed.px_per_mm, printed.reference)
    hidden = (stations.reshape(-1)[at] > 0).mean(axis=(1, 2))
    return np.asarray(hidden > UNDER, np.bool_)


def estimate_photo_colours(view: View, shape: ShapeLook) -> PhotoColours:
    """Fit the colours of print and players' plastic to this photo."""
    printed = view.printed
    return photo_colours(
        view.pieces.trains,
        per_route_median(printed, shape.looks.seen),
        per_route_median(printed, shape.looks.bare),
        [route.colour for route in printed.board.routes],
        shape.covered_routes(printed),
        view.in_play,
    )


def other_colours_in_play(view: View, first: FirstLook) -> dict[Colour, float]:
    """Return the probability that trains of each of `pieces.others` lie beside the players'."""
    others = view.pieces.others
    if not others:
        return {}
    # Each colour doubles the number of sets, so players that surely play are fixed in all of them,
    # except colours shifted beyond their leash, which may be another's.
    moved = np.linalg.norm(
        first.colours_seen.lab - [train.lab for train in view.pieces.trains], axis=1
    )
    players = zip(view.pieces.trains, first.colours_seen.in_play > 0.5, moved, strict=True)
    playing = [(train, off) for train, plays, off in players if plays]
    with_others = replace(view.pieces, trains=(*(train for train, _ in playing), *others))
    in_play = frozenset(train.name for train, off in playing if off <= train.leash)
    learned = estimate_photo_colours(
        replace(view, pieces=with_others, in_play=in_play), first.shape
    )
    shares = zip(with_others.trains, learned.in_play.tolist(), strict=True)
    return {train.name: share for train, share in shares if train in others}


def has_vivid_hue(view: View, first: FirstLook, box: Sequence[TrainColour], name: Colour) -> bool:
    """Tell whether trains read as a colour have the hue of another colour of the box.

    Vivid cameras make red as colourful as orange, but leave its hue.
    """
    trains = view.pieces.trains
    number = next((c for c, train in enumerate(trains) if train.name == name), None)
    if number is None or name in {train.name for train in box}:
        return False

    seen = first.colours_seen.lab[number]

    def hue_angle(lab: Lab) -> float:
        """Return the angle between a colour's hue and the photo's, in degrees."""
        angle = np.degrees(np.arctan2(lab[2], lab[1]) - np.arctan2(seen[2], seen[1]))
        return float(abs((angle + 180) % 360 - 180))

    own = trains[number].lab
    if np.hypot(*own[1:]) < COLOURFUL:
        return False
    others = {one.name: hue_angle(one.lab) for one in box if np.hypot(*one.lab[1:]) >= COLOURFUL}
    nearest = min(others, key=lambda one: others[one], default="")
    # If the nearest colour is not in play itself, these trains are likely to be its.
    plays = dict(zip((train.name for train in trains), first.colours_seen.in_play, strict=True))
    most = hue_angle(own) if plays.get(nearest, 0.0) > 0.5 else TURNED_DEG
    return bool(others) and others[nearest] < most


def per_route_median(printed: PrintedBoard, values: Float32s) -> Float32s:
    """Return the median over each route's spaces, by channel: (N, 3) to (R, 3)."""
    lengths = np.bincount(printed.route_of)
    medians = np.empty((len(lengths), values.shape[1]), np.float32)
    for length in np.unique(lengths):
        spaces = printed.first_space[lengths == length, None] + np.arange(length)
        medians[lengths == length] = np.median(values[spaces], axis=1)
    return medians


def top_colours(
    view: View, lab: Float32s, spaces: Indices, offset_mm: Float64s
) -> tuple[Float32s, Float32s]:
    """Return the median colours of trains' tops, (n, 3), and of the distances from them, (n,).

    `lab` are `PrintedBoard.seen_pixels` in the light of the reference, (M, 3), `offset_mm` how far
    each train's foot is off the middle of its space, (n, 2).
    """
    printed, lean = view.printed, view.image_shift_mm[spaces]
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
    """Return the visibility of each space, (N,): 0 hidden, 1 fully visible.

    A pixel is hidden if it looks neither like the print, in the reference or by its ink in this
    photo, nor like any train.
    """
    inside = printed.middles_of_seen
    strange = first.seen.print_distance2[inside] >= CAP
    unlike_print = first.seen.lab[inside[strange]]
    away = np.min(
        [distance2(unlike_print, train.lab) / train.spread**2 for train in first.colours], axis=0
    )
    unlit = np.zeros((len(printed.inks), 3))
    steps = first.colours_seen.bare_as_seen(unlit, printed.inks).astype(np.float32)
    bare = printed.reference_lab[inside[strange]] + steps[np.nonzero(strange)[0]]
    away = np.minimum(away, distance2(unlike_print, bare) / PRINT_SPREAD**2)
    strange[strange] = away >= CAP
    share = strange.mean(axis=(1, 2))
    share[first.under_stations] = 1.0
    return np.asarray(np.clip((HIDDEN - share) / (HIDDEN - SEEN), 0, 1), np.float32)


def visible_routes(printed: PrintedBoard, first: FirstLook) -> Float32s:
    """Return the visibility of each route, (R,): the mean over its spaces."""
    return printed.per_route_mean(visible_spaces(printed, first)).astype(np.float32)
