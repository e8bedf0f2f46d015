"""Draws a proposal over the picture it was made from, for a person to check."""

import cv2

from ..arrays import Picture
from .draft import Draft, DraftRoute
from .outlines import box_px

INKS = {
    "red": (40, 40, 220),
    "orange": (20, 130, 245),
    "yellow": (0, 220, 255),
    "green": (40, 170, 60),
    "blue": (230, 110, 20),
    "pink": (200, 90, 220),
    "white": (255, 255, 255),
    "grey": (150, 150, 150),
    "black": (20, 20, 20),
    "purple": (130, 20, 90),
}
OTHER_INK = (160, 60, 160)
DOUBT, LOOSE, PLACE, HALO = (0, 0, 255), (255, 0, 255), (255, 255, 0), (255, 255, 255)


def draw_proposal(rectified: Picture, draft: Draft) -> Picture:
    """Draw routes in their colours, with their numbers; doubted ones have a red rim.

    Parameters
    ----------
    rectified : (H, W, 3) uint8 array, BGR
        The board from straight above, edge to edge.
    """
    picture = rectified.copy()
    scale = picture.shape[1] / draft.size_mm[0]
    for space in draft.loose:
        cv2.polylines(picture, [box_px(space, scale)], True, LOOSE, 1, cv2.LINE_AA)
    for route in draft.laid:
        for space in route.spaces:
            if route.doubts:
                cv2.polylines(picture, [box_px(space, scale, 1.15)], True, DOUBT, 2, cv2.LINE_AA)
            cv2.polylines(picture, [box_px(space, scale)], True, HALO, 3, cv2.LINE_AA)
            ink = INKS.get(route.colour, OTHER_INK)
            cv2.polylines(picture, [box_px(space, scale)], True, ink, 2, cv2.LINE_AA)
        _write_number(picture, route, scale)
    for place in draft.placed:
        at = round(place.xy_mm[0] * scale), round(place.xy_mm[1] * scale)
        cv2.circle(picture, at, max(2, round(3 * scale)), PLACE, 2, cv2.LINE_AA)
    return picture


def _write_number(picture: Picture, route: DraftRoute, scale: float) -> None:
    middle = route.spaces[len(route.spaces) // 2].xy_mm
    at = round(middle[0] * scale) - 8, round(middle[1] * scale) + 5
    for ink, thickness in ((HALO, 4), (DOUBT if route.doubts else (0, 0, 0), 1)):
        cv2.putText(
            picture,
            str(route.number),
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            0.25 * scale,
            ink,
            thickness,
            cv2.LINE_AA,
        )
