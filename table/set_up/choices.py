"""What was chosen when a game was set up, kept in the data directory for the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ..errors import SetUpError
from ..game_log.facts import ONE_LINE, Colour, Title
from ..whole_file import KeptFile

FILE = "set-up.json"
MOST_PLAYERS = 12  # as a game's log has it
MOST_LETTERS = 500  # the longest source: an address with a password in it

SourceText = Annotated[str, msgspec.Meta(max_length=MOST_LETTERS, pattern=ONE_LINE)]
RuleName = Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,40}$")]
RuleValue = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class ChosenPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody who is to play; without a name, known by the colour."""

    name: Title
    colour: Colour
    # How strong a computer plays in this seat; empty for a person.
    computer: Literal["", "easy", "medium", "hard"] = ""


def parse_player(text: str) -> ChosenPlayer:
    """Read somebody who is to play from `NAME:COLOUR`, or from the colour alone.

    Examples
    --------
    >>> parse_player("Ann:red")
    ChosenPlayer(name='Ann', colour='red', computer='')
    >>> parse_player("blue").colour
    'blue'
    """
    name, _, colour = text.rpartition(":")
    return ChosenPlayer(name, colour)


Cards = Literal["table", "phones"]


def parse_computer(text: str) -> ChosenPlayer:
    """Read a computer that is to play from `STRENGTH:COLOUR`.

    Raises
    ------
    SetUpError
        For a strength that there is not.

    Examples
    --------
    >>> parse_computer("hard:blue").computer
    'hard'
    """
    strength, _, colour = text.rpartition(":")
    try:
        return msgspec.convert({"name": "", "colour": colour, "computer": strength}, ChosenPlayer)
    except msgspec.ValidationError as error:
        raise SetUpError(
            "{text!r} is no computer player: say easy:COLOUR, medium:COLOUR or hard:COLOUR",
            text=text,
        ) from error


Players = Annotated[tuple[ChosenPlayer, ...], msgspec.Meta(max_length=MOST_PLAYERS)]
Rules = Annotated[dict[RuleName, RuleValue], msgspec.Meta(max_length=20)]


class Choices(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is chosen; what is empty was not."""

    # edition, board: The rules, and the board that is played on: the edition's, or one of the
    # user's own.
    edition: str = ""
    board: str = ""
    players: Players = ()  # in turn order
    # As behind `--source`; a camera in the network by the name that pages know it by.
    source: SourceText = ""
    house_rules: Rules = {}  # rules of that edition by name, with other values than the rulebook's
    # Where the train cards and tickets are: on the table, or dealt to phones.
    cards: Cards = "table"
    any_number: bool = False  # whether so many play though the box says otherwise


def kept_choices(folder: Path) -> KeptFile[Choices]:
    """Return the file of a data directory that holds the choices for the next set-up.

    Nobody but its owner may read it: older ones have a camera's address with its password in it.
    """
    return KeptFile(folder / FILE, Choices(), is_private=True)
