"""Everyone's trains: in the stock, in the hand or on the board, each one in one place only."""

from __future__ import annotations

from collections.abc import Iterable

from railspotter.scoring.edition import Colour

from ..virtual_board.pieces import Piece
from ..virtual_board.placing import spare_trains
from .script import Script


class Stocks:
    """The trains that are not on the board, by name ("red 12")."""

    def __init__(self, script: Script, stock: int, kind: str) -> None:
        self._script = script
        colours = list(script.chairs)
        self._left = {c: [f"{c} {number}" for number in range(stock)] for c in colours}
        self._hand: dict[Colour, list[str]] = {colour: [] for colour in colours}
        self._beside: dict[str, Piece] = {}
        if script.habits.spares:
            seed = int(script.rng.integers(10_000))
            spares = spare_trains(script.board, dict.fromkeys(colours, stock), seed, kind)
            names = [name for colour in colours for name in self._left[colour]]
            self._beside = dict(zip(names, spares, strict=True))
            script.standing.update(self._beside)

    def pick(self, colour: Colour, count: int) -> None:
        """Take trains from the stock into the hand."""
        left, picked = self._left[colour][:-count], self._left[colour][-count:]
        self._left[colour] = left
        self._hand[colour] += picked
        self._script.in_hand[colour] += count
        self._script.change(lifted=[name for name in picked if name in self._beside])

    def from_hand(self, colour: Colour) -> str:
        """Return the name of the train that leaves the hand."""
        self._script.in_hand[colour] -= 1
        return self._hand[colour].pop()

    def to_hand(self, colour: Colour, names: Iterable[str]) -> None:
        """Take trains that were lifted from the board into the hand."""
        for name in names:
            self._hand[colour].append(name)
            self._script.in_hand[colour] += 1

    def put_back(self, colour: Colour) -> None:
        """Put what is in the hand back to the stock."""
        back, self._hand[colour] = self._hand[colour], []
        self._left[colour] += back
        self._script.in_hand[colour] = 0
        self._script.change({name: self._beside[name] for name in back if name in self._beside})
