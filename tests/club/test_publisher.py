"""A table tells a real broker: nothing is lost, nothing secret is told, the game never waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jsonschema
import msgspec
import pytest
from halls import player
from halls import report as made_report
from jinja2 import Environment
from mosquitto import Listener, Mosquitto, has_sent_all
from phones import Table, table
from published_schemas import schema
from railspotter.club.broker import parse_broker
from railspotter.club.errors import OutboxError
from railspotter.club.home_assistant import discovery_of
from railspotter.club.messages import Report, Status
from railspotter.club.outbox import ANOTHER, Outbox
from railspotter.club.publisher import Publisher
from railspotter.scoring.game import TicketText
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, PointsCounted, TurnMarked, Undone
from railspotter.table.game_log.people_facts import TicketTaken
from railspotter.table.live_table.commands import AddFacts
from waiting import until

ROUTES = ("denver--helena", "helena--seattle", "chicago--toronto", "dallas--houston--0")


@contextmanager
def told(
    broker: Mosquitto,
    running: Table,
    folder: Path,
    *,
    lets_command: bool = False,
    discovery: str | None = None,
    said: list[Sentence] | None = None,
) -> Iterator[Publisher]:
    """Tell the broker of a table; what the host is told of it goes into `said`."""
    with (
        Outbox(folder / "outbox.sqlite") as outbox,
        Publisher(
            parse_broker(broker.url),
            outbox,
            table="table-3",
            name="Table 3",
            lets_command=lets_command,
            discovery=discovery,
            say=lambda sentence: said.append(sentence) if said is not None else None,
        ) as publisher,
    ):
        publisher.follow(running.live)
        yield publisher


def claim(running: Table, route: str, colour: str = "red") -> None:
    running.live.execute(AddFacts([Placed.on(Spot("route", route), colour=colour, by="camera")]))


def numbers(listener: Listener) -> list[int]:
    return [msgspec.json.decode(payload)["number"] for payload in listener.of("events")]


def report(listener: Listener) -> Report:
    # The broker has it before the listener has.
    until(lambda: bool(listener.of("report")))
    return msgspec.json.decode(listener.of("report")[-1], type=Report)


def test_a_report_and_every_public_event_are_told_as_the_schema_has_them(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    with Listener(broker.port) as listener:
        with told(broker, running, tmp_path) as publisher:
            claim(running, ROUTES[0], "blue")
            running.live.execute(AddFacts([TicketTaken("ann", TicketText("boston", "miami", 12))]))
            claim(running, ROUTES[1])
            seq = running.log.state.table.spots[Spot("route", ROUTES[0])].event
            running.live.execute(AddFacts([Undone(seq)]))
            until(lambda: has_sent_all(publisher) and report(listener).events == 4)
            until(lambda: len(numbers(listener)) >= 4)
        until(lambda: len(listener.of("status")) == 2)
    assert numbers(listener) == [1, 2, 3, 4], "without a gap that would tell of the ticket"
    kinds = [msgspec.json.decode(payload)["kind"] for payload in listener.of("events")]
    assert kinds == ["game_started", "route_claimed", "route_claimed", "undone"]
    undone = msgspec.json.decode(listener.of("events")[3])
    assert undone["fact"]["event"] == 2, "by the number that was told"
    last = report(listener)
    assert (last.phase, last.leaders, last.players[0].points) == ("playing", ("ann",), 15)
    assert last.last_claim is not None
    assert last.last_claim.about == ROUTES[1]
    assert not [one for _, payload, _ in listener.heard for one in (b"boston",) if one in payload]
    validator = jsonschema.Draft202012Validator(schema("club/messages"))
    for _, payload, _ in listener.heard:
        validator.validate(msgspec.json.decode(payload))
    assert [msgspec.json.decode(one)["status"] for one in listener.of("status")] == [
        "online",
        "offline",
    ]


def test_who_comes_later_knows_the_table_at_once(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    with told(broker, running, tmp_path) as publisher:
        claim(running, ROUTES[0])
        with Listener(broker.port) as listener:
            until(lambda: report(listener).events == 2 and has_sent_all(publisher))
        with Listener(broker.port) as listener:
            until(lambda: bool(listener.of("report") and listener.of("status")))
            assert all(kept for _, _, kept in listener.heard)
        running.live.execute(AddFacts([GameEnded(), PointsCounted()]))
        with Listener(broker.port) as listener:
            until(lambda: report(listener).phase == "counted")
            assert report(listener).leaders == ("ann",)


def test_a_broker_that_was_away_gets_everything(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    said: list[Sentence] = []
    with told(broker, running, tmp_path, said=said) as publisher:
        claim(running, ROUTES[0])
        until(lambda: has_sent_all(publisher))
        broker.kill()
        for turn in range(60):
            running.live.execute(AddFacts([TurnMarked("ann" if turn % 2 else "bob")]))
        claim(running, ROUTES[1])
        assert not has_sent_all(publisher)
        broker.start()
        with Listener(broker.port) as listener:
            until(lambda: has_sent_all(publisher))
            until(lambda: 63 in numbers(listener))
            assert sorted(set(numbers(listener))) == list(range(3, 64))
            until(lambda: report(listener).events == 63)
        troubles = [one.template for one in said]
        assert "the broker {name} is told" in troubles
        assert "the broker {name} cannot be reached: trying again" in troubles


def test_a_table_that_is_started_again_goes_on_where_it_was(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    with Listener(broker.port) as listener:
        with told(broker, running, tmp_path) as publisher:
            claim(running, ROUTES[0])
            until(lambda: has_sent_all(publisher))
            first = report(listener).number
        claim(running, ROUTES[1])  # while nobody is told
        with told(broker, running, tmp_path) as publisher:
            claim(running, ROUTES[2])
            until(lambda: has_sent_all(publisher) and report(listener).events == 4)
            until(lambda: len(numbers(listener)) >= 4)
        assert numbers(listener) == [1, 2, 3, 4]
        assert report(listener).number > first


def test_events_that_somebody_misses_are_sent_again(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    with told(broker, running, tmp_path) as publisher:
        for route in ROUTES:
            claim(running, route)
        until(lambda: has_sent_all(publisher))
        with Listener(broker.port) as listener:
            listener.tell(
                "club/v1/tables/table-3/commands", b'{"command":"resend","first":2,"last":4}'
            )
            until(lambda: len(numbers(listener)) == 3)
            assert numbers(listener) == [2, 3, 4]


def test_commands_are_obeyed_where_the_table_lets_them_and_all_else_is_counted(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    where = "club/v1/tables/table-3/commands"
    with (
        told(broker, running, tmp_path) as publisher,
        Listener(broker.port) as listener,
    ):
        until(lambda: b"online" in b"".join(listener.of("status")))
        wrong = (b'{"command":"end"}', b'{"command":"\xff"}', b"\xff", b"x" * 100_000)
        for payload in (b'{"command":"pause"}', *wrong):
            listener.tell(where, payload)
        until(lambda: publisher.ignored == 5)
        assert not running.live.view.game.table.paused
    with (
        told(broker, running, tmp_path, lets_command=True) as publisher,
        Listener(broker.port) as listener,
    ):
        until(lambda: b"online" in b"".join(listener.of("status")))
        listener.tell(where, b'{"command":"pause"}')
        until(lambda: running.live.view.game.table.paused)
        listener.tell(where, b'{"command":"resume"}')
        until(lambda: not running.live.view.game.table.paused)


def test_a_table_that_is_killed_is_offline_by_its_last_will(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    with told(broker, running, tmp_path) as publisher, Listener(broker.port) as listener:
        until(lambda: b"online" in b"".join(listener.of("status")))
        publisher._connection._client._sock_close()  # the line is cut, without a word
        until(lambda: b'"offline"' in b"".join(listener.of("status")))
        until(lambda: b'"online"' in listener.of("status")[-1])


def statuses(listener: Listener) -> list[str]:
    return [msgspec.json.decode(payload)["status"] for payload in listener.of("status")]


def test_of_two_tables_of_one_name_the_second_is_told_and_the_first_goes_on(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    said: tuple[list[Sentence], list[Sentence]] = ([], [])
    with (
        table(tmp_path / "other") as other,
        Listener(broker.port) as listener,
        told(broker, running, tmp_path / "first", said=said[0]) as first,
    ):
        until(lambda: has_sent_all(first))
        with told(broker, other, tmp_path / "second", said=said[1]):
            until(lambda: ANOTHER in said[1])
            claim(running, ROUTES[0])
            claim(other, ROUTES[1])
            until(lambda: has_sent_all(first) and report(listener).events == 2)
        assert set(statuses(listener)) == {"online"}
        games = {msgspec.json.decode(payload)["game"] for payload in listener.of("report")}
        assert games == {running.log.id}
        # Where connecting takes a moment, that is said first.
        assert [one for one in said[1] if not one.startswith("connecting to")] == [ANOTHER]
        assert "the broker {name} cannot be reached: trying again" not in [
            one.template for one in said[0]
        ]
        with Listener(broker.port) as later:
            until(lambda: len(later.of("status")) == 1)
            assert later.of("status") == [first._status("online")], "and the broker keeps it"


def test_a_table_takes_the_place_of_one_that_is_gone_without_a_word(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    gone = Status(table="table-3", status="online", since_s=1.0)
    with Listener(broker.port) as listener:
        listener.tell("club/v1/tables/table-3/status", msgspec.json.encode(gone), is_kept=True)
        said: list[Sentence] = []
        with told(broker, running, tmp_path, said=said) as publisher:
            until(lambda: has_sent_all(publisher))
            assert ANOTHER not in said
            # Half a minute later the broker notices, and tells the last will of the one before.
            gone = msgspec.structs.replace(gone, status="offline")
            listener.tell("club/v1/tables/table-3/status", msgspec.json.encode(gone), is_kept=True)
            until(lambda: statuses(listener)[-2:] == ["offline", "online"])


def test_one_table_is_told_of_by_one_program(tmp_path: Path) -> None:
    with (
        Outbox(tmp_path / "outbox.sqlite"),
        pytest.raises(OutboxError, match="another railspotter"),
    ):
        Outbox(tmp_path / "outbox.sqlite")


def test_a_damaged_outbox_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "outbox.sqlite"
    path.write_bytes(b"no database" * 1000)
    with Outbox(path) as outbox:
        outbox.add("g", [(1, 1, b"{}")])
        assert outbox.unsent(9)[0][1] == 1
    assert path.with_suffix(".damaged").exists()


def test_trains_of_the_house_have_their_sensor_in_home_assistant() -> None:
    points = {"teal": 3, "red": 5, "sky blue": 8}
    players = tuple(player(n, p, colour=c) for n, (c, p) in zip("abc", points.items(), strict=True))
    told = made_report(players=players)
    parts = discovery_of(told, "railspotter", (), ["olive"])["cmps"]
    state = msgspec.to_builtins(told)
    shown = {
        part["name"]: Environment().from_string(part["value_template"]).render(value_json=state)
        for part in parts.values()
        if part.get("unit_of_measurement") == "points"
    }
    assert shown == {"A's points": "3", "B's points": "5", "C's points": "8"}
    assert parts["points_sky_blue"]["unique_id"] == "railspotter-t1-points_sky_blue"
    assert parts["points_olive"] == {"p": "sensor"}, "of an earlier game: removed"


def test_home_assistant_is_told_what_the_table_has(
    broker: Mosquitto, running: Table, tmp_path: Path
) -> None:
    where = "homeassistant/device/railspotter-table-3/config"
    with (
        Listener(broker.port) as listener,
        told(broker, running, tmp_path, lets_command=True, discovery="homeassistant"),
    ):
        until(lambda: where in [topic for topic, _, _ in listener.heard])
        claim(running, ROUTES[0])
        until(lambda: report(listener).last_claim is not None)
    (payload,) = [payload for topic, payload, _ in listener.heard if topic == where]
    made = msgspec.json.decode(payload)
    parts = made["cmps"]
    assert parts["points_green"] == {"p": "sensor"} | parts["points_green"]
    assert parts["points_white"] == {"p": "sensor"}, "nobody plays it: removed where it was"
    assert msgspec.json.decode(parts["pause"]["payload_press"]) == {"command": "pause"}
    state = msgspec.json.decode(listener.of("report")[-1])
    shown = {
        name: Environment().from_string(part["value_template"]).render(value_json=state)
        for name, part in parts.items()
        if "value_template" in part
    }
    assert shown["leader"] == "Ann"
    assert shown["points_red"] == "7"
    assert shown["last_claim"] == "red: Denver - Helena"
    assert shown["help"] == "OFF"
    assert made["availability"][0]["topic"] == "club/v1/tables/table-3/status"
    unique = [part["unique_id"] for part in parts.values() if "unique_id" in part]
    assert len(set(unique)) == len(unique)
