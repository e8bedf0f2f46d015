"""Every rule of every edition, as tables: oracles/*.txt, each block under the rulebook's sentence.

A block, ended by an empty line:

    > The rule's sentence.
    case what it shows
    edition usa                     a line of these for what the game holds; several: a test each
    players red blue
    claim red denver--helena helena--seattle
    ticket red seattle--new-york    (and its points, where the edition cannot know them)
    station red paris
    site red zoo
    rule longest_path_bonus 0       a house rule
    last red 1                      whose turn brought the last turns, and how many since
    card red Dallas/Omaha red=2 points=6      the Card Game: a ticket held,
    done red Dallas/Omaha red=2 points=6      one completed in an earlier scoring,
    stack red red=2 locomotive=1              cards on the track,
    choose red 0 2                            the player's own choice
    bonus Dallas 8
    going                           the game has not ended
    = red total 42                  what must come out: a value of the player
    = red line 10 longest path, 12 trains     a line of the score
    = red lines 3                   how many there are
    = winners red
    = decided completed tickets     what told them from others with as many points, or: nothing
    = problems both_lanes           all problems by kind; without this line there are none
    = problem red has used 48 trains, of 45   one of them by its words
    = low red                       whose stock brings the last turns
    = still blue red                who has a last turn
"""

import json
import re
from typing import Any

import pytest
from oracle_tables import RULEBOOK_OF, SCORES, ScoreCase, letters, read_cases, rulebook
from railspotter.scoring.answer import answer, parse_game, to_json
from railspotter.scoring.edition import edition_names, load_edition


class Case(ScoreCase):
    """A game that is scored."""

    def run(self) -> list[str]:
        said = to_json(answer(parse_game(json.dumps(self.game)), SCORES))
        wrong = [line for line in self.expected if not _holds(line, said)]
        if not any(line.startswith("problem") for line in self.expected) and said["problems"]:
            wrong.append(f"no problems; there are {said['problems']}")
        if wrong:
            wrong.append(f"the answer is {said}")
        return wrong


def _holds(line: str, said: dict[str, Any]) -> bool:
    match line.split():
        case ["winners", *colours]:
            return list(said["winners"]) == colours
        case ["decided", *words]:
            return (said["decided_by"] or "nothing") == " ".join(words)
        case ["problems", *kinds]:
            return [problem["kind"] for problem in said["problems"]] == kinds
        case ["problem", *words]:
            return " ".join(words) in [problem["what"] for problem in said["problems"]]
        case ["low", *colours]:
            return list(said["low_stocks"]) == colours
        case ["still", *colours]:
            return list(said["last_turns"]) == colours
        case [colour, what, value, *rest]:
            (player,) = (p for p in said["players"] if p["colour"] == colour)
            if what == "line":
                wanted = {"what": " ".join(rest), "points": int(value)}
                return wanted in player["lines"]
            if what == "lines":
                return len(player["lines"]) == int(value)
            if what == "longest_path":
                return bool(player["longest_path"]["length"] == int(value))
            return bool(player[what] == int(value))
    raise ValueError(f"no such expectation: {line}")


CASES = tuple(read_cases(SCORES, Case))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_rule_holds(case: Case) -> None:
    case.check()


def test_every_edition_has_a_case() -> None:
    assert {case.game["edition"] for case in CASES} == set(edition_names())


@pytest.mark.parametrize("edition", RULEBOOK_OF)
def test_each_number_quotes_the_rulebook(edition: str) -> None:
    text = rulebook(edition)
    for name, source in load_edition(edition).sources.items():
        for sentence in re.split(r"(?<=[.!]) ", source):
            assert letters(sentence) in text, f"{name}: {sentence}"


@pytest.mark.parametrize("name", edition_names())
def test_each_number_has_a_source(name: str) -> None:
    edition = load_edition(name)
    for rule in (
        "route_points",
        "longest_path_bonus",
        "globetrotter_bonus",
        "attraction_points",
        "stations",
        "unused_station_points",
        "site_points",
        "modes",
        "mode_bonus",
        "trains",
        "last_round_at",
        "tie_break",
        "flush_at_locomotives",
    ):
        if getattr(edition, rule):
            assert edition.sources[rule]
