"""Real photos before a live table, as a camera shows them: truth at the end, or a question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from live.photo_scenes import profile_of, stream_of
from live.streamed_photo import StreamedPhoto, Sweep
from photo_streams import hold
from photos.labelled import PHOTOS, LabelledPhoto, labelled_photos

pytestmark = pytest.mark.usefixtures("photos")

# A board on which nothing is in doubt, and one with a station whose colour is not clear.
PLAYED, IN_DOUBT = "IMG_4076_1008", "cropped_station_data1"
WIDTH = 1280


def photo_of(name: str) -> LabelledPhoto:
    return next(photo for photo in labelled_photos(PHOTOS) if photo.path.stem == name)


def stream(photo: LabelledPhoto) -> StreamedPhoto:
    return replace(stream_of(photo, "joined", WIDTH, seed=1), sweeps=(Sweep(7.0),), knocks_s=())


@pytest.mark.long
@pytest.mark.parametrize(("name", "asked"), [(PLAYED, 0), (IN_DOUBT, 1)])
def test_a_game_that_begins_on_a_played_board_ends_with_the_truth_or_a_question(
    name: str, asked: int
) -> None:
    photo = photo_of(name)
    profile = profile_of(photo.board, photo.shoot, "joined")
    held = hold(stream(photo), photo, "joined", profile, after_s=1.5)
    assert held.wrong == []
    assert held.silent == []
    assert len(held.questions) >= asked
    assert held.routes > 60


def test_the_same_moment_is_the_same_picture_and_the_next_one_another() -> None:
    one = stream(photo_of(PLAYED))
    assert np.array_equal(one.picture_at(1.0), one.picture_at(1.0))
    apart = np.abs(one.picture_at(1.0).astype(int) - one.picture_at(1.1).astype(int))
    assert 0 < apart.mean() < 6
    assert np.abs(one.picture_at(8.7).astype(int) - one.picture_at(1.0).astype(int)).max() > 100
