"""The past games: their list, one of them in full, and taking them in and out.

Reading a thousand logs takes seconds. So a summary of each is kept, in memory and in one file
beside the games, and made anew when a game's file has changed. Where many are still to be read, a
list waits for a part of them only and says how many are left: asked again, it knows more.

Games come from other computers, so a file may be made up to take long or to fail. Each is read by
itself, in a thread that no call and not the end of the program waits for (`Aside`), while no lock
is held. A file that fails is set aside by its name, and so is one over which the program ended.
"""

from __future__ import annotations

import io
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from railspotter.scoring.errors import ScoringError
from railspotter.table.errors import TableError
from railspotter.table.game_log.course_facts import GamePackedAway
from railspotter.table.game_log.database import BESIDE, WriterClaim
from railspotter.table.game_log.errors import LogFileError, NoGameError
from railspotter.table.game_log.exports import Bundle, write_bundle
from railspotter.table.game_log.game_store import ID, SUFFIX, GameStore
from railspotter.table.game_log.log import open_reading
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.past_games.reading_mark import MOST_TRIES, ReadingMark
from railspotter.table.past_games.summaries import (
    IndexedSummary,
    Problem,
    Stamp,
    Summary,
    changed_at_s,
    read_index,
    stamp_of,
    stamps,
    summary_of,
    write_index,
)

from ..errors import DamagedGameError, GameKeptError, SlowGameError, UnfinishedGameError
from ..words.translation import json_bytes
from .aside import Aside
from .moments import moments
from .public_state import PublicGame

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")

INDEX = "history.json"  # the file of all summaries, beside the games
MARK = "history.reading"  # the file that says which game is being read for them
LONG_S = 5.0  # how long a call waits for one game: printed boards' take some hundredths of a second
# How long a list waits for the first game that was never read, whatever its patience.
LEAST_S = 0.02
PATIENCE_S = 0.12  # how long a list waits for games that were never read; chosen: nobody notices it
# A game that changed in this time probably goes on: its summary is not worth a file.
SETTLED_S = 60.0
TICK_S = 1.0  # two changes so close may bear one stamp: what was read then is read again
MOST_UNWRITTEN = 200  # summaries that a plugged out computer would make anew
MOST_KEPT = 16  # games whose moments stay in memory; each has some 100 kB


@dataclass(frozen=True)
class GameList:
    """The past games, as far as they are read."""

    games: tuple[Summary, ...]  # the newest game first
    unread: int  # how many games are still to be read, or read anew


class History:
    """The past games of a data directory. Several threads may use it at once.

    Parameters
    ----------
    store : GameStore
    patience_s : float
        How long a list may wait for games to be read.
    """

    def __init__(self, store: GameStore, *, patience_s: float = PATIENCE_S) -> None:
        self.store = store
        self._patience_s = patience_s
        self._index = store.folder / INDEX
        self._mark = ReadingMark(store.folder / MARK)
        # Nothing is read or scored while a lock is held: a slow file holds up nobody else.
        self._keeping = threading.Lock()
        self._kept: dict[str, IndexedSummary] = {}
        self._is_loaded = False
        self._unwritten = 0
        self._summing: Aside[IndexedSummary] = Aside("summaries of games")
        self._scoring: Aside[PublicGame] = Aside("past games")
        # Two, so that a game that takes minutes does not stop all: who drags through many keeps two
        # threads busy.
        self._moving: Aside[bytes] = Aside("moments of games", at_once=2)
        self._telling = threading.Lock()
        self._moments: OrderedDict[tuple[str, Stamp], bytes] = OrderedDict()

    def games(self) -> GameList:
        """Return the past games, read as far as patience reaches."""
        until = time.monotonic() + self._patience_s
        kept, unread = self._look()
        while unread:
            game, stamp = unread.pop()
            read = partial(self._read, game, stamp)
            left_s = max(until - time.monotonic(), LEAST_S)
            try:
                one = self._summing.result((game, stamp), read, left_s)
            except TimeoutError:
                unread.append((game, stamp))
                break
            with self._keeping:
                self._kept[game] = kept[game] = one
                self._unwritten += _is_settled(stamp)
            if time.monotonic() > until:
                break
        self._write(is_all=not unread)
        games = sorted((one.summary for one in kept.values()), key=lambda one: one.id)
        games.sort(key=lambda one: -one.began_at_s)
        return GameList(tuple(games), len(unread))

    def game(self, game: str) -> PublicGame:
        """Return a game without its secrets.

        Raises
        ------
        NoGameError
            When there is none of that id.
        DamagedGameError
            When it cannot be read.
        SlowGameError
            When it is still being read.
        """
        return self._wait(self._scoring, self._stamped(game), partial(self._game, game))

    def moments(self, game: str) -> bytes:
        """Return a game moment by moment, as JSON; raises as `game` does."""
        name = self._stamped(game)
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

        Raises
        ------
        NoGameError
            When there is no such game.
        DamagedGameError
            When it cannot be read.
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

        Raises
        ------
        NoGameError
            When there is none of that id.
        GameInUseError
            While it is played: a host who plays must not read the others' tickets in it.
        UnfinishedGameError
            While it is not over: it may be played on, by this host too. Also where nobody keeps
            secrets in it, for that is one.
        LogFileError
            When it cannot be read.
        """
        self.store.read(game)
        path = self.store.path(game)
        claim = WriterClaim(path)  # nobody goes on with it meanwhile either
        try:
            if not self.store.read(game).table.ended:
                raise UnfinishedGameError("this game is not over")
            return b"".join(write_bundle(path))
        finally:
            claim.give_up()

    def take_in(self, content: bytes) -> str:
        """Take over a game that was exported as a bundle, whole or not at all; return its id.

        Raises
        ------
        BundleError
            With the line that is wrong.
        GameKeptError
            When it is here already.
        LogFileError
            When it cannot be written.
        """
        bundle = Bundle(io.BytesIO(content))
        if self.store.path(bundle.id).exists():
            raise GameKeptError("this game is here already")
        self.store.add(bundle.id, bundle.events())
        return bundle.id

    def _look(self) -> tuple[dict[str, IndexedSummary], list[tuple[str, Stamp]]]:
        """Return what is known of the games that are there, and what is to be read, last first."""
        with self._keeping:
            if not self._is_loaded:
                self._kept, self._is_loaded = read_index(self._index), True
            found = self._stamps()
            kept = {game: one for game, one in self._kept.items() if game in found}
            self._unwritten += len(self._kept) - len(kept)
            self._kept = dict(kept)
            unread = [g for g, stamp in found.items() if g not in kept or kept[g].stamp != stamp]

        def order(game: str) -> tuple[bool, bool, float]:
            # The last is read first: a game that nobody knows, the newest of them, none that hurt.
            stamp = found[game]
            return not self._mark.tries(game, stamp), game not in kept, changed_at_s(stamp)

        unread.sort(key=order)
        return kept, [(game, found[game]) for game in unread]

    def _stamps(self) -> dict[str, Stamp]:
        found = stamps(self.store.folder, SUFFIX, BESIDE[0])
        return {game: stamp for game, stamp in found.items() if ID.fullmatch(game)}

    def _stamped(self, game: str) -> tuple[str, Stamp]:
        return game, stamp_of(self.store.path(game), BESIDE[0])

    def _wait(self, aside: Aside[Result], key: Hashable, work: Callable[[], Result]) -> Result:
        try:
            return aside.result(key, work, LONG_S)
        except TimeoutError as error:
            raise SlowGameError("this game is still being read: try again in a moment") from error

    def _game(self, game: str) -> PublicGame:
        try:
            return PublicGame.of(game, PublicLog.of(self.store.read(game)))
        except (LogFileError, ScoringError) as error:
            raise DamagedGameError("this game's file cannot be read") from error

    def _read(self, game: str, stamp: Stamp) -> IndexedSummary:
        if self._mark.tries(game, stamp) >= MOST_TRIES:
            return IndexedSummary(stamp, _set_aside(game, "ended"))
        self._mark.set(game, stamp)
        summary = self._summary(game)
        self._mark.clear(game)
        if time.time() - changed_at_s(stamp) < TICK_S:
            stamp = ()
        return IndexedSummary(stamp, summary)

    def _summary(self, game: str) -> Summary:
        try:
            return summary_of(game, self.store.read(game))
        except TableError:
            return _set_aside(game, "file")
        except Exception:
            # Whatever is in one file, the others are listed.
            LOG.exception("the game %s could not be summed up", game)
            return _set_aside(game, "content")

    def _write(self, *, is_all: bool) -> None:
        """Keep the summaries of games that do not change any more, where there are new ones."""
        with self._keeping:
            if self._unwritten < (1 if is_all else MOST_UNWRITTEN):
                return
            kept, self._unwritten = dict(self._kept), 0
        settled = {g: one for g, one in kept.items() if one.stamp and _is_settled(one.stamp)}
        write_index(self._index, settled)


def _set_aside(game: str, problem: Problem) -> Summary:
    return Summary(game, is_damaged=True, problem=problem)


def _is_settled(stamp: Stamp) -> bool:
    return time.time() - changed_at_s(stamp) > SETTLED_S
