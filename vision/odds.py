"""How likely trains are on every route, and the likeliest answers; when these count as unsure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Route, RouteId

from .lab import Floats
from .reading import Colour
from .stations import SeenStations
from .view import View


@dataclass(frozen=True, eq=False)
class Odds:
    """How likely trains of each colour are, as logarithms of odds.

    Attributes
    ----------
    routes : (R, C) float32 array
        That they stand on the route.
    spaces : (N, C) float32 array
        That one stands on the space.
    covered : (R,) float32 array
        That trains of whatever colour stand on the route, by shape alone.
    beside : (R,) float32 array
        Evidence for the colour of a route's print beside that print.
    visible : (R,) float32 array
        How much of the route can be seen, 0 to 1.
    stations : SeenStations or None
        None for a game without stations.
    gone : (R,) float32 array, or None
        How much less of the route's print shows than of bare ones, some 1 where nothing does.
    off_bare : (R,) float32 array, or None
        How far, in Lab, a route looks from the bare prints of its colour in the same photo.
    off_own : (R,) float32 array, or None
        How far a route whose print has a hue like its likeliest trains' looks from other such.
    """

    routes: Floats
    spaces: Floats
    covered: Floats
    beside: Floats
    visible: Floats
    stations: SeenStations | None = None
    gone: Floats | None = None
    off_bare: Floats | None = None
    off_own: Floats | None = None


@dataclass(frozen=True)
class DoubtSettings:
    """When an answer counts as unsure; chosen on shoot-2, whole lights held out."""

    sure: float = 1.5
    """Log-odds, either way, from which an answer stands without a doubt."""
    apart: float = 2.5
    """Log-odds by which the likeliest colour must lead the next one. Of 1,717 routes that were read
    rightly in labelled photos, all shoots in view, 5 have less; so have trains in glare."""
    rival: float = 3.0
    """An alternative is worth naming within this much of the best answer."""
    partly: float = 3.5
    """Log-odds by which single spaces contradict the route's answer."""
    astray_mm: float = 3.0
    """How far trains may stand off a lane towards the next one, of the 9 mm between two."""
    half_way_mm: float = 4.0
    """How far they stand off where nothing tells any more which of two lanes they are meant for."""
    plain: float = 1.5
    """Log-odds by shape from which it is plain that a lane is covered, or free."""
    bare: float = 1.0
    """Log-odds by shape against trains from which claimed ones are doubted. On a print of their own
    colour, of which colour says nothing, they must be plain, by shape or beside the print."""
    plainly_beside: float = 1.5
    """Evidence beside a print of its own colour from which a train is plain: of 965 free prints of
    the labelled photos 6 have more, four of them with trains pushed onto them."""
    beside: float = 0.6
    """Evidence from which a colour beside its own print may be a train's, though the route is read
    as free."""
    surely_free: float = 4.0
    """Log-odds by shape against trains from which what shows beside a print is another's."""
    gone: float = 0.6
    """How much of a print that trains of another name look like may be gone from a free route:
    on drawn boards bare ones miss some .1 at most, hidden ones .55 and more."""
    unlike_bare: float = 12.0
    """How far, in Lab, trains look from what bare prints of the route's colour do in the same
    photo. Of 1,747 claimed routes of shoot-2 and Europe's photos none had less than 13, nine in ten
    30 and more."""
    unlike_own: float = 30.0
    """How far, in Lab, trains on a print of a hue like theirs may look from their like in the same
    photo. Of 39 such routes of shoot-2 and Europe's photos none has more, two under glare 28."""
    like_own: float = 4.0
    """The same of a print of their own colour, up to which nothing tells them from it but shape."""
    surely_covered: float = 3.0
    """Log-odds by shape from which trains may look as much like it as they will."""
    visible: float = 0.3
    """Share of a route that must be in sight."""
    glare: float = 93.0
    """Lightness from which a print or a train is washed out."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The likeliest answers.

    Attributes
    ----------
    best : (R,) int array
        Index of the likeliest colour of each route, also of a free one.
    value : (R,) float32 array
        Its log-odds.
    claimed : dict of str to str
        Route id to colour, of the routes that are not free.
    """

    view: View
    best: npt.NDArray[np.intp]
    value: Floats
    claimed: dict[RouteId, Colour]

    def routes(self) -> Iterator[tuple[int, Route, Colour]]:
        """Yield each route with its index and its likeliest colour."""
        for r, route in enumerate(self.view.printed.board.routes):
            yield r, route, self.view.colours[self.best[r]]


def answers_of(view: View, odds: Odds, s: DoubtSettings) -> Answers:
    """Return the likeliest answer for each route."""
    best = np.argmax(odds.routes, axis=1)
    value = odds.routes.max(axis=1)
    # A colour with no sure route on the whole board is nobody's: its unsure ones are bare print.
    in_play = np.isin(best, best[(value >= s.sure) & (odds.covered >= s.plain)])
    in_play |= np.isin(np.array(view.colours)[best], list(view.in_play))
    claimed = {
        route.id: view.colours[best[r]]
        for r, route in enumerate(view.printed.board.routes)
        if value[r] > 0 and in_play[r]
    }
    return Answers(view, best, value, claimed)


def alternatives(
    view: View, odds: Floats, said: Colour | None, s: DoubtSettings
) -> tuple[Colour | None, ...]:
    """Return what else a route may be, the likeliest first; never nothing."""
    order = np.argsort(-odds)
    near = [view.colours[c] for c in order if odds[c] > max(odds.max() - s.rival, -s.rival)]
    answers: list[Colour | None] = [c for c in (view.colours[order[0]], *near) if c != said]
    if said is not None:
        # Where something stands for sure, another colour that might is likelier than nothing.
        rivals = {view.colours[c] for c in order if odds[c] > 0 and odds.max() >= s.sure}
        answers.insert(sum(colour in rivals for colour in answers), None)
    return tuple(dict.fromkeys(answers))
