"""Does a fact fit its game? What names something that the game has not is refused.

What the rules do not allow is none of these: a physical board can hold it, and scoring tells.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from railspotter.scoring.board import Board, load_board, parse_board
from railspotter.scoring.dealing.moves import ComeIn, DealAnew, MoveError, TakeBack
from railspotter.scoring.edition import Colour
from railspotter.scoring.errors import BoardError, GameError
from railspotter.scoring.game import Player as GamePlayer
from railspotter.scoring.game import TicketText, edition_of, position_of
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot

from .board_facts import (
    AboutSpot,
    BoardJoined,
    Corrected,
    PinPlaced,
    PinTakenBack,
    Placed,
    TakenBack,
)
from .card_effects import dealt, moved
from .card_facts import CardsDealt, CardsMoved
from .errors import EventError
from .events import AnyFact, Event
from .facts import (
    GameStarted,
    HandPassedOn,
    LastTurnsBegun,
    OfSeat,
    OfTicket,
    Player,
    PlayerCameIn,
    PlayerHandedOver,
    PlayerRecoloured,
    Redone,
    SeatsSwapped,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    TurnMarked,
    Undone,
)
from .game_state import GameState
from .scored import empty_game
from .table_state import HeldTicket, TableState

# Places, routes, sites or tickets of a board of the user's own; printed ones have some hundred.
MOST_ON_BOARD = 1000


def check_start(started: GameStarted) -> None:
    """Refuse a start that no game can have.

    Raises
    ------
    EventError
        For an edition without a board, a board that contradicts itself, rules that there are not,
        or players who cannot be told apart.
    """
    try:
        game = empty_game(started)
        edition = edition_of(game)
        board = started.board or load_board(edition.board)
        parts = (board.places, board.routes, board.sites, board.tickets)
        if (most := max(map(len, parts))) > MOST_ON_BOARD:
            raise BoardError(
                "board: {n} of a kind; a board may have {most}", n=most, most=MOST_ON_BOARD
            )
        parse_board(msgspec.json.encode(board))
        position_of(game, board)
    except (BoardError, GameError) as error:
        raise EventError("game_started: {error}", error=error) from error
    seats = [player.seat for player in started.players]
    for i, seat in enumerate(seats):
        _require(
            seat not in seats[:i],
            Sentence("game_started.players[{n}].seat: {seat!r} is taken", n=i, seat=seat),
        )


def check_undone(after: GameState, fact: Undone | Redone) -> None:
    """Refuse to undo or redo a fact when two players would have one colour then."""
    if not isinstance(after.event(fact.event).fact, PlayerRecoloured | PlayerCameIn | SeatsSwapped):
        return
    colours = [player.colour for player in after.table.players]
    twice = next((colour for colour in colours if colours.count(colour) > 1), None)
    _require(
        twice is None,
        Sentence(
            "{field}: two players would be {colour!r}", field=f"{fact.kind}.event", colour=twice
        ),
    )


def check(table: TableState, fact: AnyFact) -> None:
    """Refuse a fact that does not fit a running game.

    Raises
    ------
    EventError
        With the field that is wrong.
    """
    match fact:
        case BoardJoined():
            for spot, colour in fact.found.items():
                _check_spot(table.board, spot, fact.kind)
                _check_colour(table, colour, fact.kind)
        case Placed():
            _check_spot(table.board, fact.spot, fact.kind)
            _check_colour(table, fact.colour, f"{fact.kind}.colour")
        case TakenBack():
            _check_spot(table.board, fact.spot, fact.kind)
        case Corrected():
            _check_spot(table.board, fact.spot, fact.kind)
            _check_correction(table, fact)
        case PinPlaced(route=route, space=space):
            _check_spot(table.board, Spot("route", route), fact.kind)
            length = table.board.route_by_id[route].length
            _require(
                space < length,
                Sentence(
                    "pin_placed.space: the spaces of {route!r} are 0 to {last}, not {n}",
                    route=route,
                    last=length - 1,
                    n=space,
                ),
            )
        case PinTakenBack(route=route):
            _check_spot(table.board, Spot("route", route), fact.kind)
        case PlayerCameIn(player=player):
            plays = table.player(player.seat) is not None and player.seat not in table.left
            _require(
                not plays,
                Sentence("player_came_in.player.seat: {seat!r} plays already", seat=player.seat),
            )
            _check_free(table, player.colour, player.seat, "player_came_in.player.colour")
        case SeatsSwapped(seat=seat, other=other):
            _check_seat(table, seat, "seats_swapped.seat")
            _check_seat(table, other, "seats_swapped.other")
        case OfSeat(seat=seat) | TurnMarked(seat=seat) | LastTurnsBegun(seat=seat):
            player = _check_seat(table, seat, f"{fact.kind}.seat")
            _check_of_player(table, fact, player)
        case CardsDealt(seats=seats):
            _require(
                table.dealing is None and not table.put_away,
                Sentence("{field}: the cards are dealt already", field=fact.kind),
            )
            for seat in seats:
                _check_seat(table, seat, "cards_dealt.seats")
            _require(
                dealt(table, fact).dealing is not None,
                Sentence("{field}: the cards are not as the log has them", field=fact.kind),
            )
        case _:
            pass


def check_names(board: Board, event: Event) -> None:
    """Refuse an event that names a route, place or site which its board does not have.

    What is written was checked. What is read may come from a disk that has changed it.
    """
    spots: Collection[Spot] = ()
    match event.fact:
        case BoardJoined(found=found):
            spots = found
        case AboutSpot(spot=spot):
            spots = (spot,)
        case PinPlaced(route=route) | PinTakenBack(route=route):
            spots = (Spot("route", route),)
        case OfTicket(ticket=ticket):
            # Where a station may stand, there is a place.
            spots = (Spot("station", ticket.a), Spot("station", ticket.b))
    for spot in spots:
        _check_spot(board, spot, f"event {event.seq}: {event.fact.kind}")


def _check_of_player(table: TableState, fact: AnyFact, player: Player) -> None:
    match fact:
        case PlayerRecoloured(colour=colour):
            _check_free(table, colour, player.seat, "player_recoloured.colour")
        case TicketTaken(ticket=ticket) | TicketRevealed(ticket=ticket):
            taken = isinstance(fact, TicketTaken) and _holds(table, player, ticket)
            _require(
                not taken,
                Sentence(
                    "ticket_taken.ticket: {name!r} has {ticket} already",
                    name=player.seat,
                    ticket=_title(ticket),
                ),
            )
            check_ticket(table, ticket, fact.kind)
        case PlayerHandedOver():
            _require(
                table.dealing is not None or not fact.computer,
                Sentence("a computer plays only where the cards are on phones"),
            )
            _require(
                player.seat not in table.left,
                Sentence("{field}: {name!r} has left", field=fact.kind, name=player.seat),
            )
        case HandPassedOn(by=str(by)):
            _check_seat(table, by, "hand_passed_on.by")
        case CardsMoved():
            _check_move(table, fact)
        case TicketDropped(ticket=ticket):
            _require(
                _holds(table, player, ticket),
                Sentence(
                    "ticket_dropped.ticket: {name!r} does not have {ticket}",
                    name=player.seat,
                    ticket=_title(ticket),
                ),
            )
        case _:
            pass


def _check_move(table: TableState, fact: CardsMoved) -> None:
    is_in_turn = not isinstance(fact.move, TakeBack | ComeIn | DealAnew)
    if table.dealing is not None and is_in_turn and not table.dealing.is_choosing_first:
        whose = table.player(table.turn or "")
        _require(
            table.turn == fact.seat,
            Sentence("it is {name}'s turn", name=(whose.name or whose.colour) if whose else "-"),
        )
    _require(not (table.ended and is_in_turn), Sentence("the game is over"))
    try:
        moved(table, fact)
    except MoveError as error:
        raise EventError(error.sentence) from error


def _check_spot(board: Board, spot: Spot, kind: str) -> None:
    field = "place" if spot.kind == "station" else spot.kind
    _require(
        spot.is_on(board),
        Sentence(
            "{field}: the board {board!r} has no {kind} {name!r}",
            field=f"{kind}.{field}",
            board=board.id,
            kind=field,
            name=spot.id,
        ),
    )


def _check_colour(table: TableState, colour: Colour, where: str) -> None:
    colours = [player.colour for player in table.players]
    _require(
        colour in colours,
        Sentence(
            "{field}: nobody plays {colour!r}; there are {error}",
            field=where,
            colour=colour,
            error=", ".join(colours),
        ),
    )


def _check_correction(table: TableState, fact: Corrected) -> None:
    held = table.spots.get(fact.spot)
    before = held.colour if held else None
    _require(
        fact.was == before,
        Sentence(
            "{field}: {name!r} is {colour} by now, not {other}",
            field=f"{fact.kind}.was",
            name=fact.spot.id,
            colour=before or "free",
            other=fact.was or "free",
        ),
    )
    if fact.now is not None:
        _check_colour(table, fact.now, f"{fact.kind}.now")


def _check_seat(table: TableState, seat: str, where: str) -> Player:
    player = table.player(seat)
    if player is None:
        seats = ", ".join(player.seat for player in table.players)
        raise EventError(
            "{field}: there is no seat {seat!r}; there are {error}",
            field=where,
            seat=seat,
            error=seats,
        )
    return player


def _check_free(table: TableState, colour: Colour, seat: str, where: str) -> None:
    others = [player.colour for player in table.players if player.seat != seat]
    _require(
        colour not in others,
        Sentence("{field}: {colour!r} is another player's", field=where, colour=colour),
    )


def check_ticket(table: TableState, ticket: TicketText, kind: str) -> None:
    """Let scoring say whether there is such a ticket: whose it is does not matter to it."""
    game = msgspec.structs.replace(
        empty_game(table.started),
        players=(GamePlayer("somebody"),),
        tickets={"somebody": (ticket,)},
    )
    try:
        position_of(game, table.board)
    except GameError as error:
        reason = error.sentence.values.get("error", error.sentence)
        raise EventError("{field}.ticket: {error}", field=kind, error=reason) from error


def _holds(table: TableState, player: Player, ticket: TicketText) -> bool:
    ends = HeldTicket(ticket).ends
    return any(held.ends == ends for held in table.tickets.get(player.seat, ()))


def _title(ticket: TicketText) -> str:
    return Sentence("the ticket {a} - {b}", a=ticket.a, b=ticket.b)


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise EventError(complaint)
