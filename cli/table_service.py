"""One table that lives on while games are set up, begin, end and fail, in one process."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
from railspotter.club.publisher import Publisher
from railspotter.table.display_control import DisplayFeed, Lights
from railspotter.table.errors import HomeError, TableError
from railspotter.table.game_log.errors import GameLogError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_text.event_lines import damage_lines
from railspotter.table.game_text.score_lines import scores
from railspotter.table.home import ProfileStore, home
from railspotter.table.live_table.computers import Computers
from railspotter.table.live_table.learning import SaveProfile
from railspotter.table.live_table.listed import load_listed, save_listed
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.memory import release_free_memory
from railspotter.table.own_trains import learning_saver
from railspotter.table.recordings.recorder import Recorder
from railspotter.table.set_up.game_set_up import GameSetUp, HomeWish, SetUpWish, Wish
from railspotter.table.set_up.photo_game import going_on
from railspotter.table.set_up.planned_game import GameHandover, Preset, keep_names
from railspotter.table.whole_file import KeptFile
from railspotter.vision.sources.grabber import GrabberState
from railspotter.vision.sources.source import NoCamera
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.services import GameSession, Services, SetUpSession

from .pages import say
from .terminal.watching import TerminalLog

OK, FAILED = 0, 2
POLL_S = 0.2  # seconds between two checks whether something else begins
# A game in which the program ended goes on by itself for so long after its last event.
SAME_EVENING_S = 12 * 3600


class PlayedGame(msgspec.Struct, frozen=True):
    """The game that a table plays, so that it goes on after a crash or a power cut."""

    id: str = ""


def played_game_file(folder: Path) -> KeptFile[PlayedGame]:
    """Return the file of a data directory with the game that its table plays."""
    return KeptFile(folder / "table.json", PlayedGame())


def wish_to_go_on(folder: Path, now_s: float) -> SetUpWish | None:
    """Return the wish to go on with the game in which the program ended, on the same evening.

    Also at its result: a game that was counted, and that nobody has left.
    """
    game = played_game_file(folder).load_or_default().id
    try:
        state = GameStore(folder).read(game)
    except GameLogError:
        return None
    is_past = now_s - state.events[-1].at_s > SAME_EVENING_S
    return None if is_past else SetUpWish(game, is_at_once=True)


@dataclass(eq=False)
class TableService:
    """A table's life, in which one game follows the other; `run` goes on until it is stopped."""

    page: TablePage | None  # None for a game in the terminal alone
    stop: threading.Event
    display: Lights
    publisher: Publisher | None = None
    given: Preset = field(default_factory=Preset)  # what the command line says of all games
    record: Path | None = None  # where the first game's pictures are kept
    with_markers: bool = True

    def run(self, wish: Wish) -> int:
        """Do what is wished, then what is wished on the page; return the exit code.

        Raises `TableError` for a first wish that is impossible; later ones lead home.
        """
        following, code = self._do(wish)
        while following is not None:
            release_free_memory()  # of what was computed of the last game's board
            try:
                following, code = self._do(following)
            except TableError as error:
                say(f"railspotter: {error}")
                following = HomeWish()
        return code

    def _do(self, wish: Wish) -> tuple[Wish | None, int]:
        """Do what is wished until something else is; return that, and the exit code."""
        if isinstance(wish, GameHandover):
            return self._play(wish)
        if self.page is None:
            raise TableError("a game is set up on the page: leave '--no-page' out")
        self.page.services.phone_access.leave_game()
        if isinstance(wish, SetUpWish):
            store = GameStore(home())
            if wish.game and store.read(wish.game).table.started.origin == "photo":
                return self._play(going_on(store, wish.game))
            return self._set_up(wish, self.page), OK
        return self._rest(self.page.services), OK

    def _next_wish(
        self,
        other: Callable[[], Wish | None] = lambda: None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> Wish | None:
        """Wait for what comes next, on the page or by `other`; None once all is over."""
        wish = None
        try:
            while wish is None and not (self.stop.is_set() or is_over()):
                if self.page is None:
                    self.stop.wait(POLL_S)
                else:
                    wish = self.page.services.next_wish(POLL_S) or other()
        except KeyboardInterrupt:
            self.stop.set()
            print(flush=True)
        return wish

    def _rest(self, services: Services) -> Wish | None:
        """Wait for what somebody wishes at the table's first page."""
        services.is_resting = True
        following = self._next_wish()
        services.is_resting = False
        return following

    def _set_up(self, wish: SetUpWish, page: TablePage) -> Wish | None:
        """Let a game be set up; return it, or what is wished instead."""
        given = replace(self.given, game=wish.game)
        with (
            closing(wish.desk or GameSetUp(home(), given).__enter__()) as desk,
            page.running(SetUpSession(desk)),
        ):

            def begun() -> Wish | None:
                if wish.is_at_once and desk.begun is None:
                    desk.begin_if_possible()
                return desk.begun

            following = self._next_wish(begun)
            return desk.begun or following  # a game that has begun owns the camera

    def _play(self, handover: GameHandover) -> tuple[Wish | None, int]:
        """Play a game until something else is wished; return that, and the exit code."""
        following, kept = None, played_game_file(home())
        try:
            with opened_game(handover) as log:
                if handover.demo is None:
                    with suppress(HomeError):  # then a new start begins at home
                        kept.save(PlayedGame(log.id))
                following = self._watch(handover, log)
                with suppress(HomeError):
                    if handover.demo is None:
                        keep_names(home(), log.state.table)
                    if following is not None:
                        kept.save(PlayedGame())
            is_broken = handover.grabber.status.doing is GrabberState.FAILED
            return following, FAILED if is_broken else OK
        finally:
            if not (isinstance(following, GameHandover) and following.grabber is handover.grabber):
                handover.grabber.stop()

    def _watch(self, handover: GameHandover, log: GameLog) -> Wish | None:
        """Watch a game until something else is wished; without a page until its source ends."""
        listed = load_listed(log.path)
        table = LiveTable(
            log,
            handover.grabber,
            handover.profile,
            keep=self._learning_callback(handover),
            with_markers=self.with_markers,
            listed=listed,
        )
        table.subscribe(DisplayFeed(self.display).update)
        if self.publisher is not None:
            self.publisher.follow(table)
        if handover.demo is not None:
            handover.demo.set_up(table)
        table.subscribe(TerminalLog().update)
        for line in damage_lines(log):
            print(line, flush=True)
        name = log.state.table.name or log.id[:8]
        print(f"watching {name}; Ctrl-C, or 'q' here, ends it", flush=True)

        def is_over() -> bool:
            """Tell whether the source ended without a page; keep what is listed by now."""
            nonlocal listed
            if listed != table.listed:
                listed = table.listed
                save_listed(log.path, listed)
            return not self.page and table.view.is_over

        with self._recording(table, log), self._shown(table, handover), table, Computers(table):
            following = self._next_wish(is_over=is_over)
            if table.view.is_over:
                print(table.view.camera, flush=True)
        is_over()  # what was listed last
        print(scores(log.state.table), flush=True)
        has_begun = handover.grabber.status.grabbed or len(log.state.events) > 1
        if handover.demo is None and has_begun:
            print(f"'railspotter play --resume {log.id[:8]}' goes on with this game", flush=True)
        return following

    @contextmanager
    def _shown(self, table: LiveTable, handover: GameHandover) -> Iterator[None]:
        """Show a game on the page, if there is one."""
        if self.page is None:
            yield
            return
        services = self.page.services

        def again() -> None:
            state = table.log.state.table
            if state.started.origin == "photo":  # the next one begins with another photo
                services.wish(HomeWish)
                return
            services.wish(lambda: handover.next_game(state, table.profile))

        session = GameSession(table, services.phone_access, home(), again=again)
        with self.page.running(session):
            yield

    @contextmanager
    def _recording(self, table: LiveTable, log: GameLog) -> Iterator[None]:
        """Record the first game's pictures, if that is wanted."""
        folder, self.record = self.record, None
        if folder is None or table.profile is None:
            if folder is not None:  # the page chose no camera
                print("nothing is recorded: there is no camera", flush=True)
            yield
            return
        with Recorder(folder, log.id, say=lambda said: say(f"          {said}")) as recorder:
            table.add_frame_listener(recorder.on_frame)
            yield

    def _learning_callback(self, handover: GameHandover) -> SaveProfile | None:
        """Return a callback that saves a learned profile; one of told trains is saved at once."""
        if handover.profile is None:
            return None
        keep = learning_saver(ProfileStore(home()), handover.profile)
        if keep is not None and self.given.trains:  # so that '--resume' knows them
            keep(handover.profile)
        return keep


@contextmanager
def opened_game(handover: GameHandover) -> Iterator[GameLog]:
    """Open a game's log; a new one is deleted again if its camera never showed anything."""
    log, grabber = handover.store.open(handover.game), handover.grabber
    try:
        with log:
            yield log
    finally:
        # A phone may never have sent a picture.
        has_come = grabber.status.grabbed or isinstance(grabber.source, NoCamera)
        if handover.is_new and len(log.state.events) == 1 and not has_come:
            handover.store.delete(log.id)
