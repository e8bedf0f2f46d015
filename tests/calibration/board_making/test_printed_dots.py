"""Dots of places: found on drawn boards without a table of places, and proposed as no more."""

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace
from railspotter.calibration.board_making.draft import Draft, draft_of
from railspotter.calibration.board_making.printed_dots import FoundDot, find_dots, with_dots
from railspotter.calibration.board_making.printed_spaces import find_spaces
from railspotter.calibration.board_making.stringing import with_proposals
from railspotter.simulation.virtual_board.printed_map import draw_board
from small_boards import SIZE, SPACE, small_board

import propose_boards

SEEN = draw_board(small_board(), 2.0, seed=3)


@cache
def dots() -> tuple[FoundDot, ...]:
    return find_dots(SEEN, SIZE, find_spaces(SEEN, SIZE, SPACE))


def empty() -> Draft:
    return draft_of(replace(small_board(), places=(), routes=()), SIZE)


def test_the_dots_of_a_drawn_board_are_its_places() -> None:
    printed = [place.xy_mm for place in small_board().places]
    assert len(dots()) == len(printed)
    for dot in dots():
        assert min(np.hypot(*np.subtract(dot.xy_mm, at)) for at in printed) < 2
    assert all(one.sure >= other.sure for one, other in zip(dots(), dots()[1:], strict=False))


def test_nothing_is_found_where_nothing_is_printed() -> None:
    blank = np.full((400, 600, 3), 180, np.uint8)
    assert find_dots(blank, SIZE, ()) == ()
    assert find_dots(blank, SIZE, find_spaces(SEEN, SIZE, SPACE)) == ()


def test_places_and_routes_are_proposed_of_a_picture_alone() -> None:
    draft = with_proposals(with_dots(empty(), dots()), find_spaces(SEEN, SIZE, SPACE))
    assert propose_boards.count_right(small_board(), draft) == "3 of 3, 0 | 4 of 4, 0"
    assert all(place.is_proposed for place in draft.places)
    assert [place.name for place in draft.places] == ["? 1", "? 2", "? 3"]


def test_what_a_person_settled_stays_and_older_proposals_leave() -> None:
    first, *others = with_dots(empty(), dots()).places
    settled = replace(first, name="Soho", is_proposed=False)
    draft = replace(empty(), places=(settled, *others))
    again = with_dots(draft, dots())
    assert again.places[0] == settled
    assert len(again.places) == len(dots())
    assert with_dots(again, ()).places == (settled,)


def test_the_measure_tells_false_proposals() -> None:
    board = small_board()
    draft = with_dots(empty(), [*dots(), FoundDot((5.0, 5.0), 4.0, 0.3)])
    assert propose_boards.count_right(board, draft) == "3 of 3, 1 | 0 of 4, 0"


@pytest.mark.long
def test_every_place_of_a_drawn_board_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    propose_boards.main(["drawn-newyork"])
    row = capsys.readouterr().out.splitlines()[2].split("|")
    assert row[1:3] == [" drawn-newyork ", " 15 of 15, 0 "]
