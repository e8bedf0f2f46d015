"""Calls that set up a game: edition, players, camera, house rules; then it begins or goes on."""

from __future__ import annotations

import zlib
from typing import Annotated

import msgspec
from flask import Response
from railspotter.scoring.board import Identifier
from railspotter.table.game_log.facts import ONE_LINE
from railspotter.table.set_up.choices import MOST_LETTERS, Cards, Players, Rules
from railspotter.table.set_up.set_up_state import SetUpView

from ..access.gate import is_this_machine
from ..sessions.services import Needs
from .calls import Body, CallRequest, Json, Who, call
from .state import tagged_response

MOST_GAMES = 5  # unfinished games that are offered, the newest


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


@call("GET", "/set-up", Who.HOST, needs=Needs.SET_UP)
def get_set_up(request: CallRequest) -> Response:
    """What was chosen for the next game, and what is missing."""
    state = set_up_json(request)
    # The link of the camera is another one under another address of the page.
    tag = f"set-up-{state['number']}-{zlib.crc32(request.origin.encode()):x}"
    return tagged_response(request, tag, state)


def set_up_json(request: CallRequest) -> Json:
    """Return all that a host is shown of the set-up, and its number."""
    session = request.set_up
    view = session.desk.view()
    numbered = session.numbered(
        {**_view_json(view), "games": _games(request), "_camera": session.phone_access.codes.camera}
    )
    del numbered["_camera"]
    link = session.phone_access.links(request.origin)["camera"]
    is_phone = session.equipment().phone is not None
    return {
        **numbered,
        "camera_link": link if is_phone else None,
        "can_film": request.origin.startswith("https:") or is_this_machine(link),
    }


def _view_json(view: SetUpView) -> Json:
    return {
        "step": view.step,
        "editions": view.editions,
        "edition": view.edition,
        "players": view.players,
        "cameras": view.cameras,
        "source": view.source,
        "house_rules": dict(view.house_rules),
        "rules": view.rules,
        "cards": view.cards,
        "any_number": view.any_number,
        "faults": view.faults,
        "may_begin": view.may_begin,
        "game": view.game or None,
        "begun": view.begun or None,
    }


def _games(request: CallRequest) -> list[Json]:
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


@call("PUT", "/set-up/edition", Who.HOST, needs=Needs.SET_UP)
def choose_edition(request: CallRequest, body: ChosenEdition) -> Json:
    """Chooses the edition."""
    request.set_up.desk.choose_edition(body.edition, body.board or "")
    return set_up_json(request)


@call("PUT", "/set-up/players", Who.HOST, needs=Needs.SET_UP)
def choose_players(request: CallRequest, body: ChosenPlayers) -> Json:
    """Says who plays, in turn order."""
    request.set_up.desk.choose_players(body.players, any_number=body.any_number)
    return set_up_json(request)


@call("PUT", "/set-up/source", Who.HOST, needs=Needs.SET_UP)
def choose_source(request: CallRequest, body: ChosenSource) -> Json:
    """Opens a camera."""
    request.set_up.desk.choose_source(body.source)
    return set_up_json(request)


@call("PUT", "/set-up/house-rules", Who.HOST, needs=Needs.SET_UP)
def choose_rules(request: CallRequest, body: ChosenRules) -> Json:
    """Chooses house rules."""
    request.set_up.desk.choose_rules(body.house_rules)
    return set_up_json(request)


@call("PUT", "/set-up/cards", Who.HOST, needs=Needs.SET_UP)
def choose_cards(request: CallRequest, body: ChosenCards) -> Json:
    """Says where the cards are."""
    request.set_up.desk.choose_cards(body.cards)
    return set_up_json(request)


@call("POST", "/set-up/begin", Who.HOST, needs=Needs.SET_UP)
def begin_game(request: CallRequest) -> Json:
    """Begins the game; its page follows."""
    request.set_up.desk.begin(request.set_up.phone_access.pairing.copy_phones_to)
    return set_up_json(request)


@call("POST", "/set-up/resume", Who.HOST, needs=Needs.SET_UP)
def resume_game(request: CallRequest, body: GoOn) -> Json:
    """Goes on with a past game: at once, where a camera sees its board; else it is set up."""
    request.set_up.desk.resume_game(
        body.game or "", request.set_up.phone_access.pairing.copy_phones_to
    )
    return set_up_json(request)
