"""The stress ladder: its steps show what they promise, and its table counts what was read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import composed_boards
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.geometry import homography_from_corners, project

from hardships.readings import Rendered
from hardships.renderings import at_iso, linear, motion_blurred, seen_at
from hardships.steps import HARDSHIPS, Shot, colours_kept, of_players, without_others
from photos.labelled import LabelledPhoto, load_label
from stress_ladder import Climbed, Rung, as_text, chosen_photos, store, stored

SIZE_MM = (750.0, 495.0)
STEPS = [(name, step) for name, steps in HARDSHIPS.items() for step in steps if name != "width"]


def drawn_shot(board_px: int = 900) -> Shot:
    """A grey table, on it a board of bright and dark bluish squares that is seen from above."""
    width, height = board_px, round(board_px * 0.66)
    picture = np.full((height + 40, width + 60, 3), 90, np.uint8)
    y, x = np.mgrid[:height, :width]
    is_bright = (x // 60 + y // 60) % 2 == 1
    picture[20 : 20 + height, 30 : 30 + width] = np.where(
        is_bright[..., None], (220, 190, 160), (80, 60, 40)
    )
    first, last = np.array([30.0, 20.0]), np.array([29.0 + width, 19.0 + height])
    corners_px = np.array([first, [last[0], first[1]], last, [first[0], last[1]]])
    return Shot(LabelledPhoto(Path("drawn.jpg"), {}), picture, corners_px, SIZE_MM)


@pytest.mark.parametrize(("name", "step"), STEPS, ids=[f"{name}, {step}" for name, step in STEPS])
def test_a_step_makes_a_picture_of_the_same_board(name: str, step: str) -> None:
    plain = drawn_shot()
    shot = HARDSHIPS[name][step](plain)
    assert shot is not None
    assert shot.picture.dtype == np.uint8
    assert shot.picture.ndim == 3
    if name != "tilt":
        assert shot.picture.shape == plain.picture.shape
        assert np.array_equal(shot.corners_px, plain.corners_px)
    assert (shot.picture.shape != plain.picture.shape) or (
        np.array_equal(shot.picture, plain.picture) == (name == "plain")
    )


def test_noise_grows_with_iso_and_takes_no_side() -> None:
    grey = np.full((120, 160, 3), 120, np.uint8)
    noisy = [at_iso(grey, iso).astype(float) for iso in (200, 800, 1600, 3200, 6400)]
    spread = [float(picture.std()) for picture in noisy]
    assert spread == sorted(spread)
    assert spread[-1] > 2 * spread[0]
    assert all(abs(picture.mean() - 120) < 6 for picture in noisy[:4])


@pytest.mark.parametrize("kelvin", [2000, 3200, 7500])
def test_a_half_corrected_lamp_leaves_half_of_its_mireds(kelvin: float) -> None:
    left_k = 1e6 / ((200 + 1e6 / kelvin) / 2)
    assert seen_at(kelvin, 0.5) == pytest.approx(seen_at(left_k))
    assert seen_at(5000) == pytest.approx((1, 1, 1))


def test_a_shaken_point_is_a_line_of_that_length() -> None:
    picture = np.zeros((61, 61, 3), np.uint8)
    picture[30, 30] = 255
    line = linear(motion_blurred(picture, 21, angle_deg=0))[..., 0].sum(axis=0)
    assert np.flatnonzero(line > line.max() / 2).tolist() == [*range(20, 41)]


@pytest.mark.parametrize("times", [2, 4, 8])
def test_the_sun_just_clips_and_the_rest_is_darker_by_its_share(times: int) -> None:
    plain = drawn_shot()
    shot = HARDSHIPS["half in sun"][f"x{times}"](plain)
    assert shot is not None
    board = linear(shot.picture)[20:-20, 30:-30, 0]
    assert board[:, 600:].max() == pytest.approx(1, abs=0.02)
    assert board[:, :300].max() == pytest.approx(1 / times, rel=0.05)


@pytest.mark.parametrize("step", HARDSHIPS["tilt"])
def test_a_tilted_board_is_where_its_corners_say(step: str) -> None:
    plain = drawn_shot()
    shot = HARDSHIPS["tilt"][step](plain)
    assert shot is not None
    top, bottom = (
        np.hypot(*(shot.corners_px[a] - shot.corners_px[b])) for a, b in ((0, 1), (3, 2))
    )
    assert top < bottom == pytest.approx(899, abs=1)
    middles = (np.array([[5, 5], [10, 5], [9, 7]]) * 60 + 30) / (900, 594) * SIZE_MM
    for one, bright in zip(middles, (False, True, False), strict=True):
        x, y = project(homography_from_corners(shot.corners_px, SIZE_MM), one)
        assert (shot.picture[round(y), round(x), 0] > 128) == bright
    assert np.all(shot.corners_px > 0)
    assert np.all(shot.corners_px < shot.picture.shape[1::-1])


def truth_of(claims: dict[str, str], half: Sequence[str] = ()) -> LabelledPhoto:
    spaces: dict[str, list[str | None]] = {"free": [None]}
    for route, colour in claims.items():
        spaces[route] = [colour, colour]
    for route in half:
        spaces[route][1] = None
    truth = {"claims": claims, "spaces": spaces, "half_filled_routes": list(half)}
    return LabelledPhoto(Path("a_1920.jpg"), truth)


def test_without_the_others_only_their_trains_are_gone() -> None:
    photo = truth_of({"a": "red", "b": "blue", "c": "red"}, half=["b", "c"])
    assert without_others(photo, ["red"], "less").truth == {
        "claims": {"a": "red", "c": "red"},
        "spaces": {"a": ["red", "red"], "b": [None, None], "c": ["red", None], "free": [None]},
        "half_filled_routes": ["c"],
    }


def test_who_stays_with_fewer_players_stays_with_more() -> None:
    photo = truth_of({"a": "red", "b": "blue", "c": "green"})
    two, three = colours_kept(photo, 2), colours_kept(photo, 3)
    assert two is not None
    assert {*two} < {"red", "blue", "green"}
    assert three == ("blue", "green", "red")
    assert colours_kept(photo, 4) is None


@pytest.mark.long
def test_exactly_the_trains_of_others_are_taken_away(photos: Path) -> None:
    library = composed_boards.library()
    photo = load_label(photos / "usa" / f"{composed_boards.PLAYED}.json")
    assert photo is not None
    shot = Shot(
        photo, library.picture(composed_boards.PLAYED), photo.corners_px, library.board.size_mm
    )
    empty = of_players(shot, (), library, composed_boards.BLANK)
    kept = ("black", "red")
    some = of_players(shot, kept, library, composed_boards.BLANK)
    assert some.photo.truth["claims"] == {
        route: colour for route, colour in photo.truth["claims"].items() if colour in kept
    }
    place = homography_from_corners(some.corners_px, library.board.size_mm)
    changed = np.abs(some.picture.astype(int) - empty.picture).max(axis=2) > 30
    stays: dict[bool, list[float]] = {True: [], False: []}
    for route in library.board.routes:
        beside = {
            some.photo.truth["claims"].get(r) for r in library.board.other_lanes.get(route.id, ())
        }
        for space, colour in zip(
            route.spaces, photo.truth["spaces"].get(route.id, ()), strict=False
        ):
            x, y = np.rint(project(place, np.array(space.xy_mm))).astype(int)
            share = float(changed[y - 2 : y + 3, x - 2 : x + 3].mean())
            # A train that leans over the next lane hides it here as it did in the photo.
            if colour in kept or beside <= {None}:
                stays[colour in kept].append(share)
    assert min(stays[True]) > 0.4
    assert max(stays[False]) < 0.1


def test_a_board_is_not_made_wider_than_the_photo_shows_it(photos: Path) -> None:
    photo = load_label(photos / "usa" / "IMG_4066_1008.json")
    assert photo is not None
    picture: Picture = np.zeros((10, 10, 3), np.uint8)
    shot = Shot(photo, picture, photo.corners_px, SIZE_MM)
    assert HARDSHIPS["width"]["1500 px"](shot) is None
    smaller = HARDSHIPS["width"]["500 px"](shot)
    assert smaller is not None
    assert smaller.board_px == pytest.approx(500, abs=1)


@pytest.mark.usefixtures("photos")
def test_every_state_is_taken_once() -> None:
    chosen = [photo for _, photo in chosen_photos(["own-copy", "other-copy"])]
    states = [(photo.shoot, photo.state) for photo in chosen]
    assert len(states) == len({*states})
    assert {("shoot-1", "A"), ("shoot-1", "E"), ("shoot-2", "D2")} < {*states}


def test_the_table_counts_only_photos_of_use_and_is_whole_in_the_file(tmp_path: Path) -> None:
    rung = Rung("light", "2000 K", "another", "all")
    good = Rendered("a", "s", "another", "light", "", True, 10, 8, 1, 0, ("r: red",), 3, 1)
    refused = Rendered("b", "s", "another", "light", "another photo", True, 9, 0, 0, 0, ("r", "q"))
    missed = Rendered("c", "s", "another", "light", "no board", False, 0, 0, 0, 0, ())
    climbed = [Climbed("europe", rung, seen) for seen in (good, refused, missed)]
    row = "| 3 | 1 | 1 | 10 | 80.00 | 1 | 1 | 2 | 3.0 | 1.0 |"
    *_, step, total = as_text(climbed)
    assert step == f"| another | light | 2000 K | all {row}"
    assert total == f"| another | all |  |  {row}"
    store(tmp_path / "all.json", climbed)
    assert stored(tmp_path / "all.json") == climbed
