"""`railspotter read` with nobody having calibrated anything: the board is recognised and read."""

import json
from pathlib import Path
from typing import Any

import cv2
import drawn
import msgspec
import numpy as np
import pytest
from railspotter.calibration.finding.finder import TWO_BOARDS
from railspotter.calibration.finding.picture_faults import PARTLY_SHARP, TOO_DARK
from railspotter.cli.command import main
from railspotter.scoring.board import load_board
from railspotter.table.boards.board_choice import (
    OTHER_PRINT,
    RecognisedBoard,
    profile_for,
    recognise_board_in_files,
)
from railspotter.table.errors import NoProfileError, PhotoError
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture
from railspotter.vision.reading.photo_notes import BY_DRAWING

LEAST_RIGHT = 0.97


def misread(line: dict[str, Any], truth_file: Path) -> set[str]:
    """The routes that a reading holds otherwise than they are, half-filled ones left out."""
    truth = json.loads(truth_file.read_text("utf-8"))
    counted = truth["spaces"].keys() - set(truth.get("half_filled_routes", []))
    return {name for name in counted if line["claims"].get(name) != truth["claims"].get(name)}


def test_a_drawn_game_is_read_by_numbers_and_what_is_wrong_is_asked_about() -> None:
    photo = drawn.own_stand_in().score([("game", drawn.game().picture)])
    assert photo.claims is not None
    assert photo.profile is None
    assert BY_DRAWING in photo.notes
    routes = [route.id for route in drawn.usa().routes]
    wrong = {name for name in routes if photo.claims.get(name) != drawn.CLAIMS.get(name)}
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(routes)
    assert wrong <= {doubt.spot.id for doubt in photo.doubts}


def test_an_empty_drawn_board_holds_no_claims() -> None:
    photo = drawn.own_stand_in("usa-10th").score([("empty", drawn.empty().picture)])
    assert photo.claims == {}
    assert photo.notes[1:] == (
        OTHER_PRINT.filled(edition="USA, 10th Anniversary", known="USA (2004)"),
    )


def test_ones_own_profile_is_tried_first(calibrated: Path, pictures: Path) -> None:
    store = ProfileStore(calibrated)
    game = str(pictures / "game.jpg")
    assert recognise_board_in_files([game], store) == RecognisedBoard("usa", photo=game)
    assert profile_for(drawn.usa(), store).name == "drawn"


def test_without_a_profile_there_are_numbers(home: Path) -> None:
    assert profile_for(drawn.usa(), ProfileStore(home)).is_drawn


def test_a_board_of_which_there_are_none_asks_for_a_calibration(home: Path) -> None:
    own = msgspec.structs.replace(load_board("newyork"), id="my-map")
    with pytest.raises(NoProfileError, match="calibrate PHOTO --board my-map"):
        profile_for(own, ProfileStore(home))


def test_a_broken_photo_is_passed_over_while_another_can_be_read(
    calibrated: Path, pictures: Path
) -> None:
    store = ProfileStore(calibrated)
    broken, game = (str(pictures / name) for name in ("letter.jpg", "game.jpg"))
    assert recognise_board_in_files([broken, game], store) == RecognisedBoard("usa", photo=game)
    with pytest.raises(PhotoError, match=r"letter\.jpg"):
        recognise_board_in_files([broken], store)


def test_a_picture_of_no_known_board_is_3(
    home: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--json", str(pictures / "nothing.jpg")]) == 3
    out, err = capsys.readouterr()
    assert "no board was recognised" in err
    line = json.loads(out)
    assert (line["found"], line["board"]) == (False, None)


@pytest.mark.parametrize(("edition", "helps"), [("usa", False), ("usa-10th", True)])
def test_where_nobody_knows_the_print_a_refusal_says_what_helps(
    home: Path, pictures: Path, edition: str, helps: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = str(pictures / "dark.jpg")
    assert main(["read", "--json", "--edition", edition, photo]) == 3
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert ("a photo of your empty board helps" in line) is helps
    assert ("look is not known, only those of USA (2004)" in json.loads(out)["reason"]) is helps


@pytest.mark.parametrize(
    ("photo", "board"),
    [
        pytest.param("usa/IMG_4048_blank_1008", "usa", marks=pytest.mark.long),
        pytest.param("usa/IMG_4141_1008", "usa", marks=pytest.mark.long),
        ("usa/other_copy_1_1920", "usa"),
        ("europe/cropped1_12-12", "europe"),
    ],
)
def test_a_real_board_is_recognised_and_read(
    home: Path, photos: Path, photo: str, board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--json", str(photos / f"{photo}.jpg")]) == 0
    line: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (line["board"], line["profile"]) == (board, None)
    assert BY_DRAWING in line["notes"]
    off = misread(line, photos / f"{photo}.json")
    labelled = json.loads((photos / f"{photo}.json").read_text("utf-8"))["spaces"]
    assert len(off) <= (1 - LEAST_RIGHT) * len(labelled)
    assert off <= {doubt.get("route") for doubt in line["doubts"]}
    assert len(line["doubts"]) <= 10


def test_a_photo_of_which_a_part_was_never_written_is_refused(
    home: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(cases / "01-half-a-jpeg" / "zero_tail.jpg")]) == 2
    assert "the picture is damaged or cut short; send it again" in capsys.readouterr().err


def test_every_refusal_names_its_photo_and_its_true_reason(
    home: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reasons = {
        "09-dark-photo-wrong-reason/dark.jpg": TOO_DARK,
        "10-portrait-blur-wrong-reason/portrait_blur.jpg": PARTLY_SHARP,
        "11-two-boards/usa_and_usa.jpg": TWO_BOARDS,
    }
    paths = {str(cases / name): reason for name, reason in reasons.items()}
    assert main(["read", *paths, "--board", "usa"]) == 3
    told = [f"railspotter: {path}: {reason}" for path, reason in paths.items()]
    assert capsys.readouterr().err.splitlines() == told


def test_an_hdr_photo_is_read_as_an_ordinary_one(
    home: Path, photos: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--json", str(cases / "06-hdr-heic" / "hdr_pq.heic")]) == 0
    line = json.loads(capsys.readouterr().out)
    off = misread(line, photos / "usa" / "IMG_4144_1008.json")
    assert off <= {doubt.get("route") for doubt in line["doubts"]}
    assert len(line["doubts"]) <= 8


def test_under_a_flash_no_train_is_surely_read_as_free(
    home: Path, photos: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--json", str(cases / "08-flash" / "flash.jpg")]) == 0
    line = json.loads(capsys.readouterr().out)
    off = misread(line, photos / "usa" / "IMG_4144_1920.json")
    assert {"atlanta--nashville", "dallas--oklahoma-city--1"} <= off
    assert off <= {doubt.get("route") for doubt in line["doubts"]} | {*line["unseen"]}


@pytest.mark.long
def test_a_mirrored_photo_of_a_real_board_is_turned_over(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = json.loads((photos / "usa" / "IMG_4066_1008.json").read_text("utf-8"))
    picture = load_photo(photos / "usa" / "IMG_4066_1008.jpg")
    save_picture(tmp_path / "mirrored.png", np.ascontiguousarray(picture[:, ::-1]))
    assert main(["read", "--json", str(tmp_path / "mirrored.png")]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["board"] == "usa"
    corners_px = [(picture.shape[1] - 1 - x, y) for x, y in line["corners_px"]]
    assert np.abs(np.subtract(corners_px, truth["corners_px"])).max() < 8


@pytest.mark.long
def test_a_board_upside_down_is_recognised(home: Path, photos: Path, tmp_path: Path) -> None:
    picture = load_photo(photos / "europe" / "cropped1_12-12.jpg")
    half = cv2.resize(picture[::-1, ::-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    save_picture(tmp_path / "turned.png", np.asarray(half, np.uint8))
    shown = recognise_board_in_files([str(tmp_path / "turned.png")], ProfileStore(home))
    assert isinstance(shown, RecognisedBoard)
    assert shown.id == "europe"
