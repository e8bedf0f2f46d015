"""What a hall knows of its tables: all of it once, whatever comes twice, late, never or forged."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from halls import player
from halls import report as made_report
from hypothesis import given
from hypothesis import strategies as st
from mosquitto import Listener, Mosquitto, has_sent_all
from phones import Table
from railspotter.club import broker as broker_module
from railspotter.club.broker import parse_broker
from railspotter.club.hall import hall as hall_module
from railspotter.club.hall import listening
from railspotter.club.hall.hall import MOST_GAMES, Hall, HallTable, Ignored, ReceivedEvents
from railspotter.club.hall.hall_log import HallLog
from railspotter.club.hall.listening import HallListener
from railspotter.club.messages import MOST_BYTES, Report, Status, TableEvent, topic
from railspotter.club.outbox import Outbox
from railspotter.club.publisher import Publisher
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.budgets import MOST_EVENTS
from railspotter.table.game_log.course_facts import GameEnded, PointsCounted, TurnMarked
from railspotter.table.live_table.commands import AddFacts
from waiting import until

PREFIX = "club"
ANN = player("ann")


def report(number: int = 1, **more: Any) -> Report:
    told: dict[str, Any] = {"number": number, "at_s": 10.0, "started_at_s": 1.0, "players": (ANN,)}
    return made_report(**told | more)


def event(number: int, **more: object) -> TableEvent:
    fact = {"kind": "turn_marked", "seat": "ann"}
    told = TableEvent(table="t1", game="g", number=number, at_s=2.0, kind="turn_marked", fact=fact)
    return msgspec.structs.replace(told, **more)


def without(message: object, *, field: str) -> bytes:
    """Return an event's JSON, whose fact lacks a field."""
    content = msgspec.to_builtins(message)
    del content["fact"][field]
    return msgspec.json.encode(content)


def told(hall: Hall, kind: str, message: object, table: str = "t1") -> object:
    return hall.receive(topic(PREFIX, table, kind), msgspec.json.encode(message))


@given(st.lists(st.integers(1, 30), max_size=60))
def test_every_event_is_told_once_in_whatever_order_it_comes(numbers: list[int]) -> None:
    hall = Hall(PREFIX)
    told(hall, "report", report(events=30))
    new = [
        one
        for one in numbers
        if hall.receive(topic(PREFIX, "t1", "events"), msgspec.json.encode(event(one))).event
        is not None
    ]
    assert new == list(dict.fromkeys(numbers))
    missing = hall.tables["t1"].missing
    lost = sorted(set(range(1, 31)) - set(numbers))
    assert (missing is None) == (not lost)
    if missing is not None and missing.first and missing.last:
        assert missing.first == lost[0]
        assert set(range(missing.first, missing.last + 1)) <= set(lost)


def test_an_old_report_changes_nothing_until_the_table_begins_anew() -> None:
    hall = Hall(PREFIX)
    told(hall, "report", report(7, events=3))
    told(hall, "report", report(6, events=1))
    assert hall.tables["t1"].report == report(7, events=3)
    assert hall.ignored == {Ignored.OLD: 1}
    assert hall.ignored_of == {"t1": 1}
    told(hall, "report", report(7, events=3))  # kept by the broker, and told again
    assert hall.ignored.total() == 1
    told(hall, "status", Status(table="t1", status="online"))
    told(hall, "report", report(1))  # a table with a new disk
    assert hall.tables["t1"].report == report(1)


@pytest.mark.parametrize(
    ("where", "payload", "why"),
    [
        ("club/v1/tables/t1/report", b"{}", Ignored.SCHEMA),
        ("club/v1/tables/t1/report", b"\xff\xfe", Ignored.SCHEMA),
        ("club/v1/tables/t1/status", b'{"table":"\xff","status":"online"}', Ignored.SCHEMA),
        ("club/v1/tables/t1/events", b"[" * 60_000, Ignored.SCHEMA),
        ("club/v1/tables/t1/report", b" " * MOST_BYTES, Ignored.SCHEMA),
        ("club/v1/tables/t1/report", b" " * (MOST_BYTES + 1), Ignored.LENGTH),
        ("club/v1/tables/t2/report", msgspec.json.encode(report()), Ignored.OTHER),
        ("club/v1/tables/t1/scores", b"{}", Ignored.TOPIC),
        ("other/v1/tables/t1/report", msgspec.json.encode(report()), Ignored.TOPIC),
        (
            "club/v1/tables/t1/report",
            msgspec.json.encode(report(9)).replace(b'"points":7', b'"points":"many"'),
            Ignored.SCHEMA,
        ),
    ],
)
def test_what_is_not_to_be_believed_is_counted(where: str, payload: bytes, why: Ignored) -> None:
    hall = Hall(PREFIX)
    told(hall, "report", report())
    before = dict(hall.tables)
    assert hall.receive(where, payload) == hall_module.MessageEffect()
    assert hall.ignored == {why: 1}
    assert hall.tables == before


CLAIMED = {"kind": "route_claimed", "route": "denver--helena", "colour": "red", "by": "camera"}


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("report", msgspec.json.encode(report(9, at_s=1e308))),
        ("report", msgspec.json.encode(report(9, started_at_s=-5.0))),
        ("report", msgspec.json.encode(report(9, players=(ANN,) * 13))),
        (
            "report",
            msgspec.json.encode(report(9)).replace(b'"points":7', b'"points":1' + b"0" * 99),
        ),
        ("events", msgspec.json.encode(event(1, at_s=4e12))),
        ("events", without(event(1, kind="route_claimed", fact=CLAIMED), field="route")),
        ("events", without(event(1, kind="route_claimed", fact=CLAIMED), field="colour")),
        ("events", msgspec.json.encode(event(1, fact=CLAIMED))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_page_could_show_is_not_believed(kind: str, payload: bytes) -> None:
    hall = Hall(PREFIX)
    told(hall, "report", report())
    hall.receive(topic(PREFIX, "t1", kind), payload)
    assert hall.ignored == {Ignored.SCHEMA: 1}


def test_a_later_programs_kinds_and_fields_are_believed() -> None:
    hall = Hall(PREFIX)
    later = event(1, kind="route_claimed", fact={**CLAIMED, "because": "it shone"})
    assert told_event(hall, later)
    assert told_event(hall, event(2, kind="dice_thrown", fact={"kind": "dice_thrown"}))


def told_event(hall: Hall, event: TableEvent) -> bool:
    taken = hall.receive(topic(PREFIX, event.table, "events"), msgspec.json.encode(event))
    return taken.event is not None


def calls(work: Callable[[], object]) -> int:
    """Return how many calls of functions, and steps of generators, something takes."""
    count = 0

    def called(frame: object, what: str, of: object) -> None:
        nonlocal count
        count += what.endswith("call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def with_gaps(count: int) -> list[TableEvent]:
    return [event(2 * number) for number in range(1, count + 1)]


def test_numbers_with_gaps_cost_what_others_cost(tmp_path: Path) -> None:
    def heard(count: int) -> int:
        hall = Hall(PREFIX)
        told(hall, "report", report())
        return calls(lambda: [told_event(hall, one) for one in with_gaps(count)])

    def missed(count: int) -> int:
        hall = Hall(PREFIX)
        told(hall, "report", report())
        assert all(told_event(hall, one) for one in with_gaps(count))
        return calls(lambda: hall.tables["t1"].missing)

    def known_again(count: int) -> int:
        with HallLog(tmp_path / f"{count}.sqlite") as log:
            log.write([HallTable("t1", report())], with_gaps(count))
            return calls(log.tables)

    assert heard(2000) < 2.2 * heard(1000)
    assert missed(2000) == missed(1000)
    assert known_again(2000) < 2.2 * known_again(1000)


def test_no_table_has_a_hall_keep_more_than_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(msgspec.json.encode(event(1)))
    monkeypatch.setattr(hall_module, "MOST_TABLE_BYTES", 3 * size + size // 2)
    hall = Hall(PREFIX)
    told(hall, "report", report())
    assert [told_event(hall, event(number)) for number in (1, 2, 3, 4)] == [True] * 3 + [False]
    assert not told_event(hall, event(MOST_EVENTS + 1))
    assert hall.ignored == {Ignored.ROOM: 2}
    told(hall, "report", report(2, game="h"))  # the next game takes the place of the one before
    taken = hall.receive(topic(PREFIX, "t1", "events"), msgspec.json.encode(event(1, game="h")))
    assert taken.forgotten == ("g",)
    assert list(hall.tables["t1"].heard) == ["h"]
    with HallLog(tmp_path / "hall.sqlite") as log:
        log.write([], [event(1), event(2)])
        log.write([hall.tables["t1"]], [event(1, game="h")], [("t1", "g")])
        assert log.events("t1", "g") == []
        (known,) = log.tables()
        assert known.heard["h"].upto == 1


def test_a_hall_keeps_a_tables_last_games_and_the_one_it_plays() -> None:
    hall = Hall(PREFIX)
    told(hall, "report", report(game="first"))
    games = ["first", *(f"g{number}" for number in range(20))]
    assert all(told_event(hall, event(1, game=game)) for game in games)
    assert set(hall.tables["t1"].heard) == {"first", *games[-(MOST_GAMES - 1) :]}


def test_all_tables_together_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(msgspec.json.encode(event(1)))
    monkeypatch.setattr(hall_module, "MOST_HALL_BYTES", 10 * size)
    hall = Hall(PREFIX)
    told_by = [sum(told_event(hall, event(n, table=f"t{t}")) for n in (1, 2, 3)) for t in range(6)]
    assert told_by == [3, 3, 3, 1, 0, 0]


def test_the_log_knows_everything_again(tmp_path: Path) -> None:
    heard = ReceivedEvents().with_number(1, 99).with_number(2, 99).with_number(4, 99)
    before = HallTable("t1", report(3), Status(table="t1", status="online"), {"g": heard})
    with HallLog(tmp_path / "hall.sqlite") as log:
        log.write([before], [event(number) for number in (1, 2, 4)])
    with HallLog(tmp_path / "hall.sqlite") as log:
        (known,) = log.tables()
        assert (known.report, known.is_online) == (report(3), False)
        assert known.heard["g"].numbers == heard.numbers
        assert [one.number for one in log.events("t1", "g")] == [1, 2, 4]


def test_the_log_keeps_a_tables_last_results_until_they_are_taken_back(tmp_path: Path) -> None:
    with HallLog(tmp_path / "hall.sqlite") as log:
        for n in range(1, MOST_GAMES + 3):
            log.write([HallTable("t1", report(n, game=f"g{n}", phase="counted"))], [])
        log.write([HallTable("t2", report(1, table="t2", phase="playing"))], [])
    with HallLog(tmp_path / "hall.sqlite") as log:
        kept = [f"g{n}" for n in range(3, MOST_GAMES + 3)]
        assert [one.game for one in log.results()] == kept
        log.write([HallTable("t1", report(99, game=kept[-1], phase="ended"))], [])
        assert [one.game for one in log.results()] == kept[:-1]


# With a real broker, and tables that tell it.


def claim(running: Table, route: str) -> None:
    running.live.execute(AddFacts([Placed.on(Spot("route", route), colour="red", by="camera")]))


class News:
    """What a hall's page would show."""

    def __init__(self) -> None:
        self.tables: dict[str, HallTable] = {}
        self.trouble = ""

    def __call__(self, tables: Iterable[HallTable], trouble: str) -> None:
        self.tables.update({table.id: table for table in tables})
        self.trouble = trouble

    def report(self, table: str) -> Report:
        """What a table has told last."""
        told = self.tables[table].report
        assert told is not None
        return told

    def heard(self, table: str) -> int:
        known = self.tables.get(table)
        if known is None or known.report is None:
            return 0
        return known.heard.get(known.report.game, ReceivedEvents()).upto


def test_a_hall_that_was_away_and_a_broker_that_forgets_lose_nothing(
    broker: Mosquitto,
    running: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What is waited for here comes within moments, or not at all.
    monkeypatch.setattr(broker_module, "FIRST_S", 0.1)
    monkeypatch.setattr(listening, "REST_S", 0.1)
    monkeypatch.setattr(listening, "AGAIN_S", 0.3)
    address = parse_broker(broker.url)
    news = News()
    with (
        Outbox(tmp_path / "outbox.sqlite") as outbox,
        Publisher(address, outbox, table="t1", name="Table 1") as publisher,
    ):
        publisher.follow(running.live)
        claim(running, "denver--helena")
        until(lambda: has_sent_all(publisher))
        with HallLog(tmp_path / "hall.sqlite") as log, HallListener(address, log, news):
            until(lambda: news.heard("t1") == 2)  # told before anybody listened
            claim(running, "helena--seattle")
            until(lambda: news.heard("t1") == 3)
            assert news.tables["t1"].is_online
        for _ in range(30):
            running.live.execute(AddFacts([TurnMarked("ann"), TurnMarked("bob")]))
        until(lambda: has_sent_all(publisher))
        broker.kill()  # and forgets what it had kept
        running.live.execute(AddFacts([GameEnded(), PointsCounted()]))
        news = News()
        with HallLog(tmp_path / "hall.sqlite") as log, HallListener(address, log, news):
            assert news.heard("t1") == 3, "from its own log"
            assert not news.tables["t1"].is_online
            broker.start()
            until(lambda: news.heard("t1") == 65)
            until(lambda: news.report("t1").phase == "counted")
            told = [one.number for one in log.events("t1", running.log.id)]
            assert told == list(range(1, 66))
            final = {player.seat: player.points for player in news.report("t1").players}
        assert final == {"ann": 7 + 15 + 10, "bob": 0, "cleo": 0}


def test_a_table_that_went_while_the_broker_was_away_is_offline(
    broker: Mosquitto, running: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "FIRST_S", 0.1)
    monkeypatch.setattr(listening, "REST_S", 0.1)
    monkeypatch.setattr(listening, "STATUS_S", 1.0)
    address, news = parse_broker(broker.url), News()
    with (
        HallLog(tmp_path / "hall.sqlite") as log,
        HallListener(address, log, news),
        Outbox(tmp_path / "stays.sqlite") as stays,
        Publisher(address, stays, table="t1", name="Table 1") as publisher,
    ):
        publisher.follow(running.live)
        with (
            Outbox(tmp_path / "goes.sqlite") as goes,
            Publisher(address, goes, table="t2", name="Table 2") as going,
        ):
            going.follow(running.live)
            until(lambda: {id for id, one in news.tables.items() if one.is_online} == {"t1", "t2"})
            broker.kill()  # and forgets both, as it does without a file
        broker.start()
        until(lambda: not news.tables["t2"].is_online)
        until(lambda: news.tables["t1"].is_online)


def test_hostile_messages_leave_the_hall_as_it_is(broker: Mosquitto, tmp_path: Path) -> None:
    news = News()
    with (
        HallLog(tmp_path / "hall.sqlite") as log,
        HallListener(parse_broker(broker.url), log, news) as listener,
        Listener(broker.port) as somebody,
    ):
        somebody.tell("club/v1/tables/t1/report", msgspec.json.encode(report()), is_kept=True)
        until(lambda: "t1" in news.tables)
        for payload in (b"", b"\x00" * 1000, b"x" * 200_000, msgspec.json.encode(report())):
            somebody.tell("club/v1/tables/t1/events", payload)
        until(lambda: listener.hall.ignored.total() == 4)
        somebody.tell("club/v1/tables/t1/report", msgspec.json.encode(report(2, name="still")))
        until(lambda: news.report("t1").name == "still")
