"""Which routes Europe's stations borrow: the oracle tables see only what comes of it."""

from __future__ import annotations

import pytest
from railspotter.scoring import Position, Seat, Ticket, load_board, load_edition
from railspotter.scoring.stations import best_borrowing

CLAIMS = {
    "madrid--pamplona--0": "red",
    "brest--pamplona": "blue",
    "pamplona--paris--0": "blue",
    "berlin--essen": "blue",
}
BREST, PARIS = Ticket("brest", "madrid", 5), Ticket("madrid", "paris", 5)


@pytest.mark.parametrize(
    ("stations", "tickets", "borrowed"),
    [
        (("pamplona",), (BREST,), {"pamplona": "brest--pamplona"}),
        (("pamplona",), (PARIS, BREST), {"pamplona": "brest--pamplona"}),
        (("berlin", "pamplona"), (PARIS,), {"pamplona": "pamplona--paris--0"}),
        (("berlin",), (PARIS,), {}),
        ((), (PARIS,), {}),
        (("pamplona",), (), {}),
    ],
    ids=[
        "one ticket",
        "of equal choices the board's first",
        "one station helps nothing",
        "none helps",
        "no station",
        "no ticket",
    ],
)
def test_borrowing(
    stations: tuple[str, ...], tickets: tuple[Ticket, ...], borrowed: dict[str, str]
) -> None:
    position = Position(
        load_edition("europe"),
        load_board("europe"),
        (Seat("red"), Seat("blue")),
        CLAIMS,
        {"red": tickets},
        {"red": stations},
    )
    assert best_borrowing(position, "red") == borrowed
