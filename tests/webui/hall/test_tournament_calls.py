"""A tournament in the hall: who may change it, whole evenings, restarts, what is refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from halls import HallAtWork, hall, player, report
from phones import Phone
from railspotter.club import Report
from railspotter.club.hall import HallLog, TournamentLog
from railspotter.club.tournament import RoundSeated, parse_fact, seat_round

BASE = "/hall/tournament"
NAMES = ("Ann", "Bob", "Cem", "Dee", "Eva", "Fay", "Gus", "Hal", "Ida")
COLOURS = ("red", "blue", "green", "yellow", "black")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[HallAtWork]:
    with hall(tmp_path) as work:
        yield work


def begun(work: HallAtWork, names: tuple[str, ...] = NAMES) -> Phone:
    """Begin a tournament and return the host."""
    host = work.host()
    assert host.post(BASE, {"name": "Friday"}).status == 200
    assert host.post(f"{BASE}/players", {"lines": "\n".join(names)}).status == 200
    return host


def told(work: HallAtWork) -> Any:
    return work.phone().get(BASE).json["tournament"]


def names_at(held: Any, table: Any) -> list[str]:
    known = {one["id"]: one["name"] for one in held["players"]}
    return [known[one] for one in table["players"]]


def game(id: str, names: list[str], number: int = 1, **more: Any) -> Report:
    """Return a counted game; who is named first has most points."""
    players = tuple(
        player(f"seat-{n}", 100 - 10 * n, name=name, colour=COLOURS[n], place=n + 1)
        for n, name in enumerate(names)
    )
    more = {"phase": "counted", "started_at_s": time.time() + 1, "game": f"{id}-{number}", **more}
    return report(id, number, players=players, leaders=("seat-0",), **more)


def play(work: HallAtWork, round_number: int) -> list[list[str]]:
    """Have each table of a round tell its game; return who plays, the winner first."""
    held = told(work)
    tables = [names_at(held, one) for one in held["rounds"][round_number - 1]["tables"]]
    games = [game(f"h{n}", names, round_number) for n, names in enumerate(tables)]
    work.listener.hear(*games)
    return tables


def test_before_a_tournament_there_is_none(work: HallAtWork) -> None:
    assert work.phone().get(BASE).json == {"tournament": None}
    assert work.phone().get("/hall/state").json["tournament"] == 0
    answer = work.host().post(f"{BASE}/rounds", {"round": 1})
    assert answer.status == 409
    assert answer.json["error"]["message"] == "No tournament has begun here."


def test_a_round_is_seated_played_taken_from_the_tables_and_closed(work: HallAtWork) -> None:
    host = begun(work)
    assert host.post(f"{BASE}/rounds", {"round": 1}).status == 200
    winners = {names[0] for names in play(work, 1)}
    taken = host.post(f"{BASE}/rounds/1/results", {}).json
    assert [one["table"] for one in taken["taken"]] == [1, 2]
    assert taken["missing"] == []
    assert host.post(f"{BASE}/rounds/1/close", {}).status == 200
    held = told(work)
    first = {one["id"]: one["name"] for one in held["players"]}
    best = [first[one["player"]] for one in held["standings"] if one["points"] == "12"]
    assert set(best) == winners
    assert any("before" in one["reason"] for one in held["standings"])
    assert held["rounds"][0]["is_closed"]
    assert work.room.feed.state()["tournament"] == held["facts"]


def test_a_game_counts_for_one_round_only(work: HallAtWork) -> None:
    host = begun(work, NAMES[:4])
    host.post(f"{BASE}/rounds", {"round": 1})
    play(work, 1)
    host.post(f"{BASE}/rounds/1/results", {})
    host.post(f"{BASE}/rounds/1/close", {})
    host.post(f"{BASE}/rounds", {"round": 2})
    again = host.post(f"{BASE}/rounds/2/results", {}).json
    assert again["taken"] == []
    assert again["missing"] == [
        {"table": 1, "why": "table 1: no finished game has these players' names"}
    ]
    refused = host.post(f"{BASE}/rounds/2/results", {"table": 1, "hall_table": "h0"})
    assert refused.status == 400
    assert refused.json["error"]["message"].startswith("That game's result is table 1's of round 1")


def test_a_game_from_before_the_round_is_taken_only_where_the_host_says_so(
    work: HallAtWork,
) -> None:
    host = begun(work, NAMES[:2])
    host.post(f"{BASE}/rounds", {"round": 1})
    work.listener.hear(game("h7", ["Ann", "Robert"], started_at_s=time.time() - 600))
    assert host.post(f"{BASE}/rounds/1/results", {}).json["taken"] == []
    wanted = {"table": 1, "hall_table": "h7"}
    refused = host.post(f"{BASE}/rounds/1/results", wanted)
    assert (refused.status, refused.json["error"]["code"]) == (400, "wrong")
    assert "Robert" in refused.json["error"]["message"]
    taken = host.post(f"{BASE}/rounds/1/results", {**wanted, "seats": {"seat-1": "p2"}})
    assert taken.status == 200
    result = told(work)["rounds"][0]["tables"][0]["result"]
    assert (result["points"], result["game"]) == ({"p1": 100, "p2": 90}, "h7-1")


def test_a_counted_game_is_taken_also_when_the_table_plays_on(work: HallAtWork) -> None:
    host = begun(work, NAMES[:4])
    host.post(f"{BASE}/rounds", {"round": 1})
    (names,) = play(work, 1)
    work.listener.hear(game("h0", names, 2, phase="playing"))
    assert len(host.post(f"{BASE}/rounds/1/results", {}).json["taken"]) == 1


def test_who_comes_late_is_seated_anew_and_who_goes_is_not(work: HallAtWork) -> None:
    host = begun(work, NAMES[:4])
    host.post(f"{BASE}/rounds", {"round": 1})
    host.post(f"{BASE}/players", {"lines": "Zoe; Bern\nYan"})
    assert host.ask("PATCH", f"{BASE}/players/p1", {"is_present": False}).status == 200
    assert host.ask("PATCH", f"{BASE}/players/p2", {"name": "Robert"}).status == 200
    assert host.post(f"{BASE}/rounds", {"round": 1}).status == 200
    held = told(work)
    seated = [one for table in held["rounds"][0]["tables"] for one in names_at(held, table)]
    assert sorted(seated) == ["Cem", "Dee", "Robert", "Yan", "Zoe"]
    assert held["players"][4]["club"] == "Bern"


def test_a_result_is_entered_corrected_and_withdrawn_by_hand(work: HallAtWork) -> None:
    host = begun(work, NAMES[:2])
    host.post(f"{BASE}/rounds", {"round": 1})
    where = f"{BASE}/rounds/1/tables/1"
    assert host.ask("PUT", where, {"points": {"p1": 80, "p2": 90}}).status == 200
    assert host.ask("PUT", where, {"points": {"p1": 95, "p2": 90}}).status == 200
    assert told(work)["standings"][0]["player"] == "p1"
    assert host.ask("PUT", where, {"points": {"p1": 80}}).status == 400
    assert host.ask("DELETE", where, {}).status == 200
    assert told(work)["rounds"][0]["tables"][0]["result"] is None
    assert host.post(f"{BASE}/rounds/1/swap", {"one": "p1", "other": "p2"}).status == 200


def test_each_refusal_has_its_status_and_a_sentence(work: HallAtWork) -> None:
    host = begun(work, NAMES[:2])
    known = told(work)["facts"]
    for method, path, body, status in (
        ("POST", "", {"name": "X", "preferred": 2, "smallest": 3}, 400),
        ("POST", "", {"name": ""}, 400),
        ("POST", "/players", {"lines": "Zoe\nann"}, 409),
        ("POST", "/players", {"lines": " \n"}, 400),
        ("POST", "/players", {"lines": "x" * 81}, 400),
        ("PATCH", "/players/p9", {"name": "Zoe"}, 404),
        ("PATCH", "/players/p1", {"name": "Bob"}, 409),
        ("POST", "/rounds", {"round": 2}, 409),
        ("POST", "/rounds/1/close", {}, 404),
        ("GET", "/csv/secrets", None, 404),
    ):
        answer = host.ask(method, BASE + path, body)
        assert answer.status == status, (path, body, answer.json)
        assert answer.json["error"]["message"].endswith("."), answer.json
    assert told(work)["facts"] == known, "a list is added whole or not at all"
    host.post(f"{BASE}/rounds", {"round": 1})
    assert host.post(f"{BASE}/rounds/1/close", {}).status == 409
    assert host.ask("PUT", f"{BASE}/rounds/1/tables/2", {"points": {}}).status == 404


def test_only_the_host_changes_it_and_everybody_reads(work: HallAtWork) -> None:
    begun(work)
    guest = work.phone()
    for method, path, body in (
        ("POST", "", {"name": "Mine"}),
        ("POST", "/players", {"lines": "Zoe"}),
        ("PATCH", "/players/p1", {"is_present": False}),
        ("POST", "/rounds", {"round": 1}),
        ("POST", "/rounds/1/results", {}),
        ("DELETE", "/rounds/1/tables/1", {}),
    ):
        assert guest.ask(method, BASE + path, body).status == 401
    assert len(told(work)["players"]) == 9
    first = guest.get(BASE)
    assert guest.get(BASE, If_None_Match=first.headers["ETag"]).status == 304


def test_the_sheets_are_csv(work: HallAtWork) -> None:
    host = begun(work, ("=Ann", "Bob"))
    host.post(f"{BASE}/rounds", {"round": 1})
    for sheet, count in (("standings", 3), ("pairings", 3), ("results", 1)):
        answer = work.phone().get(f"{BASE}/csv/{sheet}")
        assert answer.headers["Content-Type"].startswith("text/csv")
        assert len(answer.content.decode().splitlines()) == count
    assert "'=Ann" in work.phone().get(f"{BASE}/csv/pairings").content.decode()


def test_a_restart_in_the_middle_of_a_round_changes_nothing(tmp_path: Path) -> None:
    with hall(tmp_path) as work:
        host = begun(work)
        host.post(f"{BASE}/rounds", {"round": 1})
        tables = play(work, 1)
        held = told(work)
        first = held["rounds"][0]["tables"][0]["players"]
        points = {one: 50 + n for n, one in enumerate(first)}
        host.ask("PUT", f"{BASE}/rounds/1/tables/1", {"points": points})
        before, version = told(work), work.room.tournaments.version
    with hall(tmp_path) as work:
        assert told(work) == before
        assert work.phone().get("/hall/state").json["tournament"] == version
        host = work.host()
        work.listener.hear(game("h1", tables[1]))
        assert [
            one["table"] for one in host.post(f"{BASE}/rounds/1/results", {}).json["taken"]
        ] == [2]
        assert host.post(f"{BASE}/rounds/1/close", {}).status == 200
        host.post(BASE, {"name": "Saturday"})
        assert told(work)["name"] == "Saturday"
        assert work.phone().get("/hall/state").json["tournament"] > version
    with hall(tmp_path) as work:
        assert told(work)["name"] == "Saturday"
    with HallLog(tmp_path / "hall.sqlite") as log, log.lasting() as database:
        facts = database.execute(
            "select fact from tournament_facts where tournament = 1 order by number"
        ).fetchall()
    assert "Friday" in facts[0][0], "the old one stays in the file"


def test_a_seating_can_be_drawn_again_by_its_seed(tmp_path: Path) -> None:
    with hall(tmp_path) as work:
        host = begun(work)
        held = work.room.tournaments.held
        assert held is not None
        host.post(f"{BASE}/rounds", {"round": 1})
    with HallLog(tmp_path / "hall.sqlite") as log, log.lasting() as database:
        ((text,),) = database.execute(
            "select fact from tournament_facts order by number desc limit 1"
        ).fetchall()
    seated = parse_fact(text)
    assert isinstance(seated, RoundSeated)
    assert seated.seed is not None
    assert seat_round(held.tournament, seated.seed) == seated


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    with hall(tmp_path) as work:
        host = begun(work)
        before = told(work)
        with work.log.lasting() as database:
            database.execute(
                "create trigger no before insert on tournament_facts when new.number > 11"
                " begin select raise(abort, 'full'); end"
            )
        refused = host.post(f"{BASE}/players", {"lines": "Yan\nZoe"})
        assert (refused.status, refused.json["error"]["code"]) == (503, "not written")
        assert told(work) == before
        assert TournamentLog(work.log).version == work.room.tournaments.version
