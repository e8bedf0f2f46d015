"""The view of a running game: the immutable values that listeners and pages show."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.questions import ClosedQuestion, Question
from railspotter.vision.watching.settling import WatchState
from railspotter.vision.watching.spot_state import SpaceReading

from ..game_log.facts import Event, SeatId
from ..game_log.game_state import GameState
from .marker_watch import MarkerRemark, marker_places

# The log-odds from which a space's reading is shown. Of 1,545 spaces of five drawn boards with some
# wrong and missing trains, 1,499 were so clear, and none of them was wrong.
PLAIN = 3.0
# In the order in which they are shown: wrong pieces are in the way of missing ones.
DifferenceKind = Literal["lane", "colour", "extra", "missing", "check"]


@dataclass(frozen=True)
class Hindrance:
    """Why a table does not see its board."""

    kind: Literal["camera", "board", "covered", "paused"]
    said: Sentence  # the reason, with advice


@dataclass(frozen=True, slots=True)
class Difference:
    """A spot where the board differs from the game."""

    # `missing`: pieces are missing. `extra`: they should not be there. `colour`: they have another
    # colour. `lane`: they lie on the lane beside. `check`: the camera is not sure, or a person has
    # set the spot.
    kind: DifferenceKind
    spot: Spot
    colour: Colour | None  # the game's; None for free
    seen: Colour | None  # the camera's; None for free
    lies_on: Spot | None = None  # the other lane, for `lane`

    @property
    def is_plain(self) -> bool:
        """Whether it must be fixed before the game goes on."""
        return self.kind != "check"


@dataclass(frozen=True)
class RebuildingView:
    """The progress of rebuilding a packed-away board."""

    differences: tuple[Difference, ...] = ()
    is_read: bool = False  # whether the board has been read
    is_rebuilt: bool = False  # whether it has matched for long enough


@dataclass(frozen=True, slots=True)
class Laying:
    """The progress of laying a route's trains, for display only; unsure spaces are left out."""

    standing: tuple[int, ...] = ()  # spaces with a train of the colour, from 0 at the route's `a`
    wrong: tuple[tuple[int, Colour], ...] = ()  # spaces with another colour, and that colour


def laying_of(spaces: Collection[SpaceReading], colour: Colour) -> Laying | None:
    """Return the progress of laying a route in a colour; None if no train is clearly seen.

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


def layings(
    to_lay: Mapping[Spot, Colour], spaces: Mapping[Spot, Collection[SpaceReading]]
) -> dict[Spot, Laying]:
    """Return the progress of laying routes, of which some spaces were read."""
    routes = {spot: colour for spot, colour in to_lay.items() if spot.kind == "route"}
    found = {spot: laying_of(spaces.get(spot, ()), colour) for spot, colour in routes.items()}
    return {spot: laying for spot, laying in found.items() if laying is not None}


@dataclass(frozen=True)
class Joining:
    """The board that was found when watching began, which a user has to confirm.

    Nothing that the camera sees is logged before.
    """

    board: Mapping[Spot, Colour]  # the pieces that users are shown
    missing: int = 0  # how many of the game's pieces are missing, on a board that was cleared
    changed: int = 0  # how many spots differ from the game, if they are many
    is_kept: bool = False  # whether an earlier camera of the game listed it
    # How sure each spot is, for `legality.likely_wrong`.
    sure: Mapping[Spot, float] = field(default_factory=dict, compare=False)

    @property
    def is_of_new_game(self) -> bool:
        """Whether the game had no pieces yet; then the board is logged as one step."""
        return not (self.missing or self.changed)


@dataclass(frozen=True)
class BoardSight:
    """What the camera sees of the board in one frame."""

    state: WatchState = WatchState.SEARCHING
    board: Sentence = NOTHING  # the board's status
    joining: Joining | None = None  # the initial board, until it is confirmed
    # The spots with trains of colours that no player has and nobody is known to use.
    strange: Mapping[Colour, tuple[Spot, ...]] = field(default_factory=dict)
    # The warning that a part of the board has been covered for a minute, or is impossible.
    obstacle: Sentence = NOTHING
    # Spots out of the picture, or covered for a minute; users tap the pieces there.
    unseen: tuple[Spot, ...] = ()
    rebuilding: RebuildingView | None = None  # while a packed-away game is rebuilt
    markers: tuple[MarkerRemark, ...] = ()  # score markers that have been wrong for a while
    # The progress of laying by route, where trains are seen.
    laying: Mapping[Spot, Laying] = field(default_factory=dict)
    # The colour of a computer's pieces on each spot for which it has not paid.
    astray: Mapping[Spot, Colour] = field(default_factory=dict)

    def settled(self) -> "BoardSight":
        """Return it without anything to confirm, assign, rebuild or lay elsewhere."""
        return replace(self, joining=None, strange={}, rebuilding=None, astray={})


@dataclass(frozen=True)
class TableView:
    """A snapshot of a running game."""

    game: GameState
    sight: BoardSight = field(default_factory=BoardSight)
    camera: Sentence = NOTHING  # the camera's status
    questions: tuple[Question, ...] = ()  # the open ones, oldest first
    closed: tuple[ClosedQuestion, ...] = ()  # the questions that were closed last
    # The spots that may have a computer's pieces for which it has not paid, with their colour.
    astray: Mapping[Spot, Colour] = field(default_factory=dict)
    # Whether any player may confirm the initial board, after the host's timeout.
    is_joining_open: bool = False
    trouble: Sentence = NOTHING  # why facts cannot be logged; empty if they can
    hindrance: Hindrance | None = None  # why the table does not see, for some seconds already
    reminder: SeatId | None = None  # the seat whose turn exceeds the reminder's time
    has_camera: bool = True  # whether a camera watches; else people enter the claims
    with_markers: bool = True  # whether score markers are used at this table
    # The claim that its player is asked to take back, with cards on phones.
    asked_back: Spot | None = None
    is_called: bool | None = None  # whether the players call staff; None if nobody listens
    is_over: bool = False  # whether no more frames will come
    first_events: int = 0  # how many events the game had when the program opened it
    films: tuple[int, ...] = ()  # the numbers of the events of which there are films

    @cached_property
    def marker_moves(self) -> Mapping[Spot, int]:
        """The score track's number for the player's marker, by each route to be laid.

        It includes all routes of that player. Empty without markers or a score track.
        """
        table = self.game.table
        routes = {spot: whose for spot, whose in table.to_lay.items() if spot.kind == "route"}
        places = marker_places(table) if routes and self.with_markers and not table.ended else {}
        return {spot: places[whose] for spot, whose in routes.items() if whose in places}


# A callback with the current view and the new events. Called from several threads; must not block.
TableListener = Callable[[TableView, tuple[Event, ...]], None]
# A callback with each processed frame and the view. Called from the table's thread; must not block.
FrameListener = Callable[[Frame, TableView], None]
