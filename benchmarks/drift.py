"""Push and turn boards under a running camera, and say what poses are claimed meanwhile.

    python benchmarks/drift.py [--nudges 60] [--seed 3] [--kinds rendered composed] [--each]

Each stream runs ten 1920x1080 frames a second through the keeper that live games use: a board lies
still, is pushed by 1 to 40 mm and turned by up to 15 degrees (one in six is turned right round), at
once or in up to .6 s, half of them under a hand, and lies still again. "rendered" boards are drawn;
"composed" ones show real trains on a photo of an empty board, and the table goes with the board.
The clock is the stream's own: finding takes half a second of it.

A pose is wrong where any space is more than 2 mm off; for good, when it is so for more than half a
second, or at the end.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from composed.play import composed_game
from find_boards import bend_at, print_at
from live.clock import ClockedWork

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

Taken = tuple[Picture, Float64s]  # a picture, and where the board's spaces are in it
Take = Callable[[BoardShift, tuple[Thing, ...], int], Taken]


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
    is_wrong_for_good: bool  # whether a wrong pose was believed
    is_followed: bool  # whether a right pose is claimed as soon as the board rests
    # From rest until a right pose is claimed and stays; infinite if it never is, as where the board
    # lies partly outside of the picture.
    again_s: float

    def row(self) -> str:
        """Return it as a line."""
        of, hand = self.push.nudge, ", a hand" if self.push.hand else ""
        return (
            f"{self.kind} {of.dx_mm:+.0f} {of.dy_mm:+.0f} mm {of.turn_deg:+.1f} deg in"
            f" {self.push.moving_s:.1f} s{hand}: worst {self.worst_mm:.2f} mm,"
            f" wrong until {self.late_s:.1f} s, again after {self.again_s:.1f} s"
        )


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
    pieces = game.enactment.pieces_at(0.4 * game.duration_s)
    blank = camera.take(Scene())
    profile = make_profile(blank.picture, BOARD, blank.corners_px, "drift", "")

    def take(nudge: BoardShift, things: tuple[Thing, ...], number: int) -> Taken:
        frame = camera.take(Scene(pieces, things, nudge=nudge, moment=number))
        return frame.picture, project(frame.frame_from_board, SPACES_MM)

    return take, profile


def composed(size_wh: tuple[int, int] = SIZE_WH) -> tuple[Take, Profile]:
    """Return what takes pictures of real trains on a photographed board, and its profile."""
    library = Library(BOARD)
    game = composed_game(library, BOARD.id, 1, size_wh)
    trains = game.trains(game.enactment.pieces_at(0.4 * game.enactment.duration_s))
    stage = game.camera.stage
    bend = library.registration(stage.name).bend_mm
    seen_px = project(stage.frame_from_board, SPACES_MM + bend_at(bend, BOARD.size_mm, SPACES_MM))

    def take(nudge: BoardShift, things: tuple[Thing, ...], number: int) -> Taken:
        moment = Moment(things, push=nudge, number=number)
        picture = game.camera.take(trains, moment).picture
        return picture, project(moment.moved(stage), seen_px)

    return take, library.profile


KINDS = {"rendered": rendered, "composed": composed}


def drift(kind: str, take: Take, profile: Profile, push: Push) -> Drift:
    """Run one stream."""
    work = ClockedWork(lambda fn: FINDING_S)
    keeper = BoardKeeper(lambda frame: find_board(frame.picture, profile), work)
    off: list[tuple[float, float | None]] = []
    for number in range(round((STILL_S + push.moving_s + AFTERWARDS_S) / FRAME_S)):
        t_s = number * FRAME_S
        picture, seen_px = take(push.at(t_s), push.things_at(t_s), number)
        work.tick(t_s)
        pose = keeper.pose_in(Frame(picture, t_s, number))
        off.append((t_s, None if pose is None else misfit_mm(pose, seen_px)))
    return drift_of(kind, push, off)


def misfit_mm(pose: Pose, seen_px: Float64s) -> float:
    """Return how far the worst space is from where a pose has it, on the board."""
    off = pose.on_board(print_at(pose, SPACES_MM)) - pose.on_board(seen_px)
    return float(np.hypot(*off.T).max())


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
        longest * FRAME_S > FOR_GOOD_S or run > 0,
        resting[0][1],
        again_s if resting[-1][1] else np.inf,
    )


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
    return lines + [f"wrong: {one.row()}" for one in drifts if one.late_s > 0]


def _row(name: str, group: Sequence[Drift]) -> str:
    again = [one.again_s for one in group]
    return (
        f"{name:30s} {len(group):7d} {sum(one.is_wrong_for_good for one in group):15d}"
        f" {max(one.late_s for one in group):20.1f} {max(one.worst_mm for one in group):9.2f}"
        f" {sum(one.is_followed for one in group):9d} {np.median(again):16.1f} {max(again):6.1f}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Push, follow, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nudges", type=int, default=60, help="streams of each kind")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", default=[*KINDS], choices=KINDS)
    parser.add_argument("--each", action="store_true", help="print a row for every stream")
    options = parser.parse_args(argv)
    drifts: list[Drift] = []
    for kind in options.kinds:
        take, profile = KINDS[kind]()
        for number in range(options.nudges):
            push = push_of(np.random.default_rng([options.seed, number]))
            drifts.append(drift(kind, take, profile, push))
            if options.each:
                print(drifts[-1].row(), flush=True)
    print("\n".join(as_text(drifts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
