"""Floods a hall with messages of a table, and measures the hall meanwhile."""

from __future__ import annotations

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
from hall_process import Screen, hall
from mosquitto import mosquitto
from railspotter.club.broker import Connection, parse_broker
from railspotter.club.messages import topic
from waiting import until

from .attacks import Attack, Victim

PREFIX, HONEST = "club", "honest"
MOST_UNANSWERED = 500  # messages that the attacker has sent and the broker not taken yet
PATIENCE_S = 60.0  # until the attacker is there, on a busy machine
LATE_S = 60.0  # a report of the honest table that is not shown by then is unseen

# Of each message the table, the kind, and what it says.
Messages = Iterator[tuple[str, str, dict[str, Any]]]


def report(table: str, number: int, **more: Any) -> dict[str, Any]:
    """Return a table's report."""
    told: dict[str, Any] = msgspec.to_builtins(halls.report(table, number, **more))
    return told


def _event(table: str, number: int, game: str = "g", **more: Any) -> dict[str, Any]:
    fact = {"kind": "turn_marked", "seat": "ann"}
    said = {"table": table, "game": game, "number": number, "at_s": 2.0, "kind": "turn_marked"}
    return {**said, "fact": fact, **more}


def _gaps() -> Messages:
    yield "t", "report", report("t", 1)
    for number in itertools.count(2, 2):
        yield "t", "events", _event("t", number)


def _far() -> Messages:
    yield "t", "report", report("t", 1)
    rng = random.Random(1)
    while True:
        yield "t", "events", _event("t", rng.randrange(1, 2**53))


def _large() -> Messages:
    yield "t", "report", report("t", 1)
    for number in itertools.count(1):
        yield "t", "events", _event("t", number, more="x" * 60_000)


def _long_facts() -> Messages:
    yield "t", "report", report("t", 1)
    said = {"kind": "of_tomorrow", "what": "x" * 60_000}
    for number in itertools.count(1):
        yield "t", "events", _event("t", number, kind="of_tomorrow", fact=said)


def _games() -> Messages:
    for number in itertools.count(1):
        yield "t", "events", _event("t", 1, f"game-{number}")


def _tables() -> Messages:
    for number in itertools.count(1):
        yield f"t{number}", "report", report(f"t{number}", 1, title="x" * 200)


def _absurd() -> Messages:
    claim = {"kind": "route_claimed", "colour": "red", "by": "camera"}
    for number in itertools.count(1):
        yield "t", "report", report("t", number, at_s=1e308, started_at_s=-1e308)
        yield "t", "events", _event("t", number, kind="route_claimed", fact=claim)


def flood(victim: Victim, messages: Messages) -> None:
    """Publish messages as fast as the broker accepts them."""
    room = threading.Semaphore(MOST_UNANSWERED)
    address = parse_broker(f"mqtt://127.0.0.1:{victim.port}/{PREFIX}")
    with Connection(address, "flood", on_sent=lambda number: room.release()) as line:
        until(lambda: line.is_connected)
        for table, kind, said in messages:
            if victim.is_over.is_set():
                return
            if room.acquire(timeout=1.0):
                line.publish(topic(PREFIX, table, kind), json.dumps(said).encode())


def _flood(name: str, means: str, messages: Callable[[], Messages]) -> Attack:
    return Attack(name, "hall", means, lambda victim: flood(victim, messages()))


FLOODS = (
    Attack("hall", "hall", "undisturbed", lambda victim: flood(victim, iter(()))),
    _flood("hall-gaps", "every second number of an event is left out", _gaps),
    _flood("hall-far", "numbers of events up to 2^53", _far),
    _flood("hall-large", "events of 60 kB that the hall does not know the fields of", _large),
    _flood("hall-facts", "events of 60 kB of a kind that the hall does not know", _long_facts),
    _flood("hall-games", "a game of its own for each event", _games),
    _flood("hall-tables", "a table of its own for each report", _tables),
    _flood("hall-absurd", "times of 1e308, claims without a route", _absurd),
)


class Attackers(Protocol):
    """An attack in its own process."""

    def end(self) -> None:
        """Stop it."""


def attack_hall(attack: Attack, seconds: float, begin: Callable[[Victim], Attackers]) -> None:
    """Attack a hall while an honest table reports to it; print a row of the table."""
    waits_s: list[float] = []
    unseen, most_mb = 0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with mosquitto(folder / "broker") as broker, hall(broker, folder / "home") as running:
            screen = Screen(running.port)
            screen.start()
            address = parse_broker(f"mqtt://127.0.0.1:{broker.port}/{PREFIX}")
            attackers = begin(Victim(broker.port))
            log = broker.folder / "mosquitto.log"
            until(lambda: b" as flood " in log.read_bytes(), PATIENCE_S)
            end_s = time.monotonic() + seconds
            with Connection(address, HONEST) as line:
                until(lambda: line.is_connected)
                for number in itertools.count(1):
                    is_last = time.monotonic() > end_s
                    if is_last:
                        attackers.end()  # what it has told may still be on its way
                    said = report(HONEST, number, questions=number)
                    line.publish(topic(PREFIX, HONEST, "report"), json.dumps(said).encode())
                    told_s = time.monotonic()
                    while _shown(screen) < number and time.monotonic() < told_s + LATE_S:
                        time.sleep(0.01)
                        most_mb = max(most_mb, running.mb)
                    waits_s.append(time.monotonic() - told_s)
                    unseen += _shown(screen) < number
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
        attack.means,
        f"{max(waits_s):.2f}",
        str(unseen),
        f"{most_mb:.0f}",
        f"{kept / 2**20:.1f}",
        f"{start_s:.1f}",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def _shown(screen: Screen) -> int:
    number: int = screen.tables.get(HONEST, {}).get("questions", 0)
    return number
