"""Which routes Europe's stations borrow: the oracle tables see only what comes of it."""

from __future__ import annotations

from time import perf_counter

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


def test_more_stations_than_anybody_has_are_scored_in_a_second() -> None:
    europe = load_board("europe")
    everywhere = tuple(place.id for place in europe.places)
    claims = {route.id: "blue" for route in europe.routes} | {"madrid--pamplona--0": "red"}
    tickets = {"red": (BREST, PARIS)}
    for stations in (("pamplona",) * 52, ("pamplona", *everywhere)):
        position = Position(
            load_edition("europe"),
            europe,
            (Seat("red"), Seat("blue")),
            claims,
            tickets,
            {"red": stations},
        )
        began_s = perf_counter()
        assert "pamplona" in best_borrowing(position, "red")
        assert perf_counter() - began_s < 5
