"""Teach vision/train_net.py's net what a train on a space looks like, on rendered windows alone.

    python benchmarks/fit_train_net.py PATCHES.npz... [--steps N] [--out FILE]

PATCHES are files of `rendered_patches.py`. Needs PyTorch and onnx, which the program itself does
not. Writes vision/train_net.onnx. No photo takes part: benchmarks/fit_cue_weights.py says what it
is worth on photos; whoever changes the net fits the cues' weights anew.

The net that is carried learned from `rendered_patches.py --pairs 8000` with seeds 1 to 10, in
3600 steps.
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.vision.train_net import WINDOW_PX, Windows, planes

NET = Path(__file__).resolve().parent.parent / "vision" / "train_net.onnx"
NAMES = ("photo", "reference", "others", "size_mm", "lean_mm")
WIDTHS = (16, 32, 32, 48, 48)
STRIDES = (2, 2, 1, 2, 1)
BATCH = 128
RATE = 3e-3
HELD_BACK = 2000
"""Windows to measure the net on."""
UNSURE = 0.01
"""Share of labels taken for wrong: trains may be hidden or stand half on two spaces."""

torch: Any = None  # imported in `main`: whoever only type-checks has none


def net() -> Any:
    """Return a net that knows nothing yet: five convolutions, then where it was seen."""
    nn = torch.nn
    layers: list[Any] = []
    width = 10
    for wider, stride in zip(WIDTHS, STRIDES, strict=True):
        convolution = nn.Conv2d(width, wider, 3, stride, padding=1, bias=False)
        layers += [convolution, nn.BatchNorm2d(wider), nn.ReLU()]
        width = wider
    places = WINDOW_PX[0] // 8 * (WINDOW_PX[1] // 8)
    layers += [nn.Conv2d(width, 16, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2)]
    layers += [nn.Linear(16 * places, 32), nn.ReLU(), nn.Linear(32, 1)]
    return nn.Sequential(*layers)


def some(windows: Windows, which: npt.NDArray[np.intp]) -> Windows:
    """Return some of the windows."""
    return Windows(**{name: getattr(windows, name)[which] for name in NAMES})


def shown_otherwise(windows: Windows, rng: Generator) -> Windows:
    """Return windows turned round, mirrored, a little lighter, and with exchanged inks."""
    photo, reference, others, lean = (
        windows.photo,
        windows.reference,
        windows.others,
        windows.lean_mm.copy(),
    )
    for axis, way in ((1, 1), (2, 0)):
        if rng.random() < 0.5:
            photo, reference, others = (np.flip(a, axis) for a in (photo, reference, others))
            lean[:, way] *= -1
    if rng.random() < 0.5:
        inks = rng.permutation(3)
        photo, reference = photo[..., inks], reference[..., inks]
    lighter = np.exp(rng.normal(0, 0.06, (len(photo), 1, 1, 1))).astype(np.float32)
    return Windows(np.clip(photo * lighter, 0, 255), reference, others, windows.size_mm, lean)


def fit(windows: Windows, covered: npt.NDArray[np.bool_], steps: int) -> Any:
    """Return a net taught on the windows."""
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    student = net()
    print(f"{sum(p.numel() for p in student.parameters())} numbers, {len(covered)} windows")
    teacher = torch.optim.AdamW(student.parameters(), lr=RATE, weight_decay=1e-3)
    order = np.empty(0, dtype=np.intp)
    loss_so_far = 0.7
    for step in range(steps):
        if len(order) < BATCH:
            order = rng.permutation(len(covered))
        which, order = order[:BATCH], order[BATCH:]
        fed = planes(shown_otherwise(some(windows, which), rng))
        target = covered[which] * (1 - 2 * UNSURE) + UNSURE
        rate = RATE * min(1.0, step / 100) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
        for group in teacher.param_groups:
            group["lr"] = rate
        logits = student(torch.from_numpy(fed))[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, torch.from_numpy(target.astype(np.float32))
        )
        teacher.zero_grad()
        loss.backward()
        teacher.step()
        loss_so_far += 0.02 * (loss.item() - loss_so_far)
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss_so_far:.4f}", flush=True)
    return student.eval()


def main() -> None:
    """Fit, measure on windows that were held back, and write the net."""
    global torch
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patches", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=3600)
    parser.add_argument("--out", type=Path, default=NET)
    arguments = parser.parse_args()
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    parts = []
    for path in arguments.patches:
        with np.load(path) as stored:
            parts.append({name: stored[name] for name in (*NAMES, "covered")})
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    covered = joined.pop("covered")
    windows = Windows(**joined)
    indices = np.arange(len(covered))
    student = fit(some(windows, indices[HELD_BACK:]), covered[HELD_BACK:], arguments.steps)
    with torch.no_grad():
        logits = student(torch.from_numpy(planes(some(windows, indices[:HELD_BACK]))))[:, 0].numpy()
    wrong = np.mean((logits > 0) != covered[:HELD_BACK])
    print(f"wrong of {HELD_BACK} windows held back: {wrong:.4f}")
    columns, rows = WINDOW_PX
    torch.onnx.export(
        student,
        torch.zeros(1, 10, rows, columns),
        arguments.out,
        input_names=["planes"],
        output_names=["logit"],
        dynamic_axes={"planes": {0: "windows"}, "logit": {0: "windows"}},
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
