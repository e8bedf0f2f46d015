"""Calls that say what is on the board and how the game goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Kind, Spot
from railspotter.table.errors import HomeError, TableError
from railspotter.table.game_log.course_facts import PointsCounted
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.facts import Colour, Event, Number
from railspotter.table.game_log.people_facts import MarkerCompared, Player
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.commands import (
    CallSomebody,
    Command,
    ConfirmJoining,
    Correct,
    End,
    LookAgain,
    MarkTurn,
    PackAway,
    Pause,
    Redo,
    Resume,
    Undo,
)

from .calls import Body, Call, CallError, CallRequest, Nothing, Who, reason_of

FREE = "free"
SpotKey = Annotated[str, msgspec.Meta(pattern="^(route|station|site):[a-z0-9-]{1,80}$")]


class Correction(Body, frozen=True):
    """What stands on a spot: `was` as the page showed it, `now` in truth; null is free."""

    kind: Kind
    about: Identifier
    was: Colour | None
    now: Colour | None


class Reply(Body, frozen=True):
    """What a question is answered; null is free."""

    now: Colour | None


class Which(Body, frozen=True):
    """An event by its number; without it, the next one."""

    event: Number | None = None


class Joining(Body, frozen=True):
    """What lay on the board, whose by what; without it, what was seen there."""

    spots: dict[SpotKey, Colour] | None = None


class Marker(Body, frozen=True):
    """The number where a player's score marker stands."""

    seat: Identifier
    said: Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]


class Turn(Body, frozen=True):
    """Whose turn it is."""

    seat: Identifier


class Wish(Body, frozen=True):
    """Whether somebody is wanted."""

    wanted: bool


class Minutes(Body, frozen=True):
    """After how long a turn people are reminded of it; 0 is never."""

    minutes: Annotated[int, msgspec.Meta(ge=0, le=60)]


def written(request: CallRequest, events: Sequence[Event] = ()) -> dict[str, Any]:
    """Return the number of the state that has what was said, and what takes it back."""
    now = request.room.feed.now()
    numbers = now.game.log.number_by_seq
    public = [numbers[event.seq] for event in events if event.seq in numbers]
    return {"number": now.number, "undo": {"event": public[-1]} if public else None}


def player_at(table: TableState, seat: str) -> Player:
    """Return who has a seat; raises `CallError` where there is no such."""
    player = table.player(seat)
    if player is None:
        raise CallError(404, "unknown", "There is no such seat.")
    return player


def table_of(request: CallRequest) -> TableState:
    """Return the game as it is now."""
    return request.room.table.log.state.table


def _correct(request: CallRequest) -> dict[str, Any]:
    body, table = request.body_as(Correction), table_of(request)
    spot = Spot(body.kind, body.about)
    if not spot.is_on(table.board):
        raise CallError(
            404, "unknown", Sentence("The board has no {kind} of that name.", kind=body.kind)
        )
    if body.kind == "station" and not request.room.feed.now().game.edition.stations:
        raise CallError(400, "wrong", "This edition has no stations.")
    _require_playing(table, body.now)
    with request.room.lock:
        try:
            command = Correct(spot, body.now, body.was)
            events = request.room.table.do(command, request.writer)
        except EventError as error:
            held = table_of(request).spots.get(spot)
            now = held.colour if held else None
            if now == body.was:
                raise CallError(
                    409, "changed", "Somebody has just changed it: look again."
                ) from error
            raise CallError(
                409,
                "changed",
                Sentence("Somebody has just changed it: it is {colour}.", colour=now or FREE),
                now=now,
            ) from error
    return written(request, events)


def _answer(request: CallRequest) -> dict[str, Any]:
    name, now = request.named["id"], request.body_as(Reply).now
    questions = request.room.table.questions
    _require_playing(table_of(request), now)
    with request.room.lock:
        question = questions.find(name)
        if question is None:
            if not questions.is_closed(name):
                raise CallError(404, "unknown", "There is no such question.")
            answer = questions.answer_to(name)
            if answer is None:
                message = Sentence("This needs no answer any more: look at the board again.")
                raise CallError(409, "answered", message)
            message = Sentence("Somebody was faster and said {colour}.", colour=answer.now or FREE)
            raise CallError(409, "answered", message, now=answer.now)
        command = Correct(question.spot, now, is_answer=True)
        events = request.room.table.do(command, request.writer)
    return written(request, events)


def _require_playing(table: TableState, colour: Colour | None) -> None:
    if colour is not None and colour not in (player.colour for player in table.players):
        raise CallError(400, "wrong", "Nobody plays that colour.")


def _undo(request: CallRequest) -> dict[str, Any]:
    with request.room.lock:
        log = request.room.feed.now().game.log
        seq = log.before_last_turns(
            _seq(request, log.undoable, Sentence("There is nothing to undo."))
        )
        try:
            request.room.table.do(Undo(seq), request.writer)
        except EventError as error:
            raise CallError(409, "changed", "This cannot be undone any more.") from error
    return written(request)


def _redo(request: CallRequest) -> dict[str, Any]:
    with request.room.lock:
        log = request.room.feed.now().game.log
        seq = _seq(request, log.redoable, Sentence("There is nothing to redo."))
        try:
            request.room.table.do(Redo(seq), request.writer)
        except EventError as error:
            raise CallError(409, "changed", "This cannot be redone any more.") from error
    return written(request)


def _seq(request: CallRequest, next_one: int | None, nothing: Sentence) -> int:
    """Return which event is meant, by the log's number; only public ones can be."""
    number = request.body_as(Which).event
    seq = next_one if number is None else request.room.feed.now().game.log.seq_of(number)
    if seq is None:
        raise CallError(
            409, "changed", nothing if number is None else Sentence("There is no such event.")
        )
    return seq


def _table_call(command: Command) -> Callable[[CallRequest], dict[str, Any]]:
    """Return a call that says something to the table and needs nothing else."""

    def call(request: CallRequest) -> dict[str, Any]:
        with request.room.lock:
            events = request.room.table.do(command, request.writer)
        return written(request, events)

    return call


def _call_somebody(request: CallRequest) -> dict[str, Any]:
    table = request.room.table
    try:
        table.do(CallSomebody(request.body_as(Wish).wanted))
    except TableError as error:
        raise CallError(409, "unheard", error.sentence) from error
    return {"is_called": table.view.is_called}


def _confirm(request: CallRequest) -> dict[str, Any]:
    spots, table = request.body_as(Joining).spots, table_of(request)
    with request.room.lock:
        view = request.room.table.view
        if view.sight.joining is None:
            raise CallError(409, "changed", "There is nothing to confirm.")
        if not view.is_joining_open and not Who.HOST.may(request.device):
            raise CallError(
                403, "too early", "The host is asked first: any player may say so after a minute."
            )
        for colour in (spots or {}).values():
            _require_playing(table, colour)
        board = None
        if spots is not None:
            board = {Spot.from_key(key): colour for key, colour in spots.items()}
        events = request.room.table.do(ConfirmJoining(board), request.writer)
    return written(request, events)


def _pack_away(request: CallRequest) -> dict[str, Any]:
    with request.room.lock:
        if table_of(request).ended:
            raise CallError(409, "over", "The game is over.")
        events = request.room.table.do(PackAway(), request.writer)
    return written(request, events)


def _compare(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(Marker)
    player_at(table_of(request), body.seat)
    with request.room.lock:
        events = request.room.table.write([MarkerCompared(body.seat, body.said)], request.writer)
    return written(request, events)


def _turn(request: CallRequest) -> dict[str, Any]:
    seat = request.body_as(Turn).seat
    with request.room.lock:
        table = table_of(request)
        player_at(table, seat)
        if seat in table.left:
            raise CallError(409, "changed", "This player has left already.")
        if table.ended:
            raise CallError(409, "over", "The game is over.")
        if table.dealing is not None and request.writer.role == "player":
            # Moves are only for who has the turn: a player may not take it.
            raise CallError(
                403,
                "not your role",
                "The cards are on phones: only the host says whose turn it is.",
            )
        events = request.room.table.do(MarkTurn(seat), request.writer)
    return written(request, events)


def _count(request: CallRequest) -> dict[str, Any]:
    with request.room.lock:
        table = table_of(request)
        if not table.ended:
            raise CallError(409, "not over", "This game is still going: end it first.")
        # Two who tap at once count once.
        facts = () if table.counted else (PointsCounted(),)
        events = request.room.table.write(facts, request.writer) if facts else ()
    return written(request, events)


def _reminder(request: CallRequest) -> dict[str, Any]:
    return {"minutes": request.room.table.reminder.minutes}


def _remind(request: CallRequest) -> dict[str, Any]:
    try:
        request.room.table.reminder.choose(request.body_as(Minutes).minutes)
    except HomeError as error:
        raise CallError(503, "not written", reason_of(error)) from error
    return _reminder(request)


def _again(request: CallRequest) -> dict[str, Any]:
    again = request.room.again
    if again is None:
        raise CallError(409, "not here", "Begin the next game on the computer.")
    with request.room.lock:
        if not table_of(request).ended:
            raise CallError(409, "not over", "This game is still going: end it first.")
        again(request.services.door.pairing.take_along)
    return {}


CALLS = (
    Call(
        "POST",
        "/corrections",
        Who.TABLE,
        "Says what stands on a spot; 409 when it is something else by now than the page showed.",
        _correct,
        body=Correction,
    ),
    Call(
        "POST",
        "/questions/{id}/answer",
        Who.TABLE,
        "Answers a question; the first answer wins.",
        _answer,
        body=Reply,
    ),
    Call("POST", "/undo", Who.TABLE, "Undoes an event.", _undo, body=Which),
    Call("POST", "/redo", Who.TABLE, "Redoes an event.", _redo, body=Which),
    Call(
        "POST",
        "/call",
        Who.TABLE,
        "Calls somebody of the house to the table, or says that nobody is needed any more.",
        _call_somebody,
        body=Wish,
    ),
    Call(
        "POST",
        "/pause",
        Who.TABLE,
        "What happens now is no turn.",
        _table_call(Pause()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/resume",
        Who.TABLE,
        "The game goes on.",
        _table_call(Resume()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/pack-away",
        Who.HOST,
        "Pauses the game and keeps a picture of the board, which is laid out again later.",
        _pack_away,
        body=Nothing,
    ),
    Call(
        "POST",
        "/rebuilt",
        Who.TABLE,
        "The board of a game that was packed away lies as it should, whatever the camera sees.",
        _table_call(Resume(is_rebuilt=True)),
        body=Nothing,
    ),
    Call(
        "POST",
        "/look-again",
        Who.TABLE,
        "Looks at the whole board anew.",
        _table_call(LookAgain()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/joining",
        Who.TABLE,
        "Says what lay on the board when watching began; a player may after a minute, else 403.",
        _confirm,
        body=Joining,
    ),
    Call(
        "POST",
        "/end",
        Who.HOST,
        "The game is over.",
        _table_call(End()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/markers",
        Who.TABLE,
        "Says where a score marker stands.",
        _compare,
        body=Marker,
    ),
    Call("POST", "/turn", Who.TABLE, "Says whose turn it is.", _turn, body=Turn),
    Call("GET", "/reminder", Who.HOST, "After how long a turn people are reminded.", _reminder),
    Call(
        "PUT", "/reminder", Who.HOST, "Chooses it, also for the next game.", _remind, body=Minutes
    ),
    Call("POST", "/count", Who.TABLE, "The points are counted.", _count, body=Nothing),
    Call("POST", "/again", Who.HOST, "Begins a new game.", _again, body=Nothing),
)
