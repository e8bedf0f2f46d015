"""From one photo to a score: find the board, read it, count."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.colour_sight import why_colourless
from railspotter.calibration.finding.finder import MIRRORED, find_board
from railspotter.calibration.finding.proof import TooSmall
from railspotter.calibration.pose import (
    Grounds,
    NotFound,
    Pose,
    better_measured,
    rectify,
    viewpoint,
)
from railspotter.calibration.profiles.copy_size import is_of_board
from railspotter.calibration.profiles.profile import LearnedColour, Profile
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.sentence import Sentence
from railspotter.vision.look.view import Pieces, View
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.annotate import annotate
from railspotter.vision.reading.cue_reader import read_by_cues
from railspotter.vision.reading.photo_notes import BY_DRAWING
from railspotter.vision.reading.sites import with_site_routes
from railspotter.vision.readings import Reading

from ..boards.board_choice import stand_in_for
from ..boards.own_boards import board_called
from ..errors import HomeError, TableError
from ..photo_file import READ_PX, brought_down, turned_over
from ..pieces import pieces_of_edition, trains_of
from .answers import Answers, with_answers
from .scored_photo import ScoredPhoto, photo_standing

OTHER_COPY_NOTE = Sentence(
    "the photo of the empty board in the profile {name!r} does not fit this board, perhaps"
    " another copy of it: read by the print that comes with the program, with more questions;"
    " 'railspotter calibrate --profile FRIEND' with a photo of this board, empty, makes a profile"
    " of it"
)
PASSED_NOTE = Sentence(
    "the board was not found with the profile {name!r}, but by the print that comes with the"
    " program, with more questions; by the profile: {error}"
)
# Of a PNG or BMP with a palette. Which colours come into it goes by how much of the picture has
# them, so that trains, of which few pixels are, get the nearest one: black for dark green. The 71
# labelled photos have 16,000 in as many pixels as are looked at.
MOST_FEW_COLOURS = 256
LOOKED_AT = 40_000  # pixels, spread evenly, whose colours are counted
FEW_COLOURS = Sentence(
    "the picture has only {n} colours, too few to tell trains apart: send it as the camera took it"
)
# Trains of each colour that a box has above those of its rules, and that somebody may have laid:
# the labelled photos show up to 48 where the rules have 45.
SPARE_TRAINS = 3
TOO_MANY_TRAINS = Sentence(
    "{colour}'s routes seem to take {count} pieces, but a player has only {most}: take another"
    " photo in better light"
)


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board found in a photo, ready to be read."""

    pose: Pose  # in the photo as it was brought down to `READ_PX`
    view: View
    shrunk: float  # by what it was brought down, 1 for not at all
    # The name of the profile that it was found with; None for the print that comes with the
    # program.
    profile: str | None = None
    # Why the scorer's own profile did not find it, where it was found without.
    passed: NotFound | None = None
    # The width of a photo that was mirrored, and turned over to be read; None for any other.
    mirrored_px: int | None = None

    @property
    def corners_px(self) -> Float64s:
        """The printed board's corners in the photo as it was given, (4, 2): TL, TR, BR, BL."""
        corners = (self.pose.corners_px + 0.5) / self.shrunk - 0.5
        if self.mirrored_px is not None:
            corners[:, 0] = self.mirrored_px - 1 - corners[:, 0]
        return corners

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The same, to a tenth of a pixel."""
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in self.corners_px)


def readable_board(name: str) -> Board:
    """Return a board that photos can be read of: the program's, the user's own, or in a file.

    Raises `TableError` for an unmeasured one.
    """
    board = board_called(name)
    if not board.measured:
        raise TableError(
            "the board {name!r} was not measured yet: it can be scored, not read", name=name
        )
    return board


def with_notes(photo: ScoredPhoto, notes: Sequence[Sentence]) -> ScoredPhoto:
    """Return a photo with notes put before those of its reading, instead of what they say anew."""
    if not notes:
        return photo
    return replace(photo, notes=(*notes, *(note for note in photo.notes if note != BY_DRAWING)))


def _colours_in(picture: Picture) -> int:
    apart = max(1, int((picture.shape[0] * picture.shape[1] / LOOKED_AT) ** 0.5))
    some = picture[::apart, ::apart].reshape(-1, 3).astype(np.uint32)
    return len(np.unique(some @ np.array((1, 1 << 8, 1 << 16), np.uint32)))


def swatches(lights: Sequence[LearnedColour]) -> tuple[LearnedColour, ...]:
    """Return what a person said of a colour, without what was seen of it in any light."""
    return tuple(replace(one, observations=(), count=0) for one in lights if one.swatch is not None)


class PhotoScorer:
    """Reads and scores photos of one copy of a board; what can be prepared is kept.

    Parameters
    ----------
    board : Board
    edition : Edition
    profile : Profile
        What the board looks like.
    colours : sequence of str, optional
        The players' colours; without it, all of the edition's.
    with_markers : bool
        Whether score markers are looked for on the track.

    Raises
    ------
    HomeError
        When the profile is another board's.
    ReaderError
        When a colour is not known.
    """

    def __init__(
        self,
        board: Board,
        edition: Edition,
        profile: Profile,
        colours: Sequence[Colour] | None = None,
        *,
        with_markers: bool = True,
    ) -> None:
        if profile.board != board.id:
            raise HomeError(
                "the profile {name!r} is of the board {board!r}, not {other!r}",
                name=profile.name,
                board=profile.board,
                other=board.id,
            )
        if not is_of_board(profile, board):
            raise HomeError(
                "the profile {name!r} was made for another size of the board {board!r}: make"
                " it anew with 'railspotter calibrate'",
                name=profile.name,
                board=board.id,
            )
        self.board, self.edition, self._profile = board, edition, profile
        self._profile_name = None if profile.is_drawn else profile.name
        self._printed = PrintedBoard.of(with_site_routes(board), profile)
        self._with_markers = with_markers
        self._pieces = self._pieces_in(colours)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players' colours."""
        return self._pieces.colours

    @property
    def box(self) -> tuple[Colour, ...]:
        """All colours that trains on this table may have, whoever plays."""
        return tuple(train.name for train in trains_of(self.edition, self._profile))

    @property
    def is_by_numbers(self) -> bool:
        """Whether there was no photo of the empty board to read by."""
        return self._profile.is_drawn

    @cached_property
    def _stand_in(self) -> PhotoScorer | None:
        """What reads by the print that comes with the program; None where nothing else does."""
        profile = None if self.is_by_numbers else stand_in_for(self.board)
        if profile is None:
            return None
        # What was learned of trains is in the light of the profile's photo; swatches are in none.
        named = {name: swatches(lights) for name, lights in self._profile.colours.items()}
        profile = replace(profile, colours={name: of for name, of in named.items() if of})
        return PhotoScorer(
            self.board, self.edition, profile, self.colours, with_markers=self._with_markers
        )

    def _pieces_in(self, colours: Sequence[Colour] | None) -> Pieces:
        return pieces_of_edition(
            self.edition,
            self.board,
            self._profile,
            colours,
            self._printed,
            with_markers=self._with_markers,
        )

    def find(self, picture: Picture) -> FoundBoard | NotFound:
        """Find the board in a photo and look at it from above.

        A mirrored photo is turned over. Where it is not the profile's copy of the board, or not
        found by it for another reason, the print that comes with the program is tried.

        Returns
        -------
        FoundBoard or NotFound
            `FoundBoard.passed` tells where the profile was passed over. `NotFound` has the reason
            of the two for which more was measured.
        """
        found = self._find(picture)
        if isinstance(found, FoundBoard) or found.reason != MIRRORED:
            return found
        turned = self._find(turned_over(picture))
        if isinstance(turned, NotFound):
            return turned
        return replace(turned, mirrored_px=picture.shape[1])

    def _find(self, picture: Picture) -> FoundBoard | NotFound:
        found = self.find_by_profile(picture)
        if isinstance(found, FoundBoard) or found.grounds == Grounds.SEEN:
            return found
        if self._stand_in is None:
            return found
        otherwise = self._stand_in.find_by_profile(picture)
        if isinstance(otherwise, NotFound):
            return better_measured(found, otherwise)
        return replace(otherwise, passed=found)

    def passing_notes(self, found: Sequence[FoundBoard]) -> tuple[Sentence, ...]:
        """Return notes on the photos of one board that the profile was passed over for."""
        is_this_copy = any(board.passed is None for board in found)
        return tuple(
            dict.fromkeys(
                OTHER_COPY_NOTE.filled(name=self._profile_name)
                if board.passed.grounds <= Grounds.PRINT and not is_this_copy
                else PASSED_NOTE.filled(name=self._profile_name, error=board.passed.reason)
                for board in found
                if board.passed is not None
            )
        )

    def find_by_profile(self, picture: Picture) -> FoundBoard | NotFound:
        """Find the board in a photo as the profile has it, and look at it from above."""
        colours = _colours_in(picture)  # before shrinking mixes more of them
        shrunk = min(1.0, READ_PX / max(picture.shape[:2]))
        picture = brought_down(picture, READ_PX)
        pose = find_board(picture, self._profile)
        if isinstance(pose, TooSmall):
            return pose.enlarged(1 / shrunk)
        if isinstance(pose, NotFound):
            return pose
        colourless = why_colourless(picture, pose, self.board)
        if colourless is not None:
            return NotFound(colourless, grounds=Grounds.SEEN)
        if colours <= MOST_FEW_COLOURS:
            return NotFound(FEW_COLOURS.filled(n=colours), grounds=Grounds.SEEN)
        height, width = picture.shape[:2]
        rectified = rectify(picture, pose, self._printed.px_per_mm)
        view = View(
            printed=self._printed,
            rectified=rectified,
            viewpoint=viewpoint(pose.frame_from_board, (width, height)),
            pieces=self._pieces.in_light_of(rectified, self._printed),
        )
        return FoundBoard(pose, view, shrunk, self._profile_name)

    def in_colours(self, found: FoundBoard, colours: Sequence[Colour]) -> FoundBoard:
        """Return a found board, to be read for trains of these colours."""
        if found.passed is not None and self._stand_in is not None:
            return self._stand_in.in_colours(replace(found, passed=None), colours)
        pieces = self._pieces_in(colours).in_light_of(found.view.rectified, self._printed)
        return replace(found, view=replace(found.view, pieces=pieces))

    def score(self, picture: Picture, name: str) -> ScoredPhoto:
        """Find, read and score the board in a photo.

        Parameters
        ----------
        picture : (H, W, 3) uint8 array, BGR
        name : str
            What the user calls the photo.
        """
        started = time.perf_counter()
        found = self.find(picture)
        if isinstance(found, NotFound):
            return self.unreadable(name, found.reason, time.perf_counter() - started)
        photo = self.count(found, read_by_cues(found.view), name)
        photo = with_notes(photo, self.passing_notes([found]))
        return replace(photo, seconds=time.perf_counter() - started)

    def count(
        self,
        found: FoundBoard,
        reading: Reading,
        name: str,
        answers: Answers | None = None,
    ) -> ScoredPhoto:
        """Score what was read of a found board, with what people say put in."""
        answers = answers or {}
        photo = ScoredPhoto(
            name,
            self.board,
            self.edition,
            corners_px=found.corners,
            held=reading.held,
            doubts=reading.doubts,
            seen_pins=reading.pins,
            markers=reading.markers,
            notes=reading.notes,
            profile=found.profile,
            standing=photo_standing(self.edition, self.board, self.colours, reading.held),
            annotated=annotate(found.view, reading.with_answers(answers)),
        )
        answered = with_answers(photo, answers)
        impossible = self._impossible_in(answered)
        return answered if impossible is None else self.unreadable(name, impossible)

    def _impossible_in(self, photo: ScoredPhoto) -> Sentence | None:
        """Say whose trains are more than a box has, even where all doubts are none of theirs."""
        doubted = {doubt.spot for doubt in photo.doubts}
        certain = {spot: whose for spot, whose in photo.held.items() if spot not in doubted}
        now = photo_standing(self.edition, self.board, self.colours, certain)
        for player in now.players:
            most, used = self.edition.trains, self.edition.trains - player.trains_left
            if used > most + SPARE_TRAINS:
                return TOO_MANY_TRAINS.filled(colour=player.colour, count=used, most=most)
        return None

    def unreadable(self, name: str, reason: Sentence, seconds: float = 0.0) -> ScoredPhoto:
        """Return what a photo is worth that shows no board, or is none."""
        return ScoredPhoto(
            name,
            self.board,
            self.edition,
            reason=reason,
            profile=self._profile_name,
            seconds=seconds,
        )
