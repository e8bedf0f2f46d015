"""Where reading begins to fail: labelled photos made coarser, softer, darker, and read again.

    python benchmarks/camera_limits.py [--photos DIR] [--board usa] [--every 1]
                                       [--trouble coarse blurred dark bright] [--tilted]
                                       [--json FILE]

Each photo is spoiled in steps, found, measured as `railspotter doctor` measures what a camera sees,
and read. The limits of calibration/profiles/quality.py are chosen on shoot-2; shoots 1, 4 and 5,
which took no part, are told beside it. Cameras look at the labelled boards from nearly straight
above, so tilts are those of a drawn board, which proves little of real ones. Glare cannot be put on
a photo: the routes of all photos are counted by how much of it lies on their part of the board.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.geometry import area_px2
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.picture_quality import PictureQuality, measure_picture
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.placing import stand_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.simulation.virtual_players.play import play_game
from railspotter.table.photo_file import READ_PX, load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.webui.words.translation import json_bytes

from photos.judgement import Answers, judge
from photos.labelled import PHOTOS, REFERENCES, LabelledPhoto, labelled_photos, reference_profile

CHOSEN_ON = frozenset({"shoot-2"})
COARSE_PX_PER_MM = (1.2, 0.8, 0.6, 0.5, 0.4, 0.3)
BLUR_MM = (0.6, 1.0, 1.5, 2.0, 2.5)
DARK = (1 / 4, 1 / 8, 1 / 16, 1 / 32)  # shares of the light that is left
# Times the light that the camera took for right; what is beyond white is lost.
BRIGHT = (1.5, 2.0, 3.0, 4.0)
# What a small sensor's pixel holds at white; the fewer there are, the more they scatter.
ELECTRONS = 3000.0
READ_NOISE = 4.0
TILTS_DEG = (0.0, 15.0, 30.0, 40.0, 50.0, 60.0)
# Shares of a piece of the board from which on glare is counted apart.
GLARE = (0.0, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True)
class Sight:
    """One spoiled photo, as it was found, measured and read."""

    photo: str
    shoot: str
    trouble: str  # what was spoiled
    step: float  # how much, in the trouble's own unit
    quality: PictureQuality | None  # None where the board was not found
    routes: int = 0
    wrong: int = 0
    certain: int = 0
    doubts: int = 0


@dataclass
class GlareCount:
    """Routes that lie in as much glare."""

    routes: int = 0
    wrong: int = 0
    certain: int = 0
    doubted: int = 0


def main(argv: Sequence[str] | None = None) -> int:
    """Spoil and read the photos, print the tables, write the JSON if asked to."""
    options = _options(argv)
    sights = _kept(options.json)
    known = {(sight.photo, sight.trouble, sight.step) for sight in sights}
    glare: dict[float, GlareCount] = defaultdict(GlareCount)
    for photo, scorer in _chosen(options.photos, options.board, options.every):
        for trouble, step, picture in _spoiled(photo, load_photo(photo.path), options.trouble):
            if (photo.path.name, trouble, step) in known:
                continue
            sight = _looked_at(photo, scorer, trouble, step, picture, glare)
            sights.append(sight)
        _keep(sights, options.json)
    if options.tilted:
        sights += _tilted()
        _keep(sights, options.json)
    print(*_table(sights), sep="\n")
    print(*_glare_table(glare), sep="\n")
    return 0


def _kept(file: Path | None) -> list[Sight]:
    """Return what an earlier run wrote: a long one goes on where it stopped."""
    if file is None or not file.exists():
        return []
    return msgspec.json.decode(file.read_bytes(), type=list[Sight])


def _keep(sights: Sequence[Sight], file: Path | None) -> None:
    """Write what there is so far."""
    if file is not None:
        rows = [asdict(sight) for sight in sights]
        file.write_bytes(msgspec.json.format(json_bytes(rows)) + b"\n")


def coarser(picture: Picture, now: float, wanted: float) -> Picture:
    """Return a picture of `wanted` pixels per millimetre, of one of `now`."""
    by = wanted / now
    smaller = cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8)


def darker(picture: Picture, share: float, seed: int) -> Picture:
    """Return a picture taken with this much of the light, with the noise that comes of it."""
    rng = np.random.default_rng(seed)
    linear = (picture.astype(np.float32) / 255) ** 2.2 * share
    electrons = rng.poisson(linear * ELECTRONS) + rng.normal(0, READ_NOISE, linear.shape)
    back = np.clip(electrons / ELECTRONS, 0, 1) ** (1 / 2.2)
    return np.asarray(np.rint(back * 255), np.uint8)


def _spoiled(
    photo: LabelledPhoto, picture: Picture, troubles: Sequence[str]
) -> Iterator[tuple[str, float, Picture]]:
    board = load_board(photo.board)
    width, height = board.size_mm
    now = float(np.sqrt(area_px2(photo.corners_px) / (width * height)))
    shrunk = min(1.0, READ_PX / max(picture.shape[:2]))
    if shrunk < 1:
        picture, now = coarser(picture, 1.0, shrunk), now * shrunk
    yield "as it is", now, picture
    if "coarse" in troubles:
        for wanted in COARSE_PX_PER_MM:
            if wanted < 0.95 * now:
                yield "coarse", wanted, coarser(picture, now, wanted)
    if "blurred" in troubles:
        for blur in BLUR_MM:
            soft = cv2.GaussianBlur(picture, (0, 0), blur * now)
            yield "blurred", blur, np.asarray(soft, np.uint8)
    if "dark" in troubles:
        for share in DARK:
            yield "dark", share, darker(picture, share, seed=1)
    if "bright" in troubles:
        for times in BRIGHT:
            yield "bright", times, darker(picture, times, seed=1)


def _looked_at(
    photo: LabelledPhoto,
    scorer: PhotoScorer,
    trouble: str,
    step: float,
    picture: Picture,
    glare: dict[float, GlareCount],
) -> Sight:
    found = scorer.find(picture)
    if isinstance(found, NotFound):
        return Sight(photo.path.name, photo.shoot, trouble, step, None)
    quality = measure_picture(picture, found.pose)
    reading = scorer.read([found]).reading
    doubted = {doubt.spot.id for doubt in reading.doubts if doubt.spot.kind == "route"}
    answers = judge(photo, scorer.plan.board.route_by_id, reading.claims, doubted)
    if trouble == "as it is":
        _count_glare(glare, quality, answers, scorer.plan.board, doubted)
    certain = sum(not wrong.doubted for wrong in answers.wrong)
    counts = answers.routes, len(answers.wrong), certain, len(doubted)
    return Sight(photo.path.name, photo.shoot, trouble, step, quality, *counts)


def _count_glare(
    glare: dict[float, GlareCount],
    quality: PictureQuality,
    answers: Answers,
    board: Board,
    doubted: set[str],
) -> None:
    grid = np.array(quality.glare, np.float64)
    rows, columns = grid.shape
    wrong = {route.route: route for route in answers.wrong}
    for route in board.routes:
        at = np.array([space.xy_mm for space in route.spaces]) / board.size_mm * (columns, rows)
        column, row = np.clip(at.astype(int), 0, (columns - 1, rows - 1)).T
        most = grid[row, column].max()
        count = glare[max(edge for edge in GLARE if most >= edge)]
        count.routes += 1
        count.doubted += route.id in doubted
        count.wrong += route.id in wrong
        count.certain += route.id in wrong and not wrong[route.id].doubted


def _tilted() -> Iterator[Sight]:
    """Yield what comes of drawn boards seen from more and more aside."""
    board, edition = load_board("usa"), load_edition("usa")
    sensor = Sensor(seed=1)
    blank = VirtualCamera(board, view=CameraSetup((1600, 1200), tilt_deg=3), sensor=sensor).take(
        Scene()
    )
    profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
    scorer = PhotoScorer(ReadingPlan(board, edition, profile))
    for seed in range(3):
        game = play_game(edition, board, 5, seed)
        claims = dict(game.position_after(len(game.turns)).claims)
        for tilt in TILTS_DEG:
            view = CameraSetup(
                (1920, 1440), tilt_deg=tilt, heading_deg=35.0 * seed, distance_mm=1100
            )
            scene = Scene(stand_trains(board, claims, seed))
            frame = VirtualCamera(board, view=view, sensor=sensor).take(scene)
            found = scorer.find(frame.picture)
            if isinstance(found, NotFound):
                yield Sight(f"drawn {seed}", "drawn", "tilted", tilt, None)
                continue
            reading = scorer.read([found]).reading
            doubted = {doubt.spot.id for doubt in reading.doubts}
            wrong = {r.id for r in board.routes if reading.claims.get(r.id) != claims.get(r.id)}
            counts = len(board.routes), len(wrong), len(wrong - doubted), len(doubted)
            quality = measure_picture(frame.picture, found.pose)
            yield Sight(f"drawn {seed}", "drawn", "tilted", tilt, quality, *counts)


def _chosen(
    folder: Path, boards: Sequence[str], every: int
) -> Iterator[tuple[LabelledPhoto, PhotoScorer]]:
    """Yield one photo of each exposure, the one next to 1920 pixels, with who reads its board."""
    apart = set(REFERENCES.values())
    exposures: dict[tuple[str, str], list[LabelledPhoto]] = defaultdict(list)
    for photo in labelled_photos(folder):
        if photo.path.name not in apart and photo.board in boards:
            exposures[photo.board, photo.exposure].append(photo)
    scorers = {name: _scorer(folder, name) for name in {board for board, _ in exposures}}
    in_shoot: dict[str, int] = defaultdict(int)
    for (name, _), sizes in sorted(exposures.items()):
        photo = min(sizes, key=lambda size: abs(max(size.truth["size_px"]) - 1920))
        in_shoot[photo.shoot] += 1
        is_many = photo.shoot in CHOSEN_ON
        if not is_many or in_shoot[photo.shoot] % every == 0:
            yield photo, scorers[name]


def _scorer(folder: Path, name: str) -> PhotoScorer:
    board = load_board(name)
    reference = next(p for p in labelled_photos(folder) if p.path.name == REFERENCES[name])
    profile = reference_profile(reference.path, board, reference.corners_px)
    return PhotoScorer(ReadingPlan(board, load_edition(name), profile))


MEASURED: dict[str, Callable[[PictureQuality], float]] = {
    "as it is": lambda quality: quality.px_per_mm,
    "coarse": lambda quality: min(quality.corners_px_per_mm),
    "blurred": lambda quality: quality.worst_blur_mm or np.nan,
    "dark": lambda quality: quality.lightness,
    "bright": lambda quality: quality.lightness,
    "tilted": lambda quality: quality.tilt_deg,
}


def _table(sights: Sequence[Sight]) -> Iterator[str]:
    columns = "trouble | step | shoots | photos | found | measured | right | wrong, certain"
    yield f"| {columns} | doubts |"
    yield "|---|---|---|---|---|---|---|---|---|"
    groups: dict[tuple[str, float, str], list[Sight]] = defaultdict(list)
    for sight in sights:
        step = 0.0 if sight.trouble == "as it is" else sight.step
        part = "chosen on" if sight.shoot in CHOSEN_ON else "held out"
        groups[sight.trouble, step, "drawn" if sight.shoot == "drawn" else part].append(sight)
    for (trouble, step, part), group in groups.items():
        found = [sight for sight in group if sight.quality is not None]
        if not found:
            yield f"| {trouble} | {step:.3g} | {part} | {len(group)} | 0 | | | | |"
            continue
        measured = [MEASURED[trouble](s.quality) for s in found if s.quality is not None]
        routes = sum(sight.routes for sight in found)
        right = 1 - sum(sight.wrong for sight in found) / routes
        certain = sum(sight.certain for sight in found) / len(found)
        doubts = sum(sight.doubts for sight in found) / len(found)
        yield (
            f"| {trouble} | {step:.3g} | {part} | {len(group)} | {len(found)} |"
            f" {np.median(measured):.2f} | {right:.4f} | {certain:.2f} | {doubts:.1f} |"
        )


def _glare_table(glare: dict[float, GlareCount]) -> Iterator[str]:
    yield ""
    yield "| glare from | routes | wrong | wrong, certain | doubted |"
    yield "|---|---|---|---|---|"
    for edge, count in sorted(glare.items()):
        shares = (part / count.routes for part in (count.wrong, count.certain, count.doubted))
        yield f"| {edge:.2f} | {count.routes} | " + " | ".join(f"{s:.4f}" for s in shares) + " |"


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="a folder of labelled photos")
    parser.add_argument("--board", nargs="+", default=list(REFERENCES), choices=list(REFERENCES))
    parser.add_argument("--every", type=int, default=1, help="of shoot-2, one photo in so many")
    troubles = ("coarse", "blurred", "dark", "bright")
    parser.add_argument("--trouble", nargs="*", default=list(troubles), choices=troubles)
    parser.add_argument("--tilted", action="store_true", help="also read tilted drawn boards")
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="write every sight there, and go on from there"
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
