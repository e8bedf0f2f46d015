"""Watching one game's board: turns frames into facts for the log, questions and a sight."""

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame

from ..game_log.table_state import TableState
from .board_phases import Comparing, Confirming, Opening, Phase, SeenFacts
from .learning import SaveProfile
from .opening import Comparison
from .table_view import BoardSight
from .watched_board import WatchedBoard


class BoardWatch:
    """Watches the board of one game, in one phase at a time. Not thread-safe."""

    def __init__(self, board: WatchedBoard) -> None:
        self.board = board
        self._phase: Phase = Opening(board)

    def process(self, frame: Frame, table: TableState) -> tuple[BoardSight, SeenFacts]:
        """Process a frame of a game as it stands; return what is seen, and facts for the log."""
        self.board.table = table
        self.board.follow(frame)
        state, facts, self._phase = self._phase.process(frame)
        return self._phase.sight(state), facts

    def use_profile(self, profile: Profile, keep: SaveProfile | None, table: TableState) -> None:
        """Switch to another profile of the board, keeping what was learned."""
        self.board.use_profile(profile, keep)
        self.restart(table)

    def restart(self, table: TableState) -> None:
        """Read the whole board anew, to compare it with a packed-away game or to watch."""
        if isinstance(self._phase, Comparing) and table.packed_away:
            self._phase = Comparing(self.board, self._phase.comparison)
        else:
            self.end_comparison()

    def start_comparison(self) -> None:
        """Start comparing the board with a packed-away game, until it is rebuilt; no claims."""
        if not self.is_comparing:
            self._phase = Comparing(self.board, Comparison())

    def end_comparison(self) -> None:
        """Read the whole board, compare it with the log, and watch from there."""
        self._phase = Opening(self.board)

    @property
    def is_comparing(self) -> bool:
        """Whether the board is compared with a packed-away game."""
        return isinstance(self._phase, Comparing)

    def release_unconfirmed(self) -> SeenFacts:
        """Handle the confirmation of the initial board; return the facts seen since.

        Asks the remaining doubts about the initial board.
        """
        phase = self._phase
        if not isinstance(phase, Confirming):
            return ()  # restarted meanwhile
        self.board.ask_about(self.board.joined, phase.opened_with)
        self._phase = phase.watching
        return phase.unconfirmed

    def correct(self, spot: Spot, colour: Colour | None) -> None:
        """Apply a person's correction of a spot."""
        self.board.learning.on_correction(spot, colour)
        self.board.joined.pop(spot, None)
        self.board.questions.close([spot])
        self._phase.correct(spot, colour)
