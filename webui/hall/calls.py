"""The hall's calls: all tables, what changes, one table, and what the host has a table do."""

from __future__ import annotations

from typing import Any, Literal

from flask import Response
from railspotter.club import ClubError, Command
from railspotter.scoring.sentence import Sentence

from ..api import (
    Body,
    Call,
    CallError,
    CallRequest,
    Who,
    device_json,
    reason_of,
    stream_response,
    tagged_response,
)
from ..feed import Json
from ..rooms import Needs
from .hall_room import hall_of
from .tournament_calls import CALLS as TOURNAMENT_CALLS


class TableCommand(Body, frozen=True):
    """What a table is to do."""

    command: Literal["pause", "resume", "look_again"]


def _state(request: CallRequest) -> Response:
    feed, own = hall_of(request).feed, device_json(request.device)
    state = feed.state()
    tag = f"{state['number']}-{own['role']}"
    return tagged_response(request, tag, {**state, "you": own})


def _events(request: CallRequest) -> Response:
    return stream_response(request, hall_of(request).feed.streams[request.language])


def _table(request: CallRequest) -> Json:
    hall, table = hall_of(request), _table_named(request)
    game = table["game"]
    try:
        events = hall.events(table["id"], game, table["board"]) if game is not None else []
    except ClubError as error:
        raise CallError(503, "not read", reason_of(error)) from error
    return {"table": table, "events": events}


def _command(request: CallRequest) -> dict[str, Any]:
    table, command = _table_named(request), request.body_as(TableCommand).command
    if not table["is_online"]:
        raise CallError(409, "away", Sentence("{table} is not there now.", table=table["name"]))
    if command not in table["commands"]:
        raise CallError(
            409, "not let", Sentence("{table} does not let others do that.", table=table["name"])
        )
    if not hall_of(request).tell(table["id"], Command(command=command)):
        raise CallError(
            503, "no broker", "The broker is not reached, so the table was told nothing."
        )
    return {"table": table["id"], "command": command}


def _ignored(request: CallRequest) -> Json:
    feed = hall_of(request).feed
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


def _table_named(request: CallRequest) -> Json:
    table = hall_of(request).feed.tables.get(request.named["id"])
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
        _table,
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
    *TOURNAMENT_CALLS,
)
