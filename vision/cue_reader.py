"""The reader that weighs cues: colour, and by shape what stands on a print at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from .bare_looks import looks_of, off_bare_prints, off_own_trains
from .cue_weights import cue_weights
from .cues import CUES, lone_space_cues, route_cues, space_cues
from .doubts import reading_of
from .first_look import FirstLook, light_up, look_in_light
from .lab import Floats
from .odds import Odds
from .print_as_seen import CopyPrints, prints_seen
from .reading import Reading
from .shape_look import ShapeLook, look_at_shape
from .single_pieces import best_spaces, piece_cues
from .sites import sites_apart
from .view import View
from .visibility import visible_routes


@dataclass(frozen=True, eq=False)
class Weighed:
    """A board looked at, and what all that was measured comes to.

    Attributes
    ----------
    view : View
        With the print where this copy has it.
    cues : (R, C, len(CUES)) float32 array
        Of every route, for every colour.
    """

    view: View
    first: FirstLook
    shape: ShapeLook
    cues: Floats
    odds: Odds


def read_by_cues(view: View) -> Reading:
    """Read a board by everything that is measured."""
    weighed = weigh(view)
    reading = reading_of(weighed.view, weighed.first, weighed.odds)
    return sites_apart(reading, view.printed.board)


def weigh(view: View, prints: CopyPrints | None = None) -> Weighed:
    """Measure a board and weigh what was measured; nothing is decided yet.

    Parameters
    ----------
    prints : CopyPrints, optional
        What other looks at the same copy have shown of where it prints its routes; this one adds
        to it.
    """
    view, first, shape = look_at_print(view, prints)
    single = view.one_piece_a_route
    cues = piece_cues(view, first, shape) if single else space_cues(view, first, shape)
    lone = lone_space_cues(cues)
    own = view.is_own_print
    weights = cue_weights(single)
    spaces = weights.log_odds(lone, own[view.printed.route_of])
    if single:
        of_routes = np.take_along_axis(lone, best_spaces(view.printed, spaces)[..., None], axis=0)
    else:
        of_routes = route_cues(view.printed, cues)
    routes = weights.log_odds(of_routes, own)
    # What the shape says knows no colours; of single pieces, each colour may name another space.
    best = routes.argmax(axis=1)
    covered = of_routes[np.arange(len(best)), best, CUES.index("covered.mean")]
    odds = Odds(
        routes=routes,
        spaces=spaces,
        covered=covered,
        beside=of_routes[..., CUES.index("beside.mean")].sum(axis=1),
        visible=visible_routes(view.printed, first),
        stations=first.stations,
        gone=-of_routes[np.arange(len(best)), best, CUES.index("print.mean")],
    )
    if not single:
        likeliest, looks = routes.max(axis=1), looks_of(view.printed, first.seen.lab)
        odds = replace(
            odds,
            off_bare=off_bare_prints(view, looks, likeliest, covered),
            off_own=off_own_trains(view, looks, likeliest, best, covered),
        )
    return Weighed(view, first, shape, of_routes, odds)


def look_at_print(
    view: View, prints: CopyPrints | None = None
) -> tuple[View, FirstLook, ShapeLook]:
    """Look at a board, and once more where its copy prints routes elsewhere than is known."""
    prints = prints or CopyPrints(view.printed)
    view = replace(view, printed=prints.printed)
    first, shape = _look_twice(view)
    as_seen = prints.take_in(prints_seen(view, first, shape, prints.known))
    if as_seen is not view.printed:
        view = replace(view, printed=as_seen)
        first, shape = _look_twice(view)
    return view, first, shape


def _look_twice(view: View) -> tuple[FirstLook, ShapeLook]:
    """Look by colour and at shape, side by side."""
    light, lit = light_up(view)
    with ThreadPoolExecutor(1) as meanwhile:
        shape = meanwhile.submit(look_at_shape, view, lit)
        first = look_in_light(view, light, lit)
    return first, shape.result()
