"""The net tells covered spaces from free ones, whatever their colours, on the drawn board."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Float32s, Mask
from railspotter.vision.look.first_look import look
from railspotter.vision.look.train_net import (
    CELLS,
    WINDOW_PX,
    Windows,
    ask_net,
    mark_others,
    planes,
    seen_windows,
)
from railspotter.vision.look.view import View
from railspotter.vision.printed.printed_board import PrintedBoard


@pytest.fixture(scope="module")
def view() -> View:
    return drawn.found(drawn.game().picture).view


def asked(view: View) -> tuple[Float32s, Float32s]:
    return ask_net(seen_windows(view, look(view).picture), view.printed)


def is_taken(printed: PrintedBoard) -> Mask:
    return np.array([printed.board.routes[r].id in drawn.CLAIMS for r in printed.route_of])


def test_spaces_with_trains_are_told_from_free_ones(view: View) -> None:
    logits, _ = asked(view)
    taken = is_taken(view.printed)
    assert logits.shape == taken.shape
    assert np.mean((logits > 0) == taken) > 0.97
    assert np.min(logits[taken]) > np.median(logits[~taken])


def test_plastic_is_seen_where_trains_are(view: View) -> None:
    _, plastic = asked(view)
    taken = is_taken(view.printed)
    columns, rows = CELLS
    assert plastic.shape == (len(taken), rows, columns)
    assert plastic.min() >= 0
    assert plastic.max() <= 1
    middle = plastic[:, rows // 2 - 1 : rows // 2 + 1, columns // 2 - 2 : columns // 2 + 2]
    of_spaces = middle.mean(axis=(1, 2))
    assert np.mean((of_spaces > 0.5) == taken) > 0.97


def test_windows_of_many_spaces_are_answered_as_each_alone(view: View) -> None:
    windows = seen_windows(view, look(view).picture)
    assert windows.photo.shape == (len(view.printed.route_of), WINDOW_PX[1], WINDOW_PX[0], 3)
    dark = replace(windows, photo=windows.photo.copy())
    dark.photo[: len(dark.photo) // 2] = 0
    half = slice(len(dark.photo) // 2, None)
    answers = zip(ask_net(windows, view.printed), ask_net(dark, view.printed), strict=True)
    for was, now in answers:
        assert np.allclose(was[half], now[half], atol=1e-4)


def test_an_empty_board_has_no_train(view: View) -> None:
    empty = replace(view, rectified=view.printed.reference)
    covered, plastic = asked(empty)
    assert np.max(covered) < 0
    assert np.mean(plastic > 0.5) < 0.005


def test_colours_have_no_names(view: View) -> None:
    taken = is_taken(view.printed)
    printed = view.printed
    reference = np.ascontiguousarray(printed.reference[..., ::-1])
    other_inks = PrintedBoard(printed.board, reference, printed.px_per_mm, printed.print_offsets_mm)
    exchanged = replace(
        view, printed=other_inks, rectified=np.ascontiguousarray(view.rectified[..., ::-1])
    )
    logits, _ = asked(exchanged)
    assert np.mean((logits > 0) == taken) > 0.97


def test_other_spaces_are_marked_and_the_own_is_not() -> None:
    xy = np.array([[100.0, 100.0], [100.0, 110.0], [300.0, 100.0]])
    along, size = np.tile([1.0, 0.0], (3, 1)), np.tile([26.0, 8.0], (3, 1))
    marked = mark_others(xy, along, size, 0)
    rows, columns = marked.shape
    assert marked[rows // 2, columns // 2] == 0
    assert marked[round((14 + 10) / 28 * rows), columns // 2] == 255
    assert np.count_nonzero(marked[: rows // 2]) == 0
    assert not mark_others(xy, along, size, 2).any()


def test_planes_hold_the_space_and_the_lean() -> None:
    columns, rows = WINDOW_PX
    picture = np.zeros((2, rows, columns, 3), np.uint8)
    lean = np.array([[1.0, 2.0], [-3.0, 0.0]])
    size = np.array([[22.0, 7.0], [44.0, 28.0]])
    fed = planes(Windows(picture, picture + 255, picture[..., 0], size, lean))
    assert fed.shape == (2, 10, rows, columns)
    assert np.all(fed[:, 0:3] < -0.7)
    assert np.all(fed[:, 3:6] > 0.69)
    assert fed[:, 6].mean(axis=(1, 2)) == pytest.approx([1 / 8, 1.0], abs=0.02)
    assert fed[:, 8:, 0, 0].tolist() == [pytest.approx([0.1, 0.2]), pytest.approx([-0.3, 0.0])]
