"""A hall before many tables: `python benchmarks/many_tables.py [--tables 10 100 500 1000]`.

What a hall costs, and how late its screen is, for so many tables at their real rate of events and
at `--faster` times that. A real broker (mosquitto) and a real `railspotter hall` run on this
computer; a page's stream of changes is read as a browser reads it. Tables publish what real ones
do: reports and events of bots' games, written down as a table would. Each table's last report and
all its events have to be in the hall in the end, every event once.

    python benchmarks/many_tables.py --kill 20

plays 20 tables with their real publishers and outboxes instead, and kills the broker so many times,
each time with the hall or a table, in the middle: the hall's last standing of every game has to be
the table's own.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from railspotter.club.broker import Connection, parse_broker
from railspotter.club.messages import Report, Status, TableEvent, topic
from railspotter.club.outbox import Outbox
from railspotter.club.publisher import Publisher, publishable_fact
from railspotter.club.report import report_of
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.public_log import public_events
from railspotter.table.live_table.table_view import TableView

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from hall_process import Screen, cpu_s, hall
from logged_games import played
from mosquitto import mosquitto, wait_until
from past_games import events_of, facts_of

PREFIX = "club"
# Events of a table in a second: a played evening has some 120 to 250 in 45 to 60 minutes.
REAL_PER_S = 4 / 60
CONNECTIONS = 20
EDITIONS = (("usa", 3), ("europe", 4), ("newyork", 3), ("usa", 5))
GAPS_S = 30.0  # the hall asks for one gap after the other, and for each after some seconds


@dataclass(frozen=True)
class Step:
    """What a table tells at one moment of its game."""

    events: tuple[TableEvent, ...]
    report: Report


def steps_of(edition: str, players: int) -> list[Step]:
    """Return what a table tells of a bots' game, event by event."""
    facts = facts_of(played(edition, players))
    numbers: dict[int, int] = {}
    steps = []
    first, *others = events_of(facts)
    states = accumulate(others, lambda state, event: state.after(event), initial=begin(first))
    for count, state in enumerate(states):
        events = []
        for event in public_events(state, count, with_taking=False):
            if (fact := publishable_fact(event.fact, numbers)) is not None:
                number = numbers[event.seq] = len(numbers) + 1
                events.append(
                    TableEvent(
                        table="t",
                        game="g",
                        number=number,
                        at_s=event.at_s,
                        kind=event.fact.kind,
                        fact=fact,
                    )
                )
        report = report_of(
            TableView(0, state), table="t", name="T", game="g", number=1, at_s=0.0,
            events=len(numbers),
        )  # fmt: skip
        steps.append(Step(tuple(events), report))
    return steps


def tell(url: str, tables: int, per_s: float, seconds: float, seed: int, done: Any) -> None:
    """Publish what so many tables tell; run in a process of its own."""
    games = [steps_of(*edition) for edition in EDITIONS]
    broker = parse_broker(url)
    rng = random.Random(seed)
    with ExitStack() as stack:
        lines = [stack.enter_context(Connection(broker, f"tables-{i}")) for i in range(CONNECTIONS)]
        wait_until(lambda: all(line.is_connected for line in lines))
        told = [0] * tables
        replace, encode = msgspec.structs.replace, msgspec.json.encode

        def send(table: int, is_first: bool = False) -> None:
            id, line = f"table-{table}", lines[table % CONNECTIONS]
            steps = games[table % len(games)]
            if is_first:
                status = Status(table=id, status="online")
                line.publish(topic(PREFIX, id, "status"), encode(status), is_kept=True)
            if told[table] == len(steps):
                return
            step = steps[told[table]]
            told[table] += 1
            for event in step.events:
                one = replace(event, table=id, game=f"game-{table}")
                line.publish(topic(PREFIX, id, "events"), encode(one))
            report = replace(
                step.report,
                table=id,
                name=f"Table {table}",
                game=f"game-{table}",
                number=told[table],
                at_s=time.time(),
            )
            line.publish(topic(PREFIX, id, "report"), encode(report), is_kept=True)

        for table in range(tables):
            send(table, is_first=True)
            time.sleep(0.002)
        began_s = time.monotonic()
        due = [(rng.expovariate(per_s), table) for table in range(tables)]
        while due and (now := time.monotonic() - began_s) < seconds:
            ready = [(at, table) for at, table in due if at <= now]
            for _, table in ready:
                send(table)
            due = [one for one in due if one[0] > now] + [
                (at + rng.expovariate(per_s), table) for at, table in ready
            ]
            time.sleep(0.005)
        time.sleep(1.0)
        finals = {
            f"table-{i}": (games[i % len(games)][told[i] - 1].report.events, told[i])
            for i in range(tables)
        }
        done.put(finals)
        time.sleep(2.0)


def events_in(home: Path) -> dict[str, tuple[int, int]]:
    """Return by table how many events a hall has kept, and the highest number."""
    (path,) = (home / "hall").glob("*.sqlite")
    database = sqlite3.connect(path)
    try:
        rows = database.execute(
            "select tbl, count(*), max(number) from events group by tbl, game"
        ).fetchall()
    finally:
        database.close()
    return {table: (count, newest) for table, count, newest in rows}


def scale(tables: int, faster: float, seconds: float) -> int:
    """Print what a hall of so many tables costs; return what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with mosquitto(folder / "broker") as broker, hall(broker, folder / "home") as running:
            screen = Screen(running.port)
            screen.start()
            done: Any = multiprocessing.Queue()
            teller = multiprocessing.Process(
                target=tell,
                args=(broker.url, tables, REAL_PER_S * faster, seconds, tables, done),
            )
            teller.start()
            wait_until(lambda: len(screen.tables) >= tables, 120.0)
            screen.late_s.clear()
            began_s, cpu, broker_cpu = time.monotonic(), running.cpu_s, cpu_s(broker.process)
            finals = done.get()
            wall = time.monotonic() - began_s
            used, broker_used = running.cpu_s - cpu, cpu_s(broker.process) - broker_cpu
            late, mb = np.array(screen.late_s), running.mb
            time.sleep(1.0)
            teller.join()
            shown = {
                id: screen.tables[id]["events"]
                for id in finals
                if screen.tables.get(id, {}).get("events") != finals[id][0]
            }
        kept = events_in(folder / "home")
    lost = [id for id, (newest, _) in finals.items() if kept.get(id) != (newest, newest)]
    median, p99, most = np.quantile(late, [0.5, 0.99, 1.0]) * 1000
    print(
        f"{tables:6} {faster:6g} {len(late) / wall:10.1f} {median:8.0f} {p99:6.0f} {most:6.0f}"
        f" {100 * used / wall:7.1f} {mb:6.0f} {100 * broker_used / wall:8.1f}"
        f" {len(lost):5} {len(shown):6}",
        flush=True,
    )
    return len(lost) + len(shown)


# Killing.


class PlayedTable:
    """A table whose game is played by a script, with a real log; what a publisher needs of one."""

    def __init__(self, store: GameStore, facts: Sequence[Fact]) -> None:
        self._facts = list(facts[1:])
        self.log: GameLog = store.create(facts[0], time.time())  # type: ignore[arg-type]
        self._listeners: list[Any] = []

    @property
    def view(self) -> TableView:
        """The table now."""
        return TableView(0, self.log.state)

    def enable_calls(self) -> None:
        """Pass over it: nobody calls here."""

    def subscribe(self, listener: Any) -> None:
        """Call somebody whenever anything changes, in place of who was called before."""
        self._listeners = [listener]
        listener(self.view, ())

    def go_on(self) -> None:
        """Play on by one event, if the game is not over."""
        if not self._facts:
            return
        events = self.log.append([self._facts.pop(0)], time.time())
        for listener in self._listeners:
            listener(self.view, events)


def kill(times: int, tables: int = 20) -> int:
    """Kill broker, hall and tables in the middle of games; return how many standings differ."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with mosquitto(folder / "broker") as broker, hall(broker, folder / "home") as running:
            facts = [facts_of(played(*EDITIONS[i % len(EDITIONS)])) for i in range(tables)]
            played_tables = [
                PlayedTable(GameStore(folder / f"table-{i}"), facts[i]) for i in range(tables)
            ]
            publishers: dict[int, ExitStack] = {}

            def open_publisher(i: int) -> None:
                stack = publishers[i] = ExitStack()
                outbox = stack.enter_context(Outbox(folder / f"table-{i}" / "outbox.sqlite"))
                publisher = Publisher(
                    parse_broker(broker.url), outbox, table=f"table-{i}", name=f"Table {i}"
                )
                publisher.follow(played_tables[i])  # type: ignore[arg-type]
                stack.enter_context(publisher)

            for i in range(tables):
                open_publisher(i)
            longest = max(map(len, facts))
            killed_at = {longest * (n + 1) // (times + 1): n for n in range(times)}
            for turn in range(longest):
                for table in played_tables:
                    table.go_on()
                time.sleep(0.1)
                if turn in killed_at:
                    broker.kill()
                    if killed_at[turn] % 2:
                        running.kill()
                    else:
                        i = rng.randrange(tables)
                        publishers[i].close()
                        played_tables[i].go_on()
                        open_publisher(i)
                    time.sleep(rng.uniform(0.2, 2.0))
                    broker.start()
                    if killed_at[turn] % 2:
                        running.start()
            own = {f"table-{i}": standing(played_tables[i].view) for i in range(tables)}
            began_s = time.monotonic()
            wrong = tables
            while wrong and time.monotonic() - began_s < 120.0:
                time.sleep(1.0)
                wrong = sum(shown_in(running.port).get(id) != own[id] for id in own)
            took_s = time.monotonic() - began_s
            time.sleep(GAPS_S)
            for stack in publishers.values():
                stack.close()
        kept = events_in(folder / "home")
        whole = sum(kept[id][0] == kept[id][1] for id in own)
    print(
        f"{times} kills of the broker, {times // 2} of the hall, {times - times // 2} of a table:"
        f" {tables - wrong} of {tables} final standings are the table's own after {took_s:.0f} s;"
        f" {whole} of {tables} have every event once"
    )
    return wrong + tables - whole


def standing(view: TableView) -> list[tuple[str, int]]:
    """Return a table's own standing, by seats."""
    report = report_of(view, table="t", name="T", game="g", number=1, at_s=0.0, events=0)
    return sorted((player.seat, player.points) for player in report.players)


def shown_in(port: int) -> dict[str, list[tuple[str, int]]]:
    """Return all standings as a hall shows them."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/api/v1/hall/state")
    state = json.loads(connection.getresponse().read())
    return {
        id: sorted((player["seat"], player["points"]) for player in table.get("players", ()))
        for id, table in state["tables"].items()
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each number of tables; return 1 where anything was lost or differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 500, 1000])
    parser.add_argument("--faster", type=float, nargs="+", default=[1.0, 10.0])
    parser.add_argument("--seconds", type=float, default=60.0, help="(%(default)s)")
    parser.add_argument("--kill", type=int, help="kill the broker so many times instead")
    args = parser.parse_args(argv)
    if args.kill is not None:
        return kill(args.kill) > 0
    print("tables faster  reports/s   median    p99   most  hall % hall MB broker %  lost differ")
    wrong = 0
    for tables in args.tables:
        for faster in args.faster:
            wrong += scale(tables, faster, args.seconds)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
