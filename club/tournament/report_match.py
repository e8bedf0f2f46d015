"""A result taken from what a table tells of its game: whose seat is whose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from railspotter.scoring.sentence import Sentence

from ..messages import PlayerReport, Report
from .facts import ResultEntered
from .tournament import EntrantId, TableNumber, Tournament, plain


@dataclass(frozen=True)
class ReportMatch:
    """What a game's report says about a table of a round.

    Attributes
    ----------
    points : mapping of str to int
        By entrant, of those whose seat is known.
    winners : tuple of str
        Whom the game calls winner, among those.
    seats : mapping of str to str
        The entrant in each seat that is known.
    problems : tuple of Sentence
        Why it is no result yet: who could not be matched, a game that is not over.
    """

    round: int
    table: TableNumber
    points: Mapping[EntrantId, int]
    winners: tuple[EntrantId, ...]
    seats: Mapping[str, EntrantId]
    problems: tuple[Sentence, ...]

    @property
    def fact(self) -> ResultEntered | None:
        """The result, to be entered; None as long as there are problems."""
        if self.problems:
            return None
        return ResultEntered(self.round, self.table, dict(self.points), self.winners)


def match_report(
    tournament: Tournament,
    round_number: int,
    table: TableNumber,
    report: Report,
    known: Mapping[str, EntrantId] | None = None,
) -> ReportMatch:
    """Match the seats of a game with the players of a table, by their names.

    First as they are written, then in small letters and with single spaces. Nobody is guessed: who
    is left over is said, and the host says who it is.

    Parameters
    ----------
    known : mapping of str to str, optional
        What the host says: the entrant in a seat.
    """
    players = tournament.round(round_number).table(table)
    names = {one: tournament.entrants[one].name for one in players}
    report_seats = {player.seat: player for player in report.players}
    seats = {
        seat: one for seat, one in (known or {}).items() if seat in report_seats and one in names
    }
    for reading in (str, plain):
        _match(seats, report_seats, names, reading)
    problems: list[Sentence] = []
    if report.phase != "counted":
        problems.append(Sentence("the points of this game have not been counted yet"))
    for seat, player in report_seats.items():
        if seat not in seats:
            problems.append(
                Sentence(
                    "nobody at table {table} can be told to be {name} ({colour})",
                    table=table,
                    name=player.name,
                    colour=player.colour,
                )
            )
    for one, name in names.items():
        if one not in seats.values():
            problems.append(
                Sentence("{name} is not found among the players of this game", name=name)
            )
    return ReportMatch(
        round=round_number,
        table=table,
        points={one: report_seats[seat].points for seat, one in seats.items()},
        winners=tuple(one for seat, one in seats.items() if report_seats[seat].is_winner),
        seats=seats,
        problems=tuple(problems),
    )


def _match(
    seats: dict[str, EntrantId],
    players: Mapping[str, PlayerReport],
    names: Mapping[EntrantId, str],
    reading: Callable[[str], str],
) -> None:
    """Add the seats whose name one entrant alone has, and no other seat; in place."""
    open_seats = {seat: reading(one.name) for seat, one in players.items() if seat not in seats}
    free = {one: reading(name) for one, name in names.items() if one not in seats.values()}
    for seat, name in open_seats.items():
        same = [one for one, other in free.items() if other == name]
        if len(same) == 1 and list(open_seats.values()).count(name) == 1:
            seats[seat] = same[0]
