"""Push and turn boards under a running camera, and say what poses are claimed meanwhile.

    python benchmarks/drift.py [--nudges 60] [--seed 3] [--kinds rendered composed] [--each]

Each stream runs ten 1920x1080 frames a second through the keeper that live games use: a board lies
still, is pushed by 1 to 40 mm and turned by up to 15 degrees (one in six is turned right round), at
once or in up to .6 s, half of them under a hand, and lies still again. "rendered" boards are drawn;
"composed" ones show real trains on a photo of an empty board, and the table goes with the board.
The clock is the stream's own: finding takes half a second of it.

A pose is wrong where any space is more than 2 mm off; for good, when it is so for more than half a
second, or at the end. Costs are processor time of frames in which no search began, beside that of
decoding the same frame's JPEG.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.geometry import project
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.scene import BoardShift, Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.live_table.board_keeper import BoardKeeper
from railspotter.table.set_up.demo import demo_game
from railspotter.vision.sources.source import Frame

from composed.camera import Moment
from composed.library import Library
from composed.play import ComposedGame, composed_game
from find_boards import print_at

BOARD = load_board("usa")
SPACES_MM = np.array([space.xy_mm for route in BOARD.routes for space in route.spaces])
SIZE_WH = (1920, 1080)
FRAME_S = 0.1
FINDING_S = 0.5
STILL_S = 1.5  # so long the board lies still at first: it is found meanwhile
AFTERWARDS_S = 3.0
HAND_STAYS_S = 0.3
WRONG_MM = 2.0
FOR_GOOD_S = 0.5
BANDS = ("pushed to 10 mm", "pushed to 40 mm", "turned to 15 deg", "turned right round")
KINDS = ("rendered", "composed")


@dataclass(frozen=True)
class Push:
    """What happens to a board."""

    nudge: BoardShift  # how it lies in the end
    moving_s: float  # how long that takes; 0 for between two frames
    hand: Thing | None

    @property
    def band(self) -> str:
        """What it is counted among."""
        far = np.hypot(self.nudge.dx_mm, self.nudge.dy_mm)
        if abs(self.nudge.turn_deg) > 90:
            return BANDS[3]
        return BANDS[2] if self.nudge.turn_deg else BANDS[0] if far <= 10 else BANDS[1]

    def at(self, t_s: float) -> BoardShift:
        """Return how the board lies at a moment of the stream."""
        if t_s < STILL_S:
            return BoardShift()
        share = min(1.0, (t_s - STILL_S) / self.moving_s) if self.moving_s else 1.0
        of = self.nudge
        return BoardShift(share * of.dx_mm, share * of.dy_mm, share * of.turn_deg)

    def things_at(self, t_s: float) -> tuple[Thing, ...]:
        """Return the hand while it is there."""
        is_there = -FRAME_S <= t_s - STILL_S <= self.moving_s + HAND_STAYS_S
        return (self.hand,) if self.hand is not None and is_there else ()


@dataclass(frozen=True)
class Drift:
    """What one stream came to."""

    kind: str
    push: Push
    # How far off the worst claimed pose was, frames in which the board moved included.
    worst_mm: float
    late_s: float  # from the push to the end of the last wrong pose; 0 when there was none
    longest_wrong_s: float  # the longest stretch of wrong poses
    is_wrong_at_end: bool  # whether the last frame's pose is wrong
    is_followed: bool  # whether a right pose is claimed as soon as the board rests
    # From rest until a right pose is claimed and stays; infinite if it never is, as where the board
    # lies partly outside of the picture.
    again_s: float

    @property
    def is_wrong_for_good(self) -> bool:
        """Whether a wrong pose was believed."""
        return self.longest_wrong_s > FOR_GOOD_S or self.is_wrong_at_end


@dataclass(frozen=True)
class Cost:
    """What one frame cost, in processor seconds."""

    what: str
    keeping_s: float
    decoding_s: float


Taken = tuple[Picture, Float64s]  # a picture, and where the board's spaces are in it
Take = Callable[[BoardShift, tuple[Thing, ...], int], Taken]


class LateWork(Executor):
    """Does work there and then, and hands it over when the stream's clock says that it is done."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.begun = 0
        self._waiting: list[tuple[float, Future[Any], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do the work."""
        future: Future[Any] = Future()
        self.begun += 1
        self._waiting.append((self.now_s + FINDING_S, future, fn(*args, **kwargs)))
        return future

    def advance(self, now_s: float) -> None:
        """Let the clock go on."""
        self.now_s = now_s
        for one in [one for one in self._waiting if one[0] <= now_s + 1e-9]:
            self._waiting.remove(one)
            one[1].set_result(one[2])


def main(argv: Sequence[str] | None = None) -> int:
    """Push, follow, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nudges", type=int, default=60, help="streams of each kind")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--each", action="store_true", help="print a row for every stream")
    options = parser.parse_args(argv)
    drifts: list[Drift] = []
    costs: list[Cost] = []
    for kind in options.kinds:
        take, profile = (rendered if kind == "rendered" else composed)()
        for number in range(options.nudges):
            push = push_of(np.random.default_rng([options.seed, number]))
            drifts.append(drift(kind, take, profile, push, costs))
            if options.each:
                print(as_row(drifts[-1]), flush=True)
    print("\n".join([*as_text(drifts), *costs_as_text(costs)]))
    return 0


def push_of(rng: np.random.Generator) -> Push:
    """Choose what happens to a board."""
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(1, 40)
    turn = float(rng.choice([-1, 1]) * rng.uniform(1, 15) * (rng.random() < 0.6))
    nudge = BoardShift(float(far * np.cos(way)), float(far * np.sin(way)), turn)
    if rng.random() < 1 / 6:
        nudge = BoardShift(0.0, 0.0, 180.0)
    moving_s = float(rng.uniform(0.1, 0.6)) * (rng.random() < 0.7)
    at, angle = rng.uniform((100, 100), (700, 400)), float(rng.uniform(-180, 180))
    hand = Thing("hand", (float(at[0]), float(at[1])), angle, int(rng.integers(1000)), z_mm=10.0)
    return Push(nudge, moving_s, hand if rng.random() < 0.5 else None)


def rendered(size_wh: tuple[int, int] = SIZE_WH) -> tuple[Take, Profile]:
    """Return what takes pictures of a drawn board in the middle of a game, and its profile."""
    view = CameraSetup(size_wh, tilt_deg=15.0, heading_deg=5.0)
    camera = VirtualCamera(BOARD, view=view, sensor=Sensor(noise=3.0))
    game = demo_game()
    pieces = game.enactment.stage_at(0.4 * game.duration_s).pieces
    blank = camera.take(Scene())
    profile = make_profile(blank.picture, BOARD, blank.corners_px, "drift", "")

    def take(nudge: BoardShift, things: tuple[Thing, ...], number: int) -> Taken:
        frame = camera.take(Scene(pieces, things, nudge=nudge, moment=number))
        return frame.picture, project(frame.frame_from_board, SPACES_MM)

    return take, profile


def composed(size_wh: tuple[int, int] = SIZE_WH) -> tuple[Take, Profile]:
    """Return what takes pictures of real trains on a photographed board, and its profile."""
    library = Library(BOARD)
    return composed_pictures(composed_game(library, BOARD.id, 1, size_wh), library), library.profile


def composed_pictures(game: ComposedGame, library: Library) -> Take:
    """Return what takes pictures of a composed game in its middle."""
    trains = game.trains(game.enactment.stage_at(0.4 * game.enactment.duration_s).pieces)
    stage = game.camera.stage
    seen_px = project(
        stage.frame_from_board,
        SPACES_MM + bend_at(library.registration(stage.name).bend_mm, SPACES_MM),
    )

    def take(nudge: BoardShift, things: tuple[Thing, ...], number: int) -> Taken:
        moment = Moment(things, push=nudge, number=number)
        picture = game.camera.take(trains, moment).picture
        return picture, project(moment.moved(stage), seen_px)

    return take


def bend_at(bend_mm: np.ndarray, points_mm: Float64s) -> Float64s:
    """Return the bend of a registration at points of the board, (N, 2)."""
    rows, columns = bend_mm.shape[:2]
    cell = (points_mm / BOARD.size_mm * (columns, rows) - 0.5).astype(np.float32)[None]
    bend = cv2.remap(
        bend_mm.astype(np.float32),
        cell[..., 0],
        cell[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(bend.reshape(-1, 2), np.float64)


def drift(kind: str, take: Take, profile: Profile, push: Push, costs: list[Cost]) -> Drift:
    """Run one stream."""
    work = LateWork()
    keeper = BoardKeeper(lambda frame: find_board(frame.picture, profile), work)
    rest_s = STILL_S + push.moving_s
    off: list[tuple[float, float | None]] = []
    for number in range(round((rest_s + AFTERWARDS_S) / FRAME_S)):
        t_s = number * FRAME_S
        picture, seen_px = take(push.at(t_s), push.things_at(t_s), number)
        work.advance(t_s)
        begun, started = work.begun, time.process_time()
        pose = keeper.pose_in(Frame(picture, t_s, number))
        spent_s = time.process_time() - started
        if t_s > FINDING_S + FRAME_S and work.begun == begun:
            what = "lost" if pose is None else "still" if t_s < STILL_S else "afterwards"
            costs.append(Cost(what, spent_s, _decoding_s(picture)))
        off.append((t_s, None if pose is None else misfit_mm(pose, seen_px)))
    return drift_of(kind, push, off)


def drift_of(kind: str, push: Push, off: Sequence[tuple[float, float | None]]) -> Drift:
    """Count what a stream came to."""
    rest_s = STILL_S + push.moving_s
    wrong = [t_s for t_s, far in off if far is not None and far > WRONG_MM]
    longest = run = 0
    for _, far in off:
        run = run + 1 if far is not None and far > WRONG_MM else 0
        longest = max(longest, run)
    resting = [(t_s, far is not None and far <= WRONG_MM) for t_s, far in off if t_s >= rest_s]
    missing = [t_s for t_s, is_right in resting if not is_right]
    again_s = max(0.0, missing[-1] + FRAME_S - rest_s) if missing else 0.0
    return Drift(
        kind,
        push,
        max((far for _, far in off if far is not None), default=np.nan),
        wrong[-1] + FRAME_S - STILL_S if wrong else 0.0,
        longest * FRAME_S,
        run > 0,
        resting[0][1],
        again_s if resting[-1][1] else np.inf,
    )


def misfit_mm(pose: Pose, seen_px: Float64s) -> float:
    """Return how far the worst space is from where a pose has it, on the board."""
    off = pose.on_board(print_at(pose, SPACES_MM)) - pose.on_board(seen_px)
    return float(np.hypot(*off.T).max())


def _decoding_s(picture: Picture) -> float:
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    started = time.process_time()
    cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    return time.process_time() - started


def as_text(drifts: Sequence[Drift]) -> list[str]:
    """Return the lines of the table."""
    lines = [
        f"{'':30s} streams  wrong for good  wrong poses until s  worst mm  followed"
        "  again s: median    max"
    ]
    for kind in dict.fromkeys(one.kind for one in drifts):
        own = [one for one in drifts if one.kind == kind]
        groups = {f"{kind}, all": own}
        groups |= {f"  {band}": [one for one in own if one.push.band == band] for band in BANDS}
        lines += [_row(name, group) for name, group in groups.items() if group]
    lines += [f"wrong: {as_row(one)}" for one in drifts if one.late_s > 0]
    return lines


def _row(name: str, group: Sequence[Drift]) -> str:
    again = [one.again_s for one in group]
    return (
        f"{name:30s} {len(group):7d} {sum(one.is_wrong_for_good for one in group):15d}"
        f" {max(one.late_s for one in group):20.1f} {max(one.worst_mm for one in group):9.2f}"
        f" {sum(one.is_followed for one in group):9d} {np.median(again):16.1f} {max(again):6.1f}"
    )


def as_row(one: Drift) -> str:
    """Return one stream as a line."""
    of = one.push.nudge
    return (
        f"{one.kind} {of.dx_mm:+.0f} {of.dy_mm:+.0f} mm {of.turn_deg:+.1f} deg in"
        f" {one.push.moving_s:.1f} s{', a hand' if one.push.hand else ''}: worst"
        f" {one.worst_mm:.2f} mm, wrong until {one.late_s:.1f} s, again after {one.again_s:.1f} s"
    )


def costs_as_text(costs: Sequence[Cost]) -> Iterator[str]:
    """Yield a line for each kind of frame."""
    for what in dict.fromkeys(cost.what for cost in costs):
        own = [cost for cost in costs if cost.what == what]
        ours, decoding = (
            1000 * np.array(values)
            for values in ([c.keeping_s for c in own], [c.decoding_s for c in own])
        )
        yield (
            f"{what}: {len(own)} frames, {np.median(ours):.2f} ms (p95"
            f" {np.quantile(ours, 0.95):.1f}), {np.median(ours) / np.median(decoding):.2f} of"
            f" decoding ({np.median(decoding):.1f} ms)"
        )


if __name__ == "__main__":
    sys.exit(main())
