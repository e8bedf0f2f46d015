"""The first look at a board: a picture in which nothing moves, to be read whole and watched from.

What is read and what watching compares with must be one picture: a train that is laid while the
first one is being read would otherwise be taken for part of the print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from railspotter.calibration.pose import Pose
from railspotter.scoring import Colour
from railspotter.vision.look import Pieces
from railspotter.vision.printed import PrintedBoard
from railspotter.vision.sources import Frame
from railspotter.vision.watching import Look, Spot, Watcher, WatchState


class FirstLook:
    """Waits for a picture in which nothing moves."""

    def __init__(self) -> None:
        self._probe: Watcher | None = None
        self._was_still = False

    def look_at(
        self,
        frame: Frame,
        pose: Pose | None,
        printed: PrintedBoard,
        pieces: Callable[[], Pieces],
    ) -> Look | None:
        """Take in a frame; return it as a look if nothing has moved in it for a while."""
        if self._probe is None:
            if pose is None:
                return None
            self._probe, self._was_still = Watcher(printed, pieces()), False
        state = self._probe.see(frame.pyramid, pose, frame.taken_at_s).state
        if state is WatchState.SETTLED and pose is not None:
            self._was_still = True
            return Look(frame.pyramid, pose, frame.taken_at_s, printed, pieces())
        if state is WatchState.SETTLING and self._was_still:
            self._probe = None  # something was laid: it is part of the first look then
        return None


def watching_from(look: Look, settled: Mapping[Spot, Colour]) -> Watcher:
    """Return a watcher for which the board looked settled in a look, and holds what it says."""
    watcher = Watcher(look.printed, look.pieces, settled)
    still_s = watcher.settings.settling.still_s
    for at_s in (look.at_s - still_s, look.at_s):
        watcher.see(look.shown, look.pose, at_s)
    return watcher
