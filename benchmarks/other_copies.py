"""Find boards with a profile of another copy of them, in small, blurred and tilted photos too.

    python benchmarks/other_copies.py [--profiles own simulated ...] [--photos NAME ...]
        [--variants "as it is" ...] [--read] [--processes 1] [--json]

A profile is made of a photo of one copy and used on photos of another: two printings that the
labelled photos show, and a simulated third, whose print lies up to 6 mm elsewhere over whole
regions and has other inks. A board is found wrongly where a corner is 12 mm off, half a space's
length; the labels of the other copy are good to some millimetres. `--read` also reads what is
found, and counts routes that are wrong without a doubt.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.geometry import project
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import FEATURES, spread_features
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.webui.words.translation import json_bytes

from photos.judgement import judge, worst_corner_mm
from photos.labelled import PHOTOS, REFERENCE, LabelledPhoto, load_label, reference_profile

BOARD = load_board("usa")
WRONG_MM = 12.0
OWN = ("IMG_4066_1008", "IMG_4141_1920", "IMG_4155_1920")
OTHER = ("other_copy_1_1920", "other_copy_2_1920")
# What each is made of; the other copy's only photos have trains on them.
PROFILES = {
    "own": REFERENCE,
    "own, 4048": "IMG_4048_blank_1008.jpg",
    "own, 4169": "IMG_4169_1920.jpg",
    "own, 4181": "IMG_4181_1920.jpg",
    "other copy": "other_copy_1_1920.jpg",
    "simulated": REFERENCE,
    "fingerprint": "",
}
# Pixels are the board's width in the picture.
VARIANTS = (
    *("as it is", "700 px", "600 px", "500 px", "400 px", "300 px"),
    *("blurred", "jpeg 40", "tilted", "tilted, 600 px"),
)
MOST_MOVED_MM = 6.0  # how far the simulated copy's print lies from where the reference has it
REGION_MM = 130.0  # how large the regions are that lie elsewhere as a whole
TILT_DEG = 40.0
BLUR_PX = 3.0  # radius, in a picture 1920 pixels wide


@dataclass(frozen=True)
class Tried:
    """What finding made of one photo by one profile."""

    profile: str
    photo: str
    variant: str
    by: str  # the profile that found it, or the fingerprint; empty where nothing did
    reason: str
    corner_mm: float | None = None  # how far the worst corner is off
    # wrong, unasked, doubts: Routes read wrongly, those of them without a doubt, and all doubts;
    # None where not read.
    wrong: int | None = None
    unasked: int | None = None
    doubts: int | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether the board was found elsewhere than it is."""
        return self.corner_mm is not None and self.corner_mm > WRONG_MM


def main(argv: Sequence[str] | None = None) -> int:
    """Find the boards and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profiles", nargs="+", default=[*PROFILES], choices=[*PROFILES])
    parser.add_argument("--photos", nargs="+", default=[*OWN, *OTHER])
    parser.add_argument("--variants", nargs="+", default=[*VARIANTS], choices=VARIANTS)
    parser.add_argument("--read", action="store_true", help="read what is found, too")
    parser.add_argument("--processes", type=int, default=1, help="at once")
    parser.add_argument("--json", action="store_true", help="print JSON and no table")
    options = parser.parse_args(argv)
    jobs = [
        (profile, photo, variant, options.read)
        for profile in options.profiles
        for photo in options.photos
        for variant in options.variants
    ]
    with ProcessPoolExecutor(
        options.processes, initializer=cv2.setNumThreads, initargs=(1,)
    ) as pool:
        tried = list(pool.map(try_one, *zip(*jobs, strict=True), chunksize=len(options.variants)))
    if options.json:
        print(json_bytes([asdict(one) for one in tried]).decode())
    else:
        print("\n".join(as_text(tried)))
    return 0


def try_one(profile: str, photo: str, variant: str, is_read: bool) -> Tried:
    """Look for the board in a photo by one profile."""
    scorer = scorer_of(profile)
    labelled = load_label(PHOTOS / "usa" / f"{photo}.json")
    assert labelled is not None, photo
    picture, corners_px = varied(load_photo(labelled.path), labelled.corners_px, variant)
    found = scorer.find(picture)
    if isinstance(found, NotFound):
        return Tried(profile, photo, variant, "", found.reason)
    by = "fingerprint" if found.view.printed.is_drawn else "profile"
    corner_mm = worst_corner_mm(found.corners_px, corners_px, BOARD.size_mm)
    tried = Tried(profile, photo, variant, by, "", corner_mm)
    return _with_reading(tried, scorer, found, labelled) if is_read else tried


def _with_reading(
    tried: Tried, scorer: PhotoScorer, found: FoundBoard, photo: LabelledPhoto
) -> Tried:
    reading = scorer.read([found]).reading
    asked = {doubt.spot.id for doubt in reading.doubts}
    answers = judge(photo, BOARD.route_by_id, reading.claims, asked)
    return replace(
        tried,
        wrong=len(answers.wrong),
        unasked=answers.wrong_and_certain,
        doubts=len(reading.doubts),
    )


@cache
def scorer_of(profile: str) -> PhotoScorer:
    """Return what reads by one of `PROFILES`."""
    return PhotoScorer(ReadingPlan(BOARD, load_edition("usa"), profile_of(profile)))


@cache
def profile_of(name: str) -> Profile:
    """Return one of `PROFILES`."""
    if name == "fingerprint":
        stand_in = stand_in_profile(BOARD)
        assert stand_in is not None, "this board has a fingerprint"
        return stand_in
    path = PHOTOS / "usa" / PROFILES[name]
    labelled = load_label(path.with_suffix(".json"))
    assert labelled is not None, path
    profile = reference_profile(path, BOARD, labelled.corners_px)
    return other_printing(profile) if name == "simulated" else profile


def other_printing(profile: Profile, seed: int = 1, most_mm: float = MOST_MOVED_MM) -> Profile:
    """Return a profile of a copy that was printed otherwise: regions moved, other inks."""
    height, width = profile.reference.shape[:2]
    rng = np.random.default_rng(seed)
    sigma = REGION_MM / 2 * profile.px_per_mm
    shrink = 8
    moved = np.stack(
        [
            cv2.GaussianBlur(
                rng.standard_normal((height // shrink, width // shrink)), (0, 0), sigma / shrink
            )
            for _ in range(2)
        ],
        axis=-1,
    )
    moved *= most_mm * profile.px_per_mm / np.hypot(*np.moveaxis(moved, -1, 0)).max()
    moved = cv2.resize(moved, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    there = cv2.remap(
        profile.reference,
        x + moved[..., 0],
        y + moved[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lab = cv2.cvtColor(there, cv2.COLOR_BGR2LAB).astype(np.float32) - 128
    turn = np.deg2rad(rng.uniform(8, 14))
    lab[..., 0] = 128 * np.sign(lab[..., 0]) * np.abs(lab[..., 0] / 128) ** 0.85
    turned = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))], np.float32)
    lab[..., 1:] = 1.2 * lab[..., 1:] @ turned
    inked = cv2.cvtColor(np.clip(lab + 128, 0, 255).astype(np.uint8), cv2.COLOR_LAB2BGR)
    reference = np.asarray(inked, np.uint8)
    return replace(profile, reference=reference, features=spread_features(reference, FEATURES))


def varied(picture: Picture, corners_px: Float64s, variant: str) -> tuple[Picture, Float64s]:
    """Return a photo as another camera, or one from another side, has it, and its corners."""
    tilt, _, size = variant.partition(", ")
    if tilt == "tilted":
        picture, corners_px = _tilted(picture, corners_px)
    if "px" in variant:
        wanted = float((size or variant).split()[0])
        across = np.hypot(*(corners_px[[1, 2]] - corners_px[[0, 3]]).T).mean()
        shrunk = wanted / across
        small = cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8), (corners_px + 0.5) * shrunk - 0.5
    if variant == "blurred":
        sigma = BLUR_PX * max(picture.shape) / 1920
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8), corners_px
    if variant == "jpeg 40":
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 40])
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8), corners_px
    return picture, corners_px


def _tilted(picture: Picture, corners_px: Float64s) -> tuple[Picture, Float64s]:
    """Return the picture as a camera sees it that looks at it from below, aslant."""
    height, width = picture.shape[:2]
    far = 1.4 * width
    cos, sin = np.cos(np.deg2rad(TILT_DEG)), np.sin(np.deg2rad(TILT_DEG))
    to_middle = np.array([(1, 0, -width / 2), (0, 1, -height / 2), (0, 0, 1)])
    aslant = np.array([(far, 0, 0), (0, far * cos, 0), (0, -sin, far)])
    warp = aslant @ to_middle
    outline = project(warp, [(0, 0), (width, 0), (width, height), (0, height)])
    low, high = outline.min(axis=0), outline.max(axis=0)
    warp = np.array([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1)]) @ warp
    size = tuple(int(side) for side in np.ceil(high - low))
    seen = cv2.warpPerspective(picture, warp, size, borderValue=(60, 70, 80))
    return np.asarray(seen, np.uint8), project(warp, corners_px)


def as_text(tried: Sequence[Tried]) -> list[str]:
    """Return the table, then what was not found and why."""
    heading = f"{'profile':12s} {'photos of':10s} {'variant':16s}"
    lines = [f"{heading} found  by profile  wrong  worst mm"]
    for profile in dict.fromkeys(one.profile for one in tried):
        for copy, is_other in (("own copy", False), ("other copy", True)):
            for variant in dict.fromkeys(one.variant for one in tried):
                group = [
                    one
                    for one in tried
                    if (one.profile, one.variant) == (profile, variant)
                    and one.photo.startswith("other") == is_other
                ]
                if group:
                    lines.append(f"{profile:12s} {copy:10s} {variant:16s} {_counted(group)}")
    lines += [
        f"{one.profile}, {one.photo}, {one.variant}: {one.reason}" for one in tried if not one.by
    ]
    return lines


def _counted(group: Sequence[Tried]) -> str:
    found = [one for one in group if one.by]
    by_profile = sum(one.by == "profile" for one in found)
    worst = max((one.corner_mm or 0.0 for one in found), default=np.nan)
    wrong = sum(one.is_wrong for one in group)
    line = f"{len(found):2d}/{len(group):<2d} {by_profile:11d} {wrong:6d} {worst:9.1f}"
    if found and found[0].wrong is not None:
        totals = ", ".join(
            f"{sum(getattr(one, name) or 0 for one in found)} {name}"
            for name in ("wrong", "unasked", "doubts")
        )
        line += f"  {totals}"
    return line


if __name__ == "__main__":
    sys.exit(main())
