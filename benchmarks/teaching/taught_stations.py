"""Windows around patches of a colour, with and without a station: training data of a net."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Picture
from railspotter.calibration.pose import Viewpoint
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.lab import to_lab
from railspotter.vision.look.station_net import SeenGround, planes
from railspotter.vision.look.stations import SEEN_HEIGHT, patches_of_colour

from composed.stations import HEIGHT_MM

HIT_MM = 4.5  # a patch nearer to a station's middle is it
MISS_MM = 8.0  # one that lies farther off is none; between, nobody can say
LOOSE_MM = 16.0  # the same, of a station of which only the city is known
SPREAD = 11.0  # what the box's colours scatter by
COLOUR_SPREAD = 4.0  # how far off the photo's own colours are known, in Lab units


@dataclass(frozen=True, eq=False)
class StationWindows:
    """Windows, as input of the net, and whether a station is in the middle of each."""

    fed: npt.NDArray[np.float16]  # (n, planes, rows, columns)
    stands: npt.NDArray[np.uint8]  # (n,)

    def subset(self, which: Indices) -> "StationWindows":
        """Return the windows with these numbers."""
        return StationWindows(self.fed[which], self.stands[which])


@dataclass(frozen=True, eq=False)
class SeenStations:
    """The stations in a picture, by what is visible of them."""

    seen_mm: Float64s  # (n, 2): the middles of what is seen of them
    colour: list[int]
    loose: list[bool] = field(default_factory=list)  # whose city alone is known; empty for none


def cut_windows(
    seen: SeenGround,
    standing: SeenStations,
    eye: Viewpoint,
    rng: Generator,
    dots_mm: Float64s | None = None,
) -> StationWindows:
    """Return windows around patches of colour, and around stations, slightly off.

    Where `dots_mm` has places' dots, there too if they are of a colour: the reader asks about them.
    """
    near = np.zeros(seen.ground.spaces.shape, bool)
    near[12:-12, 12:-12] = True
    if dots_mm is not None:
        dots_mm = dots_mm + eye.lean_mm(dots_mm, SEEN_HEIGHT * HEIGHT_MM)
    patches = patches_of_colour(seen, near, dots_mm)
    at = np.concatenate(
        [patches.at_mm, standing.seen_mm + rng.normal(0, 1.2, standing.seen_mm.shape)]
    )
    colour = np.concatenate([patches.colour, np.array(standing.colour, np.intp)])
    away, unclear = np.full(len(at), np.inf), np.zeros(len(at), bool)
    loose = standing.loose or [False] * len(standing.colour)
    for middle, own, is_loose in zip(standing.seen_mm, standing.colour, loose, strict=True):
        reach = LOOSE_MM if is_loose else MISS_MM
        apart = np.hypot(*(at - middle).T)
        away = np.minimum(
            away, np.where(colour == own, apart, np.where(apart < HIT_MM, 99, np.inf))
        )
        unclear |= (colour == own) & (apart >= HIT_MM) & (apart <= reach)
    known = np.flatnonzero((away < HIT_MM) | ~unclear)
    foot = at[known] - eye.lean_mm(at[known], SEEN_HEIGHT * HEIGHT_MM)
    fed = planes(seen, at[known], colour[known], eye.lean_mm(foot, HEIGHT_MM))
    return StationWindows(fed.astype(np.float16), (away[known] < HIT_MM).astype(np.uint8))


def approximate_colours(
    lit: Picture,
    known: Mapping[str, npt.ArrayLike],
    pieces: Iterable[tuple[str, Float64s]],
    rng: Generator,
) -> list[TrainColour]:
    """Return the approximate colours of plastic in a picture, by name.

    `known` is what it looks like, as CIE Lab, where none of the `pieces` shows it; those are whose
    they are, and where their middles are seen, in pixels.
    """
    lab, last = to_lab(lit), np.array(lit.shape[1::-1]) - 2
    seen: dict[str, list[Float32s]] = {name: [] for name in known}
    for name, at in pieces:
        if (at > 1).all() and (at < last).all():
            x, y = at.astype(int)
            seen[name].append(lab[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3))
    colours = []
    for name in sorted(known):
        middle = np.median(np.concatenate(seen[name]), axis=0) if seen[name] else known[name]
        shown = (np.asarray(middle) + rng.normal(0, COLOUR_SPREAD, 3)).tolist()
        colours.append(TrainColour(name, (shown[0], shown[1], shown[2]), SPREAD))
    return colours


def save(path: Path, scenes: Iterator[StationWindows]) -> None:
    """Write the windows of some scenes into a file."""
    samples = concatenate(list(scenes))
    np.savez(path, allow_pickle=False, fed=samples.fed, stands=samples.stands)
    print(f"{path.name}: {len(samples.stands)} windows, {samples.stands.mean():.2f} with a station")


def windows_parser(doc: str | None, scenes: int) -> argparse.ArgumentParser:
    """Return the argument parser of a command that writes windows of scenes."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=scenes)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def write_windows(options: argparse.Namespace, draw: Callable[[Generator], StationWindows]) -> None:
    """Write the windows of as many scenes as the command line asks for."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    save(options.out, (draw(rng) for _ in range(options.scenes)))


def load(paths: Sequence[Path]) -> StationWindows:
    """Return the windows of some files."""
    parts = []
    for path in paths:
        with np.load(path, allow_pickle=False) as stored:
            parts.append(StationWindows(stored["fed"], stored["stands"]))
    return concatenate(parts)


def concatenate(parts: Sequence[StationWindows]) -> StationWindows:
    """Concatenate windows."""
    stands: npt.NDArray[np.uint8] = np.concatenate([part.stands for part in parts])
    return StationWindows(np.concatenate([part.fed for part in parts]), stands)
