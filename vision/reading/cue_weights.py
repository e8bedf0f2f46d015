"""What each cue counts: a logistic fit to relit boards of real houses, kept in a file.

`benchmarks/teaching/fit_cue_weights.py` writes it; what single pieces count was chosen.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Float64s

from .whose_trains import Whose, log_shares

# What the program weighs trains by; benchmarks put weights in its place that were fitted without
# some house.
WEIGHTS = Path(__file__).with_name("cue_weights.json")
PIECE_WEIGHTS = Path(__file__).with_name("piece_weights.json")


class CueWeights(msgspec.Struct, frozen=True):
    """What cues count for trains being there, and what is added where print and trains look alike.

    And what is added in a clear photo: one of noise, blur or strange light is trusted less.
    """

    fitted_to: str  # what the numbers come from
    # bias, alike_bias, clear_bias: Before any cue; the second is added on a print that looks like
    # the trains, the third in a clear photo.
    bias: float
    alike_bias: float
    weight: dict[str, float]  # for every cue, in the order in which they are measured
    # What is added to it on such a print; a cue that is missing counts the same there.
    alike_weight: dict[str, float]
    clear_bias: float = 0.0
    clear_weight: dict[str, float] = {}  # what is added to it in a clear photo
    # What counts for whose trains they are, if any stand there: the likeness to trains that were
    # told apart at first, alone; with the evidence beside it, each house left out was told worse.
    likeness_counts: float = 1.0

    def odds(self, cues: Float32s, clear: float, whose: Whose) -> Float32s:
        """Return the log-odds of each colour's trains, and of what is nobody's, (n, C + 1)."""
        stands = self.log_odds(cues, whose.alike, clear)
        return stands[:, None] + self.whose(whose.nobodys, whose.likeness)

    def log_odds(
        self, cues: Float32s, alike: npt.NDArray[np.floating | np.bool_], clear: float = 0.0
    ) -> Float32s:
        """Return the logarithm of the odds that trains are there."""
        bias = self.bias + clear * self.clear_bias
        anywhere, in_clear = self._of(self.weight), self._of(self.clear_weight)
        on_alike = cues @ self._of(self.alike_weight) + np.float32(self.alike_bias)
        plain = cues @ (anywhere + np.float32(clear) * in_clear) + np.float32(bias)
        return np.asarray(plain + alike * on_alike, np.float32)

    def _of(self, added: dict[str, float]) -> Float32s:
        return np.array([added.get(name, 0.0) for name in self.weight], dtype=np.float32)

    def whose(self, nobodys: Float64s, likeness: Float64s) -> Float32s:
        """Return whose trains they are, if any stand there, (n, C + 1), as logarithms."""
        nobodys = np.minimum(nobodys, -1e-6)[:, None]
        somebodys = log_shares(self.likeness_counts * likeness) + np.log1p(-np.exp(nobodys))
        return np.concatenate([somebodys, nobodys], axis=1).astype(np.float32)


def cue_weights(one_piece_a_route: bool = False) -> CueWeights:
    """Return the weights that come with the program: for trains, or for single pieces."""
    return _read(PIECE_WEIGHTS if one_piece_a_route else WEIGHTS)


@cache
def _read(path: Path) -> CueWeights:
    return msgspec.json.decode(path.read_bytes(), type=CueWeights)
