"""Text for a game's events, for the terminal."""

import time
from collections.abc import Iterator

from railspotter.scoring.dealing.moves import Pay, PayMore, TakeBack
from railspotter.scoring.names import Name
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import spot_name

from ..game_log import board_facts, course_facts, people_facts
from ..game_log.card_facts import CardsMoved, CardsPutAway
from ..game_log.facts import Event
from ..game_log.game_state import GameState
from ..game_log.log import GameLog, is_lost
from ..game_log.table_state import TableState
from .score_lines import final_lines, player_text


def event_lines(event: Event, game: GameState) -> Iterator[str]:
    """Yield the lines that describe an event; none for secret events."""
    table, fact = game.table, event.fact
    match fact:
        case board_facts.Placed():
            whose, name = player_text(fact.colour, table), spot_name(table.board, fact.spot)
            yield f"{whose}: {name}{_new_box_text(fact.spot, fact.colour, table)}"
        case board_facts.TakenBack():
            yield f"free again: {spot_name(table.board, fact.spot)} ({fact.why})"
        case board_facts.Corrected():
            now = "free" if fact.now is None else player_text(fact.now, table)
            box = "" if fact.now == fact.was else _new_box_text(fact.spot, fact.now, table)
            yield f"corrected: {spot_name(table.board, fact.spot)} is {now}{box}"
        case board_facts.BoardJoined():
            yield f"saved what is on the board: {len(fact.spots)} claims"
        case course_facts.Undone(event=seq) | course_facts.Redone(event=seq):
            done = "undone" if isinstance(fact, course_facts.Undone) else "redone"
            for line in event_lines(game.event(seq), game):
                yield f"{done}: {line}"
        case course_facts.GamePackedAway():
            yield "packed away: the game is kept, and rebuilt when somebody goes on with it"
        case course_facts.GamePaused():
            yield "paused: changes on the board do not count for now"
        case course_facts.GameResumed():
            yield "watching again"
        case course_facts.GameEnded():
            yield "the game has ended"
            yield from final_lines(table) if table.ended else ()
        case course_facts.PointsCounted():
            yield "the points are counted"
        case CardsMoved():
            yield from _card_move_lines(fact, table)
        case CardsPutAway():
            yield "the cards are on the table from now on"
        case people_facts.TicketRevealed(seat=seat, ticket=ticket):
            is_open = any(
                held.revealed and held.ends == {ticket.a, ticket.b}
                for held in table.tickets.get(seat, ())
            )
            ends = " - ".join(table.board.place_by_id[end].name for end in (ticket.a, ticket.b))
            yield f"{table.name_of(seat)}'s ticket: {ends if is_open else 'hidden again'}"
        case course_facts.LastTurnsBegun(seat=seat):
            yield (
                f"last turns: {table.name_of(seat)} has few trains left; everyone has one more"
                f" turn, {table.name_of(seat)} the last one"
            )
        case course_facts.TurnMarked(seat=seat):
            yield f"it is {table.name_of(seat)}'s turn"
        case people_facts.MarkerCompared(seat=seat, said=said):
            yield f"{table.name_of(seat)}'s marker is at {said}"
        case people_facts.PlayerCameIn(player=player):
            yield f"{player_text(player.colour, table)} joins"
        case people_facts.PlayerHandedOver(seat=seat, computer=computer):
            who = f"a computer ({computer})" if computer else "a person"
            yield f"{who} plays on for {table.name_of(seat)}"
        case people_facts.HandPassedOn(seat=seat, is_new=True):
            yield f"{table.name_of(seat)} is dealt a new hand"
        case people_facts.HandPassedOn(seat=seat, by=by):
            whose = table.name_of(by) if by else "the host"
            yield f"{whose} says that the new phone is that of {table.name_of(seat)}"
        case people_facts.PlayerLeft(seat=seat):
            yield f"{table.name_of(seat)} has left: no more turns"
        case board_facts.TrainsAssigned(trains=trains, colour=colour):
            whose = "nobody's" if colour is None else player_text(colour, table)
            yield f"{trains} trains are {whose}"
        case (
            people_facts.PlayerRenamed()
            | people_facts.PlayerRecoloured()
            | people_facts.SeatsSwapped()
        ):
            yield f"who plays: {', '.join(player_text(p.colour, table) for p in table.players)}"
        case course_facts.GameRenamed(name=name):
            yield f"the game is called {name}"
        case course_facts.GameMarked(counts=counts):
            yield f"the game {'counts' if counts else 'does not count'} for records"
        case board_facts.PinPlaced(route=route, space=space):
            name = spot_name(table.board, Spot("route", route))
            yield f"{name}: its shape is on space {space + 1}"
        case _:
            pass


def _card_move_lines(fact: CardsMoved, table: TableState) -> Iterator[str]:
    """Yield the pieces to lay, and claims taken back; nothing about secret cards."""
    match fact.move:
        case Pay(kind=kind, id=name) if (spot := Spot(kind, name)) in table.to_lay:
            yield _lay_line(spot, table)
        case PayMore():
            # Only a seat's last payment can be a tunnel that is not laid yet.
            spots = [s for s, paid in table.payments.items() if paid.seat == fact.seat]
            if spots and spots[-1] in table.to_lay:
                yield _lay_line(spots[-1], table)
        case TakeBack(kind=kind, id=name):
            spot = Spot(kind, name)
            yield f"{table.name_of(fact.seat)} has cards back: {spot_name(table.board, spot)}"
        case _:
            pass


def _lay_line(spot: Spot, table: TableState) -> str:
    whose = player_text(table.to_lay[spot], table)
    lay = f"lay {table.pieces_on(spot)} of {whose}: {spot_name(table.board, spot)}"
    return lay + _box_text(spot, table)


def _box_text(spot: Spot, table: TableState) -> str:
    """Return what goes back in the box; empty text where every space has its piece."""
    back = table.pieces_back(spot)
    return f"; put {back} back in the box" if back else ""


def _new_box_text(spot: Spot, colour: Name | None, table: TableState) -> str:
    """Return it for a claim that stands; what was paid for on a phone was said when it was paid."""
    is_new = colour is not None and table.held.get(spot) == colour and spot not in table.payments
    return _box_text(spot, table) if is_new else ""


def lost_lines(game: GameState) -> Iterator[str]:
    """Yield a warning about events lost to damage; nothing if there are none."""
    if lost := [event for event in game.events if is_lost(event)]:
        yield (
            f"from event {lost[0].seq} on ({time_of(lost[0].at_s)}) events are damaged and left"
            " out, so the score may be wrong: compare it with the board and the tickets"
        )


def damage_lines(log: GameLog) -> Iterator[str]:
    """Yield warnings about damage to a game's file that was repaired."""
    if log.damaged_copy is not None:
        read = sum(not is_lost(event) for event in log.state.events)
        yield (
            f"the game's file was damaged: {read} events were read, and the file is kept as it was"
            f" as {log.damaged_copy}"
        )
    yield from lost_lines(log.state)


def time_of(at_s: float) -> str:
    """Format a timestamp as the local time of day."""
    try:
        return time.strftime("%H:%M:%S", time.localtime(at_s))
    except (ValueError, OverflowError, OSError):
        return "--:--:--"  # out of range: the clock was wrong
