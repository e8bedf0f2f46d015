"""Calls about The Card Game: whoever has a game's link counts and chooses in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.card_game.text import CardGame, parse_card_game
from railspotter.scoring.game import game_text
from railspotter.table.card_games.card_score import card_score
from railspotter.table.card_games.changes import (
    Holding,
    NewSeat,
    checked_game,
    game_name,
    in_second_deck,
    new_game,
    player_name,
    require_seen,
    with_holding,
    with_seats,
)
from railspotter.table.card_games.errors import CardGameError
from railspotter.table.plays.play import card_play_of

from ..access import codes
from ..access.gate import is_this_machine
from ..access.limits import household
from ..feed.public_state import answer_json
from ..sessions.services import Needs
from .calls import JSON, Body, CallRequest, Json, Nothing, Who, call, download_response
from .card_deck import Bonuses, CardTicket, Seen, is_here, require_here, tickets_of
from .exports import PLAYS, play_response
from .refusals import CallError

PAGE = "card-game"  # where the page is; what stands behind its # opens a game
MOST_LETTERS = 60_000  # letters of a game as text: four players with all they can hold take less
SeatColour = Literal["black", "blue", "green", "orange", "purple", "red", "white", "yellow"]
Card = Literal["black", "blue", "green", "orange", "pink", "red", "white", "yellow", "locomotive"]
Count = Annotated[int, msgspec.Meta(ge=0, le=60)]
Place = Annotated[int, msgspec.Meta(ge=0, le=59)]


class CardSeat(Body, frozen=True):
    """A player; `was` is the colour so far of one who plays already."""

    colour: SeatColour
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    was: SeatColour | None = None


Seats = Annotated[list[CardSeat], msgspec.Meta(min_length=2, max_length=4)]


class NewCardGame(Body, frozen=True):
    """Who plays, in turn order."""

    players: Seats


class CardGameChange(Body, frozen=True):
    """What is other in the whole game; what is missing stays."""

    seen: Seen
    players: Seats | None = None
    final: bool | None = None
    round: Literal[1, 2] | None = None
    city_bonuses: Bonuses | None = None


class CardGameText(Body, frozen=True):
    """A whole game as text; `seen` where it takes the place of one."""

    game: dict[str, Any]
    seen: Seen = ""


class CardHolding(Body, frozen=True):
    """A player's cards on the track and tickets.

    `chosen` has the positions of the tickets to complete, null for the best choice.
    """

    seen: Seen
    stack: dict[Card, Count]
    tickets: Annotated[list[CardTicket], msgspec.Meta(max_length=60)]
    chosen: Annotated[list[Place], msgspec.Meta(max_length=60)] | None = None


class SeenGame(Body, frozen=True):
    """The state of the game that was seen."""

    seen: Seen


@call("GET", "/card-games", Who.HERE, needs=Needs.NOTHING)
def get_card_games(request: CallRequest) -> Json:
    """All games of The Card Game."""
    require_here(request)
    return {
        "games": [
            {
                "id": kept.id,
                "changed_at_s": kept.changed_at_s,
                "final": kept.game.final,
                "players": kept.game.players,
            }
            for kept in request.services.card_games.games()
        ]
    }


@call("POST", "/card-games", Who.ALL, rate="game", needs=Needs.NOTHING)
def begin(request: CallRequest, body: NewCardGame) -> Json:
    """Begins a game of The Card Game; `id` is what its link holds."""
    deck, _ = request.services.card_deck.read()
    game = new_game(_seats(body.players), deck)
    return _game_json(request.services.card_games.add(game, _guest(request)), game)


@call("POST", "/card-games/import", Who.ALL, rate="game", needs=Needs.NOTHING)
def take_in(request: CallRequest, body: CardGameText) -> Json:
    """Keeps a game that was exported, as a new one."""
    game = _scorable(_parse(body.game))
    return _game_json(request.services.card_games.add(game, _guest(request)), game)


def _guest(request: CallRequest) -> str:
    """Return by what a guest is counted; empty for the host, a player and this computer."""
    is_player = request.device is not None and request.device.seat is not None
    if is_player or is_here(request):
        return ""
    return household(request.address) or request.address


@call("GET", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def get_card_game(request: CallRequest, game: str) -> Json:
    """A game and its score."""
    return _game_json(game, request.services.card_games.load(game))


@call("PUT", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def put_card_game(request: CallRequest, game: str, body: CardGameText) -> Json:
    """Puts a whole game in place of the one that was seen: undoes anything."""
    put = _parse(body.game)

    def change(before: CardGame) -> CardGame:
        require_seen(body.seen, game_name(before))
        return _scorable(put)

    return _change(request, game, change)


@call("PATCH", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def change_card_game(request: CallRequest, game: str, body: CardGameChange) -> Json:
    """Changes players, deck, bonuses, or whether it has ended."""

    def change(before: CardGame) -> CardGame:
        require_seen(body.seen, game_name(before))
        if body.players is not None:
            before = with_seats(before, _seats(body.players))
        values = {"final": body.final, "round": body.round, "city_bonuses": body.city_bonuses}
        others = {name: value for name, value in values.items() if value is not None}
        return _scorable(replace(before, **others))

    return _change(request, game, change)


@call("DELETE", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def delete_card_game(request: CallRequest, game: str) -> Nothing:
    """Deletes a game."""
    request.services.card_games.delete(game)
    return Nothing()


@call("PUT", "/card-games/{game}/players/{colour}", Who.LINK, needs=Needs.NOTHING)
def hold(request: CallRequest, game: str, colour: str, body: CardHolding) -> Json:
    """A player's cards on the track, tickets, and choice of those to complete."""
    chosen = None if body.chosen is None else tuple(body.chosen)
    holding = Holding(
        {str(card): n for card, n in body.stack.items()}, tickets_of(body.tickets), chosen
    )

    def change(before: CardGame) -> CardGame:
        if all(player.colour != colour for player in before.players):
            raise CallError(404, "unknown", "Nobody plays this colour.")
        require_seen(body.seen, player_name(before, colour))
        return _scorable(with_holding(before, colour, holding))

    return _change(request, game, change)


@call("POST", "/card-games/{game}/second-deck", Who.LINK, needs=Needs.NOTHING)
def begin_second_deck(request: CallRequest, game: str, body: SeenGame) -> Json:
    """Sets the completed tickets of four players aside and begins the second deck."""

    def change(before: CardGame) -> CardGame:
        require_seen(body.seen, game_name(before))
        return _scorable(in_second_deck(before, card_score(before).position))

    return _change(request, game, change)


@call("GET", "/card-games/{game}/export", Who.LINK, needs=Needs.NOTHING)
def export_card_game(request: CallRequest, game: str) -> Response:
    """The game as text."""
    content = (game_text(request.services.card_games.load(game)) + "\n").encode()
    return download_response(content, JSON, "card-game.json")


@call("GET", "/card-games/{game}/export/{format}", Who.LINK, gives="*/*", needs=Needs.NOTHING)
def export_play(request: CallRequest, game: str, format: str) -> Response:
    """It for elsewhere, when it is over: bgstats or bgg."""
    if format not in PLAYS:
        raise CallError(404, "unknown", "A game is passed on as bgstats or bgg.")
    kept = request.services.card_games.kept(game)
    play = card_play_of(game, kept.game, kept.changed_at_s, card_score(kept.game).answer)
    return play_response(request, play, format)


@call("GET", "/card-games/{game}/code", Who.LINK, needs=Needs.NOTHING)
def get_code(request: CallRequest, game: str) -> Json:
    """The game's link, and as a QR picture where phones can open it."""
    url = request.origin
    request.services.card_games.load(game)
    if request.services.phone_access.url and is_this_machine(url):
        url = request.services.phone_access.url
    link = f"{url}{PAGE}#game={game}"
    # No other phone could open an address that means the phone itself.
    return {"url": link, "svg": None if is_this_machine(url) else codes.svg(link)}


def _change(request: CallRequest, game: str, change: Callable[[CardGame], CardGame]) -> Json:
    return _game_json(game, request.services.card_games.change(game, change))


def _seats(seats: list[CardSeat]) -> list[NewSeat]:
    return [NewSeat(seat.colour, seat.name, seat.was) for seat in seats]


def _parse(game: dict[str, Any]) -> CardGame:
    return parse_card_game(msgspec.json.encode(game))


def _scorable(game: CardGame) -> CardGame:
    """Return a game that can be scored; nothing else is kept."""
    if len(game_text(game, indent=0)) > MOST_LETTERS:
        raise CardGameError("the game is too large")
    card_score(checked_game(game))
    return game


def _game_json(name: str, game: CardGame) -> Json:
    score = card_score(game)
    return {
        "id": name,
        "game": game,
        "answer": answer_json(score.answer),
        "completed": score.position.chosen,
        "best": score.best,
        "seen": {
            "game": game_name(game),
            "players": {p.colour: player_name(game, p.colour) for p in game.players},
        },
    }
