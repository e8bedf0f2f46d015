"""The logged games in the user's data directory: a file for each, named by a random id."""

import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from railspotter.scoring.sentence import raised_as

from ..errors import CANNOT_DELETE, CANNOT_WRITE
from ..whole_file import new_file_beside, sync_folder
from . import database
from .course_facts import GameStarted
from .errors import GameLogError, LogFileError, NoGameError
from .events import event_text, parse_event
from .facts import Event
from .game_state import GameState
from .log import GameLog, checked_after, read_log

ID = re.compile(r"[0-9a-f]{32}")
SUFFIX = ".sqlite3"
# The suffix of the page's file beside a game: which phone has which seat.
PAIRING = ".pairing"
SUMMARY = ".summary"  # the suffix of the cached entry in the list of past games
LISTED = ".listed"  # the suffix of what nobody has confirmed or answered yet
PHOTOS = ".photos"  # the suffix of the photos of a game that is read from them
REPORTS = "reports"  # the folder of reports, whose names begin with the game's id


class GameStore:
    """The games in a data directory, which need not exist yet.

    Methods raise `NoGameError` for an unknown id, `GameInUseError` when another program writes to
    the game, and `LogFileError` when its file cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "games"

    def create(self, started: GameStarted, at_s: float) -> GameLog:
        """Create a game's file and open it for writing; raises `EventError` as `check_start`."""
        event = parse_event(event_text(Event(1, at_s, started)))
        checked_after(None, event)
        game = secrets.token_hex(16)
        self.add(game, [(event, ())])
        return self.open(game)

    def open(self, game: str) -> GameLog:
        """Open a game for writing."""
        return GameLog(self._existing(game))

    def read(self, game: str) -> GameState:
        """Read the state of a game, which may be in use."""
        return read_log(self._existing(game))

    def add(self, game: str, events: Iterable[tuple[Event, database.Crops]]) -> None:
        """Create a game's file from validated events, atomically.

        An exception from the iterator aborts it. Raises `LogFileError` when the game exists
        already, or cannot be written.
        """
        path = self.path(game)
        with raised_as(LogFileError, OSError, CANNOT_WRITE, path=path):
            self.folder.mkdir(parents=True, exist_ok=True)
            sync_folder(self.folder.parent)
            if path.exists():
                raise LogFileError("the game {name} is here already", name=game)
            with new_file_beside(path) as new:
                with database.translated_sqlite_errors(new):
                    database.write_new(new, events)
                with database.WriterClaim(path):
                    database.replace_game_file(new, path)

    def delete(self, game: str) -> None:
        """Delete a game, the files beside it, and the reports of it."""
        path = self._existing(game)
        cannot_delete = raised_as(LogFileError, OSError, CANNOT_DELETE, path=path)
        with database.WriterClaim(path) as claim, cannot_delete:
            path.unlink()
            database.remove_sqlite_side_files(path)
            for copy in path.parent.glob(f"{path.name}{database.DAMAGED_SUFFIX}*"):
                copy.unlink()
            for beside in (PAIRING, SUMMARY, LISTED, PHOTOS):
                path.with_suffix(beside).unlink(missing_ok=True)
            for report in self.folder.with_name(REPORTS).glob(f"{game}-*"):
                report.unlink()
        claim.path.unlink(missing_ok=True)

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all games."""
        stems = (path.stem for path in self.folder.glob(f"*{SUFFIX}"))
        return tuple(sorted(stem for stem in stems if ID.fullmatch(stem)))

    def all(self) -> Iterator[tuple[str, GameState | GameLogError]]:
        """Yield every game's id with its state, or the error from reading it."""
        for game in self.ids():
            try:
                yield game, self.read(game)
            except GameLogError as error:
                yield game, error
            except Exception as error:  # a bug with one file must not hide the others
                path, reason = self.path(game), type(error).__name__
                yield game, LogFileError("{path} is damaged: {error}", path=path, error=reason)

    def find(self, asked: str) -> str:
        """Return the id of the game with this id or name, or with this unique prefix of either.

        Raises `NoGameError` when there is none, or more than one; the message names them.
        """
        names = {
            game: state.table.name if isinstance(state, GameState) else ""
            for game, state in self.all()
        }
        wanted = asked.casefold()
        exact = [game for game, name in names.items() if wanted in (game, name.casefold())]
        begin = [
            game
            for game, name in names.items()
            if game.startswith(wanted) or name.casefold().startswith(wanted)
        ]
        found = exact or begin
        if len(found) == 1 and asked:
            return found[0]
        some = ", ".join(f"{game[:8]} {names[game]}".strip() for game in found[:10] or names)
        if found and asked:
            raise NoGameError("{name!r} may be any of: {error}", name=asked, error=some)
        raise NoGameError(
            "there is no game {name!r}; there are: {error}", name=asked, error=some or "none yet"
        )

    def path(self, game: str) -> Path:
        """Return the path of a game's file; raises `NoGameError` for an invalid id."""
        if not ID.fullmatch(game):
            raise NoGameError(f"{game!r} cannot be a game's id: 32 digits and letters a to f")
        return self.folder / f"{game}{SUFFIX}"

    def _existing(self, game: str) -> Path:
        path = self.path(game)
        if not path.is_file():
            raise NoGameError("there is no game {name!r}", name=game)
        return path
