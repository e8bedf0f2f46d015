"""From choices to a planned game: boards, rules, profiles and games that go on are looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from railspotter.calibration.errors import CalibrationError
from railspotter.calibration.profiles import Profile
from railspotter.scoring import Board, Edition, ScoringError, board_names, load_edition

from ..boards import edition_on, profile_for
from ..errors import NoProfileError, TableError
from ..game_log import GameStore
from ..home import ProfileStore
from ..own_trains import TrainColour, with_trains
from ..photos import readable_board
from .choices import Choices, ChosenPlayer
from .demo import DemoTable
from .editions_offered import rules_for
from .errors import SetUpError
from .planned_game import PlannedGame
from .rules_offered import checked_rules, rules_offered


@dataclass(frozen=True, eq=False)
class Preset:
    """What the command line sets beforehand: it goes before what was chosen the last time.

    Attributes
    ----------
    choices : Choices
        The board may be a file, and the source too.
    profile, trains, name
        As `railspotter play` has them.
    game : str
        The id of a game that is to go on.
    """

    choices: Choices = field(default_factory=Choices)
    profile: str | None = None
    trains: Sequence[TrainColour] = ()
    name: str = ""
    game: str = ""


class Plans:
    """Looks up what choices name.

    Parameters
    ----------
    folder : Path
        The data directory.
    given : Preset
    """

    def __init__(self, folder: Path, given: Preset) -> None:
        self._given = given
        self._games, self._profiles = GameStore(folder), ProfileStore(folder)

    def first(self, kept: Choices) -> Choices:
        """Return what holds at first: what was chosen the last time, under the command line."""
        given = self._given.choices
        if given.edition or given.board:
            kept = msgspec.structs.replace(
                kept, edition=given.edition, board=given.board, house_rules={}
            )
        return msgspec.structs.replace(
            kept, players=given.players or kept.players, source=given.source or kept.source
        )

    def edition_and_board(self, edition: str, board: str) -> tuple[Edition, Board]:
        """Return an edition and its board; of one that is not named, the one that fits.

        Raises
        ------
        SetUpError
            When there is none such, or the one is not played on the other.
        """
        try:
            if not board:
                found = edition_on_its_board(edition)
                return found, readable_board(found.board)
            on = readable_board(board)
            if not edition and on.id not in board_names():
                return rules_for(on), on
            return edition_on(on, edition or None), on
        except (ScoringError, TableError) as error:
            raise SetUpError(str(error)) from error

    def of(self, choices: Choices) -> PlannedGame | None:
        """Return the game that is chosen; None where no edition is, or it is there no more.

        House rules that the edition does not have are passed over: a file may be old.
        """
        if not (choices.edition or choices.board):
            return None
        try:
            edition, board = self.edition_and_board(choices.edition, choices.board)
        except SetUpError:
            return None
        try:
            rules = checked_rules(choices.house_rules, rules_offered(edition, board))
        except SetUpError:
            rules = {}
        return PlannedGame(board, edition, choices.players, rules)

    def drawn(self, demo: DemoTable) -> PlannedGame:
        """Return the drawn game: its players are drawn too."""
        players = tuple(ChosenPlayer(one.name, one.colour) for one in demo.players)
        return PlannedGame(readable_board(demo.edition.board), demo.edition, players)

    def going_on(self, game: str) -> PlannedGame:
        """Return a game that was begun before.

        Raises
        ------
        TableError
            When there is none of that id, it has ended, or its board cannot be read.
        """
        table = self._games.read(game).table
        if table.ended:
            raise SetUpError("this game has ended: begin a new one")
        if not table.board.measured:
            raise SetUpError(f"the board {table.board.id!r} can be scored, not watched")
        return PlannedGame.going_on(game, table)

    def profile(self, board: Board) -> Profile | None:
        """Return what a board is read with; None where there is nothing yet.

        Raises
        ------
        SetUpError
            When it cannot be read; with what to do.
        """
        try:
            named = self._given.profile
            if named is not None and self._profiles.load(named).board != board.id:
                named = None
            return with_trains(profile_for(board, self._profiles, named), self._given.trains)
        except NoProfileError:
            return None
        except (TableError, CalibrationError) as error:
            raise SetUpError(str(error)) from error

    def for_game(self, profile: Profile) -> Profile:
        """Return a profile with the trains that the command line says lie on the table."""
        return with_trains(profile, self._given.trains)


def edition_on_its_board(name: str) -> Edition:
    """Return an edition that is played on a board; raises `TableError` for The Card Game."""
    edition = load_edition(name)
    if not edition.board:
        raise SetUpError(f"{edition.title} has no board: it is counted on its own page")
    return edition
