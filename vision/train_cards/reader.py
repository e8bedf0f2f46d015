"""Reading a photo of train cards on a table: each card's outline and colour, and doubts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture, Point
from railspotter.scoring.sentence import Sentence

from .card_colours import NamedCard, name_cards
from .card_outlines import Outline, find_outlines, inward
from .card_sheets import card_sheets
from .table_plane import TablePlane, table_planes

CardDoubt = Literal["colour", "hidden", "card"]
"""Which colour it is; the same of a card that is partly hidden; whether it is a card at all."""
READ_PX = 1200
"""Long side of the picture that is read; on a larger one nothing more is seen."""
MOST_STRETCHED = 2.2
"""Sides of the table from above over the photo's: a plane that stretches it more is none."""
SURE_CLEAR, PERHAPS_CLEAR = 0.87, 0.76
"""Clearness of an outline that makes a card, and from which on somebody is asked."""
SURE_FILLED, PERHAPS_FILLED, MOST_FILLED = 0.8, 0.58, 0.5
"""The same of what is in it: its share in other colours than the cloth's and its share with lines
on it, together; of each no more than the last counts."""
SURE_OF_PLANE, LEAST_OF_PLANE = 0.6, 4
"""Share of outlines that are surely cards, and how many, with which no other tilt is tried; so many
must have told the tilt, too."""
LIKELY, LEAD = 0.75, 0.5
"""How likely a colour is, and how far before the next, where nobody is asked."""
HIDDEN = 0.6
"""Share of a card that is seen, below which somebody is asked."""
OTHERWISE = 0.05
"""How likely a colour is that is offered beside the best answer."""
MOST_OTHERWISE = 3
INSET = 0.12
"""Share of the sides that is left out around a face: the border is no colour of the card's."""
SAMPLES_WH = (27, 18)
NO_CARDS = Sentence(
    "no cards were found; lay them side by side on one cloth, all of one deck, so that each is seen"
)


@dataclass(frozen=True)
class SeenCard:
    """One card that was seen.

    Attributes
    ----------
    card : str
        Its colour, or "locomotive": the best answer, also where it is in doubt.
    outline_px : tuple of four points
        Its corners in the photo.
    likely : float
        How likely the answer is, 0 to 1.
    doubt : str or None
        Why somebody should look, None where nobody needs to.
    alternatives : tuple of str or None
        What else it could be, the likeliest first; None for no card at all.
    """

    card: str
    outline_px: tuple[Point, Point, Point, Point]
    likely: float
    doubt: CardDoubt | None = None
    alternatives: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class CardReading:
    """All cards of a photo.

    Attributes
    ----------
    size_wh : tuple of int
        Width and height of the photo, in pixels.
    cards : tuple of SeenCard
        In reading order: row by row.
    reason : Sentence or None
        Why there are none.
    """

    size_wh: tuple[int, int]
    cards: tuple[SeenCard, ...]
    reason: Sentence | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each, as the answers have it, doubts included."""
        return dict(Counter(card.card for card in self.cards))

    @property
    def doubts(self) -> tuple[SeenCard, ...]:
        """Those that somebody should look at."""
        return tuple(card for card in self.cards if card.doubt is not None)


def read_cards(picture: Picture) -> CardReading:
    """Read a photo of train cards.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        Cards of one deck, face up, beside each other or overlapping slightly.

    Returns
    -------
    CardReading
        Without any cards it has the reason.
    """
    height, width = picture.shape[:2]
    scale = min(1.0, READ_PX / max(height, width))
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    small = np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    best: tuple[float, list[Outline], Float64s, Picture] | None = None
    for plane in table_planes(card_sheets(small), size_wh):
        seen = _from_above(small, plane)
        if seen is None:
            continue
        above, above_from_small = seen
        outlines = [one for one in find_outlines(above, *plane.size) if _kind(one) != "none"]
        sure = sum(_kind(one) == "sure" for one in outlines)
        # Of small outlines more fit into the same cards: what counts is how much is explained.
        worth = sum(_worth(one) for one in outlines) * plane.size[0] * plane.size[1]
        if outlines and (best is None or worth > best[0]):
            best = worth, outlines, above_from_small, above
        if min(sure, plane.votes) >= max(LEAST_OF_PLANE, SURE_OF_PLANE * len(outlines)):
            break
    if best is None:
        return CardReading((width, height), (), NO_CARDS)
    _, outlines, above_from_small, above = best
    smooth = np.asarray(cv2.blur(above, (3, 3)), np.uint8)
    faces = [_face(smooth, one, outlines[:number]) for number, one in enumerate(outlines)]
    cards = []
    for outline, named in zip(outlines, name_cards(faces), strict=True):
        corners = cv2.perspectiveTransform(outline.corners[None], np.linalg.inv(above_from_small))[
            0
        ]
        cards.append(_seen_card(outline, named, corners / scale))
    return CardReading((width, height), tuple(_in_reading_order(cards)))


def _from_above(small: Picture, plane: TablePlane) -> tuple[Picture, Float64s] | None:
    """Return the table from above, and the way there."""
    height, width = small.shape[:2]
    rim = np.array([[(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]])
    depth = plane.above_from_photo[2] @ np.column_stack([rim[0], np.ones(4)]).T
    if depth.min() <= 0.2 * depth.max():
        return None
    corners = cv2.perspectiveTransform(rim, plane.above_from_photo)[0]
    first = corners.min(axis=0)
    size = np.ceil(corners.max(axis=0) - first).astype(int)
    if size.max() > MOST_STRETCHED * max(width, height):
        return None
    moved = np.array([(1, 0, -first[0]), (0, 1, -first[1]), (0, 0, 1)]) @ plane.above_from_photo
    above = cv2.warpPerspective(
        small, moved, tuple(size.tolist()), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(above, np.uint8), np.asarray(moved, np.float64)


def _kind(outline: Outline) -> Literal["sure", "perhaps", "none"]:
    """Tell whether an outline is a card's."""
    filled = min(outline.foreign, MOST_FILLED) + min(outline.drawn, MOST_FILLED)
    if outline.clearness >= SURE_CLEAR and filled >= SURE_FILLED:
        return "sure"
    if outline.clearness >= PERHAPS_CLEAR and filled >= PERHAPS_FILLED:
        return "perhaps"
    return "none"


def _worth(outline: Outline) -> float:
    return (1.0 if _kind(outline) == "sure" else 0.2) * outline.clearness**8 * outline.seen


def _face(above: Picture, outline: Outline, upper: list[Outline]) -> Picture:
    """Return pixels of a card's face, those that no other card lies on."""
    shares = [np.linspace(INSET, 1 - INSET, count) for count in SAMPLES_WH]
    x, y = (axis.ravel() for axis in np.meshgrid(*shares))
    first, right, _, down = outline.corners
    points = first + x[:, None] * (right - first) + y[:, None] * (down - first)
    free = np.ones(len(points), bool)
    for other in upper:
        free &= inward(points, other.corners) < 0
    if free.sum() >= 20:
        points = points[free]
    height, width = above.shape[:2]
    column, row = np.rint(points).astype(int).T
    return np.asarray(above[row.clip(0, height - 1), column.clip(0, width - 1)], np.uint8)


def _seen_card(outline: Outline, named: NamedCard, corners: Float64s) -> SeenCard:
    (card, likely), (_, next_likely), *_ = named.odds
    others: list[str | None] = [
        name for name, odds in named.odds[1 : 1 + MOST_OTHERWISE] if odds > OTHERWISE
    ]
    doubt: CardDoubt | None = None
    if likely < LIKELY or likely - next_likely < LEAD:
        doubt = "hidden" if outline.seen < HIDDEN else "colour"
    elif outline.seen < HIDDEN:
        doubt = "hidden"
    if _kind(outline) == "perhaps":
        doubt = "card"
        others.insert(0, None)
    if doubt is not None and not others:
        others = [named.odds[1][0]]
    points = tuple((float(x), float(y)) for x, y in corners)
    return SeenCard(card, points, likely, doubt, tuple(others) if doubt else ())  # type: ignore[arg-type]


def _in_reading_order(cards: list[SeenCard]) -> list[SeenCard]:
    """Return cards row by row; a row is as high as half a card."""
    if not cards:
        return cards
    middles = [np.mean(card.outline_px, axis=0) for card in cards]
    high = min(np.ptp([y for _, y in card.outline_px]) for card in cards)
    left = sorted(range(len(cards)), key=lambda i: middles[i][1])
    ordered: list[int] = []
    while left:
        top = middles[left[0]][1]
        row = [i for i in left if middles[i][1] < top + 0.5 * high]
        ordered += sorted(row, key=lambda i: middles[i][0])
        left = [i for i in left if i not in row]
    return [cards[i] for i in ordered]
