"""What people at the table are shown of a running game, as values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.belief import SpaceReading
from railspotter.vision.watching.questions import Question
from railspotter.vision.watching.settling import WatchState

from ..game_log.facts import Event, SeatId
from ..game_log.game_state import GameState
from .marker_watch import MarkerRemark, marker_places

# Log-odds from which a space is spoken of. Of 1,545 spaces of five drawn boards with routes laid in
# part, with a wrong train here and there, 1,499 were so plain, and none of them was wrong.
PLAIN = 3.0
# In the order in which they are said: what lies wrongly is in the way of what is to be laid.
DifferenceKind = Literal["lane", "colour", "extra", "missing", "check"]


@dataclass(frozen=True)
class Hindrance:
    """What keeps a table from seeing its board."""

    kind: Literal["camera", "board", "covered", "paused"]
    said: Sentence  # what it is, and what to do


@dataclass(frozen=True, slots=True)
class Difference:
    """A spot that shows something else than the game has."""

    # `missing`: it should lie there, and does not. `extra`: it lies there, and should not.
    # `colour`: another one lies there. `lane`: it lies on the lane beside this one. `check`: the
    # camera is not sure, or a person has said so against it.
    kind: DifferenceKind
    spot: Spot
    colour: Colour | None  # what should stand there; None for nothing
    seen: Colour | None  # what is seen there; None for nothing
    lies_on: Spot | None = None  # the other lane, where it lies there

    @property
    def is_plain(self) -> bool:
        """Whether somebody has to mend it: what is to be checked holds up nobody."""
        return self.kind != "check"


@dataclass(frozen=True)
class RebuildingView:
    """How far a board that was packed away is laid out again."""

    differences: tuple[Difference, ...] = ()  # what lies otherwise than the game has it
    is_read: bool = False  # whether the board was read yet


@dataclass(frozen=True, slots=True)
class Laying:
    """How far a route is laid; a space that the camera is not sure of is in neither.

    Nothing follows from it but what people are told while they lay.
    """

    # The spaces on which a train of the colour stands, from 0 at the route's first place.
    standing: tuple[int, ...] = ()
    # Those on which another one stands, each with the colour of that.
    wrong: tuple[tuple[int, Colour], ...] = ()


def laying_of(spaces: Collection[SpaceReading], colour: Colour) -> Laying | None:
    """Return how far a route is laid in a colour; None where no train plainly stands there.

    Examples
    --------
    >>> seen = [SpaceReading("blue", 7.5), SpaceReading("blue", 1.5), SpaceReading("red", 4.0)]
    >>> laying_of(seen, "blue")
    Laying(standing=(0,), wrong=((2, 'red'),))
    """
    plain = {
        number: space.colour
        for number, space in enumerate(spaces)
        if space.colour is not None and space.lead >= PLAIN
    }
    if not plain:
        return None
    return Laying(
        tuple(number for number, there in plain.items() if there == colour),
        tuple((number, there) for number, there in plain.items() if there != colour),
    )


@dataclass(frozen=True)
class Joining:
    """What lies on a board that watching began with: somebody has to confirm it.

    Nothing that is seen is written down before.
    """

    board: Mapping[Spot, Colour]  # what people are shown
    # How many pieces that the game has are not there, where they are nearly all; 0 where it had
    # nothing. Confirming then means that the board was cleared.
    missing: int = 0
    # How many spots lie otherwise than the game has them, where they are many; 0 for any other.
    changed: int = 0

    @property
    def is_of_new_game(self) -> bool:
        """Whether the game had nothing yet: then what lies there is one step of its log."""
        return not (self.missing or self.changed)


@dataclass(frozen=True)
class BoardSight:
    """What the camera sees of the board, at one frame."""

    state: WatchState = WatchState.SEARCHING  # what the watching is at, in the word for people
    board: Sentence = NOTHING  # where the board is, in a sentence
    joining: Joining | None = None  # what lay there when watching began, until it is confirmed
    # Where trains lie of each colour that no player has and nobody has said who plays.
    strange: Mapping[Colour, tuple[Spot, ...]] = field(default_factory=dict)
    # What has kept a part of the board from being seen for a minute; empty when nothing has.
    obstacle: Sentence = NOTHING
    # The routes that are out of the camera's picture, where people tap what lies there, and what
    # something has lain over for a minute.
    unseen: tuple[Spot, ...] = ()
    # What is still to be laid of a game that was packed away and goes on; None for any other.
    rebuilding: RebuildingView | None = None
    # The score markers that stand elsewhere than the score for a while.
    markers: tuple[MarkerRemark, ...] = ()
    # How far what is to be laid lies on the board, where something of it is seen.
    laying: Mapping[Spot, Laying] = field(default_factory=dict)

    def settled(self) -> BoardSight:
        """Return it with nothing that somebody has to confirm, or to lay out again."""
        return replace(self, joining=None, strange={}, rebuilding=None)


@dataclass(frozen=True)
class TableView:
    """A running game at one moment."""

    game: GameState  # the fold of the log
    sight: BoardSight = field(default_factory=BoardSight)  # what the camera sees of the board
    camera: Sentence = NOTHING  # what the camera is doing, in a sentence
    questions: tuple[Question, ...] = ()  # the open ones, oldest first
    # Whether any player may confirm what lay on the board, not only the host, who has not for a
    # minute.
    is_joining_open: bool = False
    trouble: Sentence = NOTHING  # what keeps facts from being written down; empty when nothing does
    # What has kept the table from seeing for some seconds; None when nothing does.
    hindrance: Hindrance | None = None
    # The seat whose turn has lasted for as long as the host wants to be reminded after.
    reminder: SeatId | None = None
    # Whether a camera is to see the board; without one, people say what lies there.
    has_camera: bool = True
    with_markers: bool = True  # whether score markers are moved at this table
    # The claim that the host asks its player to take back, where cards are on phones.
    asked_back: Spot | None = None
    # Whether the players call somebody; None where nobody would hear it.
    is_called: bool | None = None
    is_over: bool = False  # whether no more frames will come

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


# Takes the table as it is now and the events that are new. It is called from the table's threads,
# so it returns at once.
TableListener = Callable[[TableView, tuple[Event, ...]], None]
# Takes each frame that was looked at, with the table as it is then. It is called from the table's
# thread, so it returns at once.
FrameListener = Callable[[Frame, TableView], None]
