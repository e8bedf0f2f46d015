"""Trains that shape is sure of show where they stand, and the map of plastic only beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
from railspotter.vision.look.evidence import colour_evidence
from railspotter.vision.look.first_look import FirstLook, look
from railspotter.vision.look.placement import Placements, TrainPlacer
from railspotter.vision.look.shape_look import CELL_MM, ShapeLook, TrainsByShape, trains_by_shape
from railspotter.vision.look.view import View

BARE, TRAIN = -6.0, 6.0  # log-odds that the net may say of a space


@cache
def looked() -> tuple[View, FirstLook]:
    """The drawn board with a game on it."""
    view = drawn.found(drawn.game().picture).view
    return view, look(view)


@cache
def placed() -> tuple[TrainPlacer, Placements]:
    view, first = looked()
    evidence = colour_evidence(first.seen, first.colours)
    placer = TrainPlacer(view.printed, evidence, view.viewpoint, view.pieces.train_size_mm)
    return placer, placer.place_alone()


def by_shape(shape: ShapeLook) -> TrainsByShape:
    return trains_by_shape(looked()[0].printed, shape, *placed())


def test_trains_of_covered_routes_show_where_they_stand() -> None:
    view, first = looked()
    printed = view.printed
    trains = by_shape(first.shape)
    names = np.array(["", *(route.id for route in printed.board.routes)])
    assert {*names[np.unique(trains.owner)]} - {""} == {*drawn.CLAIMS}
    for train in drawn.game().pieces:
        x, y = (np.array(train.xy_mm) * printed.px_per_mm).astype(int)
        assert trains.owner[y, x] > 0, "what leans away still covers the middle of its foot"
        assert trains.plastic[y, x] >> view.pieces.colours.index(train.colour) & 1


def test_plastic_elsewhere_is_nothing_of_theirs() -> None:
    _, first = looked()
    everywhere = replace(first.shape, plastic=np.ones_like(first.shape.plastic))
    trains = by_shape(everywhere)
    scale = looked()[0].printed.px_per_mm
    reach = round(3 * CELL_MM * scale)
    beside = cv2.dilate((trains.owner > 0).astype(np.uint8), np.ones((2 * reach + 1,) * 2))
    assert trains.plastic.any()
    assert not trains.plastic[beside == 0].any()
    assert (trains.plastic[trains.owner > 0] > 0).mean() > 0.95


def test_where_shape_knows_of_no_train_there_is_none() -> None:
    view, first = looked()
    bare = np.full_like(first.shape.covered, BARE)
    one = view.printed.route_of == 0
    trains = by_shape(replace(first.shape, covered=bare))
    assert not trains.owner.any()
    assert not trains.plastic.any()
    covered = np.where(one, TRAIN, BARE).astype(np.float32)
    assert {*np.unique(by_shape(replace(first.shape, covered=covered)).owner)} == {0, 1}


def test_one_space_that_something_covers_makes_no_train() -> None:
    view, first = looked()
    covered = np.full_like(first.shape.covered, BARE)
    route = np.flatnonzero(np.bincount(view.printed.route_of) >= 3)[0]
    covered[np.flatnonzero(view.printed.route_of == route)[0]] = 100 * TRAIN
    assert not by_shape(replace(first.shape, covered=covered)).owner.any()
