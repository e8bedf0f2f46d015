"""Train the net of vision/look/station_net.py.

    python benchmarks/teaching/fit_station_net.py WINDOWS.npz... [--steps 3000] [--seed S]
                                                  [--begin-with PT] [--out FILE]

WINDOWS are files of `rendered/station_windows.py`, of which no photo is part, and of
`station_windows.py`. What a net of the first alone is worth on photos it is worth in a house that
it does not know. Needs PyTorch and onnx, which the program itself does not. Takes some two minutes
on one core.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Indices
from railspotter.vision.look.station_net import PLANES, WINDOW_PX

from teaching.small_net import answer, layer, said_of, teach, write
from teaching.taught_stations import StationWindows, load

NET = Path(__file__).resolve().parents[2] / "vision" / "look" / "station_net.onnx"
WIDTHS = (16, 24, 32, 32)
BATCH = 192
UNSURE = (
    0.002  # share of labels taken for wrong: with .01 and a third shown nothing is sure beyond 2.7
)
SHOWN = 0.06  # share of the windows of a photo that show a station
WITH = 0.3  # of the windows of a step show a station, so that many do
HELD_BACK = 10  # one window in so many measures the net

torch: Any = None  # imported in `main`: whoever only type-checks has none


def net() -> Any:
    """Return an untrained net: four convolutions and two layers."""
    a, b, c, d = WIDTHS
    layers = layer(PLANES, a, 2), layer(a, b, 2), layer(b, c, 1), layer(c, d, 2)
    return torch.nn.Sequential(*layers, answer(d, (WINDOW_PX // 8) ** 2, 32))


def shown_otherwise(fed: Float32s, rng: Generator) -> Float32s:
    """Return augmented windows: mirrored, with exchanged inks, with weaker evidence."""
    if rng.random() < 0.5:
        fed = fed[:, :, ::-1]
    if rng.random() < 0.5:
        inks = rng.permutation(3)
        fed = fed[:, [*inks, *(3 + inks), *range(6, PLANES)]]
    fed = fed.copy()
    fed[:, 0:3] += rng.normal(0, 0.06, (len(fed), 1, 1, 1)).astype(np.float32)
    fed[:, 6:10] *= np.exp(rng.normal(0, 0.15, (len(fed), 1, 1, 1))).astype(np.float32)
    still = rng.random(len(fed)) < 0.1  # one that does not lean looks the same from all sides
    fed[still & (fed[:, 11, 0, 0] < 0.1)] = np.rot90(
        fed[still & (fed[:, 11, 0, 0] < 0.1)], int(rng.integers(4)), (2, 3)
    )
    return fed


def fit(student: Any, taught: StationWindows, used: Indices, steps: int, seed: int) -> None:
    """Train a net on some of the windows, with the rate of stations."""
    shown, bare = (used[taught.stands[used] == one] for one in (1, 0))
    oftener = float(np.log(WITH / (1 - WITH)) - np.log(SHOWN / (1 - SHOWN)))
    rng, count = np.random.default_rng(seed), round(WITH * BATCH)

    def batch() -> tuple[Float32s, Float32s]:
        some = np.concatenate([rng.choice(shown, count), rng.choice(bare, BATCH - count)])
        stands = taught.stands[some] * np.float32(1 - 2 * UNSURE) + np.float32(UNSURE)
        return shown_otherwise(taught.fed[some].astype(np.float32), rng), stands

    def wrong(said: Any, stands: Any) -> tuple[Any]:
        loss = torch.nn.functional.binary_cross_entropy_with_logits
        return (loss(said[:, 0] + oftener, stands),)

    teach(student, (batch() for _ in range(steps)), steps, wrong)


def told(student: Any, held: StationWindows) -> str:
    """Return a net's results on held-out windows."""
    parts = (held.fed[k : k + BATCH] for k in range(0, len(held.stands), BATCH))
    z, y = said_of(student, (part.astype(np.float32) for part in parts)), held.stands > 0
    return (
        f"{len(z)} windows, missed {np.mean(z[y] < 0):.4f} ({np.mean(z[y] < -2):.4f} surely),"
        f" invented {np.mean(z[~y] > 0):.4f} ({np.mean(z[~y] > 2):.4f} surely)"
    )


def main() -> None:
    """Train, measure on held-out windows, and write the net."""
    global torch
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("windows", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--begin-with", type=Path, metavar="PT")
    parser.add_argument("--out", type=Path, default=NET)
    options = parser.parse_args()
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    taught = load(sorted(options.windows))
    order = np.random.default_rng(options.seed).permutation(len(taught.stands))
    held, used = np.split(order, [len(order) // HELD_BACK])
    student = net()
    if options.begin_with:
        student.load_state_dict(torch.load(options.begin_with))
    fit(student, taught, used, options.steps, options.seed)
    print("held back:", told(student, taught.some(held)))
    if options.out != NET:  # for another to begin with
        torch.save(student.state_dict(), options.out.with_suffix(".pt"))
    write(student, PLANES, (WINDOW_PX, WINDOW_PX), options.out)


if __name__ == "__main__":
    main()
