"""What is sent with calls that set up a game; all strict, and described by these types."""

from __future__ import annotations

from typing import Annotated

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.table.game_log import ONE_LINE
from railspotter.table.set_up import MOST_LETTERS, Players, Rules

from .bodies import Body


class ChosenEdition(Body, frozen=True):
    """An edition; `board` where the user's own is played on by its rules."""

    edition: Identifier
    board: Identifier | None = None


class ChosenPlayers(Body, frozen=True):
    """Who plays, in turn order."""

    players: Players


class ChosenSource(Body, frozen=True):
    """A camera: `phone`, `demo`, `pi`, a number or name of this computer's, or an address."""

    source: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_LETTERS, pattern=ONE_LINE)]


class ChosenRules(Body, frozen=True):
    """House rules by name, with other values than the rulebook's; all others are as printed."""

    house_rules: Rules


class GoOn(Body, frozen=True):
    """A past game that is to go on; null for a new one after all."""

    game: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")] | None
