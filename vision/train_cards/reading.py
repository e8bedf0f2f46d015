"""What is read from a photo of train cards: values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

Doubt = Literal["colour", "hidden", "card"]
"""Which colour it is; the same of a card that is partly hidden; whether it is a card at all."""
Point = tuple[float, float]


@dataclass(frozen=True)
class SeenCard:
    """One card that was seen.

    Attributes
    ----------
    card : str
        Its colour, or "locomotive": the best answer, also where it is in doubt.
    outline_px : tuple of four points
        Its corners in the photo.
    likely : float
        How likely the answer is, 0 to 1.
    doubt : str or None
        Why somebody should look, None where nobody needs to.
    alternatives : tuple of str or None
        What else it could be, the likeliest first; None for no card at all.
    """

    card: str
    outline_px: tuple[Point, Point, Point, Point]
    likely: float
    doubt: Doubt | None = None
    alternatives: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class CardReading:
    """All cards of a photo.

    Attributes
    ----------
    size_wh : tuple of int
        Width and height of the photo, in pixels.
    cards : tuple of SeenCard
        In reading order: row by row.
    reason : str or None
        Why there are none, a sentence.
    """

    size_wh: tuple[int, int]
    cards: tuple[SeenCard, ...]
    reason: str | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each, as the answers have it, doubts included."""
        return dict(Counter(card.card for card in self.cards))

    @property
    def doubts(self) -> tuple[SeenCard, ...]:
        """Those that somebody should look at."""
        return tuple(card for card in self.cards if card.doubt is not None)
