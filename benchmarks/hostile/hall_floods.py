"""Floods a hall with messages of a table, and measures the hall meanwhile."""

import itertools
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

sys.path.extend(
    str(Path(__file__).resolve().parents[2] / folder) for folder in ("tests", "tests/support")
)

import halls
import msgspec
from mosquitto import mosquitto
from railspotter.club.broker import Connection, parse_broker
from railspotter.club.messages import topic
from waiting import until

from .attacks import Attack, Target
from .running_hall import Screen, run_hall

PREFIX, HONEST_TABLE = "club", "honest"
MOST_UNANSWERED = 500  # messages that the attacker has sent and the broker not taken yet
TIMEOUT_S = 60.0  # until the attacker is there, on a busy machine
LATE_S = 60.0  # a report of the honest table that is not shown by then is unseen

# Of each message the table, the kind, and what it says.
Messages = Iterator[tuple[str, str, dict[str, Any]]]


def table_report(table: str, number: int, **more: Any) -> dict[str, Any]:
    """Return a table's report."""
    built: dict[str, Any] = msgspec.to_builtins(halls.report(table, number, **more))
    return built


def _event_message(number: int, game: str = "g", **more: Any) -> dict[str, Any]:
    fact = {"kind": "turn_marked", "seat": "ann"}
    event = {"table": "t", "game": game, "number": number, "at_s": 2.0, "kind": "turn_marked"}
    return {**event, "fact": fact, **more}


def _number_gaps() -> Messages:
    yield "t", "report", table_report("t", 1)
    for number in itertools.count(2, 2):
        yield "t", "events", _event_message(number)


def _far_numbers() -> Messages:
    yield "t", "report", table_report("t", 1)
    rng = random.Random(1)
    while True:
        yield "t", "events", _event_message(rng.randrange(1, 2**53))


def _big_events() -> Messages:
    yield "t", "report", table_report("t", 1)
    for number in itertools.count(1):
        yield "t", "events", _event_message(number, more="x" * 60_000)


def _long_facts() -> Messages:
    yield "t", "report", table_report("t", 1)
    fact = {"kind": "of_tomorrow", "what": "x" * 60_000}
    for number in itertools.count(1):
        yield "t", "events", _event_message(number, kind="of_tomorrow", fact=fact)


def _new_games() -> Messages:
    for number in itertools.count(1):
        yield "t", "events", _event_message(1, f"game-{number}")


def _new_tables() -> Messages:
    for number in itertools.count(1):
        yield f"t{number}", "report", table_report(f"t{number}", 1, title="x" * 200)


def _absurd_times() -> Messages:
    claim = {"kind": "route_claimed", "colour": "red", "by": "camera"}
    for number in itertools.count(1):
        yield "t", "report", table_report("t", number, at_s=1e308, started_at_s=-1e308)
        yield "t", "events", _event_message(number, kind="route_claimed", fact=claim)


def publish_flood(target: Target, messages: Messages) -> None:
    """Publish messages as fast as the broker accepts them."""
    free_slots = threading.Semaphore(MOST_UNANSWERED)
    address = parse_broker(f"mqtt://127.0.0.1:{target.port}/{PREFIX}")
    with Connection(address, "flood", on_sent=lambda number: free_slots.release()) as connection:
        until(lambda: connection.is_connected)
        for table, kind, message in messages:
            if target.is_over.is_set():
                return
            if free_slots.acquire(timeout=1.0):
                connection.publish(topic(PREFIX, table, kind), json.dumps(message).encode())


def _attack(name: str, description: str, messages: Callable[[], Messages]) -> Attack:
    return Attack(name, "hall", description, lambda target: publish_flood(target, messages()))


FLOODS = (
    Attack("hall", "hall", "undisturbed", lambda target: publish_flood(target, iter(()))),
    _attack("hall-gaps", "every second number of an event is left out", _number_gaps),
    _attack("hall-far", "numbers of events up to 2^53", _far_numbers),
    _attack("hall-large", "events of 60 kB that the hall does not know the fields of", _big_events),
    _attack("hall-facts", "events of 60 kB of a kind that the hall does not know", _long_facts),
    _attack("hall-games", "a game of its own for each event", _new_games),
    _attack("hall-tables", "a table of its own for each report", _new_tables),
    _attack("hall-absurd", "times of 1e308, claims without a route", _absurd_times),
)


class RunningAttack(Protocol):
    """An attack in its own process."""

    def end(self) -> None:
        """Stop it."""


def attack_hall(attack: Attack, seconds: float, start: Callable[[Target], RunningAttack]) -> None:
    """Attack a hall while an honest table reports to it; print a row of the table."""
    waits_s: list[float] = []
    unseen, most_mb = 0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with mosquitto(folder / "broker") as broker, run_hall(broker, folder / "home") as running:
            screen = Screen(running.port)
            screen.start()
            address = parse_broker(f"mqtt://127.0.0.1:{broker.port}/{PREFIX}")
            attackers = start(Target(broker.port))
            log = broker.folder / "mosquitto.log"
            until(lambda: b" as flood " in log.read_bytes(), TIMEOUT_S)
            end_s = time.monotonic() + seconds
            with Connection(address, HONEST_TABLE) as link:
                until(lambda: link.is_connected)
                for number in itertools.count(1):
                    is_last = time.monotonic() > end_s
                    if is_last:
                        attackers.end()  # what it has told may still be on its way
                    body = table_report(HONEST_TABLE, number, questions=number)
                    link.publish(topic(PREFIX, HONEST_TABLE, "report"), json.dumps(body).encode())
                    told_s = time.monotonic()
                    while _shown_number(screen) < number and time.monotonic() < told_s + LATE_S:
                        time.sleep(0.01)
                        most_mb = max(most_mb, running.mb)
                    waits_s.append(time.monotonic() - told_s)
                    unseen += _shown_number(screen) < number
                    if is_last:
                        break
                    time.sleep(0.25)
            kept = sum(file.stat().st_size for file in (folder / "home").rglob("*.sqlite*"))
            running.kill()
            began_s = time.monotonic()
            running.start()
            start_s = time.monotonic() - began_s
    cells = [
        attack.name,
        attack.description,
        f"{max(waits_s):.2f}",
        str(unseen),
        f"{most_mb:.0f}",
        f"{kept / 2**20:.1f}",
        f"{start_s:.1f}",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def _shown_number(screen: Screen) -> int:
    number: int = screen.tables.get(HONEST_TABLE, {}).get("questions", 0)
    return number
