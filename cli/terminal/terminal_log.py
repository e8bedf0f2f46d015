"""What is new at a table, printed: events with the scores, problems, questions, trouble."""

from __future__ import annotations

import time
from collections.abc import Iterator

from railspotter.scoring.legality import Problem
from railspotter.table.game_log.events import Event
from railspotter.table.game_log.scored import answer_of, spots_of_problem
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.game_text.score_lines import (
    colour_text,
    final_lines,
    is_counted,
    player_text,
    problem_text,
    scores,
)
from railspotter.table.live_table.table_view import TableView
from railspotter.table.photos.scored_photo_text import spot_name
from railspotter.vision.readings import Doubt

MOST_SPOTS = 2  # spots that are named of a problem: the newest, and the one before
INDENT = " " * 10


class TerminalLog:
    """Prints what is new at a table since it was told the last time."""

    def __init__(self) -> None:
        self._last: TableView | None = None
        self._problems: tuple[Problem, ...] = ()

    def update(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Print what is new since the last call; called by the table."""
        # At first nothing was said; without markers, none of where they go.
        last = self._last or TableView(view.number, view.game, with_markers=False)
        table = view.game.table
        is_other = self._last is None or table is not last.game.table
        lines = [line for event in events for line in event_lines(event, view.game)]
        for line in lines:
            print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)
        if lines and is_other and not table.ended:
            print(f"{INDENT}{scores(table)}", flush=True)
        problems = self._new_problems(view, last) if is_other else ()
        for line in (*problems, *_trouble(view, last)):
            print(f"{INDENT}{line}", flush=True)
        for line in (*_result(view, last), *_asked(view, last)):
            print(line, flush=True)
        self._last = view

    def _new_problems(self, view: TableView, last: TableView) -> Iterator[str]:
        """Yield what cannot be on the board, each with the claims that may be wrong."""
        table = view.game.table
        before, self._problems = self._problems, answer_of(table, with_secrets=False).problems
        if table.ended and not last.game.table.ended:
            return  # the final score, which is printed now, has them
        for problem in self._problems:
            if problem not in before:
                yield problem_text(problem)
                spots = spots_of_problem(problem, table)[:MOST_SPOTS]
                if spots:
                    names = " or ".join(spot_name(table.board, spot) for spot in spots)
                    yield f"to put it right, change on the page: {names}"


def _result(view: TableView, last: TableView) -> Iterator[str]:
    """Yield the final score once more when the last ticket that was missing is shown."""
    now, before = view.game.table, last.game.table
    if now.ended and before.ended and is_counted(now) and not is_counted(before):
        yield from final_lines(now)


def _asked(view: TableView, last: TableView) -> Iterator[str]:
    """Yield what is asked on the page."""
    for one in view.questions:
        if one not in last.questions:
            yield f"question: {_question(view, one.doubt)}"
    if view.sight.joining is not None and last.sight.joining is None:
        yield _joining(view)
        yield f"{INDENT}nothing is scored until somebody says so on the page"
    if view.is_joining_open and not last.is_joining_open:
        yield f"{INDENT}still nothing is scored: any player may say so by now"


def _question(view: TableView, doubt: Doubt) -> str:
    likely = dict.fromkeys(colour_text(colour) for colour in (doubt.said, *doubt.alternatives))
    asked = f"{spot_name(view.game.table.board, doubt.spot)}: {' or '.join(likely)}?"
    return f"{asked} ({doubt.why})" if doubt.why else asked


def _joining(view: TableView) -> str:
    """Return what is asked about a board that watching began with."""
    table, sight = view.game.table, view.sight
    colours = [*(sight.joining or {}).values()]
    lying = ", ".join(
        f"{colours.count(colour)} of {player_text(colour, table)}" for colour in sorted({*colours})
    )
    if not sight.joining_missing:
        return f"there are trains on the board already: {lying}. Is that right?"
    return (
        f"the board shows {lying or 'no claims'}, but the game has {len(table.held)}, and"
        f" {sight.joining_missing} of them are missing. Was the board cleared? A pause keeps them:"
        " put right what is wrong, then go on"
    )


def _trouble(view: TableView, last: TableView) -> Iterator[str]:
    """Yield what people have to do at the board, what keeps the table from seeing, and its end."""
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
