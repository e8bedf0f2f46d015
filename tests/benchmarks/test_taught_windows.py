"""What the net is taught with: rendered windows, photos relit, and the files that hold both."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from railspotter.vision.look.train_net import CELLS, NETS, WINDOW_PX, Windows, network, planes

from make_own_art import main as make_own_art
from photos.labelled import labelled_photos
from rendered import shape_windows
from rendered.windows import render_scenes
from teaching import fit_train_net
from teaching.fit_train_net import augment
from teaching.photo_windows import cut_windows
from teaching.relit_boards import HOUSES, RelitBoard, RelitHouse
from teaching.small_net import first_outputs, load_weights
from teaching.taught_windows import TrainingWindows, concatenate
from traced.windows import board_views

pytestmark = pytest.mark.long

COLUMNS, ROWS = CELLS
MIDDLE = (
    slice(None),
    slice(ROWS // 2 - 1, ROWS // 2 + 1),
    slice(COLUMNS // 2 - 2, COLUMNS // 2 + 2),
)


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


class TestRenderedWindows:
    def test_a_train_is_plastic_in_the_middle_and_bare_print_is_not(self) -> None:
        taught = rendered()
        middle = taught.plastic[MIDDLE].mean(axis=(1, 2)) / 255
        assert np.quantile(middle[taught.covered == 1], 0.2) > 0.5
        assert np.median(middle[taught.covered == 0]) < 0.05
        # What is pushed onto a space counts as its neighbour's.
        assert np.mean(middle[taught.covered == 0] > 0.5) < 0.15


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


@pytest.mark.usefixtures("photos")
class TestRelitBoards:
    def test_plastic_is_where_trains_are(self) -> None:
        relit_ = relit_board()
        taught = cut_windows(relit_, np.random.default_rng(0))
        middle = taught.plastic[MIDDLE].mean(axis=(1, 2)) / 255
        taken, free = middle[taught.covered == 1], middle[taught.covered == 0]
        assert len(taken) > 5
        assert len(free) > 5
        assert np.median(taken) > 0.7
        assert np.median(free) < 0.1


def test_half_of_the_windows_of_drawn_shapes_show_one_in_the_middle() -> None:
    samples = next(shape_windows.board_windows(3))
    covered = samples.covered == 1
    middle = samples.plastic[MIDDLE].mean(axis=(1, 2))
    assert covered.sum() <= (~covered).sum()
    assert middle[covered].min() > 128 > middle[~covered].max()
