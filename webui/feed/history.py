"""The past games: their list, one of them in full, and taking them in and out.

Reading a thousand logs takes seconds. So a summary of each is kept, in memory and in one file
beside the games, and made anew when a game's file has changed. Where many are still to be read, a
list waits for a part of them only and says how many are left: asked again, it knows more.
"""

from __future__ import annotations

import io
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from railspotter.scoring import ScoringError
from railspotter.table.errors import TableError
from railspotter.table.game_log import (
    BESIDE,
    ID,
    SUFFIX,
    Bundle,
    GameStore,
    LogFileError,
    WriterClaim,
    write_bundle,
)
from railspotter.table.past_games import (
    IndexedSummary,
    Stamp,
    Summary,
    changed_at_s,
    read_index,
    stamp_of,
    stamps,
    summary_of,
    write_index,
)

from ..errors import DamagedGameError, GameKeptError
from ..words import json_bytes
from .moments import moments
from .public_log import PublicLog
from .public_state import PublicGame

INDEX = "history.json"
"""The file of all summaries, beside the games."""
PATIENCE_S = 0.12
"""How long a list waits for games that were never read; chosen: nobody notices it."""
SETTLED_S = 60.0
"""A game that changed in this time probably goes on: its summary is not worth a file."""
TICK_S = 1.0
"""Two changes so close may bear one stamp: what was read then is read again."""
MOST_UNWRITTEN = 200
"""Summaries that a plugged out computer would make anew."""
MOST_KEPT = 16
"""Games whose moments stay in memory; each has some 100 kB."""


@dataclass(frozen=True)
class GameList:
    """The past games, as far as they are read.

    Attributes
    ----------
    games : tuple of Summary
        The newest game first.
    unread : int
        How many games are still to be read, or read anew.
    """

    games: tuple[Summary, ...]
    unread: int


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
        self._reading = threading.Lock()
        self._index = store.folder / INDEX
        self._kept: dict[str, IndexedSummary] | None = None
        self._unwritten = 0
        self._telling = threading.Lock()
        self._moments: OrderedDict[tuple[str, Stamp], bytes] = OrderedDict()

    def games(self) -> GameList:
        """Return the past games, read as far as patience reaches."""
        with self._reading:
            if self._kept is None:
                self._kept = read_index(self._index)
            found = self._stamps()
            kept = {game: one for game, one in self._kept.items() if game in found}
            unread = [g for g, stamp in found.items() if g not in kept or kept[g].stamp != stamp]
            # The last is read first: a game that nobody knows, the newest of them.
            unread.sort(key=lambda game: (game not in kept, changed_at_s(found[game])))
            until = time.monotonic() + self._patience_s
            while unread:
                game = unread.pop()
                kept[game] = self._read(game, found[game])
                self._unwritten += _is_settled(found[game])
                if time.monotonic() > until:
                    break
            self._unwritten += len(self._kept.keys() - kept.keys())
            self._kept = kept
            if self._unwritten >= (MOST_UNWRITTEN if unread else 1):
                self._write(kept)
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
        """
        try:
            return PublicGame.of(game, PublicLog.of(self.store.read(game)))
        except (LogFileError, ScoringError) as error:
            raise DamagedGameError("this game's file cannot be read") from error

    def moments(self, game: str) -> bytes:
        """Return a game moment by moment, as JSON; raises as `game` does."""
        with self._telling:  # who drags through many games keeps one thread busy, not all
            name = (game, stamp_of(self.store.path(game), BESIDE[0]))
            if name not in self._moments:
                self._moments[name] = json_bytes(moments(self.game(game)))
            self._moments.move_to_end(name)
            while len(self._moments) > MOST_KEPT:
                self._moments.popitem(last=False)
            return self._moments[name]

    def bundle(self, game: str) -> bytes:
        """Return a game's bundle, secrets and all.

        Raises
        ------
        NoGameError
            When there is none of that id.
        GameInUseError
            While it is played: a host who plays must not read the others' tickets in it.
        LogFileError
            When it cannot be read.
        """
        self.store.read(game)
        path = self.store.path(game)
        claim = WriterClaim(path)  # nobody goes on with it meanwhile either
        try:
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

    def _stamps(self) -> dict[str, Stamp]:
        found = stamps(self.store.folder, SUFFIX, BESIDE[0])
        return {game: stamp for game, stamp in found.items() if ID.fullmatch(game)}

    def _read(self, game: str, stamp: Stamp) -> IndexedSummary:
        if time.time() - changed_at_s(stamp) < TICK_S:
            stamp = ()
        return IndexedSummary(
            stamp, _or_damaged(game, lambda: summary_of(game, self.store.read(game)))
        )

    def _write(self, kept: dict[str, IndexedSummary]) -> None:
        settled = {g: one for g, one in kept.items() if one.stamp and _is_settled(one.stamp)}
        write_index(self._index, settled)
        self._unwritten = 0


def _or_damaged(game: str, read: Callable[[], Summary]) -> Summary:
    try:
        return read()
    except (TableError, ScoringError):
        return Summary(game, is_damaged=True)


def _is_settled(stamp: Stamp) -> bool:
    return time.time() - changed_at_s(stamp) > SETTLED_S
