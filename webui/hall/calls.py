"""The hall's calls: all tables, what changes, one table, and what the host has a table do."""

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

from flask import Response
from railspotter.club.errors import ClubError
from railspotter.club.messages import Command, Report
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import exports

from ..api import responses
from ..api.calls import CallRequest, Who, call
from ..api.refusals import CallError, refused_as
from ..api.state import You, stream_response
from ..feed.public_state import Json
from ..sessions.services import Needs
from .hall_session import MOST_EVENTS, HallServices, HallSession, event_json

# The numeric columns of the CSV of results.
NUMBERS = (
    "place",
    "points",
    "is_winner",
    "route_points",
    "longest_path",
    "holds_longest",
    "trains_left",
)


def _hall(request: CallRequest) -> HallSession:
    if not isinstance(request.page_context, HallServices):
        raise CallError(404, "unknown", "There is no such call.")
    return request.page_context.hall


@call("GET", "/hall/state", Who.ALL, needs=Needs.HALL)
def get_state(request: CallRequest) -> Response:
    """All tables that a broker tells of, and who you are."""
    feed, own = _hall(request).feed, You.of(request.device)
    state = feed.state()
    tag = f"{state['number']}-{own.role}"
    return responses.tagged(request, tag, {**state, "you": own})


@call("GET", "/hall/events", Who.ALL, needs=Needs.HALL, gives="text/event-stream")
def get_events(request: CallRequest) -> Response:
    """What changes at the tables, as it does."""
    return stream_response(request, _hall(request).feed.stream)


@call("GET", "/hall/tables/{id}", Who.ALL, needs=Needs.HALL)
def get_table(request: CallRequest, id: str) -> Json:
    """One table, with the newest events of its game."""
    log, table = _hall(request).log, _table(request, id)
    game = table["game"]
    with refused_as(ClubError, 503, "not read"):
        events = log.events(table["id"], game, MOST_EVENTS) if game is not None else []
    return {"table": table, "events": [event_json(event, table["board"]) for event in events]}


@call("POST", "/hall/tables/{id}/commands", Who.HOST, needs=Needs.HALL)
def command(
    request: CallRequest, id: str, *, command: Literal["pause", "resume", "look_again"]
) -> Json:
    """Has a table pause, go on or look again, where it lets others."""
    table = _table(request, id)
    if not table["is_online"]:
        raise CallError(409, "away", Sentence("{table} is not there now.", table=table["name"]))
    if command not in table["commands"]:
        raise CallError(
            409, "not let", Sentence("{table} does not let others do that.", table=table["name"])
        )
    if not _hall(request).listener.tell(table["id"], Command(command=command)):
        raise CallError(
            503, "no broker", "The broker is not reached, so the table was told nothing."
        )
    return {"table": table["id"], "command": command}


@call("GET", "/hall/ignored", Who.HOST, needs=Needs.HALL)
def get_ignored(request: CallRequest) -> Json:
    """How many messages were not believed, why, and under whose topics."""
    shown, hall = _hall(request).feed.tables, _hall(request).listener.hall
    ignored = hall.ignored.copy()  # the listener's thread goes on counting
    return {
        "count": ignored.total(),
        "kinds": [
            {"why": why.name.lower(), "count": count} for why, count in ignored.most_common()
        ],
        "tables": [
            {"table": id, "name": shown.get(id, {}).get("name", id), "count": count}
            for id, count in hall.ignored_of.copy().most_common()
        ],
    }


@call("GET", "/hall/results", Who.HOST, needs=Needs.HALL, gives="text/csv")
def get_results(request: CallRequest) -> Response:
    """The counted games of all tables, a line a player, as CSV."""
    with refused_as(ClubError, 503, "not read"):
        content = results_csv(_hall(request).log.results()).encode()
    return responses.download(content, "text/csv", "results.csv")


def results_csv(reports: Iterable[Report]) -> str:
    """Return games as CSV, with a line for each player, the winner first."""
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


def _table(request: CallRequest, id: str) -> Json:
    table = _hall(request).feed.tables.get(id)
    if table is None:
        raise CallError(404, "unknown", "There is no such table.")
    return table
