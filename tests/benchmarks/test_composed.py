"""Games composed of real trains on a real empty board: the pixels, the truth, the camera."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import composed_boards
import drawn
import numpy as np
import pytest
from drawn import render
from enacted_events import claims_at
from railspotter.calibration.arrays import Float64s, Mask, Picture
from railspotter.calibration.geometry import homography_from_corners, outline_mm, project
from railspotter.calibration.pose import Pose, rectify
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.scene import BoardShift
from railspotter.simulation.virtual_board.things import Thing
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from composed.camera import ComposedCamera, Moment
from composed.laid_train import LaidTrain, trains_of_routes
from composed.light import measure_change
from composed.play import composed_game, sources_by_route, trains_for_route
from composed.source import NO_OWNER
from composed.trains import find_trains, to_lab

pytestmark = pytest.mark.long

ROUTE = "helena--seattle"


@pytest.fixture(autouse=True)
def _needs_photos(photos: Path) -> None:
    """Skip where the photos are not."""


def route(of: str = composed_boards.STAGED) -> tuple[LaidTrain, ...]:
    trains = trains_of_routes(composed_boards.source(of), [ROUTE])
    assert trains, f"{of} shows no train on {ROUTE}"
    return trains


def changed(first: Picture, second: Picture, by: int = 25) -> Mask:
    return np.asarray(np.abs(first.astype(int) - second).max(axis=-1) > by)


def above(*trains: LaidTrain) -> Picture:
    table = composed_boards.shared_table()
    table.picture(trains)
    return table.from_above


def px(xy_mm: tuple[float, float]) -> tuple[int, int]:
    x, y = (round(v * composed_boards.library().px_per_mm - 0.5) for v in xy_mm)
    return y, x


def test_a_change_of_light_is_measured() -> None:
    source = drawn.drawing()
    target = np.asarray(np.clip(source * np.array((0.5, 0.7, 0.9)) + 20, 0, 255), np.uint8)
    bare = np.ones(source.shape[:2], bool)
    brought = measure_change(source, target, bare, 2.0).apply(source)
    assert np.abs(brought.astype(int) - target).mean() < 3


def test_trains_are_found_where_they_stand() -> None:
    view = CameraSetup((1600, 1200), tilt_deg=0, distance_mm=6000)
    frame = render(drawn.usa(), drawn.CLAIMS, view)
    pose = Pose(frame.frame_from_board, np.zeros((1, 1, 2)), drawn.usa().size_mm, 0, 1.0)
    found = find_trains(rectify(frame.picture, pose, 2.0), 2.0, drawn.usa(), frame.spaces)
    pieces = {(piece.route, piece.space): piece for piece in frame.pieces}
    assert {(t.route, t.space): t.colour for t in found} == {
        place: piece.colour for place, piece in pieces.items()
    }
    off = [np.subtract(t.xy_mm, pieces[t.route, t.space].xy_mm) for t in found]
    assert np.median(np.hypot(*np.array(off).T)) < 3


def test_a_composed_photo_reads_as_the_photo_does() -> None:
    library, name = composed_boards.library(), composed_boards.STAGED
    scorer = PhotoScorer(ReadingPlan(library.board, load_edition("usa"), library.profile))
    source, table = library.source(name), composed_boards.shared_table()
    trains = trains_of_routes(source, {train.route for train in source.trains})
    real, composed = (
        scorer.score([(name, picture)]).claims
        for picture in (library.picture(name), table.picture(trains))
    )
    labelled = library.photo(name).truth["spaces"]
    assert sum(real.get(r) != composed.get(r) for r in labelled) <= 2
    shown = table.picture(())
    assert np.abs(shown.astype(int) - composed_boards.stage().surroundings).mean() < 2


def test_half_a_route_is_half_there() -> None:
    trains = route()[:2]
    empty, shown = above(), above(*trains)
    board = composed_boards.library().board
    for number, space in enumerate(board.route_by_id[ROUTE].spaces):
        y, x = px(space.xy_mm)
        part = np.s_[y - 3 : y + 4, x - 3 : x + 4]
        share = changed(empty[part], shown[part]).mean()
        assert (share > 0.6) if number < 2 else (share == 0), number
    truth = composed_boards.shared_table().truth(trains)
    assert truth.half_filled == {ROUTE}
    assert Counter(truth.truth["spaces"][ROUTE])[None] == board.route_by_id[ROUTE].length - 2


def test_what_was_laid_before_leaves_no_trace() -> None:
    trains = route()
    moved = tuple(replace(train, shift_mm=(4.0, 2.0), turn_deg=5.0) for train in trains)
    worn, fresh = composed_boards.new_table(), composed_boards.new_table()
    for laid in (trains, moved, trains[1:]):
        worn.picture(laid)
    assert np.array_equal(worn.picture(moved), fresh.picture(moved))


def test_a_displaced_train_is_where_it_was_put() -> None:
    """Found again by its colour, which is nobody's business in composing."""
    train = route()[2]
    colour = composed_boards.source(composed_boards.STAGED).plastic_lab[train.colour]

    def middle(*trains: LaidTrain) -> Float64s:
        empty, shown = above(), above(*trains)
        alike = np.linalg.norm(to_lab(shown)[..., 1:] - colour[1:], axis=-1) < 15
        rows, columns = np.nonzero(changed(empty, shown) & alike)
        assert len(rows) > 100
        return np.array([columns.mean(), rows.mean()]) / composed_boards.library().px_per_mm

    moved = middle(replace(train, shift_mm=(7.0, -4.0), turn_deg=6.0)) - middle(train)
    assert moved == pytest.approx((7.0, -4.0), abs=1.2)


def test_a_player_gets_the_colour_asked_for_and_the_truth_says_that_it_is_painted() -> None:
    source = composed_boards.source(composed_boards.STAGED)
    cuts = sources_by_route(composed_boards.library(), [composed_boards.STAGED])
    for colour in load_edition("usa").colours:
        trains = trains_for_route(cuts, ROUTE, colour)
        is_painted = colour != source.colour_of(ROUTE)
        truth = composed_boards.shared_table().truth(trains).truth
        assert truth["claims"] == {ROUTE: colour}
        assert truth["recoloured"] == [ROUTE] * is_painted
        seen = to_lab(above(*trains))[px(source.trains[source.number_by_space[ROUTE, 2]].xy_mm)]
        off = {c: np.linalg.norm(seen[1:] - lab[1:]) for c, lab in source.plastic_lab.items()}
        assert colour == "black" or min(off, key=off.__getitem__) == colour


def test_every_pixel_of_a_source_is_one_trains() -> None:
    source = composed_boards.source(composed_boards.STAGED)
    assert np.all(source.reach[source.owner == NO_OWNER] == 0)
    for i, train in enumerate(source.trains):
        assert source.owner[px(train.xy_mm)] == i
        assert source.plastic[px(train.xy_mm)] > 250
    assert not source.bare_mask[source.plastic > 0].any()


def test_a_pushed_board_is_the_same_picture_twice_and_moves_the_truth() -> None:
    camera = ComposedCamera(composed_boards.shared_table(), Sensor(noise=2.0, jpeg_quality=85))
    hand = Thing("hand", (400.0, 250.0), -90.0, seed=1, z_mm=5.0)
    moment = Moment((hand,), push=BoardShift(6.0, -3.0, 0.0), number=4)
    first, still = camera.take(route(), moment), camera.take(())
    assert np.array_equal(first.picture, camera.take(route(), moment).picture)
    frame_from_board = homography_from_corners(still.truth.corners_px, drawn.usa().size_mm)
    off = project(np.linalg.inv(frame_from_board), first.truth.corners_px)
    pushed_mm = np.array([6.0, -3.0])
    assert off - pushed_mm == pytest.approx(outline_mm(drawn.usa().size_mm), abs=0.01)


def test_a_whole_game_shows_what_its_enactment_says() -> None:
    game = composed_game(composed_boards.library(), "usa", seed=1, size_wh=(640, 400))
    for t_s in np.linspace(0, game.enactment.duration_s, 5):
        truth = game.take(float(t_s)).truth.truth
        said = claims_at(game.enactment, float(t_s))
        assert said.items() <= truth["claims"].items()
    assert len(said) > 40
