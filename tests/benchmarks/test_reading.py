"""Photos, and photos made worse: what the benchmarks show is what they count."""

import json
from pathlib import Path
from typing import Any

import composed_boards
import numpy as np
import pytest
from drawn import render
from railspotter.calibration.geometry import homography_from_corners, project
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.virtual_camera import RenderedFrame
from railspotter.table.photo_file import to_jpeg

import read_photos
from hardships import squeezed_lanes
from hardships.fewer_players import choose_colours, keep_colours, recompose
from hardships.steps import HARDSHIPS, Shot, make_shot
from photos.judgement import JudgedPhoto, Seconds, Wrong, judge, judge_stations, worst_corner_mm
from photos.labelled import LabelledPhoto, load_label
from photos.report import group_photos, summarise
from read_hardships import read_shot

SIZE_MM = (750.0, 495.0)
STEPS = [
    (name, step)
    for name, steps in HARDSHIPS.items()
    for step in steps
    if name != "width" and "real" not in step  # cut out of photos that are not there everywhere
]
SECONDS = Seconds(load=0.1, yardstick=0.05, find=0.5, read=0.25, score=0.25)
ROUTES = ("a--b", "b--c", "c--d", "d--e", "e--f")
# Of the five routes one is claimed, one free, one free with a stray train on it, one half filled,
# and one has no label.
TRUTH: dict[str, Any] = {
    "board": "usa",
    "shoot": "shoot-2",
    "state": "D",
    "size_px": [1920, 1440],
    "claims": {"a--b": "red", "d--e": "green"},
    "spaces": {
        "a--b": ["red", "red"],
        "b--c": [None, None, None],
        "c--d": [None, "blue", None],
        "d--e": ["green", None],
    },
    "half_filled_routes": ["d--e"],
}


def photo(name: str = "IMG_1_1920", **truth: Any) -> LabelledPhoto:
    return LabelledPhoto(Path(f"{name}.jpg"), TRUTH | truth)


def judged(
    labelled: LabelledPhoto,
    claims: dict[str, str] | None = None,
    doubted: tuple[str, ...] = (),
    corner_mm: float = 1.0,
) -> JudgedPhoto:
    answers = judge(labelled, ROUTES, {"a--b": "red"} if claims is None else claims, doubted)
    return JudgedPhoto(labelled, None, SECONDS, corner_mm, answers)


def test_a_wrong_route_is_certain_unless_it_is_asked_about_or_nobody_knows() -> None:
    answers = judge(photo(), ROUTES, {"a--b": "blue", "b--c": "red", "e--f": "red"}, ["b--c"])
    assert answers.wrong == (
        Wrong("a--b", "blue", "red", doubted=False),
        Wrong("b--c", "red", None, doubted=True),
    )
    assert (answers.routes, answers.routes_right, answers.wrong_and_certain) == (3, 1, 1)


def test_stations_are_missed_invented_or_of_a_wrong_colour() -> None:
    labelled = photo(stations={"a": "red", "b": "blue", "c": "green"})
    answers = judge_stations(labelled, "abcde", {"a": "red", "b": "red", "d": "blue"}, ["d", "e"])
    assert answers is not None
    assert (answers.right, answers.stations, answers.doubts) == (1, 3, 2)
    assert (answers.missed, answers.invented, answers.wrong_colour) == (1, 1, 1)
    assert judge_stations(photo(stations=None), "ab", {"a": "red"}, []) is None


def test_corners_are_compared_in_millimetres_on_the_board() -> None:
    true_px = np.array([[100, 100], [900, 100], [900, 500], [100, 500]])
    found = true_px + np.array([[0, 0], [0, 0], [6, 8], [1, 0]])
    assert worst_corner_mm(found, true_px, (400, 200)) == pytest.approx(5)


def test_an_exposure_in_two_sizes_counts_once_and_groups_keep_apart_what_was_fitted_to() -> None:
    photos = [
        judged(photo("IMG_1_1008"), {}, corner_mm=1.0),
        judged(photo("IMG_1_1920"), corner_mm=3.0),
        judged(photo("IMG_2_1920"), doubted=("b--c", "d--e"), corner_mm=4.0),
        judged(photo("other_1_1920", shoot="shoot-5"), corner_mm=7.0),
        JudgedPhoto(photo("IMG_3_1920"), "no board is to be seen", SECONDS),
    ]
    row = summarise("all", photos[:3])
    told = (
        "exposures",
        "files",
        "found",
        "all right",
        "wrong&certain",
        "doubts",
        "corner mm",
        "max",
    )
    assert [row[name] for name in told] == ["2", "3", "2", "1.5", "0.25", "1.00", "3.00", "4.00"]
    assert summarise("all", photos)["found"] == "3"
    groups = group_photos(photos, ["shoot-2"])
    assert [p.photo.path.stem for p in groups["held out"]] == ["other_1_1920"]
    assert len(groups["shoot-2 (fitted)"]) == 4


def save(folder: Path, name: str, frame: RenderedFrame) -> Path:
    """Put a drawn photo and its truth where the benchmark looks for them."""
    path = folder / f"{name}.jpg"
    path.write_bytes(to_jpeg(frame.picture))
    truth = {
        "board": "usa",
        "photo": path.name,
        "size_px": frame.picture.shape[1::-1],
        "corners_px": frame.corners_px.tolist(),
        "claims": dict(frame.claims),
        "spaces": {route: list(spaces) for route, spaces in frame.spaces.items()},
    }
    path.with_suffix(".json").write_text(json.dumps(truth), "utf-8")
    return path


def test_a_drawn_board_is_found_read_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read_photos.main(["--photos", str(tmp_path)]) == 2
    board = load_board("usa")
    empty = save(tmp_path, "empty", render(board, {}, CameraSetup(tilt_deg=0)))
    save(tmp_path, "played", render(board, {"duluth--helena": "blue"}, CameraSetup(tilt_deg=15)))
    said = tmp_path / "said.json"
    asked = ["--photos", str(tmp_path), "--profile-from", str(empty), "--json", str(said)]
    assert read_photos.main(asked) == 0
    (played,) = json.loads(said.read_text("utf-8"))["boards"][0]["photos"]
    assert (played["photo"], played["found"]) == ("played.jpg", True)
    assert played["corner_mm"] < 3
    assert played["answers"]["routes"] == len(board.routes)
    assert len(played["answers"]["wrong"]) <= 3
    assert "# usa: profile from empty.jpg" in capsys.readouterr().out


def drawn_shot(board_px: int = 900) -> Shot:
    """A grey table, on it a board of bright and dark bluish squares that is seen from above."""
    width, height = board_px, round(board_px * 0.66)
    picture = np.full((height + 40, width + 60, 3), 90, np.uint8)
    y, x = np.mgrid[:height, :width]
    is_bright = (x // 60 + y // 60) % 2 == 1
    picture[20 : 20 + height, 30 : 30 + width] = np.where(
        is_bright[..., None], (220, 190, 160), (80, 60, 40)
    )
    first, last = np.array([30.0, 20.0]), np.array([29.0 + width, 19.0 + height])
    corners_px = np.array([first, [last[0], first[1]], last, [first[0], last[1]]])
    truth = {"board": "usa", "spaces": {"calgary--seattle": [None], "boston--montreal--0": [None]}}
    return Shot(LabelledPhoto(Path("drawn.jpg"), truth), picture, corners_px, SIZE_MM)


@pytest.mark.parametrize(("name", "step"), STEPS, ids=[f"{name}, {step}" for name, step in STEPS])
def test_a_step_makes_another_picture_of_the_same_board(name: str, step: str) -> None:
    plain = drawn_shot()
    shot = HARDSHIPS[name][step](plain)
    assert shot is not None
    assert shot.picture.dtype == np.uint8
    if name in ("tilt", "low angle", "lens", "parts"):
        assert shot.picture.shape != plain.picture.shape
    else:
        assert np.array_equal(shot.picture, plain.picture) == (name == "plain")
        assert np.array_equal(shot.corners_px, plain.corners_px)


@pytest.mark.parametrize(
    ("name", "step"), [(name, step) for name in ("tilt", "parts") for step in HARDSHIPS[name]]
)
def test_a_board_that_is_tilted_or_cut_is_where_its_corners_say(name: str, step: str) -> None:
    shot = HARDSHIPS[name][step](drawn_shot())
    assert shot is not None
    middles = (np.array([[5, 5], [10, 5], [9, 7]]) * 60 + 30) / (900, 594) * SIZE_MM
    height, width = shot.picture.shape[:2]
    seen = 0
    for one, bright in zip(middles, (False, True, False), strict=True):
        x, y = project(homography_from_corners(shot.corners_px, SIZE_MM), one)
        if 0 < x < width - 1 and 0 < y < height - 1 and not shot.others:
            assert (shot.picture[round(y), round(x), 0] > 128) == bright
            seen += 1
    assert seen == 3 or (name == "parts" and (seen or shot.others))


def test_what_is_cut_off_is_unseen() -> None:
    shot = HARDSHIPS["parts"]["left 30 % cut"](drawn_shot())
    assert shot is not None
    assert "calgary--seattle" in shot.photo.unseen
    assert {*shot.photo.truth["spaces"]} == {"boston--montreal--0"}
    both = HARDSHIPS["parts"]["two photos of two thirds"](drawn_shot())
    assert both is not None and both.photo.unseen == frozenset()  # noqa: PT018


@pytest.mark.parametrize("step", HARDSHIPS["covered"])
def test_what_lies_under_things_is_unseen(step: str, photos: Path) -> None:
    plain = drawn_shot()
    shot = HARDSHIPS["covered"][step](plain)
    assert shot is not None
    assert photos.is_dir()
    changed = np.abs(shot.picture.astype(int) - plain.picture).max(axis=2) > 24
    assert 0.002 < changed.mean() < 0.5
    assert np.array_equal(shot.corners_px, plain.corners_px)
    assert not shot.photo.unseen & {*shot.photo.truth["spaces"]}
    again = HARDSHIPS["covered"][step](plain)
    assert again is not None
    assert np.array_equal(again.picture, shot.picture)


def test_without_the_others_only_their_trains_are_gone() -> None:
    spaces = {"a": ["red", "red"], "b": ["blue", None], "c": ["red", None], "free": [None]}
    claims = {"a": "red", "b": "blue", "c": "red"}
    truth = {"claims": claims, "spaces": spaces, "half_filled_routes": ["b", "c"]}
    all_of_them = LabelledPhoto(Path("a_1920.jpg"), truth)
    assert keep_colours(all_of_them, ["red"], "less").truth == {
        "claims": {"a": "red", "c": "red"},
        "spaces": {"a": ["red", "red"], "b": [None, None], "c": ["red", None], "free": [None]},
        "half_filled_routes": ["c"],
    }
    assert choose_colours(all_of_them, 2) == ("blue", "red")
    assert choose_colours(all_of_them, 3) is None


def test_squeezed_trains_are_moved_and_no_others(
    photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(squeezed_lanes, "SHIFTS_MM", (6,))
    monkeypatch.setattr(squeezed_lanes, "LIGHTS", {"as it is": lambda picture: picture})
    library = composed_boards.library()
    labelled = load_label(photos / "usa" / f"{composed_boards.PLAYED}.json")
    assert labelled is not None
    shot = make_shot(labelled, library.board.size_mm)
    colours = {*labelled.truth["claims"].values()}
    plain = recompose(shot, colours, library, composed_boards.BLANK)
    shots = dict(squeezed_lanes.squeezed_shots(shot, library, composed_boards.BLANK))
    assert [*shots] == ["6 mm over, as it is", "6 mm under, as it is"]
    place = homography_from_corners(plain.corners_px, library.board.size_mm)
    doubles = {lane for lanes in library.board.lanes for lane in lanes}
    for made in shots.values():
        assert made.photo.truth == labelled.truth
        changed = np.abs(made.picture.astype(int) - plain.picture).max(axis=2) > 30
        seen = {
            route.id
            for route in library.board.routes
            for x, y in np.rint(project(place, np.array([s.xy_mm for s in route.spaces]))).astype(
                int
            )
            if changed[y - 2 : y + 3, x - 2 : x + 3].mean() > 0.4
        }
        assert 1 <= len(seen) <= 2 * squeezed_lanes.ROUTES
        assert seen <= doubles


@pytest.mark.parametrize("step", ["gamma 1.8", "vivid", "gamma 0.6"])
def test_another_cameras_tones_are_read_by_a_reference_of_another_shoot(
    photos: Path, step: str
) -> None:
    """Under gamma 1.8 six green routes of it were black, and nobody was asked.

    Gamma .6 makes the lamp's reflection at Boston so pale that four routes are unseen.
    """
    labelled = load_label(photos / "usa" / "IMG_4066_1008.json")
    assert labelled is not None
    shot = HARDSHIPS["tones"][step](make_shot(labelled, SIZE_MM))
    assert shot is not None
    seen = read_shot("own-copy", "tones", step, "another", "all", shot, "IMG_4066_1008")
    assert seen is not None
    assert seen.is_found
    assert (seen.refused, seen.certain) == ("", ())
    assert len(seen.overlooked) <= (4 if step == "gamma 0.6" else 0)
    assert seen.right >= seen.routes - len(seen.overlooked) - 2
