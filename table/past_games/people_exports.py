"""Games with their people in one text file, for another table.

It has the bundles of games, one after the other. A file of all games has the names of today, and no
pictures. Who is who at the other table follows from games that both tables have, where the same
seat is the same person, and from names. So taking a file in adds games, and changes nothing else.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from ..game_log.database import WriterClaim
from ..game_log.errors import LogFileError
from ..game_log.exports import bundles_in, write_bundle
from ..game_log.facts import PersonId
from ..game_log.game_state import fold
from ..game_log.game_store import GameStore
from ..game_log.log import read_log
from .people import People, Seated, as_called_now, has_name, person_key, with_people


def write_games(store: GameStore, people: People) -> Iterator[bytes]:
    """Yield the lines of all games that are over, but for what is in use or cannot be read."""
    for path in map(store.path, store.ids()):
        with suppress(LogFileError), WriterClaim(path):
            if read_log(path).table.ended:
                yield from write_bundle(path, lambda game: as_called_now(game, people))


def take_games_in(store: GameStore, people: People, file: BinaryIO) -> tuple[list[str], list[str]]:
    """Add the games of a file that are not here, if all are valid; return these, and the others.

    Raises `BundleError` with the line, or `NewerFormatError`.
    """
    games = {bundle.id: list(bundle.events()) for bundle in bundles_in(file)}
    here = [game for game in games if store.path(game).exists()]
    theirs: dict[str, Seated] = {}  # who is who, as known from games that both tables have
    for game in here:
        with suppress(LogFileError):
            ours = {player.seat: player for player in store.read(game).table.players}
            for one in fold(event for event, _ in games[game]).table.players:
                if has_name((own := ours.get(one.seat, one)).name):
                    id, name = people.who(own.name, own.person)
                    is_told = people.who(name)[0] == id
                    theirs[person_key(one.name)] = name, "" if is_told else id

    def told(name: str, _: PersonId) -> Seated:
        return theirs.get(person_key(name)) or (name, people.id_for(name))

    new = [game for game in games if game not in here]
    for game in new:
        events = with_people((event for event, _ in games[game]), told)
        store.add(game, zip(events, (crops for _, crops in games[game]), strict=True))
    return new, here
