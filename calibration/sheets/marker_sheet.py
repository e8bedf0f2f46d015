"""The sheet of corner markers: four cards to cut out, each laid under one corner of the board."""

from collections.abc import Iterator

import numpy as np

from ..arrays import Mask
from ..finding.markers import CORNERS, GAP_MM, MARKER_MM, marker_fields
from .sheet import PAPERS, Box, Sheet, SheetLine, Words

# Two fit beside each other on either paper, with the 8 mm margin of printers.
CARD_WH_MM = (97.0, 95.0)
# Part of a card beyond the board's other edge.
STRIP_MM = CARD_WH_MM[1] - MARKER_MM - 2 * GAP_MM
# Part of a card under the board, which holds it.
TAB_MM = CARD_WH_MM[0] - MARKER_MM - 2 * GAP_MM
MARGIN_MM = 8.0
RULER_MM = 100.0
TAB_GREY, CUT_GREY = 0.86, 0.6
LINE = 5.2

HOW_TO_LAY = (
    '1. Print at 100 % ("actual size", not "fit to page"). The line below must be 100 mm long.',
    "2. Cut out the four cards along the grey lines.",
    "3. Push the grey end of each card under its corner of the board, until the board's two edges"
    " go on along",
    "    the card's black lines and no grey shows. Top is the top of the printed map.",
    "4. The cards lie flat, beside the board and not on it. Then take the photo:",
    "    railspotter calibrate photo.jpg --board NAME --markers",
)


def marker_sheet(paper: str = "a4", called: str = "") -> Sheet:
    """Return the sheet of the four corner markers.

    Parameters
    ----------
    paper : str
        A name of `sheet.PAPERS`.
    called : str
        Name of a board for the title; they fit any.
    """
    width, height = PAPERS[paper]
    title = "Railspotter: corner markers" + (f" for {called}" if called else " for any board")
    left = cards_on_page(paper)[0][0]
    items: list[Box | SheetLine | Words] = [Words(left + 2, MARGIN_MM + 6, title, 5.5)]
    y = MARGIN_MM + 14
    for text in HOW_TO_LAY:
        items.append(Words(left + 2, y, text, 3.4))
        y += LINE
    items += ruler(left + 2, y + 3)
    for corner, at in enumerate(cards_on_page(paper)):
        items += _card(corner, at)
    return Sheet((width, height), title, tuple(items))


def cards_on_page(paper: str) -> tuple[tuple[float, float], ...]:
    """Return each card's top-left corner on the page, in mm."""
    width, height = PAPERS[paper]
    across, down = CARD_WH_MM
    left, top = (width - 2 * across) / 2, height - MARGIN_MM - 2 * down
    return tuple(
        (left + across * (corner in (1, 2)), top + down * (corner >= 2))
        for corner in range(len(CORNERS))
    )


def ruler(x: float, y: float) -> tuple[Box | SheetLine | Words, ...]:
    """Return a ruler line, to be measured after printing."""
    return (
        SheetLine(x, y, x + RULER_MM, y, 0.4),
        *(SheetLine(x + end, y - 2, x + end, y + 2, 0.4) for end in (0.0, RULER_MM)),
        Words(x + RULER_MM + 3, y + 1.2, "this line is 100 mm", 3.3),
    )


def _card(corner: int, at: tuple[float, float]) -> Iterator[Box | SheetLine | Words]:
    """Yield the items of one card with its top-left corner at a point of the page."""
    is_right, is_low = corner in (1, 2), corner >= 2
    x, y = at
    card_width, card_height = CARD_WH_MM
    # The board's corner on the page, and the tab under the board.
    corner_x = x + (TAB_MM if is_right else card_width - TAB_MM)
    corner_y = y + (card_height - STRIP_MM if is_low else STRIP_MM)
    tab_x = x if is_right else corner_x
    tab_y = y if is_low else corner_y
    yield Box(tab_x, tab_y, TAB_MM, card_height - STRIP_MM, TAB_GREY)
    for number, text in enumerate(("the board", "lies here")):
        yield Words(tab_x + 1.5, tab_y + 38 + 4 * number, text, 3.2, 0.35)
    outer_y = y + card_height if is_low else y
    yield SheetLine(corner_x, corner_y, corner_x, outer_y, 0.3)
    outer_x = x + card_width if is_right else x
    yield SheetLine(outer_x, corner_y, corner_x, corner_y, 0.3)
    words_y = corner_y + (9.5 if is_low else -6.0)
    words_x = corner_x + 4 if is_right else x + 4
    yield Words(words_x, words_y, f"{CORNERS[corner]} corner of the board", 4.2)
    marker_x = corner_x + GAP_MM if is_right else corner_x - GAP_MM - MARKER_MM
    marker_y = corner_y - GAP_MM - MARKER_MM if is_low else corner_y + GAP_MM
    yield from marker_boxes(marker_fields(corner), marker_x, marker_y, MARKER_MM)
    right, low = x + card_width, y + card_height
    for ends in ((x, y, right, y), (right, y, right, low), (right, low, x, low), (x, low, x, y)):
        yield SheetLine(*ends, 0.2, CUT_GREY)


def marker_boxes(is_white: Mask, x: float, y: float, side: float) -> Iterator[Box]:
    """Yield a marker's black square, and boxes for its white fields, joined by row."""
    field = side / len(is_white)
    yield Box(x, y, side, side)
    for row, whites in enumerate(is_white):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], whites, [False]]).astype(int)))
        for first, end in edges.reshape(-1, 2).tolist():
            yield Box(x + first * field, y + row * field, (end - first) * field, field, 1.0)
