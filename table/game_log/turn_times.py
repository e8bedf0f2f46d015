"""How long everyone's turns took, where people or phones say whose turn it is.

Who draws cards leaves no trace on the board, so claims alone do not tell turns apart. A turn runs
from the mark that says whose it is to the mark of who comes next, or to the end of the game. Time
in which the game is paused is no turn's; a camera that sees nothing is left in, for people play on
and tap their routes. Times are those of the clocks that wrote the log, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from railspotter.scoring.spot import Spot

from .board_facts import Corrected, Placed, TakenBack
from .course_facts import GameEnded, GamePackedAway, GamePaused, GameResumed, TurnMarked
from .facts import SeatId
from .game_state import GameState, standing_tables
from .table_state import TableState

# So many claims were made in their owner's marked turn where turns are marked throughout. Where
# somebody marks one now and then, the turns in between are nobody's to measure.
MARKED_SHARE = 0.9
# So long after a mark the camera may still write down the claim of the turn before it.
LATE_S = 10.0
# Nobody thinks for so long: the program was off meanwhile, or a clock was set.
LONGEST_TURN_S = 3600.0


@dataclass(frozen=True, slots=True)
class SeatTime:
    """What a player's turns took: seconds in all, and how many turns these were."""

    seat: SeatId
    seconds: float
    turns: int


@dataclass(frozen=True, slots=True)
class RunningTurn:
    """The turn that somebody is at."""

    seat: SeatId
    seconds: float  # what it took before `since_s`
    # Since when it runs, in seconds since 1970-01-01 UTC; None while the game is paused.
    since_s: float | None

    def at(self, now_s: float) -> float:
        """Return what it took by a moment."""
        return self.seconds + (0.0 if self.since_s is None else max(0.0, now_s - self.since_s))


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The times of a game."""

    seats: tuple[SeatTime, ...] = ()  # in turn order; empty where turns are not marked throughout
    # None where nobody knows whose turn it is, and when the game is over.
    running: RunningTurn | None = None


@dataclass
class _Turn:
    """A turn that was marked, as far as it is known; `before` is whose was before it."""

    seat: SeatId
    before: SeatId | None
    since_s: float
    seconds: float = 0.0
    claimed: set[Spot] = field(default_factory=set)
    is_known: bool = True

    def lasted(self, to_s: float) -> None:
        self.seconds += max(0.0, to_s - self.since_s)
        self.since_s = to_s

    def claim(self, spot: Spot, owner: SeatId | None) -> bool:
        """Take in a claim; return whether it was made in its owner's turn."""
        if owner == self.before and self.seconds <= LATE_S:
            return True
        self.claimed.add(spot)
        # Two claims are two turns, of which the first one's end was not marked.
        self.is_known &= owner == self.seat and len(self.claimed) == 1
        return owner == self.seat


def turn_times(game: GameState) -> TurnTimes:
    """Return how long everyone's turns took.

    Cost: the log is read once if a turn is marked in it; else its kinds are looked at.
    """
    if not any(isinstance(event.fact, TurnMarked) for event in game.events):
        return TurnTimes()
    sums = {player.seat: (0.0, 0) for player in game.table.players}
    turn: _Turn | None = None
    claims = marked = 0
    is_paused = False
    for event, table in zip(game.events, standing_tables(game), strict=True):
        if event.seq in game.undone:
            continue
        at_s = event.at_s
        if turn is not None and not is_paused:
            turn.lasted(at_s)
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
    """Tell whether a player's turn comes right after another one's."""
    is_there = table.player(before) is not None and bool(table.playing)
    return is_there and table.seat_after(before) == seat


def _add(sums: dict[SeatId, tuple[float, int]], turn: _Turn) -> None:
    if turn.is_known and turn.seconds < LONGEST_TURN_S and turn.seat in sums:
        seconds, turns = sums[turn.seat]
        sums[turn.seat] = seconds + turn.seconds, turns + 1
