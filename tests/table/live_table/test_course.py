"""Who has just claimed is not at once the one who claims again; a question says so."""

from __future__ import annotations

import pytest
from railspotter.table.live_table.course import LastClaim
from railspotter.vision.readings import Doubt

COLOURS = ["red", "blue", "black"]


@pytest.mark.parametrize(
    ("said", "now_s", "why"),
    [
        ("red", 61.0, "pale; red claimed just before"),
        ("blue", 61.0, "pale"),
        ("red", 67.0, "pale"),
        (None, 61.0, "pale"),
    ],
)
def test_a_question_says_who_claimed_just_before(said: str | None, now_s: float, why: str) -> None:
    doubt = Doubt("a--b", said, (None,), "pale")
    assert LastClaim("red", 60.0).phrased(doubt, COLOURS, now_s).why == why


def test_alone_at_the_table_one_may_always_claim() -> None:
    assert LastClaim("red", 60.0).may_claim(["red"], 60.0) is None
