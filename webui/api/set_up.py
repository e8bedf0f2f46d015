"""Calls that set up a game: edition, players, camera, house rules; then it begins or goes on."""

import zlib
from typing import Annotated

import msgspec
from flask import Response
from railspotter.scoring.board import Identifier
from railspotter.scoring.names import ONE_LINE
from railspotter.table.past_games.summaries import Summary, for_list
from railspotter.table.set_up.planned_game import MOST_LETTERS, Cards, Players, Rules
from railspotter.table.set_up.set_up_state import SetUpView

from ..access.gate import is_this_machine
from ..feed.history import History
from ..sessions.services import Needs
from . import responses
from .calls import CallRequest, Who, call

MOST_GAMES = 5  # unfinished games that are offered, the newest
SourceName = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_LETTERS, pattern=ONE_LINE)]
GameId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]


class SetUpAnswer(SetUpView, frozen=True):
    """All that a host is shown of the set-up."""

    games: list[Summary]  # the newest first
    camera_link: str | None  # what the phone that is the camera opens
    can_film: bool  # whether a browser lets a page film under this address
    can_name: bool  # whether who asks may give the address of a camera in the network
    number: int  # rises with every change


@call("GET", "/set-up", Who.HOST, needs=Needs.SET_UP)
def get_set_up(request: CallRequest) -> Response:
    """What was chosen for the next game, and what is missing."""
    answer = set_up_answer(request)
    # The camera's link depends on the page's URL.
    tag = f"set-up-{answer.number}-{zlib.crc32(request.origin.encode()):x}"
    return responses.tagged(request, tag, answer)


def open_games(history: History) -> list[Summary]:
    """Return the newest unfinished games."""
    found = [game for game in history.games().games if not (game.ended or game.is_damaged)]
    return list(map(for_list, found[:MOST_GAMES]))


def set_up_answer(request: CallRequest) -> SetUpAnswer:
    """Return the set-up's state for the host."""
    session = request.set_up
    view = session.desk.view()
    games = open_games(request.services.history)
    link = request.access.links(request.origin)["camera"]
    return SetUpAnswer(
        **msgspec.structs.asdict(view),
        games=games,
        camera_link=link if session.phone is not None else None,
        can_name=request.is_at_computer,
        can_film=request.origin.startswith("https:") or is_this_machine(link),
        number=session.number_of((view, games, request.access.codes.camera)),
    )


@call("PUT", "/set-up/edition", Who.HOST, needs=Needs.SET_UP)
def choose_edition(
    request: CallRequest, *, edition: Identifier, board: Identifier | None = None
) -> SetUpAnswer:
    """Chooses the edition; `board` where the user's own is played on by its rules."""
    request.set_up.desk.choose_edition(edition, board or "")
    return set_up_answer(request)


@call("PUT", "/set-up/players", Who.HOST, needs=Needs.SET_UP)
def choose_players(
    request: CallRequest, *, players: Players, any_number: bool = False
) -> SetUpAnswer:
    """Says who plays, in turn order; `any_number`: so many, though the box says otherwise."""
    request.set_up.desk.choose_players(players, any_number=any_number)
    return set_up_answer(request)


@call("PUT", "/set-up/source", Who.HOST, needs=Needs.SET_UP)
def choose_source(request: CallRequest, *, source: SourceName) -> SetUpAnswer:
    """Opens a camera: `phone`, `demo`, `none`, this computer's (number or name), or one offered.

    The computer's own browser may also give the address of one in the network.
    """
    desk = request.set_up.desk
    desk.choose_source(desk.allow_camera(source) if request.is_at_computer else source)
    return set_up_answer(request)


@call("PUT", "/set-up/house-rules", Who.HOST, needs=Needs.SET_UP)
def choose_rules(request: CallRequest, *, house_rules: Rules) -> SetUpAnswer:
    """Chooses house rules by name, with their values; all others are as printed."""
    request.set_up.desk.choose_rules(house_rules)
    return set_up_answer(request)


@call("PUT", "/set-up/cards", Who.HOST, needs=Needs.SET_UP)
def choose_cards(request: CallRequest, *, cards: Cards) -> SetUpAnswer:
    """Says where the cards are."""
    request.set_up.desk.choose_cards(cards)
    return set_up_answer(request)


@call("POST", "/set-up/begin", Who.HOST, needs=Needs.SET_UP)
def begin_game(request: CallRequest) -> SetUpAnswer:
    """Begins the game; its page follows."""
    request.set_up.desk.begin()
    return set_up_answer(request)


@call("POST", "/set-up/resume", Who.HOST, needs=Needs.SET_UP)
def resume_game(request: CallRequest, *, game: GameId | None) -> SetUpAnswer:
    """Goes on with a past game, at once if a camera sees its board; null: a new one after all."""
    request.set_up.desk.resume_game(game or "")
    return set_up_answer(request)
