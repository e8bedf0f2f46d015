"""What facts about cards change: the dealing, and what is paid for.

Such facts are never undone, so a log's moves play again as they did. Where damage has taken one of
them, the cards cannot be known any more: then the game goes on with cards on the table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from railspotter.scoring.dealing.dealing import Dealing, first_dealing
from railspotter.scoring.dealing.moves import DealAnew, MoveError, Pay, PayMore, TakeBack
from railspotter.scoring.dealing.rules import play
from railspotter.scoring.edition import Colour
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.spot import Spot, of_kind

from .card_facts import CardsDealt, CardsMoved, Remembered
from .facts import EventLost, SeatId
from .table_state import Payment, TableState


def card_position(table: TableState) -> Position:
    """Return the board as cards see it: what is paid for is claimed. Without tickets."""
    owned, stations = table.owned, dict[Colour, tuple[str, ...]]()
    for place, colour in of_kind("station", owned).items():
        stations[colour] = (*stations.get(colour, ()), place)
    return Position(
        table.edition,
        table.board,
        tuple(Seat(player.colour, player.name) for player in table.players),
        of_kind("route", owned),
        stations=stations,
        sites=of_kind("site", owned),
    )


def dealt(table: TableState, fact: CardsDealt) -> TableState:
    """Return the state in which everyone has a first hand."""
    try:
        luck = Remembered(fact)
        return replace(table, dealing=first_dealing(table.edition, table.board, fact.seats, luck))
    except MoveError:
        return put_away(table)


def put_away(table: TableState) -> TableState:
    """Return the state in which the game goes on with cards on the table."""
    return replace(table, dealing=None, put_away=True)


def after_loss(table: TableState, fact: EventLost) -> TableState:
    """Return the state after what damage has taken: nobody knows any more who holds which cards.

    What was lost, where that is not known, may have been a move.
    """
    was_move = not fact.was or fact.was.startswith("cards_")
    return put_away(table) if was_move and table.started.cards == "phones" else table


def moved(table: TableState, fact: CardsMoved) -> TableState:
    """Return the state after a move.

    Raises
    ------
    MoveError
        When the rules refuse it, or no cards are dealt.
    """
    player = table.player(fact.seat)
    before = table.dealing
    if player is None or before is None:
        raise MoveError("there is nobody in this seat who has cards")
    _require_own(table, fact)
    position = card_position(table)
    after = play(position, before, fact.seat, player.colour, fact.move, Remembered(fact))
    return replace(table, dealing=after, payments=_payments(table, fact, before, after))


def after_move(table: TableState, fact: CardsMoved) -> TableState:
    """Return the state after a move of a log; one that cannot have been ends the dealing."""
    if table.dealing is None:
        return table
    try:
        return moved(table, fact)
    except MoveError:
        return put_away(table)


def without_turn(table: TableState, seat: SeatId | None) -> TableState:
    """Return the state in which a turn was left where it was, for another one's or for good."""
    dealing = table.dealing
    if dealing is None:
        return table
    if seat is not None and seat in dealing.offered:
        dealing = dealing.without_offer(seat)
    if seat is None or seat == table.turn:
        for name in () if dealing.is_first else tuple(dealing.offered):
            dealing = dealing.without_offer(name)
        dealing = replace(dealing, on_turn=None, drawn=(), refilled=None, tunnel=None)
    return replace(table, dealing=dealing)


def _require_own(table: TableState, fact: CardsMoved) -> None:
    """Refuse cards back that were not paid, and tickets back that are not secrets of the hand."""
    move = fact.move
    if isinstance(move, DealAnew):
        secret = {held.ends for held in table.tickets.get(fact.seat, ()) if not held.revealed}
        if {frozenset((one.a, one.b)) for one in move.tickets} != secret:
            raise MoveError("the tickets are not as the log has them")
    if isinstance(move, TakeBack):
        paid = table.payments.get(Spot(move.kind, move.id))
        if paid != Payment(fact.seat, move.cards):
            raise MoveError("nothing was paid for this")


def _payments(
    table: TableState, fact: CardsMoved, before: Dealing, after: Dealing
) -> dict[Spot, Payment]:
    paid = dict(table.payments)
    match fact.move:
        case Pay(cards=cards) if after.tunnel is None:
            paid[fact.move.spot] = Payment(fact.seat, cards)
        case PayMore(cards=cards) if before.tunnel is not None:
            every = Counter(before.tunnel.cards) + Counter(cards)
            paid[Spot("route", before.tunnel.route)] = Payment(fact.seat, dict(every))
        case TakeBack():
            paid.pop(Spot(fact.move.kind, fact.move.id), None)
        case _:
            pass
    return paid
