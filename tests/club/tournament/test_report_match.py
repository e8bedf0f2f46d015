"""Whose seat is whose in a game's report."""

from __future__ import annotations

from made_up_tournaments import entered
from railspotter.club import Report
from railspotter.club.messages import Phase, PlayerReport
from railspotter.club.tournament import ResultEntered, RoundSeated, Tournament, after, match_report


def seated(*names: str) -> Tournament:
    held = entered(names)
    return after(held, RoundSeated(1, (names,)))


def report(*players: tuple[str, int], winner: str = "", phase: Phase = "counted") -> Report:
    return Report(
        table="table-1",
        number=1,
        name="Table 1",
        at_s=0,
        game="g",
        title="USA",
        edition="usa",
        board="usa",
        phase=phase,
        started_at_s=0,
        players=tuple(
            PlayerReport(
                seat=f"seat-{n}",
                name=name,
                colour="red",
                place=1,
                points=points,
                route_points=points,
                trains_left=0,
                longest_path=0,
                is_winner=name == winner,
            )
            for n, (name, points) in enumerate(players)
        ),
    )


def test_names_match_as_written_and_in_small_letters() -> None:
    found = match_report(
        seated("ann", "bob"), 1, 1, report(("  BOB", 98), ("Ann", 98), winner="Ann")
    )
    assert found.problems == ()
    assert found.fact == ResultEntered(1, 1, {"ann": 98, "bob": 98}, winners=("ann",))


def test_who_is_not_found_is_said_and_not_guessed() -> None:
    held = seated("ann", "bob", "cem")
    told = report(("Ann", 90), ("Robert", 80), ("Cem", 70))
    found = match_report(held, 1, 1, told)
    assert found.fact is None
    assert found.points == {"ann": 90, "cem": 70}
    assert found.problems == (
        "nobody at table 1 can be told to be Robert (red)",
        "Bob is not found among the players of this game",
    )
    found = match_report(held, 1, 1, told, known={"seat-1": "bob"})
    assert found.fact == ResultEntered(1, 1, {"ann": 90, "bob": 80, "cem": 70})


def test_two_seats_of_one_name_are_nobodys() -> None:
    found = match_report(seated("ann", "bob"), 1, 1, report(("ann", 90), ("ANN", 80)))
    assert found.points == {}
    assert len(found.problems) == 4


def test_what_is_written_alike_goes_first() -> None:
    found = match_report(seated("ann", "bob"), 1, 1, report(("Ann", 90), ("ann", 80)))
    assert found.points == {"ann": 90}


def test_a_game_that_goes_on_is_no_result() -> None:
    told = report(("Ann", 90), ("Bob", 80), phase="ended")
    found = match_report(seated("ann", "bob"), 1, 1, told)
    assert found.fact is None
    assert found.problems == ("the points of this game have not been counted yet",)


def test_what_the_host_says_of_somebody_elsewhere_is_not_taken() -> None:
    told = report(("Ann", 90), ("Robert", 80))
    found = match_report(seated("ann", "bob"), 1, 1, told, known={"seat-1": "zoe", "x": "bob"})
    assert found.points == {"ann": 90}
