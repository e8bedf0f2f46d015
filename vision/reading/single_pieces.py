"""Reads boards with one piece a route, the accessible edition's shapes.

Which space has the pin differs between home-made boards. So the net of shapes says on which space
of a route a piece stands likeliest, and the route is read like any other, as one of that space.
"""

from dataclasses import replace

import numpy as np

from ..look.first_look import in_reference_light
from ..look.train_net import ask_net, seen_windows
from ..look.view import PinSpaces, View
from .odds import SURE


def at_likeliest_spaces(view: View) -> View:
    """Return the view of a board with one space a route: the likeliest for a piece.

    A space that is not shown is as likely as not, so that a route without a piece in sight of which
    a space is hidden is unseen.
    """
    printed = view.printed
    _, lit = in_reference_light(view)
    covered, _ = ask_net(seen_windows(view, lit), printed, view.pieces.net)
    covered = np.where(view.spaces_shown, covered, np.float32(0))
    number = np.array([part.argmax() for part in np.split(covered, printed.first_space[1:])])
    looks_covered = np.add.reduceat(covered > SURE, printed.first_space, dtype=np.intp)
    pins = PinSpaces(number, looks_covered)
    return replace(view, printed=printed.at_spaces(number), pins=pins)
