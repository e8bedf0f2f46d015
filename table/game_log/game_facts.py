"""Facts about the course of a game, from its start to its end, and the undoing of facts."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from railspotter.scoring.board import Board, Identifier
from railspotter.scoring.game import Name

from .facts import Fact, Number, Thing, Title
from .player_facts import Player


class GameStarted(Fact, frozen=True):
    """A game began; always the first event, and only that.

    Attributes
    ----------
    players : tuple of Player
        In turn order.
    board : Board, optional
        The content of a board file of the user's own; without, it is the edition's board.
    house_rules : dict
        Rules of the edition by name, with other values.
    """

    edition: Name
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=12)]
    name: Title = ""
    board: Board | None = None
    house_rules: dict[str, Any] = msgspec.field(default_factory=dict)


class GameRenamed(Fact, frozen=True):
    """The game has another name."""

    name: Title


class TurnMarked(Fact, frozen=True):
    """Whose turn it is."""

    seat: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The turn."""
        return frozenset({("turn",)})


class LastTurnsBegun(Fact, frozen=True):
    """A player's turn brought the last turns."""

    seat: Identifier


class GamePaused(Fact, frozen=True):
    """Nobody plays for a while: what the camera sees is no turn."""

    @property
    def about(self) -> frozenset[Thing]:
        """Whether it is paused."""
        return frozenset({("pause",)})


class GameResumed(Fact, frozen=True):
    """The game goes on."""

    @property
    def about(self) -> frozenset[Thing]:
        """Whether it is paused."""
        return frozenset({("pause",)})


class GameEnded(Fact, frozen=True):
    """Everyone had a last turn."""


class Undone(Fact, frozen=True):
    """A person took back what an earlier event says."""

    event: Number


class Redone(Fact, frozen=True):
    """A person put back what was taken back."""

    event: Number
