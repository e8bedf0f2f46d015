"""A made-up game, to try displays with."""

from __future__ import annotations

from functools import cache

from railspotter.scoring import load_board, load_edition, position_standing
from railspotter.table.virtual_players import play_game

from .scoreboard import Scoreboard, scoreboard_of

BOARD = "usa"


@cache
def made_up_scoreboards(players: int = 4, seed: int = 7) -> tuple[Scoreboard, ...]:
    """Return the scoreboard after each turn of a game of virtual players, from the start on.

    Examples
    --------
    >>> boards = made_up_scoreboards(2)
    >>> boards[0].claims, boards[-1].is_last_turns
    (0, True)
    """
    edition, board = load_edition(BOARD), load_board(BOARD)
    game = play_game(edition, board, players, seed)
    shown: list[Scoreboard] = []
    for turn in range(len(game.turns) + 1):
        standing = position_standing(game.position_after(turn))
        shown.append(scoreboard_of(standing, edition, shown[-1] if shown else None))
    return tuple(shown)


def made_up_at(share: float) -> Scoreboard:
    """Return the scoreboard when a share of the game is over: the whole game, however short.

    Examples
    --------
    >>> made_up_at(0.0).claims, made_up_at(1.0).is_last_turns
    (0, True)
    """
    boards = made_up_scoreboards()
    return boards[min(int(share * len(boards)), len(boards) - 1)]
