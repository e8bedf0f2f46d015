"""Every rule of every edition, as tables: oracles/*.txt, each block under the rulebook's sentence.

A block, ended by an empty line:

    > The rule's sentence.
    case what it shows
    edition usa                     a line of these for what the game holds
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

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from railspotter.scoring.answer import answer, parse_game, to_json
from railspotter.scoring.edition import edition_names, load_edition

TABLES = Path(__file__).with_name("oracles")


@dataclass
class Case:
    """One block of a table."""

    where: str
    rule: str = ""
    name: str = ""
    game: dict[str, Any] = field(default_factory=lambda: {"final": True})
    expected: list[str] = field(default_factory=list)

    def run(self) -> list[str]:
        """Return what came out otherwise than the table says."""
        said = to_json(answer(parse_game(json.dumps(self.game)), TABLES))
        wrong = [line for line in self.expected if not _holds(line, said)]
        if not any(line.startswith("problem") for line in self.expected) and said["problems"]:
            wrong.append(f"no problems; there are {said['problems']}")
        if wrong:
            wrong.append(f"the answer is {said}")
        return wrong


def read_cases() -> Iterator[Case]:
    """Yield every case of every table."""
    for path in sorted(TABLES.glob("*.txt")):
        rule = ""
        case = Case(path.stem)
        for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
            words = line.split()
            if not words:
                if case.name:
                    yield case
                case = Case(path.stem, rule)
            elif words[0] == ">":
                rule = case.rule = line[2:]
            elif words[0] == "case":
                case.name = f"{path.stem}:{number} {line[5:]}"
            elif words[0] == "=":
                case.expected.append(line[2:])
            elif words[0] != "#":
                _add(case.game, *words)


def _add(game: dict[str, Any], what: str, *words: str) -> None:
    match what, words:
        case "edition", [name]:
            game["edition"] = name
        case "board", [path]:
            game["board"] = path
        case "players", colours:
            game["players"] = [{"colour": colour} for colour in colours]
        case "claim", [colour, *routes]:
            game.setdefault("claims", {}).update(dict.fromkeys(routes, colour))
        case "ticket", [colour, ends, *worth]:
            a, b = ends.split("--")
            ticket: dict[str, Any] = {"a": a, "b": b}
            if worth:
                ticket["points"] = int(worth[0])
            game.setdefault("tickets", {}).setdefault(colour, []).append(ticket)
        case "station", [colour, *cities]:
            game.setdefault("stations", {}).setdefault(colour, []).extend(cities)
        case "site", [colour, *sites]:
            game.setdefault("sites", {}).update(dict.fromkeys(sites, colour))
        case "rule", [name, *value]:
            game.setdefault("house_rules", {})[name] = json.loads(" ".join(value))
        case "last", [colour, since]:
            game["last_turns"] = {"by": colour, "turns_since": int(since)}
        case (("card" | "done"), [colour, cities, *counts]):
            cards = _counts(counts)
            points = cards.pop("points")
            ticket = {"cities": cities.split("/"), "circles": cards, "points": points}
            where = "tickets" if what == "card" else "completed"
            game.setdefault(where, {}).setdefault(colour, []).append(ticket)
        case "stack", [colour, *counts]:
            game.setdefault("stack", {})[colour] = _counts(counts)
        case "choose", [colour, *indices]:
            game.setdefault("chosen", {})[colour] = [int(i) for i in indices]
        case "bonus", [*city, points]:
            game.setdefault("city_bonuses", {})[" ".join(city)] = int(points)
        case "round", [number]:
            game["round"] = int(number)
        case "going", []:
            game["final"] = False
        case _:
            raise ValueError(f"no such line: {what} {' '.join(words)}")


def _counts(words: list[str]) -> dict[str, int]:
    return {key: int(value) for key, value in (word.split("=") for word in words)}


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


CASES = tuple(read_cases())
RULEBOOKS = Path(__file__).parents[3] / "shared" / "rules"
RULEBOOK_OF = {
    "usa": "usa",
    "usa-accessible": "usa",
    "usa-10th": "10th-anniversary",
    "newyork": "new-york",
    "philly": "philly",
}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_rule_holds(case: Case) -> None:
    assert case.rule, "every block stands under a rule"
    assert case.expected, "every case expects something"
    wrong = case.run()
    assert not wrong, "\n".join((case.rule, case.name, *wrong))


def test_every_edition_has_a_case() -> None:
    assert {case.game["edition"] for case in CASES} == set(edition_names())


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


@pytest.mark.parametrize("edition", RULEBOOK_OF)
def test_each_number_quotes_the_rulebook(edition: str) -> None:
    path = RULEBOOKS / f"{RULEBOOK_OF[edition]}.txt"
    if not path.exists():
        pytest.skip("the rulebooks are not here")
    rulebook = letters(path.read_text(encoding="utf-8"))
    if edition == "philly":
        rulebook += letters((RULEBOOKS / "usa.txt").read_text(encoding="utf-8"))
    for name, source in load_edition(edition).sources.items():
        for sentence in re.split(r"(?<=[.!]) ", source):
            assert letters(sentence) in rulebook, f"{name}: {sentence}"


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
