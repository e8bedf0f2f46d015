"""The user's deck: typed in once, kept as a deck file in the data directory."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

from railspotter.scoring.card_game.text import Deck, parse_deck
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import game_text

from ..whole_file import read_kept, write_kept
from .deck_table import checked_deck
from .errors import ChangedError, NotWrittenError

NO_DECK = ""  # what `seen` is before there is a deck


class DeckFile:
    """The deck in a data directory. Several threads may use it at once.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "card-game" / "deck.json"
        self._lock = threading.Lock()

    def read(self) -> tuple[Deck, str]:
        """Return the deck, an empty one at first, and what names this state of it.

        Raises
        ------
        NotWrittenError
            When its file cannot be used.
        """
        content = self._content()
        if content is None:
            return Deck(), NO_DECK
        try:
            return parse_deck(content), _name_of(content)
        except GameError as error:
            raise NotWrittenError(
                "the deck {path} is damaged ({why}): mend it or move it away",
                path=self.path,
                why=error,
            ) from error

    def write(self, deck: Deck, seen: str) -> str:
        """Put a deck in place of the one that was seen; return what names the new one.

        Raises
        ------
        DeckTableError
            For a deck that says too little or too much.
        ChangedError
            When the deck is not any more what was seen.
        NotWrittenError
            When it cannot be written; the old one is then still there.
        """
        content = (game_text(checked_deck(deck)) + "\n").encode()
        with self._lock:
            before = self._content()
            if seen != (NO_DECK if before is None else _name_of(before)):
                raise ChangedError("the deck was changed meanwhile")
            write_kept(self.path, content, error=NotWrittenError)
        return _name_of(content)

    def _content(self) -> bytes | None:
        try:
            return read_kept(self.path, f"the deck {self.path}", error=NotWrittenError)
        except FileNotFoundError:
            return None


def _name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
