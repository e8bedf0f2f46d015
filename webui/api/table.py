"""Calls about the table itself: what goes on there, what comes next, and who may come in."""

from typing import Annotated, Literal

import msgspec
from railspotter.table.past_games.summaries import Summary
from railspotter.table.set_up.game_set_up import HomeWish, SetUpWish
from railspotter.table.set_up.planned_game import (
    ChosenPlayer,
    choices_file,
    chosen_game,
    unfinished_game,
)

from ..access.becoming_host import pin_hash
from ..access.roles import Guests
from ..sessions.services import GameSession, Needs, SetUpSession
from .calls import CallRequest, Who, call
from .history import may_see_past
from .set_up import GameId, open_games

NewPin = Annotated[str, msgspec.Meta(pattern="^([0-9]{4,8})?$")]
Phase = Literal["beginning", "home", "set_up", "game"]


class LastSetUp(msgspec.Struct, frozen=True):
    """What was set up the last time."""

    title: str  # the edition's
    players: tuple[ChosenPlayer, ...]
    source: str  # the camera, as behind `--source`


class TableNow(msgspec.Struct, frozen=True):
    """What goes on at the table; while nothing does, also what could."""

    phase: Phase
    game: str | None  # the running game's id
    last: LastSetUp | None
    games: list[Summary]  # that are unfinished, the newest first
    sees_past: bool = True  # whether this phone may see past games


@call("GET", "/table", Who.ALL, needs=Needs.NOTHING)
def get_table(request: CallRequest) -> TableNow:
    """What goes on at the table: a game, its set-up, neither, or for a moment something begins."""
    now = request.now
    if isinstance(now, GameSession):
        return TableNow("game", now.table.log.id, None, [])
    if isinstance(now, SetUpSession):
        return TableNow("set_up", None, None, [])
    if not request.services.is_resting:
        return TableNow("beginning", None, None, [])
    if not may_see_past(request):
        return TableNow("home", None, None, [], sees_past=False)
    choices = choices_file(request.services.home).load_or_default()
    plan, last = chosen_game(choices), None
    if plan is not None and plan.players and choices.source:
        last = LastSetUp(plan.edition.title, plan.players, choices.source)
    return TableNow("home", None, last, open_games(request.services.history))


@call("POST", "/table/set-up", Who.HOST, needs=Needs.NOTHING)
def set_up(request: CallRequest, *, game: GameId | None = None, at_once: bool = False) -> TableNow:
    """Sets a game up, or goes on with one; `at_once`: it begins when nothing is missing."""
    if game is not None:
        unfinished_game(request.services.history.store, game)
    request.services.wish(lambda: SetUpWish(game or "", at_once))
    return get_table(request)


@call("POST", "/table/home", Who.HOST, needs=Needs.NOTHING)
def go_home(request: CallRequest) -> TableNow:
    """Leaves the game or the set-up; a game can be gone on with."""
    request.services.wish(HomeWish)
    return get_table(request)


class DoorNow(msgspec.Struct, frozen=True):
    """Who may come in to the table, and what guests may do there."""

    is_open: bool  # whether everybody in this network may look on without the word
    guests: Guests  # `cafe`: they see no past games
    has_pin: bool
    is_on_screens: bool  # whether screens show the table's code while a game runs, too


@call("GET", "/door", Who.HOST, needs=Needs.NOTHING)
def get_door(request: CallRequest) -> DoorNow:
    """Who may come in to the table, and what guests may do there."""
    door = request.access.devices.door
    return DoorNow(door.is_open, door.guests, bool(door.pin), door.is_on_screens)


@call("PATCH", "/door", Who.HOST, needs=Needs.NOTHING)
def change_door(
    request: CallRequest,
    *,
    is_open: bool | None = None,
    guests: Guests | None = None,
    pin: NewPin | None = None,
    is_on_screens: bool | None = None,
) -> DoorNow:
    """Changes what is given of it; an empty `pin` removes the PIN."""
    access = request.access
    kept = pin_hash(pin) if pin else pin
    changes = {"is_open": is_open, "guests": guests, "pin": kept, "is_on_screens": is_on_screens}
    access.change_door(**{name: value for name, value in changes.items() if value is not None})
    if is_open is False:
        request.services.limits.end_guests()
    return get_door(request)
