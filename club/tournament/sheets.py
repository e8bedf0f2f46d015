"""Standings, pairings and results as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable

from .standings import number_text, standings, table_places, table_points
from .tournament import EntrantId, Tournament

Cell = str | int


def standings_csv(tournament: Tournament, rounds: int | None = None) -> str:
    """Return the standing, one line an entrant, with the tie-breaks and what they decided."""
    heads = ("place", "name", "club", "points", "share", "wins", "opponents", "games", "byes")
    return _csv(
        (*heads, "present", "reason"),
        (
            (
                row.place,
                text_cell(row.entrant.name),
                text_cell(row.entrant.club),
                number_text(row.points),
                number_text(row.share),
                row.wins,
                number_text(row.opponents),
                row.games,
                row.byes,
                "yes" if row.entrant.is_present else "no",
                text_cell(row.reason),
            )
            for row in standings(tournament, rounds)
        ),
    )


def pairings_csv(tournament: Tournament, round_number: int | None = None) -> str:
    """Return who sits where, one line a seat; of one round, or of all."""
    rounds = tournament.rounds if round_number is None else (tournament.round(round_number),)
    return _csv(
        ("round", "table", "seat", "name", "club"),
        (
            (played.number, table, seat, *_who(tournament, one))
            for played in rounds
            for table, players in (
                *((str(n), players) for n, players in enumerate(played.tables, 1)),
                ("bye", played.byes),
            )
            for seat, one in enumerate(players, 1)
        ),
    )


def results_csv(tournament: Tournament) -> str:
    """Return all results, one line a player of a game."""
    lines: list[tuple[Cell, ...]] = []
    for played in tournament.rounds:
        for table, result in sorted(played.results.items()):
            places, points = table_places(result), table_points(tournament.rules, result)
            lines += [
                (
                    played.number,
                    table,
                    *_who(tournament, one),
                    result.points[one],
                    places[one],
                    number_text(points[one]),
                )
                for one in sorted(places, key=lambda one: places[one])
            ]
    return _csv(("round", "table", "name", "club", "game points", "place", "points"), lines)


def text_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe stands before one.

    Examples
    --------
    >>> text_cell("=1+1"), text_cell(" @Ann"), text_cell("Ann-Marie")
    ("'=1+1", "' @Ann", 'Ann-Marie')
    """
    # Spreadsheets also take the wide signs of East Asian keyboards, and skip what is blank.
    begin = unicodedata.normalize("NFKC", text).lstrip()[:1]
    return f"'{text}" if begin and begin in "=+-@" else text


def _who(tournament: Tournament, entrant: EntrantId) -> tuple[str, str]:
    known = tournament.entrants[entrant]
    return text_cell(known.name), text_cell(known.club)


def _csv(heads: Iterable[str], lines: Iterable[Iterable[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows(lines)
    return text.getvalue()
