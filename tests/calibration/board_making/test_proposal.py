"""Making a board file: what is found on drawn boards, what a person says, what is written."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import msgspec
import numpy as np
import pytest
from railspotter.calibration.board_making.edits import (
    EditHistory,
    accept,
    accept_certain,
    add_route,
    add_space,
    move_space,
    reject,
    remove_space,
    set_colour,
    set_double,
    set_ends,
    set_length,
    set_name,
)
from railspotter.calibration.board_making.errors import (
    BoardMakingError,
    EditError,
    PictureTooCoarseError,
)
from railspotter.calibration.board_making.growing import (
    board_text,
    grow,
    places_of,
    routes_of,
    with_places,
)
from railspotter.calibration.board_making.printed_spaces import find_spaces
from railspotter.calibration.board_making.proposal import propose
from railspotter.calibration.board_making.proposal_picture import draw_proposal
from railspotter.calibration.board_making.proposal_values import (
    BoardProposal,
    ProposedRoute,
    ProposedSpace,
)
from railspotter.calibration.board_making.stringing import PlaceOnBoard
from railspotter.scoring.board import (
    Board,
    BoardTicket,
    Place,
    Route,
    Space,
    load_board,
    parse_board,
)
from railspotter.scoring.sentence import Sentence
from railspotter.simulation.virtual_board.printed_map import draw_board

SPACE = (26.0, 9.0)
SIZE = (300.0, 200.0)
COLOURS = {"a--b": "red", "b--c--0": "blue", "b--c--1": "yellow", "a--c": "grey"}


def row(start: tuple[float, float], angle_deg: float, count: int) -> tuple[Space, ...]:
    way = np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))])
    return tuple(
        Space(tuple((np.array(start) + way * 27.5 * i).tolist()), angle_deg, SPACE)
        for i in range(count)
    )


def small_board() -> Board:
    """Three places, a single, a double and a grey route; so near to the edge that no score is."""
    places = (
        Place("a", "Ay", (40.0, 20.0)),
        Place("b", "Bee", (180.0, 20.0)),
        Place("c", "Cee", (180.0, 130.0)),
    )
    spaces = {
        "a--b": row((70.0, 20.0), 0, 4),
        "b--c--0": row((173.0, 47.0), 90, 3),
        "b--c--1": row((187.0, 47.0), 90, 3),
        "a--c": row((62.0, 37.0), 38, 5),
    }
    ends = {name: name.split("--")[:2] for name in spaces}
    routes = tuple(
        Route(name, a, b, len(laid), COLOURS[name], laid, int(name.endswith("--1")))
        for (name, laid), (a, b) in zip(spaces.items(), ends.values(), strict=True)
    )
    return Board("small", "Small", places, routes, SIZE)


@cache
def found() -> BoardProposal:
    board = small_board()
    return propose(
        draw_board(board, 2.0, seed=3), board.size_mm, places_of(board), space_size_mm=SPACE
    )


def board_of(proposal: BoardProposal) -> Board:
    """A proposal as a board of its own, which a person has not called complete yet."""
    empty = Board("mine", "My map", (), (), proposal.size_mm, complete=False)
    return grow(empty, proposal).board


def test_a_drawn_board_is_proposed_as_it_is() -> None:
    board, proposal = small_board(), found()
    told = sorted((r.a, r.b, r.colour, r.length) for r in proposal.routes)
    assert told == sorted((r.a, r.b, r.colour, r.length) for r in board.routes)
    assert len(proposal.doubles) == 1
    for route in proposal.routes:
        truth = next(r for r in board.routes if (r.a, r.colour) == (route.a, route.colour))
        for space, printed in zip(route.spaces, truth.spaces, strict=True):
            assert np.hypot(*np.subtract(space.xy_mm, printed.xy_mm)) < 2
            assert abs((space.angle_deg - printed.angle_deg + 180) % 360 - 180) < 6
            assert space.size_mm == pytest.approx(SPACE, abs=2.5)


def test_the_file_of_a_proposal_is_a_board_that_scores_and_reads() -> None:
    board = board_of(found())
    again = parse_board(board_text(board))
    assert again == board
    assert again.measured
    assert not again.complete
    assert sorted(r.id for r in again.routes) == ["a--b", "a--c", "b--c--0", "b--c--1"]
    for route in again.routes:
        start = np.array(again.place_by_id[route.a].xy_mm)
        first, last = (np.array(route.spaces[i].xy_mm) for i in (0, -1))
        assert np.hypot(*(first - start)) < np.hypot(*(last - start))


def test_a_covered_space_leaves_a_doubt_or_a_hole_and_never_a_sure_wrong_route() -> None:
    board = small_board()
    picture = draw_board(board, 2.0, seed=3)
    x, y = (round(2 * at) for at in board.route_by_id["a--b"].spaces[1].xy_mm)
    cv2.circle(picture, (x, y), 40, (120, 160, 150), -1)
    proposal = propose(picture, board.size_mm, places_of(board), space_size_mm=SPACE)
    for route in proposal.routes:
        if route.ends == {"a", "b"}:
            assert route.doubts
    if not any(route.ends == {"a", "b"} for route in proposal.routes):
        assert proposal.loose


def test_an_empty_picture_proposes_nothing_and_says_so() -> None:
    places = places_of(small_board())
    proposal = propose(np.full((400, 600, 3), 180, np.uint8), SIZE, places, space_size_mm=SPACE)
    assert proposal.routes == ()
    assert proposal.doubts == tuple(f"no route ends at {p.name}" for p in places)


def test_a_picture_too_coarse_is_refused() -> None:
    with pytest.raises(PictureTooCoarseError, match="only 150 x 100 pixels"):
        find_spaces(np.zeros((100, 150, 3), np.uint8), SIZE)


def test_a_known_route_stays_and_its_spaces_are_no_others() -> None:
    board = small_board()
    part = msgspec.structs.replace(board, routes=board.routes[:1], complete=False)
    picture = draw_board(board, 2.0, seed=3)
    proposal = propose(picture, SIZE, with_places((), part), routes_of(part), SPACE)
    assert sum(route.ends == {"a", "b"} for route in proposal.routes) == 1
    grown = grow(part, proposal).board
    assert grown.routes[0] == part.routes[0]
    assert sorted(r.id for r in grown.routes) == sorted(r.id for r in board.routes)


def test_philly_grows_and_loses_nothing() -> None:
    tickets = (BoardTicket("bridesburg", "fern-rock", 9),)
    philly = msgspec.structs.replace(load_board("philly"), tickets=tickets)
    at = {place.id: (40.0 + 50 * i, 60.0 + 30 * i) for i, place in enumerate(philly.places)}
    places = tuple(PlaceOnBoard(p.id, "another name", at[p.id]) for p in philly.places)
    places = (*places, PlaceOnBoard("airport", "Airport", (20.0, 300.0)))
    spaces = tuple(ProposedSpace((100.0 + 25 * i, 90.0), 0.0, (24.0, 8.0)) for i in range(5))
    routes = (
        ProposedRoute(1, "bridesburg", "north-philly", "green", spaces),
        ProposedRoute(2, "airport", "fern-rock", "grey", spaces[:2]),
    )
    proposal = BoardProposal((800.0, 540.0), (24.0, 8.0), with_places(places, philly), routes)
    grown = grow(philly, proposal)
    assert grown.board.tickets == tickets
    known = grown.board.route_by_id["bridesburg--north-philly"]
    assert (known.length, known.colour, len(known.spaces)) == (5, "green", 5)
    assert {p.name for p in philly.places} < {p.name for p in grown.board.places}
    assert grown.board.measured
    assert not grown.board.complete
    assert grown.board.size_mm == (800.0, 540.0)
    assert grown.notes == ()
    again = grow(grown.board, proposal)
    assert again.board == grown.board, "growing twice adds nothing"


def test_what_a_person_set_outranks_the_picture() -> None:
    philly = load_board("philly")
    place_at = {p.id: (10.0 + i, 20.0) for i, p in enumerate(philly.places)}
    places = tuple(PlaceOnBoard(p.id, p.name, place_at[p.id]) for p in philly.places)
    short = (ProposedSpace((100.0, 90.0), 0.0, (24.0, 8.0)),)
    route = ProposedRoute(1, "bridesburg", "north-philly", "green", short)
    grown = grow(philly, BoardProposal((800.0, 540.0), (24.0, 8.0), places, (route,)))
    assert grown.board.routes == philly.routes
    assert not grown.board.measured
    assert "5 long as it was set, but 1 spaces" in grown.notes[0]


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(BoardMakingError, match="300 x 200 mm already, not 310 x 200"):
        grow(small_board(), replace(found(), size_mm=(310.0, 200.0)))


def number_of(proposal: BoardProposal, colour: str) -> int:
    return next(route.number for route in proposal.routes if route.colour == colour)


def test_edits_are_new_values_and_can_be_taken_back() -> None:
    first = found()
    red = number_of(first, "red")
    history = EditHistory((first,))
    history = history.then(set_colour(first, red, "orange"))
    history = history.then(reject(history.now, red))
    assert red not in [route.number for route in history.now.routes]
    assert history.undone().now.route(red).colour == "orange"
    assert history.undone().undone().undone().now == first
    assert history.undone().redone() == history
    branch = history.undone().then(accept(history.undone().now, red))
    assert branch.redone() == branch


def test_accepting_what_is_certain_leaves_the_doubted() -> None:
    first = found()
    red = first.route(number_of(first, "red"))
    doubted = replace(
        first,
        routes=tuple(
            replace(r, doubts=(Sentence("odd"),)) if r == red else r for r in first.routes
        ),
    )
    done = accept_certain(doubted)
    assert [r.number for r in done.routes if not r.is_accepted] == [
        r.number for r in doubted.routes if r.doubts
    ]
    assert red.number in [r.number for r in done.routes if not r.is_accepted]


def test_a_new_length_lays_spaces_evenly_on_the_same_course() -> None:
    first = found()
    red = number_of(first, "red")
    old, new = first.route(red), set_length(first, red, 6).route(red)
    assert new.length == 6
    steps = np.diff([space.xy_mm[0] for space in new.spaces])
    assert steps == pytest.approx(np.full(5, steps[0]), abs=0.1)
    assert new.spaces[0].size_mm[0] <= steps[0] + 0.1
    middle = np.mean([space.xy_mm for space in old.spaces], axis=0)
    assert np.mean([space.xy_mm for space in new.spaces], axis=0) == pytest.approx(middle, abs=1)


def test_spaces_are_moved_added_and_taken_out() -> None:
    first = found()
    red = number_of(first, "red")
    moved = move_space(first, red, 1, (99.0, 21.0), 3.0).route(red)
    assert (moved.spaces[1].xy_mm, moved.spaces[1].angle_deg) == ((99.0, 21.0), 3.0)
    assert moved.is_accepted
    longer = add_space(first, red, (45.0, 20.0), 0.0, before=0)
    assert longer.route(red).spaces[0].xy_mm == (45.0, 20.0)
    assert remove_space(longer, red, 0).route(red).spaces == first.route(red).spaces


def test_ends_doubles_names_and_routes_by_hand() -> None:
    first = found()
    red, grey = number_of(first, "red"), number_of(first, "grey")
    back = set_ends(first, red, "b", "a").route(red)
    assert [s.xy_mm for s in back.spaces] == [s.xy_mm for s in first.route(red).spaces[::-1]]
    assert (grey in set_double(first, red, grey).doubles[0]) or (
        grey in set_double(first, red, grey).doubles[-1]
    )
    assert set_name(first, "a", "  Ayr ").name_of("a") == "Ayr"
    by_hand = add_route(
        reject(first, red), "a", "b", "red", [ProposedSpace((90.0, 20.0), 0.0, SPACE)]
    )
    assert by_hand.routes[-1].number not in [r.number for r in first.routes]
    assert board_of(by_hand).route_by_id["a--b"].length == 1


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda p: accept(p, 99), "there is no route 99"),
        (lambda p: set_colour(p, 1, "mauve"), "'mauve' is no colour"),
        (lambda p: set_length(p, 1, 0), "1 to 20 spaces long, not 0"),
        (lambda p: set_ends(p, 1, "a", "a"), "cannot start and end at 'a'"),
        (lambda p: set_ends(p, 1, "a", "zed"), "there is no place 'zed'"),
        (lambda p: set_double(p, 1, 1), "cannot be a lane beside itself"),
        (lambda p: set_name(p, "a", " "), "needs a name"),
        (lambda p: move_space(p, 1, 9, (1.0, 1.0)), "has no space 9"),
        (lambda p: move_space(p, 1, 0, (1.0, 201.0)), "not on the board"),
        (lambda p: add_space(p, 1, (1.0, 1.0), 0.0, before=30), "has no space 30"),
        (lambda p: add_route(p, "a", "b", "red", []), "1 to 20 spaces long, not 0"),
    ],
)
def test_what_cannot_be_said_is_refused_with_a_reason(edit, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(EditError, match=said):
        edit(found())


def test_the_picture_shows_every_route() -> None:
    board = small_board()
    plain = draw_board(board, 2.0, seed=3)
    shown = draw_proposal(plain, found())
    for route in board.routes:
        for space in route.spaces:
            x, y = (round(2 * at) for at in space.xy_mm)
            around = (slice(y - 30, y + 30), slice(x - 30, x + 30))
            assert (shown[around] != plain[around]).any()
