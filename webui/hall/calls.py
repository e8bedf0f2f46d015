"""The hall's calls: all tables, what changes, one table, and what the host has a table do."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Literal

from flask import Response
from railspotter.club.errors import ClubError
from railspotter.club.messages import Command, Report
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import exports

from ..api.calls import (
    Body,
    Call,
    CallError,
    CallRequest,
    ErrorRule,
    Who,
    content_response,
    with_refusals,
)
from ..api.state import device_json, stream_response, tagged_response
from ..feed.public_state import Json
from ..rooms.services import Needs
from .hall_room import HallEntrance, HallRoom

REFUSALS = (ErrorRule((ClubError,), 503, "not read"),)
# What a game's line has of a player's report, beside the name.
NUMBERS = (
    "place",
    "points",
    "is_winner",
    "route_points",
    "longest_path",
    "holds_longest",
    "trains_left",
)


class TableCommand(Body, frozen=True):
    """What a table is to do."""

    command: Literal["pause", "resume", "look_again"]


def _hall(request: CallRequest) -> HallRoom:
    if not isinstance(request.entrance, HallEntrance):
        raise CallError(404, "unknown", "There is no such call.")
    return request.entrance.hall


def _state(request: CallRequest) -> Response:
    feed, own = _hall(request).feed, device_json(request.device)
    state = feed.state()
    tag = f"{state['number']}-{own['role']}"
    return tagged_response(request, tag, {**state, "you": own})


def _events(request: CallRequest) -> Response:
    return stream_response(request, _hall(request).feed.streams[request.language])


def _table(request: CallRequest) -> Json:
    hall, table = _hall(request), _table_named(request)
    game = table["game"]
    events = hall.events(table["id"], game, table["board"]) if game is not None else []
    return {"table": table, "events": events}


def _command(request: CallRequest) -> dict[str, Any]:
    table, command = _table_named(request), request.body_as(TableCommand).command
    if not table["is_online"]:
        raise CallError(409, "away", Sentence("{table} is not there now.", table=table["name"]))
    if command not in table["commands"]:
        raise CallError(
            409, "not let", Sentence("{table} does not let others do that.", table=table["name"])
        )
    if not _hall(request).tell(table["id"], Command(command=command)):
        raise CallError(
            503, "no broker", "The broker is not reached, so the table was told nothing."
        )
    return {"table": table["id"], "command": command}


def _ignored(request: CallRequest) -> Json:
    feed = _hall(request).feed
    kinds = [{"why": why, "count": count} for why, count in feed.ignored.items()]
    names = {id: feed.tables[id]["name"] if id in feed.tables else id for id in feed.ignored_of}
    tables = [
        {"table": id, "name": names[id], "count": count} for id, count in feed.ignored_of.items()
    ]
    return {
        "count": sum(feed.ignored.values()),
        "kinds": sorted(kinds, key=lambda one: -int(str(one["count"]))),
        "tables": sorted(tables, key=lambda one: -int(str(one["count"]))),
    }


def _results(request: CallRequest) -> Response:
    content = results_csv(_hall(request).results()).encode()
    return content_response(
        content, "text/csv", **{"Content-Disposition": 'attachment; filename="results.csv"'}
    )


def results_csv(reports: Iterable[Report]) -> str:
    """Return games as CSV, a line a player, the winner first."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("table", "board", "game", "started", "player", *NUMBERS))
    for report in reports:
        started = datetime.fromtimestamp(report.started_at_s, UTC).isoformat(timespec="seconds")
        game = (report.table, report.board, report.game, started)
        for one in sorted(report.players, key=lambda one: (one.place, not one.is_winner)):
            texts = [exports.text_cell(text) for text in (*game, one.name)]
            rows.writerow([*texts, *(int(getattr(one, name)) for name in NUMBERS)])
    return out.getvalue()


def _table_named(request: CallRequest) -> Json:
    table = _hall(request).feed.tables.get(request.named["id"])
    if table is None:
        raise CallError(404, "unknown", "There is no such table.")
    return table


CALLS = (
    Call(
        "GET",
        "/hall/state",
        Who.ALL,
        "All tables that a broker tells of, and who you are.",
        _state,
        needs=Needs.HALL,
    ),
    Call(
        "GET",
        "/hall/events",
        Who.ALL,
        "What changes at the tables, as it does.",
        _events,
        gives="text/event-stream",
        needs=Needs.HALL,
    ),
    Call(
        "GET",
        "/hall/tables/{id}",
        Who.ALL,
        "One table, with the newest events of its game.",
        with_refusals(_table, REFUSALS),
        needs=Needs.HALL,
    ),
    Call(
        "POST",
        "/hall/tables/{id}/commands",
        Who.HOST,
        "Has a table pause, go on or look again, where it lets others.",
        _command,
        body=TableCommand,
        needs=Needs.HALL,
    ),
    Call(
        "GET",
        "/hall/ignored",
        Who.HOST,
        "How many messages were not believed, why, and under whose topics.",
        _ignored,
        needs=Needs.HALL,
    ),
    Call(
        "GET",
        "/hall/results",
        Who.HOST,
        "The counted games of all tables, a line a player, as CSV.",
        with_refusals(_results, REFUSALS),
        gives="text/csv",
        needs=Needs.HALL,
    ),
)
