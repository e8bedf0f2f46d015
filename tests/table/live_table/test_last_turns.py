"""Whose turn it is, and what follows from the trains left: the last turns, and who has them."""

from collections.abc import Iterator
from pathlib import Path

import drawn
import numpy as np
import pytest
from at_once import AtOnce
from logged_games import newest_redoable, newest_undoable
from railspotter.cli.terminal.watching import TerminalLog
from railspotter.scoring.answer import answer, parse_game
from railspotter.scoring.edition import load_edition
from railspotter.scoring.game import TicketText, game_text
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GameStarted, LastTurnsBegun, TurnMarked, Undone
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import (
    Player,
    PlayerCameIn,
    PlayerLeft,
    TicketRevealed,
    TicketTaken,
)
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.live_table.commands import Action, AddFacts, Correct, Redo, Undo
from railspotter.table.live_table.course import likely_turn
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard

GREY = np.full((120, 160, 3), 128, np.uint8)
PLAYERS = (Player("ann", "red", "Ann"), Player("bo", "blue", "Bo"))
CLEO = Player("cleo", "black", "Cleo")
TICKETS = {"ann": TicketText("seattle", "new-york"), "bo": TicketText("helena", "los-angeles")}


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    with GameStore(tmp_path).create(GameStarted("usa", PLAYERS), 1.0) as log:
        yield log


@pytest.fixture
def table(log: GameLog) -> LiveTable:
    """A table whose camera is not running: what people say needs none."""
    return LiveTable(log, Grabber(VirtualBoard(lambda t_s: GREY)), drawn.profile(), work=AtOnce())


def told(events: tuple[Event, ...], table: LiveTable) -> str:
    return "\n".join(line for event in events for line in event_lines(event, table.view.game))


def test_tickets_are_secret_until_they_are_revealed(table: LiveTable, log: GameLog) -> None:
    said: list[str] = []
    table.subscribe(lambda view, events: said.append(told(events, table)))
    table.execute(AddFacts([TicketTaken(seat, ticket) for seat, ticket in TICKETS.items()]))
    assert "".join(said) == ""
    table.execute(Action.END)
    assert "New York" not in "".join(said)
    assert "not counted: 1 of Ann's tickets" in "".join(said)
    table.execute(AddFacts([TicketRevealed("ann", TICKETS["ann"])]))
    assert "Ann's ticket: Seattle - New York" in said[-1]


def test_more_people_than_the_box_says_come_in_by_a_house_rule(
    table: LiveTable, log: GameLog
) -> None:
    most = load_edition("usa").players[1]
    for n in range(len(PLAYERS), most + 1):
        table.execute(AddFacts([PlayerCameIn(Player(f"p{n}", f"colour-{n}", f"P{n}"), 0)]))
    assert log.state.table.players[0].name == f"P{most}"
    assert log.state.table.started.house_rules == {"players": [2, most + 1]}
    assert log.state.table.full_score.problems == ()
    table.execute(Undo(newest_undoable(log.state)))
    assert log.state.table.started.house_rules == {}


def test_whose_turn_it_is_is_guessed_from_the_last_claim(table: LiveTable, log: GameLog) -> None:
    assert likely_turn(log.state) == "ann"
    table.execute(
        AddFacts([Placed.on(Spot("route", "helena--seattle"), colour="red", by="camera")])
    )
    assert likely_turn(log.state) == "bo"
    table.execute(AddFacts([TurnMarked("ann")]))
    assert likely_turn(log.state) == "ann"
    table.execute(Undo(newest_undoable(log.state)))
    table.execute(Undo(newest_undoable(log.state)))
    assert likely_turn(log.state) == "ann", "the claim it followed from is taken back"
    seattle = Spot("route", "helena--seattle")
    table.execute(AddFacts([Corrected.on(seattle, now="red")]))
    assert likely_turn(log.state) == "bo", "somebody tapped it: there may be no camera"
    table.execute(AddFacts([Corrected.on(seattle, was="red", now="blue")]))
    assert likely_turn(log.state) == "ann", "whose it is was wrong, not whose turn"


def fill(table: LiveTable, colour: str, trains: int) -> None:
    """Claim free routes until so many trains are laid."""
    board, left = table.view.game.table.board, trains
    taken = table.view.game.table.claims
    for route in board.routes:
        if route.length <= left and route.id not in taken:
            table.execute(
                AddFacts([Placed.on(Spot("route", route.id), colour=colour, by="camera")])
            )
            left -= route.length
    assert left == 0


def test_the_last_turns_come_with_the_trains_and_go_with_the_claim(
    table: LiveTable, log: GameLog
) -> None:
    said: list[str] = []
    table.subscribe(lambda view, events: said.append(told(events, table)))
    fill(table, "red", 42)
    assert log.state.table.last_turns_by is None
    rest = next(r for r in log.state.table.board.routes if r.length == 1 and not taken(log, r.id))
    table.execute(AddFacts([Placed.on(Spot("route", rest.id), colour="red", by="camera")]))
    assert log.state.table.last_turns_by == "ann"
    assert "everyone has one more turn, Ann the last one" in said[-1]
    table.execute(Undo(newest_undoable(log.state)))
    assert rest.id not in log.state.table.claims, "the claim goes, not only what followed from it"
    assert log.state.table.last_turns_by is None
    table.execute(Redo(newest_redoable(log.state)))
    assert log.state.table.last_turns_by == "ann"
    table.execute(Correct(Spot("route", rest.id), None))
    assert log.state.table.last_turns_by is None
    kinds = [type(event.fact) for event in log.state.events]
    assert kinds.count(LastTurnsBegun) == 2
    assert kinds.count(Undone) == 3


def test_the_last_turns_are_by_whose_trains_have_been_low_the_longest(
    table: LiveTable, log: GameLog
) -> None:
    fill(table, "red", 43)
    fill(table, "blue", 43)
    assert log.state.table.last_turns_by == "ann"
    claims = log.state.table.claims
    ann = next(route for route, colour in claims.items() if colour == "red")
    table.execute(Correct(Spot("route", ann), None))
    assert log.state.table.last_turns_by == "bo", "what brought Ann's was no claim"
    table.execute(Undo(newest_undoable(log.state)))
    assert log.state.table.last_turns_by == "ann", "it was one after all, and before Bo's"
    bo = next(route for route, colour in claims.items() if colour == "blue")
    table.execute(Correct(Spot("route", bo), None))
    table.execute(Correct(Spot("route", ann), "red"))
    assert log.state.table.last_turns_by == "ann"
    table.execute(Correct(Spot("route", ann), None))
    assert log.state.table.last_turns_by is None


def test_who_left_has_no_last_turn(table: LiveTable, log: GameLog) -> None:
    table.execute(AddFacts([PlayerCameIn(CLEO)]))
    fill(table, "red", 43)
    waiting = log.state.table.full_score.last_turns
    assert waiting == ("blue", "black", "red")
    table.execute(AddFacts([PlayerLeft("bo")]))
    assert log.state.table.full_score.last_turns == ("black", "red")
    text = game_text(log.state.table.as_game())
    assert answer(parse_game(text)).last_turns == ("black", "red")


def test_a_winner_is_named_when_all_tickets_are_shown(
    table: LiveTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.subscribe(TerminalLog().update)
    table.execute(
        AddFacts([Placed.on(Spot("route", "helena--seattle"), colour="red", by="camera")])
    )
    table.execute(AddFacts([TicketTaken("ann", TICKETS["ann"])]))
    table.execute(AddFacts([TicketTaken("bo", TICKETS["bo"])]))
    table.execute(Action.END)
    said = capsys.readouterr().out
    assert "winner" not in said
    assert "ahead without the tickets that nobody has shown: Ann (red)" in said
    table.execute(AddFacts([TicketRevealed("ann", TICKETS["ann"])]))
    assert "winner" not in capsys.readouterr().out
    table.execute(AddFacts([TicketRevealed("bo", TICKETS["bo"])]))
    assert "winner: Ann (red)" in capsys.readouterr().out


def taken(log: GameLog, route: str) -> bool:
    return route in log.state.table.claims
