"""What counts as proof of a pose, and what is said where it is missing."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Mask, Points
from railspotter.calibration.finding.alignment import Alignment
from railspotter.calibration.finding.lens_choice import better_aligned
from railspotter.calibration.finding.picture_faults import TOO_BLURRED
from railspotter.calibration.finding.proof import (
    COVERED,
    OTHER_COPY,
    OTHER_PRINT,
    WIDE_LENS,
    TooSmall,
    why_unproven,
)
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import Grounds, NotFound, Pose, better_measured
from railspotter.scoring.sentence import Sentence

Agreeing = Callable[[Points], Mask]
SIZE_MM = drawn.usa().size_mm
AT_MM = np.stack(np.meshgrid(np.arange(8, 788, 22.0), np.arange(8, 518, 22.0)), -1).reshape(-1, 2)


def aligned(
    agrees: Agreeing,
    pose: Pose | None = None,
    bent_mm: float = 0.0,
    in_frame: Agreeing | None = None,
) -> Alignment:
    """A board of whose print that part was seen; by itself, where the drawn game has it."""
    inside = np.asarray((in_frame or some(1.0))(AT_MM), bool)
    seen = np.asarray(agrees(AT_MM), bool) & inside
    here = pose or Pose(drawn.game().frame_from_board, np.zeros((1, 1, 2)), SIZE_MM, 99, 0.0)
    shown = Pose(
        here.frame_from_board, here.bend_mm, here.size_mm, 99, float(seen[inside].mean()), here.lens
    )
    return Alignment(shown, AT_MM, np.full_like(AT_MM, bent_mm), seen, inside)


def pose_with_lens(bent_mm: float) -> Alignment:
    """A board whose print lies the further out the further from the middle it is."""
    return off_by(
        lambda at: (at - (397, 262)) * (np.hypot(*(at - (397, 262)).T) ** 2)[:, None], bent_mm
    )


def of_another_copy(bent_mm: float, agrees: Agreeing | None = None) -> Alignment:
    """A board whose print lies elsewhere, region by region."""
    return off_by(lambda at: np.sin(at[:, ::-1] / 70 + (0, 2)), bent_mm, agrees)


def off_by(
    field: Callable[[Points], Points], bent_mm: float, agrees: Agreeing | None = None
) -> Alignment:
    seen = aligned(agrees or some(0.7))
    off_mm = field(AT_MM)
    off_mm *= bent_mm / np.sqrt(np.mean(off_mm[seen.agrees] ** 2))
    return replace(seen, off_mm=off_mm)


def some(share: float) -> Agreeing:
    return lambda at_mm: np.random.default_rng(1).random(len(at_mm)) < share


@pytest.mark.parametrize(
    "agrees",
    [
        pytest.param(some(1.0), id="all of an empty board"),
        pytest.param(some(0.65), id="a board full of trains"),
        pytest.param(some(0.4), id="a blurred one"),
        pytest.param(lambda at_mm: at_mm[:, 0] > 0.3 * SIZE_MM[0], id="30 % covered at a side"),
        pytest.param(lambda at_mm: at_mm[:, 1] < 0.72 * SIZE_MM[1], id="28 % covered below"),
        pytest.param(
            lambda at_mm: np.hypot(*(at_mm - (300, 250)).T) > 190, id="a large plate on it"
        ),
    ],
)
def test_is_proof(agrees: Agreeing) -> None:
    assert why_unproven(drawn.game().picture, aligned(agrees), is_drawn=False) is None


@pytest.mark.parametrize(
    "in_frame",
    [
        pytest.param(lambda at_mm: at_mm[:, 0] > 0.6 * SIZE_MM[0], id="40 % at the right"),
        pytest.param(lambda at_mm: at_mm[:, 1] < 0.35 * SIZE_MM[1], id="a third above"),
        pytest.param(lambda at_mm: at_mm.sum(axis=1) > 500, id="without a corner"),
    ],
)
def test_a_part_is_proven_by_what_is_in_the_frame(in_frame: Agreeing) -> None:
    picture = drawn.game().picture
    whole = aligned(some(0.65), in_frame=in_frame)
    assert why_unproven(picture, whole, is_drawn=False) is None
    chance = aligned(some(0.1), in_frame=in_frame)
    assert why_unproven(picture, chance, is_drawn=False) is not None
    middle_mm = AT_MM[whole.in_frame].mean(axis=0)
    alone = aligned(lambda at_mm: np.hypot(*(at_mm - middle_mm).T) < 110, in_frame=in_frame)
    assert why_unproven(picture, alone, is_drawn=False) is not None


@pytest.mark.parametrize(
    ("agrees", "reason"),
    [
        pytest.param(some(0.1), OTHER_PRINT, id="chance"),
        pytest.param(lambda at_mm: at_mm[:, 0] < 0.5 * SIZE_MM[0], COVERED, id="one half"),
        pytest.param(
            lambda at_mm: (at_mm[:, 0] > 400) | (at_mm[:, 1] > 262), COVERED, id="no first quarter"
        ),
        pytest.param(
            lambda at_mm: np.hypot(*(at_mm - (397, 262)).T) < 260, COVERED, id="the middle alone"
        ),
    ],
)
def test_is_no_proof(agrees: Agreeing, reason: str) -> None:
    missing = why_unproven(drawn.game().picture, aligned(agrees), is_drawn=False)
    assert missing is not None
    assert missing.reason == reason


def no_two_corners(at_mm: Points) -> Mask:
    return np.asarray((at_mm[:, 0] < 660) | (abs(at_mm[:, 1] - 262) < 130))


@pytest.mark.parametrize(
    ("agrees", "bent_mm", "is_drawn", "missing"),
    [
        pytest.param(some(0.7), 0.9, False, None, id="another copy's print"),
        pytest.param(no_two_corners, 0.5, False, None, id="two corners covered"),
        pytest.param(no_two_corners, 0.9, False, OTHER_COPY, id="two corners beside the print"),
        pytest.param(some(0.7), 1.2, False, OTHER_COPY, id="more than any bend"),
        pytest.param(some(0.7), 1.2, True, None, id="another copy than the fingerprint's"),
    ],
)
def test_a_bend_must_be_confirmed_at_the_corners(
    agrees: Agreeing, bent_mm: float, is_drawn: bool, missing: str | None
) -> None:
    seen = of_another_copy(bent_mm, agrees)
    refused = why_unproven(drawn.game().picture, seen, is_drawn)
    assert (None if refused is None else refused.reason) == missing


def test_a_lens_is_named_where_one_explains_the_bend() -> None:
    lens, copy = (
        why_unproven(drawn.game().picture, seen, is_drawn=False)
        for seen in (pose_with_lens(1.2), of_another_copy(1.2))
    )
    assert lens is not None and lens.reason == WIDE_LENS  # noqa: PT018
    assert copy is not None and copy.reason == OTHER_COPY  # noqa: PT018


def test_what_was_measured_of_the_picture_outweighs_what_a_print_says() -> None:
    nothing, other = (
        NotFound(Sentence("nothing")),
        NotFound(Sentence("other"), grounds=Grounds.PRINT),
    )
    dark = NotFound(Sentence("dark"), grounds=Grounds.PICTURE)
    assert better_measured(other, dark) is dark
    assert better_measured(nothing, other) is other
    assert better_measured(nothing, NotFound(Sentence("nothing else"))) is nothing


def test_a_soft_board_is_told_to_be_blurred() -> None:
    soft = cv2.GaussianBlur(drawn.game().picture, (0, 0), 2.0)
    missing = why_unproven(np.asarray(soft, np.uint8), aligned(some(0.1)), is_drawn=False)
    assert missing is not None
    assert missing.reason == TOO_BLURRED


def through(lens_a: float, seen: Alignment) -> Alignment:
    """The same, seen through a lens of that bending."""
    lens = Lens(drawn.game().picture.shape[1::-1], (lens_a, 0.0, 0.0))
    return replace(seen, pose=replace(seen.pose, lens=lens))


def the_middle(at_mm: Points) -> Mask:
    return np.asarray(np.hypot(*(at_mm - (397, 262)).T) < 200)


@pytest.mark.parametrize(
    ("straight", "bent", "takes_it"),
    [
        pytest.param(
            aligned(the_middle, bent_mm=0.5),
            through(-0.1, of_another_copy(0.8, some(0.7))),
            True,
            id="a homography fits the middle of a bent picture, and little is left there",
        ),
        pytest.param(
            of_another_copy(1.2, some(0.6)),
            through(-0.001, of_another_copy(0.6, some(0.65))),
            False,
            id="a homography would leave as little of what is seen through the lens",
        ),
        pytest.param(
            aligned(some(0.7), bent_mm=1.0),
            through(-0.1, of_another_copy(0.4, the_middle)),
            False,
            id="less print confirms the lens",
        ),
        pytest.param(
            aligned(some(0.0)), through(-0.1, aligned(some(0.5))), True, id="nothing but a lens"
        ),
    ],
)
def test_a_lens_is_taken_where_it_alone_explains_the_print(
    straight: Alignment, bent: Alignment, takes_it: bool
) -> None:
    assert (better_aligned([straight, bent]) is bent) is takes_it


def test_a_small_board_is_told_to_be_small() -> None:
    far = Pose(np.diag([0.3, 0.3, 1.0]), np.zeros((1, 1, 2)), SIZE_MM, 99, 0.0)
    missing = why_unproven(drawn.game().picture, aligned(some(0.1), far), is_drawn=False)
    assert isinstance(missing, TooSmall)
    assert "it is 240 pixels wide, 400 are needed" in missing.reason
    assert "it is 480 pixels wide, 800 are needed" in missing.scaled_up(2.0).reason


def test_fewer_features_than_patches_are_proof() -> None:
    seen = aligned(some(0.12))
    assert why_unproven(drawn.game().picture, seen, is_drawn=True) is None
    assert why_unproven(drawn.game().picture, seen, is_drawn=False) is not None
