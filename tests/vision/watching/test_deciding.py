"""What follows for a spot that changed, told without a picture."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.belief import BeliefSettings, Expectation, SpotReading
from railspotter.vision.watching.changes import Appeared, Change, QuestionAsked, QuestionWithdrawn
from railspotter.vision.watching.deciding import Deciding
from railspotter.vision.watching.moment import Asking, Moment
from railspotter.vision.watching.questions import Occasion, Questions
from railspotter.vision.watching.settling import FrameChanges, Settling
from railspotter.vision.watching.sighting import FrameComparer
from railspotter.vision.watching.watched_board import WatchedBoard

BOARD = load_board("usa")
SPOT = Spot("route", "atlanta--raleigh--0")
WHY = Sentence("it is not clear whether trains stand there")
DOUBT = Doubt(SPOT, None, ("red",), WHY)
RED = SpotReading("red", (9.0,), parts=2, covered=2, shape=4.0)
STILL_S = 0.7


@dataclass
class Cells:
    """What knows where spots are in a frame."""

    lengths: list[int] = field(default_factory=lambda: [route.length for route in BOARD.routes])
    settled: list[int] = field(default_factory=list)

    def parts(self, spot: int) -> slice:
        first = sum(self.lengths[:spot])
        return slice(first, first + self.lengths[spot])

    def box_px(self, spot: int) -> tuple[int, int, int, int]:
        return spot, spot, spot + 1, spot + 1

    def settle(self, decided: Collection[int], undecided: Collection[int]) -> None:
        self.settled += decided


class Table:
    """A board of which one spot changes."""

    def __init__(self) -> None:
        self.spots, self.questions = WatchedBoard(BOARD, has_stations=False), Questions()
        asking = Asking(self.questions, most=3)
        self.deciding = Deciding(BOARD, self.spots, asking, STILL_S, BeliefSettings())
        self.settling, self.cells = Settling(len(self.spots)), Cells()
        self.spot = self.spots[SPOT]

    def see(
        self, at_s: float, changed_parts: int, *seen: SpotReading, beside: Spot | None = None
    ) -> list[type[Change]]:
        """See so many parts changed, and what readings say of that; return what is said."""
        changed = np.zeros(len(self.spots), np.bool_)
        changed[self.spot.index] = True
        parts = np.zeros(sum(self.cells.lengths), np.bool_)
        parts[self.cells.parts(self.spot.index)][:changed_parts] = True
        none = np.zeros_like(changed)
        wholly = changed.copy()
        if beside is not None:
            wholly[self.spots[beside].index] = True
        sight = FrameChanges(at_s, none, changed, parts, False, none, wholly_changed=wholly)
        self.settling.observe(sight)
        now = Moment(sight, self.settling, cast(FrameComparer, self.cells))
        for one in seen:
            assert self.spot.evidence is not None
            self.spot.evidence.take_in(one, at_s)
        pieces = Pieces(plastic("usa"), exclusive=BOARD.lanes)
        return [type(change) for change in self.deciding.follow(now, Expectation(), pieces)]


@pytest.fixture
def table() -> Table:
    return Table()


def test_two_readings_that_agree_are_a_claim_and_the_board_is_settled_so(table: Table) -> None:
    assert table.see(0.0, 2) == []
    assert table.see(0.5, 2, RED) == []
    assert table.spot.is_undecided
    assert table.see(1.0, 2, RED) == [Appeared]
    assert table.spot.believed == "red"
    assert table.cells.settled == [table.spot.index]


def test_what_a_person_spoke_of_is_settled_without_a_reading(table: Table) -> None:
    table.spot.is_corrected = True
    assert table.see(0.0, 2) == []
    assert table.spot.is_decided
    assert table.spot.believed is None


def test_a_doubt_is_asked_about_once_and_only_a_plain_reading_ends_it(table: Table) -> None:
    doubted = SpotReading(None, (-0.5,), parts=2, covered=0, doubt=DOUBT, shape=4.0)
    assert table.see(0.0, 2) == []
    assert table.see(1.0, 2, doubted, doubted) == []
    assert table.see(BeliefSettings().ask_s, 2) == [QuestionAsked]
    assert table.see(6.0, 2, doubted) == []
    assert table.questions.asked(Occasion.CHANGE) == {SPOT}
    assert table.see(7.0, 2, SpotReading(None, (-9.0,), parts=2, covered=0)) == [QuestionWithdrawn]


def test_faint_trains_are_asked_about_where_they_may_lie_on_the_lane_beside() -> None:
    faint = [SpotReading("red", (0.8, -3.0), parts=2, covered=2, doubt=DOUBT, shape=4.0)] * 5
    other_lane = Spot("route", "atlanta--raleigh--1")
    alone, beside = Table(), Table()
    for table in (alone, beside):
        assert table.see(0.0, 2, beside=other_lane) == []
    assert alone.see(2.0, 2, *faint) == [Appeared]
    assert beside.see(2.0, 2, *faint, beside=other_lane) == []
    late_s = BeliefSettings().ask_s
    assert beside.see(late_s, 2, *faint, beside=other_lane) == [QuestionAsked]


def test_a_question_is_over_where_no_piece_came_or_went_though_nothing_was_read(
    table: Table,
) -> None:
    table.questions.ask(DOUBT, Occasion.CHANGE)
    assert table.see(0.0, 0) == []
    assert table.see(STILL_S, 0) == [QuestionWithdrawn]
    assert table.spot.is_decided
