"""Glances of made-up pictures: what moves, what changed, and what is a hand."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Float32s, Mask, Picture
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import Pose
from railspotter.vision.watching.glance import (
    CELL_MM,
    MARGIN_CELLS,
    CellSampler,
    Grid,
    thick_parts,
    things_over_board,
)
from railspotter.vision.watching.motion import (
    AT_HOME_S,
    FORGOTTEN_S,
    RELIT,
    Background,
    LightSwitches,
    Motion,
)

SIZE_MM = (400.0, 300.0)
WH = (1000, 800)
GRID = Grid(SIZE_MM)
CORNERS_PX = ((100.0, 100.0), (900.0, 100.0), (900.0, 700.0), (100.0, 700.0))
POSE = Pose(homography_from_corners(CORNERS_PX, SIZE_MM), np.zeros((1, 1, 2)), SIZE_MM, 100, 1.0)
NOWHERE = np.zeros(GRID.shape, np.bool_)
EVERYWHERE = ~NOWHERE


def board(noise_seed: int = 0) -> Picture:
    """Return a picture of a board with fine print on it, and the camera's noise."""
    print_px = np.random.default_rng(5).uniform(60, 200, (WH[1] // 4, WH[0] // 4, 3))
    clean = np.repeat(np.repeat(print_px, 4, axis=0), 4, axis=1)
    noise = np.random.default_rng(noise_seed).normal(0, 4, clean.shape)
    return np.clip(clean + noise, 0, 255).astype(np.uint8)


def with_box(picture: Picture, box_mm: tuple[float, float, float, float]) -> Picture:
    """Return the picture with something dark from left, top to right, bottom."""
    left, top, right, bottom = (round(100 + 2 * at) for at in box_mm)
    covered = picture.copy()
    covered[max(top, 0) : bottom, max(left, 0) : right] = (30, 40, 60)
    return covered


def cells_in(box_mm: tuple[float, float, float, float]) -> Mask:
    left, top, right, bottom = box_mm
    x, y = np.moveaxis(GRID.middles_mm, -1, 0)
    return np.asarray((x > left) & (x < right) & (y > top) & (y < bottom), np.bool_)


TRAIN_MM = (200.0, 150.0, 226.0, 160.0)
AROUND_TRAIN_MM = (180.0, 130.0, 246.0, 180.0)
CUP_MM = (10.0, 10.0, 80.0, 80.0)


def see(
    background: Background, cells: Float32s, at_s: float, moving: Mask = NOWHERE
) -> tuple[Mask, Mask]:
    """Return what changed and what is strange; after a lamp was switched it is taken anew."""
    changed, strange = background.compare(cells, EVERYWHERE, moving, at_s)
    if background.is_due_anew:
        background.take_anew(NOWHERE)
        changed = background.changed_since_relit(EVERYWHERE)
    return changed, strange


@pytest.fixture
def glancer() -> CellSampler:
    return CellSampler(GRID, POSE, WH)


def test_a_glance_is_the_board_from_above(glancer: CellSampler) -> None:
    plain = np.full((WH[1], WH[0], 3), 100, np.uint8)
    cells = glancer.glance(with_box(plain, TRAIN_MM))
    assert cells.shape == (*GRID.shape, 3)
    row, column = (int(at / CELL_MM) + MARGIN_CELLS for at in (155.0, 213.0))
    assert cells[row, column].tolist() == pytest.approx([30, 40, 60], abs=25)
    assert cells[row + 5, column].tolist() == [100, 100, 100]
    assert glancer.in_frame.all()


def test_what_the_frame_does_not_show_is_known() -> None:
    corners = np.subtract(CORNERS_PX, (300, 0))
    pose = replace(POSE, frame_from_board=homography_from_corners(corners, SIZE_MM))
    in_frame = CellSampler(GRID, pose, WH).in_frame
    assert not in_frame[:, 0].any()
    assert in_frame[:, -1].all()


def test_noise_does_not_move(glancer: CellSampler) -> None:
    motion = Motion()
    for number in range(4):
        moving = motion.moving(glancer.glance(board(number)), number / 10)
    assert not moving.any()


def test_what_moved_a_moment_ago_is_found_where_it_is(glancer: CellSampler) -> None:
    motion = Motion()
    motion.moving(glancer.glance(board(1)), 0.0)
    moving = motion.moving(glancer.glance(with_box(board(2), TRAIN_MM)), 0.1)
    here = cells_in(TRAIN_MM)
    assert moving[here].mean() > 0.8
    assert not moving[~cells_in(AROUND_TRAIN_MM)].any()
    later = motion.moving(glancer.glance(with_box(board(3), TRAIN_MM)), 0.5)
    assert not later.any()


def test_light_that_drifts_changes_nothing(glancer: CellSampler) -> None:
    background = Background(glancer.glance(board(1)), EVERYWHERE, EVERYWHERE)
    gain = np.linspace(0.9, 1.1, WH[0])[None, :, None] * (0.9, 1.0, 1.1)
    lit = np.clip(board(2) * gain, 0, 255).astype(np.uint8)
    assert not see(background, glancer.glance(lit), 1.0)[0].any()


def test_a_train_changes_its_cells_until_they_are_settled(glancer: CellSampler) -> None:
    background = Background(glancer.glance(board(1)), EVERYWHERE, EVERYWHERE)
    cells = glancer.glance(with_box(board(2) // 10 * 8, TRAIN_MM))
    changed, _ = see(background, cells, 1.0)
    assert changed[cells_in(TRAIN_MM)].mean() > 0.8
    assert not changed[~cells_in(AROUND_TRAIN_MM)].any()
    background.settle(cells_in(AROUND_TRAIN_MM))
    assert not see(background, cells, 1.1)[0].any()


def test_a_cup_beside_the_routes_is_forgotten_but_lies_there(glancer: CellSampler) -> None:
    background = Background(glancer.glance(board(1)), EVERYWHERE, NOWHERE)

    def compare(picture: Picture, at_s: float) -> tuple[bool, bool]:
        changed, strange = see(background, glancer.glance(picture), at_s)
        return bool(changed.any()), bool(thick_parts(strange).any())

    assert compare(with_box(board(2), CUP_MM), 1.0) == (True, True)
    assert compare(with_box(board(3), CUP_MM), 1.0 + FORGOTTEN_S) == (True, True)
    assert compare(with_box(board(4), CUP_MM), 1.1 + FORGOTTEN_S) == (False, True)
    assert compare(board(5), 20.0) == (False, False)
    assert compare(with_box(board(2), CUP_MM), 30.0) == (False, True)
    assert compare(with_box(board(2), CUP_MM), 30.0 + AT_HOME_S) == (False, True)
    assert compare(with_box(board(3), CUP_MM), 30.1 + AT_HOME_S) == (False, False)


@pytest.mark.parametrize("degrees", [0, 30, 45])
def test_a_card_that_lies_askew_is_a_thing_to_its_corners(degrees: float) -> None:
    def lying(size_mm: tuple[float, float]) -> Mask:
        turned = ((200.0, 150.0), size_mm, degrees)
        at = cv2.boxPoints(turned) / CELL_MM + MARGIN_CELLS - 0.5
        cells = np.zeros(GRID.shape, np.uint8)
        cv2.fillConvexPoly(cells, np.rint(at).astype(np.int32), 1)
        return cells > 0

    card, trains = lying((90.0, 60.0)), lying((90.0, 25.0))
    assert (thick_parts(card) == card).all()
    assert not thick_parts(trains).any()


def test_a_lamp_that_is_switched_hides_nothing(glancer: CellSampler) -> None:
    background = Background(glancer.glance(board(1)), EVERYWHERE, NOWHERE)
    patch_mm = (200.0, 100.0, 300.0, 200.0)
    with_cup = with_box(board(2), CUP_MM)
    see(background, glancer.glance(with_cup), 1.0)
    background.look_anew(EVERYWHERE)
    in_new_light = glancer.glance(with_box(with_cup, patch_mm))
    see(background, in_new_light, 1.1, EVERYWHERE)
    for at_s in (1.2, 1.3):
        _, strange = see(background, in_new_light, at_s)
    assert not strange[cells_in(patch_mm)].any()
    assert strange[cells_in((20.0, 20.0, 70.0, 70.0))].all()


def test_a_card_over_spaces_lies_there_still_when_a_lamp_was_switched(glancer: CellSampler) -> None:
    """Even one that hardly differs from the ground, in poor light."""
    card_mm = (100.0, 50.0, 160.0, 140.0)
    background = Background(0.5 * glancer.glance(board(1)), EVERYWHERE, EVERYWHERE)
    for tenth in range(8):
        seen = 0.6 * board(tenth) + 0.4 * with_box(board(tenth), card_mm)
        cells = glancer.glance(seen.astype(np.uint8)) * np.float32(0.5 if tenth < 4 else 0.4)
        if tenth == 4:
            background.look_anew(EVERYWHERE)
        changed, _ = see(background, cells, tenth / 10, NOWHERE if tenth % 4 else EVERYWHERE)
        background.cover(thick_parts(changed))
    assert changed[cells_in(card_mm)].mean() > 0.9
    assert not changed[~cells_in((90.0, 40.0, 170.0, 150.0))].any()


def test_a_hand_that_rests_when_a_lamp_was_switched_is_not_taken_for_ground(
    glancer: CellSampler,
) -> None:
    hand_mm = (0.0, 100.0, 120.0, 160.0)
    background = Background(glancer.glance(board(1)), EVERYWHERE, EVERYWHERE)
    brighter = glancer.glance(board(2)) * np.float32(1.2)
    with_hand = glancer.glance(with_box(board(3), (-50.0, *hand_mm[1:]))) * np.float32(1.2)
    background.look_anew(EVERYWHERE)
    background.compare(with_hand, EVERYWHERE, EVERYWHERE, 1.0)
    for at_s in (1.1, 1.2, 1.3, 2.0):
        changed, _ = see(background, with_hand, at_s)
    assert changed[cells_in(hand_mm)].mean() > 0.9
    assert not changed[~cells_in((-50.0, 90.0, 130.0, 170.0))].any()
    background.compare(brighter, EVERYWHERE, NOWHERE, 3.0)
    background.take_anew(NOWHERE)
    assert not background.changed_since_relit(EVERYWHERE).any()


def test_a_lamp_that_is_switched_moves_the_whole_board(glancer: CellSampler) -> None:
    motion = Motion()
    for tenth in range(5):
        motion.moving(glancer.glance(board(tenth)), tenth / 10)
    brighter = np.clip(board(9) * 1.2, 0, 255).astype(np.uint8)
    moving = motion.moving(glancer.glance(brighter), 0.5)
    assert moving.mean() > RELIT


def test_only_what_is_too_quick_for_a_hand_is_a_flash() -> None:
    def ends(*shares: float) -> list[bool]:
        flashes = LightSwitches()
        return [flashes.is_switched(share, tenth / 10) for tenth, share in enumerate(shares)]

    assert ends(0.0, 0.0, 0.6, 0.6, 0.0, 0.0) == [False, False, False, False, True, False]
    assert not any(ends(0.0, 0.0, 0.1, 0.1, 0.0, 0.0))
    assert not any(ends(0.0, 0.0, *[0.6] * 6, 0.0, 0.0))


def faded(cells: Float32s, by: float) -> Float32s:
    """Return cells with less contrast, as no gain of the light explains."""
    grey = cells.mean(axis=(0, 1))
    return np.asarray(grey + (cells - grey) * (1 - by), np.float32)


def test_light_that_drifts_hides_no_train(glancer: CellSampler) -> None:
    glances = [glancer.glance(board(seed)) for seed in (1, 2, 3)]
    followed, frozen = (Background(glances[0], EVERYWHERE, EVERYWHERE) for _ in "ab")
    for second in range(60):
        see(followed, faded(glances[second % 3], second / 150), float(second))
        assert followed.is_due_to_follow(float(second))
        followed.follow(NOWHERE, float(second))
    laid = faded(glances[1], 0.4)
    laid[cells_in(TRAIN_MM)] += 12
    shares = [see(one, laid, 60.0)[0][cells_in(TRAIN_MM)].mean() for one in (followed, frozen)]
    assert shares[0] > 0.8
    assert shares[1] < 0.3


def test_a_train_does_not_seem_to_lie_around_its_space(glancer: CellSampler) -> None:
    owned = cells_in(TRAIN_MM)
    background = Background(glancer.glance(board(1)), EVERYWHERE, owned)
    laid = glancer.glance(with_box(board(2), TRAIN_MM))
    laid[~owned] = glancer.glance(board(2))[~owned]
    changed, strange = see(background, laid, 1.0)
    assert changed[owned].all()
    assert not strange.any()


def test_ground_that_is_bare_again_when_a_lamp_is_switched_is_under_no_hand(
    glancer: CellSampler,
) -> None:
    """It was settled with a cup that stood there; what it looks like bare is known."""
    background = Background(glancer.glance(board(1)), EVERYWHERE, NOWHERE)
    for at_s in (1.0, 1.1 + FORGOTTEN_S):
        see(background, glancer.glance(with_box(board(2), CUP_MM)), at_s)
    background.look_anew(EVERYWHERE)
    see(background, glancer.glance(board(3)), 5.0, EVERYWHERE)
    for tenth in (51, 52, 53):
        _, strange = see(background, glancer.glance(board(tenth)), tenth / 10)
    assert not strange.any()
    assert not see(background, glancer.glance(board(4)), 5.4)[0].any()


def test_what_a_hand_is_over_when_a_lamp_is_switched_is_looked_at_when_it_is_gone(
    glancer: CellSampler,
) -> None:
    hand = cells_in((0.0, 0.0, 30.0, 30.0))
    background = Background(glancer.glance(board(1)), EVERYWHERE, EVERYWHERE)
    brighter = faded(glancer.glance(board(2)), 0.5)
    background.look_anew(EVERYWHERE)
    for at_s in (0.8, 1.0):
        background.compare(brighter, EVERYWHERE, hand, at_s)
    background.take_anew(NOWHERE)
    changed, _ = background.compare(brighter, EVERYWHERE, NOWHERE, 1.1)
    assert changed[hand].any()
    assert not changed[~cells_in((0.0, 0.0, 40.0, 40.0))].any()
    assert not background.is_due_anew
    background.compare(brighter, EVERYWHERE, NOWHERE, 1.3)
    assert background.is_due_anew
    background.take_anew(NOWHERE)
    assert not see(background, brighter, 1.4)[0].any()


@pytest.mark.parametrize(
    ("box_mm", "is_thing"),
    [
        pytest.param((100.0, 100.0, 226.0, 125.0), False, id="two lanes of trains"),
        pytest.param((100.0, 100.0, 163.0, 188.0), True, id="a card"),
        pytest.param((-20.0, 100.0, 150.0, 112.0), True, id="a thin arm from outside"),
        pytest.param((2.0, 2.0, 12.0, 12.0), False, id="a marker on the border"),
    ],
)
def test_hands_and_things_are_told_from_trains(
    box_mm: tuple[float, float, float, float], is_thing: bool
) -> None:
    changed = cells_in(box_mm)
    over = things_over_board(changed, np.ones(GRID.shape, np.bool_))
    assert (over == (changed & is_thing)).all()
