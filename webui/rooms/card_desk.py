"""The Card Game as the page has it: the user's deck, and the games."""

from __future__ import annotations

from pathlib import Path

from railspotter.table.card_games import CardGameStore, DeckFile


class CardDesk:
    """The deck and the games in a data directory. Several threads may use it at once.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.deck = DeckFile(folder)
        self.games = CardGameStore(folder)
