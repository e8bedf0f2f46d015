"""Tables of rules, which tests run: text files of blocks, each under the rulebook's sentence."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest
from house.project import ROOT

RULEBOOKS = ROOT.parent / "shared" / "rules"
RULEBOOK_OF = {
    "usa": "usa",
    "usa-accessible": "usa",
    "usa-10th": "10th-anniversary",
    "newyork": "new-york",
    "philly": "philly",
}
SCORES = ROOT / "tests" / "scoring" / "oracles"


@dataclass
class Case:
    """One block of a table: what is given, line by line, and what must come out."""

    rule: str = ""
    name: str = ""
    editions: list[str] = field(default_factory=list)  # first the one whose rulebook says it
    given: list[list[str]] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def of_editions(self) -> Iterator[Self]:
        """Yield the case for each of its editions, of which it is named."""
        for edition in self.editions:
            given = [["edition", edition], *self.given]
            yield replace(self, name=f"{edition}: {self.name}", given=given)

    def run(self) -> list[str]:
        """Return what came out otherwise than the table says."""
        raise NotImplementedError

    def check(self) -> None:
        """Fail where something comes out otherwise."""
        assert self.rule, "every block stands under a rule"
        assert self.expected, "every case expects something"
        wrong = self.run()
        assert not wrong, "\n".join((self.rule, self.name, *wrong))


C = TypeVar("C", bound=Case)


def read_cases(tables: Path, kind: type[C]) -> Iterator[C]:
    """Yield every case of a folder's tables, once for each of its editions."""
    for path in sorted(tables.glob("*.txt")):
        rule, case = "", kind()
        for line in [*path.read_text("utf-8").splitlines(), ""]:
            words = line.split()
            if not words:
                yield from case.of_editions()
                case = kind(rule)
            elif words[0] == ">":
                rule = case.rule = line[2:]
            elif words[0] == "case":
                case.name = line[5:]
            elif words[0] == "edition":
                case.editions = words[1:]
            elif words[0] == "=":
                case.expected.append(line[2:])
            elif words[0] != "#":
                case.given.append(words)


class ScoreCase(Case):
    """A case of what a game is worth; tests/scoring/test_oracles.py says what its lines mean."""

    @property
    def game(self) -> dict[str, Any]:
        """The game's text, as JSON has it."""
        game: dict[str, Any] = {"final": True}
        for words in self.given:
            _add(game, *words)
        return game


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
            cards = card_counts(counts)
            points = cards.pop("points")
            ticket = {"cities": cities.split("/"), "circles": cards, "points": points}
            where = "tickets" if what == "card" else "completed"
            game.setdefault(where, {}).setdefault(colour, []).append(ticket)
        case "stack", [colour, *counts]:
            game.setdefault("stack", {})[colour] = card_counts(counts)
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


def card_counts(words: list[str]) -> dict[str, int]:
    """Return how many there are of what: `red=2 locomotive=1`."""
    return {key: int(value) for key, value in (word.split("=") for word in words)}


def letters(text: str) -> str:
    """Return a text without what is no letter, to be compared however it is typeset."""
    return re.sub(r"\W+", "", text).lower()


def rulebook(edition: str) -> str:
    """Return the letters of an edition's rulebook; a test without rulebooks is skipped."""
    path = RULEBOOKS / f"{RULEBOOK_OF[edition]}.txt"
    if not path.exists():
        pytest.skip("the rulebooks are not here")
    text = path.read_text("utf-8")
    if edition == "philly":  # "Most of the Philly game rules mirror those of the original game."
        text += (RULEBOOKS / "usa.txt").read_text("utf-8")
    return letters(text)
