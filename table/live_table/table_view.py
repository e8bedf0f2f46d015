"""What people at the table are shown of a running game, as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.questions import Question
from railspotter.vision.watching.settling import WatchState

from ..game_log.events import Event
from ..game_log.facts import SeatId
from ..game_log.game_state import GameState
from .board_differences import Difference
from .laying import Laying
from .marker_watch import MarkerRemark, marker_places


@dataclass(frozen=True)
class Hindrance:
    """What keeps a table from seeing its board.

    Attributes
    ----------
    said : Sentence
        What it is, and what to do.
    """

    kind: Literal["camera", "board", "covered", "paused"]
    said: Sentence


@dataclass(frozen=True)
class RebuildingView:
    """How far a board that was packed away is laid out again.

    Attributes
    ----------
    differences : tuple of Difference
        What lies otherwise than the game has it.
    is_read : bool
        Whether the board was read yet.
    """

    differences: tuple[Difference, ...] = ()
    is_read: bool = False


@dataclass(frozen=True)
class TableView:
    """A running game at one moment.

    Attributes
    ----------
    number : int
        Rises whenever anything here changes.
    game : GameState
        The fold of the log.
    state : WatchState
        What the watching is at, in the word for people.
    camera : Sentence
        What the camera is doing, in a sentence.
    board : Sentence
        Where the board is, in a sentence.
    questions : tuple of Question
        The open ones, oldest first.
    joining : mapping of Spot to str, or None
        What lay on the board when watching began and is not as the log has it: someone has to
        confirm it before anything that is seen is written down.
    joining_missing : int
        How many pieces that the game has are not there, where they are nearly all; 0 where it had
        nothing. Confirming then means that the board was cleared.
    is_joining_open : bool
        Whether any player may do that, not only the host, who has not for a minute.
    trouble : Sentence
        What keeps facts from being written down; empty when nothing does.
    obstacle : Sentence
        What has kept a part of the board from being seen for a minute; empty when nothing has.
    hindrance : Hindrance or None
        What has kept the table from seeing for some seconds; None when nothing does.
    reminder : str or None
        The seat whose turn has lasted for as long as the host wants to be reminded after.
    rebuilding : RebuildingView or None
        What is still to be laid of a game that was packed away and goes on; None for any other.
    markers : tuple of MarkerRemark
        The score markers that stand elsewhere than the score for a while.
    has_camera : bool
        Whether a camera is to see the board; without one, people say what lies there.
    with_markers : bool
        Whether score markers are moved at this table.
    laying : mapping of Spot to Laying
        How far what is to be laid lies on the board, where something of it is seen.
    asked_back : Spot or None
        The claim that the host asks its player to take back, where cards are on phones.
    is_called : bool or None
        Whether the players call somebody; None where nobody would hear it.
    is_over : bool
        Whether no more frames will come.
    """

    number: int
    game: GameState
    state: WatchState = WatchState.SEARCHING
    camera: Sentence = NOTHING
    board: Sentence = NOTHING
    questions: tuple[Question, ...] = ()
    joining: Mapping[Spot, Colour] | None = None
    joining_missing: int = 0
    is_joining_open: bool = False
    trouble: Sentence = NOTHING
    obstacle: Sentence = NOTHING
    hindrance: Hindrance | None = None
    reminder: SeatId | None = None
    rebuilding: RebuildingView | None = None
    markers: tuple[MarkerRemark, ...] = ()
    has_camera: bool = True
    with_markers: bool = True
    laying: Mapping[Spot, Laying] = field(default_factory=dict)
    asked_back: Spot | None = None
    is_called: bool | None = None
    is_over: bool = False

    @cached_property
    def marker_moves(self) -> Mapping[Spot, int]:
        """Where the marker goes of whoever a route is laid for: the number on the score track.

        Of several routes of one player, each has the number with all of them. Stations bring no
        points; at a table without markers, or a board without a track, there is nothing to move.
        """
        table = self.game.table
        routes = {spot: whose for spot, whose in table.to_lay.items() if spot.kind == "route"}
        places = marker_places(table) if routes and self.with_markers and not table.ended else {}
        return {spot: places[whose] for spot, whose in routes.items() if whose in places}


NOTHING_JOINED: Mapping[str, Any] = {
    "joining": None,
    "joining_missing": 0,
    "is_joining_open": False,
    "rebuilding": None,
}
"""What a view says of a board that nobody has to confirm, or to lay out again."""

TableListener = Callable[[TableView, tuple[Event, ...]], None]
"""Takes the table as it is now and the events that are new. It is called from the table's threads,
so it returns at once."""
FrameListener = Callable[[Frame, TableView], None]
"""Takes each frame that was looked at, with the table as it is then. It is called from the table's
thread, so it returns at once."""
