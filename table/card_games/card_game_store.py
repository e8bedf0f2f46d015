"""Card Games in the data directory, each under an id that nobody can guess.

They are of two kinds, each in its own folder: counted at their end, as the game's text, and dealt.

Whoever opens the page may begin games, so guests have room for few: else one phone could fill the
directory for everybody. The file of a guest's game is named after its id and after the address that
began it, as eight letters of a hash; those of the host, of players and of this computer have no
such mark, and guests never take their room.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from railspotter.scoring.card_game.text import CardGame, parse_card_game
from railspotter.scoring.game import game_text

from ..whole_file import KeptFolder, sync_folder, write_kept
from .changes import checked_game, with_bonuses_once
from .errors import CardGameError, FullError, GuestsFullError, NoCardGameError, NotWrittenError

MOST_GAMES = 500
# Games that guests began; the others are the host's, the players' and this computer's.
MOST_OF_GUESTS = 400
# Games that one address began and that changed in the last `MONTH_S`: one every evening.
MOST_OF_ONE = 30
MONTH_S = 30 * 24 * 3600.0
# A guest's game that has no end and was not changed for so long makes room, the oldest first, when
# there is no other. One that was counted to its end stays until somebody deletes it.
IDLE_S = 24 * 3600.0
ID = re.compile(r"[0-9a-f]{32}")
# A game's id, and whose it is where a guest began it.
FILE = re.compile(r"([0-9a-f]{32})(?:\.([0-9a-f]{8}))?\.json")
ID_BYTES = 16  # 128 random bits, as small letters and digits: file names are alike on every system


class _Ending(Protocol):
    @property
    def final(self) -> bool: ...


Game = TypeVar("Game", bound=_Ending)


@dataclass(frozen=True)
class KeptGame(Generic[Game]):
    """A game on the disk; `changed_at_s` in seconds since 1970-01-01 UTC."""

    id: str
    game: Game
    changed_at_s: float


@dataclass(frozen=True)
class _File:
    """A game's file; `guest` is the mark of who began it, empty for none."""

    path: Path
    id: str
    guest: str
    changed_at_s: float


class GameFolder(KeptFolder[Game]):
    """Card Games of one kind. Several threads may use it at once.

    The folder need not exist yet. `decode` raises a `StatedError` for damage.
    """

    def __init__(
        self, folder: Path, decode: Callable[[bytes], Game], encode: Callable[[Game], bytes]
    ) -> None:
        super().__init__(
            folder,
            ID.fullmatch,
            decode,
            encode,
            lambda _: NoCardGameError("there is no such game"),
            is_private=True,
            error=NotWrittenError,
        )
        self._lock = threading.Lock()

    def add(self, game: Game, guest: str = "") -> str:
        """Keep a new game; return its id. It is on the disk then.

        `guest` is the address of the guest who begins it; empty for the host, a player, this
        computer. Raises `GuestsFullError` when this guest, or all guests together, have too many
        games, `FullError` when there are too many games, `NotWrittenError` when it cannot be
        written.
        """
        mark = hashlib.sha256(guest.encode()).hexdigest()[:8] if guest else ""
        with self._lock:
            self._make_room(mark)
            new = secrets.token_hex(ID_BYTES)
            path = self.folder / f"{new}{mark and '.'}{mark}.json"
            write_kept(path, self.encode(game), is_private=True, error=NotWrittenError)
            sync_folder(self.folder)
            return new

    def kept(self, game: str) -> KeptGame[Game]:
        """Return a game with when it last changed; errors are those of `load`."""
        found = self.load(game)
        with suppress(OSError):  # deleted just now
            return KeptGame(game, found, self.path(game).stat().st_mtime)
        return KeptGame(game, found, time.time())

    def change(self, game: str, change: Callable[[Game], Game]) -> Game:
        """Change a game; return what is on the disk then.

        Raises `NoCardGameError` when there is none of that id, `NotWrittenError` when its file
        cannot be used or written; the old game is then still there.
        """
        with self._lock:
            changed = change(self.load(game))
            self.write(game, changed)
            sync_folder(self.folder)
            return changed

    def delete(self, name: str, called: str = "the game") -> None:
        """Delete a game; raises as `load` does."""
        with self._lock:
            super().delete(name, called)

    def games(self) -> list[KeptGame[Game]]:
        """Return all games that can be read, the one changed last first."""
        kept = []
        for one in self._files():
            try:
                kept.append(KeptGame(one.id, self.load(one.id), one.changed_at_s))
            except CardGameError:
                continue
        return sorted(kept, key=lambda one: (-one.changed_at_s, one.id))

    def _make_room(self, guest: str) -> None:
        """See to it that one more fits, of a guest where there is a mark."""
        now_s = time.time()
        if guest:
            own = [one for one in self._files() if one.guest == guest]
            newer = [one for one in own if now_s - one.changed_at_s < MONTH_S]
            if len(newer) >= MOST_OF_ONE and not self._drop_idle(newer, now_s):
                raise GuestsFullError(
                    "{n} games of this month were begun from here already: delete one first",
                    n=MOST_OF_ONE,
                )
            of_guests = [one for one in self._files() if one.guest]
            if len(of_guests) >= MOST_OF_GUESTS and not self._drop_idle(of_guests, now_s):
                raise GuestsFullError(
                    "guests keep {n} games here already: the host can delete old ones",
                    n=MOST_OF_GUESTS,
                )
        kept = self._files()
        if len(kept) >= MOST_GAMES and not self._drop_idle(kept, now_s):
            raise FullError("{n} games are kept already: delete old ones", n=MOST_GAMES)

    def _drop_idle(self, files: list[_File], now_s: float) -> bool:
        """Delete the guest's game that was left alone for the longest; tell whether there is one.

        One that cannot be read is not known to have no end.
        """
        for one in sorted(files, key=lambda one: one.changed_at_s):
            if now_s - one.changed_at_s < IDLE_S:
                return False
            with suppress(CardGameError, OSError):
                if one.guest and not self.load(one.id).final:
                    one.path.unlink()
                    return True
        return False

    def _files(self) -> list[_File]:
        files = []
        for path in self.folder.glob("*.json"):
            if named := FILE.fullmatch(path.name):
                with suppress(FileNotFoundError):  # it has just been deleted
                    files.append(_File(path, named[1], named[2] or "", path.stat().st_mtime))
        return files

    def names(self) -> tuple[str, ...]:
        """Return the ids of all games, in their order."""
        return tuple(sorted(one.id for one in self._files()))

    def path(self, name: str) -> Path:
        """Return a game's file, or where it would be; a guest's is found without its mark."""
        path = super().path(name)
        return path if path.exists() else next(self.folder.glob(f"{name}.*.json"), path)


class CardGameStore(GameFolder[CardGame]):
    """The Card Games of a data directory that are counted at their end."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "card-game" / "games",
            lambda content: checked_game(with_bonuses_once(parse_card_game(content))),
            lambda game: (game_text(game) + "\n").encode(),
        )
