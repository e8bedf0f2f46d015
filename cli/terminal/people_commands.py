"""What people type about people: who plays, tickets, markers, turns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from railspotter.scoring import Board, PlaceId, load_edition, number_problem
from railspotter.scoring.game import TicketText
from railspotter.table.errors import TableError
from railspotter.table.game_log import (
    AnyFact,
    GameRenamed,
    MarkerCompared,
    PinPlaced,
    Player,
    PlayerCameIn,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    SeatsSwapped,
    TableState,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    TurnMarked,
    free_seat,
)
from railspotter.table.live_table import LiveTable, MarkerCheck, check_marker
from railspotter.table.photos import spot_called, spot_name
from railspotter.table.set_up import parse_player

ANY_NUMBER = "any-number"
HELP = """\
ticket ann seattle new-york
               Ann keeps that ticket, in secret; a third word: its points
drop ann seattle new-york
               Ann does not have it after all
reveal ann     show all of Ann's tickets, or one: reveal ann seattle new-york; also: reveal all
tickets ann    list Ann's tickets here: whoever sees this screen sees them
marker ann 87  Ann's marker on the score track is at 87: do her routes say so too?
turn ann       it is Ann's turn
rename ann Anna
colour ann blue
               Ann's trains are blue, whatever was said before
swap ann bo    Ann and Bo were mixed up
leave ann      Ann leaves the game; what she has still counts
come cleo:green
               Cleo joins, or comes back; with a number: her place in the turn order; with
               any-number: also where more play then than the box says
pin helena--seattle 3
               accessible edition: the route's shape is on its third space
name Friday    what the game is called"""


def run_people_command(words: Sequence[str], table: LiveTable) -> str | None:
    """Do what words say about people; return what to reply, None if they say nothing about any.

    Raises
    ------
    TableError
        When they name nobody, or no such ticket.
    """
    state = table.view.game.table
    match words:
        case ["tickets", name]:
            return _hand(state, _player(name, state))
        case ["ticket", name, *places] if places:
            player = _player(name, state)
            table.write([TicketTaken(player.seat, _ticket(places, state.board))])
            held = len(table.view.game.table.tickets[player.seat])
            return f"{_called(player)} has {held} ticket{'s' if held > 1 else ''}"
        case ["drop", name, *places] if places:
            player = _player(name, state)
            table.write([TicketDropped(player.seat, _ticket(places, state.board))])
            return "dropped"
        case ["reveal", name, *places]:
            table.write(_revealed(name, places, state))
        case ["marker", name, number] if re.fullmatch(r"-?\d{1,4}", number):
            player = _player(name, state)
            table.write([MarkerCompared(player.seat, int(number))])
            doubts = [question.doubt for question in table.view.questions]
            check = check_marker(table.view.game, player.colour, int(number), doubts)
            return marker_text(check, player, state)
        case _:
            fact = _fact(words, state)
            if fact is None:
                return None
            table.write([fact])
    return ""


def marker_text(check: MarkerCheck, player: Player, state: TableState) -> str:
    """Return how a marker compares with the trains, and what may explain it."""
    name, off = _called(player), check.difference
    said = f"{name}: the marker says {check.said}, the trains say {check.counted}"
    if not off:
        return f"{said}: they agree"
    routes = (
        " and ".join(spot_name(state.board, spot) for spot in spots) for spots in check.explanations
    )
    found = "; ".join(routes) or "no one or two routes"
    if off < 0:
        return (
            f"{said}, {-off} more. Worth that much: {found}."
            " Is it wrong, or was the marker not moved?"
        )
    return (
        f"{said}, {off} less. Worth that much: {found}."
        f" Is it {name}'s ('set ROUTE {player.colour}'), or was the marker moved too far?"
    )


def _fact(words: Sequence[str], state: TableState) -> AnyFact | None:
    """Return what words say that needs no reply."""
    match words:
        case ["turn", name]:
            return TurnMarked(_player(name, state).seat)
        case ["rename", name, *new] if new:
            return PlayerRenamed(_player(name, state).seat, " ".join(new))
        case ["colour" | "color", name, colour]:
            player = _player(name, state)
            return PlayerRecoloured(player.seat, colour.casefold(), player.shape)
        case ["swap", name, other]:
            return SeatsSwapped(_player(name, state).seat, _player(other, state).seat)
        case ["leave", name]:
            return PlayerLeft(_player(name, state).seat)
        case ["come", _, *more] if {*more} <= {ANY_NUMBER, *filter(str.isdigit, more)}:
            return _coming_in(words, state)
        case ["pin", *route, space] if route and space.isdigit():
            edition = load_edition(state.started.edition)
            spot = spot_called(" ".join(route), state.board, edition)
            if int(space) < 1:
                raise TableError("the spaces of a route are counted from 1")
            return PinPlaced(spot.id, int(space) - 1)
        case ["name", *name] if name:
            return GameRenamed(" ".join(name))
        case _:
            return None


def _player(name: str, state: TableState) -> Player:
    """Return the player that a word means: a seat, a name or a colour."""
    wanted = name.casefold()
    for player in state.players:
        if wanted in (player.seat, player.name.casefold(), player.colour.casefold()):
            return player
    there = ", ".join(_called(player) for player in state.players)
    raise TableError(f"nobody is called {name!r}; there are {there}")


def _called(player: Player) -> str:
    return player.name or player.colour


def _newcomer(text: str, state: TableState) -> Player:
    """Return who comes in: somebody who was there before, or somebody with a seat of their own."""
    name, colour = text, ""
    if ":" in text:
        one = parse_player(text)
        name, colour = one.name, one.colour
    for player in state.players:
        if name.casefold() in (player.seat, player.name.casefold()):
            return player if not colour else Player(player.seat, colour, player.name, player.shape)
    if not colour:
        raise TableError(f"say the colour too: come {name}:green")
    seats = [player.seat for player in state.players]
    return Player(free_seat(name, seats), colour.casefold(), name)


def _coming_in(words: Sequence[str], state: TableState) -> PlayerCameIn:
    """Return that somebody comes in; where more play then than the box says, `any-number` says so.

    Raises
    ------
    TableError
        Where it does not.
    """
    _, who, *more = words
    places = [max(int(word) - 1, 0) for word in more if word != ANY_NUMBER]
    player = _newcomer(who, state)
    players = len({player.seat, *(other.seat for other in state.players)})
    if ANY_NUMBER not in more and (number := number_problem(state.edition, players)):
        raise TableError(f"{number}; '{' '.join(words)} {ANY_NUMBER}' lets them all the same")
    return PlayerCameIn(player, places[0] if places else None)


def _ticket(words: Sequence[str], board: Board) -> TicketText:
    """Return the ticket between two places, and its points if they are said."""
    *places, last = words
    if last.isdigit() and places:
        return TicketText(*_ends(places, board), points=int(last))
    return TicketText(*_ends(words, board))


def _ends(words: Sequence[str], board: Board) -> tuple[PlaceId, PlaceId]:
    """Return the two places that words name, be it with a dash between them."""
    called = {place.id: place.id for place in board.places}
    called |= {place.name.casefold(): place.id for place in board.places}
    spoken = [word.strip(",") for word in words if word not in ("-", "to")]
    for i in range(1, len(spoken)):
        first, second = (" ".join(part).casefold() for part in (spoken[:i], spoken[i:]))
        if first in called and second in called:
            return called[first], called[second]
    raise TableError(
        f"{' '.join(words)!r} are no two places of the board {board.id!r}: say them by name or id,"
        f" as {board.places[0].id} {board.places[1].id}"
    )


def _revealed(name: str, places: Sequence[str], state: TableState) -> tuple[TicketRevealed, ...]:
    if places:
        return (TicketRevealed(_player(name, state).seat, _ticket(places, state.board)),)
    everyone = name == "all" and all(name != player.seat for player in state.players)
    seats = [*state.tickets] if everyone else [_player(name, state).seat]
    facts = tuple(
        TicketRevealed(seat, held.ticket)
        for seat in seats
        for held in state.tickets.get(seat, ())
        if not held.revealed
    )
    if not facts:
        raise TableError("there is no ticket to reveal: enter it first, 'ticket ann a-city b-city'")
    return facts


def _hand(state: TableState, player: Player) -> str:
    """Return the tickets of a player, a line each."""
    name = {place.id: place.name for place in state.board.places}
    hand = state.tickets.get(player.seat, ())
    lines = [
        f"{name[held.ticket.a]} - {name[held.ticket.b]}" + (" (revealed)" if held.revealed else "")
        for held in hand
    ]
    return "\n".join(lines) or f"{_called(player)} has no tickets here"
