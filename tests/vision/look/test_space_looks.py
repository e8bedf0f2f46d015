"""What lies on a space is looked at where plastic is seen, and its print where it would be."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from railspotter.calibration.arrays import Float32s, Mask
from railspotter.vision.lab import to_lab
from railspotter.vision.look.shape_look import SpaceLooks, space_looks
from railspotter.vision.look.train_net import CELLS, WINDOW_MM, WINDOW_PX, Windows

Tone = tuple[int, int, int]

GREY, RED, BLUE, WHITE = (110, 120, 130), (40, 40, 170), (150, 90, 50), (255, 255, 255)
COLUMNS, ROWS = CELLS
STILL = (0.0, 0.0)
CELL_PX = (WINDOW_PX[1] // ROWS, WINDOW_PX[0] // COLUMNS)


def lab(tone: Tone) -> Float32s:
    return np.asarray(to_lab(np.array([tone], np.uint8))[0], np.float32)


def box(length_mm: float, width_mm: float, middle_mm: Sequence[float] = STILL) -> Mask:
    """The cells of a window whose middles lie in a box."""
    u, v = (
        ((np.arange(count) + 0.5) / count - 0.5) * size
        for count, size in zip(CELLS, WINDOW_MM, strict=True)
    )
    along = abs(u - middle_mm[0]) < length_mm / 2
    return np.asarray(along[None] & (abs(v - middle_mm[1]) < width_mm / 2)[:, None])


def window(ground: Tone, *things: tuple[Tone, Mask]) -> npt.NDArray[np.uint8]:
    """A window with whole cells of other tones."""
    picture = np.full((*WINDOW_PX[::-1], 3), ground, np.uint8)
    for tone, cells in things:
        picture[np.kron(cells, np.ones(CELL_PX, bool))] = tone
    return picture


def looked(
    photo: npt.NDArray[np.uint8],
    plastic: npt.NDArray[np.floating | np.bool_],
    reference: npt.NDArray[np.uint8] | None = None,
    lean_mm: Sequence[float] = STILL,
) -> SpaceLooks:
    """Look at one window."""
    windows = Windows(
        photo[None],
        (window(GREY) if reference is None else reference)[None],
        np.zeros((1, *WINDOW_PX[::-1]), np.uint8),
        np.array([[22.0, 7.0]]),
        np.array([lean_mm]),
    )
    return space_looks(windows, np.asarray(plastic, np.float32)[None])


def close(seen: Float32s, tone: Tone) -> bool:
    return bool(np.abs(seen - lab(tone)).max() < 1)


MIDDLE, TRAIN, ASIDE, BESIDE = box(22, 8), box(26, 9), box(30, 9, (0, 8)), box(40, 6, (0, 11))
NOTHING = np.zeros(CELLS[::-1], bool)
ALONG, ACROSS = box(26, 9, (5, 0)), box(26, 9, (-4, 4))


@pytest.mark.parametrize(
    ("photo", "plastic", "reference", "seen", "bare"),
    [
        pytest.param(window(GREY, (RED, TRAIN)), TRAIN, window(GREY), RED, GREY, id="a train"),
        pytest.param(window(GREY, (RED, ALONG)), ALONG, window(GREY), RED, GREY, id="off along"),
        pytest.param(window(GREY, (RED, ACROSS)), ACROSS, window(GREY), RED, GREY, id="off across"),
        pytest.param(
            window(WHITE, (BLUE, MIDDLE)),
            NOTHING,
            window(WHITE, (RED, MIDDLE)),
            BLUE,
            RED,
            id="bare print is seen in the middle",
        ),
        pytest.param(
            window(GREY, (RED, ASIDE)),
            ASIDE,
            window(GREY, (BLUE, ASIDE)),
            RED,
            BLUE,
            id="the reference where the plastic is",
        ),
        pytest.param(
            window(GREY, (RED, TRAIN), (WHITE, box(9, 9, (5, 0)))),
            TRAIN,
            window(GREY),
            RED,
            GREY,
            id="glare on some of it",
        ),
        pytest.param(
            window(GREY, (BLUE, BESIDE), (RED, TRAIN)),
            BESIDE | TRAIN,
            window(GREY),
            RED,
            GREY,
            id="plastic far from the space is another one's",
        ),
    ],
)
def test_what_is_looked_at(
    photo: npt.NDArray[np.uint8],
    plastic: Mask,
    reference: npt.NDArray[np.uint8],
    seen: Tone,
    bare: Tone,
) -> None:
    looks = looked(photo, plastic, reference)
    assert close(looks.seen[0], seen)
    assert close(looks.bare[0], bare)


def test_a_leaning_train_is_looked_for_where_it_is_seen() -> None:
    lean = (6.0, -7.0)
    middle = (0.6 * lean[0], 0.6 * lean[1])
    photo = window(GREY, (RED, box(24, 7, middle)))
    nothing = np.zeros(CELLS[::-1])
    assert close(looked(photo, nothing, lean_mm=lean).seen[0], RED)


def test_each_space_is_looked_at_by_itself() -> None:
    red = window(GREY, (RED, box(26, 9)))
    photos = np.stack([red, window(GREY), window(BLUE)])
    count = len(photos)
    windows = Windows(
        photos,
        np.stack([window(GREY), window(BLUE), window(WHITE)]),
        np.zeros((count, *WINDOW_PX[::-1]), np.uint8),
        np.tile([22.0, 7.0], (count, 1)),
        np.zeros((count, 2)),
    )
    plastic = np.stack([box(26, 9), *np.zeros((2, ROWS, COLUMNS), bool)])
    looks = space_looks(windows, plastic.astype(np.float32))
    assert all(close(seen, tone) for seen, tone in zip(looks.seen, (RED, GREY, BLUE), strict=True))
    assert all(
        close(bare, tone) for bare, tone in zip(looks.bare, (GREY, BLUE, WHITE), strict=True)
    )
