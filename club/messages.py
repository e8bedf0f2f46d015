"""What tables tell over MQTT: topics, messages and their schema. docs/mqtt.md has them for readers.

Topics begin with the version of what is written below them; a message that a later program adds
fields to is still read by this one.
"""

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from railspotter.scoring.names import Words
from railspotter.scoring.sentence import raised_as
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.events import check_fact

VERSION = "v1"  # rises when an old receiver would misread what is told
# Of a message that is read. The longest honest one, a report of five players, has some 3,000.
MOST_BYTES = 64 * 1024

TABLE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")  # what a table may be called in topics

Id = Annotated[str, Meta(pattern=rf"^{TABLE_ID.pattern}$")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
# Seconds since 1970, up to the year 2100; a clock that nobody has set begins at 0.
Moment = Annotated[float, Meta(ge=0, le=4_102_444_800)]
MOST_SEATS = 12  # as many as a game's log takes
Number = Annotated[int, Meta(ge=1, le=2**53)]  # also for receivers that count in floating point
Few = Annotated[tuple[Words, ...], Meta(max_length=20)]
Phase = Literal["playing", "paused", "packed_away", "ended", "counted"]


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """What every message says."""

    table: Id  # the table's id, as in its topic


class Status(Message, frozen=True, kw_only=True):
    """Whether a table is there: retained, and the last will of its connection.

    `commands` are what the table lets others do, and `since_s` is when the program began that tells
    this: of two tables of one id the earlier one stays.
    """

    status: Literal["online", "offline"]
    commands: Few = ()
    since_s: Moment = 0.0


class PlayerReport(msgspec.Struct, frozen=True, kw_only=True):
    """One player's part of a report; without tickets that nobody has shown yet.

    `place` is 1 for whoever leads; players who are level share it.
    """

    seat: Words
    name: Words
    colour: Words
    place: Number
    points: Points
    route_points: Points
    trains_left: Points
    longest_path: Count
    holds_longest: bool = False
    is_winner: bool = False
    has_left: bool = False
    computer: Words | None = None


class LastClaim(msgspec.Struct, frozen=True, kw_only=True):
    """The newest claim that stands: a route by its ends, a station by its place, or a site."""

    seat: Words | None
    colour: Words
    kind: Literal["route", "station", "site"]
    about: Words
    what: Words
    at_s: Moment


class Report(Message, frozen=True, kw_only=True):
    """A table's state and standing: retained, so that who comes later knows it at once.

    `number` rises from report to report, also when the table is started anew: a lower one is an old
    one. `name` is what the table is called, and `title` the game: by the edition's title where
    nobody named it. `leaders` are the seats with most points, or the winners once the points are
    counted; `turn` is the seat whose turn it probably is. `help` is why the table needs somebody:
    `camera`, `board`, `covered`, `question`, `joining`, `called`. `questions` of the camera are
    open, and `events` is the number of the newest event that was told.
    """

    number: Number
    name: Words
    at_s: Moment
    game: Words
    title: Words
    edition: Words
    board: Words
    phase: Phase
    started_at_s: Moment
    players: Annotated[tuple[PlayerReport, ...], Meta(max_length=MOST_SEATS)]
    leaders: Annotated[tuple[Words, ...], Meta(max_length=MOST_SEATS)] = ()
    turn: Words | None = None
    last_turns_by: Words | None = None
    last_claim: LastClaim | None = None
    help: Few = ()
    questions: Count = 0
    events: Count = 0


class TableEvent(Message, frozen=True, kw_only=True):
    """Something that happened and that everyone may see; sent until the broker has it.

    `number` counts a game's told events, from 1 and without gaps: who has heard it drops it, who
    misses one asks for it. `kind` and `fact` are as docs/game-log.md has them; an event that the
    fact names is named by its number here.
    """

    game: Words
    number: Number
    at_s: Moment
    kind: Words
    fact: dict[str, Any]


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody wants of a table: `pause`, `resume`, `look_again` where the table allows it.

    `resend` it always does: the events of that game from the first number to the last.
    """

    command: Literal["pause", "resume", "look_again", "resend"]
    game: Words | None = None
    first: Number | None = None
    last: Number | None = None


# By the last part of a topic, what is told there.
KINDS: dict[str, type] = {
    "status": Status,
    "report": Report,
    "events": TableEvent,
    "commands": Command,
}


def parse_message(kind: str, payload: bytes) -> Any:
    """Read what was told, as `KINDS` has it; a fact of a kind that is known has to be whole.

    Raises `msgspec.DecodeError` for what is no JSON, or not as the schema has it.
    """
    with raised_as(msgspec.ValidationError, (EventError, RecursionError, UnicodeDecodeError)):
        message: Any = msgspec.json.decode(payload, type=KINDS[kind])
        if isinstance(message, TableEvent):
            check_fact(message.kind, message.fact)
    return message


def topic(prefix: str, table: str, kind: str) -> str:
    """Return where a table tells something; `+` as the table stands for every one.

    >>> topic("railspotter", "table-3", "report")
    'railspotter/v1/tables/table-3/report'
    """
    return f"{prefix}/{VERSION}/tables/{table}/{kind}"


def table_of(prefix: str, topic: str) -> tuple[str, str] | None:
    """Return the table and the kind that a topic names; None for a topic that is none of these."""
    begin = f"{prefix}/{VERSION}/tables/"
    if not topic.startswith(begin):
        return None
    table, _, kind = topic.removeprefix(begin).partition("/")
    return (table, kind) if TABLE_ID.fullmatch(table) and kind in KINDS else None
