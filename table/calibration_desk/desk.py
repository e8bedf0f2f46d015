"""The desk: looks for the board in a thread, and keeps what a person says of where it is."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import numpy as np
from railspotter.calibration.errors import CalibrationError
from railspotter.calibration.following import Follower, Hold
from railspotter.calibration.lens import Lens
from railspotter.calibration.nudges import nudged, without_nudge, without_nudges
from railspotter.calibration.pose import Pose
from railspotter.calibration.profile import Offset, Profile
from railspotter.calibration.reference import check_corners
from railspotter.calibration.taking_over import with_words_of
from railspotter.calibration.ways import FoundNoWay, Tried, Way, find_any_way
from railspotter.scoring import Board
from railspotter.vision.emptiness import Occupied
from railspotter.vision.sources import Frame

from ..errors import CalibratingError, TableError
from ..home import ProfileStore
from ..own_profile import profile_of_picture
from ..photo_file import to_jpeg
from .outlines import SpaceOutline, space_outlines
from .seen import Sight, found_anew, is_found_with, judged, sight_in
from .view import DeskView, Point, ProfileFacts, State

LOG = logging.getLogger(__name__)

AWAKE_S = 10.0
"""So long after somebody looked on the desk rests: beside a game it costs nothing then."""
TURN_S = 1.0
"""So often it looks at a new picture."""
JUDGED_AGAIN_S = 3.0
"""So often a picture is judged anew: lamps are being moved."""
HELD = 4
"""Pictures that are kept for whoever still has them before their eyes."""
QUALITY = 88
"""A picture's corners are looked at under a magnifier."""
MOVED = "the board was moved, or something hides it"
FOUND_ANEW = "the board or the camera was moved, and it was found anew"
WAITING = "waiting for a picture of the camera"
LOOKING = "looking for the board"
KEEPING = "making the profile of your board from this picture"
NO_OWN_PHOTO = (
    "spaces are moved on your own copy's photo: first keep this picture as the photo of your board"
)
GONE = "that picture is gone: look at the newest one"
NOT_THERE = "the board is not found in that picture: say where its corners are"
Corners = Sequence[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class _Wish:
    """What somebody asked for that takes longer than an answer may."""

    frame: Frame | None = None
    sight: Sight | None = None
    corners: tuple[Point, ...] | None = None
    is_exact: bool = False
    is_keeping: bool = False


class CalibrationDesk:
    """Where the board is, while its `with` block runs. Several threads may use it at once.

    It looks by itself while somebody looks on, and tells what it finds.

    Parameters
    ----------
    frame : callable
        Returns the newest frame, or None.
    board : Board
    profile : Profile or None
        What the board is read with when calibrating begins; None where there is nothing.
    store : ProfileStore
        Where profiles are kept.
    use : callable
        Is handed a profile that is to be used from now on. Called from several threads: it returns
        at once.

    Attributes
    ----------
    board : Board
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
        self.board = board
        self._newest, self._store, self._use, self._clock = frame, store, use, clock
        self._lock = threading.RLock()
        self._profile = profile
        self._sight: Sight | None = None
        self._frame: Frame | None = None  # that was looked at last
        self._follower: Follower | None = None
        self._was_nudged = self._was_moved = False
        self._judged_s = -JUDGED_AGAIN_S
        self._lost = LOOKING
        self._outlined: tuple[object, ...] = ()
        self._held: OrderedDict[int, tuple[Frame, Sight | None]] = OrderedDict()
        self._packed: tuple[int, bytes] | None = None
        self._view = DeskView(1, said=WAITING)
        self._wishes: list[_Wish] = []
        self._asked_s = -AWAKE_S
        self._wake, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="calibrating")
        self._show()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._wake.set()
        self._thread.join()

    @property
    def profile(self) -> Profile | None:
        """What the board is to be read with."""
        return self._profile

    def view(self, holding: int | None = None) -> DeskView:
        """Return how it stands; who looks on keeps the desk at work.

        Parameters
        ----------
        holding : int, optional
            The number of a picture that somebody has before their eyes: it is kept meanwhile.
        """
        was_resting = self._is_resting
        self._asked_s = self._clock()
        if was_resting:
            self._wake.set()
        with self._lock:
            if holding is not None and holding in self._held:
                self._held.move_to_end(holding)
            return self._view

    def picture(self, number: int | None = None) -> bytes:
        """Return a picture in full, as a JPEG; the newest without a number.

        Raises
        ------
        CalibratingError
            When it is not kept any more.
        """
        with self._lock:
            frame = self._kept(number)[0]
            packed = self._packed
        if packed is None or packed[0] != frame.number:
            packed = frame.number, to_jpeg(frame.picture, QUALITY)
        with self._lock:
            self._packed = packed
        return packed[1]

    def spaces(self, number: int | None = None) -> tuple[int, tuple[SpaceOutline, ...]]:
        """Return a picture's number and where all spaces are in it; none where there is no board.

        Raises
        ------
        CalibratingError
            When the picture is not kept any more.
        """
        with self._lock:
            frame, sight = self._kept(number)
            profile = self._profile
        if sight is None or profile is None:
            return frame.number, ()
        return frame.number, space_outlines(self.board, profile, sight.pose)

    def look(self) -> None:
        """Look for the board anew, in the newest picture."""
        self._ask(_Wish())

    def put_corners(
        self, corners: Corners, number: int | None = None, *, is_exact: bool = False
    ) -> None:
        """Say where the board's corners are; the picture becomes the photo of the board.

        Parameters
        ----------
        corners : sequence of (float, float)
            TL, TR, BR, BL in that picture's pixels; none: the program looks for them, without the
            photo that was kept before.
        number : int, optional
            The picture's; without it the newest is meant.
        is_exact : bool
            Whether they stay as they are; else they are moved onto the board's edge where it is
            clear.

        Raises
        ------
        CalibratingError, OutlineError
            When there is no such picture, or they cannot be a board's.
        """
        with self._lock:
            frame, _ = self._kept(number)
        given = tuple((float(x), float(y)) for x, y in corners)
        if given:
            check_corners(np.array(given), frame.picture.shape)
        self._ask(_Wish(frame, None, given, is_exact, is_keeping=True))

    def keep(self, number: int | None = None) -> None:
        """Keep a picture as the photo of the board, which was found in it.

        Raises
        ------
        CalibratingError
            When it was not, or there is no such picture.
        """
        with self._lock:
            frame, sight = self._kept(number)
        if sight is None:
            raise CalibratingError(NOT_THERE)
        self._ask(_Wish(frame, sight, is_keeping=True))

    def nudge(self, key: str, by_mm: Offset) -> None:
        """Move a route, or one space of it, a little more; it is saved when this returns.

        Raises
        ------
        NudgeError, CalibratingError, HomeError, ProfileError
            When it cannot be moved so, or not be saved.
        """
        self._change(lambda profile: nudged(profile, self.board, key, by_mm))

    def take_back(self, key: str | None = None) -> None:
        """Put a route or a space back where it was measured, or all of them; saved on return.

        Raises
        ------
        CalibratingError, HomeError, ProfileError
            When it cannot be saved.
        """
        self._change(
            lambda profile: without_nudges(profile) if key is None else without_nudge(profile, key)
        )

    def _change(self, changed: Callable[[Profile], Profile]) -> None:
        with self._lock:
            profile = self._profile
            if profile is None or profile.is_drawn:
                raise CalibratingError(NO_OWN_PHOTO)
            # As it is saved by now: a game may have learned meanwhile.
            self._profile = self._store.change(profile.name, changed)
            self._show(problem="")
            now = self._profile
        self._use(now)

    def _kept(self, number: int | None) -> tuple[Frame, Sight | None]:
        if number is None and self._frame is not None:
            number = self._frame.number
        if number is None or number not in self._held:
            raise CalibratingError(WAITING if self._frame is None else GONE)
        self._held.move_to_end(number)
        return self._held[number]

    def _ask(self, wish: _Wish) -> None:
        with self._lock:
            self._wishes.append(wish)
            self._show("keeping" if wish.is_keeping else "looking", problem="")
        self._wake.set()

    @property
    def _is_resting(self) -> bool:
        return self._clock() >= self._asked_s + AWAKE_S

    def _run(self) -> None:
        while not self._ended.is_set():
            self._wake.wait(None if self._is_resting else TURN_S)
            self._wake.clear()
            try:
                self._turn()
            except Exception:
                # Nobody joins this thread: it would die in silence.
                LOG.exception("calibrating")
                self._lose("something went wrong here: look once more")

    def _turn(self) -> None:
        with self._lock:
            wish = self._wishes.pop(0) if self._wishes else None
            if self._wishes:
                self._wake.set()
        if wish is not None and wish.is_keeping:
            self._fulfil(wish)
            return
        if wish is None and self._is_resting:
            return
        frame = self._newest()
        if frame is None:
            if self._frame is None:
                self._show("waiting")
            return
        if wish is None and self._frame is not None and frame.number == self._frame.number:
            return
        if wish is not None or not self._is_followed(frame):
            self._look_in(frame)

    def _is_followed(self, frame: Frame) -> bool:
        """Take a picture in if the board lies in it where it was found, or is covered there."""
        sight, follower = self._sight, self._follower
        if sight is None or follower is None:
            return False
        if frame.picture.shape != sight.frame.picture.shape:
            return False
        followed = follower.follow(frame.picture)
        if followed.hold is Hold.MOVED:
            self._was_moved = True
            self._lose(MOVED, frame)
            return False
        sight = replace(sight, frame=frame)
        if followed.hold is Hold.NUDGED and followed.pose is not None:
            self._was_nudged = True
            sight = replace(sight, pose=followed.pose)
        elif followed.hold is Hold.HOLDS and self._was_nudged:
            return False  # it came to rest: following is not as exact as finding
        # Followed a little all the time, outlines would tremble: the pose stays what it was.
        if self._clock() >= self._judged_s + JUDGED_AGAIN_S:
            sight = self._judged(sight)
        self._see(sight)
        return True

    def _judged(self, sight: Sight) -> Sight:
        self._judged_s = self._clock()
        return judged(sight)

    def _look_in(self, frame: Frame) -> None:
        is_refined, self._was_nudged = self._was_nudged, False
        with self._lock:
            if not is_refined:
                self._take(frame, None)
                self._show("looking")
            profile = self._profile
        found = sight_in(frame, self.board, profile)
        if isinstance(found, FoundNoWay):
            self._lose(found.reason, frame, found.tried)
            return
        if self._was_moved:
            self._was_moved, found = False, replace(found, notes=(*found.notes, FOUND_ANEW))
        self._follower = Follower(frame.picture, found.pose)
        self._see(self._judged(found))

    def _fulfil(self, wish: _Wish) -> None:
        """Make the profile of a picture, and save it; where that fails nothing is changed."""
        self._show("keeping")
        try:
            sight = self._there(wish)
            made, lying = self._made(sight)
        except (CalibrationError, TableError) as error:
            with self._lock:
                self._show("found" if self._sight else "lost", problem=str(error))
            return
        self._use(made)
        lost = is_found_with(sight.frame, made)
        notes = [*sight.notes]
        if lying is not None:
            notes.append(
                f"trains lie on the board, on {len(lying.routes)} routes: what they hide is drawn"
                " until it is seen free; a photo of the empty board is better"
            )
        if lost is not None:
            notes.append(f"the board is not found with this photo of it: {lost.reason}")
        now = self._judged(replace(sight, notes=tuple(notes), is_ready=lost is None))
        self._follower = Follower(sight.frame.picture, sight.pose)
        self._see(now)

    def _there(self, wish: _Wish) -> Sight:
        """Return where the board is, as somebody said."""
        frame, profile = wish.frame, self._profile
        if wish.sight is not None or frame is None:
            if wish.sight is None:
                raise CalibratingError(NOT_THERE)
            return wish.sight
        if not wish.corners:
            found = found_anew(frame, self.board, profile)
        else:
            found = self._at_corners(frame, wish.corners, is_exact=wish.is_exact)
        if isinstance(found, FoundNoWay):
            raise CalibratingError(found.reason)
        return found

    def _at_corners(
        self, frame: Frame, corners: tuple[Point, ...], *, is_exact: bool
    ) -> Sight | FoundNoWay:
        own = self._own
        found = find_any_way(
            [frame.picture],
            self.board,
            own,
            corners,
            ways=(Way.CORNERS,),
            is_snapped=not is_exact,
            size_mm=None if own is None else own.size_mm,
        )
        if isinstance(found, FoundNoWay):
            return found
        return Sight(frame, found.pose, found.way, notes=found.notes)

    @property
    def _own(self) -> Profile | None:
        profile = self._profile
        return None if profile is None or profile.is_drawn else profile

    def _made(self, sight: Sight) -> tuple[Profile, Occupied | None]:
        own, pose = self._own, sight.pose
        name = self.board.id if own is None else own.name
        self._store.check_name(name)
        lens: Lens | None = pose.lens
        made, lying = profile_of_picture(
            sight.frame.picture,
            self.board,
            pose.corners_px,
            name,
            lens,
            None if own is None else own.scale,
        )
        with self._lock:  # nobody nudges meanwhile
            if own is None and self._profile is not None:
                made = with_words_of(made, self._profile)
            self._profile = made = self._store.put(made)
        return made, lying

    def _said(self, state: State) -> str:
        if state == "found" and self._sight is not None:
            return f"the board was found by {self._sight.way}"
        return {"waiting": WAITING, "looking": LOOKING, "keeping": KEEPING}.get(state, self._lost)

    def _lose(self, said: str, frame: Frame | None = None, tried: tuple[Tried, ...] = ()) -> None:
        with self._lock:
            self._sight = self._follower = None
            self._lost = said
            if frame is not None:
                self._take(frame, None)
            self._show("lost", tried=tried)

    def _see(self, sight: Sight) -> None:
        with self._lock:
            self._sight = sight
            self._take(sight.frame, sight)
            self._show("found", tried=sight.tried)

    def _take(self, frame: Frame, sight: Sight | None) -> None:
        self._frame = frame
        self._held[frame.number] = frame, sight
        self._held.move_to_end(frame.number)
        while len(self._held) > HELD:
            self._held.popitem(last=False)

    def _show(
        self,
        state: State | None = None,
        *,
        problem: str | None = None,
        tried: tuple[Tried, ...] | None = None,
    ) -> None:
        """Say how it stands now, if that is new."""
        with self._lock:
            was, sight, frame = self._view, self._sight, self._frame
            state = was.state if state is None else state
            outlines = was.outlines
            outlined = (sight and sight.pose, self._profile)
            if len(self._outlined) != 2 or any(
                a is not b for a, b in zip(outlined, self._outlined, strict=True)
            ):
                self._outlined, outlines = outlined, outlines + 1
            now = replace(
                was,
                state=state,
                said=self._said(state),
                problem=was.problem if problem is None else problem,
                notes=sight.notes if sight else (),
                is_ready=state == "found" and sight is not None and sight.is_ready,
                picture=frame.number if frame else None,
                size_px=(frame.picture.shape[1], frame.picture.shape[0]) if frame else (0, 0),
                way=sight.way if sight else None,
                corners_px=_corners(sight.pose) if sight else (),
                tried=was.tried if tried is None else tried,
                verdict=sight.verdict if sight else "",
                findings=sight.findings if sight else (),
                profile=_facts(self._profile),
                nudged=len(self._profile.nudges_mm) if self._profile else 0,
                outlines=outlines,
            )
            if now != was:
                self._view = replace(now, number=was.number + 1)


def _corners(pose: Pose) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in pose.corners_px)


def _facts(profile: Profile | None) -> ProfileFacts | None:
    if profile is None:
        return None
    return ProfileFacts(profile.name, profile.is_drawn, profile.made_at, len(profile.unseen))
