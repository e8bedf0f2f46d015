"""Calls about The Card Game as phones play it: cards dealt to seats, and moves."""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.answer import card_game_score
from railspotter.scoring.dealing.card_game_view import CardGameView, card_game_view
from railspotter.scoring.dealing.moves import CardGameMove
from railspotter.scoring.edition import Colour
from railspotter.scoring.game import Player
from railspotter.scoring.names import ShortName
from railspotter.table.card_games.changes import SeatColour
from railspotter.table.card_games.dealt_games import SeatedGame, counted_game, dealt_game
from railspotter.table.plays.play import card_play_of
from werkzeug.http import parse_cookie

from ..access.hands import is_anothers_word
from ..access.roles import HandUse, hash_of, new_token
from ..feed.public_state import answer_json
from ..sessions.services import Needs
from . import responses
from .calls import Body, CallRequest, Json, Who, call
from .card_games import game_file_response, guest_of, link_answer, require_here
from .history import play_response
from .refusals import CallError

GAME = "dealt-card-games"
PATH = f"/{GAME}/{{game}}"


class CardPlayer(Body, frozen=True):
    """Who plays: a person, or a computer of that strength."""

    colour: SeatColour
    name: ShortName = ""
    computer: Literal["easy", "medium", "hard"] | None = None


class DealtGameAnswer(msgspec.Struct, frozen=True):
    """A game as the phone that asks sees it."""

    id: str  # what its link holds
    view: CardGameView
    seat: Colour | None  # this phone's, also where it sees none of its cards
    seated: tuple[Colour, ...]  # the seats that phones have
    hidden: tuple[Colour, ...]  # those whose phone sees no cards until a player has vouched for it
    vouchers: dict[Colour, tuple[Colour, ...]]  # by these, the seats whose phones may vouch
    may_vouch: bool  # whether this phone may, for another one's seat
    is_here: bool  # whether this phone may free a seat
    deleting: tuple[Colour, ...]  # seats that agree to delete the game
    computers: dict[Colour, str]  # how strong they are, by colour
    answer: Json | None  # the score, once it is over, as `railspotter score` tells it


class GameDeletion(msgspec.Struct, frozen=True):
    """Whether a game was deleted, or which seats' phones want it."""

    is_deleted: bool
    deleting: tuple[Colour, ...]


@call("POST", f"/{GAME}", Who.ALL, rate="game", needs=Needs.NOTHING)
def deal(
    request: CallRequest,
    *,
    players: Annotated[tuple[CardPlayer, ...], msgspec.Meta(min_length=2, max_length=4)],
    may_look: bool = False,  # house rule: everyone may look at the own On-the-Track stack
) -> DealtGameAnswer:
    """Deals a game of The Card Game, the first player begins; `id` is what its link holds."""
    deck, _ = request.services.card_deck.read()
    seats = tuple(Player(player.colour, player.name.strip()) for player in players)
    computers: dict[Colour, str] = {p.colour: p.computer for p in players if p.computer}
    game = dealt_game(seats, deck, may_look=may_look, computers=computers)
    return _answer(request, request.services.dealt_games.add(game, guest_of(request)), game, None)


@call("GET", f"{PATH}/view", Who.LINK, needs=Needs.NOTHING)
def view(request: CallRequest, game: str) -> DealtGameAnswer:
    """The game as the player of this phone's seat sees it, or who has none."""
    found = request.services.dealt_games.load(game)
    return _answer(request, game, found, _seat(request, game, found))


@call("POST", f"{PATH}/seat", Who.LINK, needs=Needs.NOTHING)
def sit_down(request: CallRequest, game: str, *, colour: SeatColour) -> Response:
    """Takes a seat that no phone has; the answer's cookie is the only key to it.

    The first phone in a seat sees its cards, any later one waits for another player's word.
    """
    games, known = request.services.dealt_games, _token(request, game)
    # A phone keeps its token in a game, so that all seats that it has had are known.
    is_known = known and hash_of(known) in games.load(game).phones
    token = known if known and is_known else new_token()
    after = games.change(
        game, lambda before: before.with_seat(colour, hash_of(token), is_host=request.is_here)
    )
    response = responses.as_json(request, _answer(request, game, after, colour))
    responses.set_key(request, response, _cookie(game), token, f"/api/v1/{GAME}/{game}")
    return response


@call("DELETE", f"{PATH}/seat", Who.LINK, needs=Needs.NOTHING)
def get_up(request: CallRequest, game: str) -> DealtGameAnswer:
    """Leaves this phone's seat: another phone there waits for another player's word."""
    return _changed(
        request,
        game,
        lambda before: before.with_seat_freed(
            _own_seat(request, game, before, may_wait=True), by_host=False
        ),
    )


@call("DELETE", f"{PATH}/seats/{{colour}}", Who.HERE, needs=Needs.NOTHING)
def free_card_seat(request: CallRequest, game: str, colour: str) -> DealtGameAnswer:
    """Frees the seat of a phone that is lost; whose takes it over sees no cards at first."""
    require_here(request)
    return _changed(request, game, lambda before: before.with_seat_freed(colour, by_host=True))


@call("POST", f"{PATH}/vouch", Who.LINK, needs=Needs.NOTHING)
def vouch_for_seat(request: CallRequest, game: str, *, colour: SeatColour) -> DealtGameAnswer:
    """Says that the phone which took over a freed seat is that player's."""

    def vouched(before: SeatedGame) -> SeatedGame:
        own = _own_seat(request, game, before)
        if before.is_hidden(colour) and not _may_vouch(before, colour, own, request.is_here):
            raise CallError(403, "not yours", "Another player has to say whose phone this is.")
        return before.with_hand_opened(colour)

    return _changed(request, game, vouched)


@call("POST", f"{PATH}/deal-anew", Who.HERE, needs=Needs.NOTHING)
def deal_seat_anew(request: CallRequest, game: str, *, colour: SeatColour) -> DealtGameAnswer:
    """Deals a hand anew that a phone took over and does not see."""
    require_here(request)
    return _changed(request, game, lambda before: before.with_hand_opened(colour, is_new=True))


@call("POST", f"{PATH}/moves", Who.LINK, needs=Needs.NOTHING)
def move(
    request: CallRequest,
    game: str,
    *,
    seen: Annotated[int, msgspec.Meta(ge=0, le=2**31)],
    move: CardGameMove,
) -> DealtGameAnswer:
    """Makes a move from this phone's seat, chosen after `seen` moves; it is kept once answered."""

    def moved(before: SeatedGame) -> SeatedGame:
        return before.after(_own_seat(request, game, before), move, seen)

    return _changed(request, game, moved)


@call("DELETE", PATH, Who.LINK, needs=Needs.NOTHING)
def delete_dealt_game(request: CallRequest, game: str) -> GameDeletion:
    """Deletes a game, for the host, or once all seats' phones want it; it can be brought back."""
    games = request.services.dealt_games

    def wanted(before: SeatedGame) -> SeatedGame:
        return before.with_deletion_wanted(_own_seat(request, game, before))

    found = games.load(game) if request.is_here else games.change(game, wanted)
    is_deleted = request.is_here or found.is_deletion_agreed
    if is_deleted:  # and when it comes back, nobody wants that any more
        games.change(game, lambda before: replace(before, deleting=()))
        games.delete(game)
    return GameDeletion(is_deleted, found.deleting)


@call("POST", f"{PATH}/bring-back", Who.LINK, needs=Needs.NOTHING)
def bring_back_dealt_game(request: CallRequest, game: str) -> DealtGameAnswer:
    """Brings back a game that was deleted in the last week."""
    found = request.services.dealt_games.bring_back(game)
    return _answer(request, game, found, _seat(request, game, found))


@call("GET", f"{PATH}/code", Who.LINK, needs=Needs.NOTHING)
def get_dealt_code(request: CallRequest, game: str) -> Json:
    """The game's link, and as a QR picture where phones can open it."""
    request.services.dealt_games.load(game)
    return link_answer(request, f"play={game}")


@call("GET", f"{PATH}/export", Who.LINK, needs=Needs.NOTHING)
def export_dealt_game(request: CallRequest, game: str) -> Response:
    """The game as text, when it is over."""
    found = _over(request.services.dealt_games.load(game))
    return game_file_response(counted_game(found.game))


@call("GET", f"{PATH}/export/{{format}}", Who.LINK, gives="*/*", needs=Needs.NOTHING)
def export_dealt_play(request: CallRequest, game: str, format: str) -> Response:
    """It for elsewhere, when it is over: bgstats or bgg."""
    kept = request.services.dealt_games.kept(game)
    counted, position = counted_game(_over(kept.game).game), kept.game.game.position
    play = card_play_of(game, counted, kept.changed_at_s, card_game_score(position))
    return play_response(request, play, format)


def _cookie(game: str) -> str:
    return f"railspotter-cards-{game}"


def _token(request: CallRequest, game: str) -> str | None:
    return parse_cookie(request.headers.get("Cookie", "")).get(_cookie(game))


def _seat(request: CallRequest, game: str, found: SeatedGame) -> Colour | None:
    """Return the requesting phone's seat, by its cookie."""
    token = _token(request, game)
    return found.colour_of(hash_of(token)) if token else None


def _may_vouch(found: SeatedGame, colour: Colour, by: Colour, is_host: bool) -> bool:
    """Tell whether the phone in a seat may vouch for the one in another, by the board's rule."""
    phone, sees = found.phone_at(by), None if found.is_hidden(by) else by
    use: HandUse = "freed" if colour in found.freed else "own"
    return is_anothers_word(colour, use, phone.had, sees, is_host=is_host or phone.is_host)


def _own_seat(
    request: CallRequest, game: str, found: SeatedGame, *, may_wait: bool = False
) -> Colour:
    seat = _seat(request, game, found)
    if seat is None:
        raise CallError(403, "not yours", "This phone has no seat in this game.")
    if found.is_hidden(seat) and not may_wait:
        raise CallError(409, "hidden", "Another player has to say first whose phone this is.")
    return seat


def _over(found: SeatedGame) -> SeatedGame:
    """Refuse a game that is not over, whose text would contain secrets."""
    if not found.final:
        raise CallError(409, "not over", "This game is not over, and its text tells all secrets.")
    return found


def _changed(
    request: CallRequest, game: str, change: Callable[[SeatedGame], SeatedGame]
) -> DealtGameAnswer:
    after = request.services.dealt_games.change(game, change)
    return _answer(request, game, after, _seat(request, game, after))


def _answer(
    request: CallRequest, name: str, found: SeatedGame, seat: Colour | None
) -> DealtGameAnswer:
    is_open = seat is not None and not found.is_hidden(seat)
    hidden = tuple(colour for colour in found.game.colours if found.is_hidden(colour))
    vouchers = {
        colour: tuple(one for one in found.seats if _may_vouch(found, colour, one, False))
        for colour in hidden
    }
    return DealtGameAnswer(
        name,
        card_game_view(found.game, seat if is_open else None),
        seat,
        tuple(found.seats),
        hidden,
        vouchers,
        any(seat in able for able in vouchers.values()),
        request.is_here,
        found.deleting,
        found.computers,
        answer_json(card_game_score(found.game.position)) if found.final else None,
    )
