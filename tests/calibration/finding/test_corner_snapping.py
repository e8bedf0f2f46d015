"""Corners that a person pointed at: moved onto a clear edge, and left where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Mask, Picture, Points
from railspotter.calibration.finding.corner_snapping import snap_corners
from railspotter.calibration.geometry import area_px2, outline_mm
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photo_file import load_photo

from photos.labelled import load_label

VIEW = CameraSetup((1000, 750), tilt_deg=15, heading_deg=20, fill=0.85)


@dataclass(frozen=True, eq=False)
class Shown:
    """A busy print without lines of its own on a plain dark table."""

    picture: Picture
    corners_px: Points


@cache
def on_a_dark_table(view: CameraSetup = VIEW) -> Shown:
    size = drawn.usa().size_mm
    projection = view.projection(size)
    width, height = view.size_wh
    x, y = np.meshgrid(np.arange(float(width)), np.arange(float(height)))
    at_mm = projection.board_points(np.column_stack([x.ravel(), y.ravel()])).reshape(
        height, width, 2
    )
    print_at = at_mm.astype(np.float32)
    blots = cv2.GaussianBlur(drawn.texture((525, 795), seed=4), (0, 0), 6)
    board = np.clip(1.5 * blots.astype(np.float32) - 40, 60, 255)
    seen = cv2.remap(board, print_at[..., 0], print_at[..., 1], cv2.INTER_LINEAR)
    is_board = np.all((at_mm >= 0) & (at_mm < size), axis=-1)
    picture = np.where(is_board[..., None], seen, 45.0)
    noise = np.random.default_rng(3).normal(0, 3, picture.shape)
    softened = cv2.GaussianBlur(picture + noise, (0, 0), 0.7)
    corners = projection.project(np.column_stack([outline_mm(size), np.zeros(4)]))
    return Shown(np.clip(softened, 0, 255).astype(np.uint8), corners)


def roughly(corners_px: Points, seed: int) -> Points:
    """Corners within 1.5 % of a picture 1000 pixels wide."""
    rng = np.random.default_rng(seed)
    way, far = rng.uniform(0, 2 * np.pi, 4), 15 * np.sqrt(rng.uniform(0, 1, 4))
    return np.asarray(corners_px + np.column_stack([np.cos(way), np.sin(way)]) * far[:, None])


def moved(corners_px: Points, from_px: Points) -> Mask:
    return np.asarray((corners_px != from_px).any(axis=1))


@pytest.mark.parametrize("seed", range(3))
def test_rough_corners_are_moved_onto_the_edge(seed: int) -> None:
    frame = on_a_dark_table()
    rough = roughly(frame.corners_px, seed)
    result = snap_corners(frame.picture, rough)
    assert moved(result, rough).all()
    assert np.hypot(*(result - frame.corners_px).T).max() < 2.0


def test_a_wide_lens_bends_the_sides() -> None:
    frame = on_a_dark_table(CameraSetup((1000, 750), tilt_deg=10, fill=0.9, k1=-0.06))
    rough = roughly(frame.corners_px, 7)
    result = snap_corners(frame.picture, rough)
    assert moved(result, rough).all()
    assert np.hypot(*(result - frame.corners_px).T).max() < 5.0


def test_without_an_edge_the_corners_stay() -> None:
    blank = np.full((750, 1000, 3), 128, np.uint8)
    rough = roughly(on_a_dark_table().corners_px, 1)
    assert snap_corners(blank, rough).tolist() == rough.tolist()


def test_a_corner_beside_a_hidden_edge_stays_and_the_others_move() -> None:
    frame = on_a_dark_table()
    picture = frame.picture.copy()
    bottom, top = np.rint(frame.corners_px[[3, 0]]).astype(int).tolist()
    cv2.line(picture, bottom, top, (60, 70, 65), 90)
    rough = roughly(frame.corners_px, 2)
    result = snap_corners(picture, rough)
    assert moved(result, rough).tolist() == [False, True, True, False]
    assert np.hypot(*(result - frame.corners_px).T)[1:3].max() < 2.0


def test_an_edge_with_a_rival_as_clear_is_nobodys() -> None:
    """A frame around the board, as far off as a person may be: which is meant?"""
    frame = on_a_dark_table()
    picture = frame.picture.copy()
    outward = frame.corners_px - frame.corners_px.mean(axis=0)
    around = frame.corners_px + 16 * np.sign(outward)
    for start, end in zip(around, np.roll(around, -1, axis=0), strict=True):
        first, last = np.rint([start, end]).astype(int).tolist()
        cv2.line(picture, first, last, (240, 240, 240), 4)
    middle = (frame.corners_px + around) / 2
    assert snap_corners(picture, middle).tolist() == middle.tolist()


def test_a_print_with_a_frame_of_its_own_is_not_mistaken_for_the_board() -> None:
    frame = drawn.empty(VIEW)
    for seed in range(3):
        rough = roughly(frame.corners_px, seed)
        result = snap_corners(frame.picture, rough)
        off_px = np.hypot(*(result - frame.corners_px).T)
        stayed_px = np.hypot(*(rough - frame.corners_px).T)
        assert np.all((off_px < 3.0) | (off_px == stayed_px))


def test_a_picture_cut_out_along_the_board_has_no_edge() -> None:
    corners = drawn.own_corners(drawn.drawing())
    assert snap_corners(drawn.drawing(), corners).tolist() == corners.tolist()


def test_crossed_corners_are_left_to_whoever_uses_them() -> None:
    frame = on_a_dark_table()
    crossed = frame.corners_px[[0, 2, 1, 3]]
    assert snap_corners(frame.picture, crossed).tolist() == crossed.tolist()


def test_real_boards(photos: Path) -> None:
    before_mm: list[float] = []
    after_mm: list[float] = []
    for name in ("IMG_4171_1008", "IMG_4066_1008", "IMG_4132_1008"):
        photo = load_label(photos / "usa" / f"{name}.json")
        assert photo is not None
        picture = load_photo(photo.path)
        px_per_mm = np.sqrt(area_px2(photo.corners_px) / np.prod(drawn.usa().size_mm))
        for seed in (3, 4):
            rough = roughly(photo.corners_px, seed)
            result = snap_corners(picture, rough)
            sure = moved(result, rough)
            for corners, found_mm in ((rough, before_mm), (result, after_mm)):
                found_mm += (np.hypot(*(corners - photo.corners_px).T) / px_per_mm)[sure].tolist()
    assert len(after_mm) >= 6, "of 24 corners"
    assert max(after_mm) < 8.0, "the labels are some 2 mm off, some 5"
    assert np.mean(after_mm) < 0.7 * np.mean(before_mm)
