"""Card Games in the data directory: each a game's text, under an id that nobody can guess."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from railspotter.scoring import GameError, game_text
from railspotter.scoring.card_game_text import CardGame, parse_card_game

from ..whole_file import write_kept
from .changes import checked_game
from .errors import CardGameError, FullError, NoCardGameError, NotWrittenError

MOST_GAMES = 500
ID = re.compile(r"[0-9a-f]{32}")
ID_BYTES = 16
"""128 random bits, as small letters and digits: file names are alike on every system."""


@dataclass(frozen=True)
class KeptGame:
    """A game on the disk; `changed_at_s` in seconds since 1970-01-01 UTC."""

    id: str
    game: CardGame
    changed_at_s: float


class CardGameStore:
    """The Card Games in a data directory. Several threads may use it at once.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "card-game" / "games"
        self._lock = threading.Lock()

    def add(self, game: CardGame) -> str:
        """Keep a new game; return its id. It is on the disk then.

        Raises
        ------
        FullError
            When there are too many games.
        NotWrittenError
            When it cannot be written.
        """
        with self._lock:
            if len(self._files()) >= MOST_GAMES:
                raise FullError("{n} games are kept already: delete old ones", n=MOST_GAMES)
            new = secrets.token_hex(ID_BYTES)
            self._write(new, game)
            return new

    def read(self, game: str) -> CardGame:
        """Return a game.

        Raises
        ------
        NoCardGameError
            When there is none of that id.
        NotWrittenError
            When its file cannot be used.
        """
        path = self._path(game)
        try:
            return checked_game(parse_card_game(path.read_bytes()))
        except FileNotFoundError as error:
            raise NoCardGameError("there is no such game") from error
        except OSError as error:
            raise NotWrittenError(
                "cannot read {path}: {error}", path=path, error=error.strerror
            ) from error
        except (GameError, CardGameError) as error:
            raise NotWrittenError("{path} is damaged: {error}", path=path, error=error) from error

    def change(self, game: str, change: Callable[[CardGame], CardGame]) -> CardGame:
        """Change a game; return what is on the disk then.

        Raises
        ------
        NoCardGameError, NotWrittenError
            As `read` does, and when it cannot be written; the old game is then still there.
        """
        with self._lock:
            changed = change(self.read(game))
            self._write(game, changed)
            return changed

    def delete(self, game: str) -> None:
        """Delete a game; raises as `read` does."""
        with self._lock:
            try:
                self._path(game).unlink()
            except FileNotFoundError as error:
                raise NoCardGameError("there is no such game") from error
            except OSError as error:
                raise NotWrittenError(
                    "cannot delete {path}: {error}", path="the game", error=error.strerror
                ) from error

    def games(self) -> list[KeptGame]:
        """Return all games that can be read, the one changed last first."""
        kept = []
        for path in self._files():
            try:
                kept.append(KeptGame(path.stem, self.read(path.stem), path.stat().st_mtime))
            except (CardGameError, OSError):
                continue
        return sorted(kept, key=lambda one: (-one.changed_at_s, one.id))

    def _files(self) -> list[Path]:
        return [path for path in self.folder.glob("*.json") if ID.fullmatch(path.stem)]

    def _path(self, game: str) -> Path:
        if not ID.fullmatch(game):
            raise NoCardGameError("there is no such game")
        return self.folder / f"{game}.json"

    def _write(self, name: str, game: CardGame) -> None:
        content = (game_text(game) + "\n").encode()
        write_kept(self._path(name), content, is_private=True, error=NotWrittenError)
