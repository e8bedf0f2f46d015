"""Games as logs: played ones turned into facts, and a short one to try things on."""

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
from railspotter.scoring.board import Board, Site, load_board
from railspotter.scoring.dealing.moves import ticket_texts
from railspotter.scoring.edition import Edition, Ticket, load_edition
from railspotter.scoring.game import BoardGame, TicketText
from railspotter.scoring.game import Player as TextPlayer
from railspotter.scoring.position import LastTurns, Position, Seat
from railspotter.scoring.spot import Spot
from railspotter.simulation.played_game import PlayedGame, play_game
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import (
    GameEnded,
    GameStarted,
    LastTurnsBegun,
    TurnMarked,
)
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.people_facts import Player, TicketRevealed, TicketTaken
from railspotter.table.game_log.public_log import PublicLog

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")
STARTED = GameStarted(
    "usa", (Player("ann", "red", "Ann"), Player("bob", "blue", "Bob")), name="Friday"
)
SEATTLE, DULUTH, NASHVILLE = "helena--seattle", "duluth--helena", "atlanta--nashville"
TICKET = TicketText("calgary", "phoenix")
NEW_YORK = GameStarted("newyork", STARTED.players)
# What two players in New York cannot lay: 16 taxis of one colour, and both lanes of a route.
IMPOSSIBLE = tuple(
    Placed.on(Spot("route", route), colour=colour, by="person")
    for route, colour in (
        ("brooklyn--lower-east-side", "red"),
        ("brooklyn--wall-street--0", "red"),
        ("central-park--united-nations", "red"),
        ("chelsea--soho", "red"),
        ("brooklyn--chinatown--0", "red"),
        ("brooklyn--chinatown--1", "blue"),
    )
)
BOTH_LANES = "both lanes of Brooklyn - Chinatown are claimed, with 2 players"
TOO_MANY = "red has used 16 taxis, of 15"
JPEG = b"\xff\xd8\xff\xe0 a small picture"


def after(state: GameState, *facts: Fact) -> GameState:
    """The state after some facts, whatever the time."""
    for fact in facts:
        state = state.after(Event(len(state.events) + 1, 0.0, fact))
    return state


def newest_undoable(game: GameState) -> int:
    """Return what phones offer to take back."""
    seq = PublicLog.of(game).undoable
    assert seq is not None
    return seq


def newest_redoable(game: GameState) -> int:
    """Return what phones offer to put back."""
    seq = PublicLog.of(game).redoable
    assert seq is not None
    return seq


@cache
def played(name: str, players: int, seed: int = 1) -> PlayedGame:
    """A game that computers played; `own-philly` is one on a board with sites."""
    edition, board = own_philly() if name == "own-philly" else shipped(name)
    seats = [Seat(c, n) for c, n in zip(edition.colours[:players], NAMES, strict=False)]
    return play_game(edition, board, seats, seed)


def shipped(name: str) -> tuple[Edition, Board]:
    edition = load_edition(name)
    return edition, load_board(edition.board)


def own_philly() -> tuple[Edition, Board]:
    """The Philly edition on the USA board, with made-up modes and sites."""
    usa, edition = load_board("usa"), load_edition("philly")
    edition = msgspec.structs.replace(edition, tickets=load_edition("usa").tickets)
    routes = tuple(
        msgspec.structs.replace(route, mode=edition.modes[i % 5])
        for i, route in enumerate(usa.routes)
    )
    sites = tuple(
        Site(f"site-{i}", f"Site {i}", place.id, ("red", "yellow"))
        for i, place in enumerate(usa.places[:12])
    )
    board = msgspec.structs.replace(usa, id="own-philly", routes=routes, sites=sites)
    return edition, board


def end_text(game: PlayedGame) -> BoardGame:
    """The end of a game as text that `railspotter score` reads."""
    end = game.end
    last_turns = end.last_turns and LastTurns(end.last_turns.by, len(end.seats))
    return BoardGame(
        game.start.edition.id,  # type: ignore[arg-type]
        tuple(TextPlayer(seat.colour, seat.name) for seat in game.start.seats),
        dict(end.claims),
        {colour: ticket_texts(tickets) for colour, tickets in end.tickets.items()},
        dict(end.stations),
        dict(end.sites),
        final=True,
        last_turns=last_turns,
    )


def start_of(game: PlayedGame) -> GameStarted:
    own = game.start.board if game.start.board.id != game.start.edition.board else None
    players = tuple(Player(seat_of(s.colour), s.colour, s.name) for s in game.start.seats)
    return GameStarted(game.start.edition.id, players, board=own)


def seat_of(colour: str) -> str:
    """Seats are called otherwise than colours, so that mixing them up shows."""
    return f"seat-{colour}"


def steps_of(game: PlayedGame) -> Iterator[tuple[list[Fact], Position]]:
    """Yield what each turn adds to the log, after the start, and the true position then."""
    before = game.positions[0]
    yield (
        [fact for colour in before.tickets for fact in taken(colour, before.tickets[colour])],
        before,
    )
    is_marked = False
    for turn, position in zip(game.turns, game.positions[1:], strict=True):
        facts: list[Fact] = []
        if (last := turn.position.last_turns) and not is_marked:
            facts.append(LastTurnsBegun(seat_of(last.by)))
            is_marked = True
        facts.append(TurnMarked(seat_of(turn.colour)))
        if turn.laid is not None:
            by = "person" if turn.laid.kind == "site" else "camera"
            sure = {"sure": 0.97} if turn.laid.kind == "route" else {}
            facts.append(Placed.on(turn.laid, colour=turn.colour, by=by, **sure))
        held = len(before.tickets.get(turn.colour, ()))
        facts += taken(turn.colour, position.tickets.get(turn.colour, ())[held:])
        yield facts, position
        before = position


def taken(colour: str, tickets: Sequence[Ticket]) -> list[Fact]:
    return [
        TicketTaken(seat_of(colour), TicketText(ticket.a, ticket.b, ticket.points))
        for ticket in tickets
    ]


def end_of(state: GameState) -> list[Fact]:
    """Everyone shows the tickets, and the game is over."""
    shown: list[Fact] = [
        TicketRevealed(seat, held.ticket)
        for seat, hand in state.table.tickets.items()
        for held in hand
    ]
    return [*shown, GameEnded()]
