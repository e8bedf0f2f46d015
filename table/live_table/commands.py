"""What people do at a table, as values, and which facts each of them writes.

A command is written down before whoever gives it is answered (`LiveTable.do`). What it changes for
the watching is taken in by the table's own thread, between two frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.dealing.moves import Move
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot

from ..errors import TableError
from ..game_log.board_facts import Corrected, TrainsAssigned
from ..game_log.budgets import Writer
from ..game_log.card_facts import CardsPutAway
from ..game_log.course_facts import GameEnded, GamePackedAway, GamePaused, GameResumed
from ..game_log.errors import EventError
from ..game_log.facts import Event, Fact, SeatId
from ..game_log.game_state import GameState
from ..game_log.people_facts import PlayerCameIn, PlayerRecoloured
from .card_play import deal_anew_facts, move_facts
from .course import redo_fact, return_payment_facts, turn_fact, undo_facts
from .learning import SaveProfile
from .opening import joining_facts
from .rebuilding import confirmed_facts
from .table_view import TableView

# Hindrances in which nothing that is laid is seen: it is believed then.
NOBODY_SEES = ("camera", "board")


@dataclass(frozen=True)
class Say:
    """Write down facts that people say."""

    facts: Sequence[Fact]


@dataclass(frozen=True)
class Correct:
    """Say what stands on a spot; it holds until the spot is seen to change."""

    spot: Spot
    now: Colour | None
    # What the person saw there; `EventError` when it is something else by now. Without it, what
    # the log has.
    was: Colour | EllipsisType | None = ...
    is_answer: bool = False  # whether the question about the spot was answered with it


@dataclass(frozen=True)
class ConfirmJoining:
    """Say what lay on the board that watching began with.

    Of a game that had nothing yet, what lay there is one step. Where what the game had is missing,
    the camera says what was taken off and what lies there now.
    """

    # What a person says lies there; without it, what was seen. Where these differ, the whole board
    # is looked at anew.
    board: Mapping[Spot, Colour] | None = None


@dataclass(frozen=True)
class Undo:
    """Take back what an event says; with cards on phones it may be another's: see `course.py`."""

    seq: int


@dataclass(frozen=True)
class Redo:
    """Put back what an event said."""

    seq: int


@dataclass(frozen=True)
class Pause:
    """Stop watching: what happens now is no turn.

    What waits to be confirmed is asked when it goes on, if the board still shows it then.
    """


@dataclass(frozen=True)
class Resume:
    """Watch again; what changed meanwhile is seen.

    A game that was packed away is compared first, unless people say that it `is_rebuilt`.
    """

    is_rebuilt: bool = False


@dataclass(frozen=True)
class PackAway:
    """Pause a game, and keep a picture of its board as it lies."""


@dataclass(frozen=True)
class End:
    """End the game: what comes later corrects the final score.

    The whole board is looked over once more; what stays in doubt is asked.
    """


@dataclass(frozen=True)
class LookAgain:
    """Forget what was seen and look at the whole board anew."""


@dataclass(frozen=True)
class CallSomebody:
    """Call somebody of the house to the table, or say that nobody is needed any more."""

    is_wanted: bool = True


@dataclass(frozen=True)
class MarkTurn:
    """Say whose turn it is."""

    seat: SeatId


@dataclass(frozen=True)
class UseProfile:
    """Watch with another profile of the same board from the next frame on; the score stays."""

    profile: Profile
    keep: SaveProfile | None = None  # saves what is learned from then on


@dataclass(frozen=True)
class PlayMove:
    """Make a player's move with cards that are on phones.

    What a person pays for while nobody sees the board, that person has laid or lays now. A computer
    lays nothing: somebody has to say that its pieces lie there.
    """

    seat: SeatId
    move: Move


@dataclass(frozen=True)
class Lay:
    """Say that what is paid for lies on the board, where no camera sees it."""

    spot: Spot


@dataclass(frozen=True)
class ReturnPayment:
    """Give the cards back that were paid for a spot: it is not claimed after all."""

    spot: Spot


@dataclass(frozen=True)
class DealAnew:
    """Deal a hand anew that no phone may see any more."""

    seat: SeatId


@dataclass(frozen=True)
class PutCardsAway:
    """Go on with cards on the table: what lies on the board is claimed from now on."""


Command = (
    Say
    | Correct
    | ConfirmJoining
    | Undo
    | Redo
    | Pause
    | Resume
    | PackAway
    | End
    | LookAgain
    | CallSomebody
    | MarkTurn
    | UseProfile
    | PlayMove
    | Lay
    | ReturnPayment
    | DealAnew
    | PutCardsAway
)


def facts_of(
    command: Command, game: GameState, view: TableView, by: Writer
) -> tuple[Fact, ...] | None:
    """Return the facts that a command writes in a game; None where there is nothing to do.

    Raises `EventError` when the game has no such thing, `TakingBackError` when it is another's to
    take back, `TableError` when nobody would hear a call.
    """
    table = game.table
    match command:
        case Say(facts):
            return tuple(facts)
        case Correct(spot, now, was):
            return (Corrected.on(spot, was=table.held.get(spot) if was is ... else was, now=now),)
        case ConfirmJoining(board):
            return joining_facts(view.sight, board, table)
        case Undo(seq):
            return undo_facts(game, seq, by, view.asked_back)
        case Redo(seq):
            return (redo_fact(game, seq, by),)
        case Pause():
            return None if table.paused else (GamePaused(),)
        case Resume(is_rebuilt):
            if not table.paused:
                return None
            if table.packed_away and view.has_camera and not is_rebuilt:
                return ()  # the board is compared first
            return (*confirmed_facts(view.sight.rebuilding, table), GameResumed())
        case PackAway():
            return None if table.packed_away or table.ended else (GamePackedAway(),)
        case End():
            return None if table.ended else (GameEnded(),)
        case CallSomebody():
            if view.is_called is None:
                raise TableError("nobody hears a call from this table")
            return ()
        case LookAgain() | UseProfile():
            return ()
        case MarkTurn(seat):
            return (turn_fact(table, seat, by),)
        case PlayMove(seat, move):
            return move_facts(game, seat, move, lies_there=_is_believed(view, seat))
        case Lay(spot):
            colour = table.to_lay.get(spot)
            if colour is None:
                raise EventError("nothing is to be laid there")
            return (Corrected.on(spot, was=table.held.get(spot), now=colour),)
        case ReturnPayment(spot):
            return return_payment_facts(game, spot, by, view.asked_back)
        case DealAnew(seat):
            return deal_anew_facts(table, seat)
        case PutCardsAway():
            if table.dealing is None:
                raise EventError("no cards are dealt here")
            return (CardsPutAway(),)


def begins_anew(command: Command, events: tuple[Event, ...]) -> bool:
    """Tell whether the whole board is looked at anew after a command that wrote events."""
    match command:
        case Undo() | Redo() | LookAgain() | UseProfile():
            return True
        case ConfirmJoining(board):
            return board is not None
        case Resume() if events:
            return True
    # Other colours are looked for from now on.
    return any(
        isinstance(event.fact, PlayerCameIn | PlayerRecoloured | TrainsAssigned) for event in events
    )


def _is_believed(view: TableView, seat: SeatId) -> bool:
    """Whether what a player pays for lies there at once: a person's, which nobody sees."""
    player = view.game.table.player(seat)
    is_hindered = view.hindrance is not None and view.hindrance.kind in NOBODY_SEES
    is_blind = view.is_over or not view.has_camera or is_hindered
    return is_blind and not (player is not None and player.computer)
