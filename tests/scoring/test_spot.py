"""What can be held on a board, and its text form."""

import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.spot import KINDS, Spot


@pytest.mark.parametrize("kind", KINDS)
def test_a_spot_is_told_by_its_text_form(kind: str) -> None:
    spot = Spot.from_key(f"{kind}:a--b--0")
    assert spot == (kind, "a--b--0")
    assert spot.key == f"{kind}:a--b--0"


@pytest.mark.parametrize("key", ["helena--seattle", "train:helena--seattle", "", "route"])
def test_other_text_is_none(key: str) -> None:
    with pytest.raises(ValueError, match="begins with route, station, site and a colon"):
        Spot.from_key(key)


@pytest.mark.parametrize(
    ("board", "spot"),
    [
        ("usa", Spot("route", "helena--seattle")),
        ("europe", Spot("station", "roma")),
    ],
)
def test_a_board_has_its_own_spots(board: str, spot: Spot) -> None:
    assert spot.is_on(load_board(board))
    assert not spot._replace(id="atlantis").is_on(load_board(board))
    assert not Spot("site", spot.id).is_on(load_board(board))
