"""What makes a route hard to read in a photo, told from its truth and its light, not its reading.

A route may be in several kinds of trouble, and is counted under each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float64s, Mask
from railspotter.scoring.board import RouteId
from railspotter.vision.look.view import View
from railspotter.vision.printed.light import measure_light
from railspotter.vision.printed.printed_board import PrintedBoard

from photos.judgement import Answers, TroubleCount
from photos.labelled import LabelledPhoto

KINDS = ("same colour", "neighbour leans", "double", "bumped", "glare", "shadow", "none of these")
NEAR_MM = 14.0  # how near another route's train must come for its lean or its shadow to matter
# Brightness from which a pixel is washed out, though the reference is below the second there.
WHITE, PLAIN = 235, 205
WASHED_OUT = 0.1  # share of a route's pixels
SHADED = 0.65  # light, of the board's middle value, below which a route lies in shadow


def troubles(photo: LabelledPhoto, view: View) -> Mapping[RouteId, frozenset[str]]:
    """Return the kinds of trouble that each labelled route is in; none for a plain one."""
    printed = view.printed
    claims = photo.truth["claims"]
    gain = measure_light(view.rectified, printed).gain
    light = _per_route(printed, gain.mean(axis=-1))
    lit = view.rectified.max(axis=-1)
    glare = _per_route(printed, (lit > WHITE) & (printed.reference.max(axis=-1) < PLAIN))
    bumped = set(photo.half_filled)
    for stray in photo.truth.get("stray_trains", []):
        bumped.add(stray["route"])
    near = _near(printed)
    taken = np.array([route.id in claims for route in printed.board.routes])
    found = {}
    for r, route in enumerate(printed.board.routes):
        lanes = printed.board.other_lanes.get(route.id, frozenset())
        is_so = {
            "same colour": claims.get(route.id) == route.colour,
            "neighbour leans": not taken[r] and bool(taken[near[r]].any()),
            "double": bool(lanes) and bool({route.id, *lanes} & claims.keys()),
            "bumped": bool({route.id, *lanes} & bumped),
            "glare": glare[r] > WASHED_OUT,
            "shadow": light[r] < SHADED * np.median(light),
        }
        if route.id in photo.truth["spaces"]:
            found[route.id] = frozenset(kind for kind, holds in is_so.items() if holds)
    return found


def confusion(
    found: Mapping[RouteId, frozenset[str]],
    answers: Answers,
    half_filled: Collection[RouteId],
    doubted: Collection[RouteId],
) -> tuple[TroubleCount, ...]:
    """Count one photo's routes under every kind of trouble that they are in."""
    wrong = {route.route: route for route in answers.wrong}
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for route, kinds in found.items():
        if route in half_filled:
            continue
        for kind in kinds or {KINDS[-1]}:
            counts[kind]["routes"] += 1
            counts[kind]["doubted"] += route in doubted
            counts[kind]["wrong"] += route in wrong
            counts[kind]["certain"] += route in wrong and not wrong[route].doubted
    return tuple(
        TroubleCount(kind, c["routes"], c["wrong"], c["certain"], c["doubted"])
        for kind, c in counts.items()
    )


def _per_route(printed: PrintedBoard, picture: npt.NDArray[np.generic]) -> Float64s:
    """Return a picture's mean over each route's spaces, (R,)."""
    part = (slice(None), *printed.middle(20.0, 7.0))
    over = picture.reshape(-1)[printed.windows[part]].astype(np.float64)
    return printed.per_route_mean(over.mean(axis=(1, 2)))


def _near(printed: PrintedBoard) -> Mask:
    """Tell which routes have spaces side by side, (R, R)."""
    apart = np.linalg.norm(printed.xy_mm[:, None] - printed.xy_mm[None], axis=-1)
    near = np.zeros((len(printed.board.routes),) * 2, dtype=bool)
    first, second = np.nonzero(apart < NEAR_MM)
    near[printed.route_of[first], printed.route_of[second]] = True
    np.fill_diagonal(near, False)
    return near
