"""Train the net of vision/look/station_net.py.

    python benchmarks/teaching/fit_station_net.py WINDOWS.npz... [--steps 3000] [--seed S]
                                                  [--begin-with PT] [--out FILE]

WINDOWS are files of `rendered/station_windows.py`, of which no photo is part, and of
`station_windows.py`. What a net of the first alone is worth on photos it is worth in a house that
it does not know. Needs PyTorch and onnx, which the program itself does not. Takes some two minutes
on one core.
"""

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

from teaching.small_net import conv, export, first_outputs, head, train
from teaching.taught_stations import StationWindows, load

NET = Path(__file__).resolve().parents[2] / "vision" / "look" / "station_net.onnx"
WIDTHS = (16, 24, 32, 32)
BATCH = 192
NOISE = (
    0.002  # share of labels taken for wrong: with .01 and a third shown nothing is sure beyond 2.7
)
REAL_SHARE = 0.06  # share of the windows of a photo that show a station
DRAWN_SHARE = 0.3  # of the windows of a step show a station, so that many do
HELD_OUT_EVERY = 10  # one window in so many measures the net

torch: Any = None  # imported in `main`: whoever only type-checks has none


def make_net() -> Any:
    """Return an untrained net: four convolutions and two layers."""
    a, b, c, d = WIDTHS
    layers = conv(PLANES, a, 2), conv(a, b, 2), conv(b, c, 1), conv(c, d, 2)
    return torch.nn.Sequential(*layers, head(d, (WINDOW_PX // 8) ** 2, 32))


def augment(inputs: Float32s, rng: Generator) -> Float32s:
    """Return augmented windows: mirrored, with exchanged inks, with weaker evidence."""
    if rng.random() < 0.5:
        inputs = inputs[:, :, ::-1]
    if rng.random() < 0.5:
        inks = rng.permutation(3)
        inputs = inputs[:, [*inks, *(3 + inks), *range(6, PLANES)]]
    inputs = inputs.copy()
    inputs[:, 0:3] += rng.normal(0, 0.06, (len(inputs), 1, 1, 1)).astype(np.float32)
    inputs[:, 6:10] *= np.exp(rng.normal(0, 0.15, (len(inputs), 1, 1, 1))).astype(np.float32)
    still = rng.random(len(inputs)) < 0.1  # one that does not lean looks the same from all sides
    inputs[still & (inputs[:, 11, 0, 0] < 0.1)] = np.rot90(
        inputs[still & (inputs[:, 11, 0, 0] < 0.1)], int(rng.integers(4)), (2, 3)
    )
    return inputs


def fit(net: Any, windows: StationWindows, used: Indices, steps: int, seed: int) -> None:
    """Train a net on some of the windows, with the rate of stations."""
    shown, bare = (used[windows.stands[used] == one] for one in (1, 0))
    shift = float(np.log(DRAWN_SHARE / (1 - DRAWN_SHARE)) - np.log(REAL_SHARE / (1 - REAL_SHARE)))
    rng, count = np.random.default_rng(seed), round(DRAWN_SHARE * BATCH)

    def batch() -> tuple[Float32s, Float32s]:
        some = np.concatenate([rng.choice(shown, count), rng.choice(bare, BATCH - count)])
        stands = windows.stands[some] * np.float32(1 - 2 * NOISE) + np.float32(NOISE)
        return augment(windows.fed[some].astype(np.float32), rng), stands

    def losses(outputs: Any, stands: Any) -> tuple[Any]:
        loss = torch.nn.functional.binary_cross_entropy_with_logits
        return (loss(outputs[:, 0] + shift, stands),)

    train(net, (batch() for _ in range(steps)), steps, losses)


def results_text(net: Any, held_out: StationWindows) -> str:
    """Return a net's results on held-out windows."""
    parts = (held_out.fed[k : k + BATCH] for k in range(0, len(held_out.stands), BATCH))
    z, y = first_outputs(net, (part.astype(np.float32) for part in parts)), held_out.stands > 0
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
    windows = load(sorted(options.windows))
    order = np.random.default_rng(options.seed).permutation(len(windows.stands))
    held_out, used = np.split(order, [len(order) // HELD_OUT_EVERY])
    net = make_net()
    if options.begin_with:
        net.load_state_dict(torch.load(options.begin_with))
    fit(net, windows, used, options.steps, options.seed)
    print("held back:", results_text(net, windows.subset(held_out)))
    if options.out != NET:  # for another to begin with
        torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    export(net, PLANES, (WINDOW_PX, WINDOW_PX), options.out)


if __name__ == "__main__":
    main()
