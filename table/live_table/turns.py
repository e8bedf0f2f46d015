"""Turns as evidence: who has just claimed is not at once the one who claims again.

The order of turns cannot say more. Who draws cards takes a turn that leaves no trace on the board,
so two claims in a row by one colour are usual, given time. Nothing is ever refused for its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from railspotter.scoring import Colour
from railspotter.vision.readings import Doubt

TURN_S = 3.0
"""Nobody takes a whole turn in less, be it to draw two cards; chosen."""


@dataclass(frozen=True)
class LastClaim:
    """Who claimed last, and when by the frames' clock."""

    colour: Colour
    at_s: float

    def is_just_now(self, colours: Sequence[Colour], now_s: float) -> bool:
        """Tell whether the others cannot all have had a turn since."""
        return now_s - self.at_s < TURN_S * (len(colours) - 1)

    def may_claim(self, colours: Sequence[Colour], now_s: float) -> frozenset[Colour] | None:
        """Return whose turn it may be; None when that may be anybody.

        Examples
        --------
        >>> last = LastClaim("red", at_s=60.0)
        >>> sorted(last.may_claim(["red", "blue", "black"], now_s=64.0))
        ['black', 'blue']
        >>> last.may_claim(["red", "blue", "black"], now_s=70.0) is None
        True
        """
        return frozenset(colours) - {self.colour} if self.is_just_now(colours, now_s) else None

    def phrased(self, doubt: Doubt, colours: Sequence[Colour], now_s: float) -> Doubt:
        """Return a doubt that says it where its colour has claimed just before."""
        if doubt.said != self.colour or not self.is_just_now(colours, now_s):
            return doubt
        why = f"{self.colour} claimed just before"
        return replace(doubt, why=f"{doubt.why}; {why}" if doubt.why else why)
