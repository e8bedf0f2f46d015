"""The look at shape: what of a photo needs no colours of trains, only its own light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Picture

from .print_match import edges_of_prints
from .space_looks import SpaceLooks, space_looks
from .train_net import CELLS, ask_net, seen_windows
from .view import View


@dataclass(frozen=True, eq=False)
class ShapeLook:
    """What shape says of a board.

    Attributes
    ----------
    covered : (N,) float32 array
        Log-odds by the net that a train stands on each space; 0 where pieces are played with that
        it was not taught.
    plastic : (N, rows, columns) float32 array
        How likely plastic is seen in each cell of each space's window, 0 to 1.
    looks : SpaceLooks
        What colour that is.
    edges : (M, 6) float32 array
        Of `print_match.edges_of_prints`.
    """

    covered: Float32s
    plastic: Float32s
    looks: SpaceLooks
    edges: Float32s


def look_at_shape(view: View, lit: Picture) -> ShapeLook:
    """Look at a board's shapes.

    Parameters
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above in the reference's light.
    """
    edges = edges_of_prints(view, lit)
    windows = seen_windows(view, lit)
    if view.pieces.one_piece_a_route:
        count = len(windows.lean_mm)
        nothing = np.zeros((count, *CELLS[::-1]), np.float32)
        looks = space_looks(windows, nothing)
        return ShapeLook(np.zeros(count, np.float32), nothing, looks, edges)
    answer = ask_net(windows, view.printed)
    looks = space_looks(windows, answer.plastic)
    return ShapeLook(answer.covered, answer.plastic, looks, edges)
