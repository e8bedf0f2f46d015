"""Pictures of tickets, drawn: cards with both names on one line and their points below."""

from collections.abc import Iterable

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture

CARD_WH = (620, 400)
LETTERS_PX = 28


def picture_of_tickets(tickets: Iterable[tuple[str, str, int]], across: int = 2) -> Picture:
    """Return tickets that lie in rows on a dark table, as a phone sees them from above."""
    cards = [_card(*ticket) for ticket in tickets]
    rows = -(-len(cards) // across)
    width, height = CARD_WH[0] + 60, CARD_WH[1] + 60
    table = np.full((rows * height + 60, across * width + 60, 3), (60, 70, 80), np.uint8)
    for n, card in enumerate(cards):
        y, x = 60 + n // across * height, 60 + n % across * width
        table[y : y + CARD_WH[1], x : x + CARD_WH[0]] = card
    return table


def _card(a: str, b: str, points: int) -> Picture:
    card = np.full((CARD_WH[1], CARD_WH[0], 3), (170, 205, 220), np.uint8)
    cv2.rectangle(card, (20, 70), (CARD_WH[0] - 20, CARD_WH[1] - 20), (120, 160, 150), cv2.FILLED)
    for text, x, y, scale in ((f"{a}  -  {b}", 0.5, 45, 0.9), (str(points), 0.8, 290, 2.6)):
        (wide, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        at = (round(CARD_WH[0] * x - wide / 2), y)
        cv2.putText(card, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, (30, 30, 40), 2, cv2.LINE_AA)
    return card
