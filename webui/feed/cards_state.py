"""The public state of cards on phones: open cards, and numbers of hidden ones."""

from collections.abc import Mapping
from typing import Any

from railspotter.scoring.board import Board
from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.claims import claim_problems
from railspotter.scoring.sentence import NOTHING, Sentence, together
from railspotter.scoring.spot import Spot
from railspotter.scoring.spot_names import route_ends
from railspotter.table.game_log.card_facts import CardsMoved
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.pictures import area_around
from railspotter.table.live_table.table_view import Laying

from ..access import hands
from ..access.roles import Devices

Json = dict[str, Any]


def cards_state(
    game: GameState,
    devices: Devices,
    laying: Mapping[Spot, Laying],
    marker_moves: Mapping[Spot, int],
    asked_back: Spot | None = None,
    astray: Mapping[Spot, str] | None = None,
) -> Json | None:
    """Return the public state of the cards; None if they are on the table.

    Of hands, the deck and tickets it contains numbers only.
    """
    table = game.table
    dealing = table.dealing
    if dealing is None:
        return None
    stacks = dealing.stacks
    seats = [player.seat for player in table.players]
    is_choosing = dealing.is_choosing_first
    hidden = [] if table.ended else list(hands.hidden_hands(game, devices))
    return {
        "turn": table.turn,
        "phase": "over" if table.ended else "first_tickets" if is_choosing else "play",
        "choosing": [seat for seat in seats if is_choosing and seat in dealing.offered],
        "face_up": list(stacks.face_up),
        "in_deck": stacks.in_deck,
        "discards": sum(stacks.discards.values()),
        "tickets_left": dealing.tickets_left,
        "hands": {seat: dealing.hand(seat).total() for seat in seats},
        "tickets": {seat: len(table.tickets.get(seat, ())) for seat in seats},
        "asked_back": asked_back
        and {"spot": asked_back.key, "seat": table.payments[asked_back].seat},
        "unvouched": hidden,
        "vouchers": {seat: _vouchers(game, devices, seat) for seat in hidden},
        "doing": _doing(table),
        "revealed": list(dealing.revealed),
        "last": _last(game),
        "unpaid": [
            {
                "spot": spot.key,
                "colour": colour,
                "seat": table.seat_of(colour),
                "why": why_not(table, spot, colour),
            }
            for spot, colour in sorted(table.unpaid.items())
        ],
        "to_lay": [
            _to_lay(table, spot, colour, laying.get(spot, Laying()), marker_moves.get(spot))
            for spot, colour in sorted(table.to_lay.items())
        ],
        "astray": [
            {
                "spot": spot.key,
                "seat": table.seat_of(colour),
                "to_lay": [other.key for other, its in table.to_lay.items() if its == colour],
                "picture": f"/api/v1/spots/{spot.kind}/{spot.id}/picture.jpg",
                "shown_mm": [round(mm, 1) for mm in area_around(table.board, spot)],
            }
            for spot, colour in sorted((astray or {}).items())
        ],
    }


def _vouchers(game: GameState, devices: Devices, seat: str) -> Json:
    """Return whose phones may vouch for the new phone in a seat."""
    able = [one for one in devices.all if hands.may_vouch(game, devices, one, seat)]
    seats = [one.seat for one in able if one.seat is not None]
    return {"seats": seats, "is_host": any(one.is_host for one in able)}


def why_not(table: TableState, spot: Spot, colour: str) -> Sentence:
    """Return why a player cannot claim the pieces on a spot now; empty if possible."""
    if table.standstill:
        return table.standstill
    for other, whose_is in table.to_lay.items():
        if whose_is == colour and other.kind == spot.kind:
            return Sentence("{spot} is paid for, not this", spot=printed_name(table.board, other))
    whose = table.player(table.turn or "")
    if whose is None:
        return Sentence("the tickets come first")
    if whose.colour != colour:
        return Sentence("it is {name}'s turn", name=whose.name or whose.colour)
    problems = claim_problems(table.position, colour, spot)
    return together(problem.what for problem in problems) if problems else NOTHING


def printed_name(board: Board, spot: Spot) -> str:
    """Return a spot's name as printed: both ends of a route, a place, a site."""
    if spot.kind == "site":
        return board.site_by_id[spot.id].name
    if spot.kind == "station":
        return board.place_by_id[spot.id].name
    return route_ends(board, spot.id)


def _to_lay(table: TableState, spot: Spot, colour: str, laying: Laying, marker: int | None) -> Json:
    return {
        "spot": spot.key,
        "colour": colour,
        "seat": table.payments[spot].seat,
        "pieces": table.pieces_on(spot),
        "standing": list(laying.standing),
        "wrong": [{"space": space, "colour": other} for space, other in laying.wrong],
        "marker": marker,
    }


def _doing(table: TableState) -> Json | None:
    """Return the unfinished action of the current turn."""
    dealing = table.dealing
    if dealing is None or table.turn is None:
        return None
    if dealing.tunnel is not None:
        return {
            "seat": table.turn,
            "what": "tunnel",
            "spot": Spot("route", dealing.tunnel.route).key,
            "cards": dict(dealing.tunnel.cards),
            "more": dealing.tunnel.more,
        }
    if dealing.drawn:
        return {"seat": table.turn, "what": "drawing"}
    if table.turn in dealing.offered:
        return {"seat": table.turn, "what": "choosing"}
    return None


def _last(game: GameState) -> Json | None:
    """Return the public part of the last move."""
    fact = next((e.fact for e in reversed(game.events) if isinstance(e.fact, CardsMoved)), None)
    dealing = game.table.dealing
    if fact is None or dealing is None:
        return None
    match fact.move:
        case moves.DrawCard(place=None):
            seen: Json = {"what": "drew_card"}
        case moves.DrawCard():
            seen = {"what": "took_card", "card": dealing.taken}
        case moves.DrawTickets():
            seen = {"what": "drew_tickets"}
        case moves.KeepTickets(tickets=tickets):
            seen = {"what": "kept_tickets", "count": len(tickets)}
        case moves.Pay(cards=cards) as pay:
            seen = {"what": "paid", "spot": pay.spot.key, "cards": dict(cards)}
        case moves.PayMore(cards=cards):
            seen = {"what": "paid_more", "cards": dict(cards)}
        case moves.LeaveTunnel():
            seen = {"what": "left_tunnel"}
        case moves.TakeBack(kind=kind, id=name):
            seen = {"what": "had_back", "spot": Spot(kind, name).key}
        case moves.PassTurn():
            seen = {"what": "passed"}
        case moves.ComeIn():
            seen = {"what": "came_in"}
        case moves.DealAnew():
            seen = {"what": "dealt_anew"}
    return {"seat": fact.seat, **seen}
