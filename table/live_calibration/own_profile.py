"""Making a profile of the user's board: it is found in photos or a camera, with or without trains.

`railspotter calibrate` does all of it; the page finds the board in its own pictures.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Picture
from railspotter.calibration.errors import CalibrationError, OutlineError
from railspotter.calibration.finding.fingerprint import load_fingerprint, shows_print, stand_in_of
from railspotter.calibration.finding.picture_faults import is_colourless
from railspotter.calibration.finding.quality_check import measured_on, with_quality
from railspotter.calibration.finding.ways import (
    Candidate,
    FindBy,
    FoundByNone,
    FoundPose,
    find_board,
)
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import NotFound, Pose, are_in_frame, rectifying_maps, viewpoint
from railspotter.calibration.profiles.partial_reference import drawn_as_shown, without_trains
from railspotter.calibration.profiles.profile import Profile, board_of_copy, space_keys
from railspotter.calibration.profiles.reference import REFERENCE_PX_PER_MM, fit_print, make_profile
from railspotter.calibration.sheets.lens_sheet import lens_from_sheets
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot_names import route_name
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Source
from railspotter.vision.watching.emptiness import OccupiedReference, find_occupied, print_as_shown

from ..boards.board_choice import rules_for
from ..errors import CalibratingError, HomeError, PhotoError
from ..home import ProfileStore
from ..photo_file import load_named_photo
from ..pieces import pieces_of_edition

COLOURLESS = Sentence(
    "the picture has no colours, and trains are told by theirs from what is printed under them:"
    " take one of the empty board in colour and in good light"
)
# The most further pictures to measure the quality with; each takes a second or two.
MOST_CONFIRMING = 2
CORNERS_WANTED = (
    "lay printed markers at its corners ('railspotter markers'), or give the four corners of the"
    " printed board in the photo with --corners x,y x,y x,y x,y (top left, top right, bottom right,"
    " bottom left)"
)
ONE_WANTED = "name a photo of the empty board, or a camera with --source"
FRAMES = 5  # camera pictures of one attempt
ATTEMPTS = 4
FRAME_INTERVAL_S = 0.4  # the least time between two pictures: a hand has moved by then
FIRST_TIMEOUT_S, NEXT_TIMEOUT_S = 20.0, 5.0  # for a camera's first picture, and for the next ones
# The user's own photo comes last: calibrating again suggests that it was not good.
METHODS = (FindBy.FINGERPRINT, FindBy.MARKERS, FindBy.OWN_PHOTO, FindBy.NETWORK)


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


@dataclass(frozen=True, eq=False)
class FoundReference:
    """A picture to make a profile from, with the board found in it."""

    photo: Picture
    named: str  # its file or source, for messages
    found: FoundPose
    others: tuple[Picture, ...] = ()  # further pictures of the same board

    def report(self, given: Sequence[tuple[float, float]] | None) -> tuple[str, ...]:
        """Return sentences on how it was found; `given` are the corners from the user."""
        lines: list[str] = [
            Sentence("the board was found by {way}", way=self.found.method),
            *self.found.notes,
        ]
        if given is not None:
            moved = np.hypot(*(self.found.pose.corners_px - np.array(given)).T)
            if moved.max() > 0.5:
                lines.append(
                    "the corners were moved, so that spaces lie where they are seen, by up to"
                    f" {moved.max():.0f} pixels; --no-snap leaves them"
                )
        return tuple(lines)


def find_reference(
    args: argparse.Namespace,
    board: Board,
    size_mm: tuple[float, float],
    older: Profile | None,
    lens: Lens | None,
) -> FoundReference:
    """Find the board in the photos or the camera of the command's arguments.

    `size_mm` is the user's copy's, `older` its previous profile. Raises `PhotoError`,
    `OutlineError` or `VisionError` with advice.
    """
    methods = (FindBy.MARKERS,) if args.markers else METHODS

    def find(frames: Sequence[Picture]) -> FoundPose | FoundByNone:
        return find_board(
            frames,
            [Candidate(board, older)],
            methods,
            corners=None if args.markers else args.corners,
            lens=lens,
            is_snapped=not args.no_snap,
            size_mm=size_mm,
        )

    if args.source:
        named, frames, result = _find_in_camera(parse_source(args.source), find)
    else:
        if not args.photos:
            raise PhotoError(ONE_WANTED)
        frames = [load_named_photo(path) for path in args.photos]
        named = args.photos[0] if len(frames) == 1 else f"{len(frames)} photos"
        result = find(frames)
    if isinstance(result, FoundByNone):
        advice = "" if args.markers or args.corners is not None else f"; or {CORNERS_WANTED}"
        raise OutlineError(f"{named}: {result.reason}{advice}")
    others = (frame for number, frame in enumerate(frames) if number != result.frame)
    return FoundReference(frames[result.frame], named, result, tuple(others))


def measured_lens(paths: Sequence[str]) -> Lens:
    """Measure a lens from photos of the chequered sheet.

    Raises `PhotoError` for an unusable photo, `CalibrationError` when they do not suffice.
    """
    lens = lens_from_sheets([load_named_photo(path) for path in paths])
    if isinstance(lens, NotFound):
        raise CalibrationError(lens.reason)
    return lens


def with_lens(profile: Profile, lens: Lens | None, camera: str | None) -> Profile:
    """Add a lens to a profile, under the camera's name or else the picture's size."""
    if lens is None:
        return profile
    name = camera or "{}x{}".format(*lens.size_wh)
    return replace(profile, lenses={**profile.lenses, name: lens})


def older_profile(store: ProfileStore, name: str, board: str) -> Profile | None:
    """Return the profile of that name, else the board's newest, else None."""
    for load, which in ((store.load, name), (store.newest, board)):
        try:
            return load(which)
        except (HomeError, CalibrationError):  # a damaged one counts as missing
            continue
    return None


def _find_in_camera(
    source: Source, find: Callable[[Sequence[Picture]], FoundPose | FoundByNone]
) -> tuple[str, list[Picture], FoundPose | FoundByNone]:
    """Take pictures from a camera until the board is found, or attempts run out."""
    frames: list[Picture] = []
    result: FoundPose | FoundByNone = FoundByNone(Sentence("there is no picture to look at"))
    with Grabber(source) as grabber:
        for _ in range(ATTEMPTS):
            frames = list(_next_frames(grabber))
            if not frames:
                raise PhotoError(f"{source.name}: no picture came: {grabber.status.said}")
            result = find(frames)
            if result or grabber.status.is_over:
                break
    return source.name, frames, result


def _next_frames(grabber: Grabber) -> Iterator[Picture]:
    """Yield up to `FRAMES` pictures, at least `FRAME_INTERVAL_S` apart."""
    number, taken_at_s, count = 0, -np.inf, 0
    timeout_s = FIRST_TIMEOUT_S
    while count < FRAMES:
        frame = grabber.latest(number, timeout_s)
        if frame is None:
            return
        number, timeout_s = frame.number, NEXT_TIMEOUT_S
        if frame.taken_at_s - taken_at_s >= FRAME_INTERVAL_S:
            taken_at_s, count = frame.taken_at_s, count + 1
            yield frame.picture
