"""A made-up game, to try displays with."""

from functools import cache

from railspotter.scoring.board import load_board
from railspotter.scoring.edition import Colour, load_edition
from railspotter.scoring.points.standing import position_standing
from railspotter.simulation.played_game import play_game

from .scoreboard import Scoreboard, scoreboard_of

BOARD = "usa"
PLAYED = 0.8  # The share of a show in which the game is played; then its end is seen. Chosen.


@cache
def made_up_scoreboards(players: int = 4, seed: int = 7) -> tuple[Scoreboard, ...]:
    """Play a game of virtual players; return the scoreboards at the start and after each turn.

    >>> boards = made_up_scoreboards(2)
    >>> boards[0].claims, boards[-1].is_last_turns
    (0, True)
    """
    edition, board = load_edition(BOARD), load_board(BOARD)
    game = play_game(edition, board, players, seed)
    shown: list[Scoreboard] = []
    claimants: list[list[Colour]] = [[]]  # before the first turn nobody has claimed
    claimants += [[turn.colour] if turn.laid else [] for turn in game.turns]
    for position, claimed in zip(game.positions, claimants, strict=True):
        standing = position_standing(position)
        shown.append(scoreboard_of(standing, edition, shown[-1] if shown else None, claimed))
    return tuple(shown)


def made_up_at(t_s: float, seconds: float) -> Scoreboard:
    """Return the scoreboard at a time of the made-up game, stretched to so many seconds.

    Scores jump about once a second, for each claim is a white spot, and nothing may flash faster
    than eyes can bear; what is left at the end shows the end.

    >>> [made_up_at(t_s, 15.0).claims for t_s in (0.0, 0.9, 1.1, 12.0, 14.9)]
    [0, 0, 10, 54, 54]
    """
    boards = made_up_scoreboards()
    played_s = PLAYED * seconds
    steps = max(2, int(played_s))
    step = min(int(t_s / played_s * steps), steps)
    return boards[step * (len(boards) - 1) // steps]
