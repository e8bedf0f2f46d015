"""`railspotter read` with several photos of one board, with answers, and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import pytest
from phone_photos import phone_photo
from PIL import ExifTags, Image
from railspotter.calibration.arrays import Picture
from railspotter.cli.command import main
from railspotter.scoring.board import Space
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.placing import stand_markers, stand_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture

ROUTE, GLARED = "duluth--helena", "chicago--pittsburgh--0"
OTHER_SIDE = CameraSetup((1200, 900), tilt_deg=20, heading_deg=-40)


def read(*words: str | Path) -> int:
    """Read photos of the drawn board; the exit code, also where the parser ends the program."""
    try:
        return main(["read", *map(str, words), "--board", "usa"])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def line_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one line of JSON that was printed."""
    (line,) = capsys.readouterr().out.splitlines()
    read_back: dict[str, Any] = json.loads(line)
    return read_back


def truth_of_doubts(
    capsys: pytest.CaptureFixture[str], *words: str | Path
) -> dict[str, str | None]:
    """What is true of all that a reading asks about."""
    assert read(*words, "--json") == 0
    return {d["route"]: drawn.CLAIMS.get(d["route"]) for d in line_of(capsys)["doubts"]}


def spotted(spaces: Sequence[Space], radius_px: int, bgr: tuple[int, int, int]) -> Picture:
    """A photo of the drawn board with a spot over some spaces."""
    picture = drawn.game().picture.copy()
    middles = np.array([[space.xy_mm for space in spaces]])
    for x, y in cv2.perspectiveTransform(middles, drawn.game().frame_from_board)[0]:
        cv2.circle(picture, (round(x), round(y)), radius_px, bgr, -1)
    return picture


def test_score_markers_are_read_unless_they_stay_in_the_box(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ProfileStore(home).save(drawn.profile())
    camera = VirtualCamera(drawn.usa(), view=drawn.ABOVE, sensor=drawn.SENSOR)
    pieces = stand_trains(camera.printed, drawn.CLAIMS)
    pieces += stand_markers(camera.printed, {"red": 38})
    photo = tmp_path / "markers.png"
    save_picture(photo, camera.take(Scene(pieces)).picture)
    assert read(photo, "--json") == 0
    seen = line_of(capsys)
    assert seen["markers"]["red"] == {"at": 38, "why": None}
    assert seen["markers"]["blue"]["at"] is None
    assert any(note.startswith("red's marker stands at 38,") for note in seen["notes"])
    assert read(photo, "--json", "--no-markers") == 0
    assert "markers" not in line_of(capsys)


@pytest.fixture(scope="session")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand over a route, glare, another side, and another game."""
    folder = tmp_path_factory.mktemp("sides")
    routes = drawn.usa().route_by_id
    save_picture(folder / "hand.jpg", spotted(routes[ROUTE].spaces, 40, (120, 150, 210)))
    save_picture(folder / "glare.jpg", spotted(routes[GLARED].spaces[1:2], 34, (255, 255, 255)))
    save_picture(folder / "left.jpg", drawn.game(OTHER_SIDE).picture)
    save_picture(folder / "later.jpg", drawn.photographed({"denver--helena": "green"}))
    return folder


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({ROUTE: "blue"}))
    return file


@pytest.mark.parametrize("orientation", [5, 6])
def test_corners_are_those_of_the_picture_as_it_is_stored(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], orientation: int
) -> None:
    """An upright PNG in which a program left how it had been turned, and a mirror too."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    rgb = np.ascontiguousarray(drawn.game().picture[..., ::-1])
    Image.fromarray(rgb).save(tmp_path / "game.png", exif=exif)
    assert read(tmp_path / "game.png", "--json") == 0
    line = line_of(capsys)
    assert line["claims"] == drawn.CLAIMS
    assert drawn.corner_error_mm(drawn.game().frame_from_board, line["corners_px"]).max() < 1.0


def test_two_photos_are_one_reading(
    calibrated: Path, sides: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = sides / "hand.jpg", sides / "left.jpg"
    assert read(*photos, "--same-board", "--json") == 0
    line = line_of(capsys)
    assert line["claims"] == drawn.CLAIMS
    assert line["photo"] == str(photos[0])
    assert [part["photo"] for part in line["photos"]] == [str(photo) for photo in photos]
    for part in line["photos"]:
        assert part["found"]
        assert len(part["corners_px"]) == 4
        assert 0.8 < part["counts"] <= 1
    assert line["photos"][0]["corners_px"] == line["corners_px"]

    assert read(*photos, "--same-board") == 0
    title = capsys.readouterr().out.splitlines()[0]
    assert title.startswith(f"{photos[0]} and {photos[1]}: ")


def test_an_iphones_photo_is_read_as_its_jpeg(
    calibrated: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "IMG_0001.HEIC"
    photo.write_bytes(phone_photo(load_photo(pictures / "game.jpg"), "HEIC"))
    assert read(photo, "--json") == 0
    line = json.loads(capsys.readouterr().out)
    assert line["claims"] == drawn.CLAIMS
    assert line["photo"] == str(photo)


def test_a_photo_without_the_board_is_left_out_with_a_sentence(
    calibrated: Path, sides: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = pictures / "game.jpg", pictures / "nothing.jpg"
    assert read(*photos, "--same-board", "--json") == 3
    out, err = capsys.readouterr()
    line = json.loads(out)
    assert line["claims"] == drawn.CLAIMS
    assert [part["counts"] for part in line["photos"]] == [1, 0]
    (complaint,) = err.splitlines()
    assert "nothing.jpg: " in complaint
    assert "was not found" in complaint

    assert read(pictures / "game.jpg", pictures / "letter.jpg", "--same-board") == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert "letter.jpg: " in complaint


def test_photos_of_different_games_are_not_added_up(
    calibrated: Path, sides: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(sides / "left.jpg", sides / "later.jpg", "--same-board") == 3
    out, err = capsys.readouterr()
    assert out == ""
    (complaint,) = err.splitlines()
    assert "left.jpg and " in complaint
    assert "show different pieces" in complaint


def test_the_same_photo_twice_is_said_to_add_little(
    calibrated: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = tmp_path / "again.jpg"
    again.write_bytes((pictures / "game.jpg").read_bytes())
    assert read(pictures / "game.jpg", again, "--same-board") == 0
    assert "adds little" in capsys.readouterr().out


def test_answers_outrank_what_was_read(
    calibrated: Path, pictures: Path, answers: Path, tmp_path: Path, capsys: Any
) -> None:
    seen = tmp_path / "seen.png"
    photo = pictures / "game.jpg"
    assert read(photo, "--answers", answers, "--json", "--annotate", seen) == 0
    line = line_of(capsys)
    assert line["claims"] == {**drawn.CLAIMS, ROUTE: "blue"}
    assert line["answers"] == [
        {"route": ROUTE, "read": "red", "said": "blue", "was_doubted": False}
    ]
    assert read(photo, "--json", "--annotate", tmp_path / "without.png") == 0
    without = line_of(capsys)
    length = drawn.usa().route_by_id[ROUTE].length
    for colour, trains in (("red", length), ("blue", -length)):
        before, after = (each["standing"][colour]["trains_left"] for each in (without, line))
        assert after - before == trains
    changed = load_photo(seen) != load_photo(tmp_path / "without.png")
    assert changed.any(), "the picture shows the answer"


@pytest.mark.parametrize(
    ("words", "content", "said"),
    [
        pytest.param([], '{"duluth--berlin": null}', "no route 'duluth--berlin'", id="route"),
        pytest.param([], '{"duluth--helena": "pink"}', "'pink' is not in play", id="colour"),
        pytest.param(
            ["--colours", "blue,green"], '{"duluth--helena": "red"}', "say blue, green", id="absent"
        ),
        pytest.param([], "red", "one JSON object", id="no JSON"),
        pytest.param(["again.jpg"], "{}", "name only one photo", id="two boards"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    calibrated: Path,
    pictures: Path,
    answers: Path,
    words: list[str],
    content: str,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers.write_text(content)
    assert read(pictures / "game.jpg", *words, "--answers", answers) == 2
    out, err = capsys.readouterr()
    (complaint,) = err.splitlines()
    assert said in complaint
    assert out == ""


def test_a_photo_is_kept_with_its_truth_and_never_overwritten(
    calibrated: Path, pictures: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = pictures / "game.jpg"
    answers.write_text(json.dumps({**truth_of_doubts(capsys, photo), ROUTE: "blue"}))
    for number in (1, 2):
        assert read(photo, "--answers", answers, "--keep") == 0
        out = capsys.readouterr().out
        name = "game" if number == 1 else "game-2"
        folder = calibrated / "confirmed" / "usa" / name
        assert f"kept in {folder}" in out
        assert sorted(path.name for path in folder.iterdir()) == ["game.jpg", "game.json"]
        assert (folder / "game.jpg").read_bytes() == photo.read_bytes()
        truth = json.loads((folder / "game.json").read_text())
        assert truth["claims"] == {**drawn.CLAIMS, ROUTE: "blue"}
        assert set(truth["spaces"]) == {route.id for route in drawn.usa().routes}
        assert truth["spaces"][ROUTE] == ["blue"] * 6
        assert truth["spaces"]["denver--helena"] == [None] * 4
        assert (truth["board"], truth["photo"]) == ("usa", "game.jpg")
        assert truth["size_px"] == [1200, 900]
        corners = drawn.corner_error_mm(drawn.game().frame_from_board, truth["corners_px"])
        assert corners.max() < 1


def test_nothing_is_kept_before_every_doubt_is_answered(
    calibrated: Path, sides: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = sides / "glare.jpg"
    assert read(photo, "--json") == 0
    doubts = [doubt["route"] for doubt in line_of(capsys)["doubts"]]
    assert GLARED in doubts
    assert read(photo) == 0
    assert f"railspotter read {photo} SECOND --same-board" in capsys.readouterr().out

    assert read(photo, "--keep") == 2
    assert "nobody has answered the doubts about Chicago - Pittsburgh" in capsys.readouterr().err
    assert not (calibrated / "confirmed").exists()

    answers.write_text(json.dumps({route: drawn.CLAIMS.get(route) for route in doubts}))
    assert read(photo, "--answers", answers, "--keep") == 0
    out = capsys.readouterr().out
    assert "  answered: Chicago - Pittsburgh (first lane): red" in out
    assert "not sure of" not in out
    truth = json.loads((calibrated / "confirmed" / "usa" / "glare" / "glare.json").read_text())
    assert truth["claims"] == drawn.CLAIMS


def test_a_photo_that_cannot_be_kept_does_not_stop_the_next(
    calibrated: Path, sides: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(sides / "glare.jpg", sides / "later.jpg", "--keep") == 2
    out, err = capsys.readouterr()
    assert "glare.jpg: not kept" in err
    assert str(calibrated / "confirmed" / "usa" / "later") in out


@pytest.mark.long
def test_every_photo_of_a_board_is_kept(
    calibrated: Path,
    sides: Path,
    pictures: Path,
    answers: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    photos = sides / "hand.jpg", pictures / "game.jpg"
    answers.write_text(json.dumps(truth_of_doubts(capsys, *photos, "--same-board")))
    assert read(*photos, "--same-board", "--keep", "--json", "--answers", answers) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["claims"] == drawn.CLAIMS
    assert [line.split(" ")[:2] for line in err.splitlines()] == [["kept", "in"]] * 2
    for photo in photos:
        folder = calibrated / "confirmed" / "usa" / photo.stem
        assert json.loads((folder / f"{photo.stem}.json").read_text())["claims"] == drawn.CLAIMS
