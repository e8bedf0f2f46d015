"""Light brought from one picture to another, and trains found where the truth has them."""

from __future__ import annotations

import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose, rectify
from railspotter.simulation.virtual_board.camera import CameraSetup

from composed.light import measure_change
from composed.plastic import recoloured
from composed.trains import find_trains, plastic_colours, to_lab

PX_PER_MM = 2.0


def lit(picture: Picture, gain: float | tuple[float, ...], veil: float) -> Picture:
    return np.asarray(np.clip(picture * np.array(gain) + veil, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("gain", "veil"),
    [((0.6, 0.6, 0.6), 0), ((0.5, 0.7, 0.9), 0), ((0.7, 0.7, 0.7), 40)],
    ids=["darker", "a warm lamp", "a veil of glare"],
)
def test_a_change_of_light_is_measured(gain: tuple[float, ...], veil: float) -> None:
    source = drawn.drawing()
    target = lit(source, gain, veil)
    bare = np.ones(source.shape[:2], bool)
    brought = measure_change(source, target, bare, PX_PER_MM).of(source)
    assert np.abs(brought.astype(int) - target).mean() < 3
    assert np.abs(source.astype(int) - target).mean() > 10, "else there was nothing to do"


def test_what_lies_on_the_board_changes_no_light() -> None:
    source = drawn.drawing()
    target = lit(source, 0.8, 0)
    covered = target.copy()
    covered[300:340, 400:520] = (20, 20, 220)
    bare = np.ones(source.shape[:2], bool)
    bare[296:344, 396:524] = False
    brought = measure_change(source, covered, bare, PX_PER_MM).of(source)
    part = np.s_[300:340, 400:520]
    assert np.abs(brought[part].astype(int) - target[part]).mean() < 6


def test_trains_are_found_where_they_stand() -> None:
    frame = drawn.render(
        drawn.usa(), drawn.CLAIMS, CameraSetup((1600, 1200), tilt_deg=0, distance_mm=6000)
    )
    pose = Pose(frame.frame_from_board, np.zeros((1, 1, 2)), drawn.usa().size_mm, 0, 1.0)
    above = rectify(frame.picture, pose, PX_PER_MM)
    found = find_trains(above, PX_PER_MM, drawn.usa(), frame.spaces)
    pieces = {(piece.route, piece.space): piece for piece in frame.pieces}
    assert {(t.route, t.space) for t in found} == set(pieces)
    across = []
    for train in found:
        piece = pieces[train.route, train.space]
        assert train.colour == piece.colour
        turn = np.deg2rad(train.angle_deg)
        off = np.subtract(train.xy_mm, piece.xy_mm)
        across.append(abs(off @ (-np.sin(turn), np.cos(turn))))
    assert np.median(across) < 1.0
    assert np.percentile(across, 95) < 2.5


def test_plastic_takes_another_colour_and_keeps_its_shading() -> None:
    red = np.zeros((40, 60, 3), np.uint8)
    red[:, :30], red[:, 30:] = (40, 40, 200), (25, 25, 125)
    plastic = np.zeros((40, 60), np.float32)
    plastic[5:35, 5:55] = 1
    colours = {
        "red": to_lab(red[:, :30])[0, 0].astype(np.float64),
        "blue": np.array([45.0, 5.0, -50.0]),
    }
    blue = recoloured(red, plastic, colours, "red", "blue").astype(int)
    lit_side, shaded_side = blue[20, 15], blue[20, 45]
    assert lit_side[0] > lit_side[2] + 60
    assert shaded_side.sum() < lit_side.sum()


def test_colours_are_those_of_the_plastic() -> None:
    frame = drawn.game()
    pose = Pose(frame.frame_from_board, np.zeros((1, 1, 2)), drawn.usa().size_mm, 0, 1.0)
    lab = to_lab(rectify(frame.picture, pose, PX_PER_MM))
    colours = plastic_colours(lab, PX_PER_MM, drawn.usa(), frame.spaces)
    assert set(colours) == set(drawn.CLAIMS.values())
    if "red" in colours and "blue" in colours:
        assert colours["red"][1] > 25
        assert colours["blue"][2] < -15
