"""Double routes whose trains are all pushed to one side.

Then both lanes want the train that lies between them. Who decides one lane after the other gives it
to the wrong one; here both are decided at once, so that two trains are explained and not one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s

from .printed_board import PrintedBoard


@dataclass(frozen=True)
class PushedTrains:
    """What one lane carries."""

    colour: int  # index of the trains' colour
    step: int  # how far they stand off the lane, in steps, from the first lane towards the second


def double_routes(printed: PrintedBoard) -> Iterator[tuple[int, int]]:
    """Yield the indices of both lanes of every double route."""
    index = {route.id: r for r, route in enumerate(printed.board.routes)}
    for lanes in printed.board.lanes:
        if len(lanes) == 2 and len({printed.board.route_by_id[lane].length for lane in lanes}) == 1:
            yield index[lanes[0]], index[lanes[1]]


def decide_together(
    first: Float32s, second: Float32s, apart: float, least_gap: float, claim: float
) -> tuple[PushedTrains, PushedTrains] | None:
    """Return the two colours of trains that explain both lanes best, side by side.

    Parameters
    ----------
    first, second : (S, C) float arrays
        Mean score of trains of each colour on each lane, for every step off it, from the
        first lane towards the second; no step is in the middle.
    apart, least_gap : float
        How far apart the lanes are, and how near two trains come, in steps.
    claim : float
        The score from which a lane carries trains.

    Returns
    -------
    tuple or None
        None where one lane's trains alone explain as much.

    Examples
    --------
    Two trains, both a step towards the second lane.

    >>> red, blue = np.array([0.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0])
    >>> nothing = np.zeros(3)
    >>> decide_together(
    ...     np.stack([red, nothing], axis=1), np.stack([nothing, blue], axis=1), 9, 7, 0.5
    ... )
    (PushedTrains(colour=0, step=1), PushedTrains(colour=1, step=1))
    """
    steps = np.arange(len(first)) - len(first) // 2
    gap = apart + steps[None, :] - steps[:, None]
    together = first[:, None, :, None] + second[None, :, None, :]
    together = np.where((gap >= least_gap)[:, :, None, None], together, -np.inf)
    # One player does not hold both lanes; two trains of one colour are one train seen twice.
    together[..., np.eye(first.shape[1], dtype=bool)] = -np.inf
    at = np.unravel_index(np.argmax(together), together.shape)
    values = first[at[0], at[2]], second[at[1], at[3]]
    if min(values) <= claim or sum(values) <= max(first.max(), second.max()):
        return None
    return (
        PushedTrains(int(at[2]), int(steps[at[0]])),
        PushedTrains(int(at[3]), int(steps[at[1]])),
    )
