"""Whole games of each rulebook with a board have the score of a second count, of other code."""

from collections import Counter
from itertools import accumulate

import msgspec
import pytest
from logged_games import end_text, played
from railspotter.scoring.edition import load_edition
from railspotter.scoring.points.final_score import final_score, site_value
from score_oracle import SITES, Score, board_score

SEEDS = range(1, 5)
# What is somewhere in these games, so that nothing is compared of which there is none.
KINDS = {
    "usa-accessible": {"longest"},
    "usa-10th": {"longest"},
    "newyork": {"attraction"},
    "own-philly": {"site", "modes"},
}


@pytest.mark.parametrize("name", KINDS)
def test_a_second_count_comes_to_the_same(name: str) -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        game = played(name, 3, seed)
        board = msgspec.to_builtins(game.start.board)
        said = final_score(game.end)
        seen.update(line.kind for player in said.players for line in player.lines)
        totals = {player.colour: player.total for player in said.players}
        text = msgspec.to_builtins(end_text(game))
        assert board_score(text, board) == Score(totals, set(said.winners))
    assert KINDS[name] | {"route", "ticket_done", "ticket_open"} <= seen.keys()


def test_sites_are_worth_what_phillys_table_says() -> None:
    worth = [site_value(load_edition("philly").site_points, i) for i in range(len(SITES))]
    assert tuple(accumulate(worth)) == SITES
