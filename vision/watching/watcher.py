"""The watcher: follows a board through many frames and says, late and surely, what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from railspotter.calibration.arrays import Indices, Mask
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.spot import Spot

from ..errors import ReaderError
from ..look.view import Pieces
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .belief import BeliefSettings, Expectation, SpaceReading
from .changes import Change, Observation
from .deciding import Deciding, take_in_light
from .looks import Look, LookRead
from .moment import Asking, Moment
from .questions import Questions
from .rereading import Rereading
from .settling import FrameChanges, Settling, SettlingSettings, WatchState
from .sighting import FrameComparer, SightingSettings
from .watched_board import WatchedBoard, WatchedSpot

# What lies over a spot is told from what the spot looked like when it was settled. That may be
# wrong: torn pictures were taken for the board in a new light, or what lay there was. Then bare
# board seems covered, and what is covered is frozen, for good. So what seems covered and holds
# still is read all the same, ever more rarely, and what reads plainly as is believed is taken as
# it looks.

LIES_S = 5.0  # for how long nothing must have moved over a spot: no hand holds still for so long
# Readings in a row that say plainly what is believed: under a card or a hand they do not.
AGREEING = 2
# How long after the last reading the next one is worth it, by their number: what really lies there
# may lie there for the whole evening.
AGAIN_S = 0.0, 1.0, 5.0, 10.0, 20.0, 60.0


class CoveredSpots:
    """Holds what readings say of the spots that seem to be covered."""

    def __init__(self, spots: WatchedBoard, settings: BeliefSettings) -> None:
        self._spots, self._settings = spots, settings
        self._since_s = np.full(len(spots), np.inf)
        self._agreeing = np.zeros(len(spots), np.intp)
        self._was_read = np.zeros(len(spots), np.bool_)
        self._reads, self._read_s = 0, -np.inf

    def lost(self) -> None:
        """Take in that the board was not found: nobody knows what happens to it."""
        self._forget(np.ones(len(self._spots), np.bool_))

    def observe(self, sight: FrameChanges, settling: Settling) -> None:
        """Take in a frame that has settled."""
        # What seems covered by a hair is free in one frame and covered in the next.
        is_seen = settling.still_s >= settling.settings.still_s
        lies = ~is_seen & ~sight.stirred & (sight.disturbed | np.isfinite(self._since_s))
        self._forget(~lies)
        np.minimum(self._since_s, sight.at_s, out=self._since_s, where=lies)

    def is_due(self, at_s: float) -> bool:
        """Tell whether they are worth a reading."""
        lying = self._lying(at_s)
        if (lying & ~self._was_read).any():
            return True
        return bool(lying.any()) and at_s > self._read_s + AGAIN_S[self._reads]

    def take_in(self, read: LookRead) -> None:
        """Take in what a look says of them."""
        lying = self._lying(read.at_s)
        self._reads = 1 if (lying & ~self._was_read).any() else self._reads + 1
        self._reads = min(self._reads, len(AGAIN_S) - 1)
        self._read_s = read.at_s
        self._was_read |= lying
        for spot in self._spots.where(lying):
            seen = read.seen.get(spot.spot)
            agrees = (
                seen is not None
                and seen.doubt is None
                and seen.answer == spot.believed
                and seen.visible >= self._settings.visible
            )
            self._agreeing[spot.index] = self._agreeing[spot.index] + 1 if agrees else 0

    def take_free(self) -> Indices:
        """Return the spots over which nothing lies after all; they are looked after no more."""
        free = self._agreeing >= AGREEING
        self._forget(free)
        return np.flatnonzero(free)

    def _lying(self, at_s: float) -> Mask:
        """Return the spots over which something seems to lie quite still, (S,)."""
        return np.asarray(at_s - self._since_s >= LIES_S - 1e-9, np.bool_)

    def _forget(self, spots: Mask) -> None:
        self._since_s[spots] = np.inf
        self._agreeing[spots] = 0
        self._was_read[spots] = False


@dataclass(frozen=True)
class WatchSettings:
    """Everything that can be set about watching."""

    sighting: SightingSettings = field(default_factory=SightingSettings)
    settling: SettlingSettings = field(default_factory=SettlingSettings)
    belief: BeliefSettings = field(default_factory=BeliefSettings)
    # How long after the last reading of a spot the next one is worth it, by their number.
    again_s: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0, 1.2, 2.4, 5.0)
    most_asked: int = 3  # most questions that wait for an answer at once


class Watcher:
    """Watches one copy of a board.

    `see` takes every frame and costs some milliseconds. Now and then `due` has a look for somebody
    to `read`, here or in another thread; `take_in` hands in what it said. All three are called
    from one thread.

    Parameters
    ----------
    printed : PrintedBoard
    pieces : Pieces
    settled : mapping of Spot to str
        What stands on the board when watching begins; spots that are missing are free.
    settings : WatchSettings, optional
    questions : Questions, optional
        Holds what is asked about the board; without them, the watcher has its own.

    Attributes
    ----------
    expectation : Expectation
        What is likely from now on; the caller may replace it at any time.

    Raises
    ------
    ReaderError
        For a spot that the board does not have.
    """

    def __init__(
        self,
        printed: PrintedBoard,
        pieces: Pieces,
        settled: Mapping[Spot, Colour] | None = None,
        settings: WatchSettings | None = None,
        questions: Questions | None = None,
    ) -> None:
        self.settings = s = settings or WatchSettings()
        self.expectation = Expectation()
        self._printed, self._pieces = printed, pieces
        has_stations = pieces.station_size_mm is not None
        self._spots = WatchedBoard(printed.board, has_stations=has_stations)
        for spot, colour in (settled or {}).items():
            self._spot(spot).believed = colour
        self._questions = questions or Questions()
        self._asking = Asking(self._questions, s.most_asked)
        self._sighter = FrameComparer(printed, pieces, s.sighting)
        self._settling = Settling(len(self._spots), s.settling)
        still_s = s.settling.still_s
        self._deciding = Deciding(printed.board, self._spots, self._asking, still_s, s.belief)
        self._rereading = Rereading(self._spots, self._asking, s.belief)
        self._covered = CoveredSpots(self._spots, s.belief)
        self._is_reading = False
        self._last: tuple[Pyramid, Pose, Moment] | None = None

    @property
    def state(self) -> WatchState:
        """What the watcher is doing."""
        state = self._settling.state
        if not self._sighter.knows_settled:
            return WatchState.SETTLING if state is WatchState.SETTLED else state
        if state is WatchState.SETTLING and not any(spot.is_undecided for spot in self._spots):
            return WatchState.SETTLED  # what still looks different is a neighbour's shadow
        return state

    @property
    def settled(self) -> dict[Spot, Colour]:
        """What is believed to stand on the board; spots that are missing are free."""
        return self._spots.believed

    @property
    def asked(self) -> frozenset[Spot]:
        """The spots that the watcher has asked about, and waits for an answer."""
        return self._asking.spots

    @property
    def unclear(self) -> frozenset[Spot]:
        """The spots that something moves or lies over, or that changed and are not decided."""
        if self._last is None:
            return frozenset(spot.spot for spot in self._spots)
        disturbed = self._last[2].sight.disturbed
        return frozenset(s.spot for s in self._spots if disturbed[s.index] or s.is_undecided)

    def unseen(self, for_s: float) -> tuple[Spot, ...]:
        """Return the spots that something has moved or lain over for so many seconds on end.

        The one that was seen last before all others comes first.
        """
        unseen_s = self._settling.unseen_s
        spots = sorted(self._spots.where(unseen_s >= for_s), key=lambda s: -unseen_s[s.index])
        return tuple(spot.spot for spot in spots)

    def spaces_of(self, spot: Spot) -> tuple[SpaceReading, ...]:
        """Return what stood on the spaces of a route when it last held still and was read.

        Nothing follows from it: it is for who lays a route and wants to see how far it is. Nothing
        is known before the first reading, nor of spots that have no spaces.

        Raises
        ------
        ReaderError
            For a spot that the board does not have.
        """
        return self._spot(spot).spaces

    @property
    def pieces(self) -> Pieces:
        """What stands on the board, as it is known by now."""
        return self._pieces

    def learn(self, printed: PrintedBoard, pieces: Pieces) -> None:
        """Take in what has become known of the print and of the trains' colours.

        The board and its spaces stay where they are; looks to come are read with it.
        """
        self._printed, self._pieces = printed, pieces

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Take in what a person says of a spot: it holds until the spot is seen to change.

        What the spot shows when it is next still is what the person spoke of.

        Raises
        ------
        ReaderError
            For a spot that the board does not have.
        """
        corrected = self._spot(spot)
        self._questions.close([spot])
        corrected.is_corrected = True
        changed = None if self._last is None else self._last[2].changed_parts(corrected)
        corrected.believe(colour, changed, is_undisputed=True)

    def look_over(self) -> None:
        """Look over the whole board once more: what stays in doubt is asked about from now on."""
        self._rereading.look_over()

    def see(self, frame: Shown, pose: Pose | None, at_s: float) -> Observation:
        """Take in a frame.

        Parameters
        ----------
        frame : Pyramid, or (H, W, 3) uint8 array, BGR
            Nobody writes into it afterwards.
        pose : Pose or None
            Where the board is in it; None where it was not found.
        at_s : float
            When it was taken, in seconds since some moment.
        """
        if pose is None:
            self._lost(at_s)
            return Observation(at_s, self.state)
        shown = pyramid_of(frame)
        has_moved = self._sighter.use_pose(pose, shown.size_wh)
        if has_moved and self._sighter.knows_settled:
            self._settling.moved(at_s)
            self._rereading.handled()
        staying = [spot.index for spot in self._spots if spot.stays_open]
        sight = self._sighter.sight(shown, at_s, staying)
        take_in_light(self._spots, sight, self._asking.spots, has_moved=has_moved)
        if has_moved:
            self._drop_evidence()
        now = Moment(sight, self._settling, self._sighter)
        self._last = shown, pose, now
        self._settling.observe(sight)
        self._covered.observe(sight, self._settling)
        if self._sighter.knows_settled:
            changes = self._follow(now)
            return Observation(at_s, self.state, changes)
        if self._settling.still_s.min() >= self.settings.settling.still_s - 1e-9:
            self._sighter.begin()
        return Observation(at_s, self.state)

    def due(self) -> Look | None:
        """Return a frame that is worth reading now, if there is one and none is being read."""
        if self._is_reading or self._last is None:
            return None
        shown, pose, now = self._last
        again_s = self.settings.again_s
        is_due = self._sighter.knows_settled and (
            self._rereading.is_due(now.at_s, again_s) or self._covered.is_due(now.at_s)
        )
        if not is_due and not any(
            spot.evidence is not None and spot.evidence.is_due(now.at_s, again_s)
            for spot in self._spots.where(self._settling.readable)
        ):
            return None
        self._is_reading = True
        # Whoever sits at the table plays, be it that nothing of that colour lies there yet.
        in_play = frozenset(self._pieces.colours)
        return Look(shown, pose, now.at_s, self._printed, self._pieces, in_play)

    def take_in(self, read: LookRead) -> None:
        """Take in what a look said; what follows from it comes with the next frame."""
        self._is_reading = False
        still_since_s = self._settling.still_since_s
        was_readable = read.at_s - still_since_s >= self.settings.settling.read_after_s - 1e-9
        for spot in self._spots.where(was_readable):
            spot.spaces = read.seen[spot.spot].spaces
            if spot.evidence is not None:
                spot.evidence.take_in(read.seen[spot.spot], read.at_s)
        self._rereading.take_in(read, still_since_s)
        self._covered.take_in(read)

    def _spot(self, spot: Spot) -> WatchedSpot:
        if spot not in self._spots:
            kind, name = spot
            raise ReaderError(f"the board {self._printed.board.id!r} has no {kind} {name!r}")
        return self._spots[spot]

    def _lost(self, at_s: float) -> None:
        """Take in a frame in which the board was not found."""
        self._last = None
        self._sighter.lost()
        self._settling.lost(at_s)
        self._covered.lost()
        self._rereading.handled()
        self._drop_evidence()

    def _drop_evidence(self) -> None:
        for spot in self._spots:
            spot.evidence = None

    def _uncover(self, now: Moment) -> None:
        """Take spots over which nothing lies after all as they look now."""
        held = [spot.index for spot in self._spots if spot.believed is not None]
        free = np.array(
            [s for s in self._covered.take_free() if self._sighter.shows_print(s, held)], np.intp
        )
        if len(free):
            others = now.sight.changed | now.sight.disturbed
            others[free] = False
            self._sighter.settle(free.tolist(), np.flatnonzero(others).tolist())
            self._settling.decided(free)

    def _follow(self, now: Moment) -> tuple[Change, ...]:
        """Return what follows from a frame: what changed, what nobody saw change, what is over."""
        changes = self._deciding.follow(now, self.expectation, self._pieces)
        changes += self._rereading.follow(now, self.expectation, self._pieces.colours)
        readable = self._settling.readable
        for spot in self._spots:
            spot.is_corrected = spot.is_corrected and not readable[spot.index]
        self._uncover(now)
        return (*changes, *self._asking.over(self._spots, now, self.settings.settling.still_s))
