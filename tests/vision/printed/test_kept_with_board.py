"""What is computed of a board is kept with it: once for each board, and gone with it."""

import gc
import weakref
from dataclasses import replace

import drawn
from railspotter.vision.printed.board_cache import cached_per_board
from railspotter.vision.printed.printed_board import PrintedBoard, places_of
from railspotter.vision.watching.looks import prints_of


def test_it_is_computed_once_for_each_board_and_all_else() -> None:
    computed: list[tuple[PrintedBoard, int]] = []

    @cached_per_board
    def sized(printed: PrintedBoard, size: int) -> int:
        computed.append((printed, size))
        return size

    one = PrintedBoard.of(drawn.usa(), drawn.profile())
    other = replace(one)
    assert [sized(one, 1), sized(one, 2), sized(one, 1), sized(other, 1)] == [1, 2, 1, 1]
    assert computed == [(one, 1), (one, 2), (other, 1)]


def test_a_board_that_was_read_is_gone_when_nobody_has_it() -> None:
    found = drawn.found(drawn.game().picture)
    copy = replace(found.view.printed)
    view = replace(found.view, printed=copy)
    drawn.read(view)
    places_of(copy)
    prints_of(copy)
    left = weakref.ref(copy)
    del copy, view
    gc.collect()
    assert left() is None
