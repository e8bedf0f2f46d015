"""Facts about the course of a game: start, turns, pauses and end, and what is undone or lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from railspotter.scoring.board import Board, Identifier, load_board, parse_board
from railspotter.scoring.errors import BoardError, GameError
from railspotter.scoring.game import BoardGame, check_players, edition_of
from railspotter.scoring.game import Player as GamePlayer
from railspotter.scoring.malformed import misfit
from railspotter.scoring.position import Name

from .errors import EventError
from .facts import Event, Fact, Number, Thing, Title
from .people_facts import Player, require_seat
from .table_state import TableState

# Places, routes, sites or tickets of a board of the user's own; printed ones have some hundred.
MOST_ON_BOARD = 1000


class GameStarted(Fact, frozen=True):
    """A game began; always the first event, and only that."""

    is_final: ClassVar[bool] = True
    edition: Name
    # In turn order.
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=12)]
    name: Title = ""
    # The content of a board file of the user's own; without, it is the edition's board.
    board: Board | None = None
    # Rules of the edition by name, with other values.
    house_rules: dict[str, Any] = msgspec.field(default_factory=dict)
    # Where the train cards and tickets are: on the table, or dealt to phones.
    cards: Literal["table", "phones"] = "table"

    def as_game(self) -> BoardGame:
        """Return the game's text at its start.

        A board of the user's own is named by its id: who writes the text writes that file beside
        it.
        """
        board = None if self.board is None else f"{self.board.id}.json"
        chosen = {"edition": self.edition}
        try:
            edition = msgspec.convert(chosen, BoardGame).edition
        except msgspec.ValidationError as error:
            said = misfit(chosen, BoardGame)
            raise EventError("{kind}.{error}", kind=self.kind, error=said) from error
        players = tuple(GamePlayer(p.colour, p.name, p.shape) for p in self.players)
        return BoardGame(edition, players, board=board, house_rules=self.house_rules)

    def check_start(self) -> None:
        """Refuse a start that no game can have; raises `EventError`.

        That is an edition without a board, a board that contradicts itself, rules that there are
        not, or players who cannot be told apart.
        """
        try:
            edition = edition_of(self.as_game())
            board = self.board or load_board(edition.board)
            parts = (board.places, board.routes, board.sites, board.tickets)
            if (most := max(map(len, parts))) > MOST_ON_BOARD:
                raise BoardError(
                    "board: {n} of a kind; a board may have {most}", n=most, most=MOST_ON_BOARD
                )
            parse_board(msgspec.json.encode(board))
            check_players([player.colour for player in self.players])
        except (BoardError, GameError) as error:
            raise EventError("game_started: {error}", error=error) from error
        seats = [player.seat for player in self.players]
        for i, seat in enumerate(seats):
            if seat in seats[:i]:
                raise EventError(
                    "game_started.players[{n}].seat: {seat!r} is taken", n=i, seat=seat
                )


class GameRenamed(Fact, frozen=True):
    """The game has another name."""

    name: Title

    def apply(self, table: TableState, event: Event) -> TableState:
        """Call it so."""
        return replace(table, name=self.name)


class TurnMarked(Fact, frozen=True):
    """Whose turn it is."""

    bears_moves: ClassVar[bool] = True
    seat: Identifier

    def check(self, table: TableState) -> None:
        """Refuse a seat that nobody has."""
        require_seat(table, self.seat, "turn_marked.seat")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Give the turn to the player; what another one began is left."""
        left = table if self.seat == table.turn else table.without_turn(None)
        return replace(left, turn=self.seat)


class LastTurnsBegun(Fact, frozen=True):
    """A player's turn brought the last turns."""

    seat: Identifier

    def check(self, table: TableState) -> None:
        """Refuse a seat that nobody has."""
        require_seat(table, self.seat, "last_turns_begun.seat")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Count from here on whose last turn it is: `scored` needs the marks after it."""
        return replace(table, last_turns_by=self.seat, turn=None)


class OfPause(Fact, frozen=True):
    """Whether somebody plays."""

    @property
    def about(self) -> frozenset[Thing]:
        """Whether it is paused."""
        return frozenset({("pause",)})


class GamePaused(OfPause, frozen=True):
    """Nobody plays for a while: what the camera sees is no turn."""

    sets: ClassVar = {"paused": True}  # a game that is packed away already stays so


class GamePackedAway(OfPause, frozen=True):
    """The game is paused, and the board is put away; the event's crop shows how it lay.

    It is rebuilt before the game is resumed.
    """

    sets: ClassVar = {"paused": True, "packed_away": True}


class GameResumed(OfPause, frozen=True):
    """The game goes on."""

    sets: ClassVar = {"paused": False, "packed_away": False}


class GameEnded(Fact, frozen=True):
    """Everyone had a last turn."""

    sets: ClassVar = {"ended": True, "counted": False}


class PointsCounted(Fact, frozen=True):
    """All tickets are shown that will be: who has won may be said."""

    def apply(self, table: TableState, event: Event) -> TableState:
        """Count the points of a game that has ended."""
        return replace(table, counted=table.ended)


class EventLost(Fact, frozen=True):
    """From here on the game's file was damaged: what was written is not known."""

    is_final: ClassVar[bool] = True
    # In logs of older programs, which left single events out, what kind of fact it was.
    was: Annotated[str, msgspec.Meta(max_length=40, pattern="^[a-z_]*$")] = ""

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put the cards away: what was lost may be a move, then nobody knows who holds which."""
        was_move = not self.was or self.was.startswith("cards_")
        is_dealt = table.started.cards == "phones"
        return table.with_cards_put_away() if was_move and is_dealt else table


class Undone(Fact, frozen=True):
    """A person took back what an earlier event says."""

    is_final: ClassVar[bool] = True
    event: Number


class Redone(Fact, frozen=True):
    """A person put back what was taken back."""

    is_final: ClassVar[bool] = True
    event: Number
