"""Which routes Europe's stations borrow: the oracle tables see only what comes of it."""

from dataclasses import replace
from itertools import combinations, product
from time import process_time

import pytest
from railspotter.scoring.board import Board, Place, Route, load_board
from railspotter.scoring.edition import Ticket, load_edition
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.points.outlook import tickets_outlook
from railspotter.scoring.points.stations import Borrowing, StationWay, best_borrowing
from railspotter.scoring.position import Position, Seat

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
    assert best_borrowing(position, "red") == Borrowing(borrowed)


def test_the_final_score_says_which_route_each_station_borrows() -> None:
    seats, stations = (Seat("red"), Seat("blue")), {"red": ("pamplona", "berlin")}
    game = load_edition("europe"), load_board("europe"), seats, CLAIMS
    red = final_score(Position(*game, {"red": (BREST,)}, stations))["red"]
    said = [(line.what, line.points) for line in red.lines if line.kind == "borrowed"]
    assert said == [("station in Pamplona borrows Brest - Pamplona", 0)]
    assert red.borrowed == {"pamplona": "brest--pamplona"}
    without = final_score(Position(*game, stations=stations))["red"]
    assert not without.borrowed
    assert not [line for line in without.lines if line.kind == "borrowed"]


def test_no_way_uses_a_station_twice_by_going_there_and_back() -> None:
    around_essen = {"amsterdam--essen": "blue", "essen--frankfurt": "blue", "berlin--essen": "red"}
    position = Position(
        load_edition("europe").with_house_rules({"trains": 2}),
        load_board("europe"),
        (Seat("red"), Seat("blue")),
        around_essen,
        {"red": (Ticket("amsterdam", "frankfurt", 5),)},
        {"blue": ("amsterdam",)},
    )
    (seen,) = tickets_outlook(position, "red").tickets
    assert seen.with_stations == StationWay(("essen", "frankfurt"), 0, ())
    taken = replace(position, stations={"blue": ("amsterdam", "frankfurt")})
    (seen,) = tickets_outlook(taken, "red").tickets
    assert not seen.is_possible


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
        began_s = process_time()
        assert "pamplona" in best_borrowing(position, "red").routes
        assert process_time() - began_s < 5


def dense(stations: int, tickets: int) -> Position:
    """A board on which each of some cities has opponents' routes to forty villages."""
    cities = [f"c{i}" for i in range(stations)]
    villages = [f"v{i}" for i in range(40)]
    places = tuple(Place(name, name) for name in (*cities, *villages))
    routes = tuple(Route(f"{a}--{b}", a, b, 1, "grey", ()) for a in cities for b in villages)
    pairs = [*product(cities, villages), *combinations(villages, 2)][:tickets]
    return Position(
        load_edition("europe").with_house_rules({"stations": 1000}),
        Board("own-dense", "Dense", places, routes, measured=False),
        (Seat("red"), Seat("blue")),
        {route.id: "blue" for route in routes},
        {"red": tuple(Ticket(a, b, 5) for a, b in pairs)},
        {"red": tuple(cities)},
    )


def test_what_is_not_tried_is_said() -> None:
    position = dense(stations=9, tickets=500)
    began_s = process_time()
    found = best_borrowing(position, "red")
    assert process_time() - began_s < 10
    assert found.untried == tuple(f"c{i}" for i in range(2, 9))
    assert found.routes, "one station completes a ticket"
    end = final_score(position)
    (line,) = (one for one in end["red"].lines if one.kind == "stations_undecided")
    assert (line.points, line.what.endswith(": 7")) == (0, True)
    assert end.winners == ()


def test_what_tickets_can_become_takes_so_many_steps_and_no_more() -> None:
    position = dense(stations=9, tickets=700)
    position = replace(position, stations={})
    began_s = process_time()
    seen = tickets_outlook(position, "red")
    assert process_time() - began_s < 30
    known = [ticket.is_undecided for ticket in seen.tickets]
    assert known == sorted(known), "the first ones are answered"
    assert set(known) == {False, True}
    assert all(ticket.is_possible for ticket in seen.tickets)
    assert seen.best == 700 * 5, "no end of the game gives more"
