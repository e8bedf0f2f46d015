"""From the state of a game to its score: its text as scoring has it, and scoring's answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from railspotter.scoring.answer import GameScore, board_answer
from railspotter.scoring.game import BoardGame, LastTurns
from railspotter.scoring.game import Player as GamePlayer
from railspotter.scoring.legality import Problem
from railspotter.scoring.malformed import misfit
from railspotter.scoring.spot import Kind, Spot

from .errors import EventError
from .table_state import TableState

if TYPE_CHECKING:
    from .course_facts import GameStarted


def empty_game(started: GameStarted) -> BoardGame:
    """Return a game's text at its start.

    A board of the user's own is named by its id: who writes the text writes that file beside it.
    """
    board = None if started.board is None else f"{started.board.id}.json"
    chosen = {"edition": started.edition}
    try:
        edition = msgspec.convert(chosen, BoardGame).edition
    except msgspec.ValidationError as error:
        said = misfit(chosen, BoardGame)
        raise EventError("{kind}.{error}", kind=started.kind, error=said) from error
    players = tuple(GamePlayer(p.colour, p.name, p.shape) for p in started.players)
    return BoardGame(edition, players, board=board, house_rules=started.house_rules)


def game_of(table: TableState, *, with_secrets: bool = True) -> BoardGame:
    """Return a game's text as it is now; `railspotter score` reads it.

    Parameters
    ----------
    with_secrets : bool
        Whether tickets that are not revealed are in it.
    """
    colours = {player.seat: player.colour for player in table.players}
    tickets = {
        colours[seat]: tuple(held.ticket for held in hand if held.revealed or with_secrets)
        for seat, hand in table.tickets.items()
        if seat in colours
    }
    stations: dict[str, tuple[str, ...]] = {}
    for place, colour in table.stations.items():
        # Somebody may have come in, built, and then been undone: such a station is nobody's.
        if colour in colours.values():
            stations[colour] = (*stations.get(colour, ()), place)
    return msgspec.structs.replace(
        empty_game(table.started),
        players=tuple(
            GamePlayer(p.colour, p.name, p.shape, p.seat in table.left) for p in table.players
        ),
        claims=table.claims,
        tickets={colour: held for colour, held in tickets.items() if held},
        stations=stations,
        sites=table.sites,
        pins=dict(sorted(table.pins.items())),
        last_turns=_last_turns(table),
        final=table.ended,
    )


def answer_of(table: TableState, *, with_secrets: bool = True) -> GameScore:
    """Return the standing so far, or the final score of a game that has ended.

    Parameters
    ----------
    with_secrets : bool
        Whether tickets that are not revealed count in the final score. The standing counts none.
    """
    said = board_answer(game_of(table, with_secrets=with_secrets), table.board)
    if with_secrets or not unrevealed(table):
        return said
    # Who has shown few tickets may hold more.
    return replace(said, problems=tuple(p for p in said.problems if p.kind != "first_tickets"))


# What the problems of these kinds are about, that name no routes.
HELD: dict[str, Kind] = {"stations": "station", "site_before_station": "site"}


def spots_of_problem(problem: Problem, table: TableState) -> tuple[Spot, ...]:
    """Return what lies on the board that a problem is about, the newest first.

    Whoever puts one of them right may have mended it.
    """
    kind, owned = HELD.get(problem.kind), table.owned
    spots = [Spot("route", route) for route in problem.routes]
    spots += [
        spot for spot, whose in owned.items() if spot.kind == kind and whose in problem.colours
    ]
    held = [spot for spot in spots if spot in owned and spot in table.spots]
    return tuple(sorted(held, key=lambda spot: -table.spots[spot].event))


def unrevealed(table: TableState) -> int:
    """Return how many tickets are still secret."""
    return sum(not held.revealed for hand in table.tickets.values() for held in hand)


def _last_turns(table: TableState) -> LastTurns | None:
    seats = [player.seat for player in table.players]
    colours = [player.colour for player in table.players]
    if table.last_turns_by not in seats:
        return None
    by = seats.index(table.last_turns_by)
    since = 0
    if table.ended:
        since = len(seats)
    elif table.turn in seats:
        since = (seats.index(table.turn) - by - 1) % len(seats)
    return LastTurns(colours[by], min(since, 10))
