"""An edition's rules in sentences: each rule that a table plays by, and none that it does not."""

from typing import Any

import pytest
from msgspec import structs
from railspotter.scoring.board import BoardTicket, load_board
from railspotter.scoring.edition import edition_names, load_edition
from railspotter.scoring.rules_in_words import rules_in_words
from railspotter.table.set_up.offers import rules_offered
from railspotter.webui.words.translation import translator_to

BOARDS = [name for name in edition_names() if load_edition(name).board]


@pytest.mark.parametrize(
    ("edition", "rules", "said"),
    [
        ("europe", {}, "one of the first tickets is a long one"),
        ("europe", {"stations": 1}, "stations of each player: 1"),
        ("usa", {"longest_path_bonus": 0}, "the longest path brings no points"),
        ("usa", {"double_routes_open_from": 6}, "only one lane of a double route can be claimed"),
        (
            "usa",
            {"route_points": {"6": 20, "9": 27}},
            "points for a route of 1, 2, 3, 4, 5, 6, 9 spaces: 1, 2, 4, 7, 10, 20, 27",
        ),
        ("usa", {"tie_break": []}, "who is tied for the win shares the victory"),
        (
            "philly",
            {"replaced_locomotive": True},
            "a face-up Locomotive that replaced the first card may be the second",
        ),
    ],
)
def test_a_rule_that_is_played_is_told(edition: str, rules: dict[str, Any], said: str) -> None:
    assert said in [*rules_in_words(load_edition(edition).with_house_rules(rules))]


@pytest.mark.parametrize(
    ("edition", "rules", "never"),
    [
        ("europe", {"stations": 0}, "station"),
        ("europe", {"longest_path_bonus": 0}, "card for the longest path"),
        ("newyork", {}, "points for the longest path"),
        ("usa", {}, "Locomotive"),
    ],
)
def test_a_rule_that_nobody_plays_is_not_told(
    edition: str, rules: dict[str, Any], never: str
) -> None:
    said = " ".join(rules_in_words(load_edition(edition).with_house_rules(rules)))
    assert never not in said


def test_a_board_with_tickets_of_its_own_has_no_long_ones() -> None:
    board = structs.replace(load_board("europe"), tickets=(BoardTicket("berlin", "essen", 3),))
    said = [*rules_in_words(load_edition("europe"), board)]
    assert len(said) == len([*rules_in_words(load_edition("europe"))]) - 1
    assert not any("long one" in one for one in said)


@pytest.mark.parametrize("name", BOARDS)
def test_every_rule_that_set_up_changes_is_told(name: str) -> None:
    usual = load_edition(name)
    for rule in rules_offered(usual, load_board(usual.board)):
        least = (rule.least,) if rule.kind == "numbers" else rule.least
        other = rule.most if rule.usual == least else least
        changed = usual.with_house_rules({rule.name: other})
        assert {*rules_in_words(changed)} != {*rules_in_words(usual)}, rule.name


@pytest.mark.parametrize(
    ("language", "edition", "said"),
    [
        ("de", "newyork", "jeder hat 15 Taxis"),
        ("fr", "newyork", "chacun a 15 taxis"),
        ("de", "usa", "jeder hat 45 Wagen"),
        ("fr", "usa-accessible", "chacun a 45 formes"),
    ],
)
def test_pieces_are_called_what_they_are(language: str, edition: str, said: str) -> None:
    first = next(rules_in_words(load_edition(edition)))
    assert translator_to(language)(first).startswith(said)
