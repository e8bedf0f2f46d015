"""Calls that change a running game: corrections, answers, undo, pauses, turns and the end."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.names import Name
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Kind, Spot
from railspotter.table.errors import TableError
from railspotter.table.game_log.board_facts import TrainsAssigned
from railspotter.table.game_log.course_facts import StocksConfirmed
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.facts import Event, Number
from railspotter.table.game_log.people_facts import MarkerCompared, Player
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table import commands
from railspotter.table.live_table.course import turn_fact

from .calls import Body, CallRequest, Nothing, Who, call
from .refusals import CallError, refused_as

FREE = "free"
MarkerNumber = Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]
SpotKey = Annotated[str, msgspec.Meta(pattern="^(route|station|site):[a-z0-9-]{1,80}$")]


class Called(msgspec.Struct, frozen=True):
    """Whether somebody is called now; None where the table tells no broker."""

    is_called: bool | None


class Minutes(Body, frozen=True):
    """After how long a turn people are reminded of it; 0 is never."""

    minutes: Annotated[int, msgspec.Meta(ge=0, le=60)]


class Undo(msgspec.Struct, frozen=True):
    """What takes back what was said."""

    event: int  # the number of the event that is undone for it


class Written(msgspec.Struct, frozen=True):
    """What was said is written down."""

    number: int  # of the state that has it
    undo: Undo | None  # None where nothing public was written that can be undone


def written(request: CallRequest, events: Sequence[Event] = ()) -> Written:
    """Return the answer to a changing call: the new state's number, and how to undo it."""
    now = request.session.feed.now()
    log = now.game.log
    undoable = [
        log.number_by_seq[event.seq]
        for event in events
        if event.seq in log.number_by_seq and event.seq in log.game.undoable
    ]
    return Written(now.number, Undo(undoable[-1]) if undoable else None)


def player_at(table: TableState, seat: str) -> Player:
    """Return a seat's player; raises `CallError` for an unknown seat."""
    player = table.player(seat)
    if player is None:
        raise CallError(404, "unknown", "There is no such seat.")
    return player


def table_of(request: CallRequest) -> TableState:
    """Return the current state of the game."""
    return request.session.table.log.state.table


@call("POST", "/corrections", Who.TABLE)
def correct(
    request: CallRequest, *, kind: Kind, about: Identifier, was: Name | None, now: Name | None
) -> Written:
    """Says what stands on a spot, null is free; 409 when by now it is not what the page showed."""
    table, spot = table_of(request), Spot(kind, about)
    if not spot.is_on(table.board):
        raise CallError(
            404, "unknown", Sentence("The board has no {kind} of that name.", kind=kind)
        )
    if kind == "station" and not table.edition.stations:
        raise CallError(400, "wrong", "This edition has no stations.")
    _require_playing(table, now)
    try:
        events = request.execute(commands.Correct(spot, now, was, seat=_seat_of(request)))
    except EventError as error:
        held = table_of(request).spots.get(spot)
        colour = held.colour if held else None
        if colour == was:
            raise CallError(409, "changed", "Somebody has just changed it: look again.") from error
        raise CallError(
            409,
            "changed",
            Sentence("Somebody has just changed it: it is {colour}.", colour=colour or FREE),
            now=colour,
        ) from error
    return written(request, events)


@call("POST", "/questions/{id}/answer", Who.TABLE)
def answer(request: CallRequest, id: str, *, now: Name | None) -> Written:
    """Answers a question, null is free; the first answer wins."""
    questions = request.session.table.questions
    _require_playing(table_of(request), now)
    question = questions.find(id)
    if question is None:
        if not questions.is_closed(id):
            raise CallError(404, "unknown", "There is no such question.")
        said = questions.answer_to(id)
        if said is None:
            message = Sentence("This needs no answer any more: look at the board again.")
            raise CallError(409, "answered", message)
        message = Sentence("Somebody was faster and said {colour}.", colour=said.now or FREE)
        raise CallError(409, "answered", message, now=said.now)
    command = commands.Correct(question.spot, now, is_answer=True, seat=_seat_of(request))
    return written(request, request.execute(command))


def _seat_of(request: CallRequest) -> str:
    return (request.device and request.device.seat) or ""


def _require_playing(table: TableState, colour: Name | None) -> None:
    if colour is not None and colour not in (player.colour for player in table.players):
        raise CallError(400, "wrong", "Nobody plays that colour.")


@call("POST", "/undo", Who.TABLE)
def undo(request: CallRequest, *, event: Number | None = None) -> Written:
    """Undoes an event, without its number the next one."""
    log = request.session.feed.now().game.log
    seq = _seq(log, event, log.undoable, Sentence("There is nothing to undo."))
    with refused_as(EventError, 409, "changed", Sentence("This cannot be undone any more.")):
        request.execute(commands.Undo(log.before_last_turns(seq)))
    return written(request)


@call("POST", "/redo", Who.TABLE)
def redo(request: CallRequest, *, event: Number | None = None) -> Written:
    """Redoes an event, without its number the next one."""
    log = request.session.feed.now().game.log
    seq = _seq(log, event, log.redoable, Sentence("There is nothing to redo."))
    with refused_as(EventError, 409, "changed", Sentence("This cannot be redone any more.")):
        request.execute(commands.Redo(seq))
    return written(request)


def _seq(log: PublicLog, event: int | None, next_one: int | None, nothing: Sentence) -> int:
    """Return the log's number of the event to undo or redo; only public ones are allowed."""
    seq = next_one if event is None else log.seq_of(event)
    if seq is None:
        raise CallError(
            409, "changed", nothing if event is None else Sentence("There is no such event.")
        )
    return seq


@call("POST", "/call", Who.TABLE)
def call_somebody(request: CallRequest, *, wanted: bool) -> Called:
    """Calls somebody of the house to the table, or says that nobody is needed any more."""
    table = request.session.table
    with refused_as(TableError, 409, "unheard"):
        table.call_somebody(wanted)
    return Called(table.view.is_called)


@call("POST", "/pause", Who.TABLE)
def pause(request: CallRequest) -> Written:
    """What happens now is no turn."""
    return written(request, request.execute(commands.Action.PAUSE))


@call("POST", "/resume", Who.TABLE)
def resume(request: CallRequest) -> Written:
    """The game goes on."""
    return written(request, request.execute(commands.Resume()))


@call("POST", "/pack-away", Who.HOST)
def pack_away(request: CallRequest) -> Written:
    """Pauses the game and keeps a picture of the board, which is laid out again later."""
    if table_of(request).ended:
        raise CallError(409, "over", "The game is over.")
    return written(request, request.execute(commands.Action.PACK_AWAY))


@call("POST", "/rebuilt", Who.TABLE)
def resume_rebuilt(request: CallRequest) -> Written:
    """The board of a game that was packed away lies as it should, whatever the camera sees."""
    return written(request, request.execute(commands.Resume(is_rebuilt=True)))


@call("POST", "/look-again", Who.TABLE)
def look_again(request: CallRequest) -> Written:
    """Looks at the whole board anew."""
    return written(request, request.execute(commands.Action.LOOK_AGAIN))


@call("POST", "/joining", Who.TABLE)
def confirm_joining(request: CallRequest, *, spots: dict[SpotKey, Name] | None = None) -> Written:
    """Says what lay there at first, without `spots` what was seen; a player only after a minute."""
    table = table_of(request)
    view = request.session.table.view
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
    return written(request, request.execute(commands.ConfirmJoining(board)))


@call("POST", "/trains", Who.TABLE)
def assign_trains(request: CallRequest, *, trains: Name, colour: Name | None) -> Written:
    """Says who plays trains of a colour no player has, null is nobody; the first answer wins."""
    _require_playing(table_of(request), colour)
    if trains not in request.session.table.view.sight.strange:
        raise CallError(409, "answered", "Nobody asks about trains of this colour any more.")
    said = commands.AddFacts([TrainsAssigned(trains, colour)])
    return written(request, request.execute(said))


@call("POST", "/end", Who.TABLE)
def end(request: CallRequest) -> Written:
    """The game is over; a player says so in the last turns only, with cards on the table."""
    table = table_of(request)
    is_late = table.last_turns_by is not None and table.dealing is None
    if not (is_late or Who.HOST.may(request.device)):
        raise CallError(403, "too early", "Only the host ends a game before its last turns.")
    return written(request, request.execute(commands.Action.END))


@call("POST", "/markers", Who.TABLE)
def compare_marker(request: CallRequest, *, seat: Identifier, said: MarkerNumber) -> Written:
    """Says at which number a player's score marker stands."""
    player_at(table_of(request), seat)
    return written(request, request.execute(commands.AddFacts([MarkerCompared(seat, said)])))


@call("POST", "/turn", Who.TABLE)
def set_turn(request: CallRequest, *, seat: Identifier) -> Written:
    """Says whose turn it is."""
    table = table_of(request)
    player_at(table, seat)
    if seat in table.left:
        raise CallError(409, "changed", "This player has left already.")
    if table.ended:
        raise CallError(409, "over", "The game is over.")
    if table.dealing is not None and request.writer.role == "player":
        # Only the player whose turn it is may move, so players may not set the turn.
        raise CallError(
            403,
            "not your role",
            "The cards are on phones: only the host says whose turn it is.",
        )
    marked = commands.AddFacts(lambda view, by: [turn_fact(view.game.table, seat, by)])
    return written(request, request.execute(marked))


@call("GET", "/reminder", Who.HOST)
def get_reminder(request: CallRequest) -> Minutes:
    """After how long a turn people are reminded."""
    return Minutes(request.session.table.reminder.minutes)


@call("PUT", "/reminder", Who.HOST)
def choose_reminder(request: CallRequest, body: Minutes) -> Minutes:
    """Chooses it, also for the next game."""
    request.session.table.reminder.choose(body.minutes)
    return get_reminder(request)


@call("POST", "/stocks", Who.TABLE)
def confirm_stocks(request: CallRequest) -> Written:
    """After a photo: every player has as many pieces left as the state says."""
    if table_of(request).started.origin != "photo":
        raise CallError(409, "not here", "This game was not read from a photo.")
    return written(request, request.execute(commands.AddFacts([StocksConfirmed()])))


@call("POST", "/count", Who.TABLE)
def count_points(request: CallRequest) -> Written:
    """The points are counted."""
    if not table_of(request).ended:
        raise CallError(409, "not over", "This game is still going: end it first.")
    return written(request, request.execute(commands.Action.COUNT))


@call("POST", "/again", Who.HOST)
def begin_again(request: CallRequest) -> Nothing:
    """Begins a new game."""
    again = request.session.again
    if again is None:
        raise CallError(409, "not here", "Begin the next game on the computer.")
    if not table_of(request).ended:
        raise CallError(409, "not over", "This game is still going: end it first.")
    again()
    return Nothing()
