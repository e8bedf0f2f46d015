"""Play whole games before the live table, and compare its log with the truth, fact by fact.

    python benchmarks/play_games.py [--games 20] [--edition usa] [--kind lively] [--seed 1000]
                                    [--whole] [--processes 2] [--minutes 60] [--tell]
    python benchmarks/play_games.py --cards [--trains 20] ...
    python benchmarks/play_games.py --kind joined once [--only GLOB] ...

Ten pictures a second go through the same live table that `railspotter play` runs: it finds the
board, follows it, reads, settles, and writes an SQLite log. The clock is the game's; finding and
reading take `--finding-s` and `--reading-s` of it. Somebody answers every question after eight
seconds, as the truth is. No seed from 1000 on was looked at while limits were chosen, but for those
that docs/watching.md names. What is shown:

lively, calm, light, composed  bots' games, laid by hands: drawn ones of USA, New York and Europe
    with fumbles, pushes, cups, lamps and drifting light, and composed ones of USA and Europe, of
    trains cut from photos. Editions and kinds alternate. Stretches in which nobody moves are
    skipped, and while hands are over the board two pictures a second are taken, unless `--whole`
--cards  such games with cards on phones (live/cards.py), which have to end with the same score
joined, drawn  real photos that tremble, drift and are noisy: a game begins on a half-played board.
    What is read is confirmed as it is shown; then arms pass over it. Read with the photo of an
    empty board, of another shoot where there is one, or with the fingerprint's drawing alone
once, steps  a game begins on the empty board of the photo's shoot, in its place and light; an arm
    passes over it, and behind it lies everything that is in the photo, at once or in three steps

`wrong` facts are the camera's that were not true; `joined` are routes wrong in what people were
shown to confirm; `final` is what the log has otherwise than the board at the end, and `silent` what
of it nobody was ever asked about; `astray` are pictures in which the board was taken to lie more
than 3 mm from where it lay, by its worst corner, pushes and turns included.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
from railspotter.calibration.geometry import outline_mm
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed, TakenBack
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.commands import Action, ConfirmJoining, Correct
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState

from live.cards import CardPhones, CardResult, card_game_start, make_card_scene
from live.clock import SimExecutor, SimGrabber
from live.games import GameScene
from live.photos import STREAMS, PhotoScene, choose_photos
from photos.judgement import worst_corner_mm
from photos.labelled import GROUND_PHOTOS

FRAME_S = 0.1
START_S = 1790000000.0
ANSWER_DELAY_S = 8.0  # so long after it was asked a question is answered
SKIP_DELAY_S = 0.8  # so long after the last movement still stretches are skipped
SKIP_MARGIN_S = 0.4  # so long before the next movement they end
HANDS_FRAME_S = 0.5  # the time between two pictures while hands are over the board
# So long after the last movement the game is ended, and its board looked over once more.
END_DELAY_S = 3.0
LATE_S = 3.0
ASTRAY_MM = 3.0
GAMES = (
    ("usa", "lively"),
    ("usa", "composed"),
    ("europe", "lively"),
    ("europe", "composed"),
    ("newyork", "lively"),
)
AnyScene = GameScene | PhotoScene
TABLE_HEAD = (
    f"{'game':34} claims  final silent  wrong joined  asked needless  median    p95"
    " astray frames   took"
)


@dataclass
class GameResult:
    """The result of one game."""

    name: str
    claims: int = 0
    wrong: list[str] = field(default_factory=list)
    joined: list[str] = field(default_factory=list)
    final: list[str] = field(default_factory=list)
    silent: int = 0
    late: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    needless: int = 0
    # From the hand's leaving the board to the event.
    delays_s: list[float] = field(default_factory=list)
    astray: int = 0
    frames: int = 0
    took_s: float = 0.0
    cards: CardResult = field(default_factory=CardResult)

    def add(self, other: "GameResult") -> None:
        """Add another game's figures."""
        for name in ("claims", "silent", "needless", "astray", "frames", "took_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("wrong", "joined", "final", "late", "questions", "delays_s"):
            getattr(self, name).extend(getattr(other, name))

    def row(self) -> str:
        """Format the figures as a row."""
        delays = np.array(self.delays_s or [np.nan])
        score = "" if not self.cards.scores else " equal" if self.cards.is_right else " OTHER"
        return (
            f"{self.name:34} {self.claims:6} {len(self.final):6} {self.silent:6}"
            f" {len(self.wrong):6} {len(self.joined):6} {len(self.questions):6}"
            f" {self.needless:8} {np.median(delays):7.2f} {np.quantile(delays, 0.95):6.2f}"
            f" {self.astray:6} {self.frames:6} {self.took_s:6.0f}{score}"
        )

    def details(self) -> Iterator[str]:
        """Yield the details of what the figures count."""
        for title in ("wrong", "joined", "final", "late", "questions"):
            yield from (f"    {title}: {words}" for words in getattr(self, title))
        for title in ("wrong_paid", "offered", "tapped"):
            yield from (f"    {title}: {words}" for words in getattr(self.cards, title))
        if not self.cards.is_right:
            yield f"    scores: {self.cards.scores}"


def play_scene(scene: AnyScene, name: str, options: argparse.Namespace) -> GameResult:
    """Play a game before a live table; with cards on phones where the options say so."""
    result, began = GameResult(name), time.process_time()
    work = SimExecutor(lambda fn: options.reading_s if fn.__name__ == "read" else options.finding_s)
    pictures = SimGrabber()
    started = GameStarted(scene.edition, tuple(Player(c, c) for c in scene.colours))
    if options.cards and isinstance(scene, GameScene):
        started = card_game_start(scene)
    with (
        tempfile.TemporaryDirectory() as folder,
        GameStore(Path(folder)).create(started, START_S) as log,
    ):
        phones = None
        if options.cards and isinstance(scene, GameScene):
            phones = CardPhones(scene, log, options.seed, result.cards)
        live = LiveTable(
            log,
            cast(Grabber, pictures),
            scene.profile,
            clock=lambda: START_S + work.now_s,
            work=work,
        )
        checker = _LogChecker(scene, result, work, options.tell)
        live.subscribe(checker.update)
        until_s = min(options.until, scene.duration_s + scene.watch_after_s)
        for t_s in _frame_times(scene, live, work, until_s, skips=not options.whole):
            work.set_time(t_s)
            result.frames += 1
            picture, corners_px = scene.take(t_s)
            pictures.frame = Frame(picture, t_s, result.frames)
            if phones is not None:
                phones.make_possible_moves(live, t_s)
            live.process_next_frame()
            if corners_px is not None and live.sighted is not None:
                pose = live.sighted[1]
                found_px = pose.seen_at(outline_mm(pose.size_mm))
                off_mm = worst_corner_mm(found_px, corners_px, pose.size_mm)
                result.astray += off_mm > ASTRAY_MM
            if phones is not None:
                phones.record_offers(t_s)
            if live.view.sight.joining is not None:
                checker.check_confirmed(live.view)
                live.execute(ConfirmJoining())
            if scene.ends_game and t_s >= scene.duration_s + END_DELAY_S:
                live.execute(Action.END)
            for spot in checker.due_questions():
                live.execute(Correct(spot, scene.truth(t_s).get(spot)))
        if phones is not None:
            phones.compare_scores(live)
        checker.compare_final(live.view, until_s)
    result.took_s = time.process_time() - began
    return result


def _frame_times(
    scene: AnyScene, live: LiveTable, work: SimExecutor, until_s: float, *, skips: bool
) -> Iterator[float]:
    """Yield the times of frames."""
    starts, over_board = scene.movement_starts(), scene.hand_intervals() if skips else []
    t_s = moved_s = 0.0
    while t_s < until_s or (live.view.questions and t_s < until_s + scene.question_wait_s):
        yield t_s
        left_s = next((b - t_s for a, b in over_board if a < t_s < b), 0.0)
        t_s = round(t_s + max(FRAME_S, min(HANDS_FRAME_S, left_s)), 1)
        ahead = starts[np.searchsorted(starts, t_s) :]
        next_s = float(ahead[0]) if len(ahead) else until_s
        if not scene.is_still_at(t_s) or next_s - t_s < SKIP_MARGIN_S:
            moved_s = t_s
        is_quiet = (
            work.is_idle and not live.view.questions and live.view.sight.state is WatchState.SETTLED
        )
        is_over = t_s >= scene.duration_s
        if skips and is_quiet and not is_over and t_s - moved_s > SKIP_DELAY_S:
            t_s = round(max(t_s, min(next_s, until_s) - SKIP_MARGIN_S), 1)


class _LogChecker:
    """Compares a live table's log with the truth."""

    def __init__(self, scene: AnyScene, result: GameResult, work: SimExecutor, tell: bool) -> None:
        self._scene, self._result, self._work, self._tell = scene, result, work, tell
        self._appeared: list[tuple[float, str]] = []
        self._asked: dict[Spot, float] = {}
        self._ever_asked: set[Spot] = set()

    def update(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Process an update of the table."""
        t_s = self._work.now_s
        for event in events:
            match event.fact:
                case Placed(by="camera", colour=colour) as fact:
                    self._appeared.append((t_s, fact.spot.id))
                    is_wrong = not self._scene.is_true(fact.spot, colour, t_s)
                    self._record(f"{fact.spot.id} {colour} {fact.sure:.3f}", is_wrong=is_wrong)
                case TakenBack(by="camera") as fact:
                    is_wrong = not self._scene.is_true(fact.spot, None, t_s)
                    self._record(f"{fact.spot.id} withdrawn: {fact.why}", is_wrong=is_wrong)
                case Corrected(now=now) as fact:
                    self._appeared.append((t_s, fact.spot.id))
                    self._record(f"{fact.spot.id} answered: {now}", is_wrong=False)
        for question in view.questions:
            spot, doubt = question.spot, question.doubt
            if spot not in self._asked:
                self._asked[spot] = t_s
                self._ever_asked.add(spot)
                is_ = self._scene.truth(t_s).get(spot)
                self._result.needless += view.game.table.held.get(spot) == is_
                words = f"{t_s:7.1f} {spot.id}: {doubt.said}? {doubt.why}; is {is_}"
                self._result.questions.append(words)
                if self._tell:
                    print("asked", words, flush=True)
        open_ = {question.spot for question in view.questions}
        self._asked = {spot: asked_s for spot, asked_s in self._asked.items() if spot in open_}

    def due_questions(self) -> list[Spot]:
        """Return the questions to be answered now."""
        now_s = self._work.now_s
        return [spot for spot, asked_s in self._asked.items() if now_s >= asked_s + ANSWER_DELAY_S]

    def check_confirmed(self, view: TableView) -> None:
        """Process what people confirmed that nobody saw being placed."""
        joining, now_s = view.sight.joining, self._work.now_s
        shown = joining.board if joining else {}
        self._result.joined += (
            words
            for spot, words in self._differences(shown, now_s).items()
            if not self._scene.is_true(spot, shown.get(spot), now_s)
        )

    def _differences(self, pieces: Mapping[Spot, str], t_s: float) -> dict[Spot, str]:
        """Return the differences from the true board, in words."""
        truth = self._scene.truth(t_s)
        return {
            spot: f"{spot.id}: {pieces.get(spot)}, is {truth.get(spot)}"
            for spot in sorted(truth.keys() | pieces.keys())
            if self._scene.is_known(spot) and truth.get(spot) != pieces.get(spot)
        }

    def compare_final(self, view: TableView, until_s: float) -> None:
        """Compare the final states, and compute each claim's delay."""
        result, final = self._result, self._differences(dict(view.game.table.held), until_s)
        result.final += final.values()
        result.silent = len(final.keys() - self._ever_asked)
        for name, since_s, left_s in self._scene.claims(until_s):
            result.claims += 1
            seen = [t_s for t_s, what in self._appeared if what == name and t_s >= since_s]
            late = [max(t_s - left_s, 0.0) for t_s in seen[:1]]
            result.delays_s += late
            if late and late[0] > LATE_S:
                result.late.append(f"{left_s:7.1f} {name}, {late[0]:.1f} s late")

    def _record(self, words: str, *, is_wrong: bool) -> None:
        words = f"{self._work.now_s:7.1f} {words}"
        if is_wrong:
            self._result.wrong.append(words)
        if self._tell:
            print("WRONG" if is_wrong else "right", words, flush=True)


@dataclass(frozen=True)
class GamePlan:
    """The game to be played."""

    edition: str
    kind: str
    seed: int
    photo: str = ""  # of the kinds that show photos

    def play(self, options: argparse.Namespace, until: float) -> GameResult | None:
        """Play it; None if the time for starting is over."""
        if time.monotonic() > until:
            return None
        size_wh = tuple(options.size)
        options = argparse.Namespace(**{**vars(options), "seed": self.seed})
        scene: AnyScene
        if self.photo:
            (photo,) = choose_photos(self.photo)
            name, scene = self.photo, PhotoScene.from_photo(photo, self.kind, size_wh[0])
        else:
            name, edition = f"{self.edition} {self.seed}", load_edition(self.edition)
            if options.trains:
                edition = edition.with_house_rules({"trains": min(options.trains, edition.trains)})
            if options.cards:
                scene = make_card_scene(edition, self.kind, self.seed, size_wh)
            elif self.kind == "composed":
                scene = GameScene.compose(edition, self.seed, size_wh)
            else:
                scene = GameScene.draw(edition, self.kind, self.seed, size_wh)
        return play_scene(scene, f"{name} {self.kind}", options)


def choose_games(options: argparse.Namespace) -> list[GamePlan]:
    """Return what is asked for."""
    asked = [kind for kind in options.kind if kind in STREAMS]
    photos = [
        GamePlan(photo.board, kind, 1, photo.path.stem)
        for photo in (choose_photos(options.only, options.edition) if asked else ())
        for kind in asked
        if kind in ("joined", "drawn") or photo.shoot in GROUND_PHOTOS
    ]
    if photos:
        return photos
    alternating = [
        (edition, kind)
        for edition, kind in GAMES
        if options.edition in (None, edition) and kind in (options.kind or [kind])
    ] or [(options.edition or "usa", next(iter(options.kind), "lively"))]
    return [
        GamePlan(*alternating[i % len(alternating)], options.seed + i) for i in range(options.games)
    ]


def parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--edition", help="this one only")
    parser.add_argument(
        "--kind", nargs="+", default=[], choices=("lively", "composed", "calm", "light", *STREAMS)
    )
    parser.add_argument("--cards", action="store_true", help="with cards on phones")
    parser.add_argument("--only", default="*", metavar="GLOB", help="photos of such names")
    parser.add_argument("--seed", type=int, default=1000, help="of the first game")
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 720))
    parser.add_argument("--trains", type=int, help="of each player, for shorter games")
    parser.add_argument("--until", type=float, default=np.inf, help="seconds of each game")
    parser.add_argument("--reading-s", type=float, default=0.4)
    parser.add_argument("--finding-s", type=float, default=0.4)
    parser.add_argument("--whole", action="store_true", help="skip nothing")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no game after that")
    parser.add_argument("--tell", action="store_true", help="print what is written down, when")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print a line for each, then the sum."""
    options = parse_options(argv)
    print(TABLE_HEAD, flush=True)
    all_, until = GameResult("all"), time.monotonic() + 60 * options.minutes
    with ProcessPoolExecutor(options.processes) as pool:
        for running in [pool.submit(game.play, options, until) for game in choose_games(options)]:
            if (result := running.result()) is not None:
                print(result.row(), *result.details(), sep="\n", flush=True)
                all_.add(result)
    print(all_.row())
    return 0


if __name__ == "__main__":
    sys.exit(main())
