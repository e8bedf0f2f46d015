"""Tones: what another camera makes of the same board is measured and taken out."""

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.picture_faults import LUMA
from railspotter.vision.printed.light import (
    NO_TONES,
    Tones,
    cell_means,
    fit_tones,
    measure_light,
    measure_tones,
)
from railspotter.vision.printed.printed_board import PrintedBoard


@cache
def own_print() -> PrintedBoard:
    return PrintedBoard.of(drawn.usa(), drawn.profile())


def curved(picture: Picture, power: float, black: float = 0.0) -> Picture:
    levels = black + (255 - black) * (picture / 255) ** power
    return np.rint(levels).astype(np.uint8)


def coloured(picture: Picture, factor: float) -> Picture:
    grey = (picture @ LUMA)[..., None]
    return np.rint(np.clip(grey + factor * (picture - grey), 0, 255)).astype(np.uint8)


def tones_of(picture: Picture) -> Tones:
    return measure_tones(cell_means(picture), own_print())


def test_a_camera_that_renders_alike_has_none() -> None:
    assert tones_of(own_print().reference).are_none
    darker = np.rint(own_print().reference * (0.5, 0.6, 0.7)).astype(np.uint8)
    assert tones_of(darker).are_none
    assert NO_TONES.taken_out_of(darker) is darker


@pytest.mark.parametrize("power", [0.6, 1.5, 1.8])
def test_contrast_is_taken_out(power: float) -> None:
    picture = curved(own_print().reference, power)
    back = measure_light(picture, own_print()).taken_out_of(picture).astype(float)
    left = np.abs(back - own_print().reference).mean()
    by_gain = replace(measure_light(picture, own_print()), tones=NO_TONES)
    assert left < 4
    assert (
        left
        < np.abs(by_gain.taken_out_of(picture) - own_print().reference.astype(float)).mean() / 2
    )


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_colourfulness_is_measured(factor: float) -> None:
    tones = tones_of(coloured(own_print().reference, factor))
    assert tones.colourfulness == pytest.approx(factor, rel=0.2)
    assert tones.stretch == pytest.approx(1 / factor, rel=0.3)


def test_what_lies_on_the_board_changes_no_tones() -> None:
    """A sheet of paper over a sixth of the board: beside it everything looks as without it."""
    picture = curved(own_print().reference, 1.5)
    alone = measure_light(picture, own_print()).taken_out_of(picture)
    picture[200:500, 100:700] = (90, 120, 180)
    beside = measure_light(picture, own_print()).taken_out_of(picture)[:, 800:].astype(float)
    assert np.abs(beside - alone[:, 800:]).max() < 10
    assert np.abs(beside - alone[:, 800:]).mean() < 2


def test_noise_does_not_shake_them() -> None:
    """What a still camera sees must be read alike from picture to picture."""
    rng = np.random.default_rng(3)
    clean = curved(own_print().reference, 1.3, black=15)
    curves = []
    for _ in range(4):
        noisy = clean + rng.normal(0, 4, clean.shape)
        curves.append(tones_of(np.clip(np.rint(noisy), 0, 255).astype(np.uint8)).curve)
    assert np.ptp(curves, axis=0).max() < 1.5


def test_a_curve_rises_even_where_hardly_anything_shows() -> None:
    rng = np.random.default_rng(5)
    for picture in (
        np.full_like(own_print().reference, 250),
        np.zeros_like(own_print().reference),
        rng.integers(0, 256, own_print().reference.shape).astype(np.uint8),
        curved(own_print().reference, 0.2, black=150),
    ):
        curve = tones_of(picture).curve
        assert (np.diff(curve) >= 0).all()
        assert np.isfinite(curve).all()


def test_a_drawn_reference_tells_none() -> None:
    printed = replace(own_print(), is_drawn=True)
    assert measure_tones(cell_means(curved(own_print().reference, 1.8)), printed) is NO_TONES


def test_tones_are_taken_out_at_any_scale() -> None:
    picture = curved(own_print().reference, 1.5)
    light = measure_light(picture, own_print())
    large = cv2.resize(picture, None, fx=1.25, fy=1.25, interpolation=cv2.INTER_AREA)
    back = light.taken_out_of(np.asarray(large, np.uint8))
    size_wh = picture.shape[1], picture.shape[0]
    small = cv2.resize(back, size_wh, interpolation=cv2.INTER_AREA).astype(float)
    assert np.abs(small - light.taken_out_of(picture)).mean() < 4


@pytest.mark.parametrize("power", [0.6, 1.8])
def test_trains_are_read_as_well(power: float) -> None:
    view = drawn.found(drawn.game().picture).view
    plain = drawn.reading()
    reading = drawn.read(replace(view, rectified=curved(view.rectified, power)))
    wrong = {s for s, seen in reading.pieces.items() if seen.colour != plain.pieces[s].colour}
    assert plain.claims
    assert all(reading.pieces[spot].doubt for spot in wrong)
    assert len(wrong) <= 1


def test_a_reference_with_glare_on_a_print_makes_a_doubt() -> None:
    """Where the reference is washed out, bare print looks like trains, as the print next to it."""
    board = drawn.usa()
    routes = [r for r in board.routes if r.colour == "green"]
    spaces = own_print().spaces_of([board.routes.index(routes[0])])
    shape = own_print().footprint(spaces, own_print().px_per_mm, 1.0) > 0
    washed = own_print().reference.copy()
    washed[shape] = np.rint(washed[shape] * 0.2 + 225 * 0.8)
    view = drawn.found(drawn.game().picture).view
    claimed = drawn.reading().claims
    assert routes[0].id not in claimed
    reading = drawn.read(replace(view, printed=replace(own_print(), reference=washed)))
    wrong = {s for s, seen in reading.pieces.items() if seen.colour != claimed.get(s.id)}
    assert all(reading.pieces[spot].doubt for spot in wrong)


def test_tiles_that_are_all_but_black_leave_finite_tones() -> None:
    """Seed 189 of 300: without a limit to how dark ground may seem, the fit ran over."""
    rng = np.random.default_rng(189)
    tile = np.sort(rng.integers(0, 20, 3000))
    ground = np.log(rng.uniform(2, 250, (3000, 3)).astype(np.float32) + 2)
    dark = rng.uniform(0, 1, 20) ** rng.integers(1, 6)
    black, power = rng.uniform(0, 120), rng.uniform(0.4, 3)
    levels = black + (255 - black) * ((np.exp(ground) - 2) / 255) ** power * dark[tile, None]
    shown = np.clip(levels + rng.normal(0, 3, levels.shape), 0, 244).astype(np.float32)
    assert np.isfinite(fit_tones(shown, ground.astype(np.float32), tile).curve).all()
