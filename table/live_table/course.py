"""The course of a game: the likely turn, consequences by the rules, and who may undo what.

With cards on the table the turn is only a guess: drawing cards leaves no trace on the board, so one
colour often claims twice in a row. No claim is refused for being out of turn.

With cards on phones, players may take back their own newest action if nobody has moved since and it
drew no card. Everything else only the host may take back, and needs the agreement of a player who
would lose cards, a claim, a turn or secrecy by it. Pieces on the board may be corrected by anybody,
since that moves no cards.

Wherever the cards are, a game goes on after its end only if nobody's tickets have been shown
meanwhile whose player does not agree: what was seen was seen.

A player agrees by the phone that shows the player's hand (`Writer.words`). If the host takes back a
claim without that agreement, its player is asked, and may take it back until the player's next
move.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from railspotter.scoring.dealing.moves import Pay, PayMore, TakeBack
from railspotter.scoring.dealing.rules import ends_turn
from railspotter.scoring.edition import Colour
from railspotter.scoring.position import last_turns, low_stocks
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt

from ..errors import TakingBackError, UnaskedError
from ..game_log.board_facts import Corrected, Placed
from ..game_log.budgets import Writer
from ..game_log.card_facts import CardsMoved
from ..game_log.course_facts import (
    GameEnded,
    LastTurnsBegun,
    PointsCounted,
    Redone,
    TurnMarked,
    Undone,
)
from ..game_log.errors import EventError
from ..game_log.facts import Event, Fact, SeatId
from ..game_log.game_state import GameState, tables_after_events
from ..game_log.people_facts import PlayerLeft, SeatFact, TicketRevealed, TicketTaken
from ..game_log.table_state import TableState
from ..game_log.turn_times import LATE_S
from .table_view import TableView

SHORTEST_TURN_S = 3.0  # even to draw two cards; chosen
DRAWN_S = 60.0  # for each of the others, after which they have surely drawn; chosen
NOT_YOUR_END = Sentence("only the host says whether the game is over")


def follow_up_facts(game: GameState) -> tuple[Fact, ...]:
    """Return the facts that begin or undo the last turns, as the stocks of trains demand.

    They begin when a player's stock is as low as the edition says, and are undone when it no longer
    is, because the claim was withdrawn, corrected or undone. If another player's stock is low, they
    begin with that player instead.
    """
    table = game.table
    if table.ended:
        return ()
    low = table.score.low_stocks
    begun = _last_turns_event(game)
    by = _seat_low_longest(game, low) if low else None
    if by == table.last_turns_by:
        return ()
    over = () if begun is None else (Undone(begun.seq),)
    if by is None:
        return over
    # With cards on phones it must be somebody's turn, or nobody could move.
    again = (TurnMarked(table.turn),) if table.dealing is not None and table.turn else ()
    return (*over, LastTurnsBegun(by), *again)


def likely_turn(game: GameState) -> SeatId | None:
    """Guess whose turn it is: that of the last mark, or after the last claim.

    Turns without a claim leave no trace, so nothing must depend on it. None after the game's end,
    or when nobody is left.
    """
    playing = game.table.playing
    if game.table.ended or not playing:
        return None
    return next((turn for _, turn, _ in _turn_signs(game)), playing[0])


def _turn_signs(game: GameState) -> Iterator[tuple[Event, SeatId, SeatId | None]]:
    """Yield what tells the turn, newest first: the event, whose turn it then is, who claimed."""
    table = game.table
    for event in reversed(game.events):
        if event.seq in game.undone:
            continue
        match event.fact:
            case TurnMarked(seat=seat) if seat in table.playing:
                yield event, seat, None
            case Placed(colour=colour) | Corrected(was=None, now=colour) as fact if colour:
                held, owner = table.spots.get(fact.spot), table.seat_of(colour)
                if held is not None and held.event == event.seq and owner is not None:
                    yield event, table.seat_after(owner), owner


@dataclass(frozen=True)
class TurnDoubt:
    """A claim that seems to be out of turn."""

    seat: SeatId  # who claimed
    spot: Spot  # what was claimed
    missed: tuple[SeatId, ...]  # whose turns were passed over, if they have not drawn
    is_twice: bool  # whether the claim before was by the same player


def turn_doubt(game: GameState) -> TurnDoubt | None:
    """Return what is odd about the newest claim: its player claimed twice, or passed others over.

    Only claims and marks are seen. So a player is passed over whose turn was marked, and one who
    claims again after a while has let the others draw. With cards on phones turns are no guess.
    """
    table, signs = game.table, _turn_signs(game)
    (event, _, claimer), (before, turn, last) = (next(signs, (None, "", None)) for _ in range(2))
    is_guess = not table.ended and table.dealing is None and claimer in table.playing
    if event is None or before is None or claimer is None or not is_guess:
        return None
    missed = list[SeatId]()
    while turn != claimer and turn not in missed:
        missed.append(turn)
        turn = table.seat_after(turn)
    passed_s = event.at_s - before.at_s
    is_soon = passed_s <= DRAWN_S * len(missed) if last == claimer else False
    if not missed or not (is_soon or (last is None and passed_s > LATE_S)):
        return None
    (spot,) = event.fact.spots
    return TurnDoubt(claimer, spot, tuple(missed), is_twice=last == claimer)


def _last_turns_event(game: GameState) -> Event | None:
    """Return the `LastTurnsBegun` event that is not undone."""
    begun = (event for event in reversed(game.events) if isinstance(event.fact, LastTurnsBegun))
    return next((event for event in begun if event.seq not in game.undone), None)


def _seat_low_longest(game: GameState, low: Collection[Colour]) -> SeatId:
    """Return the seat whose stock has been low longest, which started the last turns."""
    seats = {player.colour: player.seat for player in game.table.players}
    is_new = not isinstance(game.events[-1].fact, Undone | Redone)
    if is_new and game.table.last_turns_by in {seats[colour] for colour in low}:
        # Only an undo or redo can change whose stock was low first.
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
    """The last claim's colour and time by the frames' clock, which limit who may claim next."""

    colour: Colour
    at_s: float

    def is_before_others_moved(self, colours: Sequence[Colour], now_s: float) -> bool:
        """Tell whether too little time has passed for a turn of all others."""
        return now_s - self.at_s < SHORTEST_TURN_S * (len(colours) - 1)

    def next_claimers(self, colours: Sequence[Colour], now_s: float) -> frozenset[Colour] | None:
        """Return the colours that may claim next; None for all.

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
        """Add to a doubt that its colour has only just claimed, if so."""
        if doubt.said != self.colour or not self.is_before_others_moved(colours, now_s):
            return doubt
        why = Sentence("{colour} has only just claimed a route", colour=self.colour)
        return replace(doubt, why=together((doubt.why, why)) if doubt.why else why)


def undo_facts(view: TableView, seq: int, by: Writer) -> tuple[Fact, ...]:
    """Return the facts that undo an event, and give back the cards paid for it.

    Tickets that were shown at once are taken back at once, and the points are no longer counted.
    """
    game, table = view.game, view.game.table
    undone = game.undo(seq)
    match game.event(seq).fact:
        case Placed(spot=spot, colour=colour) if (
            spot in table.payments
            and table.owned[spot] == colour
            and table.spots[spot].event == seq
        ):
            return (undone, *return_payment_facts(game, spot, by, view.asked_back))
        case TicketRevealed() as fact:
            _require_permission(game, fact, by)
            return tuple(game.undo(one) for one in _shown_and_counted(game, seq, fact.seat))
        case fact:
            _require_permission(game, fact, by)
            if isinstance(fact, GameEnded):
                _require_going_on(view, seq, by)
            return (undone,)


def redo_fact(game: GameState, seq: int, by: Writer) -> Redone:
    """Return the fact that redoes an event; raises as `undo_facts`."""
    redone, fact = game.redo(seq), game.event(seq).fact
    _require_permission(game, fact, by)
    # As if it were ended now: the host may have taken that back.
    if isinstance(fact, GameEnded) and by.role == "player" and game.table.last_turns_by is None:
        raise TakingBackError(NOT_YOUR_END)
    return redone


def return_payment_facts(
    game: GameState, spot: Spot, by: Writer, asked: Spot | None = None
) -> tuple[Fact, ...]:
    """Return the facts that give back the cards paid for a spot; raises as `undo_facts`.

    If it was the newest move, it is the player's turn again.
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
    """Return the fact that gives the turn to a seat.

    With cards on phones the players who lose their turn by it must have agreed; raises
    `TakingBackError` if not, and after everyone's last turn.
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
    """Return the claim that its player is still asked to take back; a new move declines that."""
    paid = before.payments.get(asked) if asked is not None else None
    moved = {fact.seat for fact in facts if isinstance(fact, CardsMoved)}
    return None if paid is None or paid.seat in moved else asked


def _require_permission(game: GameState, fact: Fact, by: Writer) -> None:
    """Refuse an undo or redo of another player's fact, or of one that follows by the rules.

    With cards on the table only what somebody showed after the end is that player's.
    """
    if game.table.dealing is None and not (isinstance(fact, TicketRevealed) and game.table.ended):
        return
    match fact:
        case LastTurnsBegun():
            raise TakingBackError("the last turns follow from the trains that are left")
        case GameEnded() if by.role == "player":
            raise TakingBackError(NOT_YOUR_END)
        case SeatFact(seat=seat) if not by.speaks_for(seat):
            name = game.table.name_of(seat)
            raise TakingBackError("this is {name}'s to take back", name=name)


def _require_going_on(view: TableView, end: int, by: Writer) -> None:
    """Refuse to undo the end of a game by the rules, or after which secrets were told.

    The file of a game that is over, which tells all, is given while nobody plays it.
    """
    game, table = view.game, view.game.table
    if table.dealing is not None and _is_played_out(game):
        raise TakingBackError("the game ended with everyone's last turn")
    has_secrets = table.dealing is not None or table.unrevealed > 0
    if end <= view.first_events and has_secrets and by.words is not None:
        raise TakingBackError(
            "this game was over when it was opened again: it can go on only at the computer, not"
            " by a phone"
        )
    for event in game.events[end:]:
        match event.fact:
            case TicketRevealed(seat=seat) if event.seq not in game.undone:
                if not by.speaks_for(seat):
                    raise TakingBackError(
                        "{name}'s tickets were shown when the game was over: the game goes on once"
                        " {name} has taken that back",
                        name=table.name_of(seat),
                    )


def _shown_and_counted(game: GameState, seq: int, seat: SeatId) -> Iterator[int]:
    """Yield the events by which a player showed tickets at once, and the points were counted."""
    for event in game.events:
        match event.fact:
            case PointsCounted() if event.seq > seq and event.seq not in game.undone:
                yield event.seq
            case TicketRevealed(seat=other) if other == seat and event.seq not in game.undone:
                if event.at_s == game.event(seq).at_s:
                    yield event.seq
            case _:
                pass


def _last_payment(game: GameState, spot: Spot) -> list[CardsMoved]:
    """Return the moves that paid for a spot, if they are the newest ones; else nothing."""
    moves = [event.fact for event in game.events if isinstance(event.fact, CardsMoved)]
    began = max((i for i, moved in enumerate(moves) if isinstance(moved.move, Pay)), default=0)
    first, last = moves[began].move, moves[-1].move
    is_last = isinstance(last, Pay | PayMore) and isinstance(first, Pay) and first.spot == spot
    return moves[began:] if is_last else []


def _is_played_out(game: GameState) -> bool:
    """Tell whether a game ended by itself: by the last turn's end, or as its player left."""
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
