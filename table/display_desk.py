"""The desk of a display beside the board: how it does, what it shows, which one it is to be.

Values for whoever shows them to people; what speaks to displays is handed in by `cli/command.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.standing import Standing

from .whole_file import KeptFile

NONE = "virtual"
"""The display that is only drawn."""
FILE = "display.json"
"""Where the choice is kept, in the data directory."""


class DisplayStatus(Enum):
    """How a display is doing."""

    NONE = "none"
    SEARCHING = "searching"
    BUSY = "busy"
    CONNECTED = "connected"


@dataclass(frozen=True, slots=True)
class DisplayChoice:
    """Which display somebody wants, and how bright.

    Attributes
    ----------
    display : str
        As behind `--display`.
    brightness : float
        0 to 1.
    palette : str
        Which lights stand for which colours.
    """

    display: str = NONE
    brightness: float = 0.25
    palette: str = "plain"


def kept_display(folder: Path) -> KeptFile[DisplayChoice]:
    """Return the file of a data directory that holds the display for the next game."""
    return KeptFile(folder / FILE, DisplayChoice())


@dataclass(frozen=True, slots=True)
class PiecesToLay:
    """What a player has paid for with cards on phones, until somebody lays it on the board.

    Attributes
    ----------
    where : str
        What players call it, with the names as printed.
    pieces : int
        How many pieces are laid there.
    standing : int
        How many of them the camera plainly sees there.
    marker : int or None
        The number of the score track on which the player's marker goes; None where it stays.
    """

    colour: Colour
    where: str
    pieces: int
    standing: int = 0
    marker: int | None = None

    @property
    def left(self) -> int:
        """How many are still to be laid, as far as anybody sees.

        Examples
        --------
        >>> PiecesToLay("blue", "Denver - Kansas City", 4, standing=3).left
        1
        """
        return self.pieces - self.standing


@dataclass(frozen=True, slots=True)
class DrawnPlayer:
    """What a display shows of one player.

    Attributes
    ----------
    lights : tuple of str
        What the LEDs are told, as `#rrggbb`; score first, the last fifth is the trains left.
    colours : tuple of str
        How they look to the eye, as colours of a screen, the strip's brightest at full.
    digits : str
        What one reads on a module of digits.
    """

    colour: Colour
    score: int
    trains_left: int
    has_longest_path: bool
    lights: tuple[str, ...]
    colours: tuple[str, ...]
    digits: str


@dataclass(frozen=True, slots=True)
class DisplayView:
    """A display as it is now.

    Attributes
    ----------
    about : Sentence
        For people: what is connected, or why nothing is.
    players : tuple of DrawnPlayer
        What it shows now, in turn order; of no display, what one would show.
    ports : mapping of str to str
        What is plugged in, by what it is opened by: what it may be, the likeliest first.
    is_testing : bool
        Whether a made-up game is shown.
    """

    choice: DisplayChoice
    doing: DisplayStatus
    about: Sentence
    players: tuple[DrawnPlayer, ...]
    palettes: tuple[str, ...]
    ports: Mapping[str, str] = field(default_factory=dict)
    is_testing: bool = False


class Lights(Protocol):
    """What a table shows on a display beside the board; nothing here waits for it."""

    def show_standing(
        self,
        standing: Standing,
        edition: Edition,
        claimants: Collection[Colour] = (),
        to_lay: Collection[PiecesToLay] = (),
    ) -> None:
        """Show a standing, which colours have just claimed, and what is to be laid."""
        ...

    def dim(self, *, is_reading: bool) -> None:
        """Dim while the camera reads."""
        ...

    def warn(self, *, is_blind: bool) -> None:
        """Show whether the table does not see its board."""
        ...


class DisplayDesk(Lights, Protocol):
    """A display beside the board, and which one it is to be; nothing here waits for it."""

    def view(self) -> DisplayView:
        """Return how it is and what it shows."""
        ...

    def choose(
        self,
        display: str | None = None,
        brightness: float | None = None,
        palette: str | None = None,
    ) -> None:
        """Change what is given, and remember it for the next game.

        Raises
        ------
        TableError
            When it cannot be; HomeError when it cannot be written down.
        """
        ...

    def test(self) -> None:
        """Show a made-up game for some seconds, then the score again."""
        ...
