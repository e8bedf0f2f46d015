"""Tracking the board's pose: found once, followed frame by frame, and found again when lost.

Also the warnings about routes outside of the picture or covered.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future

import numpy as np
from railspotter.calibration.finding.following import Follower, FollowState
from railspotter.calibration.finding.picture_faults import TOO_DARK
from railspotter.calibration.pose import NotFound, Pose
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame

Find = Callable[[Frame], Pose | NotFound]
Refuse = Callable[[Frame, Pose], Sentence | None]

SEARCH_EVERY_S = 0.5  # seconds between two searches while the board is lost
# Seconds after a nudge until the board is searched: that is more exact than following.
REFINE_AFTER_S = 1.0
LIGHT_EVERY_S = 0.2  # seconds between two frames whose light is judged

MOVED = Sentence("the board was moved, or something hides it")
UNSEEN = Sentence(
    "{n} routes are out of the camera's picture, on the board's {side}: raise the camera or move it"
    " there, or tap these routes yourselves; the others are watched"
)
COVERED = Sentence(
    "something has covered the board near {place} for a minute: take it away; if nothing"
    " is there, choose Look again"
)


class BoardTracker:
    """Tracks the pose of one board.

    A search takes some tenths of a second and runs in the executor; meanwhile there is no pose, or
    after a nudge the followed one. `refuse` returns why nothing can be read in a frame, or None.
    """

    def __init__(
        self, find: Find, work: Executor, refuse: Refuse = lambda frame, pose: None
    ) -> None:
        self._find, self._work, self._refuse = find, work, refuse
        self._refused: Sentence | None = None
        self._judged_s = -LIGHT_EVERY_S
        self._why_lost: Sentence | None = None
        self._search: tuple[Frame, Future[Pose | NotFound]] | None = None
        self._searched_s = -SEARCH_EVERY_S
        self._follower: Follower | None = None
        self._nudged_s: float | None = None
        self.status = Sentence("looking for the board")

    def pose_in(self, frame: Frame) -> Pose | None:
        """Return the board's pose in a frame; None while it is lost, moving or unreadable."""
        self._collect_search()
        pose = self._followed(frame)
        if self._search is None and self._is_due(frame, pose):
            self._search = frame, self._work.submit(self._find, frame)
            self._searched_s = frame.taken_at_s
            self._collect_search()
            pose = pose or self._followed(frame)
        if pose is None or not self._is_refused(frame, pose):
            return pose
        return None

    def _is_refused(self, frame: Frame, pose: Pose) -> bool:
        """Tell whether nothing can be read in a frame, and set `status` to the reason."""
        if frame.taken_at_s >= self._judged_s + LIGHT_EVERY_S:
            self._judged_s, self._refused = frame.taken_at_s, self._refuse(frame, pose)
        if self._refused is not None:
            self.status = self._refused
        return self._refused is not None

    def _followed(self, frame: Frame) -> Pose | None:
        if self._follower is None:
            return None
        followed = self._follower.follow(frame.pyramid)
        if followed.hold is FollowState.NUDGED:
            self._nudged_s = frame.taken_at_s
        if followed.hold is FollowState.MOVED:
            # The last search's measured reason (darkness) is better than this guess.
            self.status = self._why_lost or MOVED
        elif followed.pose is not None:
            self._why_lost = None
            self.status = Sentence("the board is in sight")
        return followed.pose

    def _is_due(self, frame: Frame, pose: Pose | None) -> bool:
        """Tell whether to search the board: it is lost, or has stopped moving after a nudge."""
        if frame.taken_at_s < self._searched_s + SEARCH_EVERY_S:
            return False
        if pose is None:
            return True
        return self._nudged_s is not None and frame.taken_at_s >= self._nudged_s + REFINE_AFTER_S

    def _collect_search(self) -> None:
        if self._search is None or not self._search[1].done():
            return
        frame, search = self._search
        self._search = None
        found = search.result()
        if isinstance(found, NotFound):
            self.status = found.reason
            self._why_lost = found.reason if found.reason == TOO_DARK else None
            return
        self._follower = Follower(frame.pyramid, found)
        self._nudged_s = None


def unseen_sentence(routes: Sequence[Spot], board: Board) -> Sentence:
    """Return the warning that routes are out of the picture, with their side of the board."""
    spaces = [space.xy_mm for spot in routes for space in board.route_by_id[spot.id].spaces]
    x, y = np.mean(spaces, axis=0) / board.size_mm - 0.5
    if abs(x) > abs(y):
        side = Sentence("left") if x < 0 else Sentence("right")
    else:
        side = Sentence("top") if y < 0 else Sentence("bottom")
    return UNSEEN.filled(n=len(routes), side=side)


def covered_sentence(spot: Spot, board: Board) -> Sentence:
    """Return the warning that a spot has been covered for long, with the name of a place at it."""
    if spot.kind == "site":
        return COVERED.filled(place=board.site_by_id[spot.id].name)
    place = board.route_by_id[spot.id].a if spot.kind == "route" else spot.id
    return COVERED.filled(place=board.place_by_id[place].name)
