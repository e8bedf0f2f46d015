"""The hall's services for its calls: the listener, the feed and the log."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Self

from railspotter.club.broker import BrokerAddress
from railspotter.club.hall.hall_log import HallLog
from railspotter.club.hall.listening import HallListener
from railspotter.club.messages import TableEvent
from railspotter.scoring.board import board_names, load_board
from railspotter.table.worker import Closable

from ..access.roles import new_token
from ..feed.public_state import Json
from ..sessions.services import Needs, PageContext
from .feed import HallFeed

MOST_EVENTS = 200  # the newest events of a table that its sheet shows
MOST_LETTERS = 200  # of a fact's value; longer ones are cut


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
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self.listener)
        return self

    def close(self) -> None:
        """Stop listening, and end all streams."""
        self.feed.close()
        self._stack.close()


@dataclass(frozen=True)
class HallServices(PageContext):
    """The context of the hall's pages."""

    hall: HallSession

    @property
    def offers(self) -> frozenset[Needs]:
        """What the hall's pages can serve."""
        return super().offers | {Needs.HALL}


def event_json(event: TableEvent, board: str) -> Json:
    """Return an event as JSON, with the names that a sentence about it needs.

    Examples
    --------
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
