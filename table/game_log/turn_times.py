"""The durations of turns, in games in which turns are marked (`TurnMarked`).

Claims alone do not separate turns, since drawing cards leaves no trace on the board. A turn lasts
from its mark to the next player's mark, or to the end of the game. Pauses do not count; times
without a camera picture do, for people play on and tap their routes. Times are the log's.
"""

from dataclasses import dataclass, field

from railspotter.scoring.spot import Spot

from .board_facts import Corrected, Placed, TakenBack
from .course_facts import GameEnded, GamePackedAway, GamePaused, GameResumed, TurnMarked
from .facts import SeatId
from .game_state import GameState, tables_after_events
from .table_state import TableState

# The least share of claims in their owner's marked turn: below it turns are marked now and then
# only, and cannot be measured.
MARKED_SHARE = 0.9
# How long after a mark the camera may still log a claim of the turn before.
LATE_S = 10.0
# Longer turns are ignored: the program was off meanwhile, or a clock was set.
LONGEST_TURN_S = 3600.0


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The total time and the number of a player's measured turns."""

    seat: SeatId
    seconds: float
    turns: int


@dataclass(frozen=True, slots=True)
class RunningTurn:
    """The current turn."""

    seat: SeatId
    seconds: float  # its duration before `since_s`
    # The start of the running interval, in seconds since 1970-01-01 UTC; None during a pause.
    since_s: float | None

    def at(self, now_s: float) -> float:
        """Return its duration up to a time."""
        return self.seconds + (0.0 if self.since_s is None else max(0.0, now_s - self.since_s))


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The turn times of a game."""

    seats: tuple[SeatTime, ...] = ()  # in turn order; empty where turns are not marked throughout
    # None if it is unknown whose turn it is, and after the game's end.
    running: RunningTurn | None = None


@dataclass
class _Turn:
    """A marked turn while it is measured; `before` is the previous player."""

    seat: SeatId
    before: SeatId | None
    since_s: float
    seconds: float = 0.0
    claimed: set[Spot] = field(default_factory=set)
    is_known: bool = True

    def extend(self, to_s: float) -> None:
        self.seconds += max(0.0, to_s - self.since_s)
        self.since_s = to_s

    def claim(self, spot: Spot, owner: SeatId | None) -> bool:
        """Count a claim; return whether it was made in its owner's turn."""
        if owner == self.before and self.seconds <= LATE_S:
            return True
        self.claimed.add(spot)
        # Two claims mean two turns, and a missing mark in between.
        self.is_known &= owner == self.seat and len(self.claimed) == 1
        return owner == self.seat


def turn_times(game: GameState) -> TurnTimes:
    """Measure everyone's turns, in one pass over the log."""
    if not any(isinstance(event.fact, TurnMarked) for event in game.events):
        return TurnTimes()
    sums = {player.seat: (0.0, 0) for player in game.table.players}
    turn: _Turn | None = None
    claims = marked = 0
    is_paused = False
    for event, table in zip(game.events, tables_after_events(game), strict=True):
        if event.seq in game.undone:
            continue
        at_s = event.at_s
        if turn is not None and not is_paused:
            turn.extend(at_s)
        elif turn is not None:
            turn.since_s = at_s
        match event.fact:
            case GamePaused() | GamePackedAway() | GameResumed():
                is_paused = table.paused
            case TurnMarked(seat=seat) if turn is None or turn.seat != seat:
                if turn is not None and _follows(seat, turn.seat, table):
                    _add(sums, turn)
                turn = _Turn(seat, None if turn is None else turn.seat, at_s)
            case Placed(colour=colour) as fact if turn is not None:
                is_marked = turn.claim(fact.spot, table.seat_of(colour))
                claims, marked = claims + 1, marked + is_marked
            case TakenBack() | Corrected(now=None) as fact if turn is not None:
                turn.claimed.discard(fact.spot)
            case GameEnded() if turn is not None:
                _add(sums, turn)
                turn = None
                break
    running = None
    if turn is not None and turn.is_known:
        running = RunningTurn(turn.seat, turn.seconds, None if is_paused else turn.since_s)
    if marked < MARKED_SHARE * claims or not any(turns for _, turns in sums.values()):
        return TurnTimes((), running)
    return TurnTimes(tuple(SeatTime(seat, *sums[seat]) for seat in sums), running)


def _follows(seat: SeatId, before: SeatId, table: TableState) -> bool:
    """Tell whether a seat is next after another one in turn order."""
    is_there = table.player(before) is not None and bool(table.playing)
    return is_there and table.seat_after(before) == seat


def _add(sums: dict[SeatId, tuple[float, int]], turn: _Turn) -> None:
    if turn.is_known and turn.seconds < LONGEST_TURN_S and turn.seat in sums:
        seconds, turns = sums[turn.seat]
        sums[turn.seat] = seconds + turn.seconds, turns + 1
