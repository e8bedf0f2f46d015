"""The first look at a board: light, evidence by colour, trains put where it says."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from railspotter.calibration.arrays import Float32s, Picture

from ..colours import PhotoColours, TrainColour, leashed, photo_colours
from ..errors import ReaderError
from ..printed import LightChange, PrintedBoard, measure_light
from .evidence import SeenBoard, colour_evidence, see_board
from .placement import Placements, StandingTrains, TrainPlacer
from .shape_look import ShapeLook, look_at_shape
from .stations import SeenStations, StationFinder
from .train_tops import top_colours
from .trains_by_shape import trains_by_shape
from .view import View

SURE = 1.5
"""Mean evidence from which a route's trains may say what their colour looks like."""


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What shape and colour say of a board before anything is weighed.

    Attributes
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above in the reference's light.
    """

    light: LightChange
    lit: Picture
    seen: SeenBoard
    colours: tuple[TrainColour, ...]
    trains: StandingTrains
    shape: ShapeLook
    learned: PhotoColours | None = None
    """None where single pieces are played with."""
    stations: SeenStations | None = None
    """None for a game without stations."""

    @property
    def colours_seen(self) -> PhotoColours:
        """What the photo says of its own colours."""
        if self.learned is None:
            raise ReaderError("a photo's own colours are not learned of single pieces")
        return self.learned


def light_up(view: View) -> tuple[LightChange, Picture]:
    """Return a photo's light, and the board from above in the reference's light."""
    light = measure_light(view.rectified, view.printed)
    return light, light.taken_out_of(view.rectified)


def look(view: View) -> FirstLook:
    """Look at a board by shape, then by colour, the trains' colours as this photo shows them."""
    light, lit = light_up(view)
    shape = look_at_shape(view, lit)
    seen = see_board(lit, view.printed)
    if view.pieces.one_piece_a_route:
        alone = _placer(view, colour_evidence(seen, view.pieces.trains)).place_alone()
        colours = _as_pieces_show(view, seen, alone)
        learned = None
    else:
        learned = learn_colours(view, shape)
        colours = tuple(
            replace(train, lab=(float(lab[0]), float(lab[1]), float(lab[2])))
            for train, lab in zip(view.pieces.trains, learned.lab, strict=True)
        )
    placer = _placer(view, colour_evidence(seen, colours))
    alone = placer.place_alone()
    if view.pieces.station_size_mm is None:
        return FirstLook(light, lit, seen, colours, placer.stand(alone), shape, learned)
    # A plain station comes first: what shows of it over the ends of spaces is no train. But what
    # shows of trains that shape is sure of is no station.
    by_shape = trains_by_shape(view.printed, shape, placer, alone)
    stations = StationFinder(view, view.pieces.station_size_mm, lit, colours, by_shape)
    trains = placer.stand(alone, stations.plain())
    return FirstLook(light, lit, seen, colours, trains, shape, learned, stations.look(trains.owner))


def learn_colours(view: View, shape: ShapeLook) -> PhotoColours:
    """Return what a photo says of its own colours."""
    printed = view.printed
    return photo_colours(
        view.pieces.trains,
        per_route_median(printed, shape.looks.seen),
        per_route_median(printed, shape.looks.bare),
        [route.colour for route in printed.board.routes],
        printed.per_route_mean(np.clip(shape.covered, -8, 8)),
        view.in_play,
    )


def per_route_median(printed: PrintedBoard, values: Float32s) -> Float32s:
    """Return the median over each route's spaces, channel by channel: (N, 3) to (R, 3)."""
    parts = np.split(values, printed.first_space[1:])
    return np.array([np.median(part, axis=0) for part in parts], np.float32)


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
        adapted.append(leashed(colour, np.median(tops, axis=0), len(spaces)))
    return tuple(adapted)
