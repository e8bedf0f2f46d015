"""What `railspotter calibrate` makes a profile of: a picture, and where the board is in it."""

from __future__ import annotations

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
FRAMES = 5  # pictures of a camera that must agree
ROUNDS = 4  # how often so many are taken before it is given up
APART_S = 0.4  # between two of them: a hand is somewhere else by then
FIRST_S, NEXT_S = 20.0, 5.0  # how long a camera's first picture is waited for, and each next one
# One's own photo comes last: whoever calibrates again does so because it was not good.
METHODS = (FindBy.FINGERPRINT, FindBy.MARKERS, FindBy.OWN_PHOTO, FindBy.NETWORK)


@dataclass(frozen=True, eq=False)
class FoundReference:
    """A picture for a profile."""

    photo: Picture
    named: str  # what the user calls it
    found: FoundPose
    # tuple of (H, W, 3) uint8 array, BGR. Further pictures of the same board.
    others: tuple[Picture, ...] = ()

    def said(self, given: Sequence[tuple[float, float]] | None) -> tuple[str, ...]:
        """Return sentences on how it was found; `given` are the corners that a person gave."""
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


def find_in_arguments(
    args: argparse.Namespace,
    board: Board,
    size_mm: tuple[float, float],
    older: Profile | None,
    lens: Lens | None,
) -> FoundReference:
    """Find the board in the photos or the camera that the arguments name.

    `size_mm` is that of the user's copy, and `older` has the photo that was taken before. Raises
    `PhotoError`, `OutlineError` or `VisionError` with what to do.
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
        named, frames, result = _in_source(parse_source(args.source), find)
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
    """Return the lens that photos of the chequered sheet tell.

    Raises `PhotoError` when one is no usable photo, `CalibrationError` when they do not tell it.
    """
    lens = lens_from_sheets([load_named_photo(path) for path in paths])
    if isinstance(lens, NotFound):
        raise CalibrationError(lens.reason)
    return lens


def with_lens(profile: Profile, lens: Lens | None, camera: str | None) -> Profile:
    """Return the profile with a camera's lens; its name is the picture's size without another."""
    if lens is None:
        return profile
    name = camera or "{}x{}".format(*lens.size_wh)
    return replace(profile, lenses={**profile.lenses, name: lens})


def older_profile(store: ProfileStore, name: str, board: str) -> Profile | None:
    """Return the profile that a new one takes the place of, or the board's newest; None if none."""
    for load, which in ((store.load, name), (store.newest, board)):
        try:
            return load(which)
        except (HomeError, CalibrationError):  # a damaged one is no help, and is made anew
            continue
    return None


def _in_source(
    source: Source, find: Callable[[Sequence[Picture]], FoundPose | FoundByNone]
) -> tuple[str, list[Picture], FoundPose | FoundByNone]:
    """Take pictures until they agree."""
    frames: list[Picture] = []
    result: FoundPose | FoundByNone = FoundByNone(Sentence("there is no picture to look at"))
    with Grabber(source) as grabber:
        for _ in range(ROUNDS):
            frames = list(_next_frames(grabber))
            if not frames:
                raise PhotoError(f"{source.name}: no picture came: {grabber.status.said}")
            result = find(frames)
            if result or grabber.status.is_over:
                break
    return source.name, frames, result


def _next_frames(grabber: Grabber) -> Iterator[Picture]:
    """Yield some pictures that were not taken at once."""
    number, taken_at_s, count = 0, -np.inf, 0
    timeout_s = FIRST_S
    while count < FRAMES:
        frame = grabber.latest(number, timeout_s)
        if frame is None:
            return
        number, timeout_s = frame.number, NEXT_S
        if frame.taken_at_s - taken_at_s >= APART_S:
            taken_at_s, count = frame.taken_at_s, count + 1
            yield frame.picture
