"""The past games: their list, their details, and their replay.

Reading a thousand logs takes seconds, so summaries are cached in files beside them. If many have to
be read, a request waits for a part of them only, and reports how many are left.

Imported files may be malicious: made to hang or crash the program. Each is read in a daemon thread
with a timeout, without holding a lock. A file that fails is listed as damaged, as is one during
which the program ended twice.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import msgspec
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.paths.longest_path import MOST_STEPS as PATH_STEPS
from railspotter.scoring.paths.longest_path import LongestPath
from railspotter.scoring.points.final_score import score_of
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import TableError
from railspotter.table.game_log.course_facts import GamePackedAway
from railspotter.table.game_log.database import WriterClaim
from railspotter.table.game_log.errors import LogFileError, NoGameError
from railspotter.table.game_log.exports import write_bundle
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import open_reading
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.game_log.table_state import TableState
from railspotter.table.past_games import summaries
from railspotter.table.past_games.people import People, as_called_now, people_file

from ..errors import DamagedGameError, SlowGameError, UnfinishedGameError
from ..words.translation import json_bytes
from .feed import merge_patch
from .public_state import Json, PublicGame, entry

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")

TIMEOUT_S = 5.0  # for one game; normal games take some hundredths of a second
LEAST_TIMEOUT_S = 0.02  # of a list for its first unread game
LIST_TIMEOUT_S = 0.12  # of a list for unread games; chosen: not noticeable
STAMP_RESOLUTION_S = 1.0  # two changes within it may have the same stamp
MOST_TRIES = 2  # readings that did not end; a single one may be a killed program
# Not the log's own message: it has the file's path, which guests must not see.
UNREADABLE = Sentence("this game's file cannot be read")
MOST_JOBS = 16  # running jobs, and finished ones whose results were not fetched
MOST_CACHED = 16  # games whose moments are cached; each has some 100 kB
# The budget of search steps for all longest paths: some seconds. A hundred claims on a printed
# board take some hundred thousand.
MOST_STEPS = 20_000_000
FEWEST_STEPS = 1_000  # for each path after that, which then may give bounds only


class BackgroundWork(Generic[Result]):
    """Runs one job at a time, or a few, in daemon threads.

    After a timeout the job goes on, and its result can be asked for again.

    >>> BackgroundWork("sums").result("1 + 1", lambda: 2, 9.0)
    2
    """

    def __init__(self, name: str, at_once: int = 1) -> None:
        self._name, self._semaphore = name, threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, Future[Result]] = {}

    def result(self, key: Hashable, work: Callable[[], Result], timeout_s: float) -> Result:
        """Return the result of the job with this key, starting it with `work` if needed.

        Raises `TimeoutError` after the timeout, or if there are too many jobs.
        """
        with self._lock:
            future = self._jobs.get(key)
            if future is None:
                if len(self._jobs) >= MOST_JOBS:  # drop results that were not fetched
                    self._jobs = {k: one for k, one in self._jobs.items() if not one.done()}
                if len(self._jobs) >= MOST_JOBS:
                    raise TimeoutError
                future = self._jobs[key] = Future()
                run = partial(self._run, future, work)
                threading.Thread(target=run, name=self._name, daemon=True).start()
        error = future.exception(timeout_s)
        with self._lock:
            if self._jobs.get(key) is future:
                del self._jobs[key]
        if error is not None:
            raise error
        return future.result()

    def _run(self, future: Future[Result], work: Callable[[], Result]) -> None:
        with self._semaphore:
            try:
                future.set_result(work())
            except BaseException as error:  # raised in `result`
                future.set_exception(error)


@dataclass(frozen=True)
class GameList:
    """The past games that have been read."""

    games: tuple[summaries.Summary, ...]  # the newest first
    unread: int  # how many games are still to be read


class History:
    """The past games of a data directory. Thread-safe.

    `list_timeout_s` is how long the list waits for games to be read.
    """

    def __init__(self, store: GameStore, *, list_timeout_s: float = LIST_TIMEOUT_S) -> None:
        self.store = store
        self.people = people_file(store.folder.parent)
        self._people_lock = threading.Lock()
        self._list_timeout_s = list_timeout_s
        # Nothing is read or scored while a lock is held, so that a slow file blocks no others.
        self._summaries_lock = threading.Lock()
        self._summaries: dict[str, summaries.KeptSummary] = {}
        self._summary_jobs = BackgroundWork[summaries.KeptSummary]("summaries of games")
        self._game_jobs = BackgroundWork[PublicGame]("past games")
        # Two at once, so that one game that takes minutes does not block all others.
        self._moments_jobs = BackgroundWork[bytes]("moments of games", at_once=2)
        self._moments: dict[Hashable, bytes] = {}

    def games(self) -> GameList:
        """Return the past games, after reading unread ones until the timeout."""
        until = time.monotonic() + self._list_timeout_s
        kept, unread = self._known_and_unread()
        while unread:
            game, stamp = unread.pop()
            left_s = max(until - time.monotonic(), LEAST_TIMEOUT_S)
            read = partial(self._read, game, stamp)
            try:
                one = self._summary_jobs.result((game, stamp), read, left_s)
            except TimeoutError:
                unread.append((game, stamp))
                break
            with self._summaries_lock:
                self._summaries[game] = kept[game] = one
            if time.monotonic() > until:
                break
        people = self.people.load_or_default()
        games = [summaries.called_now(one.summary, people) for one in kept.values() if one.summary]
        games.sort(key=lambda one: (-one.began_at_s, one.id))
        return GameList(tuple(games), len(unread))

    def change_people(self, change: Callable[[People], People]) -> None:
        """Change what is known of people, and keep it; raises `HomeError`."""
        with self._people_lock:
            self.people.save(change(self.people.load()))

    def game(self, game: str) -> PublicGame:
        """Return a game without its secrets.

        Raises `NoGameError` for an unknown id, `DamagedGameError` for a damaged file, and
        `SlowGameError` when it is still being read.
        """
        return self._wait(self._game_jobs, self._version(game), partial(self._game, game))

    def moments(self, game: str) -> bytes:
        """Return a game's moments (`moments.py`) as JSON; raises as `game`."""
        name = self._version(game)
        content = self._moments.get(name)
        if content is None:
            work = partial(self._game, game)
            content = self._wait(self._moments_jobs, name, lambda: json_bytes(moments(work())))
            if len(self._moments) >= MOST_CACHED:
                self._moments.clear()
            self._moments[name] = content
        return content

    def packed_picture(self, game: str) -> bytes | None:
        """Return the JPEG of a packed-away game's board, or None; raises as `game`."""
        path = self.store.path(game)
        if not path.is_file():
            raise NoGameError("there is no game {name!r}", name=game)
        try:
            with open_reading(path) as reading:
                state = reading.state
                packed = (
                    event.seq
                    for event in reversed(state.events)
                    if isinstance(event.fact, GamePackedAway) and event.seq not in state.undone
                )
                crops = reading.crops(next(packed, 0)) if state.table.packed_away else ()
        except LogFileError as error:
            raise DamagedGameError(UNREADABLE) from error
        return crops[0] if crops else None

    def bundle(self, game: str) -> bytes:
        """Return a game's bundle, which includes secrets.

        Raises `GameInUseError` while it is played, and `UnfinishedGameError` while it is not over:
        a host who plays must not see other players' tickets.
        """
        self.store.read(game)
        path = self.store.path(game)
        with WriterClaim(path):  # so that it cannot be resumed meanwhile
            if not self.store.read(game).table.ended:
                raise UnfinishedGameError(
                    "This game is not over, and its file tells all secrets: it can be saved here"
                    " once the game has ended."
                )
            return b"".join(write_bundle(path))

    def _known_and_unread(
        self,
    ) -> tuple[dict[str, summaries.KeptSummary], list[tuple[str, summaries.Stamp]]]:
        """Return the known summaries, and the games to read, the most urgent last."""
        found = summaries.stamps(self.store)
        with self._summaries_lock:
            kept = {game: one for game, one in self._summaries.items() if game in found}
        unread: list[tuple[tuple[bool, bool, float], str]] = []
        for game, stamp in found.items():
            if (one := kept.get(game)) is not None and one.is_of(stamp):
                continue
            one = summaries.load_summary(self.store.path(game)) or one
            if one is not None:
                kept[game] = one
                if one.is_of(stamp):
                    continue
            # The last is read first: files that have not failed, unknown ones, the newest.
            has_failed = one is not None and one.tries > 0 and one.stamp == stamp
            is_new = one is None or one.summary is None
            unread.append(((not has_failed, is_new, summaries.changed_at_s(stamp)), game))
        with self._summaries_lock:
            self._summaries = dict(kept)
        return kept, [(game, found[game]) for _, game in sorted(unread)]

    def _wait(self, of: BackgroundWork[Result], key: Hashable, do: Callable[[], Result]) -> Result:
        try:
            return of.result(key, do, TIMEOUT_S)
        except TimeoutError as error:
            raise SlowGameError(
                "Reading this game takes a while: try again in a moment."
            ) from error

    def _version(self, game: str) -> Hashable:
        """Return what identifies a game as its people are called now."""
        people = msgspec.json.encode(self.people.load_or_default())
        return game, summaries.stamp_of(self.store.path(game)), people

    def _game(self, game: str) -> PublicGame:
        try:
            told = as_called_now(self.store.read(game), self.people.load_or_default())
            found = PublicGame(game, PublicLog.of(told))
            _ = found.table.score  # cached here, within the timeout
            return found
        except (LogFileError, ScoringError) as error:
            raise DamagedGameError(UNREADABLE) from error

    def _read(self, game: str, stamp: summaries.Stamp) -> summaries.KeptSummary:
        path = self.store.path(game)
        before = summaries.load_summary(path) or summaries.KeptSummary((), None)
        tries = before.tries if before.stamp == stamp else 0
        if tries >= MOST_TRIES:
            ended = summaries.Summary(game, is_damaged=True, problem="ended")
            return summaries.KeptSummary(stamp, ended)
        summaries.save_summary(path, summaries.KeptSummary(stamp, before.summary, tries + 1))
        summary = self._summary(game)
        is_settled = time.time() - summaries.changed_at_s(stamp) >= STAMP_RESOLUTION_S
        kept = summaries.KeptSummary(stamp if is_settled else (), summary)
        summaries.save_summary(path, kept)
        return kept

    def _summary(self, game: str) -> summaries.Summary:
        problem: summaries.Problem = "file"
        try:
            return summaries.make_summary(game, self.store.read(game))
        except TableError:
            pass
        except Exception:
            # A bug with one file must not hide the others.
            LOG.exception("the game %s could not be summed up", game)
            problem = "content"
        return summaries.Summary(game, is_damaged=True, problem=problem)


def moments(game: PublicGame) -> Json:
    """Return a game's initial state, and the changes by every public event.

    `start` has `players` by seat, and `spots`; each of `moments` is a log entry with `change`, a
    JSON merge patch (RFC 7386) to the state before.
    """
    events = game.log.as_game().events
    state = begin(events[0])
    budget = _StepBudget()
    before = start = _moment(state.table, None, {}, budget)
    entries = [{**entry(game.log.events[0], game), "change": {}}]
    for shown, event in zip(game.log.events[1:], events[1:], strict=True):
        last, state = state.table, state.after(event)
        after = _moment(state.table, last, before, budget)
        entries.append({**entry(shown, game), "change": merge_patch(before, after)})
        before = after
    return {"start": start, "moments": entries}


class _StepBudget:
    """The budget of search steps; paths unchanged since the previous moment count once."""

    def __init__(self) -> None:
        self._left = MOST_STEPS
        self._counted: dict[int, LongestPath] = {}

    @property
    def steps(self) -> int:
        """The steps that the search for one path may take now."""
        return PATH_STEPS if self._left > 0 else FEWEST_STEPS

    def count(self, path: LongestPath) -> None:
        """Deduct the steps of a path's search."""
        if id(path) not in self._counted:
            self._counted[id(path)] = path
            self._left -= path.steps


def _moment(table: TableState, last: TableState | None, before: Json, budget: _StepBudget) -> Json:
    if last is not None and _score_inputs(table) == _score_inputs(last):
        return before
    players: Json = {}
    standing = score_of(table.position, budget.steps)
    for player, score in zip(table.players, standing.players, strict=True):
        budget.count(score.longest_path)
        players[player.seat] = {
            "points": score.total,
            "trains_left": score.trains_left,
            "longest_path": score.longest_path.at_least,
            "longest_path_at_most": score.longest_path.at_most,
            "path_routes": list(score.longest_path.routes),
        }
    spots = {
        spot.key: {"colour": held.colour, "by": held.by, "at_s": held.at_s, "sure": held.sure}
        for spot, held in sorted(table.spots.items())
        if held.colour is not None
    }
    return {"players": players, "spots": spots}


def _score_inputs(table: TableState) -> tuple[object, ...]:
    """Return all that a moment depends on."""
    return (table.players, table.spots, table.pins, table.tickets, table.ended)
