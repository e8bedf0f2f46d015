"""Interactive calibration: a thread finds the board in a live camera, the user may correct it."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import msgspec
import numpy as np
from railspotter.calibration.errors import CalibrationError, ProfileError
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.finding.following import Follower, FollowState
from railspotter.calibration.finding.ways import FoundByNone
from railspotter.calibration.finding.ways import Tried as TriedWays
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import (
    Offset,
    Profile,
    nudged,
    without_nudge,
    without_nudges,
)
from railspotter.calibration.profiles.reference import check_corners
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import NOTHING, Sentence, raised_as
from railspotter.vision.sources.source import Frame

from ..errors import CalibratingError, HomeError, NotNowError, TableError
from ..home import ProfileStore
from ..live_table.commands import UseProfile
from ..live_table.live_table import LiveTable
from ..own_trains import learning_saver
from ..worker import WokenWorker
from . import board_picture
from .board_picture import WAITING, BoardPicture, PhotoRequest
from .outlines import SpaceOutline, points_px, space_outlines
from .view import Calibration, Looked, ProfileFacts, State, Tried, Verdict, way_name

IDLE_AFTER_S = 10.0  # seconds without a view by any page, until it stops looking at pictures
INTERVAL_S = 1.0  # seconds between two pictures that it looks at
QUALITY_EVERY_S = 3.0  # seconds between two measurements of quality: users move lamps
MOVED = Sentence("the board was moved, or something hides it")
FOUND_ANEW = Sentence("the board or the camera was moved, and the board was found again")
LOOKING = Sentence("looking for the board")
KEEPING = Sentence("making the profile of your board from this picture")
STUMBLED = Sentence("something went wrong here: try again")
NO_OWN_PHOTO = Sentence(
    "spaces are moved on your own copy's photo: first keep this picture as the photo of your board"
)
NOT_THERE = Sentence("the board is not found in that picture: say where its corners are")
Corners = Sequence[tuple[float, float]]


class LiveCalibration(WokenWorker):
    """A background thread that calibrates while its `with` block runs. Thread-safe.

    It looks for the board while a page polls `view`. `frame` returns the newest frame, or None.
    `profile` is the initial profile; `use` is a callback for new ones, called from several threads,
    which must not block. Methods raise `NotNowError` when a picture is gone or has no board,
    `HomeError` when saving fails, and `CalibratingError` for impossible requests.
    """

    def __init__(
        self,
        frame: Callable[[], Frame | None],
        board: Board,
        profile: Profile | None,
        store: ProfileStore,
        use: Callable[[Profile], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("calibrating")
        self.board = board
        self._newest, self._store, self._use, self._clock = frame, store, use, clock
        self._lock = threading.RLock()
        self.profile = profile  # the current one
        self._pictures = board_picture.RecentPictures()
        self._sight: BoardPicture | None = None
        self._follower: Follower | None = None
        self._was_nudged = self._was_moved = False
        self._measured_s = -QUALITY_EVERY_S
        self._lost = LOOKING
        self._outlined: tuple[object, object] = None, None
        nothing = (), False, None, None, None, (), None, None, 0, 0
        self._view = Calibration(1, "waiting", WAITING, NOTHING, *nothing)
        self._requests: list[PhotoRequest | None] = []  # None: search again
        self._viewed_s = -IDLE_AFTER_S
        self._show()

    def view(self, holding: int | None = None) -> Calibration:
        """Return the current state, and keep the thread working for `IDLE_AFTER_S`.

        `holding` is the number of a picture that a page shows: it stays in the cache.
        """
        was_idle = self._is_idle
        self._viewed_s = self._clock()
        if was_idle:
            self.wake()
        if holding is not None:
            self._pictures.touch(holding)
        return self._view

    def picture(self, number: int | None = None) -> bytes:
        """Return a full-size picture as JPEG; the newest without a number."""
        return self._pictures.jpeg(number)

    def spaces(self, number: int | None = None) -> tuple[int, tuple[SpaceOutline, ...]]:
        """Return a picture's number, and the outlines of all spaces in it (or none)."""
        frame, sight = self._pictures.picture(number)
        profile = self.profile
        if sight is None or profile is None:
            return frame.number, ()
        return frame.number, space_outlines(self.board, profile, sight.pose)

    def look(self) -> None:
        """Search the board again, in the newest picture."""
        self._enqueue(None)

    def put_corners(
        self, corners: Corners, number: int | None = None, *, is_exact: bool = False
    ) -> None:
        """Request a profile from a picture, with the board's corners set by the user.

        They are TL, TR, BR, BL in pixels of the numbered (default: newest) picture; if empty, the
        board is searched without the older photo. They are refined unless `is_exact`.
        """
        frame, _ = self._pictures.picture(number)
        given = tuple((float(x), float(y)) for x, y in corners)
        with _refused():
            if given:
                check_corners(np.array(given), frame.picture.shape)
        self._enqueue(PhotoRequest(frame, None, given, is_exact))

    def keep(self, number: int | None = None) -> None:
        """Request a profile from a picture in which the board was found."""
        frame, sight = self._pictures.picture(number)
        if sight is None:
            raise NotNowError(NOT_THERE)
        self._enqueue(PhotoRequest(frame, sight))

    def nudge(self, key: str, by_mm: Offset) -> None:
        """Move a route, or one space of it, by an offset, and save the profile."""
        self._change(lambda profile: nudged(profile, self.board, key, by_mm))

    def take_back(self, key: str | None = None) -> None:
        """Undo the nudges of a route or a space, or all of them, and save the profile."""
        self._change(
            lambda profile: without_nudges(profile) if key is None else without_nudge(profile, key)
        )

    def _change(self, change: Callable[[Profile], Profile]) -> None:
        with self._lock, _refused():
            own = board_picture.own_profile_or_none(self.profile)
            if own is None:
                raise NotNowError(NO_OWN_PHOTO)
            # From the file: a game may have saved what it learned meanwhile.
            self.profile = now = self._store.change(own.name, change)
            self._show(problem=NOTHING)
        self._use(now)

    def _enqueue(self, request: PhotoRequest | None) -> None:
        with self._lock:
            self._requests.append(request)
            self._show("looking" if request is None else "keeping", problem=NOTHING)
        self.wake()

    @property
    def _is_idle(self) -> bool:
        return self._clock() >= self._viewed_s + IDLE_AFTER_S

    def _timeout_s(self) -> float | None:
        return None if self._is_idle else INTERVAL_S

    def _on_step_failed(self) -> None:
        self._show_lost(STUMBLED)

    def _step(self) -> None:
        with self._lock:
            is_asked = bool(self._requests)
            request = self._requests.pop(0) if is_asked else None
            if self._requests:
                self.wake()
        if request is not None:
            self._make_profile(request)
        elif is_asked or not self._is_idle:
            self._process(self._newest(), is_asked=is_asked)

    def _process(self, frame: Frame | None, *, is_asked: bool) -> None:
        last = self._pictures.newest
        if frame is None:
            self._show("waiting" if last is None else self._settled_state)
            return
        is_new = last is None or frame.number != last.number
        if is_asked or (is_new and not self._follow(frame)):
            self._search(frame)

    @property
    def _settled_state(self) -> State:
        return "lost" if self._sight is None else "found"

    def _follow(self, frame: Frame) -> bool:
        """Track the board into a new picture; return False if it has to be searched."""
        sight, follower = self._sight, self._follower
        if sight is None or follower is None:
            return False
        if frame.pyramid.size_wh != sight.frame.pyramid.size_wh:
            return False
        followed = follower.follow(frame.pyramid)
        if followed.hold is FollowState.MOVED:
            self._was_moved = True
            self._show_lost(MOVED, frame)
            return False
        sight = replace(sight, frame=frame)
        if followed.hold is FollowState.NUDGED and followed.pose is not None:
            self._was_nudged = True
            sight = replace(sight, pose=followed.pose)
        elif followed.hold is FollowState.HOLDS and self._was_nudged:
            return False  # it has stopped moving: searching is more exact than following
        # While it lies still the pose is not updated, for outlines would tremble.
        if self._clock() >= self._measured_s + QUALITY_EVERY_S:
            sight = self._with_quality(sight)
        self._show_found(sight)
        return True

    def _with_quality(self, sight: BoardPicture) -> BoardPicture:
        self._measured_s = self._clock()
        return board_picture.with_picture_quality(sight)

    def _search(self, frame: Frame) -> None:
        is_refined, self._was_nudged = self._was_nudged, False
        with self._lock:
            if not is_refined:
                self._pictures.add(frame, None)
                self._show("looking")
            profile = self.profile
        found = board_picture.find_board_in_frame(frame, self.board, profile)
        if isinstance(found, FoundByNone):
            self._show_lost(found.reason, frame, found.tried)
            return
        if self._was_moved:
            self._was_moved, found = False, replace(found, notes=(*found.notes, FOUND_ANEW))
        self._follower = Follower(frame.pyramid, found.pose)
        self._show_found(self._with_quality(found))

    def _make_profile(self, request: PhotoRequest) -> None:
        """Make a profile from a picture and save it; on failure nothing changes."""
        self._show("keeping")
        try:
            with _refused():
                sight = board_picture.find_requested_board(request, self.board, self.profile)
                made, lying = board_picture.profile_from_request(sight, self.board, self.profile)
                with self._lock:  # no nudges meanwhile
                    self.profile = made = self._store.save_keeping_edits(made)
        except TableError as error:
            self._show(self._settled_state, problem=error.sentence)
            return
        self._use(made)
        pose = find_by_print(sight.frame.picture, made)
        lost = pose if isinstance(pose, NotFound) else None
        notes = (*sight.notes, *board_picture.notes_on(lying, lost))
        self._follower = Follower(sight.frame.pyramid, sight.pose)
        self._show_found(self._with_quality(replace(sight, notes=notes, is_ready=lost is None)))

    def _status_sentence(self, state: State) -> Sentence:
        if state == "found" and self._sight is not None:
            return Sentence("the board was found by {way}", way=self._sight.method)
        return {"waiting": WAITING, "looking": LOOKING, "keeping": KEEPING}.get(state, self._lost)

    def _show_lost(
        self, reason: Sentence, frame: Frame | None = None, tried: TriedWays | None = None
    ) -> None:
        with self._lock:
            self._sight = self._follower = None
            self._lost = reason
            if frame is not None:
                self._pictures.add(frame, None)
            self._show("lost", tried=tried or {})

    def _show_found(self, sight: BoardPicture) -> None:
        with self._lock:
            self._sight = sight
            self._pictures.add(sight.frame, sight)
            self._show("found", tried=sight.tried)

    def _show(
        self,
        state: State | None = None,
        *,
        problem: Sentence | None = None,
        tried: TriedWays | None = None,
    ) -> None:
        """Publish a new `view` if anything changed."""
        with self._lock:
            was, sight = self._view, self._sight
            state = was.state if state is None else state
            pose, outlines = sight and sight.pose, was.outlines
            if self._outlined[0] is not pose or self._outlined[1] is not self.profile:
                self._outlined, outlines = (pose, self.profile), outlines + 1
            frame, profile = self._pictures.newest, self.profile
            ways = tuple(Tried(way_name(way), lost.reason) for way, lost in (tried or {}).items())
            now = Calibration(
                was.number,
                state,
                self._status_sentence(state),
                was.problem if problem is None else problem,
                notes=sight.notes if sight else (),
                is_ready=state == "found" and sight is not None and sight.is_ready,
                picture=Looked(frame.number, frame.pyramid.size_wh) if frame else None,
                way=way_name(sight.method) if sight else None,
                corners_px=points_px(sight.pose.corners_px) if sight else None,
                tried=was.tried if tried is None else ways,
                verdict=Verdict(sight.verdict, sight.findings) if sight and sight.verdict else None,
                profile=ProfileFacts.of(profile) if profile else None,
                nudged=len(profile.nudges_mm) if profile else 0,
                outlines=outlines,
            )
            if now != was:
                self._view = msgspec.structs.replace(now, number=was.number + 1)


@contextmanager
def _refused() -> Iterator[None]:
    """Raise errors of the calibration package as this package's."""
    with raised_as(CalibratingError, CalibrationError), raised_as(HomeError, ProfileError):
        yield


def calibration_for(table: LiveTable, store: ProfileStore) -> LiveCalibration | None:
    """Return the calibration for a running game, which uses new profiles at once.

    None without a camera, and for profiles that are not in the store: one of a simulated board must
    not be saved for real games.
    """
    profile = table.profile
    if profile is None:
        return None
    if not profile.is_drawn and profile.name not in store.names():
        return None

    def use(changed: Profile) -> None:
        table.execute(UseProfile(changed, learning_saver(store, changed)))

    return LiveCalibration(lambda: table.frame, table.log.state.table.board, profile, store, use)
