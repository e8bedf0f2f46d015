"""Features: spread over the whole print, and matched one to one."""

from functools import cache

import cv2
import drawn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railspotter.calibration.arrays import GreyPicture
from railspotter.calibration.profiles.features import (
    Features,
    find_features,
    find_spread_features,
    match,
)


@cache
def grey() -> GreyPicture:
    full = cv2.cvtColor(drawn.drawing(), cv2.COLOR_BGR2GRAY)
    return np.asarray(full, np.uint8)[::2, ::2].copy()


def some_features(seed: int, count: int) -> Features:
    rng = np.random.default_rng(seed)
    descriptors = rng.integers(0, 256, (count, 128), dtype=np.uint8)
    return Features(rng.uniform(0, 100, (count, 2)), descriptors)


def test_a_plain_picture_has_none() -> None:
    found = find_features(np.full((200, 300), 80, np.uint8), 100)
    assert (len(found), found.points.shape, found.descriptors.shape) == (0, (0, 2), (0, 128))


def test_a_spread_has_its_share_in_every_part() -> None:
    columns, rows = 5, 3
    found = find_spread_features(grey(), 600, (columns, rows))
    height, width = grey().shape
    cell = (found.points / (width, height) * (columns, rows)).astype(int)
    counts = np.bincount(cell[:, 1] * columns + cell[:, 0], minlength=columns * rows)
    assert counts.max() == 40
    assert counts.min() >= 30


def test_the_strongest_come_first() -> None:
    few, many = find_features(grey(), 50), find_features(grey(), 400)
    kept = {tuple(point) for point in many.points[:60].round(2)}
    assert np.mean([tuple(point) in kept for point in few.points.round(2)]) > 0.9


@pytest.mark.parametrize("empty", ["reference", "picture", "a single one in the picture"])
def test_nothing_matches_nothing(empty: str) -> None:
    some, none = some_features(1, 20), some_features(1, 0)
    pairs = {
        "reference": match(none, some, 0.8),
        "picture": match(some, none, 0.8),
        "a single one in the picture": match(some, some_features(1, 1), 0.8),
    }[empty]
    assert pairs.shape == (0, 2)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.floats(0.3, 1.0))
def test_each_feature_of_the_picture_is_used_once(seed: int, count: int, ratio: float) -> None:
    reference = some_features(seed, 60)
    rng = np.random.default_rng([seed, 1])
    copied = reference.descriptors[rng.integers(0, 6, count)]  # many of the same: rivals
    noise = rng.integers(0, 3, copied.shape, dtype=np.uint8)
    picture = Features(np.zeros((count, 2)), np.clip(copied, 0, 250) + noise)
    pairs = match(reference, picture, ratio)
    assert len(set(pairs[:, 1])) == len(pairs)
    assert pairs.min(initial=0) >= 0
    assert np.all(pairs < (60, count))


def test_a_shuffled_copy_is_matched_back() -> None:
    reference = some_features(7, 50)
    order = np.random.default_rng(7).permutation(50)
    picture = Features(reference.points[order], reference.descriptors[order])
    pairs = match(reference, picture, 0.8)
    assert len(pairs) == 50
    assert np.array_equal(order[pairs[:, 1]], pairs[:, 0])


def test_of_two_rivals_the_nearer_has_the_feature() -> None:
    picture = some_features(3, 5)
    far, near = picture.descriptors[2].astype(int) + 3, picture.descriptors[2].astype(int) + 1
    both = np.clip([near, far, near + 1], 0, 255).astype(np.uint8)
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
        pairs = match(Features(np.zeros((3, 2)), both[order]), picture, 0.8)
        assert pairs.tolist() == [[order.index(0), 2]]
