"""The calls of the hall's tournament: everybody may read it, the host changes it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from flask import Response
from railspotter.club import HallLogError
from railspotter.club.hall import (
    Entry,
    HeldTournament,
    entered,
    new_entrants,
    result_from,
    results_of_round,
)
from railspotter.club.tournament import (
    EntrantAdded,
    EntrantArrived,
    EntrantDroppedOut,
    EntrantRenamed,
    EntrantsSwapped,
    Name,
    Points,
    ResultEntered,
    ResultError,
    ResultWithdrawn,
    RoundClosed,
    RoundError,
    Rules,
    RulesError,
    TableSize,
    Tournament,
    TournamentError,
    TournamentFactError,
    TournamentStarted,
    pairings_csv,
    results_csv,
    seat_round,
    standings_csv,
)
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import Title

from ..api import (
    Body,
    Call,
    CallError,
    CallRequest,
    ErrorRule,
    Nothing,
    Who,
    content_response,
    tagged_response,
    with_refusals,
)
from ..feed import Json
from ..rooms import Needs
from .hall_room import HallRoom, hall_of

BASE = "/hall/tournament"
MOST_PLAYERS = 1000
"""Of a tournament: six rounds of 500 are 330 kB for each page that shows them."""
MOST_LETTERS = 80
"""Of a name, as a fact has it."""
SEED_BITS = 53
SHEETS = {"standings": standings_csv, "pairings": pairings_csv, "results": results_csv}
REFUSALS = (
    ErrorRule((HallLogError,), 503, "not written"),
    ErrorRule((RulesError, ResultError, TournamentFactError), 400, "wrong"),
    ErrorRule((TournamentError,), 409, "refused"),
)

Seat = Annotated[str, msgspec.Meta(max_length=200)]


class TournamentRules(Body, frozen=True):
    """A tournament to begin, with the players at a table."""

    name: Name
    smallest: TableSize = 2
    preferred: TableSize = 4
    largest: TableSize = 5


class PlayerLines(Body, frozen=True):
    """Who takes part: one a line, a club behind a semicolon or tab."""

    lines: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_PLAYERS * 100)]
    is_present: bool = True


class PlayerChange(Body, frozen=True):
    """What is otherwise with a player; what is left out stays."""

    name: Name | None = None
    club: Title | None = None
    is_present: bool | None = None


class RoundWanted(Body, frozen=True):
    """The round to be seated: the next one, or the open one anew."""

    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]


class Swap(Body, frozen=True):
    """Two who change seats."""

    one: str
    other: str


class ReportsWanted(Body, frozen=True):
    """Whose results to take: of all tables whose players are found, or of one.

    `table` is the round's, `hall_table` the one whose game it was, `seats` says which player sits
    in a seat whose name does not say it.
    """

    table: Annotated[int, msgspec.Meta(ge=1)] | None = None
    hall_table: Seat | None = None
    seats: dict[Seat, str] = msgspec.field(default_factory=dict)


class ResultByHand(Body, frozen=True):
    """A table's game points by player, and whom the game's own tie-breaks made the winner."""

    points: dict[str, Points]
    winners: tuple[str, ...] = ()


def _tournament(request: CallRequest) -> Response:
    hall = hall_of(request)
    held = hall.tournaments.held
    tag = f"t{held.number}-{held.facts}" if held else "t0"
    return tagged_response(
        request, tag, lambda: {"tournament": held and hall.shown_tournament.of(held)}
    )


def _begin(request: CallRequest) -> Json:
    wanted = request.body_as(TournamentRules)
    rules = Rules(smallest=wanted.smallest, preferred=wanted.preferred, largest=wanted.largest)
    hall = hall_of(request)
    return _told(hall, hall.tournaments.begin(TournamentStarted(wanted.name, rules)))


def _add(request: CallRequest) -> Json:
    wanted = request.body_as(PlayerLines)

    def entries(held: HeldTournament) -> list[Entry]:
        found = new_entrants(held, wanted.lines)
        if not found:
            raise CallError(400, "wrong", "No name stands in the list.")
        if len(found) + len(held.tournament.entrants) > MOST_PLAYERS:
            raise CallError(
                400, "wrong", Sentence("At most {most} players take part.", most=MOST_PLAYERS)
            )
        for one in found:
            if not one.name or max(len(one.name), len(one.club)) > MOST_LETTERS:
                text = Sentence(
                    "A name has 1 to {most} letters, unlike {name!r}.",
                    most=MOST_LETTERS,
                    name=one.name[:MOST_LETTERS],
                )
                raise CallError(400, "wrong", text)
        return [Entry(EntrantAdded(one.id, one.name, one.club, wanted.is_present)) for one in found]

    return _changed(request, entries)


def _change_player(request: CallRequest) -> Json:
    wanted, id = request.body_as(PlayerChange), request.named["player"]

    def entries(held: HeldTournament) -> list[Entry]:
        known = held.tournament.entrants.get(id)
        if known is None:
            raise CallError(404, "unknown", "There is no such player.")
        found: list[Entry] = []
        name = known.name if wanted.name is None else " ".join(wanted.name.split())
        club = known.club if wanted.club is None else " ".join(wanted.club.split())
        if not name:
            raise CallError(400, "wrong", "A player has a name.")
        if (name, club) != (known.name, known.club):
            found.append(Entry(EntrantRenamed(id, name, club)))
        if wanted.is_present is not None and wanted.is_present != known.is_present:
            kind = EntrantArrived if wanted.is_present else EntrantDroppedOut
            found.append(Entry(kind(id)))
        return found

    return _changed(request, entries)


def _seat(request: CallRequest) -> Json:
    wanted = request.body_as(RoundWanted).round

    def entries(held: HeldTournament) -> list[Entry]:
        seated = seat_round(held.tournament, secrets.randbits(SEED_BITS))
        if seated.round != wanted:
            raise RoundError("the next round is {round}", round=seated.round)
        return [Entry(seated)]

    return _changed(request, entries)


def _swap(request: CallRequest) -> Json:
    wanted = request.body_as(Swap)

    def entries(held: HeldTournament) -> list[Entry]:
        return [Entry(EntrantsSwapped(_round(request, held), wanted.one, wanted.other))]

    return _changed(request, entries)


def _close(request: CallRequest) -> Json:
    return _changed(request, lambda held: [Entry(RoundClosed(_round(request, held)))])


def _take(request: CallRequest) -> Json:
    wanted, hall = request.body_as(ReportsWanted), hall_of(request)
    if (wanted.table is None) != (wanted.hall_table is None):
        raise CallError(400, "wrong", "A result is of a table, from a table: name both or neither.")
    taken: list[Json] = []
    missing: list[Json] = []

    def entries(held: HeldTournament) -> list[Entry]:
        round_number = _round(request, held)
        if wanted.table is not None and wanted.hall_table is not None:
            _check_table(held.tournament, round_number, wanted.table)
            entry = _told_by(held, hall, round_number, wanted, wanted.table, wanted.hall_table)
            taken.append({"table": wanted.table, "hall_table": wanted.hall_table})
            return [entry]
        found, unfound = results_of_round(held, round_number, hall.feed.counted)
        taken.extend({"table": one.table, "hall_table": one.hall_table} for one in found)
        missing.extend({"table": table, "why": why} for table, why in unfound.items())
        return [one.entry for one in found]

    return {**_changed(request, entries), "taken": taken, "missing": missing}


def _told_by(
    held: HeldTournament,
    hall: HallRoom,
    round_number: int,
    wanted: ReportsWanted,
    table: int,
    hall_table: str,
) -> Entry:
    """Return the result of the newest game of a hall's table that is over and not taken."""
    reports = hall.feed.reports(hall_table)
    if not reports:
        raise CallError(404, "unknown", "There is no such table.")
    refusals: list[ResultError] = []
    for report in reports:
        try:
            return result_from(held, round_number, table, report, wanted.seats)
        except ResultError as error:
            refusals.append(error)
    raise refusals[0]


def _enter(request: CallRequest) -> Json:
    wanted = request.body_as(ResultByHand)

    def entries(held: HeldTournament) -> list[Entry]:
        round_number, table = _round(request, held), _table(request, held)
        fact = ResultEntered(round_number, table, wanted.points, wanted.winners)
        return [Entry(entered(held, fact))]

    return _changed(request, entries)


def _withdraw(request: CallRequest) -> Json:
    def entries(held: HeldTournament) -> list[Entry]:
        round_number, table = _round(request, held), _table(request, held)
        if table not in held.tournament.round(round_number).results:
            return []
        return [Entry(ResultWithdrawn(round_number, table))]

    return _changed(request, entries)


def _csv(request: CallRequest) -> Response:
    sheet = request.named["sheet"]
    if sheet not in SHEETS:
        raise CallError(404, "unknown", "There are three sheets: standings, pairings and results.")
    text = SHEETS[sheet](_held(hall_of(request)).tournament)
    return content_response(
        text.encode(),
        "text/csv",
        **{"Content-Disposition": f'attachment; filename="{sheet}.csv"'},
    )


def _held(hall: HallRoom) -> HeldTournament:
    held = hall.tournaments.held
    if held is None:
        raise CallError(409, "none", "No tournament has begun here.")
    return held


def _changed(request: CallRequest, entries: Callable[[HeldTournament], Sequence[Entry]]) -> Json:
    hall = hall_of(request)
    return _told(hall, hall.tournaments.change(_held(hall).number, entries))


def _told(hall: HallRoom, held: HeldTournament) -> Json:
    hall.feed.take_tournament(hall.tournaments.version)
    return {"number": held.number, "facts": held.facts}


def _round(request: CallRequest, held: HeldTournament) -> int:
    text = request.named["round"]
    number = int(text) if text.isdecimal() and len(text) < 5 else 0
    if not 1 <= number <= len(held.tournament.rounds):
        raise CallError(404, "unknown", "That round has not been seated.")
    return number


def _table(request: CallRequest, held: HeldTournament) -> int:
    text = request.named["table"]
    number = int(text) if text.isdecimal() and len(text) < 5 else 0
    _check_table(held.tournament, _round(request, held), number)
    return number


def _check_table(tournament: Tournament, round_number: int, table: int) -> None:
    if not 1 <= table <= len(tournament.round(round_number).tables):
        raise CallError(404, "unknown", "The round has no such table.")


def _call(
    method: str,
    path: str,
    means: str,
    do: Callable[[CallRequest], Any],
    body: type[Body] | None = None,
    gives: str = "application/json",
) -> Call:
    who = Who.ALL if method == "GET" else Who.HOST
    answer = with_refusals(do, REFUSALS)
    return Call(method, BASE + path, who, means, answer, body, gives, needs=Needs.HALL)


CALLS = (
    _call(
        "GET", "", "The tournament: players, rounds, results, standing with reasons.", _tournament
    ),
    _call("POST", "", "Begins a tournament; the one before it ends.", _begin, TournamentRules),
    _call("POST", "/players", "Adds players by a list, all or none.", _add, PlayerLines),
    _call(
        "PATCH",
        "/players/{player}",
        "A player comes, goes or is called otherwise.",
        _change_player,
        PlayerChange,
    ),
    _call(
        "POST",
        "/rounds",
        "Seats the next round, or the open one anew while it has no result.",
        _seat,
        RoundWanted,
    ),
    _call("POST", "/rounds/{round}/swap", "Two players change seats.", _swap, Swap),
    _call("POST", "/rounds/{round}/close", "Closes a round with all its results.", _close, Nothing),
    _call(
        "POST",
        "/rounds/{round}/results",
        "Takes results from what tables have told of their games.",
        _take,
        ReportsWanted,
    ),
    _call(
        "PUT",
        "/rounds/{round}/tables/{table}",
        "Enters or corrects a table's result by hand.",
        _enter,
        ResultByHand,
    ),
    _call(
        "DELETE",
        "/rounds/{round}/tables/{table}",
        "Withdraws a result of the open round.",
        _withdraw,
        Nothing,
    ),
    _call(
        "GET",
        "/csv/{sheet}",
        "The standings, pairings or results for a spreadsheet.",
        _csv,
        gives="text/csv",
    ),
)
