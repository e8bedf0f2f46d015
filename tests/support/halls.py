"""Halls with made-up tables: what tables tell, with and without a broker, and the page."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec
from no_limits import quiet
from phones import Phone
from railspotter.club.broker import parse_broker
from railspotter.club.hall.hall import Hall
from railspotter.club.hall.hall_log import HallLog
from railspotter.club.hall.listening import HallListener
from railspotter.club.messages import (
    Command,
    LastClaim,
    PlayerReport,
    Report,
    Status,
    TableEvent,
    topic,
)
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.webui.hall.hall_page import HallPage
from railspotter.webui.hall.hall_session import HallSession
from waiting import until

PREFIX = "club"
NAMES = (
    "Ann",
    "Bob",
    "Cleo",
    "Dana",
    "Emre",
    "Fay",
    "Gülşen",
    "Hugo",
    "Ines",
    "Jörg",
    "Kim",
    "Lou",
)
COLOURS = ("red", "blue", "green", "yellow", "black")
CLAIMS = ("Denver - Helena", "El Paso - Santa Fe", "Boston - Montréal", "Calgary - Vancouver")
TITLES = ("Ticket to Ride", "Ticket to Ride: Europe", "Friday's game")


def player(seat: str, points: int = 7, **more: Any) -> PlayerReport:
    told = PlayerReport(
        seat=seat,
        name=seat.title(),
        colour="red",
        place=1,
        points=points,
        route_points=points,
        trains_left=40,
        longest_path=4,
    )
    return msgspec.structs.replace(told, **more)


def report(table: str = "t1", number: int = 1, **more: Any) -> Report:
    told = Report(
        table=table,
        number=number,
        name=table.replace("t", "Table ", 1),
        at_s=time.time(),
        game="g",
        title="Ticket to Ride",
        edition="usa",
        board="usa",
        phase="playing",
        started_at_s=time.time() - 1800,
        players=(player("ann"), player("bob", 3, colour="blue", place=2)),
        leaders=("ann",),
    )
    return msgspec.structs.replace(told, **more)


def made_up(number: int, luck: Random) -> tuple[Status, Report]:
    """Return what one of many tables tells; it is the same again for the same luck."""
    points = sorted((luck.randint(0, 120) for _ in range(luck.randint(2, 5))), reverse=True)
    names = luck.sample(NAMES, len(points))
    longest = [luck.randint(2, 30) for _ in points]
    players = tuple(
        player(
            name.lower(),
            score,
            name=name,
            colour=colour,
            place=1 + points.index(score),
            trains_left=luck.randint(0, 45),
            longest_path=length,
            holds_longest=length == max(longest),
        )
        for name, score, colour, length in zip(names, points, COLOURS, longest, strict=False)
    )
    phase = luck.choices(("playing", "paused", "counted"), (16, 1, 3))[0]
    help = luck.choices(((), ("camera",), ("question", "covered"), ("called",)), (24, 1, 1, 1))[0]
    now_s = time.time()
    told = report(
        f"t{number}",
        name=f"Table {number}",
        title=luck.choice(TITLES),
        phase=phase,
        started_at_s=now_s - luck.randint(60, 7200),
        players=players,
        leaders=tuple(one.seat for one in players if one.place == 1),
        help=help if phase == "playing" else (),
        questions=2 if "question" in help else 0,
        last_claim=LastClaim(
            seat=players[0].seat,
            colour=players[0].colour,
            kind="route",
            about="denver--helena",
            what=luck.choice(CLAIMS),
            at_s=now_s - 100,
        ),
    )
    is_there = luck.random() > 0.05
    commands = ("pause", "resume", "look_again")
    status = Status(table=told.table, status="online" if is_there else "offline", commands=commands)
    return status, told


class QuietListener:
    """A listener that hears what a test says, and notes what tables are told."""

    def __init__(self, session: HallSession) -> None:
        self._room = session
        self.hall = Hall(PREFIX)
        self.told: list[tuple[str, Command]] = []
        self.is_connected = True

    def __enter__(self) -> "QuietListener":
        return self

    def close(self) -> None:
        pass

    def tell(self, table: str, command: Command) -> bool:
        if self.is_connected:
            self.told.append((table, command))
        return self.is_connected

    def hear(self, *messages: Status | Report | TableEvent, trouble: Sentence = NOTHING) -> None:
        """Hear messages, and pass all of that on at once."""
        kinds = {Status: "status", Report: "report", TableEvent: "events"}
        encode = msgspec.json.encode
        raw = [(topic(PREFIX, one.table, kinds[type(one)]), encode(one)) for one in messages]
        self.hear_raw(*raw, trouble=trouble)

    def hear_raw(self, *messages: tuple[str, bytes], trouble: Sentence = NOTHING) -> None:
        changed = {self.hall.receive(*one).table for one in messages} - {""}
        self._room.feed.take([self.hall.tables[id] for id in sorted(changed)], trouble)


@dataclass(frozen=True)
class HallAtWork:
    """A hall's page on a real port, and what it hears by."""

    page: HallPage
    session: HallSession
    log: HallLog
    listener: QuietListener
    said: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.page.url

    def phone(self) -> Phone:
        return Phone(self.page.server.port)

    def host(self) -> Phone:
        return self.phone().join(self.page.phone_access.codes.host)


@contextmanager
def hall(folder: Path, broker: str | None = None) -> Iterator[HallAtWork]:
    """Open a hall's page; without a broker's address it hears what a test says."""
    said: list[str] = []
    with HallLog(folder / "hall.sqlite") as log:
        session = HallSession(parse_broker(broker or f"mqtt://127.0.0.1:1/{PREFIX}"), log)
        listener = QuietListener(session)
        if broker is None:
            session.listener = cast(HallListener, listener)
        page = HallPage(session, folder / "hall.pairing", quiet(say=said.append))
        with page:
            if broker is not None:
                until(lambda: not session.feed.state()["trouble"])
            yield HallAtWork(page, session, log, listener, said)


def many(work: HallAtWork, count: int, seed: int = 1) -> None:
    """Have so many tables tell their games."""
    luck = Random(seed)  # made-up games
    messages = [one for number in range(1, count + 1) for one in made_up(number, luck)]
    work.listener.hear(*messages)
