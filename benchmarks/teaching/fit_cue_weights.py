"""Fit the weights of each cue to relit boards of held-out houses, and measure the errors.

    python benchmarks/teaching/fit_cue_weights.py --measure HOUSE --net ONNX --out cues-HOUSE-1.npz
    python benchmarks/teaching/fit_cue_weights.py --fit cues-HOUSE-1.npz... [--out WEIGHTS.json]
    python benchmarks/teaching/fit_cue_weights.py --fit cues-HOUSE-1.npz... --without CUE...

Half of the houses are some that the net was not taught, so that the weights learn how far it can be
trusted there. How a measured house is told by the weights that are carried is printed; the table
leaves each house out of the fit in turn. `--without` fits no weights for some cues of `cues.CUES`:
what it makes worse is what these are worth.
"""

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import msgspec
import numpy as np
from railspotter.calibration.arrays import Float64s, Indices
from railspotter.vision.look import train_net
from railspotter.vision.reading.cue_reader import look_at_print
from railspotter.vision.reading.cues import CUES, CueWeights, cue_weights, measure_cues
from railspotter.vision.reading.whose_trains import whose_at_first, whose_trains
from scipy.optimize import minimize

from photos.labelled import HOUSE_SHOOTS
from teaching.relit_boards import FREE, HOUSES, UNKNOWN_SPACE, UNSEEN, RelitBoard, RelitHouse

WEIGHTS = Path(__file__).resolve().parents[2] / "vision" / "reading" / "cue_weights.json"
RIDGE = 5.0
NAMES = ("cues", "alike", "clear", "nobodys", "likeness", "truth", "board")


@dataclass(frozen=True, eq=False)
class Measured:
    """The cues of routes, with their ground truth."""

    cues: Float64s  # (n, len(CUES))
    alike: Float64s  # (n,): how alike the print and the likeliest trains look
    clear: Float64s  # (n,): how clear the photo is
    # (n,) array. Logarithm of how probable it is that what stands there is no player's.
    nobodys: Float64s
    likeness: Float64s  # (n, C): how well each route's look fits each colour's trains elsewhere
    truth: Indices  # (n,) int: the colour's index, or one of relit_boards' for what is none
    board: Indices  # (n,) int: which board it is


def measure(relit: RelitBoard, number: int) -> Measured:
    """Measure a board's routes; half-filled ones count as free."""
    view, first = look_at_print(relit.view)
    printed = view.printed
    cues, shapes = measure_cues(view, first), first.route_shapes(printed)
    whose, _ = whose_trains(view, first, whose_at_first(view, first), shapes)
    colours = relit.colours.astype(np.float64)
    low, high = printed.per_route_min(colours), printed.per_route_max(colours)
    # A route of which at most half is laid is nobody's. Of one that is laid for the most part a
    # train is missing, and whose it is depends on who is asked: doubts see to it.
    laid = printed.per_route_mean((colours != FREE).astype(np.float32))
    nobodys = np.where((low == FREE) & (laid <= 0.5), FREE, UNKNOWN_SPACE)
    truth = np.where(low == high, low, nobodys).astype(np.intp)
    return Measured(
        cues.routes.astype(np.float64),
        whose.alike.astype(np.float64),
        np.full(len(truth), cues.clear),
        whose.nobodys,
        whose.likeness,
        truth,
        np.full(len(truth), number),
    )


def joined(parts: Sequence[Measured]) -> Measured:
    """Concatenate measurements."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in NAMES}
    return Measured(**arrays)


def known(measured: Measured) -> Measured:
    """Return the routes with known truth; plastic of no box may look like any print."""
    which = measured.truth >= FREE
    return Measured(**{name: getattr(measured, name)[which] for name in NAMES})


def fit(measured: Mapping[str, Measured], without: Collection[str] = ()) -> CueWeights:
    """Fit a logistic regression with a ridge on standardised cues; each house counts the same.

    What likeness counts is no part of the fit: some houses say .45, others 1.6. Cues that it is
    fitted without have a weight of 0.
    """
    kept = np.array([name not in without for name in CUES])
    rows, answers, weight = [], [], []
    for part in map(known, measured.values()):
        clear = part.clear[:, None]
        alike = part.alike[:, None]
        cues = part.cues * kept
        rows.append(np.c_[cues, alike, alike * cues, clear, clear * cues])
        answers.append((part.truth != FREE).astype(np.float64))
        weight.append(np.full(len(part.cues), 4000 / len(part.cues)))
    x, y, w = np.concatenate(rows), np.concatenate(answers), np.concatenate(weight)
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    scaled = np.c_[(x - middle) / spread, np.ones(len(x))]

    def loss(beta: Float64s) -> tuple[float, Float64s]:
        z = scaled @ beta
        p = 1 / (1 + np.exp(-np.clip(z, -50, 50)))
        gradient = scaled.T @ (w * (p - y)) + RIDGE * np.r_[beta[:-1], 0]
        total = (w * np.logaddexp(0, -(2 * y - 1) * z)).sum()
        return float(total + RIDGE * (beta[:-1] ** 2).sum() / 2), gradient

    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B")
    beta = found.x[:-1] / spread
    count = len(CUES)

    def named(values: Float64s) -> dict[str, float]:
        return {name: round(float(v), 4) for name, v in zip(CUES, values, strict=True)}

    shoots = ", ".join(
        sorted(shoot for house in measured for shoot in HOUSE_SHOOTS.get(house, (house,)))
    )
    return CueWeights(
        likeness_counts=cue_weights().likeness_counts,
        fitted_to=f"{shoots}, relit, by benchmarks/teaching/fit_cue_weights.py; docs/train-net.md",
        bias=round(float(found.x[-1] - beta @ middle), 4),
        alike_bias=round(float(beta[count]), 4),
        weight=named(beta[:count]),
        alike_weight=named(beta[count + 1 : 2 * count + 1]),
        clear_bias=round(float(beta[2 * count + 1]), 4),
        clear_weight=named(beta[2 * count + 2 :]),
    )


def report(house: str, weights: CueWeights, measured: Measured) -> str:
    """Return the errors of weights on a house, of standing and of colours, and the likelihood."""
    measured = known(measured)
    standing = measured.truth != FREE
    cues, alike, clear = (
        values.astype(np.float32) for values in (measured.cues, measured.alike, measured.clear)
    )
    plain = weights.log_odds(cues, alike)
    z = plain + clear * (weights.log_odds(cues, alike, 1.0) - plain)
    wrong = (z > 0) != standing
    sure = np.abs(z) > 4.6
    own = standing & (measured.truth >= 0)
    whose = weights.log_owner_shares(measured.nobodys, measured.likeness)
    colour = whose[:, :-1].argmax(axis=1)
    whose_wrong = own & (colour != measured.truth)
    shares = np.exp(whose[np.arange(len(colour)), colour])
    return (
        f"{house:12s} {len(z):6d} routes, {wrong.mean():.4f} standing wrong,"
        f" {np.mean(wrong & sure):.5f} of these sure, {1 - sure.mean():.3f} unsure;"
        f" missed {np.mean(wrong & standing):.4f};"
        f" colours wrong {whose_wrong.sum() / own.sum():.4f},"
        f" with a share above .99 {np.sum(whose_wrong & (shares > 0.99)) / own.sum():.5f}"
    )


def load(path: Path) -> Measured:
    """Return what `--measure` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        return Measured(**{name: stored[name] for name in NAMES})


def of_houses(paths: Sequence[Path]) -> dict[str, Measured]:
    """Return what `--measure` wrote of each house, in one file of it or several."""
    found: dict[str, list[Measured]] = {house: [] for house in (*HOUSES, *UNSEEN)}
    for path in paths:
        name = path.stem.removeprefix("cues-")
        found[next(house for house in found if name.startswith(house))].append(load(path))
    return {house: joined(parts) for house, parts in found.items() if parts}


def main() -> None:
    """Measure a house, or fit, print and write if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", choices=(*HOUSES, *UNSEEN))
    parser.add_argument("--net", type=Path, default=train_net.NETS["train"])
    parser.add_argument("--boards", type=int, default=120)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--fit", type=Path, nargs="+")
    parser.add_argument("--without", choices=CUES, nargs="+", default=())
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.measure:
        train_net.NETS["train"] = options.net
        house = RelitHouse({**HOUSES, **UNSEEN}[options.measure])
        rng = np.random.default_rng([options.seed, *map(ord, options.measure)])
        measured = joined([measure(house.draw(rng), n) for n in range(options.boards)])
        arrays = {name: getattr(measured, name) for name in NAMES}
        np.savez(options.out, allow_pickle=False, **arrays)
        print(report(options.measure, cue_weights(), measured))
    if options.fit:
        parts = of_houses(options.fit)
        for name, part in parts.items():
            others = {other: parts[other] for other in parts if other != name}
            print(report(f"not {name}", fit(others or parts, options.without), part))
        weights = fit(parts, options.without)
        for name, part in parts.items():
            print(report(name, weights, part))
        if options.out:
            text = msgspec.json.format(msgspec.json.encode(weights), indent=2)
            options.out.write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
