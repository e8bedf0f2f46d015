"""Sheets that every spreadsheet reads, and none computes."""

from __future__ import annotations

import csv
import io

import pytest
from railspotter.club.tournament import (
    EntrantAdded,
    ResultEntered,
    RoundSeated,
    TournamentStarted,
    after,
    fold,
    pairings_csv,
    results_csv,
    standings_csv,
)
from railspotter.club.tournament.sheets import text_cell

HELD = fold(
    [
        TournamentStarted("Friday"),
        EntrantAdded("ann", '=HYPERLINK("x")', club="+Bern, Thun"),
        EntrantAdded("bob", "Bob"),
        EntrantAdded("cem", "Cem"),
        RoundSeated(1, (("bob", "ann"),), ("cem",)),
        ResultEntered(1, 1, {"ann": -5, "bob": 120}),
    ]
)


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_standings() -> None:
    first, second, third = lines(standings_csv(HELD))
    assert (first["place"], first["name"], first["points"], first["wins"]) == (
        "1",
        "Bob",
        "12",
        "1",
    )
    assert (second["name"], second["points"], second["byes"]) == ("Cem", "6", "1")
    assert (third["name"], third["club"]) == ('\'=HYPERLINK("x")', "'+Bern, Thun")


def test_a_reason_that_begins_with_a_name_is_no_formula() -> None:
    held = after(HELD, EntrantAdded("zoe", "@Zoe"))
    held = after(held, EntrantAdded("yan", "Yan"))
    reasons = [line["reason"] for line in lines(standings_csv(held)) if line["reason"]]
    assert reasons
    assert not [one for one in reasons if one.startswith(("=", "+", "-", "@"))]


def test_pairings() -> None:
    told = [
        (one["round"], one["table"], one["seat"], one["name"]) for one in lines(pairings_csv(HELD))
    ]
    assert told == [
        ("1", "1", "1", "Bob"),
        ("1", "1", "2", '\'=HYPERLINK("x")'),
        ("1", "bye", "1", "Cem"),
    ]
    assert pairings_csv(HELD, 1) == pairings_csv(HELD)


def test_results_keep_numbers_below_nought() -> None:
    assert [
        (one["game points"], one["place"], one["points"]) for one in lines(results_csv(HELD))
    ] == [
        ("120", "1", "12"),
        ("-5", "2", "0"),
    ]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", " =1", "\t=1", "\uff1d1", "\uff20x"])
def test_formulas_are_defused(text: str) -> None:
    assert text_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "Ann", "1", "A=1", "O'Hara", "7-up"])
def test_other_texts_stay(text: str) -> None:
    assert text_cell(text) == text
