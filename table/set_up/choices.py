"""What was chosen when a game was set up, kept in the data directory for the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from ..errors import HomeError
from ..game_log import ONE_LINE, Colour, Title
from ..whole_file import write_whole

FILE = "set-up.json"
MOST_PLAYERS = 12
"""As a game's log has it."""
MOST_LETTERS = 500
"""Of a source: an address with a password in it."""

SourceText = Annotated[str, msgspec.Meta(max_length=MOST_LETTERS, pattern=ONE_LINE)]
RuleName = Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,40}$")]
RuleValue = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class ChosenPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who is to play; without a name, known by the colour."""

    name: Title
    colour: Colour


Players = Annotated[tuple[ChosenPlayer, ...], msgspec.Meta(max_length=MOST_PLAYERS)]
Rules = Annotated[dict[RuleName, RuleValue], msgspec.Meta(max_length=20)]


class Choices(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is chosen; what is empty was not.

    Attributes
    ----------
    edition, board : str
        The rules, and the board that is played on: the edition's, or one of the user's own.
    players : tuple of ChosenPlayer
        In turn order.
    source : str
        As behind `--source`.
    house_rules : dict of str to int
        Of that edition.
    """

    edition: str = ""
    board: str = ""
    players: Players = ()
    source: SourceText = ""
    house_rules: Rules = {}


class KeptChoices:
    """The file that remembers the choices.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def load(self) -> Choices:
        """Return what was chosen the last time; a file that cannot be read is as good as none."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Choices)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Choices()

    def save(self, choices: Choices) -> None:
        """Remember choices.

        Nobody but its owner may read the file: a camera's address may have a password in it.

        Raises
        ------
        HomeError
            When it cannot be written; what was chosen before is then still there.
        """
        content = msgspec.json.format(msgspec.json.encode(choices))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, content, is_private=True)
        except OSError as error:
            raise HomeError(f"cannot write {self._path}: {error.strerror}") from error
