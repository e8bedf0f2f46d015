"""Taking back where cards are on phones: who may take back what, and what goes back with it.

One rule: people take back their own newest doing, as long as nobody has moved since and no card was
turned over for it. Everything else is the host's, and where it costs somebody cards, a claim, the
turn or what is shown of them, with that player's word. What lies on the board costs nobody
anything: anybody at the table says it, and it moves no cards.

The word of a player comes from the phone that sees that player's hand (`Writer.words`). A claim for
which the host has no word is asked for: then its player may take it back on the own phone, until
the own next move.
"""

from __future__ import annotations

from collections.abc import Sequence

from railspotter.scoring.dealing.moves import Pay, PayMore, TakeBack
from railspotter.scoring.dealing.rules import ends_turn
from railspotter.scoring.ending import last_turns
from railspotter.scoring.spot import Spot

from ..errors import TakingBackError, UnaskedError
from ..game_log.board_facts import Placed
from ..game_log.budgets import Writer
from ..game_log.card_facts import CardsMoved
from ..game_log.course_facts import GameEnded, LastTurnsBegun, Redone, TurnMarked
from ..game_log.errors import EventError
from ..game_log.facts import Fact, SeatId
from ..game_log.game_state import GameState
from ..game_log.people_facts import OfSeat, PlayerLeft, TicketTaken
from ..game_log.table_state import TableState
from .course import redo_fact, undo_fact


def undo_facts(
    game: GameState, seq: int | None, by: Writer, asked: Spot | None = None
) -> tuple[Fact, ...]:
    """Return the fact that takes back an event, with the cards back that were paid for it."""
    undone, table = undo_fact(game, seq), game.table
    match game.event(undone.event).fact:
        case Placed(spot=spot, colour=colour) if (
            spot in table.payments
            and table.owned[spot] == colour
            and table.spots[spot].event == undone.event
        ):
            return (undone, *have_back_facts(game, spot, by, asked))
        case fact:
            _require_theirs(game, fact, by)
            return (undone,)


def redo_fact_by(game: GameState, seq: int | None, by: Writer) -> Redone:
    """Return the fact that puts an event back; raises as `undo_facts` does."""
    redone = redo_fact(game, seq)
    _require_theirs(game, game.event(redone.event).fact, by)
    return redone


def have_back_facts(
    game: GameState, spot: Spot, by: Writer, asked: Spot | None = None
) -> tuple[Fact, ...]:
    """Return the facts by which cards go back that were paid for a spot; raises as `undo_facts`.

    Where that was the last thing that anybody did, the turn is taken again.
    """
    table = game.table
    paid = table.payments.get(spot)
    if table.dealing is None or paid is None:
        raise EventError("nothing was paid for this")
    last = _last_payment(game, spot)
    is_again = bool(last) and not table.ended and paid.seat not in table.left
    is_newest = is_again and not any(moved.turned for moved in last)
    if not by.speaks_for(paid.seat):
        name = _name(table, paid.seat)
        if by.role == "player":
            raise TakingBackError("this is {name}'s to take back", name=name)
        raise UnaskedError(spot, name)
    if by.role == "player" and not is_newest and asked != spot:
        raise TakingBackError("the game has gone on since: the host can take this back")
    back = CardsMoved(paid.seat, TakeBack(spot.kind, spot.id, dict(paid.cards)))
    return (back, TurnMarked(paid.seat)) if is_again else (back,)


def turn_fact(table: TableState, seat: SeatId, by: Writer) -> TurnMarked:
    """Return the mark of somebody's turn; it costs who has it, and those who are passed over.

    Raises
    ------
    TakingBackError
        Where one of them has not agreed, and after everyone's last turn.
    """
    seats = [player.seat for player in table.players]
    if table.dealing is not None and table.turn in seats and table.turn != seat:
        first = seats.index(table.turn)
        coming = [*seats[first:], *seats[:first]]
        if table.last_turns_by is not None:
            waiting = last_turns(seats, table.last_turns_by)
            coming = list(waiting[waiting.index(table.turn) :])
        passed = coming[: coming.index(seat)] if seat in coming else coming
        free = {other for other in seats if other in table.left or by.speaks_for(other)}
        if seat not in coming or not free.issuperset(passed):
            whose = next((other for other in passed if other not in free), table.turn)
            raise TakingBackError("it is {name}'s turn", name=_name(table, whose))
    return TurnMarked(seat)


def still_asked(before: TableState, asked: Spot | None, facts: Sequence[Fact]) -> Spot | None:
    """Return the claim that its player is still asked about: who moves on has said no."""
    paid = before.payments.get(asked) if asked is not None else None
    moved = {fact.seat for fact in facts if isinstance(fact, CardsMoved)}
    return None if paid is None or paid.seat in moved else asked


def _require_theirs(game: GameState, fact: Fact, by: Writer) -> None:
    """Refuse to take back, or put back, what is another's; and what follows from the game."""
    if game.table.dealing is None:
        return
    match fact:
        case LastTurnsBegun():
            raise TakingBackError("the last turns follow from the trains that are left")
        case GameEnded() if by.role == "player":
            raise TakingBackError("only the host says whether the game is over")
        case GameEnded() if game.table.ended and _is_played_out(game):
            raise TakingBackError("the game ended with everyone's last turn")
        case OfSeat(seat=seat) if not by.speaks_for(seat):
            name = _name(game.table, seat)
            raise TakingBackError("this is {name}'s to take back", name=name)


def _last_payment(game: GameState, spot: Spot) -> list[CardsMoved]:
    """Return the moves that paid for a spot, where nobody has moved since; else nothing."""
    moves = [event.fact for event in game.events if isinstance(event.fact, CardsMoved)]
    began = max((i for i, moved in enumerate(moves) if isinstance(moved.move, Pay)), default=0)
    first, last = moves[began].move, moves[-1].move
    is_last = isinstance(last, Pay | PayMore) and isinstance(first, Pay) and first.spot == spot
    return moves[began:] if is_last else []


def _is_played_out(game: GameState) -> bool:
    """Whether a game ended by itself: with a move that ended a turn, or as who had it left.

    Every other such move is followed by the next turn's mark.
    """
    dealing = game.table.dealing
    ends = (e.seq for e in game.events if isinstance(e.fact, GameEnded))
    ended = max(seq for seq in ends if seq not in game.undone)
    same_step = Placed | TicketTaken
    before = (e.fact for e in reversed(game.events[: ended - 1]))
    match next(fact for fact in before if not isinstance(fact, same_step)):
        case CardsMoved(move=move) if dealing is not None:
            return ends_turn(dealing, move, dealing)
        case PlayerLeft(seat=seat):
            return seat == game.table.turn
        case _:
            return False


def _name(table: TableState, seat: SeatId) -> str:
    player = table.player(seat)
    return (player.name or player.colour) if player else seat
