"""Games composed of real trains on a real empty board: the pixels, the truth, the camera."""

from dataclasses import replace
from pathlib import Path

import composed_boards
import drawn
import numpy as np
import pytest
from drawn import render
from enacted_events import claims_at
from railspotter.calibration.arrays import Float64s, Mask, Picture
from railspotter.calibration.pose import Pose, rectify
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from composed.laid_train import LaidTrain, trains_of_routes
from composed.play import composed_game, sources_by_route, trains_for_route
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


def test_a_whole_game_shows_what_its_enactment_says() -> None:
    game = composed_game(composed_boards.library(), "usa", seed=1, size_wh=(640, 400))
    for t_s in np.linspace(0, game.enactment.duration_s, 5):
        truth = game.take(float(t_s)).truth.truth
        said = claims_at(game.enactment, float(t_s))
        assert said.items() <= truth["claims"].items()
    assert len(said) > 40
