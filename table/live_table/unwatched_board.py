"""A board that no camera sees, in the place of one that is watched: people say what is there."""

from __future__ import annotations

from collections.abc import Sequence

from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.looks import Look
from railspotter.vision.watching.settling import WatchState

from ..game_log.facts import Fact
from ..game_log.table_state import TableState
from .board_watch import FrameResult
from .learning import SaveProfile


class UnwatchedBoard:
    """Has what a `BoardWatch` has, sees nothing and asks nothing."""

    pose: Pose | None = None  # nobody knows where the board is
    is_seen = False

    @property
    def said(self) -> Sentence:
        """Nothing is said of where the board is."""
        return NOTHING

    def use_profile(self, profile: Profile, keep: SaveProfile | None, table: TableState) -> None:
        """Pass over it: nothing is read."""

    def begin_anew(self, table: TableState) -> None:
        """Pass over it: there is nothing to look at."""

    def keep_learned(self, keep: SaveProfile) -> None:
        """Pass over it: nothing is learned."""

    def without_markers(self) -> None:
        """Pass over it: none are looked for."""

    def know(self, table: TableState) -> None:
        """Pass over it: nothing is expected."""

    def confirm(self, table: TableState) -> Sequence[tuple[Fact, bytes]]:
        """Return nothing: nothing was seen."""
        return ()

    def rest(self) -> None:
        """Pass over it."""

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Pass over it: nobody contradicts what a person says."""

    def look_over(self) -> None:
        """Pass over it: nothing is in doubt."""

    def still_look(self, frame: Frame) -> Look | None:
        """Return None: nobody looks at a picture."""
        return None

    def take(self, frame: Frame) -> FrameResult:
        """Return that nothing was seen."""
        return FrameResult(WatchState.SEARCHING, NOTHING)
