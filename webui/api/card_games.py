"""Calls about The Card Game: whoever has a game's link counts in it; the deck is typed in once."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.card_game.text import CardGame, Deck
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import Player, game_text
from railspotter.scoring.json_text import parse_json
from railspotter.table.card_games import changes
from railspotter.table.card_games.deck_table import Bonuses, CardTicket, read_deck
from railspotter.table.errors import CardGameError, ChangedError
from railspotter.table.plays.play import card_play_of

from ..access import phone_access
from ..access.gate import is_this_machine
from ..access.limits import household
from ..feed.public_state import answer_json
from ..sessions.services import Needs
from . import responses
from .calls import JSON, Body, CallRequest, Json, Nothing, Who, call
from .history import play_response
from .refusals import CallError

PAGE = "card-game"  # the page's path; the game's id is after its #
MOST_LETTERS = 60_000  # of a game's text: four players with the most cards take less
# The version (a hash) that the client saw; empty for none.
Seen = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]
Seats = Annotated[list[changes.CardSeat], msgspec.Meta(min_length=2, max_length=4)]


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


class CardHolding(changes.Holding, frozen=True, kw_only=True):
    """A player's cards on the track and tickets.

    `chosen` has the positions of the tickets to complete, null for the best choice.
    """

    seen: Seen


class DeckAnswer(Deck, frozen=True, kw_only=True):
    """The deck that was typed in."""

    seen: str  # names this state of it
    is_here: bool  # whether who asks may change it


class SeenStates(msgspec.Struct, frozen=True):
    """What names the state of a game, and of what each player has, by colour."""

    game: str
    players: dict[str, str]


class CardGameAnswer(msgspec.Struct, frozen=True):
    """A game of The Card Game, and its score."""

    id: str  # what its link holds
    game: CardGame
    answer: Json  # the score, as `railspotter score` tells it
    # By colour, the positions of tickets: that count as completed, and that the best choice has.
    completed: Mapping[str, tuple[int, ...]]
    best: dict[str, tuple[int, ...]]
    seen: SeenStates


class ListedCardGame(msgspec.Struct, frozen=True):
    """A game in the list."""

    id: str
    changed_at_s: float  # seconds since 1970-01-01 UTC
    final: bool
    players: tuple[Player, ...]


class CardGameList(msgspec.Struct, frozen=True):
    """All games of The Card Game, the one changed last first."""

    games: list[ListedCardGame]


def require_here(request: CallRequest) -> None:
    """Raise `CallError` for clients that are neither the host nor on this computer."""
    if not request.is_here:
        raise CallError(403, "not here", "Only the host, and this computer itself, may do this.")


@call("GET", "/card-games", Who.HERE, needs=Needs.NOTHING)
def get_card_games(request: CallRequest) -> CardGameList:
    """All games of The Card Game."""
    require_here(request)
    found = ((kept, kept.game) for kept in request.services.card_games.games())
    return CardGameList(
        [ListedCardGame(kept.id, kept.changed_at_s, it.final, it.players) for kept, it in found]
    )


@call("POST", "/card-games", Who.ALL, rate="game", needs=Needs.NOTHING)
def begin(request: CallRequest, *, players: Seats) -> CardGameAnswer:
    """Begins a game of The Card Game, players in turn order; `id` is what its link holds."""
    deck, _ = request.services.card_deck.read()
    game = changes.new_game(players, deck)
    return _game_answer(request.services.card_games.add(game, guest_of(request)), game)


@call("POST", "/card-games/import", Who.ALL, rate="game", needs=Needs.NOTHING)
def take_in(request: CallRequest, body: CardGameText) -> CardGameAnswer:
    """Keeps a game that was exported, as a new one."""
    game = _require_scorable(_parse(body.game))
    return _game_answer(request.services.card_games.add(game, guest_of(request)), game)


def guest_of(request: CallRequest) -> str:
    """Return the key for a guest's quota; empty for the host, players and this computer."""
    is_player = request.device is not None and request.device.seat is not None
    if is_player or request.is_here:
        return ""
    return household(request.address) or request.address


@call("GET", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def get_card_game(request: CallRequest, game: str) -> CardGameAnswer:
    """A game and its score."""
    return _game_answer(game, request.services.card_games.load(game))


@call("PUT", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def put_card_game(request: CallRequest, game: str, body: CardGameText) -> CardGameAnswer:
    """Puts a whole game in place of the one that was seen: undoes anything."""
    put = _parse(body.game)
    return _change(request, game, body.seen, lambda _: put)


@call("PATCH", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def change_card_game(request: CallRequest, game: str, body: CardGameChange) -> CardGameAnswer:
    """Changes players, deck, bonuses, or whether it has ended."""

    def change(before: CardGame) -> CardGame:
        if body.players is not None:
            before = changes.with_seats(before, body.players)
        values = {"final": body.final, "round": body.round, "city_bonuses": body.city_bonuses}
        others = {name: value for name, value in values.items() if value is not None}
        return replace(before, **others)

    return _change(request, game, body.seen, change)


@call("DELETE", "/card-games/{game}", Who.LINK, needs=Needs.NOTHING)
def delete_card_game(request: CallRequest, game: str) -> Nothing:
    """Deletes a game, which can be brought back for a week."""
    request.services.card_games.delete(game)
    return Nothing()


@call("POST", "/card-games/{game}/bring-back", Who.LINK, needs=Needs.NOTHING)
def bring_back_card_game(request: CallRequest, game: str) -> CardGameAnswer:
    """Brings back a game that was deleted in the last week."""
    return _game_answer(game, request.services.card_games.bring_back(game))


@call("PUT", "/card-games/{game}/players/{colour}", Who.LINK, needs=Needs.NOTHING)
def hold(request: CallRequest, game: str, colour: str, body: CardHolding) -> CardGameAnswer:
    """A player's cards on the track, tickets, and choice of those to complete."""

    def version(before: CardGame) -> str:
        if all(player.colour != colour for player in before.players):
            raise CallError(404, "unknown", "Nobody plays this colour.")
        return changes.player_version(before, colour)

    return _change(
        request, game, body.seen, lambda before: changes.with_holding(before, colour, body), version
    )


@call("POST", "/card-games/{game}/second-deck", Who.LINK, needs=Needs.NOTHING)
def begin_second_deck(request: CallRequest, game: str, *, seen: Seen) -> CardGameAnswer:
    """Sets the completed tickets of four players aside and begins the second deck."""

    def change(before: CardGame) -> CardGame:
        return changes.with_second_deck_begun(before, changes.card_score(before).position)

    return _change(request, game, seen, change)


@call("GET", "/card-games/{game}/export", Who.LINK, needs=Needs.NOTHING)
def export_card_game(request: CallRequest, game: str) -> Response:
    """The game as text."""
    return game_file_response(request.services.card_games.load(game))


def game_file_response(game: CardGame | Deck, name: str = "card-game") -> Response:
    """Return a game or a deck as a download."""
    return responses.download((game_text(game) + "\n").encode(), JSON, f"{name}.json")


@call("GET", "/card-games/{game}/export/{format}", Who.LINK, gives="*/*", needs=Needs.NOTHING)
def export_play(request: CallRequest, game: str, format: str) -> Response:
    """It for elsewhere, when it is over: bgstats or bgg."""
    kept = request.services.card_games.kept(game)
    play = card_play_of(game, kept.game, kept.changed_at_s, changes.card_score(kept.game).answer)
    return play_response(request, play, format)


@call("GET", "/card-games/{game}/code", Who.LINK, needs=Needs.NOTHING)
def get_code(request: CallRequest, game: str) -> Json:
    """The game's link, and as a QR picture where phones can open it."""
    request.services.card_games.load(game)
    return link_answer(request, f"game={game}")


def link_answer(request: CallRequest, what: str) -> Json:
    """Return a link to the page with a fragment, and its QR code."""
    url = request.access.for_phones(request.origin)
    link = f"{url}{PAGE}#{what}"
    # A loopback address is useless to other phones.
    return {"url": link, "svg": None if is_this_machine(url) else phone_access.qr_svg(link)}


@call("GET", "/card-deck", Who.ALL, needs=Needs.NOTHING)
def get_deck(request: CallRequest) -> DeckAnswer:
    """The deck that was typed in."""
    deck, seen = request.services.card_deck.read()
    return DeckAnswer(deck.tickets, deck.city_bonuses, seen=seen, is_here=request.is_here)


@call("PUT", "/card-deck", Who.HERE, needs=Needs.NOTHING)
def put_deck(
    request: CallRequest, *, seen: Seen, tickets: tuple[CardTicket, ...], city_bonuses: Bonuses
) -> Json:
    """Puts a whole deck, of at most 150 tickets, in place of the one that was seen."""
    require_here(request)
    return {"seen": request.services.card_deck.write(Deck(tickets, city_bonuses), seen)}


@call("POST", "/card-deck/parse", Who.ALL, needs=Needs.NOTHING)
def parse_deck(request: CallRequest, *, text: str) -> Deck:
    """Reads a table or a deck file, and keeps nothing."""
    return read_deck(text)


@call("GET", "/card-deck/export", Who.ALL, needs=Needs.NOTHING)
def export_deck(request: CallRequest) -> Response:
    """The deck as a deck file."""
    deck, _ = request.services.card_deck.read()
    return game_file_response(deck, "card-game-deck")


def _change(
    request: CallRequest,
    game: str,
    seen: str,
    change: Callable[[CardGame], CardGame],
    version: Callable[[CardGame], str] = changes.game_version,
) -> CardGameAnswer:
    """Change a game if the version that the client saw is current."""

    def checked_change(before: CardGame) -> CardGame:
        if seen != version(before):
            raise ChangedError("this was changed meanwhile")
        return _require_scorable(change(before))

    return _game_answer(game, request.services.card_games.change(game, checked_change))


def _parse(game: dict[str, Any]) -> CardGame:
    return parse_json(msgspec.json.encode(game), CardGame, GameError)


def _require_scorable(game: CardGame) -> CardGame:
    """Validate that a game can be scored, and return it."""
    if len(game_text(game, indent=0)) > MOST_LETTERS:
        raise CardGameError("the game is too large")
    changes.card_score(changes.checked_game(game))
    return game


def _game_answer(name: str, game: CardGame) -> CardGameAnswer:
    score = changes.card_score(game)
    players = {
        player.colour: changes.player_version(game, player.colour) for player in game.players
    }
    return CardGameAnswer(
        name,
        game,
        answer_json(score.answer),
        score.position.chosen,
        score.best,
        SeenStates(changes.game_version(game), players),
    )
