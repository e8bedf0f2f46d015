"""Say how far printed spaces are from where a found pose has them, on real photos.

    python benchmarks/misfit.py [--board usa] [--spaces 40] [--only '*_1920']

In each photo up to 40 free spaces are chosen by lot and left out of finding: no feature and no
patch near them has a say. Each is then looked for with the empty board's print of that space, to a
fraction of a pixel. This is done for every empty board of the same copy as reference (of the same
evening and of another one), and for the fingerprint that comes with the program. Other copies are
told apart: their print lies up to 6 mm elsewhere, so that what is measured there is the print's
difference as well as the pose's.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

import cv2
import msgspec
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.alignment import AlignmentSettings, Circle, squares_clear_of
from railspotter.calibration.finding.finder import FindingSettings, find_board
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board, Space, load_board
from railspotter.table.photo_file import READ_PX, load_photo

from find_boards import print_at
from photos.labelled import PHOTOS, REFERENCES, LabelledPhoto, load_set, reference_profile

# A second empty board, of shoot-2: the first is of shoot-1.
SAME_EVENING = {"usa": "IMG_4169_1920", "europe": ""}
# References that are another photo, seen from above: it is not held against itself.
RECTIFIED = {"blank_rectified_1500x990": "IMG_4048_blank"}
COPIES = {"shoot-5": "another copy"}  # what is not of the references' own copy
# Print around a space that is looked for with it: the outline, and not the next lane.
MARGIN_MM = 1.5
REACH_MM = 6.0
PX_PER_MM = 3.0
LEAST_CORRELATION = 0.6  # below, glare or a leaning train hides the space: nothing is measured
CLEAR_MM = 0.5  # between a space that is measured and the nearest train's
FEATURE_MM = 7.0  # radius of what a feature sees

Reference = tuple[LabelledPhoto, Profile]
# How a reference is related to a photo, and how far off its spaces are; None where it is not found.
Misfit = tuple[str, Float64s | None]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=tuple(REFERENCES))
    parser.add_argument("--spaces", type=int, default=40, help="left out in each photo")
    parser.add_argument("--only", default="*", help="photos whose name is like this")
    options = parser.parse_args(argv)
    board = load_board(options.board)
    photos = load_set(PHOTOS, options.board)
    named = {photo.path.stem: photo for photo in photos}
    stems = Path(REFERENCES[board.id]).stem, SAME_EVENING[board.id]
    references = [
        (named[stem], reference_profile(named[stem].path, board, named[stem].corners_px))
        for stem in stems
        if stem in named
    ]
    groups: dict[str, list[Float64s | None]] = defaultdict(list)
    for photo in photos:
        if fnmatch(photo.path.stem, options.only):
            for relation, off_mm in misfits(photo, board, references, options.spaces):
                groups[relation].append(off_mm)
                if "copy" not in relation:
                    groups["own copy, all"].append(off_mm)
                    groups[f"own copy, {photo.shoot}"].append(off_mm)
    print(f"{'':34s} photos  found  seen  median    p90    p95    max")
    for name in sorted(groups):
        print(row(name, groups[name]))
    return 0


def row(name: str, group: Sequence[Float64s | None]) -> str:
    """Return a line of the table."""
    found = [off_mm for off_mm in group if off_mm is not None]
    off = np.concatenate([*found, np.zeros(0)])
    quantiles = np.percentile(off, [50, 90, 95, 100]) if len(off) else [np.nan] * 4
    figures = " ".join(f"{mm:6.2f}" for mm in quantiles)
    return f"{name:34s} {len(group):6d} {len(found):6d} {len(off):5d}  {figures}"


def misfits(
    photo: LabelledPhoto, board: Board, references: Sequence[Reference], count: int
) -> Iterator[Misfit]:
    """Find one photo's board with every reference and with the fingerprint, and measure."""
    picture = load_photo(photo.path)
    shrunk = min(1.0, READ_PX / max(picture.shape[:2]))
    if shrunk < 1:  # as the program does
        picture = np.asarray(
            cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA), np.uint8
        )
    free = free_spaces(photo, board)
    # Photos of another copy are held against each other: by the same spaces.
    lot = photo.shoot if photo.shoot in COPIES else photo.exposure
    lots = np.random.default_rng(zlib.crc32(lot.encode()))
    places = [free[i] for i in lots.permutation(len(free))[:count]]
    others = [(ref, profile) for ref, profile in references if _source(ref) != _source(photo)]
    # A reference, the profile that finds by it, and the one whose print is then looked for.
    finders = [(_relation(photo, ref), profile, profile) for ref, profile in others]
    stand_in = stand_in_profile(board)
    if stand_in is not None and others:
        finders.append((_relation(photo, None), stand_in, others[0][1]))
    for relation, finder, print_of in finders:
        pose = find_without(picture, finder, [space for _, _, space in places])
        if pose is None:
            yield relation, None
            continue
        off_mm = []
        for route, _, space in places:
            x, y = np.add(space.xy_mm, print_of.print_offsets_mm.get(route, (0.0, 0.0))).tolist()
            printed = msgspec.structs.replace(space, xy_mm=(x, y))
            off = space_misfit(picture, pose, print_of, printed)
            if off is not None:
                off_mm.append(np.hypot(*off))
        yield relation, np.array(off_mm)


def _source(photo: LabelledPhoto) -> str:
    return RECTIFIED.get(photo.path.stem, photo.exposure)


def _relation(photo: LabelledPhoto, reference: LabelledPhoto | None) -> str:
    what = "the fingerprint" if reference is None else "an empty board"
    if photo.shoot in COPIES:
        return f"{what}, {COPIES[photo.shoot]}"
    if reference is None:
        return what
    return f"{what}, {'same' if reference.shoot == photo.shoot else 'another'} evening"


def free_spaces(photo: LabelledPhoto, board: Board) -> list[tuple[str, int, Space]]:
    """Return the spaces that no train of the photo's truth stands on or right beside."""
    truth = photo.truth["spaces"]
    width, height = (round(side) for side in board.size_mm)
    taken = np.zeros((height, width), np.uint8)
    strays = {(stray["route"], stray["space"]) for stray in photo.truth.get("stray_trains") or ()}
    labelled = []
    for route in board.routes:
        stands = truth.get(route.id) or ["?"] * len(route.spaces)
        for index, (space, train) in enumerate(zip(route.spaces, stands, strict=True)):
            if train is None and (route.id, index) not in strays:
                labelled.append((route.id, index, space))
            else:
                cv2.fillConvexPoly(taken, np.rint(outline_of(space, 0.0)).astype(int), 255)
    away = cv2.distanceTransform(255 - taken, cv2.DIST_L2, 5)
    return [one for one in labelled if _is_clear(away, one[2])]


def _is_clear(away: np.ndarray, space: Space) -> bool:
    """Tell whether a space's middle line and sides are far enough from every train's."""
    u, v = np.meshgrid(np.linspace(-0.5, 0.5, 9), (-0.5, 0.0, 0.5))
    at = np.rint(_turned(space, u * space.size_mm[0], v * space.size_mm[1])).astype(int)
    height, width = away.shape
    column, row = np.clip(at.reshape(-1, 2), 0, (width - 1, height - 1)).T
    return bool(away[row, column].min() > CLEAR_MM)


def outline_of(space: Space, margin_mm: float) -> Float64s:
    """Return the corners of a printed space and what is beside it, (4, 2) mm."""
    half_length, half_width = (side / 2 + margin_mm for side in space.size_mm)
    u, v = np.array([[-1, 1, 1, -1], [-1, -1, 1, 1]])
    return _turned(space, u * half_length, v * half_width)


def _turned(space: Space, along: Float64s, across: Float64s) -> Float64s:
    """Return points of the board, (..., 2), from points along and across a space."""
    cos, sin = np.cos(np.deg2rad(space.angle_deg)), np.sin(np.deg2rad(space.angle_deg))
    off = np.stack([along * cos - across * sin, along * sin + across * cos], axis=-1)
    return np.asarray(np.array(space.xy_mm) + off)


def find_without(picture: Picture, profile: Profile, spaces: Sequence[Space]) -> Pose | None:
    """Find the board by all but the print of some spaces and what is around it."""
    circles: list[Circle] = []
    for space in spaces:
        radius = float(np.hypot(*space.size_mm)) / 2 + MARGIN_MM
        circles.append((*space.xy_mm, radius))
    kept = squares_clear_of(profile.features.points, FEATURE_MM, circles)
    without = replace(profile, features=profile.features.where(kept))
    settings = FindingSettings(alignment=AlignmentSettings(left_out=tuple(circles)))
    pose = find_board(picture, without, settings)
    return None if isinstance(pose, NotFound) else pose


def space_misfit(
    picture: Picture, pose: Pose, profile: Profile, space: Space
) -> tuple[float, float] | None:
    """Return how far from its place a print is seen, in mm; None where it is hidden."""
    wanted_mm = _grid_over(space, 0.0)
    scale = profile.px_per_mm
    wanted = _grey_at(profile.reference, wanted_mm * scale - 0.5)
    around_mm = _grid_over(space, REACH_MM)
    shown = _grey_at(picture, print_at(pose, around_mm.reshape(-1, 2)).reshape(around_mm.shape))
    scores = np.asarray(cv2.matchTemplate(shown, wanted, cv2.TM_CCOEFF_NORMED), np.float64)
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    rows, columns = scores.shape
    if best < LEAST_CORRELATION or not (0 < column < columns - 1 and 0 < row < rows - 1):
        return None
    along = column + _top(scores[row, column - 1 : column + 2]) - (columns - 1) / 2
    across = row + _top(scores[row - 1 : row + 2, column]) - (rows - 1) / 2
    middle = np.zeros(1)
    off = _turned(space, middle + along / PX_PER_MM, middle + across / PX_PER_MM)[0] - space.xy_mm
    return float(off[0]), float(off[1])


def _grid_over(space: Space, reach_mm: float) -> Float64s:
    """Return points over a space and its surroundings, along its own axes, (R, C, 2) mm."""
    reach = round(reach_mm * PX_PER_MM)
    steps = [
        np.arange(-half, half + 1) / PX_PER_MM
        for half in (round((side / 2 + MARGIN_MM) * PX_PER_MM) + reach for side in space.size_mm)
    ]
    along, across = np.meshgrid(*steps)
    return _turned(space, along, across)


def _grey_at(picture: Picture, at_px: Float64s) -> np.ndarray:
    at = at_px.astype(np.float32)
    seen = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_CUBIC, None, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)


def _top(three: Float64s) -> float:
    """Return where between three scores the parabola through them has its top, -0.5 to 0.5."""
    left, middle, right = three
    curvature = left - 2 * middle + right
    return float(0.5 * (left - right) / curvature) if curvature < -1e-9 else 0.0


if __name__ == "__main__":
    sys.exit(main())
