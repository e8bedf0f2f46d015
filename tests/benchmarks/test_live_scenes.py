"""Games and real photos before a live table: truth at the end, or a question."""

from dataclasses import replace

import numpy as np
import pytest

import play_games
from live.photos import PhotoScene, choose_photos
from live.streamed_photo import Sweep


def scene(name: str) -> PhotoScene:
    """A photo as a game that is joined late, with one arm over it."""
    (photo,) = choose_photos(name)
    whole = PhotoScene.from_photo(photo, "joined", width=1280)
    stream = replace(whole.stream, sweeps=(Sweep(7.0),), knocks_s=())
    return replace(whole, stream=stream, watch_after_s=1.5)


@pytest.mark.long
@pytest.mark.usefixtures("photos")
@pytest.mark.parametrize(("name", "asked"), [("IMG_4076_1008", 0), ("cropped_station_data1", 1)])
def test_a_game_that_begins_on_a_played_board_ends_with_the_truth_or_a_question(
    name: str, asked: int
) -> None:
    """On the one board nothing is in doubt; on the other is a station whose colour is not clear."""
    shown, options = scene(name), play_games.parse_options([])
    played = play_games.play_scene(shown, name, options)
    assert (played.wrong, played.silent) == ([], 0)
    assert len(played.questions) >= asked
    assert len(shown.truth(0.0)) > 50


@pytest.mark.usefixtures("photos")
def test_the_same_moment_is_the_same_picture_and_the_next_one_another() -> None:
    one = scene("IMG_4076_1008").stream
    assert np.array_equal(one.picture_at(1.0), one.picture_at(1.0))
    apart = np.abs(one.picture_at(1.0).astype(int) - one.picture_at(1.1).astype(int))
    assert 0 < apart.mean() < 6
    assert np.abs(one.picture_at(8.7).astype(int) - one.picture_at(1.0).astype(int)).max() > 100


@pytest.mark.long
def test_a_game_with_cards_on_phones_ends_with_the_referees_score(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["--cards", "--games", "1", "--edition", "newyork", "--trains", "4"]
    assert play_games.main([*asked, "--size", "960", "640"]) == 0
    out = capsys.readouterr().out
    assert " equal" in out
    assert "wrong_paid" not in out
