"""Windows around patches of a colour, with and without a station: what a small net is taught."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s, Indices
from railspotter.calibration.pose import Viewpoint
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.look.station_net import SeenGround, planes
from railspotter.vision.look.stations import SEEN_HEIGHT, patches_of_colour

from composed.stations import HEIGHT_MM

HIT_MM = 4.5  # a patch nearer to a station's middle is it
MISS_MM = 8.0  # one that lies farther off is none; between, nobody can say
SPREAD = 11.0  # what the box's colours scatter by
COLOUR_SPREAD = 4.0  # how far off the photo's own colours are known, in Lab units


@dataclass(frozen=True, eq=False)
class StationWindows:
    """Windows as the net is fed them, and whether a station stands in the middle."""

    fed: npt.NDArray[np.float16]  # (n, planes, rows, columns)
    stands: npt.NDArray[np.uint8]  # (n,)

    def some(self, which: Indices) -> StationWindows:
        """Return some of them."""
        return StationWindows(self.fed[which], self.stands[which])


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands in a picture: stations by what is seen of them."""

    seen_mm: Float64s  # (n, 2): the middles of what is seen of them
    colour: list[int]


def windows_of(
    seen: SeenGround, standing: Standing, eye: Viewpoint, rng: Generator, at_most: int = 60
) -> StationWindows:
    """Return the windows around patches of colour, and around stations, a little off."""
    near = np.zeros(seen.ground.spaces.shape, bool)
    near[12:-12, 12:-12] = True
    patches = patches_of_colour(seen, near)
    at = np.concatenate(
        [patches.at_mm, standing.seen_mm + rng.normal(0, 1.2, standing.seen_mm.shape)]
    )
    colour = np.concatenate([patches.colour, np.array(standing.colour, np.intp)])
    away = np.full(len(at), np.inf)
    for middle, own in zip(standing.seen_mm, standing.colour, strict=True):
        apart = np.hypot(*(at - middle).T)
        away = np.minimum(
            away, np.where(colour == own, apart, np.where(apart < HIT_MM, 99, np.inf))
        )
    known = np.flatnonzero((away < HIT_MM) | (away > MISS_MM))
    stands = away[known] < HIT_MM
    keep = np.concatenate(
        [known[stands], rng.permutation(known[~stands])[: max(at_most - stands.sum(), 20)]]
    )
    foot = at[keep] - eye.lean_mm(at[keep], SEEN_HEIGHT * HEIGHT_MM)
    fed = planes(seen, at[keep], colour[keep], eye.lean_mm(foot, HEIGHT_MM))
    return StationWindows(fed.astype(np.float16), (away[keep] < HIT_MM).astype(np.uint8))


def about(name: str, lab: npt.ArrayLike, rng: Generator) -> TrainColour:
    """Return a colour as a photo may have it known."""
    lightness, a, b = (np.asarray(lab) + rng.normal(0, COLOUR_SPREAD, 3)).tolist()
    return TrainColour(name, (lightness, a, b), SPREAD)


def save(path: Path, scenes: Iterator[StationWindows]) -> None:
    """Write the windows of some scenes into a file."""
    taught = joined(list(scenes))
    np.savez(path, allow_pickle=False, fed=taught.fed, stands=taught.stands)
    print(f"{path.name}: {len(taught.stands)} windows, {taught.stands.mean():.2f} with a station")


def write_windows(
    doc: str | None, prepare: Callable[[], Callable[[Generator], StationWindows]], scenes: int
) -> None:
    """Write the windows of as many scenes as the command line asks for.

    Parameters
    ----------
    doc : str
        What the command's help says.
    prepare : callable
        Returns what draws the windows of one scene.
    scenes : int
        How many are drawn if nobody says.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=scenes)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rng, draw = np.random.default_rng(options.seed), prepare()
    save(options.out, (draw(rng) for _ in range(options.scenes)))


def load(paths: Sequence[Path]) -> StationWindows:
    """Return the windows of some files."""
    parts = []
    for path in paths:
        with np.load(path, allow_pickle=False) as stored:
            parts.append(StationWindows(stored["fed"], stored["stands"]))
    return joined(parts)


def joined(parts: Sequence[StationWindows]) -> StationWindows:
    """Return all windows in one."""
    stands: npt.NDArray[np.uint8] = np.concatenate([part.stands for part in parts])
    return StationWindows(np.concatenate([part.fed for part in parts]), stands)
