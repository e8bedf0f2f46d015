"""A past game once more, moment by moment: what lay on the board and how everyone stood.

It is made of the public events alone, folded as if nothing else had happened. So what was secret
at the end is in no moment, also where it was shown for a while.
"""

from __future__ import annotations

from railspotter.scoring.paths.longest_path import MOST_STEPS as PATH_STEPS
from railspotter.scoring.paths.longest_path import LongestPath
from railspotter.scoring.points.final_score import score_of
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.table_state import TableState

from .public_state import Json, PublicGame, entry
from .stream import merge_patch

# Steps for the longest paths of all moments: some seconds. A hundred claims on a printed board take
# some hundred thousand.
MOST_STEPS = 20_000_000
FEWEST_STEPS = 1_000  # for one path from then on: it is a bound where it is not easy


def moments(game: PublicGame) -> Json:
    """Return where a game began, and after every public event what it changed.

    `start` has `players` by their seats and `spots`; of `moments` each is an event as the state's
    log has it, and its `change` a JSON merge patch (RFC 7386) of what was before.
    """
    events = game.log.as_game().events
    state = begin(events[0])
    effort = _Effort()
    before = start = _moment(state.table, None, {}, effort)
    told = [{**entry(game.log.events[0], game), "change": {}}]
    for shown, event in zip(game.log.events[1:], events[1:], strict=True):
        last, state = state.table, state.after(event)
        after = _moment(state.table, last, before, effort)
        told.append({**entry(shown, game), "change": merge_patch(before, after)})
        before = after
    return {"start": start, "moments": told}


class _Effort:
    """Shares the steps for longest paths out among a game's moments.

    Most paths are those of the moment before, and were searched for then: they count once.
    """

    def __init__(self) -> None:
        self._left = MOST_STEPS
        self._counted: dict[int, LongestPath] = {}

    @property
    def steps(self) -> int:
        """How many steps the search for one path of the next moment may take."""
        return PATH_STEPS if self._left > 0 else FEWEST_STEPS

    def count(self, path: LongestPath) -> None:
        """Count what the search for a path took."""
        if id(path) not in self._counted:
            self._counted[id(path)] = path
            self._left -= path.steps


def _moment(table: TableState, last: TableState | None, before: Json, effort: _Effort) -> Json:
    if last is not None and _counts(table) == _counts(last):
        return before
    players: Json = {}
    standing = score_of(table.position, effort.steps)
    for player, score in zip(table.players, standing.players, strict=True):
        effort.count(score.longest_path)
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


def _counts(table: TableState) -> tuple[object, ...]:
    """Return all that points come from."""
    return (table.players, table.spots, table.pins, table.tickets, table.ended)
