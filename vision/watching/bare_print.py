"""Collects bare print of routes that a reference, taken with trains on it, does not show."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Mask, Picture
from railspotter.calibration.pose import rectify
from railspotter.calibration.profiles.profile import Profile, SpaceKey, route_of_key, space_keys
from railspotter.scoring.board import RouteId

from ..printed.printed_board import PrintedBoard
from ..reading.cue_reader import weigh
from ..reading.doubts import reading_of
from .emptiness import AROUND_MM
from .looks import Look

# Log-odds of trains on a route, and on each of its spaces, and of the net alone, below which it is
# surely free.
FREE = -1.0
VISIBLE = 0.9  # least visibility of a route: no glare, no hand
OVERLAID = 0.05  # most share of a route under trains beside it, which is left out
LEAST_PX_PER_MM = 1.0  # of the picture; a coarser one would be worse than a drawing
ALIKE = 8.0  # most mean difference, in levels of 255, between pictures of one bare print
AGREEING = 3  # pictures that must agree before their median becomes the reference


@dataclass(frozen=True, eq=False)
class BarePrint:
    """A picture's pixels of one free route's spaces."""

    route: RouteId
    spaces: frozenset[SpaceKey]  # spaces that the reference does not show
    patch: Picture  # (h, w, 3) uint8, BGR, at the reference's scale and in its light
    at_px: tuple[int, int]  # its top-left pixel in the reference: (column, row)
    is_shown: Mask  # (h, w): which pixels of the patch are of the spaces


def bare_prints(look: Look, profile: Profile, routes: Collection[RouteId]) -> tuple[BarePrint, ...]:
    """Return the bare prints of routes that a picture surely shows free.

    Parameters
    ----------
    look : Look
        A frame in which nothing moves or lies over the board.
    profile : Profile
        Its reference lacks spaces of some routes.
    routes : collection of str
        Routes that are believed to be free.
    """
    height, width = look.picture.shape[:2]
    corners = look.pose.corners_px
    wide = np.linalg.norm(corners[[1, 2]] - corners[[0, 3]], axis=1) / profile.size_mm[0]
    is_inside = (corners > 0).all() and (corners < (width, height)).all()
    if wide.min() < LEAST_PX_PER_MM or not is_inside:
        return ()
    weighed = weigh(look.view)
    odds, printed = weighed.odds, look.printed
    answers = reading_of(weighed).pieces
    free = (odds.routes.max(axis=1) < FREE) & (odds.covered < FREE) & (odds.visible > VISIBLE)
    free &= printed.per_route_max(odds.spaces).max(axis=1) < FREE
    owner = (weighed.first.trains.owner > 0).astype(np.uint8)
    keys = space_keys(printed.board)
    rectified = rectify(look.picture, look.pose, profile.px_per_mm)
    lit = weighed.first.light.taken_out_of(rectified)
    trains = cv2.resize(owner, rectified.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
    prints = []
    for r, route in enumerate(printed.board.routes):
        answer = answers[printed.spots[r]]
        if route.id not in routes or not free[r] or answer.doubt is not None:
            continue
        spaces = np.array(
            [n for n in np.flatnonzero(printed.route_of == r) if keys[n] in profile.unseen]
        )
        if len(spaces) == 0:
            continue
        shape = printed.footprint(spaces, profile.px_per_mm, AROUND_MM) > 0
        if trains[shape].mean() > OVERLAID:
            continue
        shape &= ~trains
        rows, columns = (np.flatnonzero(shape.any(axis=axis)) for axis in (1, 0))
        part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        prints.append(
            BarePrint(
                route.id,
                frozenset(keys[n] for n in spaces),
                lit[part],
                (int(columns[0]), int(rows[0])),
                shape[part],
            )
        )
    return tuple(prints)


def median_if_alike(seen: Sequence[BarePrint]) -> BarePrint | None:
    """Return the median of the last pictures of a route; None if they are not alike yet."""
    last = seen[-AGREEING:]
    if len(last) < AGREEING or any(one.spaces != last[-1].spaces for one in last):
        return None
    patches = np.stack([one.patch for one in last]).astype(np.float32)
    shown = last[-1].is_shown
    middle = np.median(patches, axis=0)
    if np.abs(patches - middle)[:, shown].mean(axis=(1, 2)).max() > ALIKE:
        return None
    patch = np.rint(middle).astype(np.uint8)
    return BarePrint(last[-1].route, last[-1].spaces, patch, last[-1].at_px, shown)


def with_bare_print(profile: Profile, bare: BarePrint) -> Profile:
    """Return a profile with a bare print copied into its reference; its features stay."""
    (column, row), (height, width) = bare.at_px, bare.is_shown.shape
    reference = profile.reference.copy()
    part = reference[row : row + height, column : column + width]
    part[bare.is_shown] = bare.patch[bare.is_shown]
    return replace(profile, reference=reference, unseen=profile.unseen - bare.spaces)


def unseen_routes(profile: Profile, printed: PrintedBoard) -> frozenset[RouteId]:
    """Return the routes of a board with spaces that a profile's reference does not show."""
    on_board = {route.id for route in printed.board.routes}
    return frozenset(route_of_key(key) for key in profile.unseen) & on_board
