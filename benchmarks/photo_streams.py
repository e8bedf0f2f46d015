"""Hold every real photo before the live table as a camera would, and say what it writes down.

    python benchmarks/photo_streams.py [--board usa] [--only GLOB] [--shoots shoot-1 ...]
                                       [--kinds joined ...] [--width 1280] [--processes 1] [--tell]

joined: a game begins on a half-played board. What is read is confirmed as it is shown; then arms
        pass over it. drawn: the same, read with the fingerprint's drawing alone.
once:   a game begins on the empty board of the same shoot, in the photo's place and light; an arm
        passes over it, and behind it lies everything that is in the photo.
steps:  the same, in three steps.

The profile is of another file of the empty board, of another shoot where there is one; where there
is none (Europe's `once` and `steps`), the fingerprint's. Pictures tremble, drift and are noisy
(`live/streamed_photo.py`), ten a second on a simulated clock. Whoever is asked answers after four
seconds, as the truth is. `wrong` facts are the camera's that were not true; `joined` are routes
wrong in what people were shown to confirm; `silent` are spots wrong at the end that nobody was ever
asked about. Routes that are half laid or not labelled count for nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed, TakenBack
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import ConfirmJoining, Correct
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame

from live.clocked import ClockedWork, Pictures
from live.photo_scenes import Truth, chosen, profile_of, stream_of
from live.streamed_photo import StreamedPhoto
from photos.labelled import LabelledPhoto

FRAME_S = 0.1
START_S = 1790000000.0
WORK_S = {"read": 0.4}
FOUND_S = 0.4
ANSWERED_S = 4.0
# So long after the last arm: who lays a route in part is asked about it after twenty seconds.
AFTER_S = 26.0
MOST_S = 150.0
KINDS = ("joined", "drawn", "once", "steps")


@dataclass
class Streamed:
    """What one stream came to."""

    name: str
    facts: int = 0
    routes: int = 0
    wrong: list[str] = field(default_factory=list)
    joined: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    needless: int = 0
    frames: int = 0
    looked_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)
    work_s: float = 0.0

    def row(self) -> str:
        """Return a line of figures."""
        timed = (self.looked_ms, self.decode_ms)
        looked, decode = (float(np.median(ms or [np.nan])) for ms in timed)
        return (
            f"{self.name:34} {self.routes:6} {self.facts:5} {len(self.wrong):5}"
            f" {len(self.joined):6} {len(self.silent):6} {len(self.questions):5}"
            f" {self.needless:8} {self.frames:6} {looked:6.1f} {looked / decode:5.2f}"
            f" {self.work_s:6.1f}"
        )

    def add(self, other: Streamed) -> None:
        """Take in another one's figures."""
        for name in ("wrong", "joined", "silent", "questions", "looked_ms", "decode_ms"):
            getattr(self, name).extend(getattr(other, name))
        for name in ("facts", "routes", "needless", "frames", "work_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


HEAD = f"{'photo':34} routes facts wrong joined silent asked needless frames     ms ratio reading s"


class TimedWork(ClockedWork):
    """Counts what finding and reading cost."""

    def __init__(self) -> None:
        super().__init__(lambda fn: WORK_S.get(fn.__name__, FOUND_S))
        self.spent_s = 0.0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it now; it is done later."""
        began = time.thread_time()
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            self.spent_s += time.thread_time() - began


def hold(
    stream: StreamedPhoto,
    photo: LabelledPhoto,
    kind: str,
    profile: Profile,
    *,
    after_s: float = AFTER_S,
    tell: bool = False,
) -> Streamed:
    """Hold a stream before a live table, until so long after the last arm."""
    truth = Truth(photo)
    result = Streamed(f"{photo.path.stem} {kind}", routes=len(truth.all))
    work, pictures = TimedWork(), Pictures()
    colours = sorted(set(photo.truth["claims"].values()))
    started = GameStarted(photo.board, tuple(Player(colour, colour) for colour in colours))
    with (
        tempfile.TemporaryDirectory() as folder,
        GameStore(Path(folder)).create(started, START_S) as log,
    ):
        live = LiveTable(
            log, cast(Grabber, pictures), profile, clock=lambda: START_S + work.now_s, work=work
        )
        judge = _Judge(stream, truth, result, work, tell=tell)
        live.subscribe(judge.told)
        for t_s in _moments(stream, live, after_s):
            work.tick(t_s)
            picture = stream.picture_at(t_s)
            result.frames += 1
            if result.frames % 25 == 0:
                result.decode_ms.append(_decoding_ms(picture))
            pictures.frame = Frame(picture, t_s, result.frames)
            began, spent_s = time.thread_time(), work.spent_s
            live.turn()
            took_s = time.thread_time() - began - (work.spent_s - spent_s)
            result.looked_ms.append(1000 * took_s)
            if live.view.sight.joining is not None:
                judge.confirmed(live.view)
                live.do(ConfirmJoining())
            for spot in judge.to_answer():
                live.do(Correct(spot, judge.true_of(spot)))
        judge.sum_up(live.view)
    result.work_s = work.spent_s
    return result


def _moments(stream: StreamedPhoto, live: LiveTable, after_s: float) -> Iterator[float]:
    t_s, until_s = 0.0, stream.sweeps[-1].end_s + after_s
    while t_s < until_s or (live.view.questions and t_s < MOST_S):
        yield t_s
        t_s = round(t_s + FRAME_S, 3)


def _decoding_ms(picture: Picture) -> float:
    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    began = time.thread_time()
    cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    return 1000 * (time.thread_time() - began)


class _Judge:
    """Holds what a live table says against the labels."""

    def __init__(
        self,
        stream: StreamedPhoto,
        truth: Truth,
        result: Streamed,
        work: ClockedWork,
        *,
        tell: bool,
    ) -> None:
        self._stream, self._truth, self._result, self._work = stream, truth, result, work
        self._tell = tell
        self._ever_asked: set[Spot] = set()
        self._asked: dict[Spot, float] = {}

    @property
    def _now(self) -> dict[Spot, str] | None:
        """What lies on the board; None where it is something between."""
        last = len(self._stream.pictures) - 1
        now_s = self._work.now_s
        shown = self._stream.shown_at(now_s)
        if shown == last:
            return self._truth.all
        return {} if shown == 0 and not self._stream.is_touched_at(now_s) else None

    def true_of(self, spot: Spot) -> str | None:
        """Return what whoever is asked says: what will lie there when all is laid."""
        return self._truth.all.get(spot)

    def confirmed(self, view: TableView) -> None:
        """Take in what people were shown."""
        found = view.sight.joining or {}
        for spot in sorted(found.keys() | self._truth.all.keys()):
            if self._truth.counts(spot) and found.get(spot) != self._truth.all.get(spot):
                self._result.joined.append(
                    f"{spot.id}: {found.get(spot)}, is {self._truth.all.get(spot)}"
                )

    def told(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Take in what is new at the table."""
        now = self._now
        for event in events:
            match event.fact:
                case Placed(by="camera", colour=colour) as fact:
                    self._fact(fact.spot, colour, now)
                case TakenBack(by="camera") as fact:
                    self._fact(fact.spot, None, now)
        open_ = {question.spot for question in view.questions}
        for question in view.questions:
            spot = question.spot
            if spot in self._asked:
                continue
            self._asked[spot] = self._work.now_s
            self._ever_asked.add(spot)
            has = view.game.table.held.get(spot)
            is_ = self._truth.all.get(spot)
            self._result.needless += has == is_
            doubt = question.doubt
            words = f"{self._work.now_s:6.1f} {spot.id}: {doubt.said}? {doubt.why}; is {is_}"
            self._result.questions.append(words)
            if self._tell:
                print("asked", words, flush=True)
        self._asked = {spot: asked_s for spot, asked_s in self._asked.items() if spot in open_}

    def _fact(self, spot: Spot, colour: str | None, now: dict[Spot, str] | None) -> None:
        self._result.facts += 1
        if not self._truth.counts(spot):
            return
        if now is None:  # between the steps: what lies there lies there in the end
            is_wrong = colour is not None and colour != self._truth.all.get(spot)
        else:
            is_wrong = now.get(spot) != colour
        words = f"{self._work.now_s:6.1f} {spot.id}: {colour}, is {self._truth.all.get(spot)}"
        if is_wrong:
            self._result.wrong.append(words)
        if self._tell:
            print("WRONG" if is_wrong else "right", words, flush=True)

    def to_answer(self) -> list[Spot]:
        """Return the questions that somebody answers now."""
        now_s = self._work.now_s
        return [spot for spot, asked_s in self._asked.items() if now_s >= asked_s + ANSWERED_S]

    def sum_up(self, view: TableView) -> None:
        """Compare the end."""
        log, truth = view.game.table.held, self._truth.all
        for spot in sorted(truth.keys() | log.keys()):
            is_silent = spot not in self._ever_asked and self._truth.counts(spot)
            if is_silent and truth.get(spot) != log.get(spot):
                self._result.silent.append(f"{spot.id}: {log.get(spot)}, is {truth.get(spot)}")


def _held(one: tuple[LabelledPhoto, str], width: int, seed: int, tell: bool) -> Streamed:
    photo, kind = one
    profile = profile_of(photo.board, photo.shoot, kind)
    return hold(stream_of(photo, kind, width, seed), photo, kind, profile, tell=tell)


def main(argv: Sequence[str] | None = None) -> int:
    """Hold photos and print a line for each, then all together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", choices=("usa", "europe"))
    parser.add_argument("--only", default="*", metavar="GLOB")
    parser.add_argument("--shoots", nargs="+")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--width", type=int, default=1280, help="of a picture, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--tell", action="store_true", help="print what is said, when")
    options = parser.parse_args(argv)
    work = partial(_held, width=options.width, seed=options.seed, tell=options.tell)
    totals = {kind: Streamed(f"all {kind}") for kind in options.kinds}
    print(HEAD, flush=True)
    streams = chosen(options)
    for (_, kind), result in zip(streams, _results(work, streams, options.processes), strict=True):
        print(result.row())
        for title in ("wrong", "joined", "silent", "questions"):
            for words in getattr(result, title):
                print(f"    {title}: {words}")
        totals[kind].add(result)
        sys.stdout.flush()
    for total in totals.values():
        print(total.row())
    return 0


def _results(
    work: Callable[[tuple[LabelledPhoto, str]], Streamed],
    streams: Sequence[tuple[LabelledPhoto, str]],
    processes: int,
) -> Iterator[Streamed]:
    if processes == 1:
        yield from map(work, streams)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, streams)


if __name__ == "__main__":
    sys.exit(main())
