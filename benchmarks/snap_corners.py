"""Point roughly at labelled boards' corners, snap them to the edge, and say how far off they are.

    python benchmarks/snap_corners.py [--tries 1] [--seed 0] [--choose]

Corners are moved anywhere within 1.5 % of the picture. The truth is the labels', which are
themselves some 2 mm off the edge. With --choose, settings are chosen without each light (a small
shoot is left out whole) and judged on it, in turn.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.finding.corner_snapping import SnappingSettings, snap_corners
from railspotter.calibration.geometry import area_px2
from railspotter.scoring.board import load_board
from railspotter.table.photo_file import load_photo, to_jpeg

from photos.labelled import PHOTOS, LabelledPhoto, labelled_photos

MOST_OFF = 0.015
WRONG_MM = 8.0  # a corner so far off, that was called sure, was snapped to something else
# What a corner that stays is taken for when settings are compared: half of what it was off.
UNSURE_COST_MM = 6.0


@dataclass(frozen=True, eq=False)
class Try:
    """The four corners of one photo: how far off before and after, in millimetres."""

    photo: LabelledPhoto
    before_mm: Float64s
    after_mm: Float64s
    sure: Float64s
    times_decoding: float


def main(argv: Sequence[str] | None = None) -> None:
    """Snap, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tries", type=int, default=1, help="for each photo")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--choose", action="store_true")
    options = parser.parse_args(argv)
    photos = uncropped()
    print(f"{'':28s} corners  before: median   p90   sure  after: median   p90    max  wrong")
    tries = [t for p in photos for t in snapped(p, options.tries, options.seed)]
    for shoot in sorted({photo.shoot for photo in photos}):
        print(row(shoot, [t for t in tries if t.photo.shoot == shoot]))
    print(row("all", tries))
    ratio = np.median([one.times_decoding for one in tries])
    print(f"{ratio:.1f} times decoding the picture")
    if options.choose:
        choose(photos, options.tries, options.seed)


def uncropped() -> list[LabelledPhoto]:
    """Return the photos that show a board's edge, one file of each exposure."""
    photos = [
        photo
        for photo in labelled_photos(PHOTOS)
        if photo.size_class != "12mp"
        and photo.corners_px.min() > 2
        and np.all(photo.corners_px.max(axis=0) < np.array(photo.truth["size_px"]) - 2)
    ]
    finest: dict[str, LabelledPhoto] = {}
    for photo in sorted(photos, key=lambda p: int(max(p.truth["size_px"]))):
        finest[photo.exposure] = photo
    return list(finest.values())


def snapped(
    photo: LabelledPhoto, tries: int, seed: int, settings: SnappingSettings | None = None
) -> Iterable[Try]:
    """Yield what snapping makes of roughly given corners of a photo."""
    picture = load_photo(photo.path)
    board = load_board(photo.board)
    px_per_mm = np.sqrt(area_px2(photo.corners_px) / np.prod(board.size_mm))
    coded = np.frombuffer(to_jpeg(picture), np.uint8)
    started = time.process_time()
    cv2.imdecode(coded, cv2.IMREAD_COLOR)
    decoding = time.process_time() - started
    rng = np.random.default_rng([seed, *photo.path.stem.encode()])
    for _ in range(tries):
        way, far = rng.uniform(0, 2 * np.pi, 4), MOST_OFF * np.sqrt(rng.uniform(0, 1, 4))
        off = np.column_stack([np.cos(way), np.sin(way)]) * far[:, None] * max(picture.shape)
        rough = photo.corners_px + off
        started = time.process_time()
        result = snap_corners(picture, rough, settings)
        seconds = time.process_time() - started
        before, after = (
            np.hypot(*(corners - photo.corners_px).T) / px_per_mm
            for corners in (rough, result.corners_px)
        )
        yield Try(photo, before, after, np.array(result.sure), seconds / max(decoding, 1e-6))


def choose(photos: Sequence[LabelledPhoto], tries: int, seed: int) -> None:
    """Choose settings without each light in turn, and judge them on it."""
    grid = [
        SnappingSettings(enough=enough, far_cost=far, most_rival=rival)
        for enough, far, rival in product((20.0, 30.0, 45.0), (0.0, 0.1), (0.8, 0.9))
    ]
    found = {
        settings: [t for p in photos for t in snapped(p, tries, seed, settings)]
        for settings in grid
    }
    held_out: list[Try] = []
    for light in sorted({photo.light for photo in photos}):
        shoot = light.partition(":")[0]
        few = sum(photo.shoot == shoot for photo in photos) < 5
        out = {p.path for p in photos if (p.shoot == shoot if few else p.light == light)}
        best = min(grid, key=lambda g: cost([t for t in found[g] if t.photo.path not in out]))
        mine = [t for t in found[best] if t.photo.light == light]
        held_out += mine
        print(f"{light[:44]:44s} {best.enough:.0f} {best.far_cost} {best.most_rival}")
    print(row("chosen without it", held_out))


def cost(tries: Sequence[Try]) -> float:
    """Return what settings cost: wrong corners most, then how far off the others are."""
    after = np.concatenate([one.after_mm for one in tries])
    sure = np.concatenate([one.sure for one in tries]).astype(bool)
    wrong = np.count_nonzero(sure & (after > WRONG_MM))
    return float(np.where(sure, after, UNSURE_COST_MM).sum() + 50 * wrong)


def row(name: str, tries: Sequence[Try]) -> str:
    """Return one line of the table."""
    before = np.concatenate([one.before_mm for one in tries])
    after = np.concatenate([one.after_mm for one in tries])
    sure = np.concatenate([one.sure for one in tries]).astype(bool)
    middle, most = np.percentile(before, [50, 90])
    line = f"{name:28s} {len(before):7d} {middle:15.1f} {most:5.1f} {sure.mean():6.2f}"
    if not sure.any():
        return line
    snapped_to = np.percentile(after[sure], [50, 90, 100])
    wrong = np.count_nonzero(after[sure] > WRONG_MM)
    return line + " {:14.1f} {:5.1f} {:6.1f}".format(*snapped_to) + f" {wrong:6d}"


if __name__ == "__main__":
    main()
