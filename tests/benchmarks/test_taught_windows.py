"""What the net is taught with: rendered windows, photos relit, and the files that hold both."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from railspotter.scoring.board import load_board
from railspotter.vision.look.train_net import CELLS, NETS, WINDOW_PX, Windows, network, planes

from make_own_art import main as make_own_art
from photos.labelled import labelled_photos
from rendered import shape_windows
from rendered.windows import render_scenes, render_windows
from teaching import fit_train_net
from teaching.fit_train_net import augment
from teaching.photo_windows import cut_windows
from teaching.relighting import lamp_bgr, relight
from teaching.relit_boards import (
    FREE,
    HOUSES,
    OTHER_PLASTIC,
    SIMILAR_PLASTICS,
    UNKNOWN_SPACE,
    RelitBoard,
    RelitHouse,
)
from teaching.small_net import first_outputs, load_weights
from teaching.taught_windows import ARRAYS, TrainingWindows, cell_means, concatenate, load, save
from traced.windows import board_views

pytestmark = pytest.mark.long

COLUMNS, ROWS = CELLS
MIDDLE = (
    slice(None),
    slice(ROWS // 2 - 1, ROWS // 2 + 1),
    slice(COLUMNS // 2 - 2, COLUMNS // 2 + 2),
)
PX_PER_MM = 2.0


@cache
def rendered() -> TrainingWindows:
    """Some hundred windows, of several neighbourhoods."""
    source = render_scenes(seed=4)
    return concatenate([next(source) for _ in range(25)])


@cache
def house() -> RelitHouse:
    """Boards of one small photo."""
    return RelitHouse(HOUSES["europe"], ["cropped_station_data1"])


@cache
def relit_board() -> RelitBoard:
    return house().draw(np.random.default_rng(2))


def board_picture() -> npt.NDArray[np.uint8]:
    """Grey paper, with squares of all colours."""
    rng = np.random.default_rng(6)
    squares = rng.integers(30, 220, (10, 15, 3)).astype(np.uint8)
    return np.asarray(np.kron(squares, np.ones((20, 20, 1), np.uint8)), np.uint8)


class TestRelighting:
    def test_it_is_drawn_anew_each_time_and_the_same_by_the_same_seed(self) -> None:
        plain, plastic = board_picture(), np.zeros((200, 300), np.float32)
        first, again, other = (
            relight(plain, plastic, PX_PER_MM, np.random.default_rng(seed)) for seed in (1, 1, 2)
        )
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)

    @pytest.mark.parametrize("kelvin", [2000, 2700, 4000, 7500])
    def test_warmer_lamps_are_redder(self, kelvin: float) -> None:
        blue, green, red = lamp_bgr(kelvin)
        assert green == pytest.approx(1)
        assert (red > 1 > blue) == (kelvin < 5200)
        assert lamp_bgr(kelvin - 300)[2] > red


class TestRenderedWindows:
    def test_they_are_of_the_size_that_the_net_sees(self) -> None:
        taught = rendered()
        count = len(taught.covered)
        assert count > 60
        assert taught.windows.photo.shape == (count, *WINDOW_PX[::-1], 3)
        assert taught.windows.reference.shape == (count, *WINDOW_PX[::-1], 3)
        assert taught.windows.others.shape == (count, *WINDOW_PX[::-1])
        assert taught.windows.size_mm.shape == taught.windows.lean_mm.shape == (count, 2)
        assert taught.plastic.shape == (count, ROWS, COLUMNS)
        assert {*np.unique(taught.covered)} == {0, 1}
        assert planes(taught.windows).shape == (count, 10, *WINDOW_PX[::-1])

    def test_a_train_is_plastic_in_the_middle_and_bare_print_is_not(self) -> None:
        taught = rendered()
        middle = taught.plastic[MIDDLE].mean(axis=(1, 2)) / 255
        assert np.quantile(middle[taught.covered == 1], 0.2) > 0.5
        assert np.median(middle[taught.covered == 0]) < 0.05
        # What is pushed onto a space counts as its neighbour's.
        assert np.mean(middle[taught.covered == 0] > 0.5) < 0.15

    def test_the_same_seed_renders_the_same(self) -> None:
        board = load_board("usa")
        first, again = (render_windows(board, np.random.default_rng(9)) for _ in range(2))
        assert np.array_equal(first.windows.photo, again.windows.photo)
        assert np.array_equal(first.plastic, again.plastic)


class TestMadePictures:
    def test_taxis_are_plastic_beside_every_reference(self, tmp_path: Path) -> None:
        made = "--board newyork --prints drawn-1 --claimed .7 --size 1000 750 --plastic"
        make_own_art([str(tmp_path), *made.split()])
        rng = np.random.default_rng(3)
        source = board_views(labelled_photos(tmp_path), rng)
        taught = [cut_windows(next(source), rng, 200) for _ in range(4)]
        assert len({each.windows.reference.mean() for each in taught}) == 4
        together = concatenate(taught)
        middle = together.plastic[MIDDLE].mean(axis=(1, 2)) / 255
        assert together.covered.mean() == pytest.approx(0.6, abs=0.2)
        assert np.mean((middle > 0.5) == together.covered) > 0.95


class TestTaughtOn:
    def test_a_net_begins_with_what_another_one_learned(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        torch = pytest.importorskip("torch", reason="nets are taught by PyTorch")
        pytest.importorskip("onnx", reason="nets are stored by onnx")
        monkeypatch.setattr(fit_train_net, "torch", torch)
        student = fit_train_net.make_net()
        load_weights(fit_train_net.ordered_parts(student), NETS["taxi"])
        student.eval()
        fed = planes(rendered().subset(np.arange(20)).windows)
        begun_with = network(NETS["taxi"])
        begun_with.setInput(fed)
        was = begun_with.forward().reshape(20, -1)[:, 0]
        assert first_outputs(student, [fed]) == pytest.approx(was, abs=1e-3)


class TestFiles:
    def test_what_is_saved_is_loaded(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        source = iter([rendered().subset(np.arange(start, start + 10)) for start in (0, 10, 20)])
        save(tmp_path / "a.npz", source, 15)
        assert "20 windows" in capsys.readouterr().out
        kept, taken = load([tmp_path / "a.npz"]), rendered().subset(np.arange(20))
        assert np.array_equal(kept.covered, taken.covered)
        assert np.array_equal(kept.plastic, taken.plastic)
        for name in ARRAYS:
            was, now = getattr(taken.windows, name), getattr(kept.windows, name)
            assert np.allclose(was, now, rtol=1e-6), name
        assert kept.windows.photo.dtype == np.uint8
        assert len(next(source).covered) == 10  # no more was taken than is needed

    def test_a_cell_has_the_mean_of_its_pixels(self) -> None:
        window = np.zeros((1, *WINDOW_PX[::-1]), np.uint8)
        window[0, :4, :2] = 200
        found = cell_means(window)
        assert found.shape == (1, ROWS, COLUMNS)
        assert found[0, 0, 0] == 100
        assert np.count_nonzero(found) == 1


class TestShownOtherwise:
    """A window turned round or mirrored is as true as it was."""

    def shown(self) -> Iterator[tuple[Windows, npt.NDArray[np.uint8]]]:
        """A window with a mark at its upper right, whose trains lean there, shown 24 times."""
        picture = np.zeros((1, *WINDOW_PX[::-1], 3), np.uint8)
        picture[0, 0:4, -4:] = (50, 100, 150)
        plastic = np.zeros((1, ROWS, COLUMNS), np.uint8)
        plastic[0, 0, -1] = 255
        sizes, lean = np.array([[22.0, 7.0]]), np.array([[4.0, -3.0]])
        windows = Windows(picture, picture, picture[..., 0], sizes, lean)
        for seed in range(24):
            yield augment(windows, plastic, np.random.default_rng(seed))
        assert lean.tolist() == [[4.0, -3.0]]

    def test_all_that_belongs_together_turns_together(self) -> None:
        ways = set()
        for windows, plastic in self.shown():
            (row,), (column,) = (where[:1] for where in np.nonzero(plastic[0]))
            photo, others = np.asarray(windows.photo)[0].sum(axis=-1), windows.others[0]
            for picture in (photo, others):
                assert picture[4 * row + 1, 4 * column + 1] > 0
                assert picture[-4 * row - 2, -4 * column - 2] == 0
            along, across = windows.lean_mm[0]
            assert (along > 0) == (column == COLUMNS - 1)
            assert (across < 0) == (row == 0)
            ways.add((along > 0, across > 0))
        assert len(ways) == 4

    def test_inks_are_exchanged_in_both_pictures(self) -> None:
        inks = set()
        for windows, plastic in self.shown():
            row, column = (int(where[0]) for where in np.nonzero(plastic[0]))
            at = (0, 4 * row + 1, 4 * column + 1)
            seen, reference = np.asarray(windows.photo)[at], windows.reference[at]
            lighter = seen / reference
            assert lighter == pytest.approx(lighter[0])
            inks.add(tuple(reference.tolist()))
        assert len(inks) > 3
        assert {tuple(sorted(each)) for each in inks} == {(50, 100, 150)}


@pytest.mark.usefixtures("photos")
class TestRelitBoards:
    def test_every_space_has_its_truth(self) -> None:
        relit_ = relit_board()
        printed = relit_.view.printed
        assert relit_.colours.shape == printed.route_of.shape
        assert relit_.view.rectified.shape == printed.reference.shape
        assert relit_.plastic.shape == printed.reference.shape[:2]
        assert {*np.unique(relit_.colours)} <= {
            *range(len(relit_.view.pieces.colours)),
            *(FREE, UNKNOWN_SPACE, OTHER_PLASTIC),
        }
        assert relit_.plastic.min() >= 0
        assert relit_.plastic.max() <= 1

    def test_plastic_is_where_trains_are(self) -> None:
        relit_ = relit_board()
        taught = cut_windows(relit_, np.random.default_rng(0))
        middle = taught.plastic[MIDDLE].mean(axis=(1, 2)) / 255
        taken, free = middle[taught.covered == 1], middle[taught.covered == 0]
        assert len(taken) > 5
        assert len(free) > 5
        assert np.median(taken) > 0.7
        assert np.median(free) < 0.1

    def test_trains_can_be_of_the_colour_of_their_prints(self) -> None:
        """Of the boards drawn, some have most trains of coloured prints in a like colour."""
        rng, shares = np.random.default_rng(8), []
        for _ in range(12):
            drawn = house().draw(rng)
            board, names = drawn.view.printed.board, drawn.view.pieces.colours
            alike = [
                names[colour] in SIMILAR_PLASTICS[board.routes[route].colour]
                for colour, route in zip(drawn.colours, drawn.view.printed.route_of, strict=True)
                if colour >= 0 and board.routes[route].colour in SIMILAR_PLASTICS
            ]
            if len(alike) > 5:
                shares.append(np.mean(alike))
        assert max(shares) > 0.6
        assert np.median(shares) < 0.5


def test_half_of_the_windows_of_drawn_shapes_show_one_in_the_middle() -> None:
    samples = next(shape_windows.board_windows(3))
    covered = samples.covered == 1
    middle = samples.plastic[MIDDLE].mean(axis=(1, 2))
    assert covered.sum() <= (~covered).sum()
    assert middle[covered].min() > 128 > middle[~covered].max()
