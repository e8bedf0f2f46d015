"""The course of a game: whose turn it probably is, what follows by itself, and what is taken back.

The order of turns cannot say much. Who draws cards takes a turn that leaves no trace on the board,
so two claims in a row by one colour are usual, given time. Nothing is ever refused for its turn.

Where cards are on phones, one rule says who may take back what: people take back their own newest
doing, as long as nobody has moved since and no card was turned over for it. Everything else is the
host's, and where it costs somebody cards, a claim, the turn or what is shown of them, with that
player's word. What lies on the board costs nobody anything: anybody at the table says it, and it
moves no cards.

The word of a player comes from the phone that sees that player's hand (`Writer.words`). A claim for
which the host has no word is asked for: then its player may take it back on the own phone, until
the own next move.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from railspotter.scoring.dealing.moves import Pay, PayMore, TakeBack
from railspotter.scoring.dealing.rules import ends_turn
from railspotter.scoring.edition import Colour
from railspotter.scoring.position import last_turns, low_stocks
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt

from ..errors import TakingBackError, UnaskedError
from ..game_log.board_facts import Placed
from ..game_log.budgets import Writer
from ..game_log.card_facts import CardsMoved
from ..game_log.course_facts import GameEnded, LastTurnsBegun, Redone, TurnMarked, Undone
from ..game_log.errors import EventError
from ..game_log.facts import Event, Fact, SeatId
from ..game_log.game_state import GameState, tables_after_events
from ..game_log.people_facts import PlayerLeft, SeatFact, TicketTaken
from ..game_log.table_state import TableState

TURN_S = 3.0  # nobody takes a whole turn in less, be it to draw two cards; chosen


def follow_up_facts(game: GameState) -> tuple[Fact, ...]:
    """Return what is to be written down after the facts that stand: the last turns, or no more.

    They begin when a player's stock is as low as the edition says. They are taken back when that
    player's stock is not that low any more: the claim was withdrawn, corrected or undone. If
    another one's is, they begin with that player instead.
    """
    table = game.table
    if table.ended:
        return ()
    low = table.score.low_stocks
    begun = _begun(game)
    by = _seat_low_longest(game, low) if low else None
    if by == table.last_turns_by:
        return ()
    over = () if begun is None else (Undone(begun.seq),)
    if by is None:
        return over
    # With cards on phones somebody has to have the turn, or nobody could move.
    again = (TurnMarked(table.turn),) if table.dealing is not None and table.turn else ()
    return (*over, LastTurnsBegun(by), *again)


def likely_turn(game: GameState) -> SeatId | None:
    """Return the seat whose turn it probably is: the one after whoever claimed last.

    A turn spent on drawing cards leaves no trace on the board, so this is a guess that nothing
    depends on; what somebody said of the turn since then goes before it. None once the game has
    ended, or when nobody is left.
    """
    table = game.table
    if table.ended or not table.playing:
        return None
    for event in reversed(game.events):
        if event.seq in game.undone:
            continue
        match event.fact:
            case TurnMarked(seat=seat) if seat in table.playing:
                return seat
            case Placed(colour=colour) as fact:
                held, owner = table.spots.get(fact.spot), table.seat_of(colour)
                if held is not None and held.event == event.seq and owner is not None:
                    return table.seat_after(owner)
    return table.playing[0]


def _begun(game: GameState) -> Event | None:
    """Return the event that says that the last turns have begun, if it stands."""
    said = (event for event in reversed(game.events) if isinstance(event.fact, LastTurnsBegun))
    return next((event for event in said if event.seq not in game.undone), None)


def _seat_low_longest(game: GameState, low: Collection[Colour]) -> SeatId:
    """Return the seat whose turn brought the last turns: its stock has been low the longest."""
    seats = {player.colour: player.seat for player in game.table.players}
    is_new = not isinstance(game.events[-1].fact, Undone | Redone)
    if is_new and game.table.last_turns_by in {seats[colour] for colour in low}:
        # Only what is taken back or put back can make another one's stock low for longer.
        return game.table.last_turns_by
    for table in reversed(list(tables_after_events(game))) if len(low) > 1 else ():
        before = low_stocks(table.position)
        still = [colour for colour in low if colour in before]
        if not still:
            break
        low = still
    return seats[next(iter(low))]


@dataclass(frozen=True)
class RecentClaimer:
    """Who claimed last, and when by the frames' clock: it tells who may claim next."""

    colour: Colour
    at_s: float

    def is_before_others_moved(self, colours: Sequence[Colour], now_s: float) -> bool:
        """Tell whether the others cannot all have had a turn since."""
        return now_s - self.at_s < TURN_S * (len(colours) - 1)

    def next_claimers(self, colours: Sequence[Colour], now_s: float) -> frozenset[Colour] | None:
        """Return the colours that may claim next; None when that may be any.

        Examples
        --------
        >>> last = RecentClaimer("red", at_s=60.0)
        >>> sorted(last.next_claimers(["red", "blue", "black"], now_s=64.0))
        ['black', 'blue']
        >>> last.next_claimers(["red", "blue", "black"], now_s=70.0) is None
        True
        """
        return (
            frozenset(colours) - {self.colour}
            if self.is_before_others_moved(colours, now_s)
            else None
        )

    def with_reason(self, doubt: Doubt, colours: Sequence[Colour], now_s: float) -> Doubt:
        """Return a doubt, with the reason added where its colour has only just claimed."""
        if doubt.said != self.colour or not self.is_before_others_moved(colours, now_s):
            return doubt
        why = Sentence("{colour} has only just claimed a route", colour=self.colour)
        return replace(doubt, why=together((doubt.why, why)) if doubt.why else why)


def undo_facts(
    game: GameState, seq: int, by: Writer, asked: Spot | None = None
) -> tuple[Fact, ...]:
    """Return the fact that takes back an event, with the cards back that were paid for it."""
    undone, table = game.undo(seq), game.table
    match game.event(seq).fact:
        case Placed(spot=spot, colour=colour) if (
            spot in table.payments
            and table.owned[spot] == colour
            and table.spots[spot].event == seq
        ):
            return (undone, *return_payment_facts(game, spot, by, asked))
        case fact:
            _require_theirs(game, fact, by)
            return (undone,)


def redo_fact(game: GameState, seq: int, by: Writer) -> Redone:
    """Return the fact that puts an event back; raises as `undo_facts` does."""
    redone = game.redo(seq)
    _require_theirs(game, game.event(seq).fact, by)
    return redone


def return_payment_facts(
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
        name = table.name_of(paid.seat)
        if by.role == "player":
            raise TakingBackError("this is {name}'s to take back", name=name)
        raise UnaskedError(spot, name)
    if by.role == "player" and not is_newest and asked != spot:
        raise TakingBackError("the game has gone on since: the host can take this back")
    back = CardsMoved(paid.seat, TakeBack(spot.kind, spot.id, dict(paid.cards)))
    return (back, TurnMarked(paid.seat)) if is_again else (back,)


def turn_fact(table: TableState, seat: SeatId, by: Writer) -> TurnMarked:
    """Return the mark of somebody's turn; it costs who has it, and those who are passed over.

    Raises `TakingBackError` where one of them has not agreed, and after everyone's last turn.
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
            raise TakingBackError("it is {name}'s turn", name=table.name_of(whose))
    return TurnMarked(seat)


def pending_take_back(before: TableState, asked: Spot | None, facts: Sequence[Fact]) -> Spot | None:
    """Return the claim that its player is still asked to take back; who moves on has said no."""
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
        case SeatFact(seat=seat) if not by.speaks_for(seat):
            name = game.table.name_of(seat)
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
