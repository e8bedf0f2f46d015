"""Scoreboards for the tests of displays: any, and those of a game."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from railspotter.firmware_bridge import PlayerScore, Scoreboard, scoreboard_of
from railspotter.scoring import load_board, load_edition, position_standing
from railspotter.table.virtual_players import play_game

COLOURS = ("black", "blue", "green", "red", "yellow", "white", "purple")


def scoreboards(most: int = 5) -> st.SearchStrategy[Scoreboard]:
    """Any scoreboard, likely in a game or not."""
    colours = st.lists(st.sampled_from(COLOURS), max_size=most, unique=True)

    def with_colours(drawn: list[str]) -> st.SearchStrategy[Scoreboard]:
        return st.builds(
            Scoreboard,
            st.tuples(*map(_players, drawn)),
            st.booleans(),
            st.integers(0, 100),
            st.sampled_from([None, *drawn]),
        )

    return colours.flatmap(with_colours)


def _players(colour: str) -> st.SearchStrategy[PlayerScore]:
    return st.builds(
        PlayerScore,
        st.just(colour),
        st.integers(-200, 400),
        st.integers(0, 48),
        st.just(45),
        st.booleans(),
    )


@cache
def game_scoreboards(players: int = 4, seed: int = 7) -> tuple[Scoreboard, ...]:
    """The scoreboard after each turn of a whole game."""
    edition, board = load_edition("usa"), load_board("usa")
    game = play_game(edition, board, players, seed)
    shown: list[Scoreboard] = []
    for turn in range(len(game.turns) + 1):
        standing = position_standing(game.position_after(turn))
        shown.append(scoreboard_of(standing, edition, shown[-1] if shown else None))
    return tuple(shown)
