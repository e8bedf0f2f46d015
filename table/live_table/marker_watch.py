"""Checking the score markers on a watched board.

Players move their markers late. So a wrong marker is reported only when the score has not changed
for a while and two readings agree; one correct reading removes the remark. Nothing is logged.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from railspotter.scoring.edition import Colour
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.readings import MarkerReading
from railspotter.vision.watching.looks import Look, read_track

from ..game_log.facts import SeatId
from ..game_log.table_state import TableState

UNCHANGED_S = 20.0  # how long the score must not have changed before markers are read
# Time between readings: while a marker is wrong or not read twice; and else.
RETRY_S, RECHECK_S = 20.0, 120.0


@dataclass(frozen=True)
class MarkerRemark:
    """A marker that stands elsewhere than its player's score."""

    seat: SeatId
    at: int  # the number of the track where it stands
    should_be: int  # the number where it belongs


def marker_places(table: TableState) -> dict[Colour, int]:
    """Return the score track's number for each marker; empty for a board without a track.

    With cards on phones a paid route counts before it is laid. Where the track begins, a marker
    that has come round is at the track's last number.
    """
    steps = len(table.board.score_track)
    players = table.score.standing.players if steps else ()
    return {p.colour: p.route_points % steps or min(p.route_points, steps) for p in players}


class MarkerWatch:
    """Reads the score track at intervals and keeps the `remarks`."""

    def __init__(self, work: Executor) -> None:
        self._work = work
        self._table: TableState | None = None
        self._should_be: dict[Colour, int] = {}
        self._rested_since_s = 0.0
        self._reading: Future[dict[Colour, MarkerReading]] | None = None
        self._looked_at_s = self._next_s = 0.0
        self._read_before = False
        self._at: dict[Colour, int] = {}
        self.remarks: tuple[MarkerRemark, ...] = ()

    def update_expected(self, table: TableState, at_s: float) -> None:
        """Update the expected numbers; a changed score restarts the wait."""
        if table is self._table:
            return
        self._table = table
        should_be = {} if table.ended else marker_places(table)  # at the end tickets move them on
        if not should_be:
            self._should_be, self.remarks = {}, ()
            return
        if should_be != self._should_be:
            self._should_be = should_be
            self._rested_since_s, self._next_s = at_s, at_s + UNCHANGED_S
            self._at, self._read_before, self.remarks = {}, False, ()

    def is_due(self, at_s: float) -> bool:
        """Tell whether to read the track now."""
        return bool(self._should_be) and self._reading is None and at_s >= self._next_s

    def look(self, look: Look, colours: Sequence[TrainColour]) -> None:
        """Start reading the track in a still frame."""
        self._reading = self._work.submit(read_track, look, colours)
        self._next_s = look.at_s + RETRY_S
        self._looked_at_s = look.at_s

    def collect_reading(self) -> None:
        """Use the result of a reading, if it is done."""
        if self._reading is None or not self._reading.done():
            return
        read, self._reading = self._reading.result(), None
        if self._table is None or self._looked_at_s < self._rested_since_s:
            return  # the score has changed since
        self._compare(read, self._table)

    def _compare(self, read: Mapping[Colour, MarkerReading], table: TableState) -> None:
        steps = len(table.board.score_track)
        at = {colour: marker.at for colour, marker in read.items() if marker.at is not None}
        wrong = {
            colour: number
            for colour, number in at.items()
            if colour in self._should_be and (number - self._should_be[colour]) % steps
        }
        self.remarks = tuple(
            MarkerRemark(player.seat, wrong[player.colour], self._should_be[player.colour])
            for player in table.players
            if player.colour in wrong and self._at.get(player.colour) == wrong[player.colour]
        )
        if self._read_before and not wrong:
            self._next_s += RECHECK_S - RETRY_S
        self._at, self._read_before = at, True
