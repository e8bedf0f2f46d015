"""Of each rulebook of boards a whole game: phones and computers over HTTP, killed in the middle.

The last score is compared with one that shares no code with the program.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from board_phones import turn, way
from examples import every_run
from killable import KillableTable
from phones import Phone
from score_oracle import Score, board_score
from served_play import free_port
from waiting import until

MOVES_BEFORE = 24  # that phones make before the program is killed


@contextmanager
def ends_killed(program: KillableTable) -> Iterator[None]:
    try:
        yield
    finally:
        program.kill()


def killed(program: KillableTable, phones: list[Phone]) -> None:
    """Kill a program while everybody knows what they hold; they do so after it."""
    host, used, word = Phone(program.port).join(program.host), program.host, program.join
    held, number = [phone.get("/cards").json for phone in phones], host.state()["number"]
    program.kill()
    program.begin()
    assert [phone.get("/cards").json for phone in phones] == held
    assert host.get("/you").json["is_host"]
    assert host.state()["number"] > number
    with host.stream(last_id=str(number)) as stream:
        assert stream.next()[0] == "state"
    assert Phone(program.port).post("/join", {"token": used}).status == 403, "a link works once"
    assert program.join == word


@pytest.mark.parametrize(
    "edition", every_run("philly", ("usa-accessible", "usa-10th", "newyork", "philly"))
)
def test_a_board_game_ends_with_the_score_that_an_oracle_counts(
    tmp_path: Path, edition: str
) -> None:
    program = KillableTable(tmp_path, edition, free_port())
    with ends_killed(program):
        phones = [Phone(program.port).join(program.join) for _ in range(2)]
        for phone, seat in zip(phones, ("ann", "bob"), strict=True):
            assert phone.post("/seat", {"seat": seat}).status == 200
        board = phones[0].get("/board").json
        made = 0
        while (mover := whose_move(phones)) is not None:
            turn(mover, mover.get("/cards").json, saved_for(mover, board))
            made += 1
            if made == MOVES_BEFORE and whose_move(phones) is not None:
                killed(program, phones)
        assert made > MOVES_BEFORE
        for phone in phones:
            assert phone.post("/hand/reveal", {}).status == 200
        state, game = (phones[0].get(path).json for path in ("/state", "/export/game"))
    assert game["final"]
    assert game["edition"] == edition
    assert len(game["tickets"]) == 3
    points = {one["colour"]: one["points"] for one in state["players"]}
    winners = {one["colour"] for one in state["players"] if one["is_winner"]}
    assert Score(points, winners) == board_score(game, board)
    assert bool(game.get("sites")) == (edition == "philly")


def saved_for(phone: Phone, board: dict[str, Any]) -> list[str]:
    """The free spots that somebody wants: sites, and what the own tickets need."""
    spots = phone.get("/state").json["spots"]
    needed = [f"site:{one['id']}" for one in board["sites"]]
    for ticket in phone.get("/hand").json["tickets"]:
        needed += way(board, ticket["a"], ticket["b"])
    return [spot for spot in needed if spot not in spots]


def whose_move(phones: list[Phone]) -> Phone | None:
    """Whose move it is, once no computer moves; None when the game is over."""
    found: list[Phone | None] = []

    def is_known() -> bool:
        state = phones[0].get("/state").json
        for spot in state["cards"]["to_lay"]:  # a computer claimed it, and people lay it
            kind, _, name = spot["spot"].partition(":")
            phones[0].post("/cards/laid", {"kind": kind, "about": name})
        if state["game"]["ended"]:
            found.append(None)
        for phone in phones:
            cards = phone.get("/cards").json
            if cards["is_turn"] or cards["offered"]:
                found.append(phone)
        return bool(found)

    until(is_known)
    return found[0]
