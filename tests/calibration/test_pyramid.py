"""A picture at several sizes: each is made once, and only if somebody asks for it."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, pyramid_of


def noise(height: int, width: int) -> Picture:
    return np.random.default_rng(3).integers(0, 256, (height, width, 3)).astype(np.uint8)


def test_a_pixel_of_a_half_is_the_mean_of_four() -> None:
    picture = noise(203, 301)
    four = picture[:202, :300].reshape(101, 2, 150, 2, 3).mean(axis=(1, 3))
    assert np.abs(pyramid_of(picture).at(1) - four).max() <= 0.5
    assert pyramid_of(picture).at(2).shape == (50, 75, 3)


def test_the_picture_itself_is_not_copied() -> None:
    picture = noise(200, 300)
    pyramid = pyramid_of(picture)
    assert pyramid.whole is picture
    assert pyramid.size_wh == (300, 200)
    assert pyramid_of(pyramid) is pyramid


def test_who_asks_for_a_quarter_does_not_have_the_whole_made() -> None:
    made: list[str] = []

    def make(size: str, height: int, width: int) -> Picture:
        made.append(size)
        return noise(height, width)

    pyramid = Pyramid(lambda: make("whole", 400, 600), (600, 400), lambda: make("half", 200, 300))
    assert pyramid.at(2).shape == (100, 150, 3)
    assert made == ["half"]
    quarter = pyramid.at(2)
    assert pyramid.whole.shape == (400, 600, 3)
    assert pyramid.at(2) is quarter
    assert made == ["half", "whole"]


def test_many_threads_get_one_and_the_same_picture() -> None:
    made: list[Picture] = []

    def whole() -> Picture:
        made.append(noise(800, 1200))
        return made[-1]

    pyramid = Pyramid(whole, (1200, 800))
    with ThreadPoolExecutor(8) as threads:
        halves = list(threads.map(lambda _: pyramid.at(1), range(32)))
    assert len(made) == 1
    assert all(half is halves[0] for half in halves)
