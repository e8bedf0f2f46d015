"""Photos of another copy of the board than the profile's: read all the same, and said so."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import drawn
import numpy as np
import pytest
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.proof import OTHER_COPY
from railspotter.calibration.pose import Grounds, NotFound
from railspotter.cli.command import main
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.table.boards.board_choice import recognised_board, stand_in_for
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.vision.reading.photo_notes import BY_DRAWING

import other_copies

pytestmark = pytest.mark.long

OWN, OTHER = "IMG_4066_1008", "other_copy_1_1920"


@pytest.fixture(scope="module")
def _photos(photos: Path) -> None:
    """Skip where the photos are not here."""


@cache
def scorer(profile: str) -> PhotoScorer:
    return other_copies.scorer_of(profile)


def picture(photos: Path, name: str) -> Picture:
    return load_photo(photos / "usa" / f"{name}.jpg")


def test_another_printing_is_told_to_be_one_and_not_a_lens(photos: Path) -> None:
    found = scorer("simulated").find_by_profile(picture(photos, OWN))
    assert isinstance(found, NotFound)
    assert found.reason == OTHER_COPY
    assert found.grounds == Grounds.PRINT


@pytest.mark.parametrize("name", [OWN, OTHER])
@pytest.mark.usefixtures("_photos")
def test_another_printing_is_found_by_the_print_that_comes_with_the_program(name: str) -> None:
    tried = other_copies.try_one("simulated", name, "500 px", is_read=True)
    assert tried.by == "fingerprint"
    assert tried.corner_mm is not None
    assert tried.corner_mm < 4
    assert tried.unasked == 0


def test_the_photo_says_that_the_profile_does_not_fit(photos: Path) -> None:
    photo = scorer("simulated").score([("friend.jpg", picture(photos, OWN))])
    truth = json.loads((photos / "usa" / f"{OWN}.json").read_text("utf-8"))
    assert photo.claims is not None
    assert sum(photo.claims.get(r) != truth["claims"].get(r) for r in truth["spaces"]) <= 1
    assert photo.profile is None
    assert "'benchmark' does not fit this board" in photo.notes[0]
    assert "railspotter calibrate" in photo.notes[0]
    assert BY_DRAWING not in photo.notes, "the first note says it"
    assert photo.as_json()["notes"][: len(photo.notes)] == list(photo.notes), "then the remarks"


def test_a_real_other_copy_is_read_by_the_profile_while_that_fits(photos: Path) -> None:
    photo = scorer("own").find(picture(photos, OTHER))
    assert isinstance(photo, FoundBoard)
    assert (photo.profile, photo.passed) == ("benchmark", None)


def test_what_is_learned_is_learned_by_the_profile_alone(photos: Path) -> None:
    assert not scorer("simulated").find_by_profile(picture(photos, OWN))


@pytest.mark.parametrize("variant", ["500 px", "400 px", "tilted, 600 px"])
@pytest.mark.parametrize("profile", ["own", "other copy", "fingerprint"])
@pytest.mark.usefixtures("_photos")
def test_small_pictures_are_found(profile: str, variant: str) -> None:
    tried = other_copies.try_one(profile, OWN, variant, is_read=False)
    assert tried.reason == ""
    assert tried.corner_mm is not None
    assert tried.corner_mm < 4


@pytest.mark.usefixtures("_photos")
def test_a_picture_that_is_too_small_says_how_many_pixels_are_needed() -> None:
    tried = other_copies.try_one("fingerprint", OTHER, "300 px", is_read=False)
    assert "it is 300 pixels wide, 400 are needed" in tried.reason


@pytest.mark.usefixtures("_photos")
def test_of_two_refusals_the_picture_s_own_trouble_is_said() -> None:
    tried = other_copies.try_one("simulated", OTHER, "blurred", is_read=False)
    assert "too blurred" in tried.reason


def test_one_photo_of_a_sitting_that_the_profile_misses_is_no_other_copy(photos: Path) -> None:
    """The other photo shows that the profile is this board's."""
    own = PhotoScorer(ReadingPlan(drawn.usa(), load_edition("usa"), other_copies.profile_of("own")))
    board = own.find(picture(photos, OWN))
    assert isinstance(board, FoundBoard)
    lost = NotFound(Sentence("a cloud"), grounds=Grounds.PRINT)
    missed = FoundBoard(board.pose, board.view, 1.0, None, lost)
    assert own.passing_notes([board]) == ()
    assert "another copy of it" in own.passing_notes([missed])[0]
    assert own.passing_notes([board, missed])[0].endswith("by the profile: a cloud")


def test_several_photos_of_another_copy_are_read_together(photos: Path) -> None:
    pair = [(name, picture(photos, name)) for name in (OTHER, "other_copy_2_1920")]
    together = scorer("simulated").score(pair)
    assert together.found
    assert sum("does not fit this board" in note for note in together.notes) == 1


def test_the_board_of_another_copy_is_recognised_and_read(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ProfileStore(home).save(other_copies.profile_of("simulated"))
    small = cv2.resize(picture(photos, OWN), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    save_picture(tmp_path / "friend.png", np.asarray(small, np.uint8))
    assert recognised_board([str(tmp_path / "friend.png")], ProfileStore(home)) == "usa"
    assert main(["read", "--json", str(tmp_path / "friend.png")]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["found"], line["profile"]) == (True, None)
    assert "does not fit this board" in line["notes"][0]


def test_a_board_of_ones_own_has_nothing_to_fall_back_on() -> None:
    assert stand_in_for(drawn.usa()) is not None
    assert stand_in_for(replace(drawn.usa(), id="mine")) is None
    assert stand_in_for(replace(drawn.usa(), routes=drawn.usa().routes[1:])) is None
