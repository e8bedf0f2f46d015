"""The first look that all readers share: light, evidence by colour, trains put where it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .evidence import SeenBoard, colour_evidence, see_board
from .lab import Floats
from .light import Light, measure_light
from .placement import Placements, StandingTrains, TrainPlacer
from .printed_board import Picture
from .stations import SeenStations, StationFinder
from .train_colours import TrainColour, leashed
from .train_tops import top_colours
from .view import View

SURE = 1.5
"""Mean evidence from which a route's trains may say what their colour looks like."""


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What colour alone says of a board.

    Attributes
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above in the reference's light.
    """

    light: Light
    lit: Picture
    seen: SeenBoard
    colours: tuple[TrainColour, ...]
    trains: StandingTrains
    stations: SeenStations | None = None
    """None for a game without stations."""


def light_up(view: View) -> tuple[Light, Picture]:
    """Return a photo's light, and the board from above in the reference's light."""
    light = measure_light(view.rectified, view.printed)
    return light, light.taken_out_of(view.rectified)


def look(view: View) -> FirstLook:
    """Look at a board by colour, with the trains' colours as this photo shows them."""
    return look_in_light(view, *light_up(view))


def look_in_light(view: View, light: Light, lit: Picture) -> FirstLook:
    """Look at a board by colour whose light is known, as of `light_up`."""
    seen = see_board(lit, view.printed)
    alone = _placer(view, colour_evidence(seen, view.trains)).place_alone()
    colours = _as_seen(view, seen, alone)
    placer = _placer(view, colour_evidence(seen, colours))
    if view.station_size_mm is None:
        return FirstLook(light, lit, seen, colours, placer.stand(alone))
    # A plain station comes first: what shows of it over the ends of spaces is no train.
    stations = StationFinder(view, view.station_size_mm, lit, colours)
    trains = placer.stand(alone, stations.plain())
    return FirstLook(light, lit, seen, colours, trains, stations.look(trains.owner))


def _placer(view: View, evidence: Floats) -> TrainPlacer:
    return TrainPlacer(
        view.printed, evidence, view.viewpoint, view.train_size_mm, view.one_piece_a_route
    )


def _as_seen(view: View, seen: SeenBoard, placed: Placements) -> tuple[TrainColour, ...]:
    """Return the trains' colours, each moved to what its sure trains show of it.

    Trains on a print of their own colour do not vote: there the print would.
    """
    printed = view.printed
    score = np.asarray(placed.score, np.float64)
    if not view.one_piece_a_route:
        score = printed.per_route_mean(score)[printed.route_of]
    best = np.argmax(score, axis=1)
    own = view.is_own_print[printed.route_of]
    adapted = []
    for c, colour in enumerate(view.trains):
        spaces = np.flatnonzero((best == c) & (score[:, c] > SURE) & ~own[:, c])
        if len(spaces) == 0:
            adapted.append(colour)
            continue
        tops, _ = top_colours(
            printed,
            view.viewpoint,
            view.train_size_mm[2],
            seen.lab,
            spaces,
            placed.offset_mm[spaces, c],
        )
        adapted.append(leashed(colour, np.median(tops, axis=0), len(spaces)))
    return tuple(adapted)
