"""The annotated picture: drawn on what was said or doubted, and nowhere else."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import cv2
import drawn
import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.calibration.board_making.proposal_picture import INKS
from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.vision.colours.train_colours import plastic
from railspotter.vision.look.view import View
from railspotter.vision.reading.annotate import annotate, annotate_answers, annotate_print
from railspotter.vision.readings import Doubt, PieceReading, Reading

CLAIM, DOUBTED = "helena--seattle", "duluth--helena"


def reading(seen: Mapping[str, PieceReading] = MappingProxyType({})) -> Reading:
    free = {route.id: PieceReading(None, 1.0) for route in drawn.usa().routes}
    return Reading(spots_of("route", {**free, **seen}))


def near_spaces(view: View, *routes: str, margin_mm: float) -> Mask:
    """The pixels that lie on the routes' spaces or so near to them."""
    near = np.zeros(view.rectified.shape[:2], np.uint8)
    scale = view.printed.px_per_mm
    for route in routes:
        for space in drawn.usa().route_by_id[route].spaces:
            size = tuple(scale * (side + 2 * margin_mm) for side in space.size_mm)
            middle = tuple(scale * side for side in space.xy_mm)
            box = cv2.boxPoints((middle, size, space.angle_deg))
            cv2.fillConvexPoly(near, np.rint(box).astype(np.int32), 1)
    return near.astype(bool)


def changed(view: View, said: Reading) -> Mask:
    return np.asarray((annotate(view, said) != view.rectified).any(axis=-1))


def test_nothing_said_nothing_drawn() -> None:
    view = drawn.found(drawn.game().picture).view
    assert not changed(view, reading()).any()


def test_a_claim_is_outlined_in_its_colour() -> None:
    view = drawn.found(drawn.game().picture).view
    before = view.rectified.copy()
    said = reading({CLAIM: PieceReading("blue", 0.9)})
    touched = changed(view, said)
    assert touched.sum() > 500
    assert not touched[~near_spaces(view, CLAIM, margin_mm=4)].any()
    assert not touched[near_spaces(view, CLAIM, margin_mm=-3.5)].any(), "the train stays visible"
    assert np.array_equal(view.rectified, before)
    drawing = annotate(view, said)[touched].astype(int)
    assert np.any(np.abs(drawing - INKS["blue"]).max(axis=-1) < 12)


def test_a_doubt_is_outlined_and_numbered() -> None:
    view = drawn.found(drawn.game().picture).view
    doubt = Doubt(Spot("route", DOUBTED), None, ("red",), Sentence("glare lies over it"))
    touched = changed(view, reading({DOUBTED: PieceReading(None, 0.6, doubt)}))
    assert not touched[~near_spaces(view, DOUBTED, margin_mm=12)].any()
    middle = np.mean([space.xy_mm for space in drawn.usa().route_by_id[DOUBTED].spaces], axis=0)
    column, row = (view.printed.px_per_mm * middle).astype(int)
    assert touched[row - 8 : row + 8, column - 8 : column + 8].mean() > 0.9


def test_answers_are_drawn_as_discs_on_what_they_are_about() -> None:
    board = load_board("europe")
    picture = np.full((1060, 1590, 3), 90, np.uint8)
    answers = {
        Spot("route", "berlin--essen"): "red",
        Spot("station", "roma"): "blue",
        Spot("route", "brest--dieppe"): None,
    }
    marked = annotate_answers(picture, board, answers)
    route = board.route_by_id["berlin--essen"].spaces
    assert len(route) == 2
    free = board.route_by_id["brest--dieppe"].spaces
    assert len(free) == 2
    places = (
        (np.mean([space.xy_mm for space in route], axis=0), INKS["red"]),
        (np.array(board.place_by_id["roma"].xy_mm), INKS["blue"]),
        (np.mean([space.xy_mm for space in free], axis=0), (255, 255, 255)),
    )
    touched = (marked != picture).any(axis=-1)
    for middle, ink in places:
        column, row = np.rint(2 * middle).astype(int)
        assert marked[row - 9, column].tolist() == list(ink)
        inside = marked[row - 8 : row + 9, column - 8 : column + 9]
        assert (inside.max(axis=-1) < 60).any(), "a letter or a dash is written there"
        touched[row - 18 : row + 19, column - 18 : column + 19] = False
    assert not touched.any()


def test_an_unknown_colour_is_drawn_too() -> None:
    view = drawn.found(drawn.game().picture).view
    assert changed(view, reading({CLAIM: PieceReading("brown", 0.9)})).sum() > 500
    assert INKS.keys() >= {train.name for box in ("usa", "newyork") for train in plastic(box)}


def test_the_print_is_outlined_where_it_was_found() -> None:
    printed = drawn.found(drawn.game().picture).view.printed
    outlined = (annotate_print(printed) != printed.reference).any(axis=-1)
    for xy, along, across in zip(printed.xy_mm, printed.along, printed.across, strict=True):
        for side in (13.1 * along, -13.1 * along, 4.65 * across, -4.65 * across):
            column, row = np.rint((xy + side) * printed.px_per_mm - 0.5).astype(int)
            assert outlined[row - 2 : row + 3, column - 2 : column + 3].any()
    elsewhere = replace(printed, print_offsets_mm={CLAIM: (3.0, 0.0)})
    assert not np.array_equal(annotate_print(elsewhere), annotate_print(printed))
