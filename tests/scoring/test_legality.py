"""Payments and the Card Game's turns: what the oracle tables cannot hold."""

from dataclasses import replace
from pathlib import Path

import pytest
from railspotter.scoring.board import Site, load_board
from railspotter.scoring.card_game.rules import CardPosition, card_position_problems
from railspotter.scoring.card_game.turns import (
    Draw,
    Row,
    after_placing,
    draw_problems,
    move_on_track,
    must_flush,
    placing_problems,
)
from railspotter.scoring.dealing.claims import payment_problems, site_payment_problems
from railspotter.scoring.edition import load_edition
from railspotter.scoring.legality import Problem, likely_wrong, position_problems, refusal
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.scoring.spot_names import spot_name

USA, BOARD = load_edition("usa"), load_board("usa")
PHILLY = load_edition("philly")
TOY = load_board(Path(__file__).with_name("oracles") / "toy-philly.json")
CARDS = load_edition("card-game")
SEATS = Seat("red"), Seat("blue")
ENGINE = "locomotive"


def kinds(problems: tuple[Problem, ...]) -> list[str]:
    return [problem.kind for problem in problems]


def position(**claims: list[str]) -> Position:
    held = {name: colour for colour, names in claims.items() for name in names}
    return Position(USA, BOARD, SEATS, held)


def test_a_problem_names_its_routes_and_players() -> None:
    philly = Position(PHILLY, TOY, SEATS, {"a--b": "pink"}, sites={"zoo": "pink"})
    strangers = [p for p in position_problems(philly) if p.kind == "players"]
    assert [(p.routes, p.colours) for p in strangers] == [(("a--b",), ("pink",)), ((), ("pink",))]
    built = {"red": ("wien",), "blue": ("roma",), "green": ("wien",)}
    europe = Position(
        load_edition("europe"), load_board("europe"), (*SEATS, Seat("green")), stations=built
    )
    (shared,) = position_problems(europe)
    assert (shared.kind, shared.colours) == ("shared_station", ("red", "green"))


def test_every_problem_of_a_position_is_told_at_once() -> None:
    wrong = position(
        red=["portland--seattle--0", "portland--seattle--1"],
        pink=["boston--montreal--0"],
        blue=["boston--montreal--1"],
    )
    assert kinds(position_problems(wrong)) == ["players", "double_routes_open_from", "both_lanes"]
    assert all(problem.rule for problem in position_problems(wrong))


def test_a_stock_names_the_routes_that_alone_explain_it_or_all() -> None:
    by_length = sorted(BOARD.routes, key=lambda route: -route.length)
    six, one = [route.id for route in by_length[:8]], by_length[-1].id
    (little,) = position_problems(position(red=[*six, one]))
    assert (sorted(little.routes), little.is_gross) == (sorted(six), False)
    (far,) = position_problems(position(red=[*six, by_length[8].id]))
    assert (len(far.routes), far.is_gross) == (9, True), "nine more than there are"


@pytest.mark.parametrize(
    ("edition", "built", "is_gross"),
    [("europe", 4, False), ("europe", 5, True), ("usa", 1, True)],
    ids=["one may be misread", "two are not", "no box without stations has one"],
)
def test_stations_are_as_many_as_one_misreading_explains(
    edition: str, built: int, *, is_gross: bool
) -> None:
    rules = load_edition(edition)
    board = load_board(rules.board)
    cities = tuple(place.id for place in board.places[:built])
    (told,) = position_problems(Position(rules, board, SEATS, stations={"red": cities}))
    assert (told.kind, told.is_gross) == ("stations", is_gross)
    spots = likely_wrong(told, spots_of("station", dict.fromkeys(cities, "red")), {})
    assert [spot.id for spot in spots] == list(cities)


def test_who_gained_nothing_is_not_refused_and_the_least_sure_is_looked_at_first() -> None:
    six = [route.id for route in sorted(BOARD.routes, key=lambda route: -route.length)[:9]]
    full = spots_of("route", dict.fromkeys(six, "red"))
    way = Sentence("and look again")
    assert refusal(position(), full, {"blue"}, {}, way) == ""
    said = refusal(position(), full, {"red"}, {Spot("route", six[4]): 0.5}, way)
    name = spot_name(BOARD, Spot("route", six[4]))
    head = "red has used 54 trains, of 45, which no single misreading explains: look at"
    assert said.startswith(f"{head} {name}, ")
    assert said.endswith(", and look again")


EUROPE, EUROPE_BOARD = load_edition("europe"), load_board("europe")


@pytest.mark.parametrize(
    ("route", "cards", "revealed", "expected"),
    [
        ("amsterdam--essen", {"yellow": 3}, (), []),
        ("amsterdam--essen", {"yellow": 1, ENGINE: 2}, (), []),
        ("amsterdam--essen", {ENGINE: 3}, (), []),
        ("amsterdam--essen", {"red": 3}, (), ["one_colour"]),
        ("amsterdam--essen", {"yellow": 2, "red": 1}, (), ["one_colour"]),
        ("amsterdam--essen", {"yellow": 4}, (), ["full_route"]),
        ("amsterdam--london", {"red": 1, ENGINE: 1}, (), ["ferry"]),
        ("amsterdam--london", {ENGINE: 2}, (), []),
        ("athina--smyrna", {"red": 1, ENGINE: 1}, (), []),
        ("athina--smyrna", {"red": 2}, (), ["ferry"]),
        ("munchen--zurich", {"yellow": 2}, ("red", "blue", "green"), []),
        ("munchen--zurich", {"yellow": 2}, ("yellow", "blue", ENGINE), ["full_route"]),
        ("munchen--zurich", {"yellow": 3, ENGINE: 1}, ("yellow", "blue", ENGINE), []),
        ("munchen--zurich", {"yellow": 1, ENGINE: 1}, ("yellow", "blue", "red"), ["full_route"]),
        ("munchen--zurich", {ENGINE: 2}, ("yellow", "yellow", "red"), []),
        ("munchen--zurich", {ENGINE: 2}, ("yellow", ENGINE, "red"), ["full_route"]),
        ("amsterdam--essen", {"red": 1, "blue": 1}, (), ["one_colour", "full_route"]),
        # Only a tunnel asks for more.
        ("amsterdam--essen", {"yellow": 3}, ("yellow", "yellow", "red"), []),
    ],
    ids=str,
)
def test_paying(
    route: str, cards: dict[str, int], revealed: tuple[str, ...], expected: list[str]
) -> None:
    problems = payment_problems(EUROPE, EUROPE_BOARD.route_by_id[route], cards, revealed)
    assert kinds(problems) == expected
    assert all(problem.rule for problem in problems)


def test_a_ferry_without_a_locomotive_is_told_so() -> None:
    (problem,) = payment_problems(EUROPE, EUROPE_BOARD.route_by_id["amsterdam--london"], {"red": 2})
    assert problem.what == "the ferry needs 2 locomotives, 0 played"


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        ({"red": 1, "yellow": 1}, True),
        ({"red": 1, ENGINE: 1}, True),
        ({ENGINE: 2}, True),
        ({"red": 1}, False),
        ({"red": 2}, False),
        ({"red": 1, "yellow": 1, ENGINE: 1}, False),
    ],
    ids=str,
)
def test_paying_for_a_site(cards: dict[str, int], paid: bool) -> None:
    zoo = Site("zoo", "Zoo", "a", ("red", "yellow"))
    assert (site_payment_problems(load_edition("philly"), zoo, cards) == ()) == paid


@pytest.mark.parametrize(
    ("edition", "drawn", "expected"),
    [
        ("usa", [Draw("red"), Draw(ENGINE)], []),
        ("usa", [Draw("red", face_up=True), Draw("blue", face_up=True)], []),
        ("usa", [Draw("red")] * 3, ["two_cards"]),
        ("usa", [Draw(ENGINE), Draw(ENGINE)], []),
        ("usa", [Draw(ENGINE, face_up=True)], []),
        ("card-game", [Draw(ENGINE, face_up=True), Draw("red")], ["locomotive_ends_draw"]),
        ("card-game", [Draw(ENGINE), Draw(ENGINE)], []),
        ("newyork", [Draw("red"), Draw(ENGINE, face_up=True)], ["replaced_locomotive"]),
        ("philly", [Draw("red", True), Draw(ENGINE, True, True)], ["replaced_locomotive"]),
    ],
    ids=["blind", "open", "three", "two blind engines", "engine", "engine first",
         "blind in the card game", "second", "replacing"],
)  # fmt: skip
def test_drawing(edition: str, drawn: list[Draw], expected: list[str]) -> None:
    assert kinds(draw_problems(load_edition(edition), drawn)) == expected


def test_new_yorks_refusals_call_the_card_a_taxi() -> None:
    newyork, engine = load_edition("newyork"), Draw(ENGINE, face_up=True)
    said = [p.what for p in draw_problems(newyork, [engine, engine])]
    assert said == ["a face-up taxi ends the draw", "a face-up taxi cannot be the second card"]


def test_phillys_optional_house_rule() -> None:
    house = load_edition("philly").with_house_rules({"replaced_locomotive": True})
    assert draw_problems(house, [Draw("red", True), Draw(ENGINE, True, True)]) == ()
    assert kinds(draw_problems(house, [Draw("red", True), Draw(ENGINE, True)])) == [
        "replaced_locomotive"
    ]


def test_three_locomotives_flush_everywhere_but_in_the_card_game() -> None:
    assert not must_flush(USA, [ENGINE, ENGINE, "red", "red", "red"])
    assert must_flush(USA, [ENGINE, ENGINE, ENGINE, "red", "red"])
    assert not must_flush(CARDS, [ENGINE] * 5)


HAND = {"blue": 4, "red": 1, "green": 1, "pink": 1, ENGINE: 2}


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ({"blue": 2}, []),
        ({"blue": 1, ENGINE: 1}, []),
        ({"blue": 1}, ["suit"]),
        ({ENGINE: 2}, ["suit"]),
        ({"red": 1, "green": 1, "pink": 1}, []),
        ({"red": 1, "green": 1, ENGINE: 1}, ["three_colours"]),
        ({"red": 1, "green": 1}, ["three_colours"]),
        ({"blue": 2, "green": 1}, ["three_colours"]),
        ({"blue": 5}, ["hand"]),
        ({"red": 1, "green": 1, "yellow": 1}, ["hand"]),
        ({"black": 2}, ["hand", "own_row"]),
        ({"white": 3}, ["hand", "robbing"]),
        ({"white": 4}, ["hand"]),
    ],
    ids=str,
)
def test_placing(played: dict[str, int], expected: list[str]) -> None:
    own, others = {"black": Row(1)}, {"blue": {"white": Row(2, 1)}}
    assert kinds(placing_problems(CARDS, HAND, played, own, others)) == expected


@pytest.mark.parametrize(
    ("played", "said"),
    [
        ({"blue": 1}, "a suit has two cards or more"),
        ({ENGINE: 2}, "a suit needs cards of its colour"),
        ({"red": 1, "green": 1, "yellow": 1}, "1 yellow played, 0 in hand"),
        ({"red": 1, ENGINE: 2}, "black has 4 red already; playing 3 does not rob them"),
    ],
    ids=["one card", "no colour", "not in hand", "too few to rob"],
)
def test_what_is_wrong_with_a_play_is_said(played: dict[str, int], said: str) -> None:
    problems = placing_problems(CARDS, HAND, played, {}, {"black": {"red": Row(3, 1)}})
    assert said in [problem.what for problem in problems]


def test_a_house_may_leave_locomotives_out_of_robbing() -> None:
    house = CARDS.with_house_rules({"robbing_counts_locomotives": False})
    others = {"black": {"blue": Row(2, 2)}}
    assert placing_problems(house, HAND, {"blue": 3}, {}, others) == ()
    assert kinds(placing_problems(CARDS, HAND, {"blue": 3}, {}, others)) == ["robbing"]
    assert kinds(placing_problems(house, HAND, {"blue": 2, ENGINE: 2}, {}, others)) == ["robbing"]


def test_four_players_begin_with_the_first_of_two_decks() -> None:
    four = CardPosition(CARDS, tuple(map(Seat, CARDS.colours)))
    assert kinds(card_position_problems(replace(four, final=True))) == ["second_deck"]
    assert card_position_problems(replace(four, round=2, final=True)) == ()
    assert card_position_problems(four) == ()


def test_a_row_without_locomotives_has_none() -> None:
    assert after_placing({"blue": 3}, {}, {})[0] == {"blue": Row(3)}


def test_a_robbed_row_is_gone_and_the_engines_lie_on_top() -> None:
    own, others = after_placing(
        {"blue": 2, ENGINE: 2}, {"red": Row(1)}, {"black": {"blue": Row(3)}}
    )
    assert own == {"red": Row(1), "blue": Row(2, 2)}
    assert others == {"black": {}}
    left, moved = move_on_track(own)
    assert left == {"blue": Row(2, 1)}
    assert moved == {"red": 1, ENGINE: 1}
