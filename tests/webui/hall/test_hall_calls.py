"""The hall's calls: who may look on, who may have a table pause, and what the stream says."""

import http.client
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from halls import HallAtWork, hall, made_up, many, player, report
from merge_patches import apply_merge_patch
from mosquitto import Mosquitto, mosquitto
from phones import API, Stream, table
from railspotter.club.broker import parse_broker
from railspotter.club.hall.hall import HallTable
from railspotter.club.messages import Command, LastClaim, Status, TableEvent
from railspotter.club.outbox import Outbox
from railspotter.club.publisher import Publisher
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.webui.api.calls import calls_of
from railspotter.webui.hall import calls
from railspotter.webui.hall.hall_session import OLD_S, HallFeed
from waiting import until

ONLINE = Status(table="t1", status="online", commands=("pause", "look_again"))
AWAY = Status(table="t1", status="offline")
GONE = Sentence("the broker {name} cannot be reached: trying again", name="b:1883")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[HallAtWork]:
    with hall(tmp_path) as work:
        yield work


@contextmanager
def streamed(work: HallAtWork, language: str = "en") -> Iterator[Stream]:
    connection = http.client.HTTPConnection("127.0.0.1", work.page.server.port, timeout=20)
    headers = {"Accept-Language": language, "X-Forwarded-For": "192.0.2.7"}  # from anywhere
    connection.request("GET", f"{API}/hall/events", headers=headers)
    response = connection.getresponse()
    try:
        assert response.status == 200
        yield Stream(response, bytearray())
    finally:
        response.close()
        connection.close()


def test_everybody_sees_a_table_as_it_tells(work: HallAtWork) -> None:
    more = (player("bob", 3, colour="blue", place=2), player("ann"))
    work.listener.hear(ONLINE, report(players=more, help=("question",), questions=2))
    state = work.phone().get("/hall/state").json
    (table,) = state["tables"].values()
    assert (table["id"], table["name"], table["is_online"]) == ("t1", "Table 1", True)
    assert [one["seat"] for one in table["players"]] == ["ann", "bob"], "by points"
    assert (table["help"], table["questions"], table["leaders"]) == (["question"], 2, ["ann"])
    assert table["commands"] == ["pause", "look_again"]
    assert (state["trouble"], state["you"]["is_host"]) == (None, False)


@pytest.mark.parametrize(
    ("board", "kind", "about", "what", "shown"),
    [
        (
            "usa",
            "route",
            "portland--seattle--0",
            "Portland - Seattle (first lane)",
            "Portland \N{EN DASH} Seattle",
        ),
        ("europe", "station", "roma", "the station at Roma", "Roma"),
        ("ours", "station", "muellheim", "the station at Müllheim", "the station at Müllheim"),
    ],
)
def test_the_last_claim_is_named_in_no_language_where_its_board_is_known(
    work: HallAtWork, board: str, kind: Any, about: str, what: str, shown: str
) -> None:
    claim = LastClaim(seat="ann", colour="red", kind=kind, about=about, what=what, at_s=1.0)
    work.listener.hear(ONLINE, report(board=board, last_claim=claim))
    (table,) = work.phone().get("/hall/state").json["tables"].values()
    assert table["last_claim"]["what"] == shown


def test_the_state_has_a_tag(work: HallAtWork) -> None:
    first = work.phone().get("/hall/state")
    again = work.phone().get("/hall/state", If_None_Match=first.headers["ETag"])
    assert again.status == 304
    work.listener.hear(ONLINE)
    assert work.phone().get("/hall/state", If_None_Match=first.headers["ETag"]).status == 200


def test_a_change_is_told_of_the_changed_table_alone(work: HallAtWork) -> None:
    many(work, 30)
    with streamed(work) as stream:
        name, _, state = stream.next()
        assert name == "state"
        work.listener.hear(Status(table="t7", status="offline"), trouble=GONE)
        name, number, change = stream.next("change")
        assert list(change["tables"]) == ["t7"]
        assert set(change["tables"]["t7"]) == {"is_online", "away_since_s", "commands"}
        assert change["trouble"] == "the broker b:1883 cannot be reached: trying again"
    now = work.session.feed.state()
    assert int(number) == now["number"] == state["number"] + 1
    whole = work.phone().get("/hall/state").json
    del whole["you"]
    assert apply_merge_patch(state, change) == whole


def test_trouble_is_said_in_the_language_of_who_listens(work: HallAtWork) -> None:
    with streamed(work, "de") as stream:
        stream.next("state")
        work.listener.hear(trouble=GONE)
        change = stream.next("change")[2]
        assert change["trouble"].startswith("der Broker b:1883 ist nicht zu erreichen")
        work.listener.hear()
        assert stream.next("change")[2]["trouble"] is None


def test_what_says_nothing_new_is_told_nobody(work: HallAtWork) -> None:
    work.listener.hear(ONLINE, report())
    number = work.session.feed.number
    work.listener.hear(ONLINE)
    paused = {"kind": "game_paused"}
    work.listener.hear(
        TableEvent(table="t1", game="g", number=1, at_s=1.0, kind="game_paused", fact=paused)
    )
    assert work.session.feed.number == number


def test_a_table_that_goes_away_says_since_when(work: HallAtWork) -> None:
    work.listener.hear(ONLINE, report())
    before_s = time.time()
    work.listener.hear(AWAY)
    since_s = work.session.feed.tables["t1"]["away_since_s"]
    assert before_s <= since_s <= time.time()
    work.listener.hear(AWAY, report(number=2))
    assert work.session.feed.tables["t1"]["away_since_s"] == since_s
    work.listener.hear(ONLINE)
    assert work.session.feed.tables["t1"]["away_since_s"] is None


def test_tables_of_another_evening_are_not_shown_until_they_are_back(work: HallAtWork) -> None:
    old = report("t2", at_s=time.time() - OLD_S - 60)
    work.listener.hear(Status(table="t2", status="offline"), old)
    assert "t2" not in work.session.feed.tables
    work.listener.hear(Status(table="t2", status="online"))
    assert "t2" in work.session.feed.tables


def test_a_sheet_has_the_newest_events_with_the_places_as_printed(work: HallAtWork) -> None:
    facts: list[tuple[str, dict[str, Any]]] = [
        ("game_paused", {}),
        ("route_claimed", {"route": "el-paso--santa-fe", "colour": "red", "by": "camera"}),
        ("of_a_later_program", {"name": ["no", "text"], "seat": "x" * 500}),
    ]
    events = [
        TableEvent(
            table="t1", game="g", number=1 + i, at_s=10.0, kind=kind, fact={"kind": kind, **fact}
        )
        for i, (kind, fact) in enumerate(facts)
    ]
    work.log.write([], events)
    work.listener.hear(ONLINE, report(events=3))
    told = work.phone().get("/hall/tables/t1").json
    assert told["table"] == work.session.feed.tables["t1"]
    assert [one["number"] for one in told["events"]] == [1, 2, 3]
    assert told["events"][1]["what"] == "El Paso \N{EN DASH} Santa Fe"
    assert told["events"][1]["colour"] == "red"
    assert (told["events"][2]["name"], len(told["events"][2]["seat"])) == (None, 200)


def test_a_board_that_is_named_as_a_file_is_not_opened(work: HallAtWork) -> None:
    fact = {"kind": "route_claimed", "route": "a-b--c", "colour": "red", "by": "camera"}
    work.log.write(
        [], [TableEvent(table="t1", game="g", number=1, at_s=1.0, kind="route_claimed", fact=fact)]
    )
    work.listener.hear(ONLINE, report(board="../../etc/passwd.json", events=1))
    (event,) = work.phone().get("/hall/tables/t1").json["events"]
    assert event["what"] == "A B \N{EN DASH} C"


def test_the_host_has_a_table_pause(work: HallAtWork) -> None:
    work.listener.hear(ONLINE, report())
    path, body = "/hall/tables/t1/commands", {"command": "pause"}
    host = work.host()
    assert host.get("/you").json["is_host"]
    assert host.post(path, body).json == {"table": "t1", "command": "pause"}
    assert work.listener.told == [("t1", Command(command="pause"))]


@pytest.mark.parametrize(
    ("table", "command", "status", "code"),
    [
        ("t1", "resume", 409, "not let"),
        ("t9", "pause", 404, "unknown"),
        ("t1", "resend", 400, "wrong"),
        ("t2", "pause", 409, "away"),
    ],
)
def test_a_command_that_cannot_be_is_refused_in_a_sentence(
    work: HallAtWork, table: str, command: str, status: int, code: str
) -> None:
    work.listener.hear(ONLINE, report(), Status(table="t2", status="offline"), report("t2"))
    answer = work.host().post(f"/hall/tables/{table}/commands", {"command": command})
    assert answer.refusal == (status, code)
    assert answer.json["error"]["message"]
    assert work.listener.told == []


def test_without_a_broker_a_command_is_refused(work: HallAtWork) -> None:
    work.listener.hear(ONLINE, report())
    work.listener.is_connected = False
    answer = work.host().post("/hall/tables/t1/commands", {"command": "pause"})
    assert answer.refusal == (503, "no broker")


def test_what_was_not_believed_is_the_hosts_to_see(work: HallAtWork) -> None:
    work.listener.hear(ONLINE, report())
    forged = msgspec.json.encode(report())
    work.listener.hear_raw(
        ("club/v1/tables/t1/report", b"{}"),
        ("club/v1/tables/t1/report", b"{"),
        ("club/v1/tables/t2/report", forged),
        ("club/elsewhere", b"{}"),
    )
    told = work.host().get("/hall/ignored").json
    assert told["count"] == 4
    assert told["kinds"][0] == {"why": "schema", "count": 2}
    assert told["tables"] == [{"table": "t1", "name": "Table 1", "count": 2}]


def test_the_host_gets_the_counted_games_as_csv(work: HallAtWork) -> None:
    players = (
        player("ann", 90, place=2),
        player("bob", 101, place=1, name="=Bob", longest_path=20, holds_longest=True),
        player("cem", 101, place=1, is_winner=True),
    )
    games = [
        report("t1", 1, phase="counted", players=players, started_at_s=3600.0, game="g1"),
        report("t1", 2, game="g2"),
        report("t2"),
    ]
    for one in games:
        work.listener.hear(one)
        work.log.write([work.listener.hall.tables[one.table]], [])
    answer = work.host().get("/hall/results")
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="results.csv"'
    assert answer.content.decode().splitlines() == [
        "table,board,game,started,player,"
        "place,points,is_winner,route_points,longest_path,holds_longest,trains_left",
        "t1,usa,g1,1970-01-01T01:00:00+00:00,Cem,1,101,1,101,4,0,40",
        "t1,usa,g1,1970-01-01T01:00:00+00:00,'=Bob,1,101,0,101,20,1,40",
        "t1,usa,g1,1970-01-01T01:00:00+00:00,Ann,2,90,0,90,4,0,40",
    ]


def test_the_gate_is_the_other_pages_own(work: HallAtWork) -> None:
    work.listener.hear(ONLINE, report())
    host, path = work.host(), "/hall/tables/t1/commands"
    elsewhere = host.post(path, {"command": "pause"}, Origin="http://evil.example")
    assert elsewhere.status == 403
    assert host.get("/hall/state", Host="evil.example").status == 421
    assert host.get("/state").status == 404, "no table is here"
    assert host.get("/games").status == 404
    answer = host.get("/hall/state")
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    many(work, 20)
    assert host.get("/hall/state", Accept_Encoding="gzip").headers["Content-Encoding"] == "gzip"


def test_the_calls_are_described(work: HallAtWork) -> None:
    told = work.phone().get("/openapi.json").json["paths"]
    assert set(told) == {"/you", "/join", *(call.path for call in calls_of(calls))}


def test_a_change_costs_little_however_many_tables_there_are() -> None:
    luck, feed = Random(1), HallFeed()
    told = [made_up(number, luck) for number in range(1000)]
    tables = [HallTable(known.table, known, status) for status, known in told]
    feed.take(tables, NOTHING)
    began_s, number = time.process_time(), feed.number
    for one, (_, known) in zip(tables[:40], told, strict=False):
        changed = replace(one, report=msgspec.structs.replace(known, events=7))
        feed.take([changed], NOTHING)
    assert feed.number == number + 40
    assert (time.process_time() - began_s) / 40 < 0.05, "seconds for each, some ten times as many"
    feed.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker") as broker:
        yield broker


def test_a_table_is_told_to_pause_by_the_broker(broker: Mosquitto, tmp_path: Path) -> None:
    address = parse_broker(broker.url)
    with (
        table(tmp_path / "table") as running,
        Outbox(tmp_path / "outbox.sqlite") as outbox,
        Publisher(address, outbox, table="t1", name="Table 1", lets_command=True) as publisher,
        hall(tmp_path / "hall", broker.url) as work,
    ):
        publisher.follow(running.live)
        until(lambda: work.session.feed.tables.get("t1", {}).get("phase") == "playing")
        answer = work.host().post("/hall/tables/t1/commands", {"command": "pause"})
        assert answer.status == 200
        until(lambda: work.session.feed.tables["t1"]["phase"] == "paused")
        until(lambda: len(work.phone().get("/hall/tables/t1").json["events"]) == 2)
