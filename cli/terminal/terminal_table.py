"""A live table in the terminal: what happens is said, what people type is done."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TextIO

from railspotter.calibration.profiles import Profile
from railspotter.scoring import Colour, Edition, Problem, Spot, Standing
from railspotter.table.display_desk import PiecesToLay
from railspotter.table.errors import TableError
from railspotter.table.game_log import Event, GameLog, TableState, answer_of
from railspotter.table.live_table import Computers, LiveTable, TableView, claimants
from railspotter.table.photos import spot_name
from railspotter.vision.sources import Grabber, GrabberState
from railspotter.vision.watching import WatchState

from .event_text import (
    event_lines,
    final_lines,
    is_counted,
    laying_lines,
    player_text,
    problem_lines,
    question,
    rebuilding_lines,
    scores,
)
from .games_text import damage_lines
from .play_commands import run_command

OK, FAILED = 0, 2
LOOK_S = 0.2
"""Seconds between two looks whether the game's source is over, or somebody had enough."""


class Lights(Protocol):
    """A display beside the board; neither of its words waits for it."""

    def show_standing(
        self,
        standing: Standing,
        edition: Edition,
        claimants: Collection[Colour] = (),
        to_lay: Collection[PiecesToLay] = (),
    ) -> None:
        """Show a standing, which colours have just claimed, and what is to be laid."""
        ...

    def dim(self, *, is_reading: bool) -> None:
        """Dim while the camera reads."""
        ...

    def warn(self, *, is_blind: bool) -> None:
        """Show whether the table does not see its board."""
        ...


Page = Callable[[LiveTable], AbstractContextManager[str | None]]
"""Opens the page of a table that has not begun to watch, and yields its address, or None."""


def watch(
    log: GameLog,
    grabber: Grabber,
    profile: Profile | None,
    *,
    words: TextIO | TypedCommands | None = None,
    lights: Lights | None = None,
    page: Page = lambda table: nullcontext(),
    set_up: Callable[[LiveTable], None] = lambda table: None,
    is_left: Callable[[], bool] = lambda: False,
    at_end: Callable[[LiveTable], None] = lambda table: None,
    is_kept: bool = True,
) -> int:
    """Watch a game until its source is over, or somebody has had enough; return the exit code.

    Parameters
    ----------
    grabber : Grabber
        Running.
    profile : Profile or None
        None without a camera.
    words : text file or TypedCommands, optional
        What people type; without it, standard input.
    set_up : callable
        Is handed the table before it begins to watch.
    is_left : callable
        Tells whether everybody has left for another game.
    at_end : callable
        Is handed the table when its source is over.
    is_kept : bool
        Whether the game can be gone on with later.
    """
    table = LiveTable(log, grabber, profile)
    set_up(table)
    table.subscribe(TerminalLog().update)
    if lights is not None:
        table.subscribe(DisplayFeed(lights).update)
    title = log.state.table.name or log.id[:8]
    for line in damage_lines(log):
        print(line, flush=True)
    print(f"watching {title}; type 'help' for what you can type", flush=True)
    with page(table) as url, table, Computers(table):
        if url is not None:
            print(f"the page is at {url}", flush=True)
        typed = words if isinstance(words, TypedCommands) else TypedCommands(words or sys.stdin)
        _watch_until_enough(table, typed, is_left, at_end)
        is_broken = grabber.status.doing is GrabberState.FAILED
    print(scores(log.state.table), flush=True)
    if is_kept and (grabber.status.grabbed or len(log.state.events) > 1):
        print(f"'railspotter play --resume {log.id[:8]}' goes on with this game", flush=True)
    return FAILED if is_broken else OK


class TypedCommands:
    """The commands that people type, line by line, for the table that is watched now.

    Attributes
    ----------
    is_ended : threading.Event
        Set when somebody wants to stop.
    """

    def __init__(self, words: TextIO) -> None:
        self._words = words
        self._table: LiveTable | None = None
        self.is_ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="words", daemon=True)

    def go_to(self, table: LiveTable) -> None:
        """Do what is typed from now on at this table."""
        self._table = table
        self.listen()

    def listen(self) -> None:
        """Begin to listen, also before there is a table: 'quit' is heard."""
        if self._thread.ident is None:
            self._thread.start()

    def _listen(self) -> None:
        for line in self._words:
            if line.strip() in ("quit", "exit"):
                self.is_ended.set()
                return
            try:
                reply = run_command(line, self._table) if self._table is not None else ""
            except TableError as error:
                reply = f"railspotter: {error}"
            if reply:
                print(reply, flush=True)


def _watch_until_enough(
    table: LiveTable,
    typed: TypedCommands,
    is_left: Callable[[], bool],
    at_end: Callable[[LiveTable], None],
) -> None:
    typed.go_to(table)
    try:
        while not typed.is_ended.wait(LOOK_S) and not is_left():
            if table.view.is_over:
                print(table.view.camera, flush=True)
                at_end(table)
                return
    except KeyboardInterrupt:
        typed.is_ended.set()
        print(flush=True)


class DisplayFeed:
    """Gives a display each new standing, and dims it while the camera reads: lights blind it."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._shown: TableState | None = None
        self._to_lay: tuple[PiecesToLay, ...] = ()

    def update(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Show a changed table; called by the table."""
        table, to_lay = view.game.table, _to_lay(view)
        if table is not self._shown or to_lay != self._to_lay:
            self._shown, self._to_lay = table, to_lay
            standing = answer_of(table, with_secrets=False).standing
            self._lights.show_standing(
                standing, table.edition, claimants(events, view.game), to_lay
            )
        # A question may stay open for long, and nothing is read for it meanwhile.
        self._lights.dim(is_reading=view.state is WatchState.SETTLING and not view.questions)
        self._lights.warn(is_blind=bool(view.hindrance or view.trouble))


def _to_lay(view: TableView) -> tuple[PiecesToLay, ...]:
    """Return what is paid for and does not lie on the board, in the order in which it was paid.

    Of a game that was packed away it is what is not laid out again yet.
    """
    table = view.game.table
    to_lay = list(table.to_lay.items())
    if view.rebuilding is not None:
        gone = (one for one in view.rebuilding.differences if one.is_plain)
        to_lay = [(one.spot, one.colour) for one in gone if one.colour is not None]
    seen = {spot: len(laying.standing) for spot, laying in view.laying.items()}
    return tuple(
        PiecesToLay(
            colour,
            spot_name(table.board, spot),
            table.pieces_on(spot),
            seen.get(spot, 0),
            view.marker_moves.get(spot),
        )
        for spot, colour in to_lay
    )


class TerminalLog:
    """Prints what is new at a table: events with the scores, questions, trouble."""

    def __init__(self) -> None:
        self._last: TableView | None = None
        self._problems: tuple[Problem, ...] = ()

    def update(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Print what is new since the last call; called by the table."""
        last, self._last = self._last, view
        table = view.game.table
        lines = [line for event in events for line in event_lines(event, view.game)]
        for line in lines:
            print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)
        if table is not (last and last.game.table):
            if lines and not table.ended:
                print(f"          {scores(table)}", flush=True)
            problems = answer_of(table, with_secrets=False).problems
            new = [problem for problem in problems if problem not in self._problems]
            if table.ended and last is not None and not last.game.table.ended:
                new = []  # the final score, which was printed just now, has them
            for line in problem_lines(new, table):
                print(f"          {line}", flush=True)
            self._problems = problems
        was = last.game.table if last else table
        if was.ended and table.ended and is_counted(table) and not is_counted(was):
            print("\n".join(final_lines(table)), flush=True)
        asked = last.questions if last else ()
        for number, one in enumerate(view.questions, start=1):
            if one not in asked:
                print(question(number, one.doubt, table), flush=True)
        if view.joining is not None and (last is None or last.joining is None):
            print(_joining_line(view.joining, view.joining_missing, table), flush=True)
            print("          nothing is scored until somebody says so", flush=True)
        if view.is_joining_open and last is not None and not last.is_joining_open:
            print("          still nothing is scored: any player may say so by now", flush=True)
        if view.rebuilding is not None:
            for line in rebuilding_lines(view.rebuilding, last.rebuilding if last else None, table):
                print(f"          {line}", flush=True)
        for spot, number in view.marker_moves.items():
            if last is None or spot not in last.marker_moves:
                whose = player_text(table.to_lay[spot], table)
                print(f"          move the marker of {whose} to {number}", flush=True)
        for line in laying_lines(view.laying, last.laying if last else {}, table):
            print(f"          {line}", flush=True)
        for now, before in (
            (view.camera, last and last.camera),
            (view.board, last and last.board),
            (view.obstacle, last and last.obstacle),
            (view.trouble and f"not saved yet: {view.trouble}", last and last.trouble),
        ):
            if now and now != before and not now.endswith(before or "\n"):
                print(f"          {now}", flush=True)
        if last is not None and last.trouble and not view.trouble:
            print("          everything is saved now", flush=True)
        if last is not None and last.obstacle and not view.obstacle:
            print("          nothing covers the board any more", flush=True)


def _joining_line(joining: Mapping[Spot, Colour], missing: int, table: TableState) -> str:
    """Return what is asked about a board that watching began with."""
    colours = list(joining.values())
    lying = ", ".join(
        f"{colours.count(colour)} of {player_text(colour, table)}" for colour in sorted({*colours})
    )
    if not missing:
        return f"there are trains on the board already: {lying}. Is that right? (yes)"
    return (
        f"the board shows {lying or 'no claims'}, but the game has"
        f" {len(table.held)}, and {missing} of them are missing. Was the board cleared? (yes;"
        " 'pause' keeps them: put right what is wrong, then 'resume')"
    )
