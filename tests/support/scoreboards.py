"""Any scoreboards, for the tests of displays."""

from hypothesis import strategies as st
from railspotter.firmware_bridge.scoreboard import PlayerScore, Scoreboard
from railspotter.table.display_control import PiecesToLay

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
        st.lists(_to_lay(colour), max_size=2).map(tuple),
    )


def _to_lay(colour: str) -> st.SearchStrategy[PiecesToLay]:
    return st.builds(PiecesToLay, st.just(colour), st.text(max_size=60), st.integers(1, 12))
