"""One printed copy: what is off in it, and that the truth beside the picture says so."""

import numpy as np
import pytest
from drawn import render
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.pieces import Piece
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


def test_some_routes_stray_and_both_lanes_together(usa: Board) -> None:
    copy = Copy(seed=5, stray_print_mm=6)
    off_mm = {route.id: np.hypot(*copy.offset_mm(route.id)) for route in usa.routes}
    astray = {route for route, off in off_mm.items() if off > 0}
    assert 5 <= len(astray) <= 30
    assert 4 < max(off_mm.values()) <= 6
    for lanes in usa.lanes:
        assert len({copy.offset_mm(lane) for lane in lanes}) == 1
    others = {route.id for route in usa.routes if any(Copy(6, 1.0, 6).offset_mm(route.id))}
    assert astray != others


def test_the_printed_board_is_the_file_moved_and_scaled(usa: Board) -> None:
    copy = Copy(seed=5, scale=1.2, stray_print_mm=6)
    printed = copy.printed(usa)
    for filed, real in zip(usa.routes, printed.routes, strict=True):
        for before, after in zip(filed.spaces, real.spaces, strict=True):
            expected = 1.2 * (np.array(before.xy_mm) + copy.offset_mm(filed.id))
            assert after.xy_mm == pytest.approx(expected, abs=1e-3)
            assert after.size_mm == pytest.approx(1.2 * np.array(before.size_mm), abs=1e-3)
            assert after.angle_deg == before.angle_deg
    assert Copy().printed(usa) == usa


def test_a_fold_lifts_the_print_and_what_stands_on_it(usa: Board) -> None:
    """At a slant the raised part is seen farther up in the picture."""
    copy, view = Copy(seed=1, fold_mm=8), CameraSetup((800, 600), tilt_deg=50, distance_mm=1400)
    on_fold = (usa.size_mm[0] / 3, 200.0)
    rise = float(copy.height_mm(on_fold, usa.size_mm))
    assert 2 < rise <= 8
    assert copy.height_mm((132.0, 130.0), usa.size_mm) < 2
    flat, bent = (render(usa, {}, view, copy=one) for one in (Copy(seed=1), copy))
    x, y = bent.projection.project([(*on_fold, rise)])[0]
    was_x, was_y = flat.projection.project([(*on_fold, 0.0)])[0]
    assert was_y - y > 1.5
    patch = flat.picture[round(was_y) - 6 : round(was_y) + 7, round(was_x) - 9 : round(was_x) + 10]
    found = []
    for down in range(-8, 9):
        there = np.s_[round(y) - 6 + down : round(y) + 7 + down, round(x) - 9 : round(x) + 10]
        found.append(np.corrcoef(bent.picture[there].ravel(), patch.ravel())[0, 1])
    assert abs(int(np.argmax(found)) - 8) <= 1
    train = Piece("train", "red", on_fold)
    assert middle_row(usa, Copy(seed=1), view, train) - middle_row(
        usa, copy, view, train
    ) == pytest.approx(was_y - y, abs=0.5)


def middle_row(board: Board, copy: Copy, view: CameraSetup, train: Piece) -> float:
    """Where in the picture a train is, by what it changes."""
    camera = VirtualCamera(board, copy, view)
    light = Light(ambient=1.0)  # without shadows
    with_train, without = (
        camera.take(Scene(pieces, light=light)).picture for pieces in ((train,), ())
    )
    return float(np.nonzero((with_train != without).any(axis=2))[0].mean())
