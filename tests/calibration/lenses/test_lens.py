"""A lens there and back, and what it never does: fold, tear, or depend on the picture's scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railspotter.calibration.lenses.lens import Lens, no_lens

SIZE_WH = (1200, 900)
BARREL = Lens(SIZE_WH, (-0.05, 0.0, 0.4))
lenses = st.builds(
    lambda a, b, c: Lens(SIZE_WH, (a, b, c)),
    st.floats(-0.4, 0.3),
    st.floats(-0.2, 0.2),
    st.floats(0, 1.5),
)
points = st.tuples(st.floats(-400, 1600), st.floats(-300, 1200))


@given(lenses, points)
def test_what_is_bent_comes_straight_again(lens: Lens, point: tuple[float, float]) -> None:
    there = lens.bent(np.array([point]))
    assert np.allclose(lens.straightened(there), [point], atol=0.05)


@given(lenses)
def test_what_is_further_out_arrives_further_out(lens: Lens) -> None:
    radius = np.linspace(0, 7, 400)
    arriving = radius * lens.stretch(radius * radius)
    assert (np.diff(arriving) > 0).all()


@given(lenses, points)
def test_the_size_of_the_picture_does_not_matter(lens: Lens, point: tuple[float, float]) -> None:
    large = lens.of_size((2400, 1800))
    in_large = (np.array([point]) + 0.5) * 2 - 0.5
    assert np.allclose((large.bent(in_large) + 0.5) / 2 - 0.5, lens.bent(np.array([point])))


def test_maps_are_bent_as_points_are() -> None:
    x, y = np.meshgrid(np.linspace(-200, 1400, 9), np.linspace(-100, 1000, 7))
    bent_x, bent_y = BARREL.bent_maps(x.astype(np.float32), y.astype(np.float32))
    expected = BARREL.bent(np.stack([x, y], axis=-1))
    assert np.abs(np.stack([bent_x, bent_y], axis=-1) - expected).max() < 1e-2


def test_no_lens_bends_nothing() -> None:
    at = np.array([[3.0, 4.0], [1199.0, 0.0]])
    assert np.allclose(no_lens(SIZE_WH).bent(at), at)


def test_the_middle_stays_and_a_barrel_draws_in() -> None:
    middle, corner = BARREL.bent(np.array([(599.5, 449.5), (1199.0, 899.0)]))
    assert middle.tolist() == [599.5, 449.5]
    assert (corner < (1150, 870)).all()


@pytest.mark.parametrize(
    ("size_wh", "fits"),
    [
        pytest.param((2400, 1800), True, id="twice as large"),
        pytest.param((1008, 756), True, id="smaller"),
        pytest.param((900, 1200), False, id="turned"),
        pytest.param((1920, 1080), False, id="another shape"),
    ],
)
def test_a_lens_belongs_to_pictures_of_one_shape(size_wh: tuple[int, int], fits: bool) -> None:
    assert BARREL.fits(size_wh) is fits
