"""Pictures for people: a reading drawn on the board, and spaces to put trains on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Int32s, Picture
from railspotter.calibration.board_making.proposal_picture import INKS, OTHER_INK
from railspotter.calibration.profiles.profile import SpaceKey, space_keys
from railspotter.scoring.board import Board
from railspotter.scoring.spot import Spot

from ..colours.train_colours import TrainColour
from ..look.view import View
from ..printed.printed_board import PrintedBoard, places_of
from ..readings import Colour, Reading

# Ink and thickness of hatching on unseen spaces: dark over light, to stand out on any ground.
UNSEEN = ((255, 255, 255), 5), ((60, 60, 60), 2)
HATCH_MM = 6.5  # between two strokes
DOUBT = (255, 0, 255)
RING_MM = 9.0  # radius of the ring around a station
SHIFT = 3  # fractional bits of the coordinates that are drawn
ANSWER_PX = 12  # radius of an answer's disc: a lane's is beside the other lane's
FROM_EDGE_MM = 60.0  # least distance of a good space from the board's edge
ROOM_MM = 22.0  # least distance of a good space from other routes' spaces


def annotate(view: View, reading: Reading) -> Picture:
    """Return the rectified photo with claims outlined in their colours and doubts numbered.

    A station is a ring with its colour's letter, empty if it is only asked about. Unseen spaces
    are hatched.
    """
    picture = view.rectified.copy()
    printed, scale = view.printed, view.printed.px_per_mm
    doubted = {doubt.spot: number for number, doubt in enumerate(reading.doubts, start=1)}
    for r, spot in enumerate(printed.spots):
        colour = reading.pieces[spot].colour
        spaces = np.flatnonzero(printed.route_of == r)
        for space in spaces:
            outline = _outline(printed, space)
            if reading.pieces[spot].is_unseen:
                _hatch(picture, printed, space)
            if colour is not None:
                cv2.polylines(picture, [outline], True, (255, 255, 255), 4, cv2.LINE_AA, SHIFT)
                ink = INKS.get(colour, OTHER_INK)
                cv2.polylines(picture, [outline], True, ink, 2, cv2.LINE_AA, SHIFT)
            if spot in doubted:
                cv2.polylines(picture, [outline], True, DOUBT, 1, cv2.LINE_AA, SHIFT)
        if spot in doubted:
            middle = printed.xy_mm[spaces].mean(axis=0) * scale
            _number(picture, middle, doubted[spot])
    for place, xy_mm in zip(printed.board.places, places_of(printed).xy_mm, strict=True):
        spot = Spot("station", place.id)
        station = reading.pieces.get(spot)
        if station is not None and (station.colour or station.doubt):
            _ring(picture, xy_mm * scale, station.colour, round(RING_MM * scale))
            if spot in doubted:
                _number(picture, xy_mm * scale + 1.5 * RING_MM * scale, doubted[spot])
    return picture


def annotate_answers(
    picture: Picture, board: Board, answers: Mapping[Spot, Colour | None]
) -> Picture:
    """Return an annotated picture with people's answers over it.

    Each is a disc in its colour with the colour's letter; on what is free, a white one with a dash.
    """
    marked = picture.copy()
    scale = picture.shape[1] / board.size_mm[0]
    for spot, colour in answers.items():
        xy_mm = np.mean(_points_mm(board, spot), axis=0)
        x, y = (int(v) for v in np.rint(xy_mm * scale))
        ink = (255, 255, 255) if colour is None else INKS.get(colour, OTHER_INK)
        for thinner, paint in enumerate(((0, 0, 0), (255, 255, 255), ink)):
            cv2.circle(marked, (x, y), ANSWER_PX - thinner, paint, -1, cv2.LINE_AA)
        _text(marked, (x, y), "-" if colour is None else letter_of(colour))
    return marked


def _points_mm(board: Board, spot: Spot) -> list[tuple[float, float]]:
    """Return the middles of a spot's spaces, or of its place."""
    if spot.kind == "route":
        return [space.xy_mm for space in board.route_by_id[spot.id].spaces]
    site = board.site_by_id.get(spot.id)
    if site is not None and site.space is not None:
        return [site.space.xy_mm]
    return [board.place_by_id[spot.id].xy_mm]


def stitched(views: Sequence[View]) -> View:
    """Return the first of one board's views, with parts that its photo lacks from the others."""
    first = views[0]
    rectified, shown = first.rectified.copy(), first.shown
    for other in views[1:]:
        if shown is None:
            break
        if other.rectified.shape != rectified.shape:
            continue
        added = ~shown if other.shown is None else ~shown & other.shown
        rectified[added] = other.rectified[added]
        shown = shown | added
    return replace(first, rectified=rectified)


def annotate_print(printed: PrintedBoard) -> Picture:
    """Return the reference with every space outlined."""
    picture = printed.reference.copy()
    for space in np.arange(len(printed.xy_mm)):
        cv2.polylines(picture, [_outline(printed, space)], True, DOUBT, 1, cv2.LINE_AA, SHIFT)
    return picture


def _outline(printed: PrintedBoard, space: np.intp, margin_mm: float = 0.0) -> Int32s:
    """Return a space's corners in the rectified picture, in 1/2**SHIFT of a pixel."""
    box = printed.box_mm(space, printed.size_mm[space] / 2 + margin_mm)
    return np.asarray(np.rint((box * printed.px_per_mm - 0.5) * 2**SHIFT), np.int32)


def _hatch(picture: Picture, printed: PrintedBoard, space: np.intp) -> None:
    """Draw a space's outline, and strokes across it."""
    length, width = printed.size_mm[space] / 2
    across = printed.across[space] * width
    at = np.arange(HATCH_MM / 2 - length, length, HATCH_MM)[:, None]
    middles = printed.xy_mm[space] + printed.along[space] * at
    strokes = np.stack([middles + across, middles - across], axis=1) * printed.px_per_mm - 0.5
    ends = np.rint(strokes * 2**SHIFT).astype(np.int32)
    for ink, thickness in UNSEEN:
        outline = [_outline(printed, space)]
        cv2.polylines(picture, outline, True, ink, thickness, cv2.LINE_AA, SHIFT)
        cv2.polylines(picture, [*ends], False, ink, thickness, cv2.LINE_AA, SHIFT)


def _ring(picture: Picture, middle: Float64s, colour: Colour | None, radius: int) -> None:
    """Draw a station's ring and its colour's letter; without a colour a doubt's ring."""
    at = (round(float(middle[0])), round(float(middle[1])))
    ink = DOUBT if colour is None else INKS.get(colour, OTHER_INK)
    cv2.circle(picture, at, radius, (255, 255, 255), 5, cv2.LINE_AA)
    cv2.circle(picture, at, radius, ink, 3, cv2.LINE_AA)
    if colour is not None:
        _text(picture, at, letter_of(colour))


def letter_of(colour: Colour) -> str:
    """Return a colour's letter: the first, but K for black, as printers have it.

    >>> letter_of("blue"), letter_of("black")
    ('B', 'K')
    """
    return "K" if colour == "black" else colour[:1].upper()


def _number(picture: Picture, middle: Float64s, number: int) -> None:
    """Draw a doubt's number, as in the list of doubts, on a white disc."""
    x, y = (int(v) for v in np.rint(middle))
    cv2.circle(picture, (x, y), 15, (255, 255, 255), -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), 15, DOUBT, 2, cv2.LINE_AA)
    _text(picture, (x, y), str(number))


def _text(picture: Picture, middle: tuple[int, int], text: str) -> None:
    """Draw black text with a white outline around a point."""
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 2)
    at = (middle[0] - width // 2, middle[1] + height // 2)
    for ink, thickness in (((255, 255, 255), 5), ((0, 0, 0), 2)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, ink, thickness, cv2.LINE_AA)


def suggested_spaces(printed: PrintedBoard, trains: Sequence[TrainColour]) -> dict[str, SpaceKey]:
    """Return a space for one train of each colour: far from the others, on print unlike it.

    Grey print is preferred.
    """
    keys = space_keys(printed.board)
    names = [printed.board.routes[r].colour for r in printed.route_of]
    apart = np.linalg.norm(printed.xy_mm[:, None] - printed.xy_mm[None], axis=-1)
    apart[printed.route_of[:, None] == printed.route_of[None]] = np.inf
    room = apart.min(axis=1)
    height, width = (side / printed.px_per_mm for side in printed.reference.shape[:2])
    x, y = printed.xy_mm.T
    edge = np.minimum.reduce([x, y, width - x, height - y])
    usual = (edge > FROM_EDGE_MM) & (room > ROOM_MM)
    chosen: dict[str, int] = {}
    for train in trains:
        unlike = np.array([not train.resembles(name) for name in names])
        grey = unlike & np.array([name == "grey" for name in names])
        fits = next((kind for kind in (usual & grey, usual & unlike, unlike) if kind.any()), usual)
        middle = np.array([width, height]) / 2
        others = printed.xy_mm[list(chosen.values())] if chosen else middle[None]
        far = np.linalg.norm(printed.xy_mm[:, None] - others[None], axis=-1).min(axis=1)
        chosen[train.name] = int(np.argmax(np.where(fits, far, -1.0)))
    return {name: keys[space] for name, space in chosen.items()}


def mark_spaces(picture: Picture, printed: PrintedBoard, marked: Mapping[str, SpaceKey]) -> Picture:
    """Return a rectified picture with bold outlines, and beside each the colour to lay there."""
    marks = picture.copy()
    numbers = {key: number for number, key in enumerate(space_keys(printed.board))}
    for name, key in marked.items():
        space = np.intp(numbers[key])
        outline = [_outline(printed, space, margin_mm=4.0)]
        for ink, thickness in (((255, 255, 255), 7), (DOUBT, 3)):
            cv2.polylines(marks, outline, True, ink, thickness, cv2.LINE_AA, SHIFT)
        (wide, high), _ = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
        x, y = printed.xy_mm[space] * printed.px_per_mm
        left = int(np.clip(x - wide / 2, 4, marks.shape[1] - wide - 4))
        top = int(y - 18 * printed.px_per_mm)
        low = top if top - high > 4 else int(y + 18 * printed.px_per_mm) + high
        for ink, thickness in (((255, 255, 255), 6), ((0, 0, 0), 2)):
            cv2.putText(
                marks, name, (left, low), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, thickness, cv2.LINE_AA
            )
    return marks
