"""Another copy's prints are found where they lie, kept from look to look, and kept to that copy."""

from collections.abc import Mapping
from dataclasses import replace

import drawn
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.profiles.profile import Offset
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look import print_as_seen
from railspotter.vision.look.first_look import look
from railspotter.vision.look.print_as_seen import AGREEING, CopyPrints, find_prints
from railspotter.vision.look.view import Pieces, View
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.cue_reader import look_at_print, weigh
from railspotter.vision.watching.looks import Look, read

ROUTE, OTHER = "calgary--helena", "el-paso--houston"
OTHER_COPY = Copy(seed=5, stray_print_mm=6)


@pytest.fixture(scope="module")
def picture() -> Picture:
    """The board of another copy, without trains."""
    return drawn.render(drawn.usa(), {}, drawn.ABOVE, copy=OTHER_COPY, sensor=drawn.SENSOR).picture


@pytest.fixture(scope="module")
def view(picture: Picture) -> View:
    return drawn.found(picture).view


@pytest.fixture(scope="module")
def seen(view: View) -> Mapping[str, Offset | None]:
    return find_prints(view, look(view))


@pytest.fixture
def prints(view: View) -> CopyPrints:
    return CopyPrints(view.printed)


def test_prints_are_seen_where_that_copy_has_them(seen: Mapping[str, Offset | None]) -> None:
    moved = {route: offset for route, offset in seen.items() if offset and any(offset)}
    assert len(moved) >= 3
    for route, offset_mm in moved.items():
        assert np.allclose(offset_mm, OTHER_COPY.offset_mm(route), atol=1.5), route
    in_place = [route for route, offset in seen.items() if offset == (0.0, 0.0)]
    assert len(in_place) > 0.7 * len(seen)


def test_a_print_is_known_once_looks_agree(prints: CopyPrints) -> None:
    for _ in range(AGREEING - 1):
        as_seen = prints.add_look({ROUTE: (3.0, -2.0)})
        assert as_seen.print_offsets_mm[ROUTE] != prints.printed.print_offsets_mm.get(ROUTE)
    assert not prints.known
    prints.add_look({ROUTE: (3.0, -1.0)})
    assert prints.known == {ROUTE: (3.0, -2.0)}
    was = np.array(drawn.profile().print_offsets_mm.get(ROUTE, (0.0, 0.0)))
    assert np.allclose(np.subtract(prints.printed.print_offsets_mm[ROUTE], was), (3.0, -2.0))


def test_what_one_look_saw_elsewhere_begins_anew(prints: CopyPrints) -> None:
    for offset_mm in [(3.0, -2.0)] * (AGREEING - 1) + [(0.0, 0.0)] * (AGREEING - 1):
        prints.add_look({ROUTE: offset_mm})
    assert not prints.known
    prints.add_look({ROUTE: (0.0, 0.0)})
    assert prints.known == {ROUTE: (0.0, 0.0)}


def test_a_print_in_its_place_changes_nothing(prints: CopyPrints, view: View) -> None:
    for _ in range(AGREEING):
        assert prints.add_look({ROUTE: (0.0, 0.0), OTHER: None}) is view.printed
    assert prints.known == {ROUTE: (0.0, 0.0)}
    assert prints.printed is view.printed


def test_known_prints_are_not_looked_for(view: View, seen: Mapping[str, Offset | None]) -> None:
    first = look(view)
    some = {route for route in seen if route < "h"}
    assert find_prints(view, first, some).keys() == seen.keys() - some
    assert find_prints(view, first, seen.keys()) == {}


def test_with_known_prints_a_look_says_the_same(
    prints: CopyPrints, view: View, seen: Mapping[str, Offset | None]
) -> None:
    for _ in range(AGREEING):
        prints.add_look(seen)
    single, kept = weigh(view), weigh(view, prints)
    assert kept.view.printed is prints.printed
    assert kept.view.printed.print_offsets_mm == single.view.printed.print_offsets_mm
    assert np.allclose(kept.odds.routes, single.odds.routes, atol=1e-4)
    assert np.allclose(kept.odds.covered, single.odds.covered, atol=1e-4)


def test_a_single_photo_is_looked_at_without_what_others_showed(
    view: View, seen: Mapping[str, Offset | None]
) -> None:
    looked, _ = look_at_print(drawn.found(drawn.empty().picture).view)
    assert looked.printed is view.printed  # the profile's own board, whatever `seen` showed of it
    assert any(offset and any(offset) for offset in seen.values())


def test_one_photo_weighed_for_other_colours_is_one_look_at_its_prints(
    prints: CopyPrints, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_as_seen, "AGREEING", 2)
    weighed = weigh(view, prints)
    again = weigh(weighed.view, prints, weighed)
    assert not prints.known
    assert again.view.printed is weighed.view.printed is not view.printed
    assert np.array_equal(again.odds.routes, weighed.odds.routes)


def test_what_is_known_of_one_copy_does_not_leak_to_another(
    picture: Picture, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_as_seen, "AGREEING", 1)  # one look is enough to know
    straight = _look(drawn.empty().picture, view.printed)
    before = read(straight)
    read(_look(picture, replace(view.printed)))
    assert read(straight).seen == before.seen


def _look(picture: Picture, printed: PrintedBoard) -> Look:
    return Look(picture, drawn.found(picture).pose, 0.0, printed, Pieces(plastic("usa")))
