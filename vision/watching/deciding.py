"""What follows for the spots that were seen to change: each is decided once, late and surely."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from ..look.view import Pieces
from ..readings import Colour
from .belief import Belief, BeliefSettings, Expectation, OpenQuestion, Situation, Undecided
from .changes import Appeared, Change, Vanished
from .judging import judge, station_or_train
from .moment import Asking, Moment
from .questions import Occasion
from .settling import FrameChanges
from .spots import routes_at
from .watched_board import Evidence, WatchedBoard, WatchedSpot

BEFORE_S = 1.0  # what changed so long before a claim did is none of its trains' shadows


class ExplainedSpots:
    """Knows which spots changed for a reason that is none of theirs.

    People lay one route a turn, and its trains throw shadows on others. The last train often lies
    over the place of a station, too, and looks like one.
    """

    def __init__(self, board: Board, spots: WatchedBoard) -> None:
        self._routes_at = routes_at(board)
        self._spots = spots

    def by(self, new: Spot, colour: Colour, since_s: Mapping[Spot, float]) -> None:
        """Take what else changed for the work of a new claim."""
        first_s = since_s[new] - BEFORE_S
        for name in (name for name, at_s in since_s.items() if at_s >= first_s and name != new):
            self._spots[name].is_explained = True
            if new in self._routes_at.get(name, ()):
                self._spots[name].came_with = colour

    def keep(self, in_sight: Mask, changed: Mask) -> None:
        """Forget the reasons for what changed no longer, or was touched again."""
        for spot in self._spots:
            spot.is_explained = spot.is_explained and bool(in_sight[spot.index])
            if spot.came_with is not None and not changed[spot.index]:
                spot.came_with = None

    def trains_at(self, station: Spot) -> list[WatchedSpot]:
        """Return the routes whose trains may lie over a station's place, if they are new."""
        routes = (
            self._spots[name] for name in self._routes_at.get(station, ()) if name in self._spots
        )
        return [route for route in routes if not route.is_explained]


def take_in_light(
    board: WatchedBoard, sight: FrameChanges, asked: Collection[Spot], *, has_moved: bool
) -> None:
    """Take in a lamp or a push, which explains what looks different; what was open stays open."""
    open_ = sight.changed | sight.disturbed
    if has_moved or sight.is_relit:
        for spot in board:
            spot.is_explained = spot.spot not in asked
            spot.stays_open |= spot.was_open
    else:
        for spot in board:
            spot.stays_open = spot.stays_open and bool(open_[spot.index])
        if sight.is_anew:  # what a hand is over may be laid just now
            for spot in board.where(sight.disturbed):
                spot.stays_open = True
    if sight.is_still and not sight.is_relit:
        for spot in board:
            spot.was_open = False
        for spot in board.where(open_):
            spot.was_open = not spot.is_decided


UNTOUCHED_S = 1.0  # what changes after so long a stillness was touched by nobody: light did it


class Deciding:
    """Decides what stands on the spots that changed."""

    def __init__(
        self,
        board: Board,
        spots: WatchedBoard,
        asking: Asking,
        still_s: float,
        settings: BeliefSettings,
    ) -> None:
        self._spots, self._asking = spots, asking
        self._other_lanes = board.other_lanes
        self._explained = ExplainedSpots(board, spots)
        self._still_s, self._settings = still_s, settings

    def follow(self, now: Moment, likely: Expectation, pieces: Pieces) -> list[Change]:
        """Return what follows for every spot that changed and is in sight."""
        self._explained.keep(now.in_sight, now.sight.changed)
        for spot in self._spots:
            if spot.evidence is not None and not now.in_sight[spot.index]:
                spot.evidence = None
        changes: list[Change] = []
        has_decided = False
        for spot in self._spots.where(now.in_sight):
            if spot.evidence is None:
                spot.evidence = Evidence()
                spot.is_explained |= bool(now.still_s[spot.index] > UNTOUCHED_S)
            if spot.is_corrected:
                spot.evidence.is_decided = has_decided = True
            elif not spot.evidence.is_decided:
                changes += self._decide(spot, spot.evidence, now, likely, pieces)
                has_decided |= spot.is_decided
        if has_decided:
            self._settle_pictures(now)
        return changes

    def _decide(
        self,
        spot: WatchedSpot,
        evidence: Evidence,
        now: Moment,
        likely: Expectation,
        pieces: Pieces,
    ) -> list[Change]:
        """Return what follows for one spot."""
        was = spot.believed
        verdict = judge(
            spot.spot,
            self._situation(spot, now, pieces),
            evidence.seen,
            likely,
            self._still_s,
            self._settings,
        )
        evidence.wants_look = not isinstance(verdict, Undecided) or verdict.for_reading
        if isinstance(verdict, Undecided):
            return []
        if isinstance(verdict, OpenQuestion):
            return self._asking.ask(spot, verdict.doubt, now, Occasion.CHANGE)
        colour = verdict.colour
        if colour == was:
            if evidence.is_in_doubt and spot.spot in self._asking.spots:
                return []  # who was asked is to answer; a doubtful look more does not
        elif colour is not None:
            if self._may_be_of(spot, now):
                return []
            if spot.is_train(colour):
                spot.taken_for_train.add(colour)
                spot.believe(was, now.changed_parts(spot), is_undisputed=True)
                return []
            if colour in spot.taken_for_train:
                doubt = station_or_train(spot.spot, colour, was)
                return self._asking.ask(spot, doubt, now, Occasion.CHANGE)
        return self._believe(spot, verdict, now)

    def _situation(self, spot: WatchedSpot, now: Moment, pieces: Pieces) -> Situation:
        """Return what is known of a spot beside what readings say."""
        s = spot.index
        changed = len(now.changed_parts(spot) | spot.changed_before)
        return Situation(
            spot.believed,
            float(now.still_s[s]),
            min(changed, 1) if pieces.one_piece_a_route else changed,
            is_alone=not spot.is_explained,
            is_wholly_changed=bool(now.sight.wholly_changed[s]),
            may_be_beside=self._may_be_beside(spot, now),
            unsure_s=float(now.settling.unsure_s[s]),
        )

    def _may_be_beside(self, spot: WatchedSpot, now: Moment) -> bool:
        """Tell whether a free lane beside a lane looks different nearly all over."""
        if spot.spot.kind != "route":
            return False
        lanes = [self._spots[Spot("route", id)] for id in self._other_lanes.get(spot.spot.id, ())]
        return any(one.believed is None and now.sight.wholly_changed[one.index] for one in lanes)

    def _may_be_of(self, station: WatchedSpot, now: Moment) -> bool:
        """Tell whether a station may be the end of trains that came with it and are undecided."""
        since_s = now.settling.changed_since_s
        first_s = since_s[station.index] - BEFORE_S
        routes = self._explained.trains_at(station.spot)
        return any(route.is_undecided and since_s[route.index] >= first_s for route in routes)

    def _believe(self, spot: WatchedSpot, belief: Belief, now: Moment) -> list[Change]:
        """Believe something of a spot; return what changes by that."""
        was, colour = spot.believed, belief.colour
        changes: list[Change] = []
        if colour != was and was is not None:
            changes.append(Vanished(*now.of(spot), was, belief.sure))
        if colour != was and colour is not None:
            changes.append(Appeared(*now.of(spot), colour, belief.sure))
            self._explain_by(spot, colour, now)
        changes += self._asking.withdraw(spot, now)
        spot.believe(colour, now.changed_parts(spot))
        return changes

    def _explain_by(self, new: WatchedSpot, colour: Colour, now: Moment) -> None:
        """Take what else changed, but is not asked about, for the work of a new claim."""
        for spot in self._spots:
            spot.changed_before = frozenset()
        asked, since_s = self._asking.spots - {new.spot}, now.settling.changed_since_s
        changed = [spot for spot in self._spots.where(now.sight.changed) if spot.spot not in asked]
        self._explained.by(
            new.spot, colour, {one.spot: float(since_s[one.index]) for one in changed}
        )

    def _settle_pictures(self, now: Moment) -> None:
        """Let the spots that are decided look from now on as they do now."""
        decided = [spot.index for spot in self._spots if spot.is_decided]
        undecided = [spot.index for spot in self._spots if spot.is_undecided]
        # Not decided are those, too, that changed before a hand came that is over them now: it may
        # lay the rest of a route, of which the first trains would never be seen to change.
        has_changed = np.isfinite(now.settling.changed_since_s)
        hidden: list[int] = np.flatnonzero(now.sight.disturbed & has_changed).tolist()
        now.sighter.settle(decided, [*undecided, *hidden])
        now.settling.decided(np.array(decided, np.intp))
