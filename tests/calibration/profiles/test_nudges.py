"""A person's nudges move spaces where they are looked for, and are taken back without a trace."""

from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.errors import NudgeError
from railspotter.calibration.profiles.profile import (
    Offset,
    nudged,
    space_key,
    without_nudge,
    without_nudges,
)
from railspotter.scoring.board import load_board
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes

ROUTE = "helena--seattle"
SPACE = space_key(ROUTE, 2)


def moved_mm(nudges: dict[str, Offset]) -> dict[str, Offset]:
    """Where spaces lie with some nudges, less where they lie without, by space."""
    profile, board = drawn.profile(), drawn.usa()
    before = PrintedBoard.of(board, profile).xy_mm
    after = PrintedBoard.of(board, replace(profile, nudges_mm=nudges)).xy_mm
    keys = [space_key(r.id, number) for r in board.routes for number in range(r.length)]
    off = zip(keys, (after - before).round(6).tolist(), strict=True)
    return {key: (x, y) for key, (x, y) in off if x or y}


def test_a_route_moves_with_all_of_its_spaces() -> None:
    length = drawn.usa().route_by_id[ROUTE].length
    assert moved_mm({ROUTE: (2.0, -1.0)}) == {
        space_key(ROUTE, number): (2.0, -1.0) for number in range(length)
    }


def test_one_space_moves_alone_and_with_its_route() -> None:
    assert moved_mm({SPACE: (0.5, 0.0)}) == {SPACE: (0.5, 0.0)}
    both = moved_mm({ROUTE: (2.0, -1.0), SPACE: (0.5, 0.0)})
    assert both[SPACE] == (2.5, -1.0)
    assert both[space_key(ROUTE, 1)] == (2.0, -1.0)


def test_nudges_add_up_and_are_undone() -> None:
    board, profile = drawn.usa(), drawn.profile()
    once = nudged(profile, board, ROUTE, (1.0, 0.0))
    twice = nudged(nudged(once, board, ROUTE, (0.5, -2.0)), board, SPACE, (0.0, 1.0))
    assert twice.nudges_mm == {ROUTE: (1.5, -2.0), SPACE: (0.0, 1.0)}
    assert nudged(twice, board, ROUTE, (-1.5, 2.0)).nudges_mm == {SPACE: (0.0, 1.0)}
    assert without_nudge(twice, SPACE).nudges_mm == {ROUTE: (1.5, -2.0)}
    assert without_nudge(profile, SPACE).nudges_mm == {}
    assert without_nudges(twice).nudges_mm == profile.nudges_mm == {}
    assert twice.print_offsets_mm == profile.print_offsets_mm


@pytest.mark.parametrize(
    ("key", "by_mm", "word"),
    [
        ("seattle--helena", (1.0, 0.0), "no route or space 'seattle--helena'"),
        (space_key(ROUTE, 6), (1.0, 0.0), "no route or space"),
        (ROUTE, (30.0, 1.0), "at most 30 mm"),
        (ROUTE, (float("nan"), 0.0), "at most 30 mm"),
    ],
    ids=["a route that is not there", "a space too many", "too far", "nowhere"],
)
def test_an_impossible_nudge_is_refused(key: str, by_mm: Offset, word: str) -> None:
    with pytest.raises(NudgeError, match=word):
        nudged(drawn.profile(), drawn.usa(), key, by_mm)


def test_only_measured_spaces_can_be_nudged() -> None:
    """Sites of interest would be nudged as routes of one space; Philly's were never measured."""
    philly = load_board("philly")
    assert with_site_routes(philly) is philly
    assert not any(route.spaces for route in philly.routes)
    profile = replace(drawn.profile(), board="philly")
    with pytest.raises(NudgeError):
        nudged(profile, philly, space_key(philly.routes[0].id, 0), (1.0, 0.0))


def test_looking_follows_a_nudge() -> None:
    """The window around a space shows the print beside it by as much as the space was nudged."""
    board, profile = drawn.usa(), drawn.profile()
    there = PrintedBoard.of(board, nudged(profile, board, SPACE, (5.0, 0.0)))
    here = PrintedBoard.of(board, profile)
    width = here.reference.shape[1]
    at = [space_key(r.id, n) for r in board.routes for n in range(r.length)].index(SPACE)
    columns, before = there.window_pixels[at] % width, here.window_pixels[at] % width
    assert np.abs((columns - before) - 5.0 * here.px_per_mm).max() <= 1
    assert np.array_equal(
        np.delete(there.window_pixels, at, 0), np.delete(here.window_pixels, at, 0)
    )
