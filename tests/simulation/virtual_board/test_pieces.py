"""The pieces of every edition, and where people put them."""

import numpy as np
import pytest
from numpy.typing import ArrayLike
from railspotter.scoring.board import Board, load_board, parse_board
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.simulation.arrays import Float64s
from railspotter.simulation.virtual_board import pieces
from railspotter.simulation.virtual_board.errors import SceneError


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


def gap(one: ArrayLike, other: ArrayLike) -> float:
    off: Float64s = np.subtract(one, other)
    return float(np.hypot(*off))


@pytest.mark.parametrize("name", edition_names())
def test_every_colour_is_there_and_like_no_other(name: str) -> None:
    colours = load_edition(name).colours
    inks = [np.array(pieces.plastic_ink(colour), float) for colour in colours]
    for i, ink in enumerate(inks):
        assert all(np.abs(ink - other).sum() > 60 for other in inks[:i])


@pytest.mark.parametrize("name", ["usa", "europe", "newyork"])
def test_a_train_is_as_large_as_the_edition_says(name: str) -> None:
    edition = load_edition(name)
    assert edition.train_size_mm is not None
    train = pieces.Piece(edition.train_word, "blue", (0.0, 0.0))
    corners = pieces.piece_solid(train, edition.train_size_mm).corners
    length, width, high = np.ptp(corners, axis=0)
    assert (length, width) == pytest.approx(edition.train_size_mm[:2], abs=0.6)
    assert edition.train_size_mm[2] <= high <= edition.train_size_mm[2] + 2  # the chimney


def test_stand_on_their_spaces(usa: Board) -> None:
    trains = pieces.place_trains(usa, dict.fromkeys(usa.route_by_id, "red"))
    off_mm, off_deg = [], []
    for train in trains:
        assert train.route is not None
        assert train.space is not None
        space = usa.route_by_id[train.route].spaces[train.space]
        off_mm.append(gap(train.xy_mm, space.xy_mm))
        off_deg.append(train.angle_deg - space.angle_deg)
    assert len(trains) == 309
    assert 0.5 < np.mean(off_mm) < 1.5
    assert max(off_mm) < 4.0
    assert 1.5 < np.std(off_deg) < 2.5


def test_a_site_takes_one() -> None:
    board = parse_board("""{
        "id": "toy", "title": "Toy", "size_mm": [300, 200],
        "places": [{"id": "a", "name": "A", "xy_mm": [60, 60]}], "routes": [],
        "sites": [{"id": "zoo", "name": "Zoo", "station": "a",
                   "space": {"xy_mm": [90, 70], "angle_deg": 30, "size_mm": [27, 10]}},
                  {"id": "pub", "name": "Pub", "station": "a"}]
    }""")
    (train,) = pieces.place_trains(board, {"zoo": "red"}, looseness=0)
    assert (train.place, train.route, train.xy_mm) == ("zoo", None, (90.0, 70.0))
    with pytest.raises(SceneError, match="nobody measured where the site 'pub' is"):
        pieces.place_trains(board, {"pub": "red"})


def test_markers_walk_clockwise_around_the_board(usa: Board) -> None:
    height = usa.size_mm[1]
    along = [pieces.place_markers(usa, {"red": score}, looseness=0)[0] for score in range(1, 101)]
    at = np.array([marker.xy_mm for marker in along])
    to_edge = np.minimum(at, np.array(usa.size_mm) - at).min(axis=1)
    assert to_edge.max() < 20
    around = np.unwrap(np.arctan2(*(at - np.array(usa.size_mm) / 2).T[::-1]))
    assert (np.diff(around) > 0).all()
    assert at[0] == pytest.approx((13.5, height - 38.3))
    again = pieces.place_markers(usa, {"red": 107, "blue": 7}, looseness=0)
    assert gap(again[0].xy_mm, again[1].xy_mm) < 60
