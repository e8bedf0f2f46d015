"""Boards of other prints, found by where their routes run."""

from functools import cache

import cv2
import numpy as np
import pytest
from examples import every_run
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.outline_fit import find_by_network
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame, VirtualCamera

CLAIMS = {"athina--smyrna": "red", "berlin--warszawa--0": "blue", "madrid--pamplona--1": "green"}


def own_art(board: Board) -> Picture:
    """Draw a board in an art of its own: pale outlines on a dark, striped ground."""
    width, height = (round(2 * side) for side in board.size_mm)
    picture = np.full((height, width, 3), (70, 40, 50), np.uint8)
    picture[:, ::14] = (90, 60, 55)
    for route in board.routes:
        for space in route.spaces:
            (x, y), (length, across) = space.xy_mm, space.size_mm
            around = cv2.boxPoints(((2 * x, 2 * y), (1.9 * length, 1.8 * across), space.angle_deg))
            ink = {"red": (90, 90, 230), "blue": (230, 150, 90)}.get(route.colour, (200, 210, 190))
            cv2.polylines(picture, [np.asarray(around, np.int32)], True, ink, 3, cv2.LINE_AA)
    for place in board.places:
        x, y = (round(2 * at) for at in place.xy_mm)
        cv2.drawMarker(picture, (x, y), (120, 220, 220), cv2.MARKER_DIAMOND, 16, 4)
    return picture


@cache
def played() -> RenderedFrame:
    """Take a picture of that board from aside, with a few trains on it."""
    europe = load_board("europe")
    view = CameraSetup((960, 720), tilt_deg=30, heading_deg=25, distance_mm=1000)
    camera = VirtualCamera(europe, view=view, art=own_art(europe))
    return camera.take(Scene(place_trains(camera.printed, CLAIMS)))


def worst_mm(found: Pose, true: RenderedFrame) -> float:
    """Return how far from its place the worst corner is."""
    off = np.hypot(*(found.corners_px - true.corners_px).T).max()
    side = np.hypot(*(true.corners_px[1] - true.corners_px[0]))
    return float(off / side * found.size_mm[0])


def test_a_board_whose_print_nobody_knows_lies_where_its_routes_run() -> None:
    found = find_by_network(played().picture, load_board("europe"))
    assert isinstance(found, Pose)
    assert worst_mm(found, played()) < 4


@pytest.mark.parametrize("board", every_run("usa", ("usa", "newyork")))
def test_no_other_board_is_found_in_its_place(board: str) -> None:
    assert not isinstance(find_by_network(played().picture, load_board(board)), Pose)
