"""Which board a photo shows, and why none: for one reason, whether a board was named or not."""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound
from railspotter.cli.command import main
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.boards.board_choice import recognise_board, recognise_board_in_files
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from hardships.renderings import distort, distort_radially


@cache
def scorer() -> PhotoScorer:
    """What reads photos of a board that was named."""
    known = stand_in_profile(load_board("usa"))
    assert known is not None
    return PhotoScorer(ReadingPlan(load_board("usa"), load_edition("usa"), known))


def bent(photo: Picture) -> Picture:
    return distort(photo, partial(distort_radially, k=0.25))


def covered(photo: Picture, share: float) -> Picture:
    photo = photo.copy()
    photo[:, : int(share * photo.shape[1])] = 120
    return photo


def far(photo: Picture) -> Picture:
    """The same photo small on a large table."""
    small = cv2.resize(photo, (220, 165), interpolation=cv2.INTER_AREA)
    table = np.full((1875, 2500, 3), 120, np.uint8)
    table[700:1030, 900:1340] = cv2.resize(small, (440, 330), interpolation=cv2.INTER_CUBIC)
    return table


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        pytest.param(lambda photo: photo[:, : photo.shape[1] * 3 // 10], "cut off", id="cut off"),
        pytest.param(lambda photo: photo // 12, "too dark", id="dark"),
        pytest.param(
            partial(covered, share=0.6), "is covered", id="covered", marks=pytest.mark.long
        ),
        pytest.param(
            lambda photo: covered(bent(photo), 0.55),
            "a wide lens",
            id="through a lens",
            marks=pytest.mark.long,
        ),
        pytest.param(
            far, "pixels wide", id="a small board in a large picture", marks=pytest.mark.long
        ),
    ],
)
def test_a_refused_photo_has_one_reason_whether_a_board_was_named_or_not(
    photos: Path, home: Path, spoilt: Callable[[Picture], Picture], words: str
) -> None:
    photo = load_photo(photos / "usa" / "IMG_4152_1008.jpg")
    small = cv2.resize(photo, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    picture = np.ascontiguousarray(spoilt(np.asarray(small, np.uint8)))
    named, unnamed = scorer().find(picture), recognise_board([picture], ProfileStore(home))
    assert isinstance(named, NotFound)
    assert isinstance(unnamed, NotFound)
    assert words in named.reason
    assert unnamed.reason == named.reason


def test_another_board_beside_the_one_that_is_read_is_told(
    photos: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "usa/IMG_4152_1008.jpg", "europe/cropped1_12-12.jpg"
    usa, europe = (cv2.resize(load_photo(photos / name), (1000, 700)) for name in names)
    for name, picture in (("both", cv2.hconcat([usa, europe])), ("alone", europe)):
        save_picture(tmp_path / f"{name}.png", np.asarray(picture, np.uint8))
    both, lone = (str(tmp_path / f"{name}.png") for name in ("both", "alone"))
    assert main(["read", both, lone, "--json"]) == 0
    told, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert told["board"] == other["board"] == "europe"
    assert "another board is in the picture too, USA" in "".join(told["notes"])
    assert "another board" not in "".join(other["notes"])


def test_each_of_several_photos_has_its_own_reason(home: Path, tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("night.png", "letter.jpg")]
    save_picture(Path(names[0]), np.zeros((300, 400, 3), np.uint8))
    Path(names[1]).write_text("Dear all")
    reasons = recognise_board_in_files(names, ProfileStore(home))
    assert isinstance(reasons, dict)
    night, letter = (reasons[name] for name in names)
    assert "too dark" in night
    assert "not a picture" in letter
