"""Commands to a table, and the facts that each of them writes.

`LiveTable.execute` writes a command's facts before it returns; its effect on watching is applied
later, by the table's own thread between two frames.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import EllipsisType

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.dealing.moves import Move
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot
from railspotter.vision.watching.questions import Question

from ..game_log.board_facts import Corrected, TrainsAssigned
from ..game_log.budgets import Writer
from ..game_log.course_facts import (
    GameEnded,
    GamePackedAway,
    GamePaused,
    GameResumed,
    PointsCounted,
)
from ..game_log.errors import EventError
from ..game_log.facts import Event, Fact, SeatId
from ..game_log.people_facts import PlayerCameIn, PlayerRecoloured
from .card_play import end_facts, move_facts, secret_seats
from .course import redo_fact, return_payment_facts, undo_facts
from .learning import SaveProfile
from .opening import confirmed_facts, joining_facts, require_believable
from .table_view import TableView

# Hindrances in which the camera sees nothing, so that players' claims count as laid.
BLIND = ("camera", "board")


class Action(Enum):
    """The commands that need no more to be said; the value is what they do."""

    PAUSE = "pause the game and stop watching; an unconfirmed board is asked about on resuming"
    PACK_AWAY = "pause a game, and store a picture of its board to rebuild it from"
    END = "end the game; the whole board is read once more, and doubts are asked"
    COUNT = "count the points of a game that has ended, though tickets may be missing"
    LOOK_AGAIN = "restart watching with a new reading of the whole board"


@dataclass(frozen=True)
class AddFacts:
    """Add facts to the log: these, or what a function makes of the table when it is their turn."""

    facts: Sequence[Fact] | Callable[[TableView, Writer], Sequence[Fact]]
    proofs: Mapping[Spot, bytes] = field(default_factory=dict)  # pictures of spots that they set
    # The questions that are open from then on; None leaves those that are.
    asked: Sequence[Question] | None = None


@dataclass(frozen=True)
class Correct:
    """Correct a spot's colour; it counts until the camera sees the spot change."""

    spot: Spot
    now: Colour | None
    # The colour that the person saw; `EventError` if it is outdated. By default the log's.
    was: Colour | EllipsisType | None = ...
    is_answer: bool = False  # whether it answers the question about the spot
    seat: SeatId = ""  # of the phone that says so; empty for others


@dataclass(frozen=True)
class ConfirmJoining:
    """Confirm the board that was found when watching began (`Joining`).

    In a new game it is logged as one step; else the changes are logged as the camera's.
    """

    # The board as the person corrected it, after which it is read again; None for as seen.
    board: Mapping[Spot, Colour] | None = None


@dataclass(frozen=True)
class Undo:
    """Undo an event; with cards on phones it may be refused, see `course.py`."""

    seq: int


@dataclass(frozen=True)
class Redo:
    """Redo an undone event."""

    seq: int


@dataclass(frozen=True)
class Resume:
    """Resume the game and watch again.

    A packed-away game is compared with the board first, unless the user says that it `is_rebuilt`.
    """

    is_rebuilt: bool = False


@dataclass(frozen=True)
class UseProfile:
    """Switch to another profile of the same board."""

    profile: Profile
    keep: SaveProfile | None = None  # callback to save what is learned


@dataclass(frozen=True)
class PlayMove:
    """Play a player's move with cards on phones.

    While the camera sees nothing, a person's paid pieces count as laid; a computer's do not.
    """

    seat: SeatId
    move: Move


@dataclass(frozen=True)
class Lay:
    """Confirm that paid pieces lie on the board, where no camera sees it."""

    spot: Spot


Command = (
    Action
    | AddFacts
    | Correct
    | ConfirmJoining
    | Undo
    | Redo
    | Resume
    | UseProfile
    | PlayMove
    | Lay
)


def facts_of(command: Command, view: TableView, by: Writer) -> tuple[Fact, ...] | None:
    """Return the facts that a command writes; None if there is nothing to do.

    Raises `EventError` if it does not fit the game, `ImpossibleError` if it lies more than a
    misreading beyond its pieces, `TakingBackError` if the writer may not take this back.
    """
    game, table = view.game, view.game.table
    match command:
        case AddFacts(facts=facts):
            return tuple(facts(view, by) if callable(facts) else facts)
        case Correct(spot, now, was):
            require_believable(table, {spot: now})
            return (Corrected.on(spot, was=table.held.get(spot) if was is ... else was, now=now),)
        case ConfirmJoining(board):
            return joining_facts(view.sight, board, table)
        case Undo(seq):
            return undo_facts(view, seq, by)
        case Redo(seq):
            redone = redo_fact(game, seq, by)
            # It ends now: what its first end showed is hidden, and there may be more by now.
            is_end = isinstance(game.event(seq).fact, GameEnded)
            return facts_of(Action.END, view, by) if is_end else (redone,)
        case Action.PAUSE:
            return None if table.paused else (GamePaused(),)
        case Resume(is_rebuilt):
            if not table.paused:
                return None
            if table.packed_away and view.has_camera and not is_rebuilt:
                return ()  # the board is compared first
            return (*confirmed_facts(view.sight.rebuilding, table), GameResumed())
        case Action.PACK_AWAY:
            return None if table.packed_away or table.ended else (GamePackedAway(),)
        case Action.END:
            return None if table.ended else end_facts(table, but=secret_seats(game))
        case Action.COUNT:
            return None if table.counted else (PointsCounted(),)
        case Action.LOOK_AGAIN | UseProfile():
            return ()
        case PlayMove(seat, move):
            return move_facts(game, seat, move, lies_there=_is_believed(view, seat))
        case Lay(spot):
            colour = table.to_lay.get(spot)
            if colour is None:
                raise EventError("nothing is to be laid there")
            return (Corrected.on(spot, was=table.held.get(spot), now=colour),)


def restarts_watching(command: Command, events: tuple[Event, ...]) -> bool:
    """Tell whether watching restarts after a command and the events that it wrote."""
    match command:
        case Undo() | Redo() | Action.LOOK_AGAIN | UseProfile():
            return True
        case ConfirmJoining(board):
            return board is not None
        case Resume() if events:
            return True
    # These change the colours to look for.
    return any(
        isinstance(event.fact, PlayerCameIn | PlayerRecoloured | TrainsAssigned) for event in events
    )


def _is_believed(view: TableView, seat: SeatId) -> bool:
    """Tell whether a player's paid pieces count as laid at once."""
    player = view.game.table.player(seat)
    return _is_blind(view) and not (player is not None and player.computer)


def taken_back_facts(view: TableView, spot: Spot, by: Writer) -> tuple[Fact, ...]:
    """Return the facts that give back the cards paid for a spot; raises as `undo_facts`.

    Where nobody sees the pieces come off, they lie there no more.
    """
    back = return_payment_facts(view.game, spot, by, view.asked_back)
    table = view.game.table
    held = table.spots.get(spot)
    is_off = _is_blind(view) and held is not None and held.colour == table.owned[spot]
    return (view.game.undo(held.event), *back) if held is not None and is_off else back


def _is_blind(view: TableView) -> bool:
    is_hindered = view.hindrance is not None and view.hindrance.kind in BLIND
    return view.is_over or not view.has_camera or is_hindered
