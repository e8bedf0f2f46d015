"""What nobody has confirmed or answered yet is kept beside its game."""

from pathlib import Path

import pytest
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.live_table.listed import (
    NOTHING_LISTED,
    Listed,
    load_listed,
    save_listed,
)
from railspotter.table.live_table.table_view import Joining
from railspotter.vision.readings import Doubt
from railspotter.vision.watching.questions import Question

SPOT = Spot("route", "helena--seattle")
WHY = Sentence("{n} of {all} trains", n=2, all=Sentence("six"))
QUESTION = Question(Doubt(SPOT, None, ("red", None), WHY), b"a picture")
LISTED = Listed(Joining({SPOT: "red"}, changed=5, sure={SPOT: 3.5}), (QUESTION,))


def test_what_is_kept_comes_back_as_it_was(tmp_path: Path) -> None:
    game = tmp_path / "game.sqlite3"
    assert load_listed(game) == NOTHING_LISTED
    save_listed(game, LISTED)
    again = load_listed(game)
    assert again == LISTED
    assert again.questions[0].crop == b"a picture"
    assert str(again.questions[0].doubt.why) == "2 of six trains"
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_mode & 0o077 == 0, "only its owner reads it"
    save_listed(game, NOTHING_LISTED)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"\xc1", b"\x82\xa7joining\x01"])
def test_a_damaged_file_is_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game.listed").write_bytes(content)
    assert load_listed(tmp_path / "game.sqlite3") == NOTHING_LISTED
