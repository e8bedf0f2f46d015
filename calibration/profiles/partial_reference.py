"""A reference taken with trains on the board: hidden print is drawn until it is seen."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

import cv2
import numpy as np
from railspotter.scoring.board import Board, RouteId

from ..arrays import Mask, Picture
from .drawn_reference import DEPTHS_MM, PrintedColours, draw_reference, measure_colours
from .features import Features
from .profile import Offset, Profile, SpaceKey, route_of_key, space_key
from .reference import FEATURES, NEIGHBOURS, spread_features

# Standard deviation of blending photo and drawing: a hard edge would look like print.
SOFT_MM = 1.0
# Least free spaces of one printed colour for measuring its ink: some may have glare.
FEW = 8
CLEAR_MM = 8.0  # least distance of a feature from hidden pixels: else it may be a train's


def without_trains(
    profile: Profile, drawn: Profile, is_hidden: Mask, unseen: Collection[SpaceKey]
) -> Profile:
    """Return a profile with drawn print where trains stood in its photo.

    Parameters
    ----------
    profile, drawn : Profile
        The profile of the photo, and that of `drawn_as_shown`.
    is_hidden, unseen
        See `drawn_as_shown`.
    """
    share = cv2.GaussianBlur(is_hidden.astype(np.float32), (0, 0), SOFT_MM * profile.px_per_mm)
    share = np.maximum(share, is_hidden)[..., None]
    reference = profile.reference * (1 - share) + drawn.reference * share
    picture = np.rint(reference).astype(np.uint8)
    return replace(
        profile,
        reference=picture,
        print_offsets_mm=drawn.print_offsets_mm,
        features=_features(picture, is_hidden, profile.px_per_mm),
        unseen=frozenset(unseen),
    )


def drawn_as_shown(
    profile: Profile,
    board: Board,
    is_hidden: Mask,
    unseen: Collection[SpaceKey],
    spare: PrintedColours | None = None,
    usual_mm: Mapping[RouteId, Offset] | None = None,
    few: int = FEW,
) -> Profile:
    """Return a profile drawn in the inks of its photo, with this copy's offsets.

    Parameters
    ----------
    profile : Profile
        As made from the photo.
    board : Board
        In the profile's own millimetres.
    is_hidden : (H, W) bool array
        Pixels of the reference that trains hide.
    unseen : collection of space key
        Spaces that the reference does not show free.
    spare : PrintedColours, optional
        Another copy's colours, for inks with fewer than `few` visible spaces.
    usual_mm : mapping of route id to (dx, dy), optional
        Offsets of routes on other copies, from the board file.
    """
    offsets = _offsets(profile, board, {route_of_key(key) for key in unseen}, usual_mm or {})
    seen = measure_colours(profile.reference, profile.px_per_mm, board, offsets, is_hidden)
    if spare is not None:
        seen = _with_spare(seen, spare, _scarce(board, unseen, few))
    colours = _with_ground(seen, {route.colour for route in board.routes})
    drawing = draw_reference(colours, profile.px_per_mm, board, offsets)
    return replace(profile, reference=drawing, print_offsets_mm=offsets, is_drawn=True)


def _offsets(
    profile: Profile,
    board: Board,
    hidden: Collection[RouteId],
    usual_mm: Mapping[RouteId, Offset],
) -> dict[RouteId, Offset]:
    """Return this copy's offsets of routes; hidden ones are moved like the routes around them."""
    offsets = {route.id: profile.print_offsets_mm[route.id] for route in board.routes}
    usual = {route.id: usual_mm.get(route.id, (0.0, 0.0)) for route in board.routes}
    middle = {r.id: np.mean([s.xy_mm for s in r.spaces], axis=0) for r in board.routes}
    known = [route.id for route in board.routes if route.id not in hidden]
    for route in hidden:
        near = sorted(known, key=lambda other: float(np.hypot(*(middle[other] - middle[route]))))
        own = [np.subtract(offsets[other], usual[other]) for other in near[:NEIGHBOURS]]
        step = np.median(own, axis=0) if own else np.zeros(2)
        dx, dy = np.add(usual[route], step).tolist()
        offsets[route] = (dx, dy)
    return offsets


def _scarce(board: Board, unseen: Collection[SpaceKey], few: int) -> set[str]:
    """Return the printed colours with fewer than `few` visible spaces."""
    shown = Counter(
        route.colour
        for route in board.routes
        for number in range(len(route.spaces))
        if space_key(route.id, number) not in unseen
    )
    return {route.colour for route in board.routes if shown[route.colour] < few}


def _with_spare(seen: PrintedColours, spare: PrintedColours, scarce: set[str]) -> PrintedColours:
    """Return a photo's colours with scarce inks taken from another copy, scaled to its light."""
    plenty = [name for name in seen.inks if name in spare.inks and name not in scarce]
    ratios = [(seen.inks[name] + 2.0) / (spare.inks[name] + 2.0) for name in plenty]
    ratios.append(np.median((seen.ground + 2.0) / (spare.ground + 2.0), axis=(0, 1))[None])
    gain = np.median(np.concatenate(ratios), axis=0)
    relit = {
        colour: np.rint(np.clip(spare.inks[colour] * gain, 0, 255)).astype(np.uint8)
        for colour in scarce
        if colour in spare.inks
    }
    return PrintedColours(seen.ground, {**seen.inks, **relit})


def _with_ground(seen: PrintedColours, wanted: set[str]) -> PrintedColours:
    """Return colours with the ground's colour for inks that were not measured."""
    bare = np.median(seen.ground, axis=(0, 1))
    unseen_ink = np.tile(np.rint(bare).astype(np.uint8), (len(DEPTHS_MM), 1))
    return PrintedColours(
        seen.ground, {colour: seen.inks.get(colour, unseen_ink) for colour in sorted(wanted)}
    )


def _features(reference: Picture, is_hidden: Mask, px_per_mm: float) -> Features:
    """Return the features of a reference outside of its drawn parts."""
    found = spread_features(reference, FEATURES)
    reach = 2 * round(CLEAR_MM * px_per_mm) + 1
    near = cv2.dilate(is_hidden.astype(np.uint8), np.ones((reach, reach), np.uint8))
    height, width = is_hidden.shape
    columns = np.clip(found.points[:, 0] * px_per_mm, 0, width - 1).astype(np.intp)
    rows = np.clip(found.points[:, 1] * px_per_mm, 0, height - 1).astype(np.intp)
    bare = near[rows, columns] == 0
    return Features(found.points[bare], found.descriptors[bare])
