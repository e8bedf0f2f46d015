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

NONE = "virtual"  # the display that is only drawn
FILE = "display.json"  # where the choice is kept, in the data directory


class DisplayStatus(Enum):
    """How a display is doing."""

    NONE = "none"
    SEARCHING = "searching"
    BUSY = "busy"
    CONNECTED = "connected"


@dataclass(frozen=True, slots=True)
class DisplayChoice:
    """Which display somebody wants, and how bright."""

    display: str = NONE  # as behind `--display`
    brightness: float = 0.25
    palette: str = "plain"  # which lights stand for which colours


def kept_display(folder: Path) -> KeptFile[DisplayChoice]:
    """Return the file of a data directory that holds the display for the next game."""
    return KeptFile(folder / FILE, DisplayChoice())


@dataclass(frozen=True, slots=True)
class PiecesToLay:
    """What a player has paid for with cards on phones, until somebody lays it on the board."""

    colour: Colour
    where: str  # what players call it, with the names as printed
    pieces: int  # how many pieces are laid there
    standing: int = 0  # how many of them the camera plainly sees there
    # The number of the score track on which the player's marker goes; None where it stays.
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
    """What a display shows of one player."""

    colour: Colour
    score: int
    trains_left: int
    has_longest_path: bool
    # What the LEDs are told, as `#rrggbb`; score first, the last fifth is the trains left.
    lights: tuple[str, ...]
    # How they look to the eye, as colours of a screen, the strip's brightest at full.
    colours: tuple[str, ...]
    digits: str  # what one reads on a module of digits


@dataclass(frozen=True, slots=True)
class DisplayView:
    """A display as it is now."""

    choice: DisplayChoice
    doing: DisplayStatus
    about: Sentence  # for people: what is connected, or why nothing is
    # What it shows now, in turn order; of no display, what one would show.
    players: tuple[DrawnPlayer, ...]
    palettes: tuple[str, ...]
    # What is plugged in, by what it is opened by: what it may be, the likeliest first.
    ports: Mapping[str, str] = field(default_factory=dict)
    is_testing: bool = False  # whether a made-up game is shown


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
