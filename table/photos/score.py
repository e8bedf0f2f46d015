"""Scoring photos: find the board in each, read them jointly, and score.

Trains of colours that nobody plays are read too, and reported, but not counted.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.finding.picture_faults import why_colourless
from railspotter.calibration.finding.ways import Candidate, FindBy
from railspotter.calibration.pose import Grounds, NotFound, Pose, better_measured
from railspotter.calibration.profiles.profile import Profile, is_of_board, without_observations
from railspotter.calibration.profiles.reference import check_corners
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.look.view import View
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes
from railspotter.vision.reading.annotate import annotate, stitched
from railspotter.vision.reading.covered_spaces import with_things
from railspotter.vision.reading.cue_reader import weigh
from railspotter.vision.reading.other_trains import read_with_other_trains
from railspotter.vision.reading.photo_notes import BY_DRAWING
from railspotter.vision.reading.several_photos import JointReading, read_together
from railspotter.vision.readings import Reading

from ..boards.board_choice import (
    ANY_PRINT,
    blank_profile,
    calibration_advice,
    find_in_photo,
    with_calibration_advice,
)
from ..errors import HomeError
from ..live_calibration.own_profile import profile_as_shown
from ..live_table.pictures import area_around, picture_on_board
from ..photo_file import READ_PX, mirrored_picture, shrunk_to
from ..pieces import pieces_of_edition
from .limits import (
    FEW_COLOURS,
    MOST_FEW_COLOURS,
    OTHER_PRINT_NOTE,
    count_colours,
    limit_questions,
    notes_on_unused,
    why_not_found,
    why_not_scored,
)
from .scored_photo import Answers, PhotoPart, ScoredPhoto

LEAST_SHOWN = 1 / 3  # share of the routes that a photo must show to be scored
FEW_SHOWN = Sentence(
    "less than a third of the routes can be seen: step back until more of the board shows, or to a"
    " side where no light is reflected in it"
)
# The most spots on which photos of one board may disagree without doubt: in 40 pairs in different
# light there were at most 3, and a claim or two may have been made between the photos.
MOST_DISAGREED = 5
DISAGREED = Sentence(
    "{names} show different pieces, at {n} spots such as {spot}: only photos of one"
    " board at one time are read together"
)
# The least probability that an unnamed colour's trains are on the board. It is 0.5 if there are
# none, or for colours that cannot be told apart. On path-traced boards colours that are there have
# .75 and more unless all is dim, others .52 at most; on the labelled photos .5.
IN_PLAY = 0.7
FEW = 2  # the least routes of a colour that nobody plays: fewer may be misread


class ReadingPlan(msgspec.Struct, frozen=True):
    """What a `PhotoScorer` needs: board, rules, calibration profile and players' colours."""

    board: Board
    edition: Edition
    profile: Profile
    colours: tuple[Colour, ...] | None = None  # the players'; None for all of the box
    with_markers: bool = True  # whether score markers are looked for on the track


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board found in a photo, rectified and ready to be read."""

    pose: Pose  # in the photo downscaled to `READ_PX`
    view: View
    shrunk: float  # the factor of downscaling, 1 for none
    by: "PhotoScorer"  # the scorer that reads it, which may have another profile
    # Why the original scorer's profile, or any known print, did not find it, if so.
    passed: NotFound | None = None
    mirrored_px: int | None = None  # the photo's width if it was mirrored, and flipped to be read

    @property
    def corners_px(self) -> Float64s:
        """The printed board's corners in the original photo, (4, 2): TL, TR, BR, BL."""
        corners = (self.pose.corners_px + 0.5) / self.shrunk - 0.5
        if self.mirrored_px is not None:
            corners[:, 0] = self.mirrored_px - 1 - corners[:, 0]
        return corners

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """`corners_px`, rounded to a tenth of a pixel."""
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in self.corners_px)

    @property
    def is_other_print(self) -> bool:
        """Whether its artwork is unknown."""
        return self.by.plan.profile.name == ANY_PRINT


class PhotoScorer:
    """Scores photos by one plan; preparation is shared between photos.

    Raises `HomeError` for another board's profile, `ReaderError` for an unknown colour.
    """

    def __init__(self, plan: ReadingPlan) -> None:
        board, profile = plan.board, plan.profile
        if profile.board != board.id:
            raise HomeError(
                "the profile {name!r} is of the board {board!r}, not {other!r}",
                name=profile.name,
                board=profile.board,
                other=board.id,
            )
        if not is_of_board(profile, board):
            raise HomeError(
                "the profile {name!r} was made for another size of the board {board!r}:"
                " calibrate anew",
                name=profile.name,
                board=board.id,
            )
        self.plan = plan
        self._profile_name = None if profile.is_drawn else profile.name
        self._printed = PrintedBoard.of(with_site_routes(board), profile)
        self._pieces = pieces_of_edition(
            plan.edition,
            board,
            profile,
            plan.colours,
            self._printed,
            with_markers=plan.with_markers,
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players' colours."""
        return self._pieces.players

    def score(
        self,
        photos: Iterable[tuple[str, Picture]],
        answers: Answers | None = None,
        corners_px: npt.ArrayLike | None = None,
        *,
        with_crops: bool = False,
        on_found: Callable[[], None] = lambda: None,
    ) -> ScoredPhoto:
        """Find, read and score one board in one or several photos of it, each with its name.

        A photo in which the board is not found is skipped; its `PhotoPart` has the reason. A lazy
        iterator keeps one picture in memory at a time. `corners_px` are as in `find`.
        `with_crops` is whether each piece gets a picture that proves it; `on_found` is called when
        no board is looked for any more.
        """
        started = time.perf_counter()
        found = [(name, self.find(picture, corners_px)) for name, picture in photos]
        on_found()
        photo = self._read_and_score(found, answers)
        if with_crops:
            boards = [board for _, board in found if isinstance(board, FoundBoard)]
            photo = msgspec.structs.replace(photo, crops=_crops(photo, boards))
        return msgspec.structs.replace(photo, seconds=time.perf_counter() - started)

    def unreadable(self, name: str, reason: Sentence) -> ScoredPhoto:
        """Return the result for a photo without a board, or an unusable file."""
        plan = self.plan
        return ScoredPhoto(
            name, plan.board, plan.edition, reason=reason, profile=self._profile_name
        )

    def find(
        self, picture: Picture, corners_px: npt.ArrayLike | None = None
    ) -> FoundBoard | NotFound:
        """Find the board in a photo and rectify it; else return the best founded reason.

        Tries the whole ladder; a mirrored photo is flipped. With `corners_px` of the printed
        board, (4, 2) from its top left on, the board is there. One that no known print finds is
        read by the artwork that the photo itself shows. Raises `OutlineError` for impossible
        corners.
        """
        given = None if corners_px is None else np.asarray(corners_px, np.float64)
        if given is not None:
            check_corners(given, picture.shape)
        known = Candidate(self.plan.board, self.plan.profile)
        found = find_in_photo(picture, [known], corners_px=given)
        if isinstance(found, NotFound):
            return found
        width = picture.shape[1]
        if found.is_mirrored:
            picture = mirrored_picture(picture)
        by, is_passed = self, found.method is not known.own_print
        if is_passed:
            by_drawing = self._stand_in if found.method is FindBy.FINGERPRINT else None
            by = by_drawing or self._with_profile_of_photo(picture, found.pose)
        board = by._rectified(picture, found.pose)
        if isinstance(board, NotFound):
            return board
        passed = better_measured(*found.tried.values()) if is_passed and found.tried else None
        return replace(board, passed=passed, mirrored_px=width if found.is_mirrored else None)

    def _with_profile_of_photo(self, picture: Picture, pose: Pose) -> "PhotoScorer":
        """Return the scorer with a profile made from the photo, for unknown artwork."""
        board = self.plan.board
        swatches = without_observations(self.plan.profile.colours)
        blank = replace(blank_profile(board), colours=swatches)
        profile = profile_as_shown(shrunk_to(picture, READ_PX), pose, blank, board)
        return PhotoScorer(msgspec.structs.replace(self.plan, profile=profile))

    def _rectified(self, picture: Picture, pose: Pose) -> FoundBoard | NotFound:
        """Rectify a board found in a downscaled photo, and check that it can be read."""
        colours = count_colours(picture)  # before downscaling, which mixes colours
        shrunk = min(1.0, READ_PX / max(picture.shape[:2]))
        picture = shrunk_to(picture, READ_PX)
        colourless = why_colourless(picture, pose, self.plan.board)
        if colourless is not None:
            return NotFound(colourless, grounds=Grounds.SEEN)
        if colours <= MOST_FEW_COLOURS:
            return NotFound(FEW_COLOURS.filled(n=colours), grounds=Grounds.SEEN)
        view = View.of(picture, pose, self._printed, self._pieces)
        if view.routes_shown.mean() < LEAST_SHOWN:
            return NotFound(FEW_SHOWN, grounds=Grounds.SEEN)
        return FoundBoard(pose, view, shrunk, self)

    @cached_property
    def _stand_in(self) -> "PhotoScorer | None":
        """The scorer with the program's fingerprint; None if there is none."""
        profile = stand_in_profile(self.plan.board)
        if profile is None:
            return None
        profile = replace(profile, colours=without_observations(self.plan.profile.colours))
        plan = msgspec.structs.replace(self.plan, profile=profile, colours=self.colours)
        return PhotoScorer(plan)

    def _read_and_score(
        self, found: Sequence[tuple[str, FoundBoard | NotFound]], answers: Answers | None
    ) -> ScoredPhoto:
        first_name, plan = found[0][0], self.plan
        boards = [board for _, board in found if isinstance(board, FoundBoard)]
        together = self.read(boards) if boards else JointReading(Reading({}), (), ())
        if len(together.disagreed) > MOST_DISAGREED:
            names = " and ".join(name for name, board in found if isinstance(board, FoundBoard))
            where = spot_name(plan.board, together.disagreed[0].spot)
            n = len(together.disagreed)
            return self.unreadable(first_name, DISAGREED.filled(names=names, n=n, spot=where))
        counts_and_unseen = iter(zip(together.counts, together.unseen, strict=True))
        parts = [
            PhotoPart(
                name,
                with_calibration_advice(why_not_found(board), plan.edition, plan.profile),
                None,
                0.0,
            )
            if isinstance(board, NotFound)
            else PhotoPart(name, None, board.corners, *next(counts_and_unseen))
            for name, board in found
        ]
        if boards:
            photo = self.count(boards, together.reading, first_name, answers)
        else:
            photo = self.unreadable(first_name, parts[0].reason or NOTHING)
        return msgspec.structs.replace(photo, parts=tuple(parts))

    def read(self, boards: Sequence[FoundBoard]) -> JointReading:
        """Read one board jointly in its photos; trains that nobody plays count as free."""
        weighed, together = read_with_other_trains(
            [board.view for board in boards],
            lambda view, before: with_things(weigh(view, before=before)),
            read_together,
            may_play=IN_PLAY,
            least=FEW,
        )
        whose = weighed[0].view.pieces.whose
        return replace(together, reading=together.reading.as_played(whose)) if whose else together

    def count(
        self,
        boards: Sequence[FoundBoard],
        reading: Reading,
        name: str,
        answers: Answers | None = None,
    ) -> ScoredPhoto:
        """Score the reading of found boards with the users' answers."""
        plan, found, answers = self.plan, boards[0], answers or {}
        reading = limit_questions(reading)
        other_prints = [board.passed for board in boards if board.is_other_print]
        unused = notes_on_unused(self._profile_name, [board.passed for board in boards])
        passing = (OTHER_PRINT_NOTE,) if other_prints else unused
        notes = [note for note in reading.notes if not passing or note != BY_DRAWING]
        if note := calibration_advice(plan.edition, plan.profile):
            notes.append(note)
        photo = ScoredPhoto(
            name,
            plan.board,
            plan.edition,
            self.colours,
            corners_px=found.corners,
            held=reading.held,
            sure={spot: reading.pieces[spot].confidence for spot in reading.held},
            doubts=reading.doubts,
            seen_pins=reading.pins,
            markers=reading.markers,
            notes=(*passing, *notes),
            profile=found.by._profile_name,
            annotated=annotate(
                stitched([board.view for board in boards]), reading.with_answers(answers)
            ),
            uncounted=reading.uncounted,
            unseen=reading.unseen,
        ).with_answers(answers)
        reason = why_not_scored(photo, other_prints)
        if not reason:
            return photo
        photo = self.unreadable(name, reason)
        return msgspec.structs.replace(photo, notes=passing, uncounted=reading.uncounted)


def _crops(photo: ScoredPhoto, boards: Sequence[FoundBoard]) -> dict[Spot, bytes]:
    """Return a picture of each spot that is held or doubted, from a photo that shows it."""
    parts = [part for part in photo.parts if part.reason is None]
    crops: dict[Spot, bytes] = {}
    for spot in dict.fromkeys((*photo.held, *(doubt.spot for doubt in photo.doubts))):
        shown = (
            board for board, part in zip(boards, parts, strict=True) if spot.id not in part.unseen
        )
        view = next(shown, boards[0]).view
        crops[spot] = picture_on_board(
            view.rectified, view.printed.px_per_mm, area_around(photo.board, spot)
        )
    return crops
