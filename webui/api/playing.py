"""Calls that say what is on the board and how the game goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.table.game_log import Colour, EventError, MarkerCompared, Number, TableState

from .calls import Asked, Body, Call, CallError, Nothing, Who

FREE = "free"
Kind = Literal["route", "station", "site"]
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


def done(asked: Asked) -> dict[str, Any]:
    """Return the number of the state that has what was said."""
    return {"number": asked.room.feed.now().number}


def table_of(asked: Asked) -> TableState:
    """Return the game as it is now."""
    return asked.room.table.log.state.table


def _correct(asked: Asked) -> dict[str, Any]:
    said, table = asked.said(Correction), table_of(asked)
    spot = (said.kind, said.about)
    there = {
        "route": table.board.route_by_id.keys(),
        "station": table.board.place_by_id.keys(),
        "site": table.board.site_by_id.keys(),
    }[said.kind]
    if said.about not in there:
        raise CallError(404, "unknown", f"The board has no {said.kind} of that name.")
    if said.kind == "station" and not asked.room.feed.now().game.edition.stations:
        raise CallError(400, "wrong", "This edition has no stations.")
    _require_playing(table, said.now)
    with asked.room.saying:
        held = table_of(asked).spots.get(spot)
        now = held.colour if held else None
        if now != said.was:
            raise CallError(409, "changed", f"It is {now or FREE} by now.", now=now)
        # Between these two the camera may have seen something: then the log refuses.
        try:
            asked.room.table.correct(spot, said.now, was=said.was)
        except EventError as error:
            raise CallError(409, "changed", "It was changed just now: look again.") from error
    return done(asked)


def _answer(asked: Asked) -> dict[str, Any]:
    name, now = asked.named["id"], asked.said(Reply).now
    questions = asked.room.questions
    _require_playing(table_of(asked), now)
    with asked.room.saying:
        asked.room.feed.now()  # a question that was withdrawn just now is not open
        question = questions.find(name)
        if question is None:
            if not questions.was_asked(name):
                raise CallError(404, "unknown", "There is no such question.")
            said = questions.said_to(name)
            if said is None:
                message = "Nobody has to answer this any more: look at the board again."
                raise CallError(409, "answered", message)
            message = f"Somebody was quicker and said {said.now or FREE}."
            raise CallError(409, "answered", message, now=said.now)
        asked.room.table.correct(question.spot, now)
        questions.answered(name, now)
    return done(asked)


def _require_playing(table: TableState, colour: Colour | None) -> None:
    if colour is not None and colour not in (player.colour for player in table.players):
        raise CallError(400, "wrong", "Nobody plays that colour.")


def _undo(asked: Asked) -> dict[str, Any]:
    with asked.room.saying:
        log = asked.room.feed.now().game.log
        seq = log.before_last_turns(_seq(asked, log.undoable, "There is nothing to undo."))
        try:
            asked.room.table.undo(seq)
        except EventError as error:
            raise CallError(409, "changed", "This cannot be undone any more.") from error
    return done(asked)


def _redo(asked: Asked) -> dict[str, Any]:
    with asked.room.saying:
        log = asked.room.feed.now().game.log
        seq = _seq(asked, log.redoable, "There is nothing to put back.")
        try:
            asked.room.table.redo(seq)
        except EventError as error:
            raise CallError(409, "changed", "This cannot be put back any more.") from error
    return done(asked)


def _seq(asked: Asked, next_one: int | None, nothing: str) -> int:
    """Return which event is meant, by the log's number; only public ones can be."""
    number = asked.said(Which).event
    seq = next_one if number is None else asked.room.feed.now().game.log.seq_of(number)
    if seq is None:
        raise CallError(409, "changed", nothing if number is None else "There is no such event.")
    return seq


def _said(say: Callable[[Asked], object]) -> Callable[[Asked], dict[str, Any]]:
    """Return a call that says something to the table and needs nothing else."""

    def call(asked: Asked) -> dict[str, Any]:
        with asked.room.saying:
            say(asked)
        return done(asked)

    return call


def _confirm(asked: Asked) -> dict[str, Any]:
    said, table = asked.said(Joining).spots, table_of(asked)
    with asked.room.saying:
        if asked.room.table.view.joining is None:
            raise CallError(409, "changed", "There is nothing to confirm.")
        if said is None:
            asked.room.table.confirm_joining()
            return done(asked)
        board = {}
        for key, colour in said.items():
            _require_playing(table, colour)
            kind, _, name = key.partition(":")
            board[kind, name] = colour
        asked.room.table.confirm_joining(board)  # type: ignore[arg-type]  # kinds are checked
    return done(asked)


def _compare(asked: Asked) -> dict[str, Any]:
    said = asked.said(Marker)
    if table_of(asked).player(said.seat) is None:
        raise CallError(404, "unknown", "There is no such seat.")
    with asked.room.saying:
        asked.room.table.write([MarkerCompared(said.seat, said.said)])
    return done(asked)


def _again(asked: Asked) -> dict[str, Any]:
    again = asked.room.again
    if again is None:
        raise CallError(409, "not here", "Begin the next game on the computer.")
    with asked.room.saying:
        if not table_of(asked).ended:
            raise CallError(409, "not over", "This game goes on: end it first.")
        again(asked.room.pairing.take_along)
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
    Call("POST", "/undo", Who.TABLE, "Takes back an event.", _undo, body=Which),
    Call("POST", "/redo", Who.TABLE, "Puts back an event.", _redo, body=Which),
    Call(
        "POST",
        "/pause",
        Who.TABLE,
        "What happens now is no turn.",
        _said(lambda asked: asked.room.table.pause()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/resume",
        Who.TABLE,
        "The game goes on.",
        _said(lambda asked: asked.room.table.resume()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/look-again",
        Who.TABLE,
        "Looks at the whole board anew.",
        _said(lambda asked: asked.room.table.look_again()),
        body=Nothing,
    ),
    Call(
        "POST",
        "/joining",
        Who.HOST,
        "Confirms what lay on the board when watching began.",
        _confirm,
        body=Joining,
    ),
    Call(
        "POST",
        "/end",
        Who.HOST,
        "The game is over.",
        _said(lambda asked: asked.room.table.end()),
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
    Call("POST", "/again", Who.HOST, "Begins a new game.", _again, body=Nothing),
)
