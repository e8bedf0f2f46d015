"""One piece fills a route, on whichever of its spaces it stands."""

from dataclasses import replace

import pytest
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.changes import Appeared, QuestionAsked
from railspotter.vision.watching.judging import AGREEING_DOUBTFUL, ASK_S
from railspotter.vision.watching.spot_state import SpotReading
from railspotter.vision.watching.watcher import Watcher

from .still_table import BOARD, PIECES, StillTable

LONG = Spot("route", "duluth--helena")
LANE, BESIDE = (Spot("route", f"denver--salt-lake-city--{n}") for n in (0, 1))
SHAPES = replace(PIECES, net="shape", one_piece_a_route=True, train_size_mm=(13.0, 13.0, 5.0))


@pytest.fixture
def shapes(table: StillTable) -> StillTable:
    """A table of the accessible edition, of which the empty board is settled."""
    table.watcher = Watcher(table.printed, SHAPES)
    table.free = {s: replace(seen, parts=1) for s, seen in table.free.items()}
    table.show(table.picture(), 2.0)
    return table


def with_shapes(table: StillTable, **on: int) -> Picture:
    """Return the board with a red shape on the space of this number, of some routes."""
    laid = {name.replace("_", "-"): number for name, number in on.items()}
    rows = ((place_trains(BOARD, {route: "red"}, 0), number) for route, number in laid.items())
    pieces = tuple(replace(row[number], kind="shape") for row, number in rows)
    return table.game.camera.take(Scene(pieces)).picture


def doubtful(spot: Spot, answer: str | None, odds: float, shape: float) -> SpotReading:
    """Return a reading that is not sure whether a red shape stands there."""
    doubt = Doubt(spot, answer, (None if answer else "red",), Sentence("it is not clear"))
    covered = int(answer is not None)
    return SpotReading(answer, (odds, -9.0), 1, covered, doubt=doubt, shape=shape)


def test_what_changed_nearly_all_over_is_no_shadow(shapes: StillTable) -> None:
    """So people are asked, though readings rather say that the route is free."""
    seen = {LONG: doubtful(LONG, None, -0.5, -0.5)}
    picture = with_shapes(shapes, duluth__helena=2)
    assert shapes.show(picture, ASK_S + 3.0, seen) == [(QuestionAsked, LONG)]


@pytest.mark.parametrize(("beside", "is_claimed"), [(False, True), (True, False)])
def test_a_doubt_tells_less_where_the_next_lane_changed_as_much(
    shapes: StillTable, beside: bool, is_claimed: bool
) -> None:
    """For the piece may be meant for that one."""
    lanes = {"denver__salt_lake_city__0": 1} | ({"denver__salt_lake_city__1": 1} if beside else {})
    seen = {LANE: doubtful(LANE, "red", 1.0, 3.0), BESIDE: doubtful(BESIDE, "red", 1.0, 3.0)}
    changes = shapes.show(with_shapes(shapes, **lanes), ASK_S - 0.5, seen)
    assert shapes.readings >= AGREEING_DOUBTFUL
    assert ((Appeared, LANE) in changes) is is_claimed
