"""New York's real taxis, one of each colour: their plastic, and solids with their pixels.

    python benchmarks/traced/real_taxis.py

prints each plastic's CIE Lab as `vision/colours/plastics.json` is to have it. A scanner saw each
taxi from above and from the side, on white paper, which is taken to be as white as the print's.
"""

import argparse
import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.simulation.virtual_board.pieces import taxi_mould
from railspotter.simulation.virtual_board.solids import Solid
from railspotter.vision.colours.train_colours import plastic

from composed.trains import to_lab
from hardships.renderings import to_linear, to_srgb
from photos.labelled import PHOTOS

# Where the taxi lies in each scan: left, top, right, bottom, in pixels.
BOXES_ABOVE = {
    "blue": (10, 5, 298, 96),
    "white": (8, 6, 294, 93),
    "purple": (2, 6, 287, 97),
    "yellow": (13, 6, 299, 98),
}
BOXES_SIDE = {
    "blue": (12, 3, 318, 115),
    "white": (5, 3, 305, 106),
    "purple": (10, 2, 311, 107),
    "yellow": (0, 6, 299, 116),
}
PAPER_LIGHTNESS = 90.0  # of the print's white, in CIE Lab
PAPER = 68.0, 14.0  # paper in the scans is as light at least, and as colourful at most
UNSHADED_QUANTILE = 0.75  # of paper: the darker half may lie in the taxi's shade
PLASTIC_DISTANCE = 30.0  # CIE Lab units of colour within which what a scan shows is its taxi
FACET_MM = 0.8


@cache
def load_scan(name: str, view: str) -> tuple[Float32s, Float32s]:
    """Return a taxi's scan as reflectance, (H, W, 3) BGR, and its plastic's Lab.

    What lies around it in the scan is painted in that plastic's colour.
    """
    path = PHOTOS / "newyork" / f"taxi_{name}_{view}.jpg"
    picture = np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)
    lab = to_lab(picture)
    is_paper = (lab[..., 0] > PAPER[0]) & (np.hypot(lab[..., 1], lab[..., 2]) < PAPER[1])
    left, top, right, bottom = (BOXES_ABOVE if view == "above" else BOXES_SIDE)[name]
    is_paper[top:bottom, left:right] &= name != "white"
    paper = np.quantile(to_linear(picture)[is_paper], UNSHADED_QUANTILE, axis=0)
    white = ((PAPER_LIGHTNESS + 16) / 116) ** 3
    light = (to_linear(picture) * (white / paper))[top:bottom, left:right]
    lab = to_lab(to_srgb(light))
    high, wide = lab.shape[:2]
    middle = lab[high // 4 : -high // 4, wide // 8 : -wide // 8]
    own = np.asarray(np.median(middle.reshape(-1, 3), axis=0), np.float32)
    is_other = np.hypot(*np.moveaxis(lab[..., 1:] - own[1:], -1, 0)) > PLASTIC_DISTANCE
    light[is_other] = np.median(light[~is_other], axis=0)
    return light, own


@cache
def make_taxi(name: str, size_mm: tuple[float, float, float]) -> Solid:
    """Return a car of a size, with the real taxi's pixels on its facets."""
    mould = taxi_mould(size_mm)
    corners, faces, of_face = _facets(mould)
    middles, normals = corners[faces[:, :4]].mean(axis=1), mould.normals[of_face]
    at = middles / size_mm + (0.5, 0.5, 0.0)
    from_above, from_aside = (
        _sample(load_scan(name, view)[0], at[:, 0], down)
        for view, down in (("above", at[:, 1]), ("side", 1 - at[:, 2]))
    )
    is_up = np.abs(normals[:, 1]) < np.maximum(normals[:, 2], np.abs(normals[:, 0]))
    light = np.where(is_up[:, None], from_above, from_aside).astype(np.float32)
    inks = to_srgb(light).astype(np.float64)
    gloss, groups = np.zeros(len(faces)), np.zeros(len(faces), np.intp)
    # The mould's own parts cast its shadow, so their corners stay the first.
    return Solid(corners, faces, normals, inks, gloss, groups, mould.parts)


def _facets(mould: Solid) -> tuple[Float64s, Indices, Indices]:
    """Return corners, faces and the mould's face of each, those with four corners cut small."""
    corners, faces, of_face = [mould.corners], [], []
    count, width = len(mould.corners), mould.faces.shape[1]
    for number, face in enumerate(mould.faces):
        if len(set(face.tolist())) != 4:
            faces.append(face[None])
            of_face.append(number)
            continue
        a, b, c, d = mould.corners[face[:4]]
        rows, columns = (
            max(1, round(float(np.linalg.norm(side)) / FACET_MM)) for side in (d - a, b - a)
        )
        v, u = np.mgrid[: rows + 1, : columns + 1]
        v, u = v[..., None] / rows, u[..., None] / columns
        grid = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)
        at = count + np.arange((rows + 1) * (columns + 1)).reshape(rows + 1, columns + 1)
        quads = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], -1).reshape(-1, 4)
        faces.append(np.pad(quads, ((0, 0), (0, width - 4)), mode="edge"))
        of_face += [number] * len(quads)
        corners.append(grid.reshape(-1, 3))
        count += at.size
    return np.vstack(corners), np.vstack(faces), np.array(of_face, np.intp)


def _sample(light: Float32s, across: Float64s, down: Float64s) -> Float32s:
    high, wide = light.shape[:2]
    x, y = np.clip(across * wide, 0, wide - 1), np.clip(down * high, 0, high - 1)
    soft = cv2.blur(light, (5, 5))  # a facet is about as large
    return np.asarray(soft[y.astype(int), x.astype(int)], np.float32)


def main() -> None:
    """Print the scans' values beside the stored ones."""
    summary, epilog = (__doc__ or "").split("\n\n", 1)
    argparse.ArgumentParser(description=summary, epilog=epilog).parse_args()
    for train in plastic("newyork"):
        seen = [load_scan(train.name, view)[1].round().tolist() for view in ("above", "side")]
        print(f"{train.name:7} above {seen[0]}, from the side {seen[1]}; kept: {list(train.lab)}")


if __name__ == "__main__":
    main()
