"""Calls about the table itself, whatever goes on there: what does, and what comes next."""

from typing import Literal

import msgspec
from railspotter.table.set_up.game_set_up import HomeWish, SetUpWish
from railspotter.table.set_up.planned_game import (
    ChosenPlayer,
    choices_file,
    chosen_game,
    unfinished_game,
)

from ..sessions.services import GameSession, Needs, SetUpSession
from .calls import CallRequest, Who, call
from .history import may_see_past
from .set_up import GameId, OpenGame, open_games

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
    games: list[OpenGame]  # that are unfinished, the newest first
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
