"""Lessons: colours of trains that somebody placed on known spaces."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Lab
from railspotter.calibration.profiles.profile import SpaceKey, space_keys

from ..colours.learned_colours import light_name
from ..colours.train_colours import USUAL_SPREAD
from ..lab import distance2
from ..look.evidence import CAP, SeenBoard, see_board
from ..look.first_look import in_reference_light, top_colours
from ..look.placement import TrainPlacer
from ..look.view import View
from ..readings import Colour

# Weight of a pixel's distance from the train's colour against that from the print: less finds black
# trains worse, more trusts the colour known before.
OF_COLOUR = 0.5
# Mean evidence from which a train is there: of a known colour, and of an unknown one, for which
# bare print has some 0. On the labelled photos 99 % of free plain spaces have less than -.2, 95 %
# of black trains more than .1, of others .8.
THERE, THERE_UNKNOWN = 0.0, 0.3
# Median distance of a top's pixels from their median, in Lab units, below which no glare or hand is
# on it: of 1,041 trains one in fifty has more.
CALM = 16.0


@dataclass(frozen=True)
class Lesson:
    """The colour of one train in one photo."""

    colour: Colour  # whose it is
    lab: Lab  # CIE Lab of its top, in the light of the reference
    light: str  # the name of the photo's light, of `light_name`
    is_there: bool  # whether a train was seen there at all
    is_calm: bool  # whether its top shows one colour


def lessons(view: View, placed: Mapping[SpaceKey, Colour]) -> dict[SpaceKey, Lesson]:
    """Return the colours of trains on spaces where somebody placed them.

    Parameters
    ----------
    view : View
        Its trains are the colours known before; others may be placed too.
    placed : mapping of space key to colour
        The colour of the train on each space.
    """
    printed = view.printed
    number = {key: n for n, key in enumerate(space_keys(printed.board))}
    light, lit = in_reference_light(view)
    seen = see_board(lit, printed.print_range)
    known = {train.name: train.lab for train in view.pieces.trains}
    spread = {train.name: train.spread for train in view.pieces.trains}
    found = {}
    for colour in dict.fromkeys(placed.values()):
        keys = [key for key, its in placed.items() if its == colour]
        spaces = np.array([number[key] for key in keys])
        least = THERE if colour in known else THERE_UNKNOWN
        lab, its_spread = known.get(colour), spread.get(colour, USUAL_SPREAD)
        if lab is None:
            # At the expected place, not where the print is hidden best: a train's shadow and its
            # dark side hide it too.
            middle, _ = top_colours(view, seen.lab, spaces, np.zeros((len(spaces), 2)))
            lab = _as_lab(np.median(middle, axis=0))
        alone = TrainPlacer(view, _evidence(seen, lab, its_spread)).place_alone()
        score, offset_mm = alone.score[spaces, 0], alone.offset_mm[spaces, 0]
        tops, scatter = top_colours(view, seen.lab, spaces, offset_mm)
        for at, key in enumerate(keys):
            found[key] = Lesson(
                colour,
                _as_lab(tops[at]),
                light_name(light.blue_over_red),
                is_there=bool(score[at] > least),
                is_calm=bool(scatter[at] < CALM),
            )
    return found


def easy_spaces(view: View, colour: Colour) -> frozenset[SpaceKey]:
    """Return the spaces whose print looks unlike trains of a colour."""
    routes = view.printed.board.routes
    of = {train.name: train for train in view.pieces.trains}.get(colour)
    unlike = [
        route.colour != colour if of is None else not of.resembles(route.colour) for route in routes
    ]
    keys = space_keys(view.printed.board)
    return frozenset(k for k, r in zip(keys, view.printed.route_of, strict=True) if unlike[r])


def _evidence(seen: SeenBoard, lab: Lab, spread: float) -> Float32s:
    """Return the evidence of each pixel for one colour against bare print, (M, 1)."""
    away = np.minimum(distance2(seen.lab, lab) / spread**2, CAP)
    return np.asarray((seen.print_distance2 - OF_COLOUR * away) / 2, np.float32)[:, None]


def _as_lab(values: Float32s) -> Lab:
    lightness, a, b = (round(float(value), 1) for value in values)
    return lightness, a, b
