"""Calls about past games and their people, taking them in; and exports of any game."""

import io
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated

import msgspec
from flask import Response
from msgspec.structs import replace
from railspotter.scoring.names import Title
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.course_facts import GameMarked
from railspotter.table.game_log.errors import BundleError, GameInUseError, NewerFormatError
from railspotter.table.game_log.exports import events_as_csv, events_as_jsonl, state_as_game_text
from railspotter.table.game_log.facts import PersonId
from railspotter.table.game_log.game_state import GameState
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.past_games import summaries
from railspotter.table.past_games.people import has_name, person_key
from railspotter.table.past_games.people_exports import take_games_in, write_games
from railspotter.table.plays.play import PLAYS, Play, play_of
from railspotter.table.set_up.planned_game import choices_file

from ..feed.history import History
from ..feed.public_state import PublicGame, public_game
from ..sessions.services import GameSession, Needs
from . import responses
from .calls import (
    JPEG,
    JSON,
    CallRequest,
    Json,
    Nothing,
    Upload,
    Who,
    call,
    query_number,
    query_text,
)
from .refusals import CallError, refused_as
from .state import board_json

PAGE = 50  # games on a page of the list
MOST_PAGES = 10**6
MOST_NAME = 80  # letters of a name, as the log has it
OCTETS = "application/octet-stream"
TAKEN = Sentence("There is a {name} here already: if both are the same person, make them one.")
NO_PAGE = Sentence("page is the number of a page: a whole number.")
Page = Annotated[int, query_number("Which page of 50 games, from 1.", NO_PAGE)]
EditionName = Annotated[str, query_text("Only games of this edition.", MOST_NAME)]
PlayerName = Annotated[str, query_text("Only games of who has this name or id.", MOST_NAME)]
IN_USE = Sentence(
    "This game is being played: it can be saved or deleted once Railspotter has stopped or begun"
    " another."
)
# By format what writes a game without secrets, the media type, and the ending of the file's name.
FILES: Mapping[str, tuple[Callable[[GameState], str], str, str]] = {
    "jsonl": (partial(events_as_jsonl, with_secrets=True), "application/x-ndjson", "jsonl"),
    "csv": (partial(events_as_csv, with_secrets=True), "text/csv", "csv"),
    "game": (state_as_game_text, JSON, "json"),
}


class PlayedEdition(msgspec.Struct, frozen=True):
    """An edition of which there are games."""

    edition: str
    title: str


class PastGames(msgspec.Struct, frozen=True):
    """A page of the past games, and what all of them say of people."""

    games: list[summaries.Summary]  # the newest first
    page: int  # from 1
    pages: int
    count: int  # how many games were asked for
    all: int  # how many there are that were read
    unread: int  # how many are still to be read: who asks again knows more
    editions: list[PlayedEdition]
    people: list[summaries.Person]
    bests: list[summaries.Bests]
    head_to_head: list[summaries.Against]  # of the player that was asked for


class GameName(msgspec.Struct, frozen=True):
    """The id of a game."""

    id: str


def may_see_past(request: CallRequest, id: str = "") -> bool:
    """Tell whether a phone may see past games, or that of an id: in a cafe the running one."""
    is_own = isinstance(now := request.now, GameSession) and now.table.log.id == id
    return is_own or request.is_here or request.access.devices.door.guests == "home"


def _past(request: CallRequest, id: str = "") -> History:
    """Return the past games for whom may see them, or that of an id; raises `CallError`."""
    if not may_see_past(request, id):
        raise CallError(403, "not yours", "At this table only the host sees past games.")
    return request.services.history


class KnownPeople(msgspec.Struct, frozen=True):
    """Everybody who has played here."""

    people: list[summaries.Person]
    unread: int  # how many games are still to be read: who asks again knows more


@call("GET", "/games", Who.ALL, needs=Needs.NOTHING)
def get_games(
    request: CallRequest, page: Page = 1, edition: EditionName = "", player: PlayerName = ""
) -> PastGames:
    """The past games, newest first, with records and who won against whom."""
    known = _past(request).games()
    people = summaries.people(known.games)
    by_id = {one.person: one.key for one in people}
    edition, key = edition[:MOST_NAME], by_id.get(player, person_key(player[:MOST_NAME]))
    of_edition = [game for game in known.games if edition in ("", game.edition)]
    found = [
        game for game in of_edition if not key or any(result.key == key for result in game.players)
    ]
    at = min(max(page, 1), MOST_PAGES) - 1
    editions = sorted({(game.edition, game.title) for game in known.games if game.edition})
    return PastGames(
        games=list(map(summaries.for_list, found[at * PAGE : (at + 1) * PAGE])),
        page=at + 1,
        pages=max(1, -(-len(found) // PAGE)),
        count=len(found),
        all=len(known.games),
        unread=known.unread,
        editions=[PlayedEdition(name, title) for name, title in editions],
        people=people,
        bests=summaries.bests(of_edition, key),
        head_to_head=summaries.head_to_head(of_edition, key) if key else [],
    )


@call("POST", "/games", Who.HOST, upload=Upload.FILE, needs=Needs.NOTHING)
def import_games(request: CallRequest, content: bytes) -> GameName:
    """Takes over the games of a file of bundles, all or none; tells the first that is new."""
    try:
        history = request.services.history
        new, _ = take_games_in(history.store, history.people.load(), io.BytesIO(content))
        if not new:
            raise CallError(409, "here", "All of this is here already.")
        return GameName(new[0])
    except (BundleError, NewerFormatError) as error:
        raise CallError(
            400, "wrong", Sentence("Nothing was imported: {error}.", error=error)
        ) from error


@call("GET", "/games/{id}", Who.ALL, needs=Needs.NOTHING)
def get_game(request: CallRequest, id: str) -> Json:
    """A past game and its score."""
    game = _past(request, id).game(id)
    return {
        **public_game(game),
        "last_at_s": game.log.events[-1].at_s,
        "counts": game.table.counts,
        "tie_break": list(game.table.edition.tie_break),
    }


@call("GET", "/games/{id}/board", Who.ALL, needs=Needs.NOTHING)
def get_game_board(request: CallRequest, id: str) -> Response:
    """Its board, to draw it."""
    game = _past(request, id).game(id)
    return responses.tagged(request, f"board-{game.id}", lambda: board_json(game.table.board))


@call("GET", "/games/{id}/packed.jpg", Who.ALL, gives=JPEG, needs=Needs.NOTHING)
def get_packed_picture(request: CallRequest, id: str) -> Response:
    """The board of a game that was packed away, as it lay."""
    jpeg = _past(request, id).packed_picture(id)
    if jpeg is None:
        raise CallError(404, "unknown", "There is no picture of such a game.")
    return responses.of(jpeg, JPEG, **{"Cache-Control": responses.PRIVATE})


@call("GET", "/games/{id}/moments", Who.ALL, needs=Needs.NOTHING)
def get_moments(request: CallRequest, id: str) -> Response:
    """It once more, moment by moment."""
    return responses.of(_past(request, id).moments(id), JSON)


@call("GET", "/games/{id}/export/{format}", Who.ALL, gives="*/*", needs=Needs.NOTHING)
def export_game(request: CallRequest, id: str, format: str) -> Response:
    """It as a file, without secrets: jsonl, csv, game; over, bgstats or bgg."""
    return export_response(request, _past(request, id).game(id), format)


@call("GET", "/games/{id}/bundle", Who.HOST, gives=OCTETS, needs=Needs.NOTHING)
def get_bundle(request: CallRequest, id: str) -> Response:
    """All of it as a file, secrets and pictures too; of no game that is being played."""
    request.services.history.game(id)
    with refused_as(GameInUseError, 409, "in use", IN_USE):
        content = request.services.history.bundle(id)
    return responses.download(content, OCTETS, "game.railspotter")


@call("DELETE", "/games/{id}", Who.HOST, needs=Needs.NOTHING)
def delete_game(request: CallRequest, id: str) -> Nothing:
    """Deletes it for good."""
    with refused_as(GameInUseError, 409, "in use", IN_USE):
        request.services.history.store.delete(id)
    return Nothing()


@call("PUT", "/games/{id}/counts", Who.HOST, needs=Needs.NOTHING)
def let_count(request: CallRequest, id: str, *, counts: bool) -> Nothing:
    """Says whether it counts for records and people's statistics."""
    now, facts = request.now, [GameMarked(counts)]
    if isinstance(now, GameSession) and now.table.log.id == id:
        request.execute(AddFacts(facts))
    else:
        with request.services.history.store.open(id) as log:
            log.append(facts, time.time())
    return Nothing()


@call("GET", "/people", Who.ALL, needs=Needs.NOTHING)
def get_people(request: CallRequest) -> KnownPeople:
    """Everybody who has played here, who played most first."""
    known = _past(request).games()
    return KnownPeople(summaries.people(known.games), known.unread)


@call("PATCH", "/people/{id}", Who.HOST, needs=Needs.NOTHING)
def change_person(
    request: CallRequest, id: str, *, name: Title | None = None, also: PersonId | None = None
) -> Nothing:
    """Renames a person, and joins one to them who is the same: `also` is that one's id."""
    names, history = _names(request, id), request.services.history
    if also is not None and also != id:
        _names(request, also)
        history.change_people(lambda people: people.joined(id, names[id], also))
    if name is not None:
        if not has_name(name):
            raise CallError(400, "wrong", "A name is needed, and a colour is nobody's.")
        others = {person_key(one) for person, one in names.items() if person not in (id, also)}
        if person_key(name) in others:
            raise CallError(409, "taken", TAKEN.filled(name=name))
        history.change_people(lambda people: people.renamed(id, name.strip()))
    return Nothing()


@call("DELETE", "/people/{id}", Who.HOST, needs=Needs.NOTHING)
def forget_person(request: CallRequest, id: str) -> Nothing:
    """Forgets a person: nothing about past games tells the name any more."""
    _names(request, id)
    history, choices = request.services.history, choices_file(request.services.home)
    last, who = choices.load_or_default(), history.people.load().who
    names = ("" if who(one.name)[0] == id else one.name for one in last.players)
    players = tuple(replace(one, name=name) for one, name in zip(last.players, names, strict=True))
    if players != last.players:
        choices.save(replace(last, players=players))
    history.change_people(lambda people: people.without(id))
    return Nothing()


def _names(request: CallRequest, id: str) -> dict[str, str]:
    """Return everybody's name by id; raises `CallError` for an unknown one."""
    names = {one.person: one.name for one in get_people(request).people}
    if id not in names:
        raise CallError(404, "unknown", "There is nobody of this id here.")
    return names


@call("GET", "/people/games", Who.HOST, gives=OCTETS, needs=Needs.NOTHING)
def get_people_with_games(request: CallRequest) -> Response:
    """All games that are over as one file, with people's present names, for another table."""
    history = request.services.history
    content = b"".join(write_games(history.store, history.people.load()))
    return responses.download(content, OCTETS, "people.railspotter")


def play_response(request: CallRequest, play: Play, format: str) -> Response:
    """Return a game in one of the formats of `PLAYS`."""
    if format not in PLAYS:
        raise CallError(404, "unknown", "A game is passed on as bgstats or bgg.")
    content = PLAYS[format](play, request.translate).encode()
    # Shown in the browser, to be copied.
    return responses.of(content, "text/plain", **{"Content-Disposition": "inline"})


@call("GET", "/export/{format}", Who.ALL, gives="*/*")
def export(request: CallRequest, format: str) -> Response:
    """The game as a file, without secrets: jsonl, csv, game; over, bgstats or bgg."""
    return export_response(request, request.session.feed.now().game, format)


def export_response(request: CallRequest, public: PublicGame, format: str) -> Response:
    """Return a game as a download, without secrets."""
    game = public.log.as_game()
    if format in PLAYS:
        return play_response(request, play_of(public.id, game, public.table.score), format)
    if format not in FILES:
        raise CallError(404, "unknown", "A game is given as jsonl, csv, game, bgstats or bgg.")
    text_of, media_type, ending = FILES[format]
    return responses.download(text_of(game).encode(), media_type, f"game.{ending}")
