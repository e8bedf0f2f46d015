"""Why a route or a station was read, or none: what was measured there, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from railspotter.scoring.board import PlaceId, RouteId

from ..errors import ReaderError
from ..look import visible_spaces
from ..readings import Colour
from .cue_reader import WeighedBoard
from .cue_weights import cue_weights
from .cues import CUES, clearness
from .single_pieces import PIECE_CUES


@dataclass(frozen=True)
class Cue:
    """What one cue says for trains of one colour.

    Attributes
    ----------
    value : float
        What was measured.
    weight : float
        What a step of it counts, on a print of this colour.
    """

    name: str
    value: float
    weight: float

    @property
    def counts(self) -> float:
        """What it adds to the log-odds."""
        return self.value * self.weight


@dataclass(frozen=True)
class ColourCase:
    """The case for trains of one colour on a route.

    Attributes
    ----------
    bias : float
        Log-odds before any cue.
    cues : tuple of Cue
    spaces : tuple of float
        Log-odds of each space as if it stood alone, from place `a` to `b`.
    along_mm, across_mm : tuple of float
        How far off the middle of each space such a train would fit best: towards `b`, and to the
        right hand of who travels there.
    """

    colour: Colour
    bias: float
    cues: tuple[Cue, ...]
    spaces: tuple[float, ...]
    along_mm: tuple[float, ...]
    across_mm: tuple[float, ...]

    @property
    def log_odds(self) -> float:
        """What everything comes to; above 0 trains of this colour are likelier than none."""
        return self.bias + sum(cue.counts for cue in self.cues)


@dataclass(frozen=True)
class Explanation:
    """What one photo shows of one route.

    Attributes
    ----------
    colours : tuple of ColourCase
        The likeliest first.
    covered : float
        Log-odds by shape alone that trains of any colour stand there.
    light_bgr : tuple of float
        How bright the photo is there against the reference: blue, green and red.
    visible : float
        The share of the route that glare or a hand leaves to be seen.
    """

    route: RouteId
    colours: tuple[ColourCase, ...]
    covered: float
    light_bgr: tuple[float, ...]
    visible: float


def explain(weighed: WeighedBoard, route: RouteId) -> Explanation:
    """Return why a route was read as it was.

    Parameters
    ----------
    route : str
        The id of a route of the board.
    """
    printed = weighed.view.printed
    r = next(i for i, each in enumerate(printed.board.routes) if each.id == route)
    own = printed.route_of == r
    middles = np.rint(printed.xy_mm[own] * printed.px_per_mm - 0.5).astype(np.intp)
    cases = [_case(weighed, r, c) for c in range(len(weighed.view.pieces.colours))]
    light = weighed.first.light.gain[middles[:, 1], middles[:, 0]].mean(axis=0)
    return Explanation(
        route,
        tuple(sorted(cases, key=lambda case: -case.log_odds)),
        covered=float(weighed.odds.covered[r]),
        light_bgr=tuple(float(gain) for gain in light),
        visible=float(visible_spaces(weighed.view.printed, weighed.first)[own].mean()),
    )


def _case(weighed: WeighedBoard, r: int, c: int) -> ColourCase:
    printed, single = weighed.view.printed, weighed.view.pieces.one_piece_a_route
    weights = cue_weights(single)
    spaces = printed.route_of == r
    names = PIECE_CUES if single else CUES
    values = weighed.cues[r, c] if single else weighed.cues[r]
    alike = float(weighed.alike[r, c] if single else weighed.alike[r])
    clear = 0.0 if single else clearness(weighed.first.shape)
    counts = weights.in_case(alike, clear)
    cues = [
        Cue(name, float(value), counts.weight[name])
        for name, value in zip(names, values, strict=True)
    ]
    bias = counts.bias
    if not single:  # what is left of the odds is whose plastic it is
        whose = float(weighed.odds.routes[r, c]) - bias - sum(cue.counts for cue in cues)
        cues.append(Cue("whose", whose, 1.0))
    offset = weighed.first.trains.placements.offset_mm[spaces, c]
    along, across = (
        tuple(float(step) for step in np.einsum("ni,ni->n", offset, way[spaces]))
        for way in (printed.along, printed.across)
    )
    return ColourCase(
        weighed.view.pieces.colours[c],
        bias,
        tuple(cue for cue in cues if cue.weight),
        tuple(float(odds) for odds in weighed.odds.spaces[spaces, c]),
        along,
        across,
    )


@dataclass(frozen=True)
class StationExplanation:
    """What one photo shows at one place.

    Attributes
    ----------
    colours : tuple of (str, float)
        The log-odds that a station of each colour stands there, the likeliest first.
    evidence : float
        How much better its plastic explains the pixels than the print, where it fits best.
    mark_shown : float
        The share of the place's printed mark that can be seen.
    off_mm : tuple of float
        How far from the place such a station would stand: to the right and down.
    visible : float
        The share of where it would stand that glare or a hand leaves to be seen.
    """

    place: PlaceId
    colours: tuple[tuple[Colour, float], ...]
    evidence: float
    mark_shown: float
    off_mm: tuple[float, float]
    visible: float


def explain_station(weighed: WeighedBoard, place: PlaceId) -> StationExplanation:
    """Return why a place was read as it was.

    Parameters
    ----------
    place : str
        The id of a place of the board.

    Raises
    ------
    ReaderError
        When the game has no stations.
    """
    seen = weighed.odds.stations
    if seen is None:
        raise ReaderError("the game has no stations to explain")
    places = weighed.view.printed.board.places
    p = next(i for i, each in enumerate(places) if each.id == place)
    odds = zip(weighed.view.pieces.colours, seen.odds[p].tolist(), strict=True)
    right, down = (seen.foot_mm[p] - places[p].xy_mm).tolist()
    return StationExplanation(
        place,
        tuple(sorted(odds, key=lambda one: -one[1])),
        evidence=float(seen.evidence[p]),
        mark_shown=float(seen.mark_shown[p]),
        off_mm=(right, down),
        visible=float(seen.visible[p]),
    )
