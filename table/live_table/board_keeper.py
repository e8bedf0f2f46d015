"""Where the board is, frame by frame: found once, followed, and found again when it was lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future

from railspotter.calibration.finding import Follower, FollowState
from railspotter.calibration.pose import NotFound, Pose
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources import Frame

Find = Callable[[Frame], Pose | NotFound]

AGAIN_S = 0.5
"""Seconds from one search to the next one, while the board is lost."""
SURE_AGAIN_S = 1.0
"""Seconds after a nudge until the board is found anew: following is not as exact as finding."""


class BoardKeeper:
    """Keeps the pose of one board.

    Finding takes some tenths of a second and is left to the executor; meanwhile there is no pose,
    or after a nudge the followed one.

    Parameters
    ----------
    find : callable
        Finds the board in a frame.
    work : Executor
    """

    def __init__(self, find: Find, work: Executor) -> None:
        self._find, self._work = find, work
        self._search: tuple[Frame, Future[Pose | NotFound]] | None = None
        self._searched_s = -AGAIN_S
        self._follower: Follower | None = None
        self._nudged_s: float | None = None
        self.said = Sentence("looking for the board")

    def pose_in(self, frame: Frame) -> Pose | None:
        """Return where the board is in a frame; None while it is covered, moving or not found."""
        self._take_in_search()
        pose = self._followed(frame)
        if self._search is None and self._is_due(frame, pose):
            self._search = frame, self._work.submit(self._find, frame)
            self._searched_s = frame.taken_at_s
            self._take_in_search()
            pose = pose or self._followed(frame)
        return pose

    def _followed(self, frame: Frame) -> Pose | None:
        if self._follower is None:
            return None
        followed = self._follower.follow(frame.pyramid)
        if followed.hold is FollowState.NUDGED:
            self._nudged_s = frame.taken_at_s
        if followed.hold is FollowState.MOVED:
            self.said = Sentence("the board was moved, or something hides it")
        elif followed.pose is not None:
            self.said = Sentence("the board is in sight")
        return followed.pose

    def _is_due(self, frame: Frame, pose: Pose | None) -> bool:
        """Tell whether it is time to find the board: it is lost, or came to rest after a nudge."""
        if frame.taken_at_s < self._searched_s + AGAIN_S:
            return False
        if pose is None:
            return True
        return self._nudged_s is not None and frame.taken_at_s >= self._nudged_s + SURE_AGAIN_S

    def _take_in_search(self) -> None:
        if self._search is None or not self._search[1].done():
            return
        frame, search = self._search
        self._search = None
        found = search.result()
        if isinstance(found, NotFound):
            self.said = found.reason
            return
        self._follower = Follower(frame.pyramid, found)
        self._nudged_s = None
