"""Finding the board for `railspotter calibrate`, in photos or a camera."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.errors import CalibrationError, OutlineError
from railspotter.calibration.finding.ways import FindBy, FoundByNone, FoundPose, find_by_any
from railspotter.calibration.lenses.lens import Lens
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.sheets.lens_sheet import lens_from_sheets
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import Source

from ..errors import HomeError, PhotoError
from ..home import ProfileStore
from ..photo_file import load_named_photo

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
    methods: tuple[FindBy, ...] = METHODS
    if args.markers:
        methods = (FindBy.MARKERS,)
    elif args.corners is not None:
        methods = (FindBy.CORNERS,)

    def find(frames: Sequence[Picture]) -> FoundPose | FoundByNone:
        return find_by_any(
            frames,
            board,
            older,
            args.corners,
            lens,
            methods=methods,
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
        advice = "" if methods != METHODS else f"; or {CORNERS_WANTED}"
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
