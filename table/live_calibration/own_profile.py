"""Making a profile from a photo of the user's board, with or without trains on it."""

from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.colour_sight import is_colourless
from railspotter.calibration.finding.fingerprint import load_fingerprint, shows_print, stand_in_of
from railspotter.calibration.finding.quality_check import measured_on, with_quality
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import Pose, are_in_frame, rectifying_maps, viewpoint
from railspotter.calibration.profiles.partial_reference import drawn_as_shown, without_trains
from railspotter.calibration.profiles.profile import Profile, board_of_copy, space_keys
from railspotter.calibration.profiles.reference import REFERENCE_PX_PER_MM, fit_print, make_profile
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot_names import route_name
from railspotter.vision.watching.emptiness import OccupiedReference, find_occupied, print_as_shown

from ..boards.board_choice import rules_for
from ..errors import CalibratingError
from ..pieces import pieces_of_edition

COLOURLESS = Sentence(
    "the picture has no colours, and trains are told by theirs from what is printed under them:"
    " take one of the empty board in colour and in good light"
)
# The most further pictures to measure the quality with; each takes a second or two.
MOST_CONFIRMING = 2


def profile_without_trains(
    profile: Profile,
    board: Board,
    photo: Picture,
    corners_px: npt.ArrayLike,
    lens: Lens | None = None,
) -> tuple[Profile, OccupiedReference | None]:
    """Remove trains from a profile's reference; return it and the trains.

    The profile is unchanged, and the trains are None, if the board was empty.
    """
    pose = Pose.at_corners(np.asarray(corners_px, np.float64), profile.size_mm, lens)
    eye = viewpoint(pose.frame_from_board, (photo.shape[1], photo.shape[0]))
    copy = board_of_copy(board, profile.scale)
    fingerprint = load_fingerprint(board)
    if fingerprint is not None:
        fingerprint = fingerprint.of_copy(profile.scale)
        if not shows_print(photo, pose, fingerprint):
            fingerprint = None  # the board has other artwork
    stand_in = None if fingerprint is None else stand_in_of(fingerprint, copy)
    pieces = pieces_of_edition(rules_for(board), board, profile)
    found = find_occupied(profile, board, eye, pieces, stand_in)
    if found is None:
        return profile, None
    drawn = drawn_as_shown(
        profile,
        copy,
        found.is_hidden,
        found.unseen,
        None if fingerprint is None else fingerprint.colours,
        None if fingerprint is None else fingerprint.print_offsets_mm,
    )
    return without_trains(profile, drawn, found.is_hidden, found.unseen), found


def profile_as_shown(photo: Picture, pose: Pose, blank: Profile, board: Board) -> Profile:
    """Make a profile of unknown artwork from the photo to be read, by the colours between trains.

    `blank` is a blank profile of the board. Parts outside of the photo are filled with its median
    colour.
    """
    maps, size_wh = rectifying_maps(pose, REFERENCE_PX_PER_MM), (photo.shape[1], photo.shape[0])
    reference = np.asarray(cv2.remap(photo, *maps, cv2.INTER_LINEAR), np.uint8)
    is_outside = ~are_in_frame(*maps, size_wh)
    reference[is_outside] = np.median(reference[~is_outside], axis=0)
    offsets = fit_print(reference, REFERENCE_PX_PER_MM, board)
    profile = replace(
        blank, reference=reference, px_per_mm=REFERENCE_PX_PER_MM, print_offsets_mm=offsets
    )
    eye = viewpoint(pose.frame_from_board, size_wh)
    pieces = pieces_of_edition(rules_for(board), board, profile)
    fingerprint = load_fingerprint(board)
    spare = None if fingerprint is None else fingerprint.colours
    return print_as_shown(profile, board, eye, pieces, spare)


def occupied_text(found: OccupiedReference, board: Board) -> str:
    """Return a warning that a reference was taken with trains on the board."""
    return (
        f"trains seem to lie on the board, on {len(found.routes)} routes such as"
        f" {route_name(board, found.routes[0])}: {len(found.unseen)} of its"
        f" {len(space_keys(board))} spaces were not seen free. They are read by a drawing, with"
        " more questions, until 'railspotter play' has seen them free; a photo of the empty board"
        " is better"
    )


def profile_of_picture(
    photo: Picture,
    board: Board,
    corners_px: npt.ArrayLike,
    name: str,
    lens: Lens | None = None,
    scale: float | None = None,
    others: tuple[Picture, ...] = (),
) -> tuple[Profile, OccupiedReference | None]:
    """Make a profile from a photo, with its measured quality; also return trains on the board.

    The printed board's corners in the photo are top left, top right, bottom right, bottom left.
    `lens` and `scale` are as in `make_profile`; `others` are further pictures of the same empty
    board to measure the quality with. Raises `OutlineError` for impossible corners, and
    `CalibratingError` for a picture without colours.
    """
    made_at = datetime.now(UTC).isoformat()
    profile = make_profile(photo, board, corners_px, name, made_at, lens, scale)
    if is_colourless(profile.reference, profile.px_per_mm, board):
        raise CalibratingError(COLOURLESS)
    profile = with_quality(profile, board, photo, corners_px, lens)
    profile = measured_on(profile, others[:MOST_CONFIRMING])
    return profile_without_trains(profile, board, photo, corners_px, lens)
