"""Whole games on a board: bots take turns until the edition says that it is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.position import Seat, last_turns, low_stocks

from .bots import Bot
from .played_game import Action, Deal, PassedTurn, PlayedGame, Turn
from .referee import Player, Referee


def play_game(
    edition: Edition, board: Board, players: int | Sequence[Seat], seed: int = 0
) -> PlayedGame:
    """Play a game from the first deal to the last turn.

    Parameters
    ----------
    players : int or sequence of Seat
        Who plays, in turn order; a number takes colours of the edition as they come.

    Raises
    ------
    IllegalTurnError
        When so many cannot play the edition.

    Notes
    -----
    A game ends when everyone had a last turn; and, where the rulebooks are silent, when no route is
    left that anyone may claim, or everyone passed in turn, before the last turns have come.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> game = play_game(load_edition("newyork"), load_board("newyork"), 2, seed=5)
    >>> position = game.position_after(len(game.turns))
    >>> position.trains_left(game.last_turns_by) <= 2, [turn.is_last for turn in game.turns[-3:]]
    (True, [False, True, True])
    """
    rng = np.random.default_rng(seed)
    seats = seats_for(edition, players, rng) if isinstance(players, int) else tuple(players)
    referee = Referee(edition, board, seats, rng)
    bots = {
        seat.colour: Bot(seat.colour, own)
        for seat, own in zip(seats, rng.spawn(len(seats)), strict=True)
    }
    deals, turns = play_by(referee, bots)
    return PlayedGame(edition, board, seats, deals, turns, referee.last_turns_by)


def play_by(
    referee: Referee, players: Mapping[Colour, Player]
) -> tuple[dict[Colour, Deal], tuple[Turn, ...]]:
    """Let players play a game that was dealt, and return its deals and turns."""
    deals = {}
    for colour, player in players.items():
        deals[colour] = referee.deal(colour, player)
    turns: list[Turn] = []
    waiting, passed = deque(players), 0
    while waiting:
        # Once the last turns have come everyone has theirs, if only to draw cards or to pass.
        is_last = referee.last_turns_by is not None
        if not is_last and (passed == len(players) or not referee.can_go_on):
            break
        colour = waiting.popleft()
        action: Action | None = None
        while action is None:
            action = referee.play(colour, players[colour].move(referee.view(colour)))
        turns.append(Turn(colour, action, is_last))
        passed = passed + 1 if isinstance(action, PassedTurn) else 0
        if is_last:
            referee.turns_since += 1
            continue
        waiting.append(colour)
        if colour in low_stocks(referee.position):
            referee.last_turns_by = colour
            waiting = deque(last_turns(tuple(players), colour))
    return deals, tuple(turns)


def seats_for(edition: Edition, players: int, rng: np.random.Generator) -> tuple[Seat, ...]:
    """Return so many seats, with colours of the edition in any order."""
    colours = [edition.colours[i] for i in rng.permutation(len(edition.colours))]
    return tuple(Seat(colour) for colour in colours[:players])
