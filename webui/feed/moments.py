"""The replay of a past game: the board and the scores after each public event.

It is computed from the final public log, so tickets that were revealed only for a while are in no
moment.
"""

from railspotter.scoring.paths.longest_path import MOST_STEPS as PATH_STEPS
from railspotter.scoring.paths.longest_path import LongestPath
from railspotter.scoring.points.final_score import score_of
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.table_state import TableState

from .public_state import Json, PublicGame, entry
from .stream import merge_patch

# The budget of search steps for all longest paths: some seconds. A hundred claims on a printed
# board take some hundred thousand.
MOST_STEPS = 20_000_000
FEWEST_STEPS = 1_000  # for each path after that, which then may give bounds only


def moments(game: PublicGame) -> Json:
    """Return a game's initial state, and the changes by every public event.

    `start` has `players` by seat, and `spots`; each of `moments` is a log entry with `change`, a
    JSON merge patch (RFC 7386) to the state before.
    """
    events = game.log.as_game().events
    state = begin(events[0])
    budget = _StepBudget()
    before = start = _moment(state.table, None, {}, budget)
    entries = [{**entry(game.log.events[0], game), "change": {}}]
    for shown, event in zip(game.log.events[1:], events[1:], strict=True):
        last, state = state.table, state.after(event)
        after = _moment(state.table, last, before, budget)
        entries.append({**entry(shown, game), "change": merge_patch(before, after)})
        before = after
    return {"start": start, "moments": entries}


class _StepBudget:
    """The budget of search steps; paths unchanged since the previous moment count once."""

    def __init__(self) -> None:
        self._left = MOST_STEPS
        self._counted: dict[int, LongestPath] = {}

    @property
    def steps(self) -> int:
        """The steps that the search for one path may take now."""
        return PATH_STEPS if self._left > 0 else FEWEST_STEPS

    def count(self, path: LongestPath) -> None:
        """Deduct the steps of a path's search."""
        if id(path) not in self._counted:
            self._counted[id(path)] = path
            self._left -= path.steps


def _moment(table: TableState, last: TableState | None, before: Json, budget: _StepBudget) -> Json:
    if last is not None and _score_inputs(table) == _score_inputs(last):
        return before
    players: Json = {}
    standing = score_of(table.position, budget.steps)
    for player, score in zip(table.players, standing.players, strict=True):
        budget.count(score.longest_path)
        players[player.seat] = {
            "points": score.total,
            "trains_left": score.trains_left,
            "longest_path": score.longest_path.at_least,
            "longest_path_at_most": score.longest_path.at_most,
            "path_routes": list(score.longest_path.routes),
        }
    spots = {
        spot.key: {
            "colour": held.colour,
            "by": held.by,
            "at_s": held.at_s,
            "sure": held.sure,
        }
        for spot, held in sorted(table.spots.items())
        if held.colour is not None
    }
    return {"players": players, "spots": spots}


def _score_inputs(table: TableState) -> tuple[object, ...]:
    """Return all that a moment depends on."""
    return (table.players, table.spots, table.pins, table.tickets, table.ended)
