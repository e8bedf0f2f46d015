"""A board from a low angle: trains lean far and hide what lies behind; the far side is small."""

from dataclasses import replace

import cv2
import drawn
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.geometry import project
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.vision.look.first_look import look
from railspotter.vision.look.train_net import MOST_LEAN_MM, seen_windows
from railspotter.vision.look.view import LEAST_PX_PER_MM, View

LOW = CameraSetup((1600, 1200), tilt_deg=55, heading_deg=15)


def low() -> View:
    return drawn.found(drawn.game(LOW).picture).view


def test_trains_are_placed_where_they_stand() -> None:
    """Their roofs are seen 9 to 20 mm off their feet."""
    frame, view = drawn.game(LOW), low()
    printed, placed = view.printed, look(view).trains.placements
    first = dict(zip((r.id for r in printed.board.routes), printed.first_space, strict=True))
    off = []
    for train in frame.pieces:
        assert train.route is not None
        assert train.space is not None
        space = first[train.route] + train.space
        offset = placed.offset_mm[space, view.pieces.colours.index(train.colour)]
        off.append(np.hypot(*(printed.xy_mm[space] + offset - train.xy_mm)))
    assert np.median(off) < 3
    assert np.mean(np.array(off) < 6) > 0.9


def test_what_is_not_read_rightly_is_asked_about() -> None:
    photo = drawn.scorer().score([("low.jpg", drawn.game(LOW).picture)])
    assert not photo.unseen
    assert not any("another photo" in note for note in photo.notes)
    asked = {doubt.spot.id for doubt in photo.doubts}
    wrong = {route for route, _ in photo.claims.items() ^ drawn.CLAIMS.items()}
    assert wrong <= asked
    assert len(wrong) <= 2
    assert len(asked) <= 10


def test_windows_follow_roofs_that_lean_further_than_was_taught() -> None:
    view = low()
    lean = view.viewpoint.lean_mm(view.printed.xy_mm, 9.0)
    far = np.hypot(*lean.T)
    windows = seen_windows(view, view.rectified)
    assert far.max() > MOST_LEAN_MM
    assert windows.aside_mm is not None
    assert np.allclose(np.hypot(*windows.aside_mm.T), np.maximum(0, far - MOST_LEAN_MM))
    assert np.allclose(np.hypot(*np.transpose(windows.lean_mm)), np.minimum(far, MOST_LEAN_MM))


def test_what_a_picture_shows_too_small_is_unseen() -> None:
    """Its pixels are counted along the way away from the camera, where there are fewest."""
    found = drawn.found(drawn.game(LOW).picture)
    shrink = 0.3
    small: Picture = np.asarray(cv2.resize(drawn.game(LOW).picture, None, fx=shrink, fy=shrink))
    pose = replace(
        found.pose, frame_from_board=np.diag([shrink, shrink, 1]) @ found.pose.frame_from_board
    )
    printed = found.view.printed
    view = View.of(small, pose, printed, found.view.pieces)
    away = found.view.viewpoint.lean_mm(printed.xy_mm, 9.0)
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    fine = px_per_mm(pose.frame_from_board, printed.xy_mm, away)
    assert fine.min() < LEAST_PX_PER_MM - 0.02
    assert fine.max() > LEAST_PX_PER_MM + 0.02
    assert not view.spaces_shown[fine < LEAST_PX_PER_MM - 0.02].any()
    assert view.spaces_shown[fine > LEAST_PX_PER_MM + 0.02].all()


def px_per_mm(frame_from_board: Float64s, points_mm: Float64s, way: Float64s) -> Float64s:
    """Return how many pixels a millimetre that way has at points of a board, (N,)."""
    ends = (project(frame_from_board, points_mm + half * way) for half in (-0.5, 0.5))
    return np.asarray(np.hypot(*np.subtract(*ends).T))
