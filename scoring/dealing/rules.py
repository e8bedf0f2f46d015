"""Plays and checks moves with cards, for people and bots alike.

The same function plays a move and replays it from a log: cards off a shuffled deck come from a
`Luck`, which is random when playing, and reads the log when replaying.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..board import Route
from ..card_game.tickets import LOCOMOTIVE, Cards
from ..edition import Colour, ticket_by_ends
from ..game import TicketText
from ..legality import Problem
from ..position import Position
from ..sentence import Sentence, together
from ..spot import Spot
from . import claims, moves
from .dealing import Dealing, Holder, Tunnel
from .moves import MoveError
from .stacks import Luck

TUNNEL_CARDS = 3  # how many are turned over for a tunnel (Europe)


def play(
    position: Position, dealing: Dealing, who: Holder, colour: Colour, move: moves.Move, luck: Luck
) -> Dealing:
    """Return the dealing after a move of `who`, the holder of the cards, who plays `colour`.

    Whose turn it is, is the caller's business; and so are the tickets that are kept, and what is
    claimed: that is part of a `Position`, here the one before the move. Raises `MoveError` with
    every reason for which the move is refused.
    """
    _require_in_order(dealing, who, move)
    if dealing.tunnel is None and (dealing.revealed or dealing.taken):
        dealing = replace(dealing, revealed=(), taken=None)
    match move:
        case moves.DrawCard(place=place):
            return _draw_card(dealing, who, place, luck)
        case moves.DrawTickets():
            return _draw_tickets(dealing, who, luck)
        case moves.KeepTickets(tickets=kept):
            return _keep_tickets(dealing, who, kept)
        case moves.Pay(cards=cards):
            return _pay(position, dealing, who, colour, move.spot, cards, luck)
        case moves.PayMore(cards=cards):
            return _pay_more(position, dealing, who, cards, luck)
        case moves.LeaveTunnel():
            return replace(dealing, tunnel=None, on_turn=None)
        case moves.PassTurn():
            if can_move(position, dealing, who, colour):
                raise MoveError("there is something to do: nobody passes as long as they can play")
            return replace(dealing, on_turn=None, drawn=(), refilled=None)
        case moves.TakeBack(cards=cards):
            stacks, found = dealing.stacks.without(cards)
            return replace(dealing, stacks=stacks).with_hand(who, dealing.hand(who) + found)
        case moves.ComeIn():
            return dealing.with_first_cards(who, luck).with_first_tickets(who, luck)
        case moves.DealAnew(tickets=kept, at_least=at_least):
            deck = ticket_by_ends(dealing.edition, position.board)
            tickets = [deck[ends] for ends in (frozenset((t.a, t.b)) for t in kept) if ends in deck]
            return dealing.with_other_hand(who, tickets, at_least, luck)


def ends_turn(before: Dealing, move: moves.Move, after: Dealing) -> bool:
    """Tell whether a move ended a turn; first tickets and refunds are no turns."""
    if isinstance(move, moves.TakeBack | moves.ComeIn | moves.DealAnew):
        return False
    if isinstance(move, moves.KeepTickets) and before.is_first:
        return False
    return not is_busy(after)


def is_busy(dealing: Dealing) -> bool:
    """Tell whether a draw, a choice or a tunnel is unfinished."""
    return bool(dealing.drawn or dealing.offered or dealing.tunnel)


def can_move(position: Position, dealing: Dealing, who: Holder, colour: Colour) -> bool:
    """Tell whether a player can do anything but pass: begin a turn, or draw a second card."""
    if dealing.drawable:
        return True
    if dealing.drawn:  # the second card went when somebody had cards back
        return False
    can_claim = any(True for _ in claimable(position, dealing.hand(who), colour))
    return can_claim or dealing.can_draw_tickets


def every_spot(position: Position) -> Iterator[Spot]:
    """Yield all spots of a board: routes, sites, and stations if the game has them.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position
    >>> newyork = Position(load_edition("newyork"), load_board("newyork"), ())
    >>> len(list(every_spot(newyork))) == len(newyork.board.routes)
    True
    """
    board = position.board
    yield from (Spot("route", route.id) for route in board.routes)
    yield from (Spot("site", site.id) for site in board.sites)
    if position.edition.stations:
        yield from (Spot("station", place.id) for place in board.places)


def claimable(position: Position, hand: Cards, colour: Colour) -> Iterator[Spot]:
    """Yield the spots that a player may claim and pay for now."""
    for spot in every_spot(position):
        if next(legal_payments(position, hand, colour, spot), None) is not None:
            yield spot


def legal_payments(
    position: Position, hand: Cards, colour: Colour, spot: Spot
) -> Iterator[Counter[str]]:
    """Yield every payment for a spot; nothing if the player may not claim it."""
    if claims.may_claim(position, colour, spot):
        yield from claims.payments(claims.price_of(position, colour, spot), hand)


def _require_in_order(dealing: Dealing, who: Holder, move: moves.Move) -> None:
    """Raise `MoveError` if another move has to come first."""
    if isinstance(move, moves.TakeBack):
        return
    if isinstance(move, moves.ComeIn):
        if is_busy(dealing):
            raise MoveError("wait until this turn is over")
        if who in dealing.hands:
            raise MoveError("the first cards of this hand are dealt already")
        return
    if isinstance(move, moves.DealAnew):
        if is_busy(dealing) and not dealing.is_choosing_first and dealing.on_turn != who:
            raise MoveError("wait until this turn is over")
        return
    if isinstance(move, moves.KeepTickets) != (who in dealing.offered):
        if who in dealing.offered:
            raise MoveError("choose from the tickets that were drawn first")
        raise MoveError("there are no tickets to choose from")
    if dealing.offered and who not in dealing.offered:
        raise MoveError("wait until the tickets are chosen")
    if dealing.on_turn not in (None, who):
        raise MoveError("wait until this turn is over")
    if isinstance(move, moves.PayMore | moves.LeaveTunnel) != (dealing.tunnel is not None):
        if dealing.tunnel is not None:
            raise MoveError("the tunnel comes first: play the additional cards, or leave it")
        raise MoveError("there is no tunnel that asks for more cards")
    if dealing.drawn and not isinstance(move, moves.DrawCard | moves.PassTurn):
        raise MoveError("draw the second card first")


def _draw_card(dealing: Dealing, who: Holder, place: int | None, luck: Luck) -> Dealing:
    stacks, draw, refilled = dealing.stacks.draw(place, dealing.drawn, dealing.refilled, luck)
    after = replace(
        dealing.with_hand(who, dealing.hand(who) + Counter((draw.card,))),
        stacks=stacks,
        on_turn=who,
        drawn=(*dealing.drawn, draw),
        refilled=refilled,
        taken=draw.card if draw.face_up else None,
    )
    return after if after.drawable else replace(after, on_turn=None, drawn=(), refilled=None)


def _draw_tickets(dealing: Dealing, who: Holder, luck: Luck) -> Dealing:
    count, at_least = dealing.edition.later_tickets
    after, drawn = dealing.draw_tickets(count, luck)
    if not drawn:
        raise MoveError("no ticket is left in the deck")
    offered, least = {who: drawn}, {who: at_least}
    return replace(after, on_turn=who, offered=offered, at_least=least, is_first=False)


def _keep_tickets(dealing: Dealing, who: Holder, kept: tuple[TicketText, ...]) -> Dealing:
    offered = dealing.offered[who]
    wanted = [frozenset((ticket.a, ticket.b)) for ticket in kept]
    if len(set(wanted)) < len(wanted) or not set(wanted) <= {t.ends for t in offered}:
        raise MoveError("only tickets that were drawn can be kept, each of them once")
    if len(kept) < (at_least := dealing.least_kept(who)):
        raise MoveError("keep at least {n} of these tickets", n=at_least)
    returned = [ticket for ticket in offered if ticket.ends not in wanted]
    rest = {other: tickets for other, tickets in dealing.offered.items() if other != who}
    return replace(dealing.with_returned(returned), on_turn=None, offered=rest)


def _pay(
    position: Position,
    dealing: Dealing,
    who: Holder,
    colour: Colour,
    spot: Spot,
    cards: Cards,
    luck: Luck,
) -> Dealing:
    if not spot.is_on(position.board):
        raise MoveError("the board has no {name!r}", name=spot.id)
    price = claims.price_of(position, colour, spot)
    _refuse(claims.claim_problems(position, colour, spot))
    _refuse(claims.price_problems(position, price, cards))
    _require_cards(dealing, who, cards)
    if not (isinstance(price, Route) and price.tunnel):
        return _discard_payment(dealing, who, cards, luck)
    stacks, revealed = dealing.stacks.deal(TUNNEL_CARDS, luck)
    stacks = stacks.with_discards(Counter(revealed), luck)
    after = replace(dealing, stacks=stacks, revealed=revealed)
    if not (more := claims.tunnel_cards(cards, revealed)):
        return _discard_payment(after, who, cards, luck)
    return replace(after, on_turn=who, tunnel=Tunnel(spot.id, dict(cards), more))


def _pay_more(
    position: Position, dealing: Dealing, who: Holder, cards: Cards, luck: Luck
) -> Dealing:
    if (tunnel := dealing.tunnel) is None:
        raise MoveError("there is no tunnel that asks for more cards")
    route = position.board.route_by_id[tunnel.route]
    if set(tunnel.cards) == {LOCOMOTIVE} != set(cards):
        raise MoveError("against locomotives alone only locomotives can be added")
    every = Counter(tunnel.cards) + Counter(cards)
    _refuse(claims.payment_problems(position.edition, route, every, dealing.revealed))
    _require_cards(dealing, who, every)
    return _discard_payment(replace(dealing, tunnel=None, on_turn=None), who, every, luck)


def _discard_payment(dealing: Dealing, who: Holder, cards: Cards, luck: Luck) -> Dealing:
    stacks = dealing.stacks.with_discards(cards, luck)
    return replace(dealing, stacks=stacks).with_hand(who, dealing.hand(who) - Counter(cards))


def _refuse(problems: Iterable[Problem]) -> None:
    """Raise `MoveError` when there is any problem."""
    if found := [problem.what for problem in problems]:
        raise MoveError(together(found))


def _require_cards(dealing: Dealing, who: Holder, cards: Cards) -> None:
    hand, is_taxi = dealing.hand(who), dealing.edition.train_word == "taxi"
    every_colour = Sentence("taxi") if is_taxi else Sentence("locomotive")
    for card, count in cards.items():
        if count > hand[card]:
            name = every_colour if card == LOCOMOTIVE else Sentence(card)
            raise MoveError(
                "{n} {card} played, {held} in hand", n=count, card=name, held=hand[card]
            )
