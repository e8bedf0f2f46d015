"""`railspotter read`: photos, several of one board among them, with answers, and kept."""

import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import cv2
import drawn
import numpy as np
import pytest
from PIL import ExifTags, Image
from railspotter.calibration.arrays import Picture
from railspotter.cli.command import main
from railspotter.scoring.board import Space
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.pieces import place_markers, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import load_photo, save_picture
from railspotter.vision.reading.photo_notes import BY_DRAWING

ROUTE, GLARED = "duluth--helena", "chicago--pittsburgh--0"
OTHER_SIDE = CameraSetup((1200, 900), tilt_deg=20, heading_deg=-40)
KEYS = {
    *("photo", "board", "edition", "found", "reason", "corners_px", "claims", "doubts", "notes"),
    *("profile", "standing", "seconds", "unseen"),
}
# What a route of so many trains scores, from the table printed on the board.
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
Line = dict[str, Any]


def read(*words: str | Path) -> int:
    """Read photos of the drawn board; return the exit code."""
    return main(["read", *map(str, words), "--board", "usa"])


def lines_of(said: str) -> list[Line]:
    return [json.loads(line) for line in said.splitlines()]


def spotted(spaces: Sequence[Space], radius_px: int, bgr: tuple[int, int, int]) -> Picture:
    """A photo of the drawn board with a spot over some spaces."""
    picture = drawn.game().picture.copy()
    middles = np.array([[space.xy_mm for space in spaces]])
    for x, y in cv2.perspectiveTransform(middles, drawn.game().frame_from_board)[0]:
        cv2.circle(picture, (round(x), round(y)), radius_px, bgr, -1)
    return picture


def assert_corners_are_right(line: Line) -> None:
    error = drawn.corner_error_mm(drawn.game().frame_from_board, line["corners_px"])
    assert error.max() < 1.0


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand over a route, glare, another side, and another game."""
    folder = tmp_path_factory.mktemp("sides")
    routes = drawn.usa().route_by_id
    save_picture(folder / "hand.jpg", spotted(routes[ROUTE].spaces, 40, (120, 150, 210)))
    save_picture(folder / "glare.jpg", spotted(routes[GLARED].spaces[1:2], 34, (255, 255, 255)))
    save_picture(folder / "left.jpg", drawn.game(OTHER_SIDE).picture)
    save_picture(folder / "later.jpg", drawn.photographed({"denver--helena": "green"}))
    return folder


@pytest.fixture(scope="module")
def batch(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """What came of reading three files at once: the exit code, and a folder with all output."""
    folder = tmp_path_factory.mktemp("batch")
    ProfileStore(folder / "home").save(drawn.profile())
    photos = [pictures / name for name in ("letter.jpg", "game.jpg", "strip.jpg")]
    with (
        pytest.MonkeyPatch.context() as patch,
        (folder / "stdout").open("w", encoding="utf-8") as out,
        (folder / "stderr").open("w", encoding="utf-8") as err,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        patch.setenv("RAILSPOTTER_HOME", str(folder / "home"))
        code = read(*photos, "--json", "--annotate", folder / "out.png")
    return code, folder


@pytest.fixture
def plain(batch: tuple[int, Path]) -> Line:
    """What is read of the drawn game, where nothing else is asked for."""
    return lines_of((batch[1] / "stdout").read_text("utf-8"))[1]


def test_several_photos_in_json_and_the_worst_exit_code(
    batch: tuple[int, Path], pictures: Path
) -> None:
    code, folder = batch
    assert code == 2, "a bad file outranks a board that was not found, in any order"
    lines = lines_of((folder / "stdout").read_text("utf-8"))
    names = ("letter.jpg", "game.jpg", "strip.jpg")
    assert [line["photo"] for line in lines] == [str(pictures / name) for name in names]
    assert [line["found"] for line in lines] == [False, True, False]
    for line in lines:
        assert set(line) - {"markers"} == KEYS  # where its board has a track
        assert line["board"] == "usa"
        assert line["seconds"] >= 0
    letter, _, nothing = lines
    assert "not a picture" in letter["reason"]
    assert "too little of the board is in the picture" in nothing["reason"]
    for line in (letter, nothing):
        assert line["corners_px"] is None
        assert (line["claims"], line["doubts"], line["standing"]) == ({}, [], {})
    complaints = (folder / "stderr").read_text("utf-8").splitlines()
    assert [line.partition(".jpg: ")[0] for line in complaints] == [
        f"railspotter: {pictures / name}" for name in ("letter", "strip")
    ]
    assert [path.name for path in folder.glob("out*")] == ["out-game.png"]


def test_the_standing_is_that_of_the_claims(plain: Line) -> None:
    assert (plain["reason"], plain["claims"]) == (None, drawn.CLAIMS)
    assert plain["profile"] == "drawn"
    assert BY_DRAWING not in plain["notes"]
    assert_corners_are_right(plain)
    for doubt in plain["doubts"]:
        assert set(doubt) == {"route", "said", "alternatives", "why"}
        assert doubt["said"] == drawn.CLAIMS.get(doubt["route"])
        assert doubt["said"] not in doubt["alternatives"]
    assert set(plain["standing"]) == {"black", "blue", "green", "red", "yellow"}
    for colour, player in plain["standing"].items():
        assert set(player) == {"route_points", "trains_left", "longest_path"}
        assert set(player["longest_path"]) == {"length", "at_most", "routes"}
        lengths = [drawn.usa().route_by_id[route].length for route in drawn.GAME[colour]]
        assert player["route_points"] == sum(POINTS[length] for length in lengths)
        assert player["trains_left"] == 45 - sum(lengths)


def test_the_annotated_board_is_seen_from_above(batch: tuple[int, Path]) -> None:
    annotated = load_photo(batch[1] / "out-game.png")
    height, width = annotated.shape[:2]
    empty = cv2.resize(drawn.drawing(), (width, height), interpolation=cv2.INTER_AREA)
    assert width / height == pytest.approx(795 / 525, rel=0.01)
    assert np.abs(annotated.astype(int) - empty).mean() > 5


def test_a_board_that_is_not_found_is_3(
    calibrated: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(pictures / "strip.jpg") == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "strip.jpg: too little of the board is in the picture: its right side" in err


def test_score_markers_are_read_and_a_colour_named_twice_plays_once(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = VirtualCamera(drawn.usa(), view=drawn.ABOVE, sensor=drawn.SENSOR)
    pieces = place_trains(camera.printed, drawn.CLAIMS)
    pieces += place_markers(camera.printed, {"red": 38})
    photo = tmp_path / "markers.png"
    save_picture(photo, camera.take(Scene(pieces)).picture)
    assert read(photo, "--json") == 0
    (seen,) = lines_of(capsys.readouterr().out)
    assert seen["markers"]["red"] == {"at": 38, "why": None}
    assert seen["markers"]["blue"]["at"] is None
    assert any(note.startswith("red's marker stands at 38,") for note in seen["notes"])
    assert read(photo, "--json", "--no-markers", "--colours", "red,red, blue") == 0
    (line,) = lines_of(capsys.readouterr().out)
    assert "markers" not in line, "they stay in the box"
    assert list(line["standing"]) == ["red", "blue"]
    theirs = {route: c for route, c in drawn.CLAIMS.items() if c in ("red", "blue")}
    assert theirs.items() <= line["claims"].items()


def test_a_photo_is_read_as_it_is_stored(
    calibrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An upright PNG in which a program left how it had been turned, mirrored."""
    png = tmp_path / "game.png"
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 5
    rgb = np.ascontiguousarray(drawn.game().picture[..., ::-1])
    Image.fromarray(rgb).save(png, exif=exif)
    assert read(png, "--json") == 0
    (line,) = lines_of(capsys.readouterr().out)
    assert line["claims"] == drawn.CLAIMS
    assert_corners_are_right(line)


def test_two_photos_are_one_reading(
    calibrated: Path, sides: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = sides / "hand.jpg", sides / "left.jpg"
    assert read(*photos, "--same-board", "--json") == 0
    (line,) = lines_of(capsys.readouterr().out)
    assert line["claims"] == drawn.CLAIMS
    assert line["photo"] == str(photos[0])
    assert [part["photo"] for part in line["photos"]] == [str(photo) for photo in photos]
    for part in line["photos"]:
        assert part["found"]
        assert len(part["corners_px"]) == 4
        assert 0.8 < part["counts"] <= 1
    assert line["photos"][0]["corners_px"] == line["corners_px"]


def test_what_the_same_photo_and_those_without_the_board_add_is_said(
    calibrated: Path, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, again = pictures / "game.jpg", tmp_path / "again.jpg"
    again.write_bytes(photo.read_bytes())
    others = pictures / "strip.jpg", pictures / "letter.jpg"
    assert read(photo, again, *others, "--same-board") == 2
    out, err = capsys.readouterr()
    title, heads, *rows = out.splitlines()
    assert title.startswith(f"{photo} and {again}")
    assert title.endswith(f"{len(drawn.CLAIMS)} routes claimed")
    assert heads.split() == ["route", "points", "trains", "left", "longest", "path"]
    assert {row.split()[0] for row in rows[:5]} == set(drawn.CLAIMS.values())
    assert any("adds little" in row for row in rows)
    letter, strip = err.splitlines()
    assert "letter.jpg: this is not a picture" in letter
    assert "strip.jpg: too little of the board is in the picture" in strip


def test_photos_of_different_games_are_not_added_up(
    calibrated: Path, sides: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(sides / "left.jpg", sides / "later.jpg", "--same-board") == 3
    out, err = capsys.readouterr()
    assert out == ""
    (complaint,) = err.splitlines()
    assert "left.jpg and " in complaint
    assert "show different pieces" in complaint


def ground_truth(doubts: Sequence[Line]) -> dict[str, str | None]:
    """What is true of all that a reading asks about."""
    return {doubt["route"]: drawn.CLAIMS.get(doubt["route"]) for doubt in doubts}


def test_answers_outrank_what_was_read_and_the_photo_is_kept_with_its_truth(
    calibrated: Path,
    pictures: Path,
    plain: Line,
    batch: tuple[int, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    photo, answers, seen = pictures / "game.jpg", tmp_path / "answers.json", tmp_path / "seen.png"
    answers.write_text(json.dumps({**ground_truth(plain["doubts"]), ROUTE: "blue"}))
    kept = calibrated / "confirmed" / "usa"
    (kept / "game").mkdir(parents=True)
    assert read(photo, "--answers", answers, "--keep", "--json", "--annotate", seen) == 0
    out, err = capsys.readouterr()
    (line,) = lines_of(out)
    assert line["claims"] == {**drawn.CLAIMS, ROUTE: "blue"}
    said = {"route": ROUTE, "read": "red", "said": "blue", "was_doubted": False}
    assert said in line["answers"]
    length = drawn.usa().route_by_id[ROUTE].length
    for colour, trains in (("red", length), ("blue", -length)):
        before, after = (each["standing"][colour]["trains_left"] for each in (plain, line))
        assert after - before == trains
    changed = load_photo(seen) != load_photo(batch[1] / "out-game.png")
    assert changed.any(), "the picture shows the answer"

    assert err == f"kept in {kept / 'game-2'}\n", "what is there already is not overwritten"
    assert list((kept / "game").iterdir()) == []
    assert sorted(path.name for path in (kept / "game-2").iterdir()) == ["game.jpg", "game.json"]
    assert (kept / "game-2" / "game.jpg").read_bytes() == photo.read_bytes()
    truth = json.loads((kept / "game-2" / "game.json").read_text())
    assert truth["claims"] == {**drawn.CLAIMS, ROUTE: "blue"}
    assert set(truth["spaces"]) == {route.id for route in drawn.usa().routes}
    assert truth["spaces"][ROUTE] == ["blue"] * 6
    assert truth["spaces"]["denver--helena"] == [None] * 4
    assert (truth["board"], truth["photo"]) == ("usa", "game.jpg")
    assert truth["size_px"] == [1200, 900]
    assert_corners_are_right(truth)


def test_a_game_from_a_doubtful_photo_is_written_with_a_warning(
    calibrated: Path, sides: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, answers = tmp_path / "game.json", tmp_path / "answers.json"
    game.write_text('{"edition": "usa", "final": true}')
    photo = sides / "glare.jpg"
    assert read(photo, "--game", game, "--json") == 0
    out, err = capsys.readouterr()
    (line,) = lines_of(out)
    assert line["unseen"]
    said = f"{game}: in doubt: {len(line['doubts'])}, not in sight: {len(line['unseen'])}; "
    assert said in err
    assert json.loads(game.read_text())["claims"] == line["claims"]
    doubted = [doubt["route"] for doubt in line["doubts"]]
    assert main(["score", str(game), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unsure"] == sorted(doubted + line["unseen"])
    hidden = {route: drawn.CLAIMS.get(route) for route in line["unseen"]}
    answers.write_text(json.dumps(ground_truth(line["doubts"]) | hidden))
    assert read(photo, "--game", game, "--answers", answers) == 0
    assert capsys.readouterr().err == ""
    assert main(["score", str(game), "--json"]) == 0
    assert "unsure" not in json.loads(capsys.readouterr().out)


def test_nothing_is_kept_before_every_doubt_is_answered(
    calibrated: Path, sides: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, kept = sides / "glare.jpg", calibrated / "confirmed" / "usa"
    assert read(photo, sides / "later.jpg", "--keep", "--json") == 2
    out, err = capsys.readouterr()
    assert "nobody has answered the doubts about " in err
    assert [path.name for path in kept.iterdir()] == ["later"], "the next may have no doubts"
    line, _ = lines_of(out)
    assert GLARED in line["unseen"], "what hides it hides its print too"
    truth = ground_truth(line["doubts"]) | {GLARED: drawn.CLAIMS[GLARED]}
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(truth))
    assert read(photo, "--answers", answers, "--keep") == 0
    out = capsys.readouterr().out
    assert "Chicago - Pittsburgh (first lane): red" in out
    assert "not sure of" not in out
    assert json.loads((kept / "glare" / "glare.json").read_text())["claims"] == drawn.CLAIMS


@pytest.mark.long
def test_every_photo_of_a_board_is_kept(
    calibrated: Path, sides: Path, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = sides / "hand.jpg", pictures / "game.jpg"
    assert read(*photos, "--same-board", "--json") == 0
    (line,) = lines_of(capsys.readouterr().out)
    answers = calibrated / "answers.json"
    answers.write_text(json.dumps(ground_truth(line["doubts"])))
    assert read(*photos, "--same-board", "--keep", "--json", "--answers", answers) == 0
    out, err = capsys.readouterr()
    assert lines_of(out)[0]["claims"] == drawn.CLAIMS
    assert [line.split(" ")[:2] for line in err.splitlines()] == [["kept", "in"]] * 2
    for photo in photos:
        folder = calibrated / "confirmed" / "usa" / photo.stem
        assert json.loads((folder / f"{photo.stem}.json").read_text())["claims"] == drawn.CLAIMS
