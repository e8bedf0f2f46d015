"""Score markers on the track: read where one disc lies by itself, else said to be unclear."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import drawn
import msgspec
import numpy as np
import pytest
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.pieces import Piece, place_markers, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.look.view import View
from railspotter.vision.reading.odds import WeighedBoard
from railspotter.vision.reading.score_markers import read_markers
from railspotter.vision.reading.several_photos import read_together
from railspotter.vision.readings import MarkerReading

CAMERA = VirtualCamera(drawn.usa(), view=drawn.ABOVE, sensor=drawn.SENSOR)
ASIDE = VirtualCamera(
    drawn.usa(),
    view=CameraSetup((1200, 900), tilt_deg=38, heading_deg=190, distance_mm=800),
    sensor=drawn.SENSOR,
)
TRAINS = place_trains(CAMERA.printed, drawn.CLAIMS)
# On all four sides, one on a corner, and one that went round.
SCORES = {"red": 7, "blue": 38, "green": 60, "yellow": 20, "black": 195}


def view_of(markers: Sequence[Piece]) -> View:
    picture = CAMERA.take(Scene((*TRAINS, *markers))).picture
    return drawn.found(picture, drawn.game().picture).view


@cache
def marked() -> WeighedBoard:
    """The game with everybody's marker at its number."""
    return drawn.weigh_photo(view_of(place_markers(CAMERA.printed, SCORES)))


def markers_in(view: View) -> Mapping[str, MarkerReading]:
    return drawn.read(view).markers


def at(x_mm: float, y_mm: float, colour: str = "red", **how: Any) -> Piece:
    return Piece("marker", colour, (x_mm, y_mm), **how)


def between(first: int, second: int) -> tuple[float, float]:
    x, y = np.mean([drawn.usa().score_track[step] for step in (first, second)], axis=0)
    return float(x), float(y)


def test_markers_stand_at_their_numbers() -> None:
    read = read_together([marked()]).reading.markers
    assert {colour: marker.at for colour, marker in read.items()} == {
        colour: score % 100 for colour, score in SCORES.items()
    }
    assert not any(marker.why for marker in read.values())


def test_what_is_not_clear_is_not_guessed() -> None:
    track = drawn.usa().score_track
    read = markers_in(
        view_of(
            [
                at(*between(30, 31), "red"),
                at(*track[55], "blue"),
                at(*track[55], "green", z_mm=5.0),  # lies on blue's
                at(track[75][0], track[75][1], "yellow", lean_deg=90.0),
                at(*track[12], "black"),
                at(*track[44], "black"),
            ]
        )
    )
    assert read["green"].at in (55, None), "the upper one of two"
    assert read["yellow"].at in (75, None), "on its edge"
    for colour, why in {
        "red": "it lies between 30 and 31",
        "blue": "it is not seen on the score track",
        "black": "it may stand at 12 or at 44",
    }.items():
        assert read[colour].at is None, colour
        assert sorted(read[colour].why.split()) == sorted(why.split())


def test_a_train_on_the_track_is_no_marker() -> None:
    x, y = drawn.usa().score_track[12]
    train = Piece("train", "red", (x, y), angle_deg=90.0)
    assert markers_in(view_of([train]))["red"].at is None


def read_from_aside(pieces: Sequence[Piece]) -> Mapping[str, MarkerReading]:
    return markers_in(drawn.found(ASIDE.take(Scene(tuple(pieces))).picture).view)


def test_markers_whose_sides_are_seen_are_read() -> None:
    far = {"red": 25, "blue": 45, "green": 60, "yellow": 84, "black": 5}
    read = read_from_aside(place_markers(ASIDE.printed, far))
    assert {colour: marker.at for colour, marker in read.items()} == far


def test_trains_whose_sides_are_seen_are_no_markers() -> None:
    lie = {"red": (28, 0), "blue": (55, 30), "green": (93, 125), "yellow": (90, 60)}
    track = drawn.usa().score_track
    read = read_from_aside(
        [Piece("train", c, track[step], angle_deg=angle) for c, (step, angle) in lie.items()]
    )
    assert {marker.at for marker in read.values()} == {None}


def test_nothing_is_read_where_there_is_nothing_to_read_by() -> None:
    view, first = marked().view, marked().first
    without_track = msgspec.structs.replace(view.printed.board, score_track=())
    for other in (
        replace(view, pieces=replace(view.pieces, markers=False)),
        replace(view, printed=replace(view.printed, board=without_track)),
        replace(view, printed=replace(view.printed, is_drawn=True)),
    ):
        assert read_markers(other, first.picture, first.colours) == {}


def test_a_copy_with_another_number_of_steps_is_noticed() -> None:
    view, first = marked().view, marked().first
    track = np.array(drawn.usa().score_track)
    places = np.linspace(0, 100, 80, endpoint=False)
    closed = np.vstack([track, track[:1]])
    x, y = (np.interp(places, range(101), closed[:, axis]).tolist() for axis in (0, 1))
    eighty = tuple(zip(x, y, strict=True))
    board = msgspec.structs.replace(view.printed.board, score_track=eighty)
    other = replace(view, printed=replace(view.printed, board=board))
    read = read_markers(other, first.picture, first.colours)
    assert {marker.at for marker in read.values()} == {None}
    assert "score track of this copy" in read["red"].why


@pytest.mark.parametrize(
    ("board", "reference", "name"),
    [
        ("usa", "blank_rectified_1500x990", "other_copy_2_1920"),
        pytest.param("usa", "blank_rectified_1500x990", "IMG_4149_1920", marks=pytest.mark.long),
        pytest.param("europe", "cropped_blank", "cropped_station_data2", marks=pytest.mark.long),
    ],
)
def test_no_marker_is_read_on_real_boards_without_any(
    photos: Path, board: str, reference: str, name: str
) -> None:
    shown = load_board(board)
    empty = load_photo(photos / board / f"{reference}.jpg")
    profile = make_profile(empty, shown, drawn.own_corners(empty).clip(0), "own", "")
    scorer = PhotoScorer(ReadingPlan(shown, load_edition(board), profile))
    found = scorer.find(load_photo(photos / board / f"{name}.jpg"))
    assert isinstance(found, FoundBoard)
    read = markers_in(found.view)
    assert len(read) == 5
    assert [marker for marker in read.values() if marker.at is not None] == []
