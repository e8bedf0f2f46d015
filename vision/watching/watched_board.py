"""What is known of each spot of a board that is watched: what is believed, on what evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from ..readings import Colour
from .belief import BeliefSettings, SpaceReading, SpotReading
from .spots import spot_names

MAY_BE = -1.5  # log-odds of some colour without which a train-like shape is nobody's trains


@dataclass
class Evidence:
    """What was read of a spot since it changed and came to rest."""

    seen: list[SpotReading] = field(default_factory=list)  # what readings said, in order
    # When the last of them was taken, in the frames' seconds; minus infinity before the first.
    last_look_s: float = -np.inf
    wants_look: bool = True  # whether another one would help
    # Whether it is known what stands there, so that no reading is needed any more.
    is_decided: bool = False

    @property
    def is_in_doubt(self) -> bool:
        """Whether the last reading was."""
        return bool(self.seen) and self.seen[-1].doubt is not None

    def is_due(self, at_s: float, again_s: Sequence[float]) -> bool:
        """Tell whether it is worth another reading."""
        if self.is_decided or not self.wants_look:
            return False
        return at_s > self.last_look_s + again_s[min(len(self.seen), len(again_s) - 1)]

    def take_in(self, seen: SpotReading, at_s: float) -> None:
        """Take in what a reading says."""
        self.seen.append(seen)
        self.last_look_s = at_s


@dataclass(eq=False)
class WatchedSpot:
    """All that a watcher knows of one spot.

    For how long it has held still and looked changed, `Settling` counts, for all spots at once;
    what people are asked about it is held by `Questions`.
    """

    spot: Spot
    index: int = 0  # where the spot is in arrays of spots
    parts: int = 1  # how many pieces make it full: a route's spaces, 1 for a station
    # The colour whose pieces stand there, as far as is known; None for free.
    believed: Colour | None = None
    # Whether no reading contradicts it, until something else is believed: a person said it, or what
    # looks like a station is known to be a train.
    is_undisputed: bool = False
    # Whether a person said it, and the spot has not held still since: what it shows when it does is
    # what the person spoke of.
    is_corrected: bool = False
    # What was read since it changed; None while it looks as it did when it was settled, or
    # something moves or lies over it.
    evidence: Evidence | None = None
    # The parts that changed since the last claim, though the spot was taken for free each time: one
    # of them may be the first train of a route.
    changed_before: frozenset[int] = frozenset()
    was_laid_singly: bool = False  # whether each of its parts has changed so, one after the other
    is_borne_out: bool = False  # whether readings have borne out what is believed
    is_handled: bool = False  # whether something has moved over it since the last one that did
    # What the last readings said, in order, as far as all of them contradict what is believed,
    # though the spot was not seen to change.
    contradicting: list[SpotReading] = field(default_factory=list)
    # When the first of these was taken, in the frames' seconds; means nothing without any.
    contradicted_since_s: float = -np.inf
    # Whether what changed there has a reason already: a claim beside it, a lamp, a push.
    is_explained: bool = False
    # The colour of the trains that end at this place, if it changed with them; None for others.
    came_with: Colour | None = None
    # The colours of which a station seemed to stand there, and it was the last train of a route.
    taken_for_train: set[Colour] = field(default_factory=set)
    # Whether it was open when nothing moved last: it had changed and was not decided, or something
    # lay over it.
    was_open: bool = False
    # Whether a lamp or a push found it open, so that it is not settled as it looks afterwards.
    stays_open: bool = False
    # What the last reading said of its spaces that found it holding still.
    spaces: tuple[SpaceReading, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether it changed, and it is known what stands there."""
        return self.evidence is not None and self.evidence.is_decided

    @property
    def is_undecided(self) -> bool:
        """Whether it changed, and it is not known yet what stands there."""
        return self.evidence is not None and not self.evidence.is_decided

    @property
    def is_confirmed(self) -> bool:
        """Whether readings bear out what is believed, since something moved over it last."""
        return self.is_borne_out and not self.is_handled

    @property
    def was_confirmed(self) -> bool:
        """Whether readings bore out what is believed until something moved over it."""
        return self.is_borne_out and self.is_handled

    def believe(
        self,
        colour: Colour | None,
        changed: frozenset[int] | None = None,
        *,
        is_undisputed: bool = False,
    ) -> None:
        """Believe something of the spot from now on: it is decided.

        Parameters
        ----------
        changed : frozenset of int or None
            Its parts that look changed now; None while the board is not in sight.
        """
        stays_free = colour is None and self.believed is None
        if is_undisputed or colour != self.believed:
            self.is_undisputed = is_undisputed
            self.is_borne_out = self.is_handled = self.was_laid_singly = False
            self.contradicting = []
        self.believed = colour
        self.is_explained = self.stays_open = False
        if self.evidence is not None:
            self.evidence.is_decided = True
        if stays_free and changed is not None:
            # What changed there may still be the first of its trains.
            self.changed_before |= changed
            self.was_laid_singly |= len(self.changed_before) == self.parts
        else:
            self.changed_before = frozenset()

    def handled(self) -> None:
        """Take in that something moved over it: pieces may have come or gone."""
        self.is_handled = True
        self.contradicting = []

    def take_in(
        self, seen: SpotReading, at_s: float, s: BeliefSettings, *, is_last: bool = False
    ) -> None:
        """Take in what a reading says of it while it looks as it did when it was settled.

        Parameters
        ----------
        is_last : bool
            Whether the game is over: less contradicts.
        """
        if self.is_undisputed or seen.visible < s.visible:
            return
        if seen.doubt is None and seen.answer == self.believed:
            self.is_borne_out, self.is_handled = True, False
            self.contradicting = []
        elif self._is_contradicted_by(seen, s, is_last):
            if not self.contradicting:
                self.contradicted_since_s = at_s
            self.contradicting.append(seen)
        else:
            self.contradicting = []

    def _is_contradicted_by(self, seen: SpotReading, s: BeliefSettings, is_last: bool) -> bool:
        if seen.doubt is None:
            return seen.answer != self.believed
        least = s.perhaps if is_last or self.was_laid_singly else s.something
        return self.believed is None and seen.shape >= least and max(seen.odds) > MAY_BE

    def is_train(self, colour: Colour) -> bool:
        """Tell whether what looks like a station there is the last train of a route.

        It came with trains of its colour that end there, and a turn is a route or a station; or it
        looked like one before, and what changed now is explained.
        """
        looked_so = colour in self.taken_for_train and self.is_explained
        return looked_so or self.came_with == colour


class WatchedBoard:
    """What is known of every spot of a board.

    Parameters
    ----------
    board : Board
        As the reader has it: its sites are routes.
    has_stations : bool
        Whether stations can stand on it.
    """

    def __init__(self, board: Board, *, has_stations: bool) -> None:
        names = spot_names(board, has_stations=has_stations)
        parts = [route.length for route in board.routes]
        parts += [1] * (len(names) - len(parts))
        self._spots = tuple(map(WatchedSpot, names, range(len(names)), parts))
        self._of = {spot.spot: spot for spot in self._spots}

    def __len__(self) -> int:
        """Return how many spots there are."""
        return len(self._spots)

    def __iter__(self) -> Iterator[WatchedSpot]:
        """Iterate over the spots, in the order of their index."""
        return iter(self._spots)

    def __contains__(self, spot: object) -> bool:
        """Tell whether the board has a spot of that name."""
        return spot in self._of

    def __getitem__(self, spot: Spot) -> WatchedSpot:
        """Return what is known of the spot of that name."""
        return self._of[spot]

    def where(self, mask: Mask) -> list[WatchedSpot]:
        """Return the spots for which an array of all spots, (S,), is true."""
        return [self._spots[s] for s in np.flatnonzero(mask).tolist()]

    @property
    def believed(self) -> dict[Spot, Colour]:
        """What is believed to stand on the board; spots that are missing are free."""
        return {spot.spot: spot.believed for spot in self._spots if spot.believed is not None}
