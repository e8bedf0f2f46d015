"""A game as text: what is written is read again, and what is wrong is named."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from published_schemas import schema
from railspotter.scoring.answer import answer, parse_game
from railspotter.scoring.board import load_board
from railspotter.scoring.card_game.rules import second_deck
from railspotter.scoring.card_game.text import CardGame, Deck, card_position_of
from railspotter.scoring.edition import HOUSE_RULES, edition_names, load_edition
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import BoardGame, game_text, position_of
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.position import Position
from strategies import positions

DOCS = Path(__file__).parents[2] / "docs" / "game-state.md"
EXAMPLES: list[dict[str, Any]] = [
    json.loads(block)
    for block in re.findall(r"```json\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
]
GAMES = [example for example in EXAMPLES if "edition" in example and "routes" not in example]


def text_of(position: Position) -> str:
    """Write a position as a game."""
    return json.dumps(
        {
            "edition": position.edition.id,
            "players": [{"colour": seat.colour, "name": seat.name} for seat in position.seats],
            "claims": dict(position.claims),
            "tickets": {
                colour: [{"a": ticket.a, "b": ticket.b} for ticket in held]
                for colour, held in position.tickets.items()
            },
            "stations": position.stations,
        }
    )


@given(st.data())
@examples(40)
def test_any_position_is_rebuilt_exactly(data: st.DataObject) -> None:
    # Drawn inside: a position's repr holds its whole board, too long for a report of arguments.
    edition = data.draw(st.sampled_from(("usa", "usa-big-cities", "newyork", "europe")))
    position = data.draw(positions(edition))
    game = parse_game(text_of(position))
    assert isinstance(game, BoardGame)
    assert position_of(game, position.board) == position
    assert parse_game(game_text(game)) == game
    jsonschema.validate(json.loads(game_text(game)), schema("scoring/game"))


def test_there_is_an_example_of_every_edition() -> None:
    assert {game["edition"] for game in GAMES} == set(edition_names())


@pytest.mark.parametrize("game", GAMES, ids=[game["edition"] for game in GAMES])
def test_the_examples_fit_the_schema_and_can_be_scored(
    game: dict[str, Any], tmp_path: Path
) -> None:
    jsonschema.validate(game, schema("scoring/game"))
    for example in EXAMPLES:
        if "routes" in example:
            (tmp_path / "my-philly.json").write_text(json.dumps(example), encoding="utf-8")
        elif "city_bonuses" in example and "edition" not in example:
            jsonschema.validate(example, schema("scoring/deck"))
            (tmp_path / "my-deck.json").write_text(json.dumps(example), encoding="utf-8")
    said = answer(parse_game(json.dumps(game)), tmp_path)
    assert said.problems == ()
    assert bool(said.standing.winners) == game["final"]


def test_the_docs_name_every_house_rule() -> None:
    page = DOCS.with_name("rules.md").read_text(encoding="utf-8")
    assert [name for name in HOUSE_RULES if f"`{name}`" not in page] == []


def refusal(game: dict[str, Any]) -> str:
    with pytest.raises(GameError) as refused:
        answer(parse_game(json.dumps(game)))
    return str(refused.value)


USA: dict[str, Any] = {"edition": "usa", "players": [{"colour": "red"}, {"colour": "blue"}]}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"edition": "mars"}, "edition: there is no 'mars'; there are usa, usa-accessible, "),
        ({"claim": {}}, "there is no 'claim'; there are edition, players, claims, "),
        ({"claims": {"a--b": "red"}}, "claims: the board 'usa' has no route 'a--b'"),
        ({"sites": {"zoo": "red"}}, "sites: the board 'usa' has no site 'zoo'"),
        ({"tickets": {"pink": []}}, "tickets: nobody plays 'pink'"),
        ({"stations": {"red": ["oz"]}}, "stations.red[0]: the board 'usa' has no place 'oz'"),
        (
            {"tickets": {"red": [{"a": "boston", "b": "oz"}]}},
            "tickets.red[0], red, boston - oz: the board 'usa' has no place 'oz'",
        ),
        (
            {"tickets": {"red": [{"a": "boston", "b": "boston"}]}},
            "tickets.red[0], red, boston - boston: a ticket needs two places, both are 'boston'",
        ),
        (
            {"tickets": {"red": [{"a": "boston", "b": "seattle"}]}},
            "tickets.red[0], red, boston - seattle: USA (2004) has no ticket 'boston' - 'seattle'; "
            "give its points",
        ),
        ({"players": [{"colour": "red"}] * 2}, "players[1].colour: 'red' is players[0]"),
        ({"pins": {"a--b": 0}}, "pins: the board 'usa' has no route 'a--b'"),
        ({"pins": {"helena--seattle": 6}}, "pins.helena--seattle: its spaces are 0 to 5, not 6"),
        ({"last_turns": {"by": "pink"}}, "last_turns.by: nobody plays 'pink'"),
        (
            {"house_rules": {"trains": "many"}},
            "house_rules: house rule trains: a whole number belongs there, not a text",
        ),
        ({"house_rules": {"id": "x"}}, "house_rules: there is no house rule 'id'; there are"),
        ({"house_rules": {"players": [5, 2]}}, "house_rules: house rule players: the fewest come"),
        (
            {"house_rules": {"first_tickets": [3, 4]}},
            "house_rules: house rule first_tickets: 4 tickets cannot be kept of 3",
        ),
        (
            {"house_rules": {"tie_break": ["bonus cards"]}},
            "house_rules: house rule tie_break: USA (2004) cannot tell by 'bonus cards'; it can by "
            "completed tickets, fewest stations, longest path, longest path card",
        ),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_wrong_game_is_refused_with_the_path(more: dict[str, Any], said: str) -> None:
    assert refusal({**USA, **more}).startswith(said)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"claims": {"seattle--helena": "red"}}, "'seattle--helena'; near it: helena--seattle"),
        ({"claims": {"Seatle - Helena": "red"}}, "'Seatle - Helena'; near it: helena--seattle"),
        (
            {"claims": {"seattle--portland": "red"}},
            "near it: portland--seattle--0, portland--seattle--1",
        ),
        ({"claims": {"omaha--atlantis": "red"}}, "has no route 'omaha--atlantis'"),
        ({"stations": {"red": ["chikago"]}}, "stations.red[0]: the board 'usa' has no place"),
        ({"stations": {"red": ["chikago"]}}, "'chikago'; near it: chicago"),
        (
            {"tickets": {"red": [{"a": "Boston", "b": "Miamy"}]}},
            "tickets.red[0], Ann (red), Boston - Miamy: the board 'usa' has no place 'Miamy'; near"
            " it: miami",
        ),
        ({"tickets": {"blue": [], "red": [{"a": "x"}]}}, "tickets.red[0]: 'b' is missing"),
        (
            {"stations": {"blue": [], "red": [7]}},
            "stations.red[0]: a text belongs there, not a whole number",
        ),
        ({"claims": {"denver--omaha": 3}}, "claims.denver--omaha: a text belongs there, not"),
    ],
)
def test_a_slip_of_the_pen_is_found_and_what_is_near_is_offered(
    more: dict[str, Any], said: str
) -> None:
    players = [{"colour": "red", "name": "Ann"}, {"colour": "blue"}]
    assert said in refusal({"edition": "usa", "players": players, **more})


def test_places_are_named_as_they_are_printed() -> None:
    def position(a: str, b: str, station: str) -> Position:
        text = {
            "edition": "europe",
            "tickets": {"red": [{"a": a, "b": b}]},
            "stations": {"blue": [station]},
        }
        return position_of(parse_json(json.dumps(text), BoardGame, GameError), load_board("europe"))

    by_id = position("berlin", "bucuresti", "zurich")
    assert position("Berlin", "BUCUREȘTI", "Zürich") == by_id
    assert position(" berlin", "Bucuresti", "ZURICH") == by_id
    (ticket,) = by_id.tickets["red"]
    assert ticket.points == 8


CARDS: dict[str, Any] = {"edition": "card-game", "players": [{"colour": "red"}]}
TICKET = {"cities": ["Dallas", "Omaha"], "circles": {"red": 1}, "points": 3}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"stack": {"red": {"lilac": 1}}},
            "stack.red.lilac: there is no 'lilac'; there are black, ",
        ),
        ({"stack": {"pink": {}}}, "nobody plays 'pink'"),
        ({"players": [{"colour": "red"}] * 2}, "players: two have the same colour"),
        (
            {"tickets": {"red": [{"cities": ["Dallas", "Omaha"]}]}},
            "tickets.red[0]: Dallas - Omaha needs its circles",
        ),
        (
            {"tickets": {"red": [{"cities": ["Dallas", "Omaha"], "circles": {"red": 1}}]}},
            "tickets.red[0]: Dallas - Omaha needs its points",
        ),
        (
            {"tickets": {"red": [TICKET]}, "chosen": {"red": [1]}},
            "chosen.red: not positions in its tickets: [1]",
        ),
        (
            {"tickets": {"red": [TICKET]}, "chosen": {"red": [0, 0]}},
            "chosen.red: not positions in its tickets: [0, 0]",
        ),
        ({"deck": "nowhere.json"}, "cannot read the deck 'nowhere.json'"),
        ({"house_rules": {"x": 1}}, "house_rules: there is no house rule 'x'"),
        (
            {"house_rules": {"tie_break": ["longest path"]}},
            "house_rules: house rule tie_break: The Card Game cannot tell by 'longest path'; it "
            "can by completed tickets, bonus cards",
        ),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_wrong_card_game_is_refused(more: dict[str, Any], said: str) -> None:
    assert refusal({**CARDS, **more}).startswith(said)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"edition": 3}', b"\xff\xfe"], ids=repr)
def test_what_is_no_game_is_refused(text: str | bytes) -> None:
    with pytest.raises(GameError):
        parse_game(text)


def test_brackets_without_end_are_refused() -> None:
    deep = '{"edition": "usa", "house_rules": {"trains": ' + "[" * 100_000
    with pytest.raises(GameError, match="brackets"):
        parse_game(deep)


def test_route_points_of_a_house_are_added_to_the_table() -> None:
    rules = {"route_points": {"6": 20, "9": 27}}
    assert load_edition("usa").with_house_rules(rules).route_points == {
        **load_edition("usa").route_points,
        6: 20,
        9: 27,
    }


def test_lengths_without_points_are_told(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(game_text(load_board("usa")), encoding="utf-8")
    game = {"edition": "europe", "board": "own.json", "players": USA["players"]}
    (problem,) = answer(parse_game(json.dumps(game)), tmp_path).problems
    assert (problem.kind, problem.what[:54]) == (
        "route_points",
        "Europe (2005) has no points for routes of 5 spaces; th",
    )
    told = {**game, "house_rules": {"route_points": {"5": 10}}}
    assert answer(parse_game(json.dumps(told)), tmp_path).problems == ()


def test_players_are_those_who_hold_something() -> None:
    game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    assert isinstance(game, BoardGame)
    assert position_of(game, load_board("usa")).colours == ("red",)


def test_the_game_outranks_the_deck_and_both_spellings_count() -> None:
    deck = parse_json(
        json.dumps({"tickets": [TICKET], "city_bonuses": {"Dallas": 8}}), Deck, GameError
    )
    game = parse_game(
        json.dumps(
            {
                **CARDS,
                "tickets": {"red": [{"cities": ["Omaha", "Dallas"], "points": 5}]},
                "stack": {"red": {"locomotives": 1, "locomotive": 1, "blue": 0}},
            }
        )
    )
    assert isinstance(game, CardGame)
    position = card_position_of(game, deck)
    assert position.tickets["red"][0].points == 5
    assert position.tickets["red"][0].circles == {"red": 1}
    assert position.stacks["red"]["locomotive"] == 2
    assert position.city_bonuses == {"Dallas": 8}


def test_a_deck_may_have_two_tickets_of_the_same_cities() -> None:
    ends = ["Dallas", "Omaha"]
    red, blue = (
        {"cities": ends, "circles": {c: 1}, "points": n} for c, n in (("red", 4), ("blue", 5))
    )
    deck = parse_json(json.dumps({"tickets": [red, blue, red]}), Deck, GameError)

    def held(**told: Any) -> Any:
        game = {**CARDS, "tickets": {"red": [{"cities": ["OMAHA", "Dallas"], **told}]}}
        parsed = parse_game(json.dumps(game))
        assert isinstance(parsed, CardGame)
        return card_position_of(parsed, deck).tickets["red"][0]

    assert held(circles={"red": 1}).points == 4
    assert held(points=5).circles == {"blue": 1}
    with pytest.raises(GameError, match=r"tickets.red\[0\]: the deck has 2 tickets OMAHA - Dallas"):
        held()


def test_one_city_has_one_bonus() -> None:
    twice = {**CARDS, "city_bonuses": {"Los Angeles": 8, "los angeles": 9}}
    assert refusal(twice) == "city_bonuses: 'Los Angeles' and 'los angeles' are the same city"
    deck = parse_json(json.dumps({"city_bonuses": {"los angeles": 8}}), Deck, GameError)
    game = parse_game(json.dumps({**CARDS, "city_bonuses": {"Los Angeles": 10}}))
    assert isinstance(game, CardGame)
    assert card_position_of(game, deck).city_bonuses == {"Los Angeles": 10}


def test_the_second_deck_begins_with_what_was_not_completed() -> None:
    other = {**TICKET, "cities": ["Boston", "Omaha"]}
    game = parse_game(
        json.dumps({**CARDS, "tickets": {"red": [TICKET, other]}, "stack": {"red": {"red": 1}}})
    )
    assert isinstance(game, CardGame)
    after = second_deck(card_position_of(game))
    assert [ticket.cities for ticket in after.tickets["red"]] == [("Boston", "Omaha")]
    assert [ticket.cities for ticket in after.set_aside["red"]] == [("Dallas", "Omaha")]
    assert (after.round, after.stacks) == (2, {})
