"""The past games: their list, one of them in full, and taking them in and out.

Reading a thousand logs takes seconds. So a summary of each is kept beside it, and made anew when
the game's file has changed. Where many are still to be read, a list waits for a part of them only
and says how many are left: asked again, it knows more.

Games come from other computers, so a file may be made up to take long or to fail. Each is read by
itself, in a thread that no call and not the end of the program waits for, while no lock is held. A
file that fails is set aside by its name, and so is one over which the program ended twice.
"""

from __future__ import annotations

import io
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from railspotter.scoring.errors import ScoringError
from railspotter.table.errors import TableError
from railspotter.table.game_log.course_facts import GamePackedAway
from railspotter.table.game_log.database import WriterClaim
from railspotter.table.game_log.errors import LogFileError, NoGameError
from railspotter.table.game_log.exports import Bundle, write_bundle
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import open_reading
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.past_games import summaries

from ..errors import DamagedGameError, GameKeptError, SlowGameError, UnfinishedGameError
from ..words.translation import json_bytes
from .background_work import BackgroundWork
from .moments import moments
from .public_state import PublicGame

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")

LONG_S = 5.0  # how long a call waits for one game: printed boards' take some hundredths of a second
# How long a list waits for the first game that was never read, whatever its patience.
LEAST_S = 0.02
PATIENCE_S = 0.12  # how long a list waits for games that were never read; chosen: nobody notices it
TICK_S = 1.0  # two changes so close may bear one stamp: what was read then is read again
MOST_TRIES = 2  # readings that did not end; one may be chance: the program was killed
MOST_KEPT = 16  # games whose moments stay in memory; each has some 100 kB


@dataclass(frozen=True)
class GameList:
    """The past games, as far as they are read."""

    games: tuple[summaries.Summary, ...]  # the newest game first
    unread: int  # how many games are still to be read, or read anew


class History:
    """The past games of a data directory. Several threads may use it at once.

    A list may wait for `patience_s` for games to be read.
    """

    def __init__(self, store: GameStore, *, patience_s: float = PATIENCE_S) -> None:
        self.store = store
        self._patience_s = patience_s
        # Nothing is read or scored while a lock is held: a slow file holds up nobody else.
        self._keeping = threading.Lock()
        self._kept: dict[str, summaries.KeptSummary] = {}
        self._summing: BackgroundWork[summaries.KeptSummary] = BackgroundWork("summaries of games")
        self._scoring: BackgroundWork[PublicGame] = BackgroundWork("past games")
        # Two, so that a game that takes minutes does not stop all: who drags through many keeps two
        # threads busy.
        self._moving: BackgroundWork[bytes] = BackgroundWork("moments of games", at_once=2)
        self._telling = threading.Lock()
        self._moments: OrderedDict[tuple[str, summaries.Stamp], bytes] = OrderedDict()
        for name in ("history.json", "history.reading"):  # of older programs
            with suppress(OSError):
                (store.folder / name).unlink(missing_ok=True)

    def games(self) -> GameList:
        """Return the past games, read as far as patience reaches."""
        until = time.monotonic() + self._patience_s
        kept, unread = self._look()
        while unread:
            game, stamp = unread.pop()
            left_s = max(until - time.monotonic(), LEAST_S)
            try:
                one = self._summing.result((game, stamp), partial(self._read, game, stamp), left_s)
            except TimeoutError:
                unread.append((game, stamp))
                break
            with self._keeping:
                self._kept[game] = kept[game] = one
            if time.monotonic() > until:
                break
        games = [one.summary for one in kept.values() if one.summary is not None]
        games.sort(key=lambda one: (-one.began_at_s, one.id))
        return GameList(tuple(games), len(unread))

    def game(self, game: str) -> PublicGame:
        """Return a game without its secrets.

        Raises `NoGameError` when there is none of that id, `DamagedGameError` when it cannot be
        read, and `SlowGameError` when it is still being read.
        """
        name = game, summaries.stamp_of(self.store.path(game))
        return self._wait(self._scoring, name, partial(self._game, game))

    def moments(self, game: str) -> bytes:
        """Return a game moment by moment, as JSON; raises as `game` does."""
        name = game, summaries.stamp_of(self.store.path(game))
        with self._telling:
            if name in self._moments:
                self._moments.move_to_end(name)
                return self._moments[name]
        told = self._wait(self._moving, name, lambda: json_bytes(moments(self._game(game))))
        with self._telling:
            self._moments[name] = told
            while len(self._moments) > MOST_KEPT:
                self._moments.popitem(last=False)
        return told

    def packed_picture(self, game: str) -> bytes | None:
        """Return the board of a game as it was packed away, a JPEG; None where there is none.

        Raises as `game` does.
        """
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
            raise DamagedGameError("this game's file cannot be read") from error
        return crops[0] if crops else None

    def bundle(self, game: str) -> bytes:
        """Return a game's bundle, secrets and all.

        Raises `GameInUseError` while it is played, for a host who plays must not read the others'
        tickets in it, and `UnfinishedGameError` while it is not over: it may be played on, by this
        host too. Also where nobody keeps secrets in it, for that is one.
        """
        self.store.read(game)
        path = self.store.path(game)
        with WriterClaim(path):  # nobody goes on with it meanwhile either
            if not self.store.read(game).table.ended:
                raise UnfinishedGameError("this game is not over")
            return b"".join(write_bundle(path))

    def take_in(self, content: bytes) -> str:
        """Take over a game that was exported as a bundle, whole or not at all; return its id.

        Raises `BundleError` with the line that is wrong, `GameKeptError` when it is here already.
        """
        bundle = Bundle(io.BytesIO(content))
        if self.store.path(bundle.id).exists():
            raise GameKeptError("this game is here already")
        self.store.add(bundle.id, bundle.events())
        return bundle.id

    def _look(self) -> tuple[dict[str, summaries.KeptSummary], list[tuple[str, summaries.Stamp]]]:
        """Return what is known of the games that are there, and what is to be read, last first."""
        found = summaries.stamps(self.store.folder)
        with self._keeping:
            kept = {game: one for game, one in self._kept.items() if game in found}
        unread: list[tuple[tuple[bool, bool, float], str]] = []
        for game, stamp in found.items():
            if (one := kept.get(game)) is not None and one.is_of(stamp):
                continue
            one = summaries.load_summary(self.store.path(game)) or one
            if one is not None:
                kept[game] = one
                if one.is_of(stamp):
                    continue
            # The last is read first: a game that nobody knows, the newest of them, none that hurt.
            hurts = one is not None and one.tries > 0 and one.stamp == stamp
            is_new = one is None or one.summary is None
            unread.append(((not hurts, is_new, summaries.changed_at_s(stamp)), game))
        with self._keeping:
            self._kept = dict(kept)
        return kept, [(game, found[game]) for _, game in sorted(unread)]

    def _wait(
        self, background: BackgroundWork[Result], key: Hashable, work: Callable[[], Result]
    ) -> Result:
        try:
            return background.result(key, work, LONG_S)
        except TimeoutError as error:
            raise SlowGameError("this game is still being read: try again in a moment") from error

    def _game(self, game: str) -> PublicGame:
        try:
            found = PublicGame(game, PublicLog.of(self.store.read(game)))
            _ = found.table.score  # here, where it may take its time
            return found
        except (LogFileError, ScoringError) as error:
            raise DamagedGameError("this game's file cannot be read") from error

    def _read(self, game: str, stamp: summaries.Stamp) -> summaries.KeptSummary:
        path = self.store.path(game)
        before = summaries.load_summary(path) or summaries.KeptSummary((), None)
        tries = before.tries if before.stamp == stamp else 0
        if tries >= MOST_TRIES:
            return summaries.KeptSummary(stamp, _set_aside(game, "ended"))
        summaries.save_summary(path, summaries.KeptSummary(stamp, before.summary, tries + 1))
        summary = self._summary(game)
        is_settled = time.time() - summaries.changed_at_s(stamp) >= TICK_S
        kept = summaries.KeptSummary(stamp if is_settled else (), summary)
        summaries.save_summary(path, kept)
        return kept

    def _summary(self, game: str) -> summaries.Summary:
        try:
            return summaries.make_summary(game, self.store.read(game))
        except TableError:
            return _set_aside(game, "file")
        except Exception:
            # Whatever is in one file, the others are listed.
            LOG.exception("the game %s could not be summed up", game)
            return _set_aside(game, "content")


def _set_aside(game: str, problem: summaries.Problem) -> summaries.Summary:
    return summaries.Summary(game, is_damaged=True, problem=problem)
