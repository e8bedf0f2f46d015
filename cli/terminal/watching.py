"""A live table in the terminal: what is printed of it, and the word that ends it."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import TextIO

from railspotter.scoring.legality import Problem
from railspotter.scoring.spot_names import spot_name
from railspotter.table.errors import TableError
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.table_state import TableState
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.game_text.score_lines import (
    final_lines,
    is_counted,
    player_text,
    problem_text,
    scores,
)
from railspotter.table.live_table.table_view import Joining, TableView
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.grabber import Grabber

# Windows' drivers take up to 30 s to open a camera; a stream's first key frame takes 10.
TIMEOUT_S = 30.0
POLL_S = 0.2  # seconds between two looks at the source's status
NEVER = 2**62  # a frame number that is never reached, to wait without taking a frame
MOST_SPOTS = 2  # the newest spots of a problem that are named
INDENT = " " * 10
QUIT = ("q", "quit", "exit")


def wait_for_picture(
    grabber: Grabber,
    timeout_s: float = TIMEOUT_S,
    say: Callable[[str], None] = lambda said: None,
) -> None:
    """Wait for a source's first picture.

    `say` is called with each new status of the source. Raises `TableError` at the timeout
    `timeout_s`, or when the source has ended.
    """
    until_s, said = time.monotonic() + timeout_s, ""
    while True:
        status = grabber.status
        if status.grabbed:
            return
        if status.is_over:
            raise TableError(status.said)
        if time.monotonic() > until_s:
            raise TableError(
                f"no picture within {timeout_s:.0f} s ({status.said}): no game was begun; check"
                " that the camera works, or name another --source"
            )
        if status.said != said:
            said = status.said
            say(said)
        grabber.latest(NEVER, POLL_S)


class TerminalLog:
    """Prints the changes of a live table."""

    def __init__(self) -> None:
        self._last: TableView | None = None
        self._problems: tuple[Problem, ...] = ()

    def update(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Print what changed since the last call; the table's callback."""
        # At first everything is new, except for where the markers go.
        last = self._last or TableView(view.game, with_markers=False)
        table = view.game.table
        is_other = self._last is None or table is not last.game.table
        lines = [line for event in events for line in event_lines(event, view.game)]
        for line in lines:
            print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)
        if lines and is_other and not table.ended:
            print(f"{INDENT}{scores(table)}", flush=True)
        problems = self._new_problems(view, last) if is_other else ()
        for line in (*problems, *_status_changes(view, last)):
            print(f"{INDENT}{line}", flush=True)
        for line in (*_new_final_score(view, last), *_new_questions(view, last)):
            print(line, flush=True)
        self._last = view

    def _new_problems(self, view: TableView, last: TableView) -> Iterator[str]:
        """Yield the new problems of the position, each with the claims that may be wrong."""
        table = view.game.table
        before, self._problems = self._problems, table.score.problems
        if table.ended and not last.game.table.ended:
            return  # the final score, which follows, has them
        for problem in self._problems:
            if problem not in before:
                yield problem_text(problem)
                spots = table.occupied_spots_of(problem)[:MOST_SPOTS]
                if spots:
                    names = " or ".join(spot_name(table.board, spot) for spot in spots)
                    yield f"to put it right, change on the page: {names}"


def _new_final_score(view: TableView, last: TableView) -> Iterator[str]:
    """Yield the final score when the last missing ticket has been revealed."""
    now, before = view.game.table, last.game.table
    if now.ended and before.ended and is_counted(now) and not is_counted(before):
        yield from final_lines(now)


def _new_questions(view: TableView, last: TableView) -> Iterator[str]:
    """Yield the new questions on the page."""
    for one in view.questions:
        if one not in last.questions:
            yield f"question: {_question(view, one.doubt)}"
    for colour, spots in view.sight.strange.items():
        if colour not in last.sight.strange:
            names = ", ".join(spot_name(view.game.table.board, spot) for spot in spots)
            yield f"question: {colour} trains, which nobody has, lie on {names}: who plays them?"
    if view.sight.joining is not None and last.sight.joining is None:
        yield _joining_question(view.sight.joining, view.game.table)
        yield f"{INDENT}nothing is scored until somebody says so on the page"
    if view.is_joining_open and not last.is_joining_open:
        yield f"{INDENT}still nothing is scored: any player may say so by now"


def _question(view: TableView, doubt: Doubt) -> str:
    likely = dict.fromkeys(colour or "free" for colour in (doubt.said, *doubt.alternatives))
    asked = f"{spot_name(view.game.table.board, doubt.spot)}: {' or '.join(likely)}?"
    return f"{asked} ({doubt.why})" if doubt.why else asked


def _joining_question(joining: Joining, table: TableState) -> str:
    """Return the question about the board at the start of watching."""
    colours = [*joining.board.values()]
    lying = ", ".join(
        f"{colours.count(colour)} of {player_text(colour, table)}" for colour in sorted({*colours})
    )
    if joining.changed:
        return (
            f"{joining.changed} places on the board are otherwise than in the game, and"
            " nobody saw it happen: the page has the list. Is it right?"
        )
    if not joining.missing:
        return f"there are trains on the board already: {lying}. Is that right?"
    return (
        f"the board shows {lying or 'no claims'}, but the game has {len(table.held)}, and"
        f" {joining.missing} of them are missing. Was the board cleared? A pause keeps them:"
        " put right what is wrong, then go on"
    )


def _status_changes(view: TableView, last: TableView) -> Iterator[str]:
    """Yield new instructions for the board, and changes of what keeps the table from working."""
    table = view.game.table
    left, before = (
        sum(d.is_plain for d in one.sight.rebuilding.differences) if one.sight.rebuilding else 0
        for one in (view, last)
    )
    if left and left != before:
        yield f"{left} left until the board lies as it was: the page shows them"
    for spot, number in view.marker_moves.items():
        if spot not in last.marker_moves:
            yield f"move the marker of {player_text(table.to_lay[spot], table)} to {number}"
    for now, then in (
        (view.camera, last.camera),
        (view.sight.board, last.sight.board),
        (view.sight.obstacle, last.sight.obstacle),
        (view.trouble and f"not saved yet: {view.trouble}", last.trouble),
    ):
        if now and now != then and not now.endswith(then or "\n"):
            yield str(now)
    if last.trouble and not view.trouble:
        yield "everything is saved now"
    if last.sight.obstacle and not view.sight.obstacle:
        yield "nothing covers the board any more"


def stop_on_quit(words: TextIO, stop: threading.Event) -> None:
    """Set `stop`, from a thread, once a line of `words` is `q` or another word of `QUIT`."""

    def listen() -> None:
        for line in words:
            if line.strip() in QUIT:
                stop.set()
                return
            if line.strip():
                print("here 'q' alone does something: it stops. All else is on the page")

    threading.Thread(target=listen, name="words", daemon=True).start()
