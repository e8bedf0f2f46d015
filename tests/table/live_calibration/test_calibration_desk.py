"""Calibrating while somebody looks on: found, lost, kept, corrected, and all of it still there."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.following import Follower, FollowResult, FollowState
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.errors import CalibratingError, HomeError
from railspotter.table.home import ProfileStore
from railspotter.table.live_calibration import live_calibration
from railspotter.table.live_calibration.live_calibration import LiveCalibration
from railspotter.table.live_calibration.outlines import space_outlines
from railspotter.table.live_calibration.view import Calibration
from railspotter.table.photo_file import parse_photo
from railspotter.vision.sources.source import Frame
from waiting import until

ROUTE = "helena--seattle"
FIRST, LATER = (
    CameraSetup((1200, 900), tilt_deg=8),
    CameraSetup((1200, 900), tilt_deg=14, heading_deg=8),
)
PATIENCE_S = 240.0


@dataclass
class Camera:
    """Shows one picture again and again, each time as a new frame."""

    picture: Picture | None = None
    count: int = 0

    def newest(self) -> Frame | None:
        if self.picture is None:
            return None
        self.count += 1
        return Frame(self.picture, float(self.count), self.count)


@cache
def photographed() -> Profile:
    """A profile of the drawn board, made from a photo of it."""
    seen = drawn.empty(FIRST)
    return make_profile(seen.picture, drawn.usa(), seen.corners_px, "mine", "2026-01-01T00:00:00")


@dataclass
class At:
    """A desk, its camera, and the profiles that it told of."""

    desk: LiveCalibration
    camera: Camera
    store: ProfileStore
    used: list[Profile] = field(default_factory=list)

    def until(self, is_so: Callable[[Calibration], bool]) -> Calibration:
        def seen() -> Calibration | None:
            view = self.desk.view()
            return view if is_so(view) else None

        view: Calibration = until(seen, PATIENCE_S)
        return view

    def done(self) -> Calibration:
        return self.until(lambda view: view.state in ("found", "lost"))


@contextmanager
def desk(home: Path, profile: Profile | None, picture: Picture | None = None) -> Iterator[At]:
    camera, store, used = Camera(picture), ProfileStore(home), list[Profile]()
    with LiveCalibration(camera.newest, drawn.usa(), profile, store, used.append) as one:
        yield At(one, camera, store, used)


def flat(level: int) -> Picture:
    """A picture of nothing, which is quickly looked at."""
    return np.full((300, 400, 3), level, np.uint8)


def number_of(view: Calibration) -> int:
    """Return the number of the picture that is told of; 0 without one."""
    return view.picture.number if view.picture else 0


def off_px(corners: object, truth: object) -> float:
    return float(np.max(np.hypot(*(np.asarray(corners) - np.asarray(truth)).T)))


def test_it_waits_for_a_picture_finds_the_board_and_tells_when_it_was_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_calibration, "INTERVAL_S", 0.3)
    with desk(tmp_path, photographed()) as at:
        assert at.desk.view().state == "waiting"
        with pytest.raises(CalibratingError, match="waiting for a picture"):
            at.desk.picture()
        seen = drawn.empty(LATER)
        at.camera.picture = seen.picture
        found = at.done()
        assert (found.state, found.way, found.is_ready) == ("found", "own photo", True)
        assert found.said == "the board was found by your own photo of the board"
        assert off_px(found.corners_px, seen.corners_px) < 2
        assert found.picture is not None
        assert found.picture.size_px == (1200, 900)
        # Where nothing moves outlines are not made anew with every picture.
        later = at.until(lambda view: number_of(view) > number_of(found))
        assert later.outlines == found.outlines
        at.camera.picture = np.full((900, 1200, 3), 90, np.uint8)
        at.until(lambda view: view.state == "lost")
        lost = at.until(lambda view: view.state == "lost" and bool(view.tried))
        assert [one.way for one in lost.tried] == ["own photo", "fingerprint", "markers"]
        assert not lost.is_ready
        assert lost.corners_px is None
        assert at.desk.spaces()[1] == ()
        with pytest.raises(CalibratingError, match="not found in that picture"):
            at.desk.keep()


def test_spaces_lie_where_they_are_printed_and_move_with_a_nudge(tmp_path: Path) -> None:
    seen = drawn.empty(LATER)
    with desk(tmp_path, photographed(), seen.picture) as at:
        at.store.save(photographed())
        at.done()
        _, before = at.desk.spaces()
        by_key = {one.key: one for one in before}
        assert len(before) == 309
        space = next(r for r in drawn.usa().routes if r.id == ROUTE).spaces[2]
        truth = cv2.perspectiveTransform(np.array([[space.xy_mm]]), _frame_from_board(seen))[0, 0]
        one = by_key[f"{ROUTE}#2"]
        assert np.hypot(*(np.mean(one.outline_px, axis=0) - truth)) < 2.5
        at.desk.nudge(ROUTE, (2.0, -1.0))
        at.desk.nudge(f"{ROUTE}#2", (0.5, 0.0))
        after = {one.key: one for one in at.desk.spaces()[1]}
        step = np.mean(after[one.key].outline_px, axis=0) - np.mean(one.outline_px, axis=0)
        expected = 2.5 * np.array(one.dx_px) - np.array(one.dy_px)
        assert np.hypot(*(step - expected)) < 0.2
        assert {key for key, one in after.items() if one.is_nudged} == {
            f"{ROUTE}#{number}" for number in range(6)
        }
        assert at.desk.view().nudged == 2
        at.desk.take_back(f"{ROUTE}#2")
        assert at.used[-1].nudges_mm == {ROUTE: (2.0, -1.0)}
        at.desk.take_back()
        assert at.store.load("mine").nudges_mm == {}


def _frame_from_board(seen: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    width, height = drawn.usa().size_mm
    board = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    corners = np.asarray(getattr(seen, "corners_px"), np.float32)  # noqa: B009
    return np.asarray(cv2.getPerspectiveTransform(board, corners), np.float64)


def test_a_picture_with_trains_is_kept_as_if_they_were_not_there(tmp_path: Path) -> None:
    seen = drawn.game(FIRST)
    with desk(tmp_path, photographed(), seen.picture) as at:
        at.store.save(photographed())
        at.done()
        at.desk.nudge(ROUTE, (1.0, 0.0))
        at.desk.keep()
        kept = at.done()
        assert kept.problem == ""
        assert kept.profile is not None
        assert kept.profile.unseen > 20
        assert "trains lie on the board" in kept.notes[-1]
        assert at.used[-1].nudges_mm == {ROUTE: (1.0, 0.0)}
        assert at.store.load("mine").unseen == at.used[-1].unseen


def test_what_is_kept_is_looked_for_where_it_lies_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For some pictures a board that was moved may be taken for one under hands."""
    covered = FollowResult(FollowState.COVERED, None)
    monkeypatch.setattr(Follower, "follow", lambda self, frame: covered)
    now = drawn.empty(LATER)
    with desk(tmp_path, photographed(), drawn.empty(FIRST).picture) as at:
        before = at.done()
        at.camera.picture = now.picture
        wrong = at.until(lambda view: number_of(view) > number_of(before) + 1)
        assert off_px(wrong.corners_px, now.corners_px) > 5
        at.desk.keep()
        at.until(lambda view: bool(at.used))
        assert off_px(at.done().corners_px, now.corners_px) < 2


NO_CORNERS: list[tuple[list[tuple[float, float]], str]] = [
    ([(100, 100), (900, 800), (900, 100), (100, 800)], "cross"),
    ([(100, 100), (100, 800), (900, 800), (900, 100)], "wrong way"),
    ([(100, 100), (9e9, 100), (900, 800), (100, 800)], "outside"),
    ([(float("nan"), 1), (9, 1), (9, 8), (1, 8)], "four corners"),
    ([(1, 1), (9, 1), (9, 8)], "four corners"),
]


def test_corners_that_cannot_be_a_boards_are_refused_and_change_nothing(tmp_path: Path) -> None:
    with desk(tmp_path, photographed(), drawn.empty(FIRST).picture) as at:
        before = at.done()
        for corners, why in NO_CORNERS:
            with pytest.raises(CalibratingError, match=why):
                at.desk.put_corners(corners)
            with pytest.raises(CalibratingError, match="picture is gone"):
                at.desk.put_corners(corners, 10**9)
        assert at.desk.view().corners_px == before.corners_px
        assert not at.used
        assert at.store.names() == ()


def test_a_photo_with_which_the_board_is_not_found_is_said_so_and_not_ready(tmp_path: Path) -> None:
    seen = drawn.empty(FIRST)
    picture = np.asarray(cv2.GaussianBlur(seen.picture, (0, 0), 25), np.uint8)
    with desk(tmp_path, None, picture) as at:
        at.until(lambda view: view.picture is not None)
        with pytest.raises(CalibratingError, match="first keep this picture"):
            at.desk.nudge(ROUTE, (0.5, 0.0))
        at.desk.put_corners([(x, y) for x, y in seen.corners_px.tolist()], is_exact=True)
        kept = at.done()
        assert kept.profile is not None
        assert (kept.profile.name, kept.profile.is_drawn) == ("usa", False)
        assert "the board is not found with this photo of it" in kept.notes[-1]
        assert not kept.is_ready


def test_glare_is_told_with_the_place_where_it_is(tmp_path: Path) -> None:
    seen = drawn.empty(FIRST)
    picture = seen.picture.copy()
    at_px = (760, 560)
    cv2.circle(picture, at_px, 60, (255, 255, 255), -1)
    with desk(tmp_path, photographed(), picture) as at:
        view = at.done()
        assert view.verdict is not None
        assert view.verdict.grade in ("usable", "poor")
        (glare,) = (one for one in view.verdict.findings if one.about == "glare")
        assert "glares on the" in glare.said
        inside = [
            cv2.pointPolygonTest(np.array(outline, np.float32), at_px, False) > 0
            for outline in glare.outlines_px
        ]
        assert inside.count(True) == 1
        assert len(inside) <= 4, "no larger than the lamp and its neighbours"


def test_a_board_that_was_moved_is_found_anew_and_said_so(tmp_path: Path) -> None:
    with desk(tmp_path, photographed(), drawn.empty(FIRST).picture) as at:
        first = at.done()
        turned = np.ascontiguousarray(drawn.empty(FIRST).picture[::-1, ::-1])
        at.camera.picture = turned
        view = at.until(lambda view: view.state == "found" and view.corners_px != first.corners_px)
        assert "the board or the camera was moved, and the board was found again" in view.notes
        assert "the board lies upside down in the picture, which is fine" in view.notes
        wanted = np.array([1199, 899]) - drawn.empty(FIRST).corners_px
        assert off_px(view.corners_px, wanted) < 2


def test_what_cannot_be_saved_is_said_and_not_used(tmp_path: Path) -> None:
    with desk(tmp_path / "a file", photographed(), drawn.empty(FIRST).picture) as at:
        (tmp_path / "a file").write_text("in the way")
        before = at.done()
        at.desk.keep()
        after = at.done()
        assert "cannot write" in after.problem
        assert (after.state, after.corners_px) == ("found", before.corners_px)
        with pytest.raises(HomeError):
            at.desk.nudge(ROUTE, (1.0, 0.0))
        assert not at.used
        assert at.desk.profile is not None
        assert at.desk.profile.nudges_mm == {}


def test_a_picture_that_somebody_looks_at_is_kept_meanwhile(tmp_path: Path) -> None:
    with desk(tmp_path, None, flat(60)) as at:
        held = number_of(at.done())
        for number in range(6):
            at.camera.picture = flat(100 + 10 * number)
            before = number_of(at.desk.view(held))
            at.desk.look()
            at.until(lambda view, before=before: number_of(at.desk.view(held)) > before)  # type: ignore[misc]
        assert np.mean(parse_photo(at.desk.picture(held))) == pytest.approx(60, abs=1)
        with pytest.raises(CalibratingError, match="gone"):
            at.desk.picture(held + 1)


def test_it_rests_while_nobody_looks_on(tmp_path: Path) -> None:
    camera, store = Camera(flat(90)), ProfileStore(tmp_path)
    now = [0.0]
    with LiveCalibration(
        camera.newest, drawn.usa(), None, store, lambda profile: None, clock=lambda: now[0]
    ) as one:
        at = At(one, camera, store)
        at.done()
        now[0] += 60.0
        time.sleep(1.5)
        count = camera.count
        time.sleep(1.5)
        assert camera.count == count
        at.until(lambda view: camera.count > count)


def test_a_folded_boards_outlines_are_where_its_spaces_are_seen() -> None:
    seen = drawn.empty(FIRST)
    straight = Pose(_frame_from_board(seen), np.zeros((1, 1, 2)), drawn.usa().size_mm, 9, 1.0)
    bend = np.zeros((8, 12, 2))
    bend[..., 0] = 2.0
    bent = Pose(straight.frame_from_board, bend, straight.size_mm, 9, 1.0)
    plain = space_outlines(drawn.usa(), photographed(), straight)
    moved = space_outlines(drawn.usa(), photographed(), bent)
    for one, other in zip(plain, moved, strict=True):
        step = np.mean(other.outline_px, axis=0) - np.mean(one.outline_px, axis=0)
        assert np.hypot(*(step - 2 * np.array(one.dx_px))) < 0.2
