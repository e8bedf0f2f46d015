"""Why a station was read, or none: what was measured at its place, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.scoring.board import PlaceId

from ..errors import ReaderError
from ..readings import Colour
from .cue_reader import Weighed


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


def explain_station(weighed: Weighed, place: PlaceId) -> StationExplanation:
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
