"""Weights of cues: a logistic fit to relit boards of real houses, stored in a file.

`benchmarks/teaching/fit_cue_weights.py` writes it; the weights for single pieces were chosen.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Float64s

from .whose_trains import Whose, log_shares

# The program's weights for trains; benchmarks replace them by some fitted without some house.
WEIGHTS = Path(__file__).with_name("cue_weights.json")
PIECE_WEIGHTS = Path(__file__).with_name("piece_weights.json")


class CueWeights(msgspec.Struct, frozen=True):
    """Weights of cues for trains, and corrections on prints like the trains and in clear photos.

    Photos with noise, blur or strange light are trusted less.
    """

    fitted_to: str  # the data
    # Log-odds before any cue; the second is added on a print that looks like the trains, the third
    # in a clear photo.
    bias: float
    alike_bias: float
    weight: dict[str, float]  # for every cue, in the order of its array
    # Added to `weight` on a print that looks like the trains; 0 for missing cues.
    alike_weight: dict[str, float]
    clear_bias: float = 0.0
    clear_weight: dict[str, float] = {}  # added to `weight` in a clear photo
    # Weight of the likeness to each player's trains, the only cue for whose they are: with the
    # evidence beside it, each house left out was read worse. Chosen between what relit houses say:
    # .45 of three, .9 and 1.6 of two.
    likeness_counts: float = 1.0

    def odds(self, cues: Float32s, clear: float, whose: Whose) -> Float32s:
        """Return the log-odds of each colour's trains, and of nobody's plastic, (n, C + 1)."""
        stands = self.log_odds(cues, whose.alike, clear)
        return stands[:, None] + self.log_owner_shares(whose.nobodys, whose.likeness)

    def log_odds(
        self, cues: Float32s, alike: npt.NDArray[np.floating | np.bool_], clear: float = 0.0
    ) -> Float32s:
        """Return the log-odds that any trains are there, (n,)."""
        bias = self.bias + clear * self.clear_bias
        anywhere, in_clear = self._as_array(self.weight), self._as_array(self.clear_weight)
        on_alike = cues @ self._as_array(self.alike_weight) + np.float32(self.alike_bias)
        plain = cues @ (anywhere + np.float32(clear) * in_clear) + np.float32(bias)
        return np.asarray(plain + alike * on_alike, np.float32)

    def _as_array(self, added: dict[str, float]) -> Float32s:
        return np.array([added.get(name, 0.0) for name in self.weight], dtype=np.float32)

    def log_owner_shares(self, nobodys: Float64s, likeness: Float64s) -> Float32s:
        """Return log-probabilities of whose trains they are, if any stand there, (n, C + 1)."""
        nobodys = np.minimum(nobodys, -1e-6)[:, None]
        somebodys = log_shares(self.likeness_counts * likeness) + np.log1p(-np.exp(nobodys))
        return np.concatenate([somebodys, nobodys], axis=1).astype(np.float32)


def cue_weights(one_piece_a_route: bool = False) -> CueWeights:
    """Return the program's weights, for trains or for single pieces."""
    return _read(PIECE_WEIGHTS if one_piece_a_route else WEIGHTS)


@cache
def _read(path: Path) -> CueWeights:
    return msgspec.json.decode(path.read_bytes(), type=CueWeights)
