"""Results of a round, taken from what tables have told of their games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from railspotter.scoring.sentence import Sentence

from ..messages import Report
from ..tournament import (
    Entrant,
    ResultCorrected,
    ResultEntered,
    ResultError,
    match_report,
    plain,
)
from .tournament_log import Entry, HeldTournament


@dataclass(frozen=True)
class TakenResult:
    """A result that a table's report has.

    Attributes
    ----------
    table : int
        In the round.
    hall_table : str
        The table that told it.
    """

    table: int
    hall_table: str
    entry: Entry


def results_of_round(
    held: HeldTournament, round_number: int, reports: Iterable[Report]
) -> tuple[list[TakenResult], dict[int, Sentence]]:
    """Match the tables of a round with games, by the names of who plays.

    A game counts where its points are counted, it began after the round was seated, no other result
    was taken from it, and exactly the table's players play it.

    Returns
    -------
    taken : list of TakenResult
        Of tables that have no result yet.
    missing : dict of int to Sentence
        Why the other tables of the round without a result still have none.
    """
    tournament = held.tournament
    since_s = held.seated_at_s.get(round_number, 0.0)
    used = set(held.games.values())
    told: dict[frozenset[str], list[Report]] = {}
    for report in reports:
        is_new = report.started_at_s >= since_s and report.game not in used
        if report.phase == "counted" and is_new:
            names = frozenset(plain(one.name) for one in report.players)
            told.setdefault(names, []).append(report)
    taken: list[TakenResult] = []
    missing: dict[int, Sentence] = {}
    for table in tournament.round(round_number).missing:
        players = tournament.round(round_number).table(table)
        names = frozenset(plain(tournament.entrants[one].name) for one in players)
        found = told.get(names, [])
        fact = match_report(tournament, round_number, table, found[0]).fact if found else None
        if len(found) == 1 and fact is not None:
            taken.append(TakenResult(table, found[0].table, Entry(fact, found[0].game)))
        elif len(found) > 1:
            missing[table] = Sentence(
                "table {table}: these players have finished several games, so say which one counts",
                table=table,
            )
        else:
            missing[table] = Sentence(
                "table {table}: no finished game has these players' names", table=table
            )
    return taken, missing


def result_from(
    held: HeldTournament,
    round_number: int,
    table: int,
    report: Report,
    seats: Mapping[str, str] | None = None,
) -> Entry:
    """Return a table's result from the game that the host says it played.

    Parameters
    ----------
    seats : mapping of str to str, optional
        The entrant in each seat whose name says it to nobody.

    Raises
    ------
    ResultError
        Where the game is no result: somebody's seat is not known, or it is not over.
    """
    for (other_round, other_table), game in held.games.items():
        if game == report.game and (other_round, other_table) != (round_number, table):
            raise ResultError(
                "that game's result is table {table}'s of round {round} already",
                table=other_table,
                round=other_round,
            )
    match = match_report(held.tournament, round_number, table, report, seats)
    fact = match.fact
    if fact is None:
        problem = match.problems[0]
        raise ResultError(problem.template, **problem.values)
    return Entry(entered(held, fact), report.game)


def entered(held: HeldTournament, fact: ResultEntered) -> ResultEntered | ResultCorrected:
    """Return a result, as a correction where the table has one already."""
    if fact.table not in held.tournament.round(fact.round).results:
        return fact
    return ResultCorrected(fact.round, fact.table, fact.points, fact.winners)


def new_entrants(held: HeldTournament, lines: str) -> list[Entrant]:
    r"""Return whom a list names, one a line: a name, and the club behind a semicolon or tab.

    Examples
    --------
    >>> from ..tournament import Tournament, Rules
    >>> held = HeldTournament(1, Tournament("Friday", Rules(), {}), 1, {}, {})
    >>> [(one.id, one.name, one.club) for one in new_entrants(held, "Ann; Bern\n\nBob")]
    [('p1', 'Ann', 'Bern'), ('p2', 'Bob', '')]
    """
    before = len(held.tournament.entrants)
    found: list[Entrant] = []
    for line in lines.splitlines():
        name, _, club = line.replace("\t", ";").partition(";")
        name, club = " ".join(name.split()), " ".join(club.replace(";", " ").split())
        if name or club:
            found.append(Entrant(f"p{before + len(found) + 1}", name, club))
    return found
