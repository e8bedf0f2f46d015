"""What a table's own trains look like: the box's plastic, moved to what was learned, on a leash.

Everything is kept as colours in the light of the reference, where one plastic scatters by a few Lab
units from light to light. What light cannot explain, another phone's colours or another set of
trains, is what there is to learn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Lab, Picture
from railspotter.calibration.profiles.profile import LearnedColour, Srgb

from ..lab import distance2
from ..printed.light import blue_over_red
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .train_colours import TrainColour, limited_to_leash, trains_in_play

# As a profile has it: for each colour, one for each light that it was learned in.
Learned = Mapping[Colour, tuple[LearnedColour, ...]]

# Blue over red of a light, against the reference's own, beyond which it has a name. The labelled
# photos of one evening have .95 to 1.1, those under a lamp .83.
WARM, COOL = 0.87, 1.15
OTHER_LIGHT = 0.4  # what a train seen in another light counts
MOST_KEPT = 15  # observations of a colour in one light: of more the oldest go
# Learning brings no two colours nearer to each other than to this share of what they were.
NEAREST = 0.7
# Plastic that people named is of their own, not the box's, where it is so many times nearer to what
# they said than to any other player's: a wrong tap teaches nothing.
OWN_LEAD = 1.5
# Spread and leash of plastic known by a swatch only, as New York's: in a room it differs.
OWN_SPREAD, OWN_LEASH = 13.0, 20.0
# Lab units within which colour alone hardly tells plastic from a print: those of one name are 15
# apart at most, of other names 29 and more, but for yellow trains and green prints with 21.
LIKE_PRINT = 20.0


def light_called(blue_over_red: float) -> str:
    """Return what a light is called that trains are learned in; empty for the reference's own.

    Examples
    --------
    >>> light_called(0.8), light_called(1.02), light_called(1.3)
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
    """Return all trains that a table may have: the box's, and the user's own in place or beside.

    Parameters
    ----------
    printed : PrintedBoard, optional
        The board that they are laid on: what is printed in colours like theirs is told from them by
        shape.
    """
    trains = {train.name: train for train in box}
    for name, lights in learned.items():
        swatch = next((one.swatch for one in lights if one.swatch is not None), None)
        if swatch is not None:
            own = TrainColour(name, lab_of(swatch), OWN_SPREAD, OWN_LEASH)
            like = () if printed is None else _like_prints(own, printed)
            trains[name] = replace(own, like=like)
    return tuple(trains.values())


def trains_named(
    names: Sequence[Colour] | None,
    box: Sequence[TrainColour],
    learned: Learned,
    printed: PrintedBoard | None = None,
) -> tuple[TrainColour, ...]:
    """Return the trains of these colours; without names, all that lie on the table.

    That is the box's, or of a table with colours of its own those that were said to be there.

    Raises
    ------
    ReaderError
        When there are no such trains.
    """
    trains = table_trains(box, learned, printed)
    if not names:
        usual = {train.name for train in box}
        has_own = any(c not in usual and are_own_trains(lights) for c, lights in learned.items())
        known = {train.name for train in trains}
        names = [c for c in learned if c in known] if has_own else [train.name for train in box]
    return trains_in_play(tuple(dict.fromkeys(names)), trains)


def in_light(
    trains: Sequence[TrainColour], learned: Learned, light: str
) -> tuple[TrainColour, ...]:
    """Return trains as what was learned has them in a light of that name.

    Each colour moves to the median of what was seen of it, the further the more was seen, no
    further than its leash; colours that would come too near to each other stay where they were.
    """
    moved = [_moved(train, learned.get(train.name, ()), light) for train in trains]
    stays = np.zeros(len(moved), bool)
    for i in range(len(moved)):
        for k in range(i):
            apart, was = _apart(moved[i], moved[k]), _apart(trains[i], trains[k])
            stays[[i, k]] |= apart < NEAREST * was
    return tuple(
        train if stay else new for train, new, stay in zip(trains, moved, stays, strict=True)
    )


def in_photo(
    trains: tuple[TrainColour, ...], learned: Learned, rectified: Picture, printed: PrintedBoard
) -> tuple[TrainColour, ...]:
    """Return trains as what was learned has them in a photo's light.

    Parameters
    ----------
    rectified : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    """
    if not any(one.observations for lights in learned.values() for one in lights):
        return trains
    return in_light(trains, learned, light_called(blue_over_red(rectified, printed)))


def teaches(trains: Sequence[TrainColour], colour: Colour, lab: Lab) -> bool:
    """Tell whether what was seen of a train may teach its colour: outliers teach nothing.

    It must look more like its own than like any other player's, and lie within its leash.

    Parameters
    ----------
    trains : sequence of TrainColour
        Those in play, as they are known beforehand.
    """
    return _leads(trains, colour, lab, by=1.0) and not _is_beyond(trains, colour, lab)


def is_of_their_own(trains: Sequence[TrainColour], colour: Colour, lab: Lab) -> bool:
    """Tell whether trains whose colour a person said are of other plastic than the box's."""
    return _leads(trains, colour, lab, by=OWN_LEAD) and _is_beyond(trains, colour, lab)


def with_own(learned: Learned, colour: Colour, lab: Lab) -> Learned:
    """Return what was learned where trains of a colour turned out to be of the user's own plastic.

    What was known of the name was of other plastic.
    """
    return {**learned, colour: (LearnedColour(colour, swatch=swatch_of(lab)),)}


def with_seen(learned: Learned, colour: Colour, light: str, lab: Lab) -> Learned:
    """Return what was learned with one more train, or one route's trains.

    Examples
    --------
    >>> once = with_seen({}, "red", "", (42.0, 43.0, 31.0))
    >>> once["red"][0].observations, once["red"][0].count
    (((42.0, 43.0, 31.0),), 1)
    >>> without_seen(once, "red", "", (42.0, 43.0, 31.0))
    {}
    """
    lights = learned.get(colour, ())
    here = next((one for one in lights if one.light == light), LearnedColour(colour, light))
    more = replace(here, observations=(*here.observations, lab)[-MOST_KEPT:], count=here.count + 1)
    return {**learned, colour: (*(one for one in lights if one.light != light), more)}


def without_seen(learned: Learned, colour: Colour, light: str, lab: Lab) -> Learned:
    """Return what was learned without what `with_seen` took in: it was another's train."""
    left = []
    for one in learned.get(colour, ()):
        if one.light == light and lab in one.observations:
            at = len(one.observations) - 1 - one.observations[::-1].index(lab)
            seen = (*one.observations[:at], *one.observations[at + 1 :])
            one = replace(one, observations=seen, count=max(one.count - 1, len(seen)))
        if one.observations or one.swatch is not None or one.title:
            left.append(one)
    without = {name: lights for name, lights in learned.items() if name != colour}
    return {**without, colour: tuple(left)} if left else without


def swatches_of(learned: Learned) -> Learned:
    """Return what a person said of the trains' plastic; what was seen is in a reference's light."""
    said = {
        name: tuple(replace(one, observations=(), count=0) for one in lights if one.swatch)
        for name, lights in learned.items()
    }
    return {name: lights for name, lights in said.items() if lights}


def lab_of(swatch: Srgb) -> Lab:
    """Return the CIE Lab of an sRGB colour.

    Examples
    --------
    >>> [round(value) for value in lab_of((176, 48, 32))]
    [40, 51, 40]
    """
    rgb = np.array([[swatch]], np.float32) / 255
    lightness, a, b = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)[0, 0]
    return float(lightness), float(a), float(b)


def swatch_of(lab: Lab) -> Srgb:
    """Return the sRGB colour that shows a CIE Lab."""
    rgb = cv2.cvtColor(np.array([[lab]], np.float32), cv2.COLOR_LAB2RGB)[0, 0]
    red, green, blue = (int(value) for value in np.rint(np.clip(rgb, 0, 1) * 255))
    return red, green, blue


def _leads(trains: Sequence[TrainColour], colour: Colour, lab: Lab, by: float) -> bool:
    """Tell whether a colour is so many times nearer than any other player's."""
    away = {train.name: _away(train, lab) / train.spread for train in trains}
    others = [its for name, its in away.items() if name != colour]
    return colour in away and all(by * away[colour] <= other for other in others)


def _is_beyond(trains: Sequence[TrainColour], colour: Colour, lab: Lab) -> bool:
    own = next(train for train in trains if train.name == colour)
    return _away(own, lab) > own.leash + own.spread / 2


def _moved(train: TrainColour, lights: Sequence[LearnedColour], light: str) -> TrainColour:
    seen = [(lab, one.light) for one in lights for lab in one.observations]
    if not seen:
        return train
    weights = np.array([1.0 if name == light else OTHER_LIGHT for _, name in seen])
    middle = _weighted_median(np.array([lab for lab, _ in seen]), weights)
    return limited_to_leash(train, middle, float(weights.sum()))


def _weighted_median(values: Float64s, weights: Float64s) -> Float64s:
    """Return the median of each column, halves shared between the two in the middle."""
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    below = np.cumsum(weights[order], axis=0) - weights[order] / 2
    half = weights.sum() / 2
    return np.array([np.interp(half, below[:, i], ordered[:, i]) for i in range(values.shape[1])])


def _away(train: TrainColour, lab: Lab) -> float:
    return float(np.sqrt(distance2(np.array(lab, np.float32), train.lab)))


def _apart(one: TrainColour, other: TrainColour) -> float:
    return _away(one, other.lab)


def _like_prints(train: TrainColour, printed: PrintedBoard) -> tuple[str, ...]:
    """Return the printed colours that colour alone hardly tells from some trains."""
    routes = printed.board.routes
    inside = printed.middles_of_seen
    spaces = np.median(printed.reference_lab[inside].reshape(len(inside), -1, 3), axis=1)
    names = np.array([routes[r].colour for r in printed.route_of])
    return tuple(
        str(name)
        for name in np.unique(names)
        if _away(train, tuple(np.median(spaces[names == name], axis=0).tolist())) < LIKE_PRINT
    )
