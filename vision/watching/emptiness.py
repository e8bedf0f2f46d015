"""Tells whether a reference photo shows the board empty, and which spaces trains hide."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Mask
from railspotter.calibration.pose import Viewpoint
from railspotter.calibration.profiles.drawn_reference import PrintedColours, with_common_marks
from railspotter.calibration.profiles.partial_reference import drawn_as_shown
from railspotter.calibration.profiles.profile import Profile, SpaceKey, board_of_copy, space_keys
from railspotter.scoring.board import Board, RouteId

from ..colours.print_inks import bare_routes
from ..look.view import Pieces, View
from ..printed.printed_board import PrintedBoard
from ..reading.cue_reader import weigh
from ..reading.cues import BARE
from ..reading.doubts import reading_of
from ..reading.odds import WeighedBoard

HIDDEN = 0.25  # share of a space under trains from which it counts as unseen
# Mean squared standard deviations from its drawn print from which a space shows glare or a thing:
# of free ones of four photos nine in ten have 4.4 at most, under glare 8.9.
UNLIKE = 4.5
AROUND_MM = 3.0  # margin around trains and their spaces for shadows


@dataclass(frozen=True, eq=False)
class OccupiedReference:
    """The trains on a board when its reference was taken."""

    routes: tuple[RouteId, ...]  # routes with trains
    # Spaces that were not surely seen free.
    unseen: frozenset[SpaceKey]
    is_hidden: Mask  # (H, W): pixels of the reference that are no bare print


def find_occupied(
    profile: Profile,
    board: Board,
    viewpoint: Viewpoint,
    pieces: Pieces,
    stand_in: Profile | None,
) -> OccupiedReference | None:
    """Return the trains on the board in a profile's reference; None if it is empty.

    Parameters
    ----------
    profile : Profile
        As made from the photo.
    viewpoint : Viewpoint
        Viewpoint of its photo.
    pieces : Pieces
        What may stand on the board.
    stand_in : Profile or None
        A profile drawn from the board's fingerprint; without one, the board is drawn in inks that
        are estimated from the photo itself.
    """
    guide = _by_colours(profile, board, pieces) if stand_in is None else _guide(profile, stand_in)
    weighed = _weighed(profile, board, guide, viewpoint, pieces)
    reading = reading_of(weighed)
    if not reading.claims:
        return None
    asked = {doubt.spot.id for doubt in reading.doubts if doubt.spot.kind == "route"}
    return OccupiedReference(
        tuple(reading.claims), *_unseen(weighed, {*reading.claims, *asked}, profile)
    )


def print_as_shown(
    profile: Profile,
    board: Board,
    viewpoint: Viewpoint,
    pieces: Pieces,
    spare: PrintedColours | None = None,
) -> Profile:
    """Return a profile whose reference is drawn in the inks of its photo, for an unknown print.

    First trains are told from print by colours alone, then by all cues against such a drawing.

    Parameters
    ----------
    profile : Profile
        As made from the photo, as of `find_occupied`.
    spare : PrintedColours, optional
        Inks of another print, for printed colours with trains on all their routes.
    """
    guide = _by_colours(profile, board, pieces, spare)
    weighed = _weighed(profile, board, guide, viewpoint, pieces)
    unseen, hidden = _unseen(weighed, reading_of(weighed).claims, profile)
    return _drawn(profile, board, hidden, unseen, spare)


def _weighed(
    profile: Profile, board: Board, guide: Profile, viewpoint: Viewpoint, pieces: Pieces
) -> WeighedBoard:
    """Weigh the photo of a profile against the reference of a guide."""
    printed = PrintedBoard.of(board, guide)
    height, width = printed.reference.shape[:2]
    resized = cv2.resize(profile.reference, (width, height), interpolation=cv2.INTER_AREA)
    rectified = np.asarray(resized, np.uint8)
    return weigh(View(printed, rectified, viewpoint, pieces.in_light_of(rectified, printed)))


def _guide(profile: Profile, stand_in: Profile) -> Profile:
    """Return the profile with a stand-in's reference, at the profile's size."""
    reference = cv2.resize(
        stand_in.reference, profile.reference.shape[1::-1], interpolation=cv2.INTER_AREA
    )
    return replace(
        profile,
        reference=np.asarray(reference, np.uint8),
        print_offsets_mm=stand_in.print_offsets_mm,
        is_drawn=True,
    )


def _by_colours(
    profile: Profile, board: Board, pieces: Pieces, spare: PrintedColours | None = None
) -> Profile:
    """Return a profile drawn in the inks of routes that are bare by their colours alone."""
    printed = PrintedBoard.of(board, profile)
    unseen = ~bare_routes(printed, pieces.trains)[printed.route_of]
    shapes = printed.footprint(np.flatnonzero(unseen), printed.px_per_mm, AROUND_MM)
    keys = frozenset(np.array(space_keys(printed.board))[unseen].tolist())
    return _drawn(profile, board, _as_large(shapes > 0, profile), keys, spare)


def _drawn(
    profile: Profile,
    board: Board,
    is_hidden: Mask,
    unseen: frozenset[SpaceKey],
    spare: PrintedColours | None,
) -> Profile:
    board = board_of_copy(board, profile.scale)
    drawn = drawn_as_shown(profile, board, is_hidden, unseen, spare, few=1)
    marked = with_common_marks(drawn, profile.reference, board, is_hidden)
    return replace(drawn, reference=marked)


def _as_large(mask: Mask, profile: Profile) -> Mask:
    """Return a mask scaled to the size of a profile's reference."""
    size_wh = profile.reference.shape[1::-1]
    larger = cv2.resize(mask.astype(np.uint8), size_wh, interpolation=cv2.INTER_NEAREST)
    return np.asarray(larger > 0)


def _unseen(
    weighed: WeighedBoard, routes: Collection[RouteId], profile: Profile
) -> tuple[frozenset[SpaceKey], Mask]:
    """Return the spaces that were not surely seen free, and a mask of what hides them."""
    printed, odds = weighed.view.printed, weighed.odds
    named = np.array([route.id in routes for route in printed.board.routes])
    # A free route taken for covered costs little; trains taken for print are never seen again.
    named |= odds.routes.max(axis=1) > BARE
    unseen = named[printed.route_of] | (odds.spaces.max(axis=1) > 0)
    length, width = float(np.median(printed.size_mm[:, 0])), float(np.median(printed.size_mm[:, 1]))
    from_print = weighed.first.seen.print_distance2[printed.middles_of_seen]
    unseen |= from_print.mean(axis=(1, 2)) > UNLIKE
    inside = printed.window_pixels[(slice(None), *printed.middle(length, width))]
    covered = weighed.first.trains.owner.reshape(-1)[inside] > 0
    unseen |= covered.mean(axis=(1, 2)) > HIDDEN
    keys = frozenset(np.array(space_keys(printed.board))[unseen].tolist())
    return keys, _as_large(_hidden(weighed, unseen), profile)


def _hidden(weighed: WeighedBoard, unseen: Mask) -> Mask:
    """Return a mask of print that trains hide or may hide, (H, W)."""
    printed = weighed.view.printed
    reach = 2 * round(AROUND_MM * printed.px_per_mm) + 1
    trains = (weighed.first.trains.owner > 0).astype(np.uint8)
    hidden = cv2.dilate(trains, np.ones((reach, reach), np.uint8))
    spaces = np.flatnonzero(unseen)
    shapes = printed.footprint(spaces, printed.px_per_mm, AROUND_MM)
    return np.asarray((hidden > 0) | (shapes > 0))
