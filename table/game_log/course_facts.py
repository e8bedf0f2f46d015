"""Facts about the course of a game: start, turns, pauses, end, undo and lost events."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from railspotter.scoring.board import Board, Identifier, load_board, parse_board
from railspotter.scoring.errors import BoardError, GameError
from railspotter.scoring.game import BoardGame, check_players, edition_of
from railspotter.scoring.game import Player as GamePlayer
from railspotter.scoring.json_text import misfit
from railspotter.scoring.names import Name, Title
from railspotter.scoring.sentence import raised_as

from .errors import EventError
from .facts import Event, Fact, Number, Thing
from .people_facts import Player, require_seat
from .table_state import TableState


class GameStarted(Fact, frozen=True):
    """A game began: always the first event, and only the first."""

    is_final: ClassVar[bool] = True
    edition: Name
    # In turn order.
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=12)]
    name: Title = ""
    # The user's own board; None for the edition's board.
    board: Board | None = None
    # The edition's rules with changed values, by name.
    house_rules: dict[str, Any] = msgspec.field(default_factory=dict)
    # Where the train cards and tickets are: on the table, or dealt to phones.
    cards: Literal["table", "phones"] = "table"
    # How the board is read: watched or played by hand, or a photo of its end.
    origin: Literal["table", "photo"] = "table"

    def as_game(self) -> BoardGame:
        """Convert the start to a game's text.

        It refers to a user's own board by file name; the caller writes that file beside it.
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
        """Validate edition, board, house rules, players and seats; raises `EventError`."""
        with raised_as(EventError, (BoardError, GameError), "game_started: {error}"):
            edition = edition_of(self.as_game())
            board = self.board or load_board(edition.board)
            parse_board(msgspec.json.encode(board))
            check_players([player.colour for player in self.players])
        seats = [player.seat for player in self.players]
        for i, seat in enumerate(seats):
            if seat in seats[:i]:
                raise EventError(
                    "game_started.players[{n}].seat: {seat!r} is taken", n=i, seat=seat
                )


class GameRenamed(Fact, frozen=True):
    """The game was renamed."""

    name: Title

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set the name."""
        return replace(table, name=self.name)


class GameMarked(Fact, frozen=True):
    """The host says whether the game counts for records and people's statistics."""

    is_final: ClassVar[bool] = True  # the next one says otherwise
    counts: bool

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set whether it counts."""
        return replace(table, counts=self.counts)


class TurnMarked(Fact, frozen=True):
    """A person says whose turn it is."""

    is_final_with_phones: ClassVar[bool] = True
    seat: Identifier

    def check(self, table: TableState) -> None:
        """Refuse a seat that nobody has."""
        require_seat(table, self.seat, "turn_marked.seat")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Give the turn to the player; another player's unfinished turn is dropped."""
        left = table if self.seat == table.turn else table.without_turn(None)
        return replace(left, turn=self.seat)


class LastTurnsBegun(Fact, frozen=True):
    """A player's turn started the last round of turns."""

    seat: Identifier

    def check(self, table: TableState) -> None:
        """Refuse a seat that nobody has."""
        require_seat(table, self.seat, "last_turns_begun.seat")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Start counting the last turns: `scored` needs the turn marks after it."""
        return replace(table, last_turns_by=self.seat, turn=None)


class PauseFact(Fact, frozen=True):
    """Base of facts about pausing."""

    @property
    def about(self) -> frozenset[Thing]:
        """The pause."""
        return frozenset({("pause",)})


class GamePaused(PauseFact, frozen=True):
    """The game is paused: what the camera sees is not logged as a turn."""

    sets: ClassVar = {"paused": True}  # a game that is packed away already stays so


class GamePackedAway(PauseFact, frozen=True):
    """The game is paused, and the board is packed away; the event's crop shows the board.

    It is rebuilt before the game is resumed.
    """

    sets: ClassVar = {"paused": True, "packed_away": True}


class GameResumed(PauseFact, frozen=True):
    """The game goes on."""

    sets: ClassVar = {"paused": False, "packed_away": False}


class GameEnded(Fact, frozen=True):
    """Everyone had a last turn."""

    sets: ClassVar = {"ended": True, "counted": False}


class PointsCounted(Fact, frozen=True):
    """All tickets are revealed: the winner may be announced."""

    def apply(self, table: TableState, event: Event) -> TableState:
        """Mark an ended game as counted, from then on."""
        return replace(table, counted=table.ended, counted_at_s=event.at_s)


class StocksConfirmed(Fact, frozen=True):
    """After a photo: so many pieces as are left by it are left in front of every player."""

    sets: ClassVar = {"stocks_confirmed": True}


class EventLost(Fact, frozen=True):
    """An event, and those after it, were lost to damage of the game's file."""

    is_final: ClassVar[bool] = True
    # In logs of older programs, which skipped single events: the lost fact's kind.
    was: Annotated[str, msgspec.Meta(max_length=40, pattern="^[a-z_]*$")] = ""

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put the cards away if a move may be lost: the hands are then unknown."""
        was_move = not self.was or self.was.startswith("cards_")
        is_dealt = table.started.cards == "phones"
        return table.with_cards_put_away() if was_move and is_dealt else table


class Undone(Fact, frozen=True):
    """A person undid an earlier event."""

    is_final: ClassVar[bool] = True
    event: Number


class Redone(Fact, frozen=True):
    """A person redid an undone event."""

    is_final: ClassVar[bool] = True
    event: Number
