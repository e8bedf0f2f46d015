"""What all phases of watching a board share: its game and print, where it lies, what is asked."""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from railspotter.calibration.finding.picture_faults import TOO_DARK, why_colourless
from railspotter.calibration.finding.ways import Candidate, FoundPose, find_board
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile, with_learned_of
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING
from railspotter.scoring.spot import Spot
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.looks import Look
from railspotter.vision.watching.questions import Occasion, Questions
from railspotter.vision.watching.settling import WatchState

from ..boards.board_choice import with_calibration_advice
from ..game_log.table_state import TableState
from ..pieces import pieces_of_edition
from .astray import HeldBack
from .board_tracker import BoardTracker, covered_sentence, unseen_sentence
from .learning import Learning, SaveProfile
from .pictures import area_around, picture_around
from .table_view import BoardSight, Joining


class WatchedBoard:
    """One game's copy of a board. `keep` saves what is learned of it. Not thread-safe."""

    def __init__(
        self,
        table: TableState,
        profile: Profile,
        work: Executor,
        questions: Questions,
        *,
        keep: SaveProfile | None = None,
        with_markers: bool = True,
    ) -> None:
        self.table, self.work, self.questions = table, work, questions
        self.with_markers = with_markers  # whether score markers are used at this table
        self.pose: Pose | None = None  # in the last frame; None if not in sight
        self.joined: dict[Spot, Doubt] = {}  # doubts about the board that users confirm as a whole
        self.listed: Joining | None = None  # what an earlier camera listed, until this one has read
        self.unseen: tuple[Spot, ...] = ()  # routes out of the camera's picture
        self.astray: HeldBack = {}
        self._set_profile(profile, keep)

    def _set_profile(self, profile: Profile, keep: SaveProfile | None) -> None:
        board = self.table.board
        self._profile = profile
        self.learning = Learning(profile, self.work, keep)
        self.printed = PrintedBoard.of(with_site_routes(board), profile)
        self._tracker = BoardTracker(
            self._find, self.work, lambda frame, pose: why_colourless(frame.pyramid, pose, board)
        )

    def use_profile(self, profile: Profile, keep: SaveProfile | None) -> None:
        """Switch to another profile of the board, keeping what was learned."""
        self._set_profile(with_learned_of(profile, self.learning.profile), keep)

    def use_learned(self) -> None:
        """Look at the board from now on as it was learned."""
        shown, self._profile = self._profile.reference, self.learning.profile
        if self._profile.reference is not shown:
            self.printed = PrintedBoard.of(with_site_routes(self.table.board), self._profile)

    def follow(self, frame: Frame) -> None:
        """Find out where the board lies in a frame."""
        self.pose = self._tracker.pose_in(frame)

    def sight(self, state: WatchState, covered: Sequence[Spot] = ()) -> BoardSight:
        """Return what is seen of the board; `covered` are the spots that have long been so."""
        board, status = self.table.board, self._tracker.status
        if self.pose is not None and self.unseen:
            status = unseen_sentence(self.unseen, board)
        obstacle = covered_sentence(covered[0], board) if covered else NOTHING
        unseen = tuple(dict.fromkeys((*self.unseen, *covered)))
        return BoardSight(state, status, obstacle=obstacle, unseen=unseen)

    def look(self, frame: Frame, pieces: Pieces) -> Look | None:
        """Return a frame as a look; None if the board is not in sight."""
        if self.pose is None:
            return None
        return Look(frame.pyramid, self.pose, frame.taken_at_s, self.printed, pieces)

    def pieces(self, strange: Collection[Colour] = ()) -> Pieces:
        """Return the game's pieces, and trains of colours that were seen but no player has."""
        return pieces_of_edition(
            self.table.edition,
            self.table.board,
            self._profile,
            [player.colour for player in self.table.players],
            self.printed,
            whose=self.whose(strange),
        )

    def whose(self, strange: Collection[Colour]) -> dict[Colour, Colour | None]:
        """Return by colours that no player has who uses such trains; None for nobody or unknown."""
        return {**dict.fromkeys(strange), **self.table.other_trains}

    def ask_about(self, doubts: Mapping[Spot, Doubt], look: Look) -> None:
        """Ask questions about the doubts of a first look, each with a picture of its spot."""
        frame = Frame(look.shown, look.at_s, 0)
        for spot, doubt in doubts.items():
            crop = picture_around(frame.picture, look.pose, area_around(look.printed.board, spot))
            self.questions.ask(doubt, Occasion.OPENING, crop)

    def _find(self, frame: Frame) -> Pose | NotFound:
        known = Candidate(self.table.board, self._profile)
        # By no other print than the one that is read: another copy would be read wrongly.
        found = find_board([frame.picture], [known], [known.own_print])
        if isinstance(found, FoundPose):
            return found.pose
        if found.reason != TOO_DARK:
            reason = with_calibration_advice(found.reason, self.table.edition, self._profile)
            return replace(found, reason=reason)
        return found
