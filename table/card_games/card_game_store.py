"""Card Games in the data directory, each under a random id.

There are two kinds, each in its own folder: counted at their end (game text), and dealt to phones.

Any visitor may begin games, so guests have quotas: else one phone could fill the directory. A
guest's file name has the game's id and eight letters of a hash of the address that began it; those
of the host, of players and of this computer have no such mark, and guests never take their room. A
deleted game lies aside for a week, in the folder `deleted`.
"""

import hashlib
import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from railspotter.scoring.card_game.text import CardGame
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import game_text
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.sentence import raised_as

from ..errors import (
    CANNOT_DELETE,
    CANNOT_WRITE,
    DeletedGameError,
    GuestsFullError,
    HomeError,
    NotKeptError,
)
from ..whole_file import KeptFolder, sync_folder, write_kept
from .changes import checked_game

MOST_GAMES = 500
# Games of all guests together; the others are the host's, the players' and this computer's.
MOST_OF_GUESTS = 400
# Games of one address that changed in the last `MONTH_S`: one every evening.
MOST_OF_ONE = 30
MONTH_S = 30 * 24 * 3600.0
# When a quota is full, a guest's unfinished game that was idle for so long is deleted, the oldest
# first. Finished games stay until somebody deletes them.
IDLE_S = 24 * 3600.0
ID = re.compile(r"[0-9a-f]{32}")
# The second when it was deleted, a game's id, and the mark of the guest who began it.
FILE = re.compile(r"(?:([0-9]{1,12})-)?([0-9a-f]{32})(?:\.([0-9a-f]{8}))?\.json")
DELETED_S = 7 * 24 * 3600.0  # how long a deleted game can be brought back
ID_BYTES = 16  # 128 random bits, as small letters and digits: file names are alike on every system


class _HasEnd(Protocol):
    @property
    def final(self) -> bool: ...


Game = TypeVar("Game", bound=_HasEnd)


@dataclass(frozen=True)
class KeptGame(Generic[Game]):
    """A saved game; `changed_at_s` in seconds since 1970-01-01 UTC."""

    id: str
    game: Game
    changed_at_s: float


@dataclass(frozen=True)
class _File:
    """A game's file; `guest` is the mark of the guest who began it, empty for none."""

    path: Path
    id: str
    guest: str
    changed_at_s: float  # or deleted


class GameFolder(KeptFolder[Game]):
    """The folder of one kind of Card Games. Thread-safe.

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
            self._missing_error,
            is_private=True,
        )
        self._lock = threading.Lock()
        self._aside = folder / "deleted"
        self._forget_deleted()

    def add(self, game: Game, guest: str = "") -> str:
        """Save a new game and return its id.

        `guest` is the address of the guest who begins it; empty for the host, a player, this
        computer. Raises `GuestsFullError` when a quota of guests is full, `HomeError` when there
        are too many games, or it cannot be written.
        """
        mark = hashlib.sha256(guest.encode()).hexdigest()[:8] if guest else ""
        with self._lock:
            self._make_room(mark)
            new = secrets.token_hex(ID_BYTES)
            path = self.folder / f"{new}{mark and '.'}{mark}.json"
            write_kept(path, self.encode(game), is_private=True)
            sync_folder(self.folder)
            return new

    def kept(self, game: str) -> KeptGame[Game]:
        """Load a game with the time of its last change; raises as `load`."""
        found = self.load(game)
        with suppress(OSError):  # deleted just now
            return KeptGame(game, found, self.path(game).stat().st_mtime)
        return KeptGame(game, found, time.time())

    def change(self, game: str, change: Callable[[Game], Game]) -> Game:
        """Apply a change to a game, save it and return it.

        Raises `NotKeptError` for an unknown id, `HomeError` when its file cannot be used; the saved
        game is then unchanged.
        """
        with self._lock:
            changed = change(self.load(game))
            self.write(game, changed)
            sync_folder(self.folder)
            return changed

    def delete(self, name: str) -> None:
        """Put a game aside, from where `bring_back` takes it; raises as `load` does."""
        with self._lock:
            path = self.path(name)
            if not path.exists():
                raise self.missing(name)
            with raised_as(HomeError, OSError, CANNOT_DELETE, path=path):
                _move(path, self._aside / f"{time.time():.0f}-{path.name}")
            self._forget_deleted()

    def bring_back(self, name: str) -> Game:
        """Put a deleted game back and return it; raises as `load` and `add` do."""
        with self._lock:
            if not self.path(name).exists() and (deleted := self._deleted(name)):
                self._make_room(deleted.guest)
                with raised_as(HomeError, OSError, CANNOT_WRITE, path=deleted.path):
                    _move(deleted.path, self.folder / deleted.path.name.partition("-")[2])
        return self.load(name)

    def _missing_error(self, name: str) -> NotKeptError:
        if ID.fullmatch(name) and (deleted := self._deleted(name)):
            return DeletedGameError(deleted.changed_at_s + DELETED_S)
        return NotKeptError("there is no such game")

    def _deleted(self, name: str) -> _File | None:
        """Return a game's file among the deleted ones, of the last time that it was deleted."""
        self._forget_deleted()
        found = [one for one in self._files(self._aside) if one.id == name]
        return max(found, key=lambda one: one.changed_at_s, default=None)

    def _forget_deleted(self) -> None:
        """Remove what was deleted a week ago, and the oldest beyond the quotas of games."""
        files = sorted(self._files(self._aside), key=lambda one: -one.changed_at_s)
        counts: Counter[str | bool] = Counter()
        for one in files:
            counts.update((one.guest, bool(one.guest)))
            is_too_old = time.time() - one.changed_at_s > DELETED_S
            is_of_guest = one.guest and (
                counts[one.guest] > MOST_OF_ONE or counts[True] > MOST_OF_GUESTS
            )
            if is_too_old or is_of_guest or counts[True] + counts[False] > MOST_GAMES:
                with suppress(OSError):
                    one.path.unlink()

    def games(self) -> list[KeptGame[Game]]:
        """Return all readable games, the last changed first."""
        kept = []
        for one in self._files():
            try:
                kept.append(KeptGame(one.id, self.load(one.id), one.changed_at_s))
            except HomeError:
                continue
        return sorted(kept, key=lambda one: (-one.changed_at_s, one.id))

    def _make_room(self, guest: str) -> None:
        """Enforce the quotas before a game is added; may delete an idle guest's game."""
        now_s = time.time()
        if guest:
            own = [one for one in self._files() if one.guest == guest]
            recent = [one for one in own if now_s - one.changed_at_s < MONTH_S]
            if len(recent) >= MOST_OF_ONE and not self._delete_idle(recent, now_s):
                raise GuestsFullError(
                    "{n} games of this month were begun from here already: delete one first",
                    n=MOST_OF_ONE,
                )
            of_guests = [one for one in self._files() if one.guest]
            if len(of_guests) >= MOST_OF_GUESTS and not self._delete_idle(of_guests, now_s):
                raise GuestsFullError(
                    "guests keep {n} games here already: the host can delete old ones",
                    n=MOST_OF_GUESTS,
                )
        kept = self._files()
        if len(kept) >= MOST_GAMES and not self._delete_idle(kept, now_s):
            raise HomeError("{n} games are kept already: delete old ones", n=MOST_GAMES)

    def _delete_idle(self, files: list[_File], now_s: float) -> bool:
        """Delete the guest's unfinished game that was idle longest; return whether there was one.

        Unreadable games stay: they may be finished.
        """
        for one in sorted(files, key=lambda one: one.changed_at_s):
            if now_s - one.changed_at_s < IDLE_S:
                return False
            with suppress(HomeError, OSError):
                if one.guest and not self.load(one.id).final:
                    one.path.unlink()
                    return True
        return False

    def _files(self, folder: Path | None = None) -> list[_File]:
        files = []
        for path in (folder or self.folder).glob("*.json"):
            if named := FILE.fullmatch(path.name):
                with suppress(FileNotFoundError):  # it has just been deleted
                    at_s = float(named[1] or path.stat().st_mtime)
                    files.append(_File(path, named[2], named[3] or "", at_s))
        return files

    def names(self) -> tuple[str, ...]:
        """Return the ids of all games, in their order."""
        return tuple(sorted(one.id for one in self._files()))

    def path(self, name: str) -> Path:
        """Return the path of a game's file, which for a guest's game includes its mark."""
        path = super().path(name)
        return path if path.exists() else next(self.folder.glob(f"{name}.*.json"), path)


def _move(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    path.replace(to)
    sync_folder(path.parent)
    sync_folder(to.parent)


class CardGameStore(GameFolder[CardGame]):
    """The Card Games in a data directory that are counted at their end."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "card-game" / "games",
            lambda content: checked_game(parse_json(content, CardGame, GameError)),
            lambda game: (game_text(game) + "\n").encode(),
        )
