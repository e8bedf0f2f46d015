"""Play whole games before the live table, and compare its log with what happened, fact by fact.

    python benchmarks/play_games.py [--games 20] [--edition usa] [--kind lively] [--seed 1000]
                                    [--whole] [--processes 2] [--minutes 60] [--tell]

Bots play, hands lay the trains, ten pictures a second go through the same live table that
`railspotter play` runs: it finds the board, follows it, reads, settles, and writes an SQLite log.
Editions and kinds alternate: drawn games of USA, New York and Europe with fumbles, pushes, cups,
lamps and drifting light, and composed ones of USA and Europe, of trains cut from photos. The clock
is the game's; finding and reading take `--finding-s` and `--reading-s` of it. Stretches in which
nobody moves are skipped, and while hands are over the board two pictures a second are taken, unless
`--whole` is given. Somebody answers every question after eight seconds, as the truth is. No seed
from 1000 on was looked at while limits were chosen, but for those that docs/watching.md names.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed, TakenBack
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import Correct, End
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState

from live.clocked import ClockedWork, Pictures
from live.game_table import ANSWERED_S, FRAME_S, Table

START_S = 1790000000.0
STILL_S = 0.8  # so long after the last movement still stretches are skipped
AHEAD_S = 0.4  # so long before the next movement they end
HANDS_S = 0.5, 1.0  # so long after hands come, and before they are back, every picture is taken
HANDS_FRAME_S = 0.5  # the time between two pictures in between
AFTER_S = 20.0  # so long the table is watched when the game is over
# So long after the last movement the game is ended, and its board looked over once more.
ENDED_S = 3.0
LATE_S = 3.0
GAMES = (
    ("usa", "lively"),
    ("usa", "composed"),
    ("europe", "lively"),
    ("europe", "composed"),
    ("newyork", "lively"),
)
FOUND_S = 0.4


@dataclass
class Played:
    """What one game came to."""

    name: str
    claims: int = 0
    # Facts of the camera that were not true when they were written down.
    wrong: list[str] = field(default_factory=list)
    # What the log has otherwise than the board at the end.
    final: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    # From the hand's leaving the board to the event.
    delays_s: list[float] = field(default_factory=list)
    frames: int = 0
    took_s: float = 0.0

    def row(self) -> str:
        """Return a line of figures."""
        delays = np.array(self.delays_s or [np.nan])
        return (
            f"{self.name:26} {self.claims:6} {len(self.final):6} {len(self.wrong):6}"
            f" {len(self.questions):6} {np.median(delays):7.2f} {np.quantile(delays, 0.95):6.2f}"
            f" {self.frames:7} {self.took_s:6.0f}"
        )


HEAD = f"{'game':26} claims  final  wrong  asked  median    p95  frames   took"


def play(table: Table, name: str, options: argparse.Namespace) -> Played:
    """Play a game before a live table."""
    result, began = Played(name), time.process_time()
    work = ClockedWork(lambda fn: options.reading_s if fn.__name__ == "read" else options.finding_s)
    pictures = Pictures()
    with tempfile.TemporaryDirectory() as folder:
        log = _log(table, Path(folder))
        with log:
            live = LiveTable(
                log,
                cast(Grabber, pictures),
                table.profile,
                clock=lambda: START_S + work.now_s,
                work=work,
            )
            judge = _Judge(table, result, work, options.tell)
            live.subscribe(judge.told)
            until_s = min(options.until, table.enactment.duration_s + AFTER_S)
            for t_s in _moments(table, live, work, until_s, skips=not options.whole):
                work.tick(t_s)
                picture = table.picture_at(t_s)
                result.frames += 1
                pictures.frame = Frame(picture, t_s, result.frames)
                live.turn()
                if t_s >= table.enactment.duration_s + ENDED_S:
                    live.do(End())
                for spot in judge.to_answer():
                    live.do(Correct(spot, table.truth(t_s).get(spot)))
            judge.sum_up(live.view, until_s)
    result.took_s = time.process_time() - began
    return result


def _log(table: Table, folder: Path) -> GameLog:
    played = table.enactment.played
    players = tuple(Player(seat.colour, seat.colour) for seat in played.seats)
    return GameStore(folder).create(GameStarted(played.edition.id, players), START_S)


def _moments(
    table: Table, live: LiveTable, work: ClockedWork, until_s: float, *, skips: bool
) -> Iterator[float]:
    """Yield the times of frames."""
    starts = table.moments()
    over_board = _hands(table)
    t_s = moved_s = 0.0
    while t_s < until_s:
        yield t_s
        left_s = next((b - t_s for a, b in over_board if a < t_s < b), 0.0) if skips else 0.0
        t_s = round(t_s + max(FRAME_S, min(HANDS_FRAME_S, left_s)), 1)
        ahead = starts[np.searchsorted(starts, t_s) :]
        next_s = float(ahead[0]) if len(ahead) else until_s
        if not table.is_still_at(t_s) or next_s - t_s < AHEAD_S:
            moved_s = t_s
        is_quiet = (
            work.is_idle and not live.view.questions and live.view.sight.state is WatchState.SETTLED
        )
        is_over = t_s >= table.enactment.duration_s
        if skips and is_quiet and not is_over and t_s - moved_s > STILL_S:
            t_s = round(max(t_s, min(next_s, until_s) - AHEAD_S), 1)


def _hands(table: Table) -> list[tuple[float, float]]:
    """Return from when to when hands are over the board, less what is left out at either end."""
    spans: list[tuple[float, float]] = []
    for reach in sorted(table.enactment.reaches, key=lambda reach: reach.start_s):
        begin_s, end_s = reach.start_s, reach.end_s
        if spans and begin_s <= spans[-1][1]:
            begin_s, end_s = spans[-1][0], max(end_s, spans.pop()[1])
        spans.append((begin_s, end_s))
    return [(begin_s + HANDS_S[0], end_s - HANDS_S[1]) for begin_s, end_s in spans]


class _Judge:
    """Holds what a live table says against what happened."""

    def __init__(self, table: Table, result: Played, work: ClockedWork, tell: bool) -> None:
        self._table, self._result, self._work, self._tell = table, result, work, tell
        self._appeared: list[tuple[float, str]] = []
        self._asked: dict[Spot, float] = {}

    def told(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Take in what is new at the table."""
        t_s = self._work.now_s
        truth = self._table.truth(t_s)
        for event in events:
            match event.fact:
                case Placed(by="camera", colour=colour) as fact:
                    self._appeared.append((t_s, fact.spot.id))
                    words = f"{fact.spot.id} {colour} {fact.sure:.3f}"
                    self._say(words, is_wrong=truth.get(fact.spot) != colour)
                case TakenBack(by="camera") as fact:
                    words = f"{fact.spot.id} withdrawn: {fact.why}"
                    self._say(words, is_wrong=fact.spot in truth)
                case Corrected(now=now) as fact:
                    self._appeared.append((t_s, fact.spot.id))
                    self._say(f"{fact.spot.id} answered: {now}", is_wrong=False)
        open_ = {question.spot for question in view.questions}
        for question in view.questions:
            if question.spot not in self._asked:
                self._asked[question.spot] = t_s
                doubt, is_ = question.doubt, truth.get(question.spot)
                words = f"{t_s:7.1f} {question.spot.id}: {doubt.said}? {doubt.why}; is {is_}"
                self._result.questions.append(words)
                if self._tell:
                    print("asked", words, flush=True)
        self._asked = {spot: asked_s for spot, asked_s in self._asked.items() if spot in open_}

    def to_answer(self) -> list[Spot]:
        """Return the questions that somebody answers now."""
        now_s = self._work.now_s
        return [spot for spot, asked_s in self._asked.items() if now_s >= asked_s + ANSWERED_S]

    def sum_up(self, view: TableView, until_s: float) -> None:
        """Compare the end, and find for each claim how late it was seen."""
        state, result = view.game.table, self._result
        truth = self._table.truth(until_s)
        log = state.held
        for spot in sorted(truth.keys() | log.keys()):
            if truth.get(spot) != log.get(spot):
                result.final.append(f"{spot.id}: {log.get(spot)}, is {truth.get(spot)}")
        claimed: dict[str, float] = {}
        for event in self._table.events:
            if event.t_s >= until_s:
                break
            if event.kind in ("claimed", "station built"):
                claimed[event.name] = event.t_s
            elif event.kind == "withdrawn":
                claimed.pop(event.name, None)
            elif event.kind == "hand left" and event.name in claimed:
                result.claims += 1
                since_s = claimed.pop(event.name)
                late = [
                    max(seen_s - event.t_s, 0.0)
                    for seen_s, name in self._appeared
                    if name == event.name and seen_s >= since_s
                ]
                result.delays_s += late[:1]
                if late and late[0] > LATE_S:
                    result.late.append(f"{event.t_s:7.1f} {event.name}, {late[0]:.1f} s late")

    def _say(self, words: str, *, is_wrong: bool) -> None:
        words = f"{self._work.now_s:7.1f} {words}"
        if is_wrong:
            self._result.wrong.append(words)
        if self._tell:
            print("WRONG" if is_wrong else "right", words, flush=True)


def _play_one(game: tuple[str, str, int], options: argparse.Namespace) -> Played:
    edition_name, kind, seed = game
    edition = load_edition(edition_name)
    size_wh = tuple(options.size)
    if kind == "composed":
        table = Table.composed(edition, seed, size_wh)
    else:
        table = Table.drawn(edition, kind, seed, size_wh)
    return play(table, f"{edition_name} {kind} {seed}", options)


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print a line for each, then all together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--edition", help="this one only")
    parser.add_argument("--kind", choices=("lively", "composed", "calm", "light"))
    parser.add_argument("--seed", type=int, default=1000, help="of the first game")
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720))
    parser.add_argument("--until", type=float, default=np.inf, help="seconds of each game")
    parser.add_argument("--reading-s", type=float, default=0.4)
    parser.add_argument("--finding-s", type=float, default=FOUND_S)
    parser.add_argument("--whole", action="store_true", help="skip nothing")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no game after that")
    parser.add_argument("--tell", action="store_true", help="print what is written down, when")
    options = parser.parse_args(argv)
    kinds = [
        (edition, kind)
        for edition, kind in GAMES
        if options.edition in (None, edition) and (options.kind in (None, kind))
    ] or [(options.edition or "usa", options.kind or "lively")]
    games = [(*kinds[i % len(kinds)], options.seed + i) for i in range(options.games)]
    print(HEAD, flush=True)
    all_ = Played("all")
    for result in _results(games, options):
        print(result.row())
        for title in ("wrong", "final", "late", "questions"):
            for words in getattr(result, title):
                print(f"    {title}: {words}")
            getattr(all_, title).extend(getattr(result, title))
        all_.delays_s += result.delays_s
        all_.claims += result.claims
        all_.frames += result.frames
        all_.took_s += result.took_s
        sys.stdout.flush()
    print(all_.row())
    return 0


def _results(
    games: Sequence[tuple[str, str, int]], options: argparse.Namespace
) -> Iterator[Played]:
    """Yield what the games come to, in their order; those not begun in time are left out."""
    until = time.monotonic() + 60 * options.minutes
    if options.processes == 1:
        for game in games:
            if time.monotonic() < until:
                yield _play_one(game, options)
        return
    with ProcessPoolExecutor(options.processes) as pool:
        running = [pool.submit(_play_in_time, game, options, until) for game in games]
        for one in running:
            if (result := one.result()) is not None:
                yield result


def _play_in_time(
    game: tuple[str, str, int], options: argparse.Namespace, until: float
) -> Played | None:
    return _play_one(game, options) if time.monotonic() < until else None


if __name__ == "__main__":
    sys.exit(main())
