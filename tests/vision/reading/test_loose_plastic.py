"""What is left of the plastic when claimed trains are taken away belongs to somebody."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import cv2
import drawn
import numpy as np
import numpy.typing as npt
import pytest
from railspotter.calibration.arrays import Float32s, Mask, Points
from railspotter.vision.look.first_look import FirstLook, look
from railspotter.vision.look.train_net import CELLS, cut, window_grid
from railspotter.vision.look.view import SEEN_HEIGHT, View
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.doubts import LOOSE
from railspotter.vision.reading.loose_plastic import loose_plastic

ON_RED, ON_GREY, LANE = "chicago--duluth", "miami--new-orleans", "portland--seattle--0"
FREE = "calgary--winnipeg"
NEAR_MM = 45.0  # from a route's spaces: what lies there may be seen beside others' too


@cache
def looked() -> tuple[View, FirstLook]:
    """The drawn board with a game on it."""
    view = drawn.found(drawn.game().picture).view
    return view, look(view)


@cache
def seen_rightly() -> tuple[View, FirstLook]:
    """The same, with plastic seen exactly where the trains are."""
    view, first = looked()
    mask = np.zeros(view.printed.reference.shape[:2], np.uint8)
    for train in drawn.game().pieces:
        lay(mask, view, np.array(train.xy_mm), np.deg2rad(train.angle_deg))
    return view, with_plastic(view, first, mask)


def lay(mask: npt.NDArray[np.uint8], view: View, foot_mm: Points, angle: float) -> None:
    """Mark where a train is seen."""
    height = SEEN_HEIGHT * view.pieces.train_size_mm[2]
    along = np.array([np.cos(angle), np.sin(angle)]) * view.pieces.train_size_mm[0] / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * view.pieces.train_size_mm[1] / 2
    corners = np.array([along + across, along - across, -along - across, across - along])
    seen = corners + foot_mm + view.viewpoint.lean_mm(foot_mm[None], height)[0]
    outline = np.rint(seen * view.printed.px_per_mm - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, outline, 255)


def with_plastic(view: View, first: FirstLook, mask: npt.NDArray[np.uint8]) -> FirstLook:
    """The look with plastic where a mask from above says."""
    printed = view.printed
    grid = window_grid(printed.xy_mm, printed.along) * printed.px_per_mm - 0.5
    windows = cut(np.dstack([mask] * 3), grid.astype(np.float32))[..., 0]
    cells = [cv2.resize(each, CELLS, interpolation=cv2.INTER_AREA) for each in windows]
    plastic = np.asarray(np.stack(cells) / 255, np.float32)
    return replace(first, shape=replace(first.shape, plastic=plastic))


def left(view: View, first: FirstLook, claimed: Iterable[str]) -> Float32s:
    return loose_plastic(view, first, set(claimed))


def of(route: str, printed: PrintedBoard) -> Mask:
    names = [each.id for each in printed.board.routes]
    return np.asarray(printed.route_of == names.index(route))


def is_near(route: str, printed: PrintedBoard) -> Mask:
    apart = printed.xy_mm[:, None] - printed.xy_mm[of(route, printed)]
    return np.asarray(np.linalg.norm(apart, axis=-1).min(axis=1) < NEAR_MM)


def test_claims_account_for_their_trains() -> None:
    assert left(*seen_rightly(), drawn.CLAIMS).max() < 0.2


@pytest.mark.parametrize("route", [ON_RED, ON_GREY, LANE, "denver--phoenix"])
def test_what_one_route_forgets_is_left_there_and_nowhere_else(route: str) -> None:
    view, first = seen_rightly()
    shares = left(view, first, drawn.CLAIMS.keys() - {route})
    assert shares[of(route, view.printed)].min() > LOOSE
    assert shares[~is_near(route, view.printed)].max() < 0.2


def test_the_net_sees_it_too() -> None:
    view, first = looked()
    assert np.mean(left(view, first, drawn.CLAIMS) > LOOSE) < 0.02
    noticed = {
        route
        for route in drawn.CLAIMS
        if left(view, first, drawn.CLAIMS.keys() - {route})[of(route, view.printed)].max() > LOOSE
    }
    assert len(noticed) >= 0.9 * len(drawn.CLAIMS)


def test_a_train_beside_a_free_route_is_left() -> None:
    """It was pushed off all of its space."""
    view, first = looked()
    printed = view.printed
    (space, *_) = np.flatnonzero(of(FREE, printed))
    mask = np.zeros(printed.reference.shape[:2], np.uint8)
    beside = printed.xy_mm[space] + 7.0 * printed.across[space]
    lay(mask, view, beside, float(np.arctan2(*printed.along[space][::-1])))
    shares = left(view, with_plastic(view, first, mask), ())
    assert shares[space] > LOOSE
    assert shares[~is_near(FREE, printed)].max() == 0


def test_a_claimed_train_that_stands_off_accounts_for_its_plastic() -> None:
    view, first = looked()
    printed = view.printed
    own = of(ON_GREY, printed)
    off = 4.0 * printed.across
    mask = np.zeros(printed.reference.shape[:2], np.uint8)
    for space in np.flatnonzero(own):
        lay(
            mask,
            view,
            printed.xy_mm[space] + off[space],
            float(np.arctan2(*printed.along[space][::-1])),
        )
    first = with_plastic(view, first, mask)
    placements = first.trains.placements
    offset = np.zeros_like(placements.offset_mm)
    offset[own] = off[own][:, None]
    trains = replace(first.trains, placements=replace(placements, offset_mm=offset))
    assert left(view, replace(first, trains=trains), {ON_GREY}).max() < 0.2
    assert left(view, replace(first, trains=trains), ()).max() > LOOSE


def test_a_thin_rim_is_no_train() -> None:
    view, first = looked()
    printed = view.printed
    x, y = np.rint(printed.xy_mm[of(FREE, printed)][0] * printed.px_per_mm).astype(int).tolist()
    mask = np.zeros(printed.reference.shape[:2], np.uint8)
    mask[y - 2 : y + 2, x - 40 : x + 40] = 255
    assert left(view, with_plastic(view, first, mask), ()).max() == 0
