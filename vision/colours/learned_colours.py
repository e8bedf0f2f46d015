"""Train colours learned at a table: the box's plastic, shifted towards what was seen there.

All colours are CIE Lab in the light of the reference photo, where one plastic scatters by a few
units from light to light. What light cannot explain, another phone's colours or another set of
trains, is learned. No shift is longer than the colour's leash.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Lab
from railspotter.calibration.profiles.profile import LearnedColour, Srgb

from ..lab import distance2
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .train_colours import TrainColour, shifted_within_leash, trains_in_play

# As profiles store it: for each colour name, one entry per light that it was learned in.
Learned = Mapping[Colour, tuple[LearnedColour, ...]]

# A light's blue over red, relative to the reference's: "warm" below the first, "cool" above the
# second. The labelled photos of one evening have .95 to 1.1, those under a lamp .83.
WARM, COOL = 0.87, 1.15
OTHER_LIGHT = 0.4  # weight of a train seen in another light
MOST_KEPT = 15  # observations kept per colour and light; the oldest are dropped
# Learning leaves two colours at least this share of their original distance apart.
LEAST_DISTANCE_SHARE = 0.7
# Plastic whose colour a person named counts as their own set's, not the box's, if it is this many
# times nearer to that colour than to any other player's: a wrong tap teaches nothing.
OWN_LEAD = 1.5
# Spread and leash of plastic known by a swatch only, as New York's: in a room it differs.
OWN_SPREAD, OWN_LEASH = 13.0, 20.0
# Lab units within which colour alone hardly tells plastic from a print: those of one name are 15
# apart at most, of other names 29 and more, but for yellow trains and green prints with 21.
LIKE_PRINT = 20.0


def light_name(blue_over_red: float) -> str:
    """Return a light's name, "warm" or "cool"; empty for one like the reference's.

    >>> light_name(0.8), light_name(1.02), light_name(1.3)
    ('warm', '', 'cool')
    """
    if blue_over_red < WARM:
        return "warm"
    return "cool" if blue_over_red > COOL else ""


def are_own_trains(lights: Sequence[LearnedColour]) -> bool:
    """Return whether a colour's trains are the user's own, not the box's."""
    return any(learned.swatch is not None for learned in lights)


def table_trains(
    box: Sequence[TrainColour], learned: Learned, printed: PrintedBoard | None = None
) -> tuple[TrainColour, ...]:
    """Return all train colours a table may have: the box's, with the user's own replaced or added.

    Parameters
    ----------
    printed : PrintedBoard, optional
        The board; each own colour lists the printed colours that it resembles.
    """
    trains = {train.name: train for train in box}
    for name, lights in learned.items():
        swatch = next((one.swatch for one in lights if one.swatch is not None), None)
        if swatch is not None:
            own = TrainColour(name, lab_from_srgb(swatch), OWN_SPREAD, OWN_LEASH)
            like = () if printed is None else _similar_prints(own, printed)
            trains[name] = replace(own, like=like)
    return tuple(trains.values())


def trains_named(
    names: Sequence[Colour] | None,
    box: Sequence[TrainColour],
    learned: Learned,
    printed: PrintedBoard | None = None,
) -> tuple[TrainColour, ...]:
    """Return the trains of these colours; without names, of all colours on the table.

    Those are the box's colours, or the learned ones if the user has colours that the box lacks.

    Raises
    ------
    ReaderError
        When a colour is unknown.
    """
    trains = table_trains(box, learned, printed)
    if not names:
        usual = {train.name for train in box}
        has_own = any(c not in usual and are_own_trains(lights) for c, lights in learned.items())
        known = {train.name for train in trains}
        names = [c for c in learned if c in known] if has_own else [train.name for train in box]
    return trains_in_play(tuple(dict.fromkeys(names)), trains)


def trains_in_light(
    trains: Sequence[TrainColour], learned: Learned, light: str
) -> tuple[TrainColour, ...]:
    """Return train colours shifted to what was learned of them, for the light of that name.

    Each colour moves towards the median of its observations, further the more there are, at most
    by its leash. Colours that would come too near to each other keep their original values.
    """
    moved = [_shifted(train, learned.get(train.name, ()), light) for train in trains]
    stays = np.zeros(len(moved), bool)
    for i in range(len(moved)):
        for k in range(i):
            distance, original = (_distance(t[i], t[k].lab) for t in (moved, trains))
            stays[[i, k]] |= distance < LEAST_DISTANCE_SHARE * original
    return tuple(
        train if stay else new for train, new, stay in zip(trains, moved, stays, strict=True)
    )


def is_learnable(trains: Sequence[TrainColour], colour: Colour, lab: Lab) -> bool:
    """Tell whether an observed train colour may be learned from; outliers may not.

    It must be nearer to its own colour than to any other player's, and within its leash.

    Parameters
    ----------
    trains : sequence of TrainColour
        The colours in play, before learning.
    """
    return _is_nearest_by(trains, colour, lab, by=1.0) and not _is_beyond_leash(trains, colour, lab)


def is_own_plastic(trains: Sequence[TrainColour], colour: Colour, lab: Lab) -> bool:
    """Tell whether trains whose colour a person named are of other plastic than the box's."""
    is_nearest = _is_nearest_by(trains, colour, lab, by=OWN_LEAD)
    return is_nearest and _is_beyond_leash(trains, colour, lab)


def with_own_plastic(learned: Learned, colour: Colour, lab: Lab) -> Learned:
    """Return the learned colours with a colour replaced by the user's own plastic."""
    return {**learned, colour: (LearnedColour(colour, swatch=srgb_from_lab(lab)),)}


def with_observation(learned: Learned, colour: Colour, light: str, lab: Lab) -> Learned:
    """Return the learned colours with one more observation, a train's or a route's.

    >>> once = with_observation({}, "red", "", (42.0, 43.0, 31.0))
    >>> once["red"][0].observations, once["red"][0].count
    (((42.0, 43.0, 31.0),), 1)
    """
    lights = learned.get(colour, ())
    here = next((one for one in lights if one.light == light), LearnedColour(colour, light))
    more = replace(here, observations=(*here.observations, lab)[-MOST_KEPT:], count=here.count + 1)
    return {**learned, colour: (*(one for one in lights if one.light != light), more)}


def lab_from_srgb(swatch: Srgb) -> Lab:
    """Return the CIE Lab of an sRGB colour.

    >>> [round(value) for value in lab_from_srgb((176, 48, 32))]
    [40, 51, 40]
    """
    rgb = np.array([[swatch]], np.float32) / 255
    lightness, a, b = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)[0, 0]
    return float(lightness), float(a), float(b)


def srgb_from_lab(lab: Lab) -> Srgb:
    """Return the sRGB colour that shows a CIE Lab."""
    rgb = cv2.cvtColor(np.array([[lab]], np.float32), cv2.COLOR_LAB2RGB)[0, 0]
    red, green, blue = (int(value) for value in np.rint(np.clip(rgb, 0, 1) * 255))
    return red, green, blue


def _is_nearest_by(trains: Sequence[TrainColour], colour: Colour, lab: Lab, by: float) -> bool:
    """Tell whether a colour is `by` times nearer to its name's trains than to any others."""
    distances = {train.name: _distance(train, lab) / train.spread for train in trains}
    others = [distance for name, distance in distances.items() if name != colour]
    return colour in distances and all(by * distances[colour] <= other for other in others)


def _is_beyond_leash(trains: Sequence[TrainColour], colour: Colour, lab: Lab) -> bool:
    own = next(train for train in trains if train.name == colour)
    return _distance(own, lab) > own.leash + own.spread / 2


def _shifted(train: TrainColour, lights: Sequence[LearnedColour], light: str) -> TrainColour:
    seen = [(lab, one.light) for one in lights for lab in one.observations]
    if not seen:
        return train
    weights = np.array([1.0 if name == light else OTHER_LIGHT for _, name in seen])
    middle = _weighted_median(np.array([lab for lab, _ in seen]), weights)
    return shifted_within_leash(train, middle, float(weights.sum()))


def _weighted_median(values: Float64s, weights: Float64s) -> Float64s:
    """Return the weighted median of each column, interpolated between the two middle values."""
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    below = np.cumsum(weights[order], axis=0) - weights[order] / 2
    half = weights.sum() / 2
    return np.array([np.interp(half, below[:, i], ordered[:, i]) for i in range(values.shape[1])])


def _distance(train: TrainColour, lab: Lab) -> float:
    return float(np.sqrt(distance2(np.array(lab, np.float32), train.lab)))


def _similar_prints(train: TrainColour, printed: PrintedBoard) -> tuple[str, ...]:
    """Return the printed colours within `LIKE_PRINT` of a train colour."""
    routes = printed.board.routes
    inside = printed.middles_of_seen
    spaces = np.median(printed.reference_lab[inside].reshape(len(inside), -1, 3), axis=1)
    names = np.array([routes[r].colour for r in printed.route_of])
    return tuple(
        str(name)
        for name in np.unique(names)
        if _distance(train, tuple(np.median(spaces[names == name], axis=0).tolist())) < LIKE_PRINT
    )
