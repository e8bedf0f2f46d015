"""A game that is read from photos of its end: their claims with proofs, and what they doubt.

The photos themselves are kept beside the game, so that another one is read together with them.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
from railspotter.scoring.board import board_names
from railspotter.scoring.edition import Colour
from railspotter.scoring.legality import number_rule
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import NoCamera
from railspotter.vision.watching.questions import Question

from ..errors import HomeError, PhotoError
from ..game_log.board_facts import PinPlaced, Placed, TakenBack
from ..game_log.course_facts import GameEnded, GameStarted
from ..game_log.facts import Fact
from ..game_log.game_store import PHOTOS, GameStore
from ..game_log.people_facts import Player, PlayerCameIn
from ..game_log.table_state import TableState
from ..live_table.commands import AddFacts
from ..live_table.listed import Listed, save_listed
from ..photo_file import Files
from ..photos.scored_photo import ScoredPhoto
from ..whole_file import read_kept, write_kept
from .planned_game import GameHandover

MOST_KEPT_BYTES = 24_000_000  # four photos of a phone


def begin_photo_game(store: GameStore, photo: ScoredPhoto, files: Files) -> GameHandover:
    """Begin a game of the trains that photos show, whose players have colours and no names.

    Raises `PhotoError` for a board without trains.
    """
    colours = _colours(photo)
    if not colours:
        raise PhotoError("no trains stand on the board: there is nothing to count")
    own = None if photo.board.id in board_names() else photo.board
    players = tuple(Player(colour, colour) for colour in colours)
    rules = number_rule(photo.edition, len(players))
    started = GameStarted(photo.edition.id, players, "", own, rules, origin="photo")
    with store.create(started, time.time()) as log:
        seen = seen_facts(photo, log.state.table)
        facts = (*(seen.facts if not callable(seen.facts) else ()), GameEnded())
        crops = {
            i: (seen.proofs[spot],)
            for i, fact in enumerate(facts)
            for spot in fact.spots
            if spot in seen.proofs
        }
        log.append(facts, time.time(), crops)
        save_listed(log.path, Listed(questions=tuple(seen.asked or ())))
        keep_photos(log.path, files)
        return going_on(store, log.id)


def going_on(store: GameStore, game: str) -> GameHandover:
    """Go on with a game of photos, which no camera watches."""
    grabber = Grabber(NoCamera())
    grabber.start()
    return GameHandover(store, game, False, grabber, None)


def seen_facts(photo: ScoredPhoto, table: TableState) -> AddFacts:
    """Return what a reading adds to its game, and what is asked from then on.

    What a person has said stays, as does what no photo shows.
    """
    facts = tuple(_facts(photo, table))
    playing = {player.colour for player in table.players} | {*_colours(photo)}
    asked = [
        Question(replace(doubt, alternatives=choices), photo.crops.get(doubt.spot, b""))
        for doubt in photo.doubts
        if doubt.spot not in table.by_hand
        and (choices := tuple(one for one in doubt.alternatives if one is None or one in playing))
    ]
    asked.sort(key=lambda one: -_worth(photo, one))
    return AddFacts(facts, photo.crops, asked)


def _colours(photo: ScoredPhoto) -> list[Colour]:
    """Return the colours with pieces on the board, in the box's order."""
    held = {*photo.held.values()}
    return [colour for colour in photo.edition.colours if colour in held]


def _facts(photo: ScoredPhoto, table: TableState) -> Iterator[Fact]:
    there, held = {player.colour for player in table.players}, table.held
    for colour in _colours(photo):
        if colour not in there:
            yield PlayerCameIn(Player(colour, colour))
    seen = {spot: colour for spot, colour in photo.held.items() if colour in photo.edition.colours}
    for spot in sorted({*seen, *held} - {*photo.unseen} - {*table.by_hand}):
        now = seen.get(spot)
        if now == held.get(spot):
            continue
        if now is None:
            yield TakenBack.on(spot, by="camera")
        else:
            sure = min(1.0, max(0.0, photo.sure.get(spot, 1.0)))
            yield Placed.on(spot, colour=now, by="camera", sure=sure)
    for route, space in photo.pins.items():
        if table.pins.get(route) != space:
            yield PinPlaced(route, space)


def _worth(photo: ScoredPhoto, question: Question) -> int:
    """Return the points that a question is about: the dearest are asked first."""
    if question.spot.kind != "route":
        return 0
    return photo.edition.route_points.get(photo.board.route_by_id[question.spot.id].length, 0)


def keep_photos(game: Path, files: Files) -> None:
    """Keep photos beside a game's file, as far as there is room."""
    kept, size = [], 0
    for content, name in reversed(files):  # the newest ones
        size += len(content)
        if size <= MOST_KEPT_BYTES:
            kept.append((content, name))
    with suppress(HomeError, OSError):
        write_kept(game.with_suffix(PHOTOS), msgspec.msgpack.encode(kept[::-1]), is_private=True)


def kept_photos(game: Path) -> list[tuple[bytes, str]]:
    """Return the photos that are kept beside a game's file."""
    with suppress(FileNotFoundError, HomeError, msgspec.DecodeError):
        content = read_kept(game.with_suffix(PHOTOS), 2 * MOST_KEPT_BYTES)
        return msgspec.msgpack.decode(content, type=list[tuple[bytes, str]])
    return []
