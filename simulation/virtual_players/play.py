"""Whole games on a board: bots take turns until the edition says that it is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from railspotter.scoring import Board, Edition, Seat, last_turns, low_stocks

from .bots import Bot
from .played_game import PassedTurn, PlayedGame, Turn
from .referee import Referee


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
    >>> from railspotter.scoring import load_board, load_edition
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
    deals = {c: referee.deal_tickets(c, bot.keep(referee.position)) for c, bot in bots.items()}

    turns: list[Turn] = []
    brought_by, waiting, passed = None, deque(bots), 0
    while waiting:
        # Once the last turns have come everyone has theirs, if only to draw cards or to pass.
        if brought_by is None and (passed == len(seats) or not referee.can_go_on):
            break
        colour = waiting.popleft()
        is_last = brought_by is not None
        action = bots[colour].take_turn(referee, is_last=is_last)
        turns.append(Turn(colour, action, is_last))
        passed = passed + 1 if isinstance(action, PassedTurn) else 0
        if is_last:
            continue
        waiting.append(colour)
        if colour in low_stocks(referee.position):
            brought_by = colour
            waiting = deque(last_turns([seat.colour for seat in seats], colour))
    return PlayedGame(edition, board, seats, deals, tuple(turns), brought_by)


def seats_for(edition: Edition, players: int, rng: np.random.Generator) -> tuple[Seat, ...]:
    """Return so many seats, with colours of the edition in any order."""
    colours = [edition.colours[i] for i in rng.permutation(len(edition.colours))]
    return tuple(Seat(colour) for colour in colours[:players])
