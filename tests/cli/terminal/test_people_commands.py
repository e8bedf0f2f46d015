"""Words about people, who plays, tickets, markers; what follows from the trains left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import drawn
import numpy as np
import pytest
from at_once import AtOnce
from railspotter.cli.terminal.event_text import event_lines
from railspotter.cli.terminal.play_commands import run_command
from railspotter.cli.terminal.terminal_table import TerminalLog
from railspotter.scoring import Spot, game_text, load_edition
from railspotter.scoring.answer import answer, parse_game
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import TableError
from railspotter.table.game_log import (
    Event,
    GameLog,
    GameStarted,
    GameStore,
    LastTurnsBegun,
    Placed,
    Player,
    Undone,
    answer_of,
    game_of,
)
from railspotter.table.live_table import LiveTable, likely_turn
from railspotter.table.live_table.marker_check import check_marker
from railspotter.vision.readings import Doubt
from railspotter.vision.sources import Grabber, VirtualBoard

GREY = np.full((120, 160, 3), 128, np.uint8)
PLAYERS = (Player("ann", "red", "Ann"), Player("bo", "blue", "Bo"))


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
    assert run_command("ticket ann Seattle - New York", table) == "Ann has 1 ticket"
    assert run_command("ticket ann helena los angeles", table) == "Ann has 2 tickets"
    assert run_command("tickets Ann", table) == "Seattle - New York\nHelena - Los Angeles"
    run_command("drop red los-angeles to helena", table)
    assert "Seattle" not in "".join(said)
    run_command("end", table)
    final = run_command("scores", table)
    assert "New York" not in final
    assert "1 of Ann's tickets ('reveal ann')" in final
    run_command("reveal all", table)
    assert "Ann's ticket: Seattle - New York" in "".join(said)
    assert "-22" in run_command("scores", table)
    with pytest.raises(TableError, match="no ticket to reveal"):
        run_command("reveal all", table)


def test_who_plays_is_mended_by_words(table: LiveTable, log: GameLog) -> None:
    for line in ("rename ann Anna Maria", "swap anna bo", "colour bo green", "come Cleo:black 1"):
        if line.startswith("swap"):
            with pytest.raises(
                TableError, match=r"nobody is called 'anna'; there are Anna Maria, Bo"
            ):
                run_command(line, table)
            line = "swap ann bo"  # the seat stays what it was
        run_command(line, table)
    players = [(p.seat, p.name, p.colour) for p in log.state.table.players]
    assert players == [
        ("cleo", "Cleo", "black"),
        ("bo", "Bo", "green"),
        ("ann", "Anna Maria", "blue"),
    ]
    run_command("leave cleo", table)
    assert log.state.table.left == {"cleo"}
    run_command("come cleo", table)
    assert log.state.table.left == frozenset()
    run_command("name Friday night", table)
    assert log.state.table.name == "Friday night"
    with pytest.raises(TableError, match="say the colour too"):
        run_command("come Dan", table)


def test_more_people_than_the_box_says_come_where_somebody_says_so(
    table: LiveTable, log: GameLog
) -> None:
    most = load_edition("usa").players[1]
    for n in range(len(log.state.table.players), most):
        run_command(f"come P{n}:colour-{n}", table)
    with pytest.raises(TableError, match=r"2 to 5 people play .*, not 6; 'come Zoe:white 1 any"):
        run_command("come Zoe:white 1", table)
    run_command("come Zoe:white 1 any-number", table)
    assert log.state.table.players[0].name == "Zoe"
    assert log.state.table.started.house_rules == {"players": [2, 6]}
    assert answer_of(log.state.table).problems == ()
    run_command("leave zoe", table)
    run_command("come zoe", table)  # who comes back is no more than before
    run_command("undo", table)
    run_command("undo", table)
    run_command("undo", table)
    assert log.state.table.started.house_rules == {}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ticket cleo seattle new-york", "nobody is called 'cleo'"),
        ("ticket ann seattle gotham", "no two places"),
        ("ticket ann seattle helena", "ticket"),
        ("drop ann seattle new-york", "does not have"),
        ("marker ann many", "is not understood"),
        ("colour ann blue", "another player's"),
        ("come bo", "plays already"),
        ("pin helena--seattle 7", "0 to 5"),
    ],
)
def test_words_about_nobody_and_nothing_are_answered(
    table: LiveTable, log: GameLog, line: str, reason: str
) -> None:
    with pytest.raises(TableError, match=reason):
        run_command(line, table)
    assert len(log.state.events) == 1


def test_whose_turn_it_is_is_guessed_from_the_last_claim(table: LiveTable, log: GameLog) -> None:
    assert likely_turn(log.state) == "ann"
    table.write([Placed(Spot("route", "helena--seattle"), colour="red", by="camera")])
    assert likely_turn(log.state) == "bo"
    assert "probably Bo's turn" in run_command("scores", table)
    run_command("turn ann", table)
    assert likely_turn(log.state) == "ann"
    run_command("undo", table)
    run_command("undo", table)
    assert likely_turn(log.state) == "ann", "the claim it followed from is taken back"


def test_nobody_else_takes_back_what_a_player_took(table: LiveTable, log: GameLog) -> None:
    table.write([Placed(Spot("route", "helena--seattle"), colour="red", by="camera")])
    run_command("ticket ann seattle new-york", table)
    run_command("undo", table)
    assert log.state.table.claims == {}
    assert len(log.state.table.tickets["ann"]) == 1
    with pytest.raises(TableError, match="nothing to undo"):
        run_command("undo", table)


def fill(table: LiveTable, colour: str, trains: int) -> None:
    """Claim free routes until so many trains are laid."""
    board, left = table.view.game.table.board, trains
    taken = table.view.game.table.claims
    for route in board.routes:
        if route.length <= left and route.id not in taken:
            table.write([Placed(Spot("route", route.id), colour=colour, by="camera")])
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
    table.write([Placed(Spot("route", rest.id), colour="red", by="camera")])
    assert log.state.table.last_turns_by == "ann"
    assert "everyone has one more turn, Ann the last one" in said[-1]
    run_command("undo", table)
    assert rest.id not in log.state.table.claims, "the claim goes, not only what followed from it"
    assert log.state.table.last_turns_by is None
    run_command("redo", table)
    assert log.state.table.last_turns_by == "ann"
    run_command(f"set {rest.id} free", table)
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
    run_command(f"set {ann} free", table)
    assert log.state.table.last_turns_by == "bo", "what brought Ann's was no claim"
    run_command("undo", table)
    assert log.state.table.last_turns_by == "ann", "it was one after all, and before Bo's"
    bo = next(route for route, colour in claims.items() if colour == "blue")
    run_command(f"set {bo} free", table)
    run_command(f"set {ann} red", table)
    assert log.state.table.last_turns_by == "ann"
    run_command(f"set {ann} free", table)
    assert log.state.table.last_turns_by is None


def test_who_left_has_no_last_turn(table: LiveTable, log: GameLog) -> None:
    run_command("come Cleo:black", table)
    fill(table, "red", 43)
    assert answer_of(log.state.table).last_turns == ("blue", "black", "red")
    run_command("leave bo", table)
    assert answer_of(log.state.table).last_turns == ("black", "red")
    text = game_text(game_of(log.state.table))
    assert answer(parse_game(text)).last_turns == ("black", "red")


def test_a_winner_is_named_when_all_tickets_are_shown(
    table: LiveTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.subscribe(TerminalLog().update)
    table.write([Placed(Spot("route", "helena--seattle"), colour="red", by="camera")])
    run_command("ticket ann seattle new-york", table)
    run_command("ticket bo helena los-angeles", table)
    run_command("end", table)
    said = capsys.readouterr().out
    assert "winner" not in said
    assert "ahead without the tickets that nobody has shown: Ann (red)" in said
    run_command("reveal ann", table)
    assert "winner" not in capsys.readouterr().out
    run_command("reveal bo", table)
    assert "winner: Ann (red)" in capsys.readouterr().out


def taken(log: GameLog, route: str) -> bool:
    return route in log.state.table.claims


def test_a_marker_that_lags_is_told_with_what_may_explain_it(table: LiveTable) -> None:
    for route in ("helena--seattle", "duluth--helena"):  # six trains each
        table.write([Placed(Spot("route", route), colour="red", by="camera", sure=0.99)])
    table.write([Placed(Spot("route", "atlanta--miami"), colour="red", by="camera", sure=0.7)])
    assert "they agree" in run_command("marker ann 40", table)
    reply = run_command("marker ann 30", table)
    assert "the marker says 30, the trains say 40, 10 more" in reply
    assert "Atlanta - Miami" in reply
    both = run_command("marker ann 10", table)
    assert "Helena - Seattle and Duluth - Helena" in both or "Duluth - Helena and" in both


def test_a_marker_that_is_ahead_points_at_what_was_not_seen(table: LiveTable, log: GameLog) -> None:
    table.write([Placed(Spot("route", "atlanta--miami"), colour="blue", by="camera", sure=0.7)])
    check = check_marker(log.state, "red", 10)
    assert check.difference == 10
    assert check.explanations == ((Spot("route", "atlanta--miami"),),)
    doubt = Doubt(Spot("route", "el-paso--houston"), "red", (None,), Sentence(""))
    open_ = check_marker(log.state, "red", 15, [doubt])
    assert open_.explanations[0] == (Spot("route", "el-paso--houston"),)

    assert "Atlanta - Miami" in run_command("marker ann 10", table)


def test_a_marker_that_went_round_is_not_behind(log: GameLog) -> None:
    for seq, route in enumerate(r for r in log.state.table.board.routes if r.length == 6):
        if seq < 7:
            claim = Placed(Spot("route", route.id), colour="blue", by="camera")
            log.append([claim], 2.0 + seq)
    assert check_marker(log.state, "blue", 5).difference == 0
