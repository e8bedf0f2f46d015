"""A map's tickets as a table: what is pasted or typed, and what is shown to change."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from railspotter.scoring.board import BoardTicket
from railspotter.scoring.sentence import Sentence

from ..errors import DraftError

COLUMNS = ("from", "to", "points")
MOST_TICKETS = 300
MOST_POINTS = 100


def parse_tickets(text: str, places: Mapping[str, str]) -> tuple[BoardTicket, ...]:
    """Read a table of tickets, one in a line; an empty one is none.

    Examples
    --------
    >>> parse_tickets("Aville, Bee Town, 7", {"aville": "Aville", "bee-town": "Bee Town"})
    (BoardTicket(a='aville', b='bee-town', points=7),)
    """
    body = text.lstrip("\ufeff \n")
    delimiter = "\t" if "\t" in body.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(body), delimiter=delimiter, skipinitialspace=True)
    ids = {name.casefold(): place for place, name in places.items()}
    tickets: dict[frozenset[str], BoardTicket] = {}
    try:
        for cells in rows:
            row, line = [cell.strip() for cell in cells], rows.line_num
            if not any(row) or (line == 1 and [c.casefold() for c in row[:3]] == [*COLUMNS]):
                continue
            ticket = _ticket(row, line, places, ids)
            ends = frozenset((ticket.a, ticket.b))
            if ends in tickets:
                raise DraftError(
                    "line {n}: {error}",
                    n=line,
                    error=Sentence("the ticket {a} - {b} is listed twice", a=row[0], b=row[1]),
                )
            if len(tickets) == MOST_TICKETS:
                raise DraftError(
                    "line {n}: {error}",
                    n=line,
                    error=Sentence("more than {n} tickets", n=MOST_TICKETS),
                )
            tickets[ends] = ticket
    except csv.Error as error:
        raise DraftError("line {n}: {error}", n=rows.line_num, error=error) from error
    return tuple(tickets.values())


def tickets_text(tickets: Sequence[BoardTicket], places: Mapping[str, str]) -> str:
    """Return tickets as the table that `parse_tickets` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for ticket in tickets:
        names = (places.get(place, place) for place in (ticket.a, ticket.b))
        writer.writerow((*names, ticket.points))
    return out.getvalue()


def _ticket(
    row: Sequence[str], line: int, places: Mapping[str, str], ids: Mapping[str, str]
) -> BoardTicket:
    if len(row) != len(COLUMNS):
        raise DraftError(
            "line {n}: {error}", n=line, error=Sentence("a ticket is two places and its points")
        )
    ends = []
    for cell in row[:2]:
        place = ids.get(cell.casefold(), cell)
        if place not in places:
            raise DraftError(
                "line {n}: {error}",
                n=line,
                error=Sentence("there is no place {place!r}", place=cell),
            )
        ends.append(place)
    if ends[0] == ends[1]:
        raise DraftError("line {n}: {error}", n=line, error=Sentence("a ticket needs two places"))
    points = int(row[2]) if row[2].isascii() and row[2].isdigit() and len(row[2]) <= 3 else 0
    if not 1 <= points <= MOST_POINTS:
        raise DraftError(
            "line {n}: {error}",
            n=line,
            error=Sentence("points are a whole number from 1 to {most}", most=MOST_POINTS),
        )
    return BoardTicket(ends[0], ends[1], points)
