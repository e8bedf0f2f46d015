"""The demo: simulated games on a drawn board, read as a photo or at a live table."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.dealing.moves import ticket_texts
from railspotter.scoring.edition import Colour, load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.simulation.enactment.habits import CALM, Habits
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import VirtualGame, virtual_game
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import Frame, Source
from railspotter.vision.watching.settling import WatchState

from ..errors import TableError
from ..game_log.board_facts import TrainsAssigned
from ..game_log.facts import Event
from ..game_log.people_facts import Player, TicketRevealed
from ..live_table.commands import Action, AddFacts, Command, ConfirmJoining, Correct
from ..live_table.live_table import LiveTable
from ..live_table.table_view import TableView
from ..photos.score import PhotoScorer, ReadingPlan
from ..photos.scored_photo import ScoredPhoto

BOARD = "usa"
SEED = 7  # of the game whose end is printed
# Of the first game on the page: another one, so that its end is not known.
LIVE_SEED = SEED + 1
SIZE_WH = (1280, 720)
# A game of four takes some seven minutes. The players' hands cover the board now and then.
HABITS = replace(CALM, pace=3.0, thinking_s=(1.5, 4.0), pointing=0.1, over_border=0.3)
PER_S = 5.0
# Slows the game down on a slow computer: hands that jump would never settle.
LONGEST_STEP_S = 0.4
# How many pictures of a waiting game the table processes until it is answered, which shows people
# the question for two seconds; and until it is told the claims that it lacks: in ten seconds if it
# has nothing to decide, in five minutes if it has, for a reader may be slow. Chosen.
SHOWN_PICTURES, SETTLED_PICTURES, MOST_PICTURES = 10, 50, 1500


def demo_game(
    seed: int = SEED, habits: Habits = HABITS, size_wh: tuple[int, int] = SIZE_WH
) -> VirtualGame:
    """Return a simulated game on the drawn board, with a fixed camera."""
    view = CameraSetup(size_wh, tilt_deg=12.0, heading_deg=4.0)
    return virtual_game(
        load_edition(BOARD), load_board(BOARD), seed, habits, view=view, sensor=Sensor(seed=seed)
    )


def demo_score() -> ScoredPhoto:
    """Read and score the end of the demo game."""
    game = demo_game()
    start = game.enactment.played.start
    scorer = PhotoScorer(ReadingPlan(start.board, start.edition, _profile_of(game)))
    return scorer.score([("drawn board", game.frame_at(game.duration_s).picture)])


def _profile_of(game: VirtualGame) -> Profile:
    """Make the profile of a drawn board from a picture of it, empty."""
    blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
    board = game.enactment.played.start.board
    return make_profile(blank.picture, board, blank.corners_px, "demo", "")


class DemoTable:
    """A drawn game as a source, with its players and profile, for the table that reads it.

    Before each turn its time stands still until the table has what was laid, and asks nothing: what
    people who only look on cannot know, the game answers itself.
    """

    def __init__(self, game: VirtualGame, seed: int = LIVE_SEED) -> None:
        self.seed, enactment = seed, game.enactment
        played = self._played = enactment.played
        self.edition = played.start.edition
        self.players = tuple(Player(seat.colour, seat.colour) for seat in played.start.seats)
        self.profile = _profile_of(game)
        self.source: Source = VirtualBoard(
            lambda t_s: game.frame_at(t_s).picture,
            per_s=PER_S,
            name=Sentence("the demo game"),
            until_s=self._until_s,
            longest_step_s=LONGEST_STEP_S,
        )
        # Before each turn, and at the end.
        self._stops_s = (*enactment.turn_starts_s, enactment.duration_s)
        self._table: LiveTable | None = None
        self._said: set[tuple[Spot, Colour | None]] = set()  # what its log has said of the board
        self._waits_for: tuple[object, ...] = ()  # the turn, and what the table does and asks
        self._pictures = 0  # that it has processed since

    def set_up(self, table: LiveTable) -> None:
        """Play before a table as soon as it watches the board."""
        self._said.clear()
        self._table = table
        table.subscribe(self._note_said)
        table.add_frame_listener(self._note_frame)

    def end(self, table: LiveTable) -> None:
        """Show all tickets, end the game and count its points, unless they are counted."""
        if table.view.game.table.counted:
            return
        held = self._played.end.tickets
        hands = {colour: ticket_texts(tickets) for colour, tickets in held.items()}
        shown = [TicketRevealed(seat, ticket) for seat, hand in hands.items() for ticket in hand]
        table.execute(AddFacts(shown))
        table.execute(Action.END)
        table.execute(Action.COUNT)

    def _note_said(self, view: TableView, events: tuple[Event, ...]) -> None:
        held = view.game.table.held
        spots = {spot for event in events for spot in event.fact.spots}
        self._said.update((spot, held.get(spot)) for spot in spots)

    def _note_frame(self, frame: Frame, view: TableView) -> None:
        self._pictures += 1

    def _until_s(self, t_s: float) -> float | None:
        """Return up to which moment the game may go on; called by the source's thread."""
        table = self._table
        if table is None:
            return t_s
        if not table.view.game.table.ended:
            turn = bisect_left(self._stops_s, t_s)
            if t_s == self._stops_s[turn] and self._is_read(table, turn):
                turn += 1
            if turn < len(self._stops_s):
                return self._stops_s[turn]
        self.end(table)
        return None

    def _is_read(self, table: LiveTable, turn: int) -> bool:
        """Tell whether a table has all that lies there before a turn; say what it cannot see."""
        view = table.view
        laid = {made.laid: made.colour for made in self._played.turns[:turn] if made.laid}
        unsaid = {spot: colour for spot, colour in laid.items() if (spot, colour) not in self._said}
        asked = view.questions, view.sight.joining, view.sight.strange
        is_paused, is_settled = view.game.table.paused, view.sight.state is WatchState.SETTLED
        if is_settled and not (is_paused or unsaid or any(asked)):
            return True
        if self._waits_for != (turn, is_paused, is_settled, *asked):
            self._waits_for, self._pictures = (turn, is_paused, is_settled, *asked), 0
        if self._pictures >= SHOWN_PICTURES:
            _execute(table, _answers(view, laid))
        most = SETTLED_PICTURES if is_settled else MOST_PICTURES
        if turn == 0 or is_paused or self._pictures < most:
            return False
        _execute(table, (Correct(spot, colour) for spot, colour in unsaid.items()))
        self._said.update(unsaid.items())
        return True


def _answers(view: TableView, laid: Mapping[Spot, Colour]) -> Iterator[Command]:
    """Yield the answers to all that a table asks about a board on which this was laid."""
    for question in view.questions:
        yield Correct(question.spot, laid.get(question.spot), is_answer=True)
    if view.sight.joining is not None:
        yield ConfirmJoining(laid)
    for trains in view.sight.strange:
        yield AddFacts([TrainsAssigned(trains)])


def _execute(table: LiveTable, said: Iterable[Command]) -> None:
    for command in said:
        with suppress(TableError):  # somebody at the page says otherwise
            table.execute(command)


def demo_table(seed: int = LIVE_SEED) -> DemoTable:
    """Return a simulated game as a source."""
    return DemoTable(demo_game(seed), seed)
