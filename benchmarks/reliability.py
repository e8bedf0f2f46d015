"""Say how far the reader's odds can be believed, house by house, each left out of what reads it.

    python benchmarks/reliability.py --work DIR [--houses europe]

DIR is where `teach.py` worked: cues that were measured on relit boards of each house with a net
that was taught without it, and weights fitted without it; or cues of house-5 to house-7, of which
nothing was taught, by what is carried (`fit_cue_weights.py --measure house-5 --out
DIR/cues-house-5-1.npz`). The first table is a reliability diagram:
how often answers were wrong that were given such a probability of being wrong. The second says what
a limit of that probability costs: how many routes are asked about, and how many wrong ones are not.
Photos are told apart that nobody would ask for again: those in which one route in seven or fewer is
in doubt at the limit that the program has.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from railspotter.calibration.arrays import Float64s, Indices, Mask
from railspotter.vision.reading.cues import WEIGHTS, CueWeights
from railspotter.vision.reading.odds import RISK
from railspotter.vision.reading.photo_notes import MOST_UNSURE

from teaching.fit_cue_weights import Measured, known, of_houses
from teaching.relit_boards import FREE, HOUSES, UNSEEN

BINS = (0.0, 0.0005, 0.002, 0.005, 0.01, 0.02, 0.05, 0.2, 1.0)
LIMITS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1)


def risk_and_wrong(weights: CueWeights, measured: Measured) -> tuple[Float64s, Mask]:
    """Return how probable it is that each answer is wrong, and whether it is, (n,) each."""
    cues, alike = (v.astype(np.float32) for v in (measured.cues, measured.alike))
    plain = weights.log_odds(cues, alike)
    stands = plain + measured.clear * (weights.log_odds(cues, alike, 1.0) - plain)
    whose = weights.log_owner_shares(measured.nobodys, measured.likeness)
    log = np.column_stack([stands[:, None] + whose, np.zeros(len(whose))])
    shares = np.exp(log - log.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    best = whose[:, :-1].argmax(axis=1)
    taken = shares[:, -1] < 0.5
    answer = np.where(taken, best, FREE)
    probable = np.where(taken, shares[np.arange(len(best)), best], shares[:, -1])
    return 1 - probable, answer != measured.truth


def accepted_routes(risk: Float64s, board: Indices) -> Mask:
    """Return which routes are of photos that are not asked for again."""
    unsure = {b: np.mean(risk[board == b] > RISK) for b in np.unique(board)}
    return np.array([unsure[b] <= MOST_UNSURE for b in board])


def table_lines(house: str, risk: Float64s, wrong: Mask) -> Iterator[str]:
    """Yield both tables of one house."""
    yield f"\n{house}: {len(risk)} routes, {wrong.mean():.2%} wrong"
    yield "| said to be wrong | routes | mean said | wrong |\n|---|---|---|---|"
    for low, high in pairwise(BINS):
        there = (risk >= low) & (risk < high)
        if there.any():
            mean, share = risk[there].mean(), wrong[there].mean()
            yield f"| {low} to {high} | {there.sum()} | {mean:.4f} | {share:.4f} |"
    yield "| limit | asked of 100 routes | wrong and unasked of 10,000 |\n|---|---|---|"
    for limit in LIMITS:
        unasked = wrong & (risk <= limit)
        yield f"| {limit} | {100 * np.mean(risk > limit):.1f} | {1e4 * unasked.mean():.1f} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Print both tables of every house."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, metavar="DIR")
    parser.add_argument("--houses", nargs="+", default=[*HOUSES], choices=(*HOUSES, *UNSEEN))
    options = parser.parse_args(argv)
    for house in options.houses:
        parts = of_houses(sorted(options.work.glob(f"cues-{house}-*.npz")))
        measured = known(parts[house])
        path = WEIGHTS if house in UNSEEN else options.work / f"without-{house}.json"
        weights = msgspec.json.decode(path.read_bytes(), type=CueWeights)
        risk, wrong = risk_and_wrong(weights, measured)
        of_box = measured.truth >= FREE  # plastic of no box has no right answer but a question
        risk, wrong, board = risk[of_box], wrong[of_box], measured.board[of_box]
        good = accepted_routes(risk, board)
        share = len(np.unique(board[good])) / len(np.unique(board))
        print(
            *table_lines(f"{house}, photos that are read ({share:.0%})", risk[good], wrong[good]),
            sep="\n",
        )
        print(*table_lines(f"{house}, all photos", risk, wrong), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
