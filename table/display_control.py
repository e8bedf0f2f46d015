"""Interfaces and values to control an LED display beside the board.

The implementation is in `firmware_bridge`, and is passed in by `cli/command.py`.
"""

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

NONE = "virtual"  # the display that is only drawn on the page
FILE = "display.json"  # the saved choice, in the data directory


class DisplayStatus(Enum):
    """The state of the connection to a display."""

    NONE = "none"
    SEARCHING = "searching"
    BUSY = "busy"
    CONNECTED = "connected"


@dataclass(frozen=True, slots=True)
class DisplayChoice:
    """The user's settings: which display, its brightness and palette."""

    display: str = NONE  # as behind `--display`
    brightness: float = 0.25
    palette: str = "plain"  # which lights stand for which colours


def display_choice_file(folder: Path) -> KeptFile[DisplayChoice]:
    """Return the file of a data directory that holds the display for the next game."""
    return KeptFile(folder / FILE, DisplayChoice())


@dataclass(frozen=True, slots=True)
class PiecesToLay:
    """Pieces of a claim paid with cards on phones that are not yet laid on the board."""

    colour: Colour
    where: str  # what players call it, with the names as printed
    pieces: int  # how many pieces are laid there
    standing: int = 0  # how many of them the camera plainly sees there
    # The number of the score track on which the player's marker goes; None where it stays.
    marker: int | None = None

    @property
    def left(self) -> int:
        """How many pieces are still missing on the board, as far as the camera sees.

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
    # The LEDs' values as `#rrggbb`: the score first, the last fifth is the trains left.
    lights: tuple[str, ...]
    # The same as screen colours, as the eye sees them, scaled to the brightest.
    colours: tuple[str, ...]
    digits: str  # the text on a module of digits


class DisplayPort(msgspec.Struct, frozen=True):
    """A port of this computer to which a display may be connected."""

    port: str  # what it is opened by
    about: str  # a description of the device


class Display(msgspec.Struct, frozen=True):
    """The current state of the display beside the board."""

    display: str  # as behind `--display`
    brightness: float
    palette: str  # which lights stand for which colours
    state: DisplayStatus
    about: Sentence  # for people: what is connected, or why nothing is
    is_testing: bool  # whether a made-up game is shown
    # What it shows now, in turn order; without a display, what one would show.
    players: tuple[DrawnPlayer, ...]
    palettes: tuple[str, ...]
    ports: tuple[DisplayPort, ...]  # connected devices, the likeliest first


class Lights(Protocol):
    """Output to a display beside the board. No call blocks."""

    def show_standing(
        self,
        standing: Standing,
        edition: Edition,
        claimants: Collection[Colour] = (),
        to_lay: Collection[PiecesToLay] = (),
        *,
        is_over: bool = False,
    ) -> None:
        """Show a standing, the colours that have just claimed, and the pieces to lay.

        When the game is over nothing flashes for its last turns any more.
        """
        ...

    def show_camera(self, *, is_reading: bool = False, is_blind: bool = False) -> None:
        """Dim while the camera reads, and show whether it is blind."""
        ...


class DisplayControl(Lights, Protocol):
    """Output to a display, and its settings. No call blocks."""

    def view(self) -> Display:
        """Return the display's current state."""
        ...

    def choose(
        self,
        display: str | None = None,
        brightness: float | None = None,
        palette: str | None = None,
    ) -> None:
        """Change and save the given settings; raises `TableError`."""
        ...

    def test(self) -> None:
        """Show an example game for some seconds, then the score again."""
        ...


class DisplayFeed:
    """A table listener that updates a display, and dims it while the camera reads."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._shown: TableState | None = None
        self._to_lay: tuple[PiecesToLay, ...] = ()

    def update(self, view: TableView, _: tuple[Event, ...]) -> None:
        """Show a changed table: the listener's callback."""
        table, to_lay = view.game.table, _to_lay(view)
        if table is not self._shown or to_lay != self._to_lay:
            new = () if self._shown is None else claimants(self._shown, table)
            self._shown, self._to_lay = table, to_lay
            standing, is_over = table.score.standing, table.ended
            self._lights.show_standing(standing, table.edition, new, to_lay, is_over=is_over)
        # Nothing is read while a question is open, which may be long.
        is_reading = view.sight.state is WatchState.SETTLING and not view.questions
        is_blind = bool(view.hindrance or view.trouble)
        self._lights.show_camera(is_reading=is_reading, is_blind=is_blind)


def _to_lay(view: TableView) -> tuple[PiecesToLay, ...]:
    """Return the claims that are paid but not laid, in order of payment.

    While a game that was packed away is rebuilt, it is what is not laid again yet.
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
    """Return the colours that have claimed routes between two states.

    Claims restored by an undo or redo count; stations, and claims of a player who only changed
    colour, do not.
    """
    colours: dict[Colour, None] = {}
    for spot, held in now.spots.items():
        last = before.spots.get(spot)
        is_new = last is None or (held.event != last.event and held.colour != last.colour)
        if held.colour is not None and spot.kind != "station" and is_new:
            colours[held.colour] = None
    return tuple(colours)
