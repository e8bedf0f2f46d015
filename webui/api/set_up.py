"""Calls that set up a game: edition, players, camera, house rules; then it begins or goes on."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.scoring.board import Identifier
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import HomeError
from railspotter.table.game_log.errors import GameInUseError, LogFileError, NoGameError
from railspotter.table.game_log.facts import ONE_LINE
from railspotter.table.set_up.choices import MOST_LETTERS, Cards, Players, Rules
from railspotter.table.set_up.errors import NotReadyError
from railspotter.table.set_up.set_up_state import SetUpView

from ..access.gate import is_this_machine
from ..rooms.services import Needs
from .calls import Body, Call, CallRequest, ErrorRule, Nothing, Who, with_refusals
from .state import tagged_response

MOST_GAMES = 5  # unfinished games that are offered, the newest
# What cannot be chosen or begun, or written down.
REFUSALS = (
    ErrorRule((NotReadyError,), 409, "not ready"),
    ErrorRule((NoGameError,), 404, "unknown", Sentence("There is no such game here.")),
    ErrorRule(
        (GameInUseError,),
        409,
        "in use",
        Sentence("Another program is playing this game right now."),
    ),
    ErrorRule((HomeError, LogFileError), 503, "not written"),
)


class ChosenEdition(Body, frozen=True):
    """An edition; `board` where the user's own is played on by its rules."""

    edition: Identifier
    board: Identifier | None = None


class ChosenPlayers(Body, frozen=True):
    """Who plays, in turn order; `any_number`: so many, though the box says otherwise."""

    players: Players
    any_number: bool = False


class ChosenSource(Body, frozen=True):
    """A camera: `phone`, `demo`, `none`, a number or name of this computer's, or one offered."""

    source: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_LETTERS, pattern=ONE_LINE)]


class ChosenRules(Body, frozen=True):
    """House rules by name, with other values than the rulebook's; all others are as printed."""

    house_rules: Rules


class ChosenCards(Body, frozen=True):
    """Where the train cards and tickets are."""

    cards: Cards


class GoOn(Body, frozen=True):
    """A past game that is to go on; null for a new one after all."""

    game: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")] | None


def _view(request: CallRequest) -> Response:
    state = set_up_json(request)
    # The link of the camera is another one under another address of the page.
    tag = f"set-up-{state['number']}-{zlib.crc32(request.origin.encode()):x}"
    return tagged_response(request, tag, state)


def set_up_json(request: CallRequest) -> dict[str, Any]:
    """Return all that a host is shown of the set-up, and its number."""
    room = request.set_up
    view = room.desk.view()
    numbered = room.numbered(
        {**_view_json(view), "games": _games(request), "_camera": room.door.codes.camera}
    )
    del numbered["_camera"]
    link = room.door.links(request.origin)["camera"]
    is_phone = room.equipment().phone is not None
    return {
        **numbered,
        "camera_link": link if is_phone else None,
        "can_film": request.origin.startswith("https:") or is_this_machine(link),
    }


def _view_json(view: SetUpView) -> dict[str, Any]:
    return {
        "step": view.step,
        "editions": [asdict(edition) for edition in view.editions],
        "edition": None if view.edition is None else asdict(view.edition),
        "players": msgspec.to_builtins(view.players),
        "cameras": [asdict(camera) for camera in view.cameras],
        "source": None if view.source is None else asdict(view.source),
        "house_rules": dict(view.house_rules),
        "rules": [asdict(rule) for rule in view.rules],
        "cards": view.cards,
        "any_number": view.any_number,
        "faults": [asdict(fault) for fault in view.faults],
        "may_begin": view.may_begin,
        "game": view.game or None,
        "begun": view.begun or None,
    }


def _games(request: CallRequest) -> list[dict[str, Any]]:
    """Return the games that somebody may want to go on with, the newest first."""
    known = request.services.history.games().games
    open_ = [game for game in known if not (game.ended or game.is_damaged)]
    return [
        {
            "id": game.id,
            "name": game.name,
            "edition": game.edition,
            "title": game.title,
            "players": [
                {"name": one.name, "colour": one.colour, "points": one.points}
                for one in game.players
            ],
            "began_at_s": game.began_at_s,
            "played_at_s": game.played_at_s,
            "packed_away": game.packed_away,
        }
        for game in open_[:MOST_GAMES]
    ]


def _changes(change: Callable[[CallRequest], None]) -> Callable[[CallRequest], dict[str, Any]]:
    """Answer with all that holds after a change."""
    checked = with_refusals(change, REFUSALS)

    def answer(request: CallRequest) -> dict[str, Any]:
        checked(request)
        return set_up_json(request)

    return answer


@_changes
def _edition(request: CallRequest) -> None:
    body = request.body_as(ChosenEdition)
    request.set_up.desk.choose_edition(body.edition, body.board or "")


@_changes
def _players(request: CallRequest) -> None:
    body = request.body_as(ChosenPlayers)
    request.set_up.desk.choose_players(body.players, any_number=body.any_number)


@_changes
def _source(request: CallRequest) -> None:
    request.set_up.desk.choose_source(request.body_as(ChosenSource).source)


@_changes
def _rules(request: CallRequest) -> None:
    request.set_up.desk.choose_rules(request.body_as(ChosenRules).house_rules)


@_changes
def _cards(request: CallRequest) -> None:
    request.set_up.desk.choose_cards(request.body_as(ChosenCards).cards)


@_changes
def _begin(request: CallRequest) -> None:
    request.set_up.desk.begin(request.set_up.door.pairing.take_along)


@_changes
def _resume(request: CallRequest) -> None:
    request.set_up.desk.go_on_with(
        request.body_as(GoOn).game or "", request.set_up.door.pairing.take_along
    )


def _call(
    method: str,
    path: str,
    means: str,
    do: Callable[[CallRequest], Any],
    body: type[msgspec.Struct] | None = None,
) -> Call:
    return Call(method, path, Who.HOST, means, do, body=body, needs=Needs.SET_UP)


CALLS = (
    _call("GET", "/set-up", "What was chosen for the next game, and what is missing.", _view),
    _call("PUT", "/set-up/edition", "Chooses the edition.", _edition, ChosenEdition),
    _call("PUT", "/set-up/players", "Says who plays, in turn order.", _players, ChosenPlayers),
    _call("PUT", "/set-up/source", "Opens a camera.", _source, ChosenSource),
    _call("PUT", "/set-up/house-rules", "Chooses house rules.", _rules, ChosenRules),
    _call("PUT", "/set-up/cards", "Says where the cards are.", _cards, ChosenCards),
    _call("POST", "/set-up/begin", "Begins the game; its page follows.", _begin, Nothing),
    _call(
        "POST",
        "/set-up/resume",
        "Goes on with a past game: at once, where a camera sees its board; else it is set up.",
        _resume,
        GoOn,
    ),
)
