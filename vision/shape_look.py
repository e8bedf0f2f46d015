"""The second look, at shape: what of a photo needs no colours of trains, only its own light.

It does not wait for the first look, so the two run side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .lab import Floats
from .print_match import edges_of_prints
from .printed_board import Picture
from .train_net import covered_logits
from .view import View


@dataclass(frozen=True, eq=False)
class ShapeLook:
    """What shape says of a board.

    Attributes
    ----------
    covered : (N,) float32 array
        Log-odds by the net that a train stands on each space; 0 where pieces are played with that
        it was not taught.
    edges : (M, 6) float32 array
        Of `print_match.edges_of_prints`.
    """

    covered: Floats
    edges: Floats


def look_at_shape(view: View, lit: Picture) -> ShapeLook:
    """Look at a board's shapes.

    Parameters
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above in the reference's light.
    """
    edges = edges_of_prints(view, lit)
    if view.one_piece_a_route:
        return ShapeLook(np.zeros(len(view.printed.xy_mm), np.float32), edges)
    return ShapeLook(covered_logits(view, lit), edges)
