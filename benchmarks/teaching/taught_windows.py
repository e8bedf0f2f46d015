"""Windows around spaces with their ground truth: training data of the net of vision/look."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Indices
from railspotter.vision.look.train_net import CELLS, Windows

UNKNOWN = 2  # of a space: nobody knows whether a train stands on it
ARRAYS = ("photo", "reference", "others", "size_mm", "lean_mm")


@dataclass(frozen=True, eq=False)
class TrainingWindows:
    """Windows with their ground truth."""

    windows: Windows
    # (N,) uint8 array. 1 where a train stands on the space in the middle, 0 where none does, or
    # `UNKNOWN`.
    covered: npt.NDArray[np.uint8]
    # (N, rows, columns) uint8: how much of each cell is plastic, 0 to 255; of the size
    # `train_net.CELLS` turned round.
    plastic: npt.NDArray[np.uint8]

    def subset(self, which: Indices) -> "TrainingWindows":
        """Return the windows with these numbers."""
        parts = {name: getattr(self.windows, name)[which] for name in ARRAYS}
        return TrainingWindows(Windows(**parts), self.covered[which], self.plastic[which])


def cell_means(seen: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the mean of each cell of windows, (N, V, U) to (N, rows, columns)."""
    return np.stack([cv2.resize(each, CELLS, interpolation=cv2.INTER_AREA) for each in seen])


def concatenate(parts: Sequence[TrainingWindows]) -> TrainingWindows:
    """Concatenate windows."""
    of_windows = {
        name: np.concatenate([getattr(part.windows, name) for part in parts]) for name in ARRAYS
    }
    covered, plastic = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("covered", "plastic")
    )
    return TrainingWindows(Windows(**of_windows), covered, plastic)


def windows_parser(doc: str | None, windows: int = 8000) -> argparse.ArgumentParser:
    """Return the argument parser of a command that writes windows into a file."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("out", type=Path)
    parser.add_argument("--windows", type=int, default=windows)
    parser.add_argument("--seed", type=int, default=0)
    cv2.setNumThreads(1)
    return parser


def save(path: Path, source: Iterator[TrainingWindows], windows: int) -> None:
    """Write so many windows of a source into a file."""
    collected: list[TrainingWindows] = []
    while sum(len(each.covered) for each in collected) < windows:
        collected.append(next(source))
    samples = concatenate(collected)
    arrays = {name: getattr(samples.windows, name) for name in ARRAYS}
    for name in ("size_mm", "lean_mm"):
        arrays[name] = arrays[name].astype(np.float32)
    np.savez(path, allow_pickle=False, covered=samples.covered, plastic=samples.plastic, **arrays)
    known = samples.covered[samples.covered != UNKNOWN]
    print(f"{path.name}: {len(samples.covered)} windows, {known.mean():.2f} of them covered")


def load(paths: Sequence[Path]) -> TrainingWindows:
    """Return the windows of some files, an array at a time: they fill most of the memory."""

    def whole(name: str) -> npt.NDArray[np.generic]:
        parts = []
        for path in paths:
            with np.load(path, allow_pickle=False) as stored:
                parts.append(stored[name])
        return np.concatenate(parts)

    windows = Windows(**{name: whole(name) for name in ARRAYS})  # type: ignore[arg-type]
    covered, plastic = whole("covered"), whole("plastic")
    return TrainingWindows(windows, covered.astype(np.uint8), plastic.astype(np.uint8))
