"""Looks at a board and weighs its cues: by shape whether trains stand, by colour whose."""

from dataclasses import replace

import numpy as np

from ..look.first_look import FirstLook, in_reference_light, look
from ..look.print_as_seen import CopyPrints, find_prints
from ..look.train_net import ask_net, seen_windows
from ..look.view import PinSpaces, View
from ..readings import Colour
from .cues import train_odds
from .odds import RISK, SURE, Odds, WeighedBoard
from .score_markers import read_markers
from .whose_trains import whose_at_first, whose_trains


def weigh(
    view: View, prints: CopyPrints | None = None, before: WeighedBoard | None = None
) -> WeighedBoard:
    """Measure a board's cues and return its odds; nothing is decided yet.

    Parameters
    ----------
    prints : CopyPrints, optional
        Offsets of prints found by other looks at the same copy; this look adds its own.
    before : WeighedBoard, optional
        The same photo, weighed for other colours of trains: light, shape, things and the offsets of
        its prints are reused.
    """
    if before is None:
        view, first = look_at_print(view, prints)
    else:
        known = before.view
        view = replace(view, printed=known.printed, things=known.things, pins=known.pins)
        view, first = _look_in_play(view, before.first)
    return WeighedBoard(view, first, weigh_trains(view, first))


def look_at_print(view: View, prints: CopyPrints | None = None) -> tuple[View, FirstLook]:
    """Look at a board, and once more if its copy prints routes elsewhere than known.

    Of a route that one piece fills a single space is looked at, too little to find its print.
    """
    if view.pieces.one_piece_a_route:
        return _look_in_play(at_likeliest_spaces(view))
    prints = prints or CopyPrints(view.printed)
    view, first = _look_in_play(replace(view, printed=prints.printed))
    as_seen = prints.add_look(find_prints(view, first, prints.known))
    if as_seen is not view.printed:
        view = replace(view, printed=as_seen)
        first = look(view)
    return view, first


def at_likeliest_spaces(view: View) -> View:
    """Return the view of a board with one space a route: the likeliest for the piece that fills it.

    Which space has the pin differs between home-made boards, so the net of shapes says it. A space
    that is not shown is as likely as not, so that a route without a piece in sight of which a space
    is hidden is unseen.
    """
    printed = view.printed
    _, lit = in_reference_light(view)
    covered, _ = ask_net(seen_windows(view, lit), printed, view.pieces.net)
    covered = np.where(view.spaces_shown, covered, np.float32(0))
    number = np.array([part.argmax() for part in np.split(covered, printed.first_space[1:])])
    looks_covered = np.add.reduceat(covered > SURE, printed.first_space, dtype=np.intp)
    pins = PinSpaces(number, looks_covered)
    return replace(view, printed=printed.at_spaces(number), pins=pins)


def _look_in_play(view: View, before: FirstLook | None = None) -> tuple[View, FirstLook]:
    """Look at a board, and once more if markers tell that unclear colours are in play."""
    first = look(view, before)
    marked = colours_by_markers(view, first)
    if not marked:
        return view, first
    view = replace(view, in_play=view.in_play | marked)
    return view, look(view, first)


def colours_by_markers(view: View, first: FirstLook) -> frozenset[Colour]:
    """Return the colours that surely play since their marker is read, of those that are unclear."""
    plays = zip(view.pieces.colours, first.colours_seen.in_play, strict=True)
    unclear = {colour for colour, share in plays if RISK < share < 1 - RISK}
    if not unclear:
        return frozenset()
    markers = read_markers(view, first.picture, first.colours)
    return frozenset(c for c in unclear if c in markers and markers[c].at is not None)


def weigh_trains(view: View, first: FirstLook) -> Odds:
    """Return the odds of trains on every route and space."""
    shapes = first.route_shapes(view.printed)
    of_routes, of_spaces = whose_trains(view, first, whose_at_first(view, first), shapes)
    return train_odds(view, first, of_routes, of_spaces)
