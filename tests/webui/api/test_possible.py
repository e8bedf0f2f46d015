"""What a box cannot hold is believed of nobody: joined, confirmed, corrected, imported."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from phones import PLAYERS, Table, table
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.exports import write_bundle
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.commands import AddFacts

# Eight routes of six spaces take 48 trains, two more 59.
LONGEST = [
    route.id
    for route in sorted(load_board("usa").routes, key=lambda one: (-one.length, one.id))
    if route.lane == 0
]
LITTLE, LOT = LONGEST[:8], LONGEST[:10]
A_LITTLE, A_LOT = "red has used 48 trains, of 45", "Red has used 59 trains, of 45, which no single"


def red(routes: list[str]) -> dict[Spot, str]:
    return {Spot("route", route): "red" for route in routes}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as running:
        yield running


def test_the_stock_is_told_before_it_is_confirmed_and_a_lot_too_much_is_not(running: Table) -> None:
    host = running.host()
    running.live.find(red(LOT))
    (told,) = host.state()["table"]["joining_problems"]
    assert told["what"].startswith("red has used 59 trains")
    assert told["is_gross"]
    for body in ({}, {"spots": {f"route:{route}": "red" for route in LOT}}):
        answer = host.post("/joining", body)
        assert answer.refusal == (400, "impossible")
        message = answer.json["error"]["message"]
        assert message.startswith(A_LOT)
        assert message.endswith(", and put right first what is wrong.")
    assert host.state()["spots"] == {}
    said = {f"route:{route}": "red" if route in LITTLE else "blue" for route in LOT}
    assert host.post("/joining", {"spots": said}).status == 200
    assert [problem["what"] for problem in host.state()["problems"]] == [A_LITTLE]


def test_of_what_is_to_be_confirmed_the_least_sure_is_named_first(running: Table) -> None:
    running.live.find(red(LITTLE), sure={Spot("route", LITTLE[5]): 2.0})
    (told,) = running.host().state()["table"]["joining_problems"]
    assert (told["what"], told["is_gross"]) == (A_LITTLE, False)
    assert told["spots"][0] == f"route:{LITTLE[5]}"


def test_an_edition_without_stations_has_none_to_confirm(running: Table) -> None:
    running.live.find(red(LITTLE[:1]))
    said = running.host().post("/joining", {"spots": {"station:chicago": "red"}})
    assert said.refusal == (400, "impossible")


def test_what_people_say_may_be_one_route_too_much_and_no_more(running: Table) -> None:
    ann = running.player("ann")
    assert {ann.correct(route, "red").status for route in LITTLE} == {200}
    (told,) = ann.state()["problems"]
    assert told["what"] == A_LITTLE
    one_more = ann.correct(LONGEST[8], "red")
    assert one_more.refusal == (400, "impossible")
    running.live.ask(Spot("route", LONGEST[8]), "red", None)
    (question,) = ann.state()["questions"]
    answer = {"now": "red"}
    said = ann.post(f"/questions/{question['id']}/answer", answer)
    assert said.refusal == (400, "impossible")
    # The way on: another colour, or one of those that are named; then it is believed.
    assert ann.correct(LITTLE[0], "blue", "red").status == 200
    assert ann.post(f"/questions/{question['id']}/answer", answer).status == 200


def test_a_board_that_is_far_too_full_already_is_put_right_in_steps(running: Table) -> None:
    running.live.execute(
        AddFacts([Placed.on(spot, colour="red", by="camera", sure=0.9) for spot in red(LOT)])
    )
    ann = running.player("ann")
    assert ann.correct(LONGEST[12], "blue").status == 200, "Bob's stock is none of it"
    assert ann.correct(LONGEST[13], "red").refusal == (400, "impossible")
    for route in LOT[:3]:
        assert ann.correct(route, None, "red").status == 200
    assert ann.state()["problems"] == []


def test_the_least_sure_claim_is_named_first(running: Table) -> None:
    sure = [0.97, 0.99, 0.8, *[0.99] * 5]
    placed = zip(red(LITTLE), sure, strict=True)
    running.live.execute(
        AddFacts([Placed.on(spot, colour="red", by="camera", sure=one) for spot, one in placed])
    )
    (told,) = running.joined().state()["problems"]
    routes = [spot.partition(":")[2] for spot in told["spots"]]
    assert routes[:3] == [LITTLE[2], LITTLE[0], LITTLE[7]], "and the newer first"


def bundle(folder: Path, routes: list[str]) -> bytes:
    """Return a game as another computer exports it, in which nobody looked at the stock."""
    claims: list[Fact] = [Placed.on(spot, colour="red", by="camera") for spot in red(routes)]
    with GameStore(folder).create(GameStarted("usa", PLAYERS, name="Away"), 1.0) as log:
        log.append([*claims, GameEnded()], 2.0)
        path = log.path
    return b"".join(write_bundle(path))


def test_a_game_is_taken_in_with_a_doubt_and_no_record_or_not_at_all(
    running: Table, tmp_path: Path
) -> None:
    host = running.host()
    octets = "application/octet-stream"
    refused = host.post("/games", bundle(tmp_path / "a lot", LOT), Content_Type=octets)
    assert refused.refusal == (400, "wrong")
    message = refused.json["error"]["message"]
    assert message.startswith("Nothing was imported: red has used 59 trains, of 45, which no")
    assert message.endswith(", put it right where it was played, and export it again.")
    taken = [
        host.post("/games", bundle(tmp_path / name, routes), Content_Type=octets).json["id"]
        for name, routes in (("little", LITTLE), ("right", LITTLE[:7]))
    ]
    listed = host.get("/games").json
    unsure = {game["id"]: game["is_unsure"] for game in listed["games"]}
    assert [unsure[game] for game in taken] == [True, False]
    (bests,) = listed["bests"]
    assert bests["games"] == 2
    for record in ("most_points", "longest_path", "most_routes"):
        assert bests[record]["game"] == taken[1]
    assert bests["wins"] == 1
