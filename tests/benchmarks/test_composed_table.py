"""Games composed of real trains on a real empty board: the pixels, the truth, the camera."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import composed_boards
import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Float64s, Mask, Picture
from railspotter.calibration.geometry import project
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.things import Thing
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from composed.camera import ComposedCamera, Moment
from composed.check import compare
from composed.laid import LaidTrain, whole_routes
from composed.positions import (
    SHARED,
    STOCK,
    cut_for,
    hides_its_own,
    messy,
    outline_mm,
    shared,
    tidy_position,
    usable,
)
from composed.source import NOBODY
from composed.trains import to_lab

pytestmark = pytest.mark.long

ROUTE = "helena--seattle"
DOUBLE = "denver--kansas-city--0"


@pytest.fixture(autouse=True)
def _needs_photos(photos: Path) -> None:
    """Skip where the photos are not."""


def route(name: str = ROUTE, of: str = composed_boards.STAGED) -> tuple[LaidTrain, ...]:
    trains = whole_routes(composed_boards.source(of), [name])
    assert trains, f"{of} shows no train on {name}"
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


def test_an_empty_composition_is_the_photo() -> None:
    shown = composed_boards.shared_table().picture(())
    assert np.abs(shown.astype(int) - composed_boards.stage().surroundings).mean() < 2


def test_a_composed_photo_reads_as_the_photo_does() -> None:
    library = composed_boards.library()
    scorer = PhotoScorer(ReadingPlan(library.board, load_edition("usa"), library.profile))
    compared = compare(library, scorer, composed_boards.STAGED, composed_boards.BLANK)
    assert len(compared.different) <= 2
    assert compared.routes == len(library.board.routes)


def test_one_route_changes_the_board_around_it_alone() -> None:
    where = changed(above(), above(*route()), by=8)
    spaces = composed_boards.library().board.route_by_id[ROUTE].spaces
    middles = np.array([px(space.xy_mm) for space in spaces])
    rows, columns = np.nonzero(where)
    apart = np.hypot(rows[:, None] - middles[:, 0], columns[:, None] - middles[:, 1]).min(axis=1)
    assert len(rows) > 500
    assert apart.max() / composed_boards.library().px_per_mm < 40
    truth = composed_boards.shared_table().truth(route())
    colour = route()[0].colour
    assert truth.truth["claims"] == {ROUTE: colour}
    assert truth.truth["spaces"][ROUTE] == [colour] * len(spaces)
    assert truth.half_filled == frozenset()


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
    board = composed_boards.library().board
    cuts = usable(composed_boards.library(), [composed_boards.STAGED, composed_boards.PLAYED])
    tidy = tidy_position(board, cuts, 40, seed=3)
    untidy = messy(board, cuts, tidy, seed=3)
    worn, fresh = composed_boards.new_table(), composed_boards.new_table()
    for trains in (route(), tidy, tidy[: len(tidy) // 2], untidy, tidy[5:]):
        worn.picture(trains)
    assert np.array_equal(worn.picture(untidy), fresh.picture(untidy))


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


def test_a_bumped_train_is_a_stray() -> None:
    first, second, *rest = route(DOUBLE)
    other = DOUBLE[:-1] + "1"
    bumped = replace(second, shift_mm=(0.0, 9.0), stray_on=(other, 1))
    truth = composed_boards.shared_table().truth([first, bumped, *rest]).truth
    assert truth["half_filled_routes"] == [DOUBLE]
    assert truth["stray_trains"] == [{"route": other, "space": 1}]
    assert truth["spaces"][other][1] == first.colour
    assert truth["spaces"][DOUBLE][1] is None
    assert other not in truth["claims"]


def test_other_colours_are_marked() -> None:
    wanted = "blue" if route()[0].colour != "blue" else "red"
    painted = tuple(replace(train, colour=wanted) for train in route())
    assert composed_boards.shared_table().truth(painted).truth["recoloured"] == [ROUTE]
    assert composed_boards.shared_table().truth(route()).truth["recoloured"] == []
    source = composed_boards.source(composed_boards.STAGED)
    seen = to_lab(above(*painted))[px(source.trains[source.index[ROUTE, 2]].xy_mm)]
    off = {c: np.linalg.norm(seen[1:] - lab[1:]) for c, lab in source.plastic_lab.items()}
    assert min(off, key=off.__getitem__) == wanted


def test_every_pixel_of_a_source_is_one_trains() -> None:
    source = composed_boards.source(composed_boards.STAGED)
    assert np.all(source.reach[source.owner == NOBODY] == 0)
    for i, train in enumerate(source.trains):
        assert source.owner[px(train.xy_mm)] == i
        assert source.plastic[px(train.xy_mm)] > 250
    assert not source.bare[source.plastic > 0].any()


def test_positions_are_of_the_game() -> None:
    board = composed_boards.library().board
    cuts = usable(composed_boards.library(), [composed_boards.STAGED, composed_boards.PLAYED])
    tidy = tidy_position(board, cuts, 60, seed=1)
    assert tidy == tidy_position(board, cuts, 60, seed=1)
    assert tidy != tidy_position(board, cuts, 60, seed=2)
    assert max(Counter(train.colour for train in tidy).values()) <= STOCK
    claims = composed_boards.shared_table().truth(tidy).truth["claims"]
    assert len(claims) > 40
    for one, others in board.other_lanes.items():
        assert all(claims.get(one) != claims[other] for other in others if other in claims)
    untidy = messy(board, cuts, tidy, seed=1)
    truth = composed_boards.shared_table().truth(untidy)
    assert truth.truth["claims"] == claims
    sources = {source.name: source for photos in cuts.values() for source in photos}
    for position in (tidy, untidy):
        on_own = [train for train in position if train.stray_on is None]
        outlines = [outline_mm(train, sources) for train in on_own]
        for train, outline in zip(on_own, outlines, strict=True):
            others_mm = [
                other
                for neighbour, other in zip(on_own, outlines, strict=True)
                if neighbour.route != train.route
            ]
            assert shared(outline, others_mm) < 2 * SHARED  # of one that was displaced after it
        for name in claims:
            own = [o for t, o in zip(on_own, outlines, strict=True) if t.route == name]
            assert hides_its_own(board, name, own), name
    assert len(truth.truth["stray_trains"]) == len(truth.half_filled) == 1


def test_a_player_gets_the_colour_asked_for() -> None:
    cuts = usable(composed_boards.library(), [composed_boards.STAGED, composed_boards.PLAYED])
    for name in (name for name, sources in cuts.items() if len(sources) == 2):
        for colour in load_edition("usa").colours:
            trains = cut_for(cuts, name, colour)
            assert {train.colour for train in trains} == {colour}
            assert len(trains) == composed_boards.library().board.route_by_id[name].length
            had = {source.name: source.colour_of(name) for source in cuts[name]}
            assert (had[trains[0].source] == colour) is (colour in had.values())
    empty = next(name for name, sources in cuts.items() if not sources)
    with pytest.raises(ValueError, match=empty):
        cut_for(cuts, empty, "red")


def test_the_camera_takes_the_same_picture_twice() -> None:
    camera = ComposedCamera(composed_boards.shared_table(), Sensor(noise=2.0, jpeg_quality=85))
    moment = Moment((Thing("hand", (400.0, 250.0), -90.0, seed=1, z_mm=5.0),), number=4)
    first = camera.take(route(), moment)
    camera.take((), Moment(number=5))
    again = camera.take(route(), moment)
    assert np.array_equal(first.picture, again.picture)
    assert first.hidden == again.hidden


def test_what_a_hand_hides_is_said() -> None:
    camera = ComposedCamera(composed_boards.shared_table())
    free = camera.take(())
    assert all(share == 0 for shares in free.hidden.values() for share in shares)
    covered = camera.take((), Moment((Thing("flat hand", (420.0, 330.0), -90.0, z_mm=2.0),)))
    differs = changed(free.picture, covered.picture)
    board = composed_boards.library().board
    hidden = 0
    for name, shares in covered.hidden.items():
        for share, space in zip(shares, board.route_by_id[name].spaces, strict=True):
            at = project(composed_boards.stage().frame_from_board, space.xy_mm)
            x, y = np.rint(at).astype(int)
            if share == 1:
                hidden += 1
                assert differs[y - 1 : y + 2, x - 1 : x + 2].any(), name
    assert hidden > 3


def test_a_moved_camera_moves_the_truth() -> None:
    camera = ComposedCamera(composed_boards.shared_table())
    still = camera.take(route())
    moved = camera.take(route(), Moment(shift_px=(6.0, -3.0)))
    off = moved.truth.corners_px - still.truth.corners_px
    assert off == pytest.approx(np.tile([6.0, -3.0], (4, 1)), abs=1e-6)
    grey = [
        cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float64)
        for p in (still.picture, moved.picture)
    ]
    seen, _ = cv2.phaseCorrelate(*grey)
    assert seen == pytest.approx((6.0, -3.0), abs=0.3)


def test_a_cast_takes_blue_from_the_light() -> None:
    camera = ComposedCamera(composed_boards.shared_table())
    white, orange = (
        camera.take((), Moment(gain_bgr=(blue, 1.0, 1.0))).picture for blue in (1.0, 0.4)
    )
    assert orange[..., 0].mean() / white[..., 0].mean() == pytest.approx(0.4, abs=0.01)
    assert np.array_equal(orange[..., 1:], white[..., 1:])
