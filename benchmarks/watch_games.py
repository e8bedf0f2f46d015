"""Watch drawn games being played, and say how surely and how late each claim is seen.

    python benchmarks/watch_games.py [--edition usa] [--kind calm] [--seeds 100 101]
                                     [--until 300] [--every-frame] [--tell]

Bots play, hands lay the trains, a drawn camera takes ten pictures a second, and the watcher says
what changed. "composed" games show trains cut from photos, on a photo of an empty board. The clock
is the game's: a reading takes `--reading-s` of it. Stretches in which nobody moves and nothing is
being read are skipped, unless `--every-frame` is given. Someone answers every question after a
while, as the truth is. Seeds below 100 were looked at while limits were chosen, and 101, 105, 106.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from composed_library import Library
from composed_play import composed_game
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring import Edition, Spot, load_board, load_edition
from railspotter.simulation.enactment import Enactment, Habits
from railspotter.simulation.virtual_board import CameraSetup, Scene, Sensor
from railspotter.simulation.virtual_game import VirtualGame, lively_game, plain_game, virtual_game
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.sites import with_site_routes
from railspotter.vision.watching import (
    Appeared,
    Change,
    LookRead,
    QuestionAsked,
    Vanished,
    Watcher,
    read,
)

FRAME_S = 0.1
ANSWERED_S = 8.0
"""So long after it was asked a question is answered."""
QUIET_S = 1.5
"""So long after the last movement still stretches are skipped."""
LATE_S = 3.0
"""A claim that is seen so late is listed."""
KINDS = ("calm", "light", "lively", "composed")
LIGHT_HABITS = Habits(nudged=0.0, turned_around=0.0)
"""Fumbles, pointing, things and lamps, on a board that stays where it is."""


@dataclass
class Watched:
    """What watching one game came to.

    Attributes
    ----------
    wrong : list of str
        Every change that was not true when it was said.
    delays_s : list of float
        From the hand's leaving the board to the claim.
    """

    name: str
    claims: int = 0
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    delays_s: list[float] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    frames: int = 0
    see_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)
    readings: int = 0
    reading_cpu_s: list[float] = field(default_factory=list)

    def row(self) -> str:
        """Return a line of figures."""
        delays = np.array(self.delays_s or [np.nan])
        see, decode = (float(np.median(ms or [np.nan])) for ms in (self.see_ms, self.decode_ms))
        return (
            f"{self.name:24} {self.claims:6} {len(self.missing):7} {len(self.wrong):6}"
            f" {len(self.questions):6} {np.median(delays):7.2f} {np.quantile(delays, 0.95):6.2f}"
            f" {self.frames:7} {see:6.1f} {see / decode:7.2f} {self.readings:6}"
            f" {np.mean(self.reading_cpu_s or [np.nan]):6.2f}"
        )


HEAD = (
    f"{'game':24} claims missing  wrong  asked  median    p95  frames     ms  decode  reads  cpu s"
)


def game_of(edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> VirtualGame:
    """Return the game of a kind and seed."""
    board = load_board(edition.board)
    if kind == "calm":
        return plain_game(edition, board, seed, size_wh)
    if kind == "lively":
        return lively_game(edition, board, seed, size_wh)
    view = CameraSetup(size_wh, tilt_deg=10.0)
    return virtual_game(
        edition, board, seed, LIGHT_HABITS, view=view, sensor=Sensor(noise=3.0, seed=seed)
    )


class Table:
    """A game, its pictures, and the poses in which the board is seen.

    Parameters
    ----------
    picture_at : callable
        Returns the picture of a moment.
    profile : Profile
        Of the copy that is played on.
    shows_stations : bool, optional
        Whether its pictures have those that are built: no photo has one that could be cut out.
    """

    def __init__(
        self,
        enactment: Enactment,
        picture_at: Callable[[float], Picture],
        profile: Profile,
        shows_stations: bool = True,
    ) -> None:
        self.enactment, self.picture_at, self.profile = enactment, picture_at, profile
        self._shows_stations = shows_stations
        self.events = [e for e in enactment.events if shows_stations or e.kind != "station built"]
        edition, board = enactment.played.edition, load_board(enactment.board.id)
        self.printed = PrintedBoard.of(with_site_routes(board), profile)
        seats = {seat.colour for seat in enactment.played.seats}
        self.pieces = Pieces(
            trains=tuple(train for train in plastic(edition.plastic) if train.name in seats),
            train_size_mm=edition.train_size_mm,
            one_piece_a_route=edition.one_piece_a_route,
            exclusive=board.lanes,
            station_size_mm=edition.station_size_mm if edition.stations else None,
            stations_each=edition.stations,
        )
        self._poses: dict[object, Pose | None] = {}

    @classmethod
    def drawn(cls, edition: Edition, kind: str, seed: int, size_wh: tuple[int, int]) -> Table:
        """Return a drawn game, on a copy that was calibrated from a picture of it empty."""
        game = game_of(edition, kind, seed, size_wh)
        blank = game.camera.take(Scene(light=game.enactment.timeline.lamps[0].light))
        board = load_board(edition.board)
        profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
        return cls(game.enactment, lambda t_s: game.frame_at(t_s).picture, profile)

    @classmethod
    def composed(cls, edition: Edition, seed: int, size_wh: tuple[int, int]) -> Table:
        """Return a game of real pixels: trains cut from photos, drawn hands."""
        library = Library(load_board(edition.board))
        game = composed_game(library, edition.board, seed, size_wh)
        return cls(game.enactment, lambda t_s: game.take(t_s).picture, library.profile, False)

    def is_still_at(self, t_s: float) -> bool:
        """Tell whether no hand is under way."""
        return not self.enactment.timeline.hands_at(t_s)

    def truth(self, t_s: float) -> dict[Spot, str]:
        """Return what stands on the board."""
        now = self.enactment.truth_at(t_s)
        stations = now.stations if self._shows_stations else {}
        return {
            **{Spot("route", route): colour for route, colour in now.claims.items()},
            **{Spot("station", place): colour for place, colour in stations.items()},
        }

    def pose(self, t_s: float, picture: Picture) -> Pose | None:
        """Return where the board is, as finding it says; None while somebody pushes it."""
        timeline = self.enactment.timeline
        if any(push.start_s <= t_s < push.end_s for push in timeline.pushes):
            return None
        nudge = timeline.nudge_at(t_s)
        if self._poses.get(nudge) is None:
            found = find_board(picture, self.profile)
            self._poses[nudge] = found if isinstance(found, Pose) else None
        return self._poses[nudge]

    def moments(self) -> Float64s:
        """Return when something begins to happen."""
        timeline = self.enactment.timeline
        starts = [reach.start_s for reach in timeline.reaches]
        starts += [one.start_s for one in timeline.lying] + [one.end_s for one in timeline.lying]
        starts += [lamp.start_s for lamp in timeline.lamps]
        return np.sort(starts)


def watch(table: Table, name: str, options: argparse.Namespace) -> Watched:
    """Watch a game."""
    result = Watched(name)
    watcher = Watcher(table.printed, table.pieces, table.truth(options.start))
    said: list[Change] = []
    answers: list[tuple[float, Spot]] = []
    inbox: list[tuple[float, LookRead]] = []
    until_s = min(options.until, table.enactment.duration_s)
    for t_s in _moments(table, watcher, inbox, options, until_s):
        picture = table.picture_at(t_s)
        pose = table.pose(t_s, picture)
        if result.frames % 25 == 0:
            _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            began = time.perf_counter()
            cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
            result.decode_ms.append(1000 * (time.perf_counter() - began))
        while inbox and inbox[0][0] <= t_s:
            watcher.take_in(inbox.pop(0)[1])
        while answers and answers[0][0] <= t_s:
            spot = answers.pop(0)[1]
            watcher.correct(spot, table.truth(t_s).get(spot))
        began = time.perf_counter()
        seen = watcher.see(picture, pose, t_s)
        result.see_ms.append(1000 * (time.perf_counter() - began))
        result.frames += 1
        said += seen.changes
        for change in seen.changes:
            _judge(result, table, change, t_s, options.tell)
            if isinstance(change, QuestionAsked):
                answers.append((t_s + ANSWERED_S, change.spot))
        look = watcher.due()
        if look is not None:
            began = time.process_time()
            said_of_look = read(look)
            result.reading_cpu_s.append(time.process_time() - began)
            result.readings += 1
            inbox.append((t_s + options.reading_s, said_of_look))
    _sum_up(result, table, watcher, said, (options.start, until_s))
    return result


def _moments(
    table: Table,
    watcher: Watcher,
    inbox: Sequence[object],
    options: argparse.Namespace,
    until_s: float,
) -> Iterator[float]:
    """Yield the times of frames."""
    starts = table.moments()
    t_s = moved_s = float(options.start)
    while t_s < until_s:
        yield t_s
        t_s = round(t_s + FRAME_S, 3)
        ahead = starts[np.searchsorted(starts, t_s) :]
        next_s = float(ahead[0]) if len(ahead) else until_s
        if not table.is_still_at(t_s) or next_s - t_s < 1.0:
            moved_s = t_s
        is_quiet = not inbox and not watcher.asked and watcher.state == "settled"
        if not options.every_frame and is_quiet and t_s - moved_s > QUIET_S:
            t_s = round(max(t_s, min(next_s - 1.0, until_s - 1.0)), 1)


def _judge(result: Watched, table: Table, change: Change, t_s: float, tell: bool) -> None:
    truth = table.truth(t_s).get(change.spot)
    words = f"{t_s:7.1f} {type(change).__name__} {change.spot.id}"
    match change:
        case Appeared(colour=colour):
            words += f" {colour} {change.sure:.3f} after {change.still_s:.1f}"
            if truth != colour:
                result.wrong.append(f"{words}, is {truth}")
        case Vanished(colour=colour):
            words += f" {colour} after {change.still_s:.1f}"
            if truth == colour:
                result.wrong.append(words)
        case QuestionAsked(doubt=doubt):
            words += f": {doubt.said}? {doubt.why}; is {truth}"
            result.questions.append(words)
    if tell:
        print(words, flush=True)


def _sum_up(
    result: Watched,
    table: Table,
    watcher: Watcher,
    said: Sequence[Change],
    span_s: tuple[float, float],
) -> None:
    """Compare the end, and find for each claim how late it was seen."""
    truth, settled = table.truth(span_s[1]), watcher.settled
    for spot in sorted(truth.keys() | settled.keys()):
        if truth.get(spot) != settled.get(spot):
            result.missing.append(f"{spot}: {settled.get(spot)}, is {truth.get(spot)}")
    claimed: dict[str, float] = {}
    for event in table.events:
        if not span_s[0] <= event.t_s < span_s[1]:
            continue
        if event.kind in ("claimed", "station built"):
            claimed[event.name] = event.t_s
        elif event.kind == "withdrawn":
            claimed.pop(event.name, None)
        elif event.kind == "hand left" and event.name in claimed:
            result.claims += 1
            since_s = claimed.pop(event.name)
            seen = [c.at_s for c in said if isinstance(c, Appeared) and c.spot.id == event.name]
            late = [t_s - event.t_s for t_s in seen if t_s >= since_s]
            result.delays_s += late[:1]
            if late and late[0] > LATE_S:
                result.late.append(f"{event.t_s:7.1f} {event.name}, {late[0]:.1f} s late")


def main(argv: Sequence[str] | None = None) -> int:
    """Watch games and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", default="usa")
    parser.add_argument("--kind", choices=KINDS, default="calm")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720))
    parser.add_argument("--start", type=float, default=0.0)
    parser.add_argument("--until", type=float, default=np.inf)
    parser.add_argument("--reading-s", type=float, default=0.4)
    parser.add_argument("--every-frame", action="store_true")
    parser.add_argument("--tell", action="store_true", help="print what is said, when")
    options = parser.parse_args(argv)
    print(HEAD)
    for seed in options.seeds:
        edition, size_wh = load_edition(options.edition), tuple(options.size)
        if options.kind == "composed":
            table = Table.composed(edition, seed, size_wh)
        else:
            table = Table.drawn(edition, options.kind, seed, size_wh)
        result = watch(table, f"{options.edition} {options.kind} {seed}", options)
        print(result.row())
        for title in ("wrong", "missing", "late", "questions"):
            for words in getattr(result, title):
                print(f"    {title}: {words}")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
