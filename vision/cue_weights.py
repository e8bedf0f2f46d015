"""What each cue counts: a logistic fit, carried as numbers."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
import numpy as np

from .cues import CUES
from .lab import Floats


class CueWeights(msgspec.Struct, frozen=True):
    """What cues count for a train being there, on any print and more on one of its own colour.

    Attributes
    ----------
    fitted_to : str
        What the numbers come from.
    bias, own_bias : float
        Before any cue; the second is added on a print of the train's own colour.
    weight : dict of str to float
        For every name of `cues.CUES`.
    own_weight : dict of str to float
        What is added to it for the names of `cues.OWN_PRINT_CUES`.
    """

    fitted_to: str
    bias: float
    own_bias: float
    weight: dict[str, float]
    own_weight: dict[str, float]

    def log_odds(self, cues: Floats, is_own: np.typing.NDArray[np.bool_]) -> Floats:
        """Return the logarithm of the odds that the trains are there.

        Parameters
        ----------
        cues : (..., len(CUES)) float32 array
            In the order of `cues.CUES`.
        is_own : (...) bool array
            Whether the print has the train's colour.
        """
        weight = np.array([self.weight[name] for name in CUES], dtype=np.float32)
        own_weight = np.array([self.own_weight.get(name, 0.0) for name in CUES], dtype=np.float32)
        anywhere = cues @ weight + np.float32(self.bias)
        on_own = cues @ own_weight + np.float32(self.own_bias)
        return np.asarray(anywhere + np.where(is_own, on_own, 0), np.float32)


@cache
def cue_weights(one_piece_a_route: bool = False) -> CueWeights:
    """Return the weights that come with the program: for trains, or for single pieces."""
    name = "piece_weights.json" if one_piece_a_route else "cue_weights.json"
    content = resources.files(__package__).joinpath(name).read_bytes()
    return msgspec.json.decode(content, type=CueWeights)
