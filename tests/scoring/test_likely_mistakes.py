"""What people get wrong who write a game down is told, and a game that is right has none of it."""

import json
from typing import Any

import pytest
from logged_games import end_text
from railspotter.scoring.answer import answer, parse_game
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import BoardGame, unsure_spots
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.spot import Spot
from railspotter.simulation.played_game import play_game

SEATS = [{"colour": "red"}, {"colour": "blue"}]
CARDS: dict[str, Any] = {"edition": "card-game", "players": SEATS, "final": True}
LONG = [("athina", "edinburgh"), ("brest", "petrograd"), ("cadiz", "stockholm")]


def told(game: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the problems of a game; each names a rule, but for the deck's own tickets."""
    problems = answer(parse_game(json.dumps(game))).problems
    assert all(problem.rule or problem.kind == "tickets" for problem in problems)
    return [(problem.kind, problem.what) for problem in problems]


def some_routes(trains: int) -> dict[str, str]:
    """Return routes of the USA board that take so many trains at most, one lane of each."""
    claims: dict[str, str] = {}
    for route in load_board("usa").routes:
        if route.length <= trains and not route.id.endswith("--1"):
            claims[route.id] = "red"
            trains -= route.length
    return claims


def ended(**more: Any) -> dict[str, Any]:
    return {"edition": "usa", "players": SEATS, "claims": some_routes(40), "final": True, **more}


def test_a_final_game_with_nobody_low() -> None:
    left = 45 - 40
    what = f"the game is final, but nobody has 2 trains or fewer left; red has the fewest, {left}"
    assert told(ended()) == [("last_round_at", what)]
    assert told(ended(final=False)) == []
    assert told(ended(claims=some_routes(44))) == []
    assert told(ended(claims=some_routes(20))) == []


def test_last_turns_that_nobody_can_have() -> None:
    far = "the last turns began with red, who has 39 pieces left; 2 or fewer bring them"
    many = "9 turns were taken since the last turns began; each of 2 players has one"
    waits = "the game is final, but blue, red still have a last turn"
    low, high = some_routes(44), {"helena--seattle": "red"}
    cases: list[tuple[dict[str, str], int, bool, list[str]]] = [
        (low, 1, False, []),
        (low, 2, True, []),
        (high, 0, False, [far]),
        (low, 9, False, [many]),
        (low, 0, True, [waits]),
        (high, 9, True, [far, many]),
    ]
    for claims, since, final, problems in cases:
        by = {"by": "red", "turns_since": since}
        game = ended(claims=claims, last_turns=by, final=final)
        assert told(game) == [("last_round_at", what) for what in problems]
        assert not (final and answer(parse_game(json.dumps(game))).last_turns)


def test_too_few_tickets_kept() -> None:
    deck = [{"a": t.a, "b": t.b} for t in load_edition("usa").tickets]
    game = ended(claims=some_routes(45), tickets={"red": deck[:1], "blue": deck[1:3]})
    assert told(game) == [("first_tickets", "red has 1 tickets; at least 2 are kept")]
    assert told({**game, "tickets": {"red": deck[:1]}}) == []


def test_more_long_tickets_than_are_dealt() -> None:
    tickets = {"red": [{"a": a, "b": b} for a, b in LONG]}
    game = {"edition": "europe", "players": SEATS, "tickets": tickets}
    assert told(game) == [("most_of_series", "red holds 3 long tickets; each player gets 1")]


def test_more_cards_than_exist() -> None:
    game = {
        **CARDS,
        "stack": {"red": {"red": 6}, "blue": {"locomotives": 16}},
        "hand": {"blue": {"red": 3, "locomotive": 1}},
        "railyard": {"blue": {"red": 2}},
    }
    assert told(game) == [
        ("train_cards", "there are 17 locomotive cards; the deck has 16"),
        ("train_cards", "there are 11 red cards; the deck has 10"),
    ]


def test_a_ticket_of_the_card_game_is_held_thrice() -> None:
    ticket = {"cities": ["Dallas", "Omaha"], "circles": {"red": 1}, "points": 4}
    turned = {**ticket, "cities": ["omaha", "Dallas"]}
    other = {**ticket, "circles": {"blue": 1}}
    game = {**CARDS, "tickets": {"red": [ticket, turned, other], "blue": [ticket]}}
    what = "the ticket Dallas - Omaha is held 3 times; there is one"
    assert told(game) == [("tickets", what)]


def test_a_second_deck_of_two() -> None:
    what = "with 2 players there is one deck; this is the second"
    assert told({**CARDS, "round": 2}) == [("second_deck", what)]


@pytest.mark.parametrize(
    "game",
    [
        {"edition": "usa", "claims": {"helena--seattle": "Red", "duluth--helena": "red"}},
        {"edition": "usa", "players": SEATS, "tickets": {"Red": []}},
        {**CARDS, "stack": {"Red": {"red": 1}}},
    ],
    ids=["claims", "tickets", "cards"],
)
def test_one_player_is_spelled_in_one_way(game: dict[str, Any]) -> None:
    with pytest.raises(GameError, match=r"'[Rr]ed' and '[Rr]ed' are the same player"):
        answer(parse_game(json.dumps(game)))


@pytest.mark.parametrize(
    "text",
    [
        '{"edition": "usa", "claims": {"helena--seattle": "red", "helena--seattle": "blue"}}',
        '{"edition": "card-game", "stack": {"red": {"red": 1}, "red": {"red": 2}}}',
    ],
    ids=["route", "player"],
)
def test_a_key_is_written_once(text: str) -> None:
    with pytest.raises(GameError, match=r"'(helena--seattle|red)' is written twice"):
        parse_game(text)


def test_what_is_unsure_a_hundred_thousand_times_is_unsure_once() -> None:
    route = "helena--seattle"
    game = parse_json(
        json.dumps({"edition": "usa", "unsure": [route] * 100_000}), BoardGame, GameError
    )
    assert unsure_spots(game, load_board("usa")) == (Spot("route", route),)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse_game(b'\xef\xbb\xbf{"edition": "usa"}').edition == "usa"
    assert parse_game('\ufeff{"edition": "card-game"}').edition == "card-game"


@pytest.mark.parametrize("name", ["usa", "europe", "newyork"])
def test_a_whole_game_has_no_slips(name: str) -> None:
    for seed in range(3):
        game = end_text(play_game(load_edition(name), load_board(name), 2, seed))
        assert answer(game).problems == ()
