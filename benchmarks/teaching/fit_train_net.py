"""Train the net of vision/look/train_net.py on rendered and relit windows.

    python benchmarks/teaching/fit_train_net.py WINDOWS.npz... [--steps N] [--seed S] [--out FILE]
                                                [--unseen WINDOWS.npz...]
                                                [--begin-with NET.onnx --rate .001]

WINDOWS are files of `rendered/windows.py` and `traced/windows.py` (no photo took part) and of
`photo_windows.py` (each of one house). Needs PyTorch and onnx, which the program itself does not; a
GPU is used where there is one.
Writes vision/look/train_net.onnx; `--begin-with` it a net for another shape of piece is taught, as
taxi_net.onnx is. What is left out of the files is a house that nobody has seen,
and `--unseen` says how the net does on windows of it: docs/train-net.md has the recipe.
"""

import argparse
import importlib
import os
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Indices
from railspotter.vision.look.train_net import CELLS, WINDOW_PX, Windows, planes

from teaching.small_net import RATE, conv, export, first_outputs, head, load_weights, train
from teaching.taught_windows import UNKNOWN, TrainingWindows, load

NET = Path(__file__).resolve().parents[2] / "vision" / "look" / "train_net.onnx"
WIDTHS = (20, 32, 40, 56, 56)
BATCH = 512
HELD_OUT = 4000  # windows to measure the net on
NOISE = 0.005  # share of labels taken for wrong: trains may be hidden or stand half on two spaces
PLASTIC_WEIGHT = 0.5  # how much the map of plastic counts beside the answer

torch: Any = None  # imported in `main`: whoever only type-checks has none


def make_net() -> Any:
    """Return an untrained net.

    Five convolutions; from the last one whether a train stands on the space, and from it and the
    third one, which is as fine as `CELLS`, where plastic is seen.
    """
    nn = torch.nn

    a, b, c, d, e = WIDTHS
    rows, columns = CELLS[1] // 2, CELLS[0] // 2

    module: Any = nn.Module

    class Net(module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.fine = nn.Sequential(conv(10, a, 2), conv(a, b, 2), conv(b, c, 1))
            self.coarse = nn.Sequential(conv(c, d, 2), conv(d, e, 1))
            self.answer = head(e, rows * columns, 48)
            self.finer = nn.ConvTranspose2d(e, 16, 2, 2)
            self.where = nn.Sequential(conv(c + 16, 20, 1), nn.Conv2d(20, 1, 1), nn.Flatten())

        def forward(self, fed: Any) -> Any:
            fine = self.fine(fed)
            coarse = self.coarse(fine)
            where = self.where(torch.cat([fine, self.finer(coarse)], dim=1))
            return torch.cat([self.answer(coarse), where], dim=1)

    return Net()


def ordered_parts(net: Any) -> tuple[Any, ...]:
    """Return a net's parts in the order of their evaluation."""
    return net.fine, net.coarse, net.finer, net.where, net.answer


def augment(windows: Windows, plastic: npt.NDArray[np.uint8], rng: Generator) -> Any:
    """Return augmented windows: rotated, mirrored, lighter, with exchanged inks."""
    photo, reference, others, lean = (
        windows.photo,
        windows.reference,
        windows.others,
        windows.lean_mm.copy(),
    )
    for axis, way in ((1, 1), (2, 0)):
        if rng.random() < 0.5:
            photo, reference, others, plastic = (
                np.flip(a, axis) for a in (photo, reference, others, plastic)
            )
            lean[:, way] *= -1
    if rng.random() < 0.4:
        inks = rng.permutation(3)
        photo, reference = photo[..., inks], reference[..., inks]
    lighter = np.exp(rng.normal(0, 0.06, (len(photo), 1, 1, 1))).astype(np.float32)
    photo = np.clip(photo * lighter, 0, 255)
    return Windows(photo, reference, others, windows.size_mm, lean), plastic


class Batch(NamedTuple):
    """A training batch: inputs, truth, and whether it is known."""

    inputs: Float32s
    covered: Float32s
    known: Float32s
    plastic: Float32s


def batches(samples: TrainingWindows, used: Indices, steps: int, seed: int) -> Iterator[Batch]:
    """Yield training batches, prepared in the background."""
    rounds = -(-steps * BATCH // len(used))
    order = np.random.default_rng(seed)
    which = np.concatenate([order.permutation(used) for _ in range(rounds)])

    def batch(step: int) -> Batch:
        rng = np.random.default_rng([seed, step])
        some = samples.subset(which[step * BATCH : (step + 1) * BATCH])
        windows, plastic = augment(some.windows, some.plastic, rng)
        known = some.covered != UNKNOWN
        covered = np.where(known, some.covered * (1 - 2 * NOISE) + NOISE, 0).astype(np.float32)
        share = np.ascontiguousarray(plastic, np.float32).reshape(len(plastic), -1) / np.float32(
            255
        )
        return Batch(planes(windows), covered, known.astype(np.float32), share)

    ahead = min(4, os.cpu_count() or 1)
    with ThreadPoolExecutor(ahead) as pool:
        ready = deque(pool.submit(batch, step) for step in range(min(2 * ahead, steps)))
        for step in range(steps):
            yield ready.popleft().result()
            if step + 2 * ahead < steps:
                ready.append(pool.submit(batch, step + 2 * ahead))


def fit(
    net: Any, samples: TrainingWindows, used: Indices, steps: int, seed: int, rate: float = RATE
) -> None:
    """Train a net on some of the windows."""
    loss = torch.nn.functional.binary_cross_entropy_with_logits

    def losses(outputs: Any, covered: Any, known: Any, plastic: Any) -> tuple[Any, Any]:
        where = loss(outputs[:, 1:], plastic)
        return loss(outputs[:, 0], covered, weight=known), PLASTIC_WEIGHT * where

    train(net, batches(samples, used, steps, seed), steps, losses, rate)


def results_text(net: Any, held_out: TrainingWindows) -> str:
    """Return a net's results on held-out windows."""
    parts = np.split(np.arange(len(held_out.covered)), range(BATCH, len(held_out.covered), BATCH))
    logits = first_outputs(net, (planes(held_out.subset(part).windows) for part in parts))
    known = held_out.covered != UNKNOWN
    z, y = logits[known], held_out.covered[known].astype(np.float64)
    loss = np.logaddexp(0, -(2 * y - 1) * z)
    missed = np.mean((z < -2) & (y == 1)), np.mean((z > 2) & (y == 0))
    return (
        f"{len(z)} windows, wrong {np.mean((z > 0) != y):.4f}, loss {loss.mean():.4f},"
        f" surely missed {missed[0]:.4f}, surely seen where none is {missed[1]:.4f}"
    )


def main() -> None:
    """Train, measure on held-out windows, and write the net."""
    global torch
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("windows", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=NET)
    parser.add_argument("--unseen", type=Path, nargs="+", default=[], metavar="WINDOWS")
    parser.add_argument("--begin-with", type=Path, metavar="NET", help="not with nothing learned")
    parser.add_argument("--rate", type=float, default=RATE, help="what is learned of a step")
    arguments = parser.parse_args()
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    net = make_net()
    if arguments.begin_with is not None:
        load_weights(ordered_parts(net), arguments.begin_with)
    samples = load(sorted(arguments.windows))
    order = np.random.default_rng(arguments.seed).permutation(len(samples.covered))
    fit(net, samples, order[HELD_OUT:], arguments.steps, arguments.seed, arguments.rate)
    print("held back:", results_text(net, samples.subset(order[:HELD_OUT])))
    for path in arguments.unseen:
        unseen = load([path])
        some = np.arange(0, len(unseen.covered), max(1, len(unseen.covered) // HELD_OUT))
        print(f"{path.stem}:", results_text(net, unseen.subset(some)))
    export(net, 10, WINDOW_PX, arguments.out)


if __name__ == "__main__":
    main()
