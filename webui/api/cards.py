"""Calls about cards that are dealt to phones: the own hand, and moves.

A hand is sent to the phone that has its seat, or, for a player without a phone, to the host's that
keeps it (`hand.py`). The rules of access are in `webui/access/hands`.
"""

from typing import Annotated

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.claims import tunnel_additions
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Kind, Spot
from railspotter.table.game_log.card_facts import CardsPutAway
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.people_facts import HandPassedOn
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table import commands
from railspotter.table.live_table.card_play import deal_anew_facts, seat_view

from ..access import hands
from ..feed.cards_state import why_not
from .calls import CallRequest, Json, Nothing, Who, call, query_text
from .game import Written, player_at, table_of, written
from .hand import OTHER, Hand, hand_of
from .refusals import CallError, refused_as

NOT_HERE = Sentence("The cards of this game are on the table.")
NOBODY_WAITS = Sentence("No phone waits to see this hand.")
# The queries that name a spot.
KindText = Annotated[str, query_text("route, station or site.", 10)]
SpotText = Annotated[str, query_text("Its id.", 80)]

# The moves that players may send; others, such as being dealt a hand, are the program's own.
PlayersMove = (
    moves.DrawCard
    | moves.DrawTickets
    | moves.KeepTickets
    | moves.Pay
    | moves.PayMore
    | moves.LeaveTunnel
    | moves.PassTurn
)


class Payments(msgspec.Struct, frozen=True):
    """What could be paid for a spot."""

    payments: list[dict[str, int]]  # cards by kind, the thriftiest first
    why: Sentence  # why there are none; empty where there are


@call("GET", "/cards", Who.PLAYER, whose="the own seat")
@call("GET", "/players/{seat}/cards", Who.HOST, whose=OTHER)
def get_cards(request: CallRequest, seat: str | None = None) -> Json:
    """The cards of {whose}, and what can be done."""
    table, hand = _dealt_table(request), hand_of(request, seat)
    view = _view(table, hand.seat)
    if hand.is_hidden:
        return {"seat": hand.seat, "is_hidden": True}
    is_turn = table.turn == hand.seat and not table.ended
    # Who has just come in chooses first.
    is_waiting = table.standstill or (table.dealing and table.dealing.offered) or view.tunnel
    may_draw = is_turn and not is_waiting
    is_free = may_draw and not view.drawn
    drawable = view.drawable if may_draw else ()
    places = [place in drawable for place in range(len(view.face_up))]
    payable = [spot.key for spot in claimable(view.position, view.hand, view.colour)]
    has_tickets = is_free and view.can_draw_tickets
    return {
        "seat": hand.seat,
        "is_hidden": False,
        "is_turn": is_turn,
        "hand": dict(sorted(view.hand.items())),
        "drawn": [draw.card for draw in view.drawn] if is_turn else [],
        "offered": [{"a": t.a, "b": t.b, "points": t.points} for t in view.offered],
        "at_least": view.at_least,
        "is_first": table.dealing is not None and table.dealing.is_choosing_first,
        "returned_to": table.dealing and table.dealing.returned_to,
        "tunnel": _tunnel(view) if is_turn else None,
        "revealed": list(view.revealed),
        "can_draw": {"deck": None in drawable, "places": places},
        "can_draw_tickets": has_tickets,
        "can_pass": may_draw and not (drawable or has_tickets or (is_free and payable)),
        "laid": [
            {"spot": spot.key, **msgspec.structs.asdict(_payments(table, view, spot))}
            for spot, colour in sorted(table.unpaid.items())
            if colour == view.colour
        ],
        "payable": payable if is_free else [],
    }


def _tunnel(view: SeatView) -> Json | None:
    tunnel = view.tunnel
    if tunnel is None:
        return None
    more = tunnel_additions(tunnel.cards, view.hand, tunnel.more)
    return {
        "route": tunnel.route,
        "cards": dict(tunnel.cards),
        "more": tunnel.more,
        "additions": [dict(cards) for cards in more],
    }


def _payments(table: TableState, view: SeatView, spot: Spot) -> Payments:
    if why := why_not(table, spot, view.colour):
        return Payments([], why)
    found = [dict(cards) for cards in legal_payments(view.position, view.hand, view.colour, spot)]
    return Payments(found, NOTHING if found else Sentence("the cards for it are missing"))


@call("GET", "/cards/payments", Who.PLAYER, whose="the own seat")
@call("GET", "/players/{seat}/cards/payments", Who.HOST, whose=OTHER)
def get_payments(
    request: CallRequest,
    seat: str | None = None,
    kind: KindText = "",
    about: SpotText = "",
) -> Payments:
    """What {whose} could pay for a spot."""
    table, hand = _dealt_table(request), _open_hand(request, seat)
    try:
        spot = Spot.from_key(f"{kind}:{about}")
    except ValueError as error:
        raise CallError(400, "wrong", "kind is route, station or site.") from error
    if not spot.is_on(table.board):
        raise CallError(
            404, "unknown", Sentence("The board has no {kind} of that name.", kind=kind)
        )
    return _payments(table, _view(table, hand.seat), spot)


@call("POST", "/cards/moves", Who.PLAYER, whose="the own seat")
@call("POST", "/players/{seat}/cards/moves", Who.HOST, whose=OTHER)
def move(
    request: CallRequest,
    seat: str | None = None,
    *,
    move: PlayersMove,
    card: Identifier | None = None,
) -> Written:
    """A move of {whose}; `card` is the one that was seen where one is drawn: no other is taken."""
    table, hand = _dealt_table(request), _open_hand(request, seat)
    if hand.seat in table.left:
        raise CallError(409, "changed", "This player has left already.")
    whose = table.player(table.turn or "")
    is_first = table.dealing is not None and table.dealing.is_choosing_first
    if not (is_first or table.ended) and whose is not None and whose.seat != hand.seat:
        name = whose.name or whose.colour
        raise CallError(409, "turn", Sentence("It is {name}'s turn.", name=name))
    if card is not None and card != _card_at(table, move):
        raise CallError(409, "changed", "Another card lies there now.")
    with refused_as(EventError, 409, "refused"):
        request.execute(commands.PlayMove(hand.seat, move))
    return written(request)


def _card_at(table: TableState, move: PlayersMove) -> str | None:
    """Return the face-up card that a move draws; None for one from the deck, or no draw."""
    place = move.place if isinstance(move, moves.DrawCard) else None
    face_up = table.dealing.stacks.face_up if table.dealing is not None else ()
    return face_up[place] if place is not None and place < len(face_up) else None


@call("POST", "/cards/laid", Who.TABLE)
def lay_paid_pieces(request: CallRequest, *, kind: Kind, about: Identifier) -> Written:
    """What was paid for lies there."""
    _dealt_table(request)
    with refused_as(EventError, 409, "refused"):
        return written(request, request.execute(commands.Lay(Spot(kind, about))))


@call("POST", "/cards/have-back", Who.TABLE)
def return_payment(request: CallRequest, *, kind: Kind, about: Identifier) -> Written:
    """Takes a paid claim back: the own newest one, or the host with its player's word."""
    _dealt_table(request)
    spot = Spot(kind, about)
    back = commands.AddFacts(lambda view, by: commands.taken_back_facts(view, spot, by))
    with refused_as(EventError, 409, "refused"):
        return written(request, request.execute(back))


@call("POST", "/cards/put-away", Who.HOST)
def put_away(request: CallRequest) -> Written:
    """The game goes on with cards on the table."""
    if _dealt_table(request).ended:
        raise CallError(409, "over", "The game is over.")
    return written(request, request.execute(commands.AddFacts([CardsPutAway()])))


@call("POST", "/cards/vouch", Who.TABLE)
def vouch(request: CallRequest, *, seat: Identifier) -> Nothing:
    """Says that the phone which took over a seat is that player's."""
    player_at(_dealt_table(request), seat)
    game, devices, phone = request.session.table.log.state, request.access.devices, request.phone
    if seat not in hands.hidden_hands(game, devices):
        raise CallError(409, "changed", NOBODY_WAITS)
    if phone is None or not hands.may_vouch(game, devices, phone, seat):
        raise CallError(403, "not yours", "Another player has to say whose phone this is.")
    request.session.table.execute(commands.AddFacts([HandPassedOn(seat, by=phone.seat)]))
    request.access.change(lambda devices: hands.with_hand_opened(devices, seat))
    request.session.feed.send_paired()
    return Nothing()


@call("POST", "/players/{seat}/deal-anew", Who.HOST)
def deal_anew(request: CallRequest, seat: str) -> Written:
    """Deals a hand anew that a phone took over and does not see."""
    player_at(_dealt_table(request), seat)
    devices = request.access.devices
    if seat not in hands.hidden_hands(request.session.table.log.state, devices):
        raise CallError(409, "changed", NOBODY_WAITS)
    with refused_as(EventError, 409, "refused"):
        request.execute(commands.AddFacts(lambda view, _: deal_anew_facts(view.game.table, seat)))
    return written(request)


def _dealt_table(request: CallRequest) -> TableState:
    table = table_of(request)
    if table.dealing is None:
        raise CallError(409, "no cards", NOT_HERE)
    return table


def _open_hand(request: CallRequest, seat: str | None) -> Hand:
    hand = hand_of(request, seat)
    if hand.is_hidden:
        raise CallError(409, "hidden", "Another player has to say first whose phone this is.")
    return hand


def _view(table: TableState, seat: str) -> SeatView:
    gone = Sentence("Your seat is no longer in the game.")
    with refused_as(EventError, 404, "unknown", gone):
        return seat_view(table, seat)
