"""Control of a display beside the board: its status, what it shows, and which one is used.

Values for whoever shows them to people; what speaks to displays is handed in by `cli/command.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

import msgspec
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.points.standing import Standing
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot_names import spot_name
from railspotter.vision.watching.settling import WatchState

from .game_log.facts import Event
from .game_log.table_state import TableState
from .live_table.table_view import TableView
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


class DisplayPort(msgspec.Struct, frozen=True):
    """A port of this computer to which a display may be connected."""

    port: str  # what it is opened by
    about: str  # what it may be


class Display(msgspec.Struct, frozen=True):
    """The display beside the board, as it is now."""

    display: str  # as behind `--display`
    brightness: float
    palette: str  # which lights stand for which colours
    state: DisplayStatus
    about: Sentence  # for people: what is connected, or why nothing is
    is_testing: bool  # whether a made-up game is shown
    # What it shows now, in turn order; of no display, what one would show.
    players: tuple[DrawnPlayer, ...]
    palettes: tuple[str, ...]
    ports: tuple[DisplayPort, ...]  # what is plugged in, the likeliest first


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

    def show_camera(self, *, is_reading: bool = False, is_blind: bool = False) -> None:
        """Dim while the camera reads, and show whether the table does not see its board."""
        ...


class DisplayControl(Lights, Protocol):
    """A display beside the board, and which one it is to be; nothing here waits for it."""

    def view(self) -> Display:
        """Return how it is and what it shows."""
        ...

    def choose(
        self,
        display: str | None = None,
        brightness: float | None = None,
        palette: str | None = None,
    ) -> None:
        """Change what is given, and remember it for the next game; raises `TableError`."""
        ...

    def test(self) -> None:
        """Show a made-up game for some seconds, then the score again."""
        ...


class DisplayFeed:
    """Gives a display each new standing, and dims it while the camera reads: lights blind it."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._shown: TableState | None = None
        self._to_lay: tuple[PiecesToLay, ...] = ()

    def update(self, view: TableView, _: tuple[Event, ...]) -> None:
        """Show a changed table; called by the table."""
        table, to_lay = view.game.table, _to_lay(view)
        if table is not self._shown or to_lay != self._to_lay:
            new = () if self._shown is None else claimants(self._shown, table)
            self._shown, self._to_lay = table, to_lay
            self._lights.show_standing(table.score.standing, table.edition, new, to_lay)
        # A question may stay open for long, and nothing is read for it meanwhile.
        is_reading = view.sight.state is WatchState.SETTLING and not view.questions
        is_blind = bool(view.hindrance or view.trouble)
        self._lights.show_camera(is_reading=is_reading, is_blind=is_blind)


def _to_lay(view: TableView) -> tuple[PiecesToLay, ...]:
    """Return what is paid for and does not lie on the board, in the order in which it was paid.

    Of a game that was packed away it is what is not laid out again yet.
    """
    table = view.game.table
    to_lay = list(table.to_lay.items())
    if (rebuilding := view.sight.rebuilding) is not None:
        gone = (one for one in rebuilding.differences if one.is_plain)
        to_lay = [(one.spot, one.colour) for one in gone if one.colour is not None]
    seen = {spot: len(laying.standing) for spot, laying in view.sight.laying.items()}
    return tuple(
        PiecesToLay(
            colour,
            spot_name(table.board, spot),
            table.pieces_on(spot),
            seen.get(spot, 0),
            view.marker_moves.get(spot),
        )
        for spot, colour in to_lay
    )


def claimants(before: TableState, now: TableState) -> tuple[Colour, ...]:
    """Return the colours whose trains were put on the board since, each of them once.

    What is put back by an undo or redo counts as well; a station does not, for it is no train, nor
    does what lay there already, be it in another colour by now since its player is.
    """
    colours: dict[Colour, None] = {}
    for spot, held in now.spots.items():
        last = before.spots.get(spot)
        is_new = last is None or (held.event != last.event and held.colour != last.colour)
        if held.colour is not None and spot.kind != "station" and is_new:
            colours[held.colour] = None
    return tuple(colours)
