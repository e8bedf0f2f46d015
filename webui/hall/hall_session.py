"""The hall's services for its calls: the listener, the log, and the feed from them to its pages.

The cost of a message does not depend on the number of tables: patches are made for changed tables
only, and the others' JSON is cached.
"""

import re
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import msgspec
from railspotter.club.broker import BrokerAddress
from railspotter.club.hall.hall import HallTable
from railspotter.club.hall.hall_log import HallLog
from railspotter.club.hall.listening import HallListener
from railspotter.club.messages import Report, TableEvent
from railspotter.scoring.board import board_names, load_board
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.table.worker import Closable

from ..access.roles import new_token
from ..feed.feed import Stream, merge_patch
from ..feed.public_state import Json
from ..sessions.services import Needs, PageContext

OLD_S = 24 * 3600  # an offline table is hidden after so long: it played another evening
MOST_LETTERS = 200  # of a fact's value; longer ones are cut
MOST_EVENTS = 200  # the newest events of a table that its sheet shows


class HallFeed(Closable):
    """The public state of all tables, with a stream of changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.tables: dict[str, Json] = {}  # by id; others must not change them
        self._encoded: dict[str, msgspec.Raw] = {}
        self._trouble: Sentence = NOTHING
        self.number = time.time_ns() // 1_000_000  # rises with every change, also over restarts
        self.stream = Stream(self._state())

    def state(self) -> Json:
        """Return the public state."""
        with self._lock:
            return self._state()

    def take(self, tables: Iterable[HallTable], trouble: Sentence) -> None:
        """Take changed tables and the trouble with the broker, and stream what changed."""
        with self._lock:
            change: Json = {}
            if patches := {table.id: patch for table in tables if (patch := self._put(table))}:
                change["tables"] = patches
            if trouble != self._trouble:
                self._trouble = trouble
                change["trouble"] = trouble or None
            if change:
                self.number += 1
                self.stream.send("change", {"number": self.number, **change}, self._state())

    def close(self) -> None:
        """End the stream."""
        self.stream.close()

    def _state(self) -> Json:
        return {
            "number": self.number,
            "trouble": self._trouble or None,
            "tables": dict(self._encoded),
        }

    def _put(self, table: HallTable) -> Json | None:
        """Update a table's JSON; return the patch, or None if nothing changed."""
        before = self.tables.get(table.id)
        since_s = self._away_since_s(table, before)
        is_old = since_s is None or since_s < time.time() - OLD_S
        if before is None and is_old and not table.is_online:
            return None
        shown = table_json(table, since_s)
        self.tables[table.id] = shown
        if shown == before:
            return None
        self._encoded[table.id] = msgspec.Raw(msgspec.json.encode(shown))
        return shown if before is None else merge_patch(before, shown)

    def _away_since_s(self, table: HallTable, before: Json | None) -> float | None:
        """Return since when a table is offline; at first, the time of its last report."""
        if table.is_online:
            return None
        if before is None:
            return table.report.at_s if table.report is not None else None
        since_s: float | None = before["away_since_s"]
        return time.time() if before["is_online"] else since_s


def table_json(table: HallTable, away_since_s: float | None) -> Json:
    """Return the public JSON of a table."""
    shown: Json = {
        "id": table.id,
        "name": table.id,
        "is_online": table.is_online,
        "away_since_s": away_since_s,
        "commands": list(table.status.commands) if table.status is not None else [],
        "game": None,
    }
    return shown if table.report is None else {**shown, **_report_json(table.report)}


def _report_json(report: Report) -> Json:
    shown: Json = msgspec.json.decode(msgspec.json.encode(report))
    del shown["table"], shown["number"]
    shown["players"].sort(key=lambda one: one["place"])
    claim = report.last_claim
    if claim is not None and report.board in board_names():  # in no language, as of its event
        about = "place" if claim.kind == "station" else claim.kind
        shown["last_claim"]["what"] = _what({about: claim.about}, report.board)
    return {**shown, "name": report.name.strip() or report.table}


def event_json(event: TableEvent, board: str) -> Json:
    """Return an event as JSON, with the names that a sentence about it needs.

    >>> claimed = TableEvent(
    ...     table="t", game="g", number=2, at_s=1.0, kind="route_claimed",
    ...     fact={"kind": "route_claimed", "route": "el-paso--santa-fe", "colour": "red"},
    ... )
    >>> event_json(claimed, "usa")["what"], event_json(claimed, "ours")["what"]
    ('El Paso – Santa Fe', 'El Paso – Santa Fe')
    """
    fact = event.fact
    texts = {name: _text(fact.get(name)) for name in ("colour", "now", "seat", "name")}
    return {
        "number": event.number,
        "at_s": event.at_s,
        "kind": event.kind,
        "what": _what(fact, board),
        **texts,
    }


def _what(fact: Json, board: str) -> str | None:
    """Return the name of the spot that a fact is about; for an unknown board made from its ids."""
    # The board's name is untrusted: only the program's own are loaded.
    known = load_board(board) if board in board_names() else None
    names = {one.id: one.name for one in known.places} if known else {}
    place, site, route = (_text(fact.get(name)) for name in ("place", "site", "route"))
    ids = [] if place is None else [place]
    if route is not None:
        found = known.route_by_id.get(route) if known else None
        ids = [found.a, found.b] if found else route.split("--")[:2]
    elif place is None and site is not None:
        names = {one.id: one.name for one in known.sites} if known else {}
        ids = [site]
    parts = (names.get(id) or re.sub(r"[-_]+", " ", id).title() for id in ids)
    return " \N{EN DASH} ".join(parts) if ids else None


def _text(value: Any) -> str | None:
    return value[:MOST_LETTERS] if isinstance(value, str) else None


class HallSession(Closable):
    """Listens to all tables of a broker while its `with` block runs; the log must be open."""

    def __init__(self, broker: BrokerAddress, log: HallLog) -> None:
        self.feed, self.log = HallFeed(), log
        self.listener = HallListener(
            broker,
            log,
            self.feed.take,
            client_id=f"railspotter-hall-{new_token()[:8]}",  # brokers disconnect a duplicate id
        )

    def __enter__(self) -> Self:
        self.listener.__enter__()
        return self

    def close(self) -> None:
        """Stop listening, and end all streams."""
        self.feed.close()
        self.listener.close()


@dataclass(eq=False)
class HallServices(PageContext):
    """The context of the hall's pages."""

    hall: HallSession

    @property
    def kinds(self) -> frozenset[Needs]:
        """What the hall's pages can serve."""
        return super().kinds | {Needs.HALL}
