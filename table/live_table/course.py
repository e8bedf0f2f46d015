"""The course of a game: whose turn it probably is, and what follows from the trains that are left.

The order of turns cannot say much. Who draws cards takes a turn that leaves no trace on the board,
so two claims in a row by one colour are usual, given time. Nothing is ever refused for its turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from railspotter.scoring.edition import Colour
from railspotter.scoring.ending import low_stocks
from railspotter.scoring.sentence import Sentence, together
from railspotter.scoring.spot import Spot
from railspotter.vision.readings import Doubt

from ..game_log.board_facts import BoardJoined, Corrected, Placed, TakenBack
from ..game_log.course_facts import LastTurnsBegun, Redone, TurnMarked, Undone
from ..game_log.errors import EventError
from ..game_log.facts import Event, Fact, SeatId
from ..game_log.game_state import GameState, standing_tables
from ..game_log.people_facts import TicketDropped, TicketTaken


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
    by = _brought_by(game, low) if low else None
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
    depends on; what somebody said of the turn since then goes before it.

    Returns
    -------
    str or None
        None once the game has ended, or when nobody is left.
    """
    table = game.table
    seats = [player.seat for player in table.players]
    playing = [seat for seat in seats if seat not in table.left]
    if table.ended or not playing:
        return None
    for event in reversed(game.events):
        if event.seq in game.undone:
            continue
        match event.fact:
            case TurnMarked(seat=seat) if seat in playing:
                return seat
            case Placed(colour=colour) as fact:
                held = table.spots.get(fact.spot)
                owner = next((p.seat for p in table.players if p.colour == colour), None)
                if held is not None and held.event == event.seq and owner is not None:
                    after = seats.index(owner) + 1
                    order = (*seats[after:], *seats[:after])
                    return next(seat for seat in order if seat in playing)
    return playing[0]


def claimants(events: Iterable[Event], game: GameState) -> tuple[Colour, ...]:
    """Return the colours whose trains the newest events put on the board, each of them once.

    What is put back by an undo or redo counts as well; a station does not, for it is no train. What
    no longer holds is passed over: a person outranks the camera.
    """
    colours: dict[Colour, None] = {}
    for event in events:
        fact, seq = event.fact, event.seq
        is_undone = isinstance(fact, Undone)
        if isinstance(fact, Undone | Redone):
            seq = fact.event
            fact = game.event(seq).fact
        for spot, said in _said_of_spots(fact).items():
            held = game.table.spots.get(spot)
            if spot.kind == "station" or held is None or held.colour is None:
                continue
            # After an undo something older holds, if anything; it is new where it differs.
            is_new = held.event < seq and held.colour != said if is_undone else held.event == seq
            is_same = isinstance(fact, Corrected) and fact.was == fact.now
            if is_new and not is_same:
                colours[held.colour] = None
    return tuple(colours)


def _said_of_spots(fact: Fact) -> Mapping[Spot, Colour | None]:
    """Return what a fact says stands on spots: none, one, or all that watching began with."""
    match fact:
        case Placed(colour=colour):
            return {fact.spot: colour}
        case Corrected(now=now):
            return {fact.spot: now}
        case TakenBack():
            return {fact.spot: None}
        case BoardJoined():
            return fact.spots
        case _:
            return {}


def undo_fact(game: GameState, seq: int | None = None) -> Undone:
    """Return the fact that takes back an event, the newest one that stands without its number.

    The last turns would begin again at once: what was said before them is taken back instead, but
    where cards are on phones, for that may be another's. A ticket that somebody took or dropped is
    passed over where no number is given: it is that player's secret, and nobody else would know
    what was taken back.
    """
    if seq is None:
        facts = (
            one for one in game.undoable if not (_is_last_turns(game, one) or _is_secret(game, one))
        )
        seq = next(facts, None)
        if seq is None:
            raise EventError("there is nothing to undo")
    found = game.undo(seq)
    if _is_last_turns(game, found.event) and game.table.dealing is None:
        before = (one for one in game.undoable if one < found.event)
        earlier = [one for one in before if not _is_secret(game, one)]
        return game.undo(earlier[0]) if earlier else found
    return found


def redo_fact(game: GameState, seq: int | None = None) -> Redone:
    """Return the fact that puts an event back, what was undone last without its number.

    The last turns are passed over: they come by themselves with what brings them. So are tickets
    that were taken or dropped, as with `undo_fact`.
    """
    if seq is None:
        facts = (
            one for one in game.redoable if not (_is_last_turns(game, one) or _is_secret(game, one))
        )
        seq = next(facts, None)
        if seq is None:
            raise EventError("there is nothing to redo")
    return game.redo(seq)


def _is_last_turns(game: GameState, seq: int) -> bool:
    return isinstance(game.event(seq).fact, LastTurnsBegun)


def _is_secret(game: GameState, seq: int) -> bool:
    return isinstance(game.event(seq).fact, TicketTaken | TicketDropped)


def _begun(game: GameState) -> Event | None:
    """Return the event that says that the last turns have begun, if it stands."""
    return next(
        (
            event
            for event in reversed(game.events)
            if _is_last_turns(game, event.seq) and event.seq not in game.undone
        ),
        None,
    )


def _brought_by(game: GameState, low: Collection[Colour]) -> SeatId:
    """Return the seat whose turn brought the last turns: its stock has been low the longest."""
    seats = {player.colour: player.seat for player in game.table.players}
    is_new = not isinstance(game.events[-1].fact, Undone | Redone)
    if is_new and game.table.last_turns_by in {seats[colour] for colour in low}:
        # Only what is taken back or put back can make another one's stock low for longer.
        return game.table.last_turns_by
    for table in reversed(list(standing_tables(game))) if len(low) > 1 else ():
        before = low_stocks(table.position)
        still = [colour for colour in low if colour in before]
        if not still:
            break
        low = still
    return seats[next(iter(low))]


TURN_S = 3.0  # nobody takes a whole turn in less, be it to draw two cards; chosen


@dataclass(frozen=True)
class LastClaim:
    """Who claimed last, and when by the frames' clock."""

    colour: Colour
    at_s: float

    def is_just_now(self, colours: Sequence[Colour], now_s: float) -> bool:
        """Tell whether the others cannot all have had a turn since."""
        return now_s - self.at_s < TURN_S * (len(colours) - 1)

    def may_claim(self, colours: Sequence[Colour], now_s: float) -> frozenset[Colour] | None:
        """Return whose turn it may be; None when that may be anybody.

        Examples
        --------
        >>> last = LastClaim("red", at_s=60.0)
        >>> sorted(last.may_claim(["red", "blue", "black"], now_s=64.0))
        ['black', 'blue']
        >>> last.may_claim(["red", "blue", "black"], now_s=70.0) is None
        True
        """
        return frozenset(colours) - {self.colour} if self.is_just_now(colours, now_s) else None

    def phrased(self, doubt: Doubt, colours: Sequence[Colour], now_s: float) -> Doubt:
        """Return a doubt that says it where its colour has claimed just before."""
        if doubt.said != self.colour or not self.is_just_now(colours, now_s):
            return doubt
        why = Sentence("{colour} has only just claimed a route", colour=self.colour)
        return replace(doubt, why=together((doubt.why, why)) if doubt.why else why)
