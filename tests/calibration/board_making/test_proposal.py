"""Making a board: what is found on drawn boards, what stays of what was known, what is written."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.calibration.board_making.draft import (
    Draft,
    DraftRoute,
    DraftSpace,
    board_text,
    check_size,
    draft_of,
    finished_board,
)
from railspotter.calibration.board_making.printed_spaces import find_spaces
from railspotter.calibration.board_making.proposal_picture import draw_proposal
from railspotter.calibration.board_making.stringing import with_proposals
from railspotter.calibration.errors import BoardMakingError
from railspotter.scoring.board import Board, BoardTicket, load_board, parse_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from small_boards import SIZE, SPACE, small_board


def picture() -> Picture:
    return draw_board(small_board(), 2.0, seed=3)


def proposed(board: Board, shown: Picture) -> Draft:
    """A board, of which these routes are known, with what its picture proposes."""
    return with_proposals(draft_of(board, SIZE), find_spaces(shown, SIZE, SPACE))


@cache
def found() -> Draft:
    return proposed(replace(small_board(), routes=(), complete=False), picture())


def told(board: Board) -> list[tuple[str, str, str, int]]:
    return sorted((r.a, r.b, r.colour, r.length) for r in board.routes)


def test_a_drawn_board_is_proposed_as_it_is() -> None:
    board, draft = small_board(), found()
    assert told(draft) == told(board)
    assert not any(route.is_accepted for route in draft.routes)
    for route in draft.routes:
        truth = next(r for r in board.routes if (r.a, r.colour) == (route.a, route.colour))
        for space, printed in zip(route.spaces, truth.spaces, strict=True):
            assert np.hypot(*np.subtract(space.xy_mm, printed.xy_mm)) < 2
            assert abs((space.angle_deg - printed.angle_deg + 180) % 360 - 180) < 6
            assert space.size_mm == pytest.approx(SPACE, abs=2.5)


def test_the_file_of_a_proposal_is_a_board_that_scores_and_reads() -> None:
    board, notes = finished_board(found())
    again = parse_board(board_text(board))
    assert again == board
    assert notes == ()
    assert again.measured
    assert not again.complete
    assert sorted(r.id for r in again.routes) == ["a--b", "a--c", "b--c--0", "b--c--1"]
    for route in again.routes:
        start = np.array(again.place_by_id[route.a].xy_mm)
        first, last = (np.array(route.spaces[i].xy_mm) for i in (0, -1))
        assert np.hypot(*(first - start)) < np.hypot(*(last - start))


def test_a_covered_space_leaves_a_doubt_or_a_hole_and_never_a_sure_wrong_route() -> None:
    board, shown = small_board(), picture()
    x, y = (round(2 * at) for at in board.route_by_id["a--b"].spaces[1].xy_mm)
    cv2.circle(shown, (x, y), 40, (120, 160, 150), -1)
    draft = proposed(replace(board, routes=()), shown)
    over = [route for route in draft.routes if route.ends == {"a", "b"}]
    assert all(route.doubts for route in over)
    assert over or draft.loose


def test_an_empty_picture_proposes_nothing_and_says_so() -> None:
    board = replace(small_board(), routes=())
    draft = proposed(board, np.full((400, 600, 3), 180, np.uint8))
    assert draft.routes == ()
    assert draft.doubts == tuple(f"no route ends at {p.name}" for p in board.places)


def test_a_picture_too_coarse_and_another_size_are_refused() -> None:
    with pytest.raises(BoardMakingError, match="only 150 x 100 pixels"):
        find_spaces(np.zeros((100, 150, 3), np.uint8), SIZE)
    with pytest.raises(BoardMakingError, match="300 x 200 mm already, not 310 x 200"):
        check_size(draft_of(small_board(), SIZE), (310.0, 200.0))


def test_what_is_known_stays_and_its_spaces_are_no_others() -> None:
    track = ((5.0, 5.0), (15.0, 5.0))
    board = replace(small_board(), score_track=track)
    assert finished_board(draft_of(board, SIZE)) == (board, ())
    part = replace(board, routes=board.routes[2::-2], complete=False)
    grown, _ = finished_board(proposed(part, picture()))
    assert grown.routes[:2] == part.routes
    assert told(grown) == told(board)
    assert grown.score_track == track
    again, _ = finished_board(proposed(grown, picture()))
    assert again == grown, "growing twice adds nothing"


def test_what_was_rejected_does_not_come_again() -> None:
    first, *others = found().routes
    draft = replace(found(), routes=tuple(others), rejected=(first,))
    again = with_proposals(draft, find_spaces(picture(), SIZE, SPACE))
    assert [route.spaces for route in again.routes] == [route.spaces for route in others]


def philly_with(*routes: DraftRoute) -> Draft:
    """Philly, its places somewhere on the picture, with routes that were found there."""
    tickets = (BoardTicket("bridesburg", "fern-rock", 9),)
    draft = draft_of(replace(load_board("philly"), tickets=tickets), (800.0, 540.0))
    at = ((40.0 + 50 * i, 60.0 + 30 * i) for i in range(len(draft.places)))
    places = tuple(
        replace(p, xy_mm=xy, is_placed=True) for p, xy in zip(draft.places, at, strict=True)
    )
    return replace(draft, places=places, routes=(*draft.routes, *routes))


def found_route(a: str, b: str, colour: str, count: int) -> DraftRoute:
    spaces = tuple(DraftSpace((100.0 + 25 * i, 90.0), 0.0, (24.0, 8.0)) for i in range(count))
    return DraftRoute(a=a, b=b, length=count, colour=colour, spaces=spaces, number=count)


def test_philly_grows_and_loses_nothing() -> None:
    philly = load_board("philly")
    board, notes = finished_board(
        philly_with(
            found_route("bridesburg", "north-philly", "green", 5),
            found_route("30th-st", "fern-rock", "grey", 2),
        )
    )
    known = board.route_by_id["bridesburg--north-philly"]
    assert (known.length, known.colour, len(known.spaces)) == (5, "green", 5)
    assert board.routes[-1].id == "30th-st--fern-rock"
    assert [p.name for p in board.places] == [p.name for p in philly.places]
    assert (board.sites, len(board.tickets), board.complete) == (philly.sites, 1, philly.complete)
    assert board.size_mm == (800.0, 540.0)
    bare = [route for route in board.routes if not route.spaces]
    assert board.measured == (not bare)
    assert len(notes) == len(bare)


def test_what_a_person_set_outranks_the_picture() -> None:
    board, notes = finished_board(
        philly_with(found_route("bridesburg", "north-philly", "green", 1))
    )
    assert board.routes == load_board("philly").routes
    assert not board.measured
    assert any("5 long as it was set, but 1 spaces" in note for note in notes)


def test_more_lanes_than_a_board_has_are_refused() -> None:
    lanes = [found_route("airport", "fern-rock", "grey", count) for count in range(1, 6)]
    draft = Draft(id="x", title="", places=(), routes=tuple(lanes))
    with pytest.raises(BoardMakingError, match="more than 4 routes lie between airport"):
        finished_board(draft)


def test_the_picture_shows_every_route() -> None:
    board, plain = small_board(), picture()
    shown = draw_proposal(plain, found())
    for route in board.routes:
        for space in route.spaces:
            x, y = (round(2 * at) for at in space.xy_mm)
            around = (slice(y - 30, y + 30), slice(x - 30, x + 30))
            assert (shown[around] != plain[around]).any()
