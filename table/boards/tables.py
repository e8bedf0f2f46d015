"""CSV tables of places, sites and tickets, as users paste or type them into the board editor."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from railspotter.calibration.board_making.draft import Draft
from railspotter.calibration.board_making.laying import usual_space_mm
from railspotter.calibration.board_making.outlines import SizeMm
from railspotter.calibration.board_making.print_colours import NAMES
from railspotter.scoring.board import BoardTicket, Place, Site, Space

from ..errors import DraftError

PLACES = ("id", "name", "x_mm", "y_mm")
SITES = ("name", "station", "colours", "x_mm", "y_mm", "angle_deg")
TICKETS = ("from", "to", "points")
MOST_PLACES, MOST_SITES, MOST_TICKETS = 500, 100, 300
MOST_POINTS = 100
# Letters that Unicode does not decompose into a plain letter and a mark.
WITHOUT_MARK = {"ø": "o", "ß": "ss", "æ": "ae", "ł": "l"}
IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Cells = Mapping[str, str]


def parse_places(text: str, size_mm: SizeMm) -> tuple[Place, ...]:
    """Parse a table of places: CSV with the columns name, x_mm, y_mm and, optionally, id.

    `size_mm` is the board's. Raises `DraftError` for the first fault, with its line.
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True)
    try:
        columns = _columns(rows)
    except csv.Error as error:
        raise DraftError("this is no table: {error}", error=error) from error
    lines: dict[str, int] = {}
    places: list[Place] = []
    with _line_in_errors(rows):
        if not set(PLACES[1:]) <= columns:
            raise DraftError(
                "the columns must be {columns} (id may be left out)", columns=",".join(PLACES)
            )
        for row in rows:
            place = _place(_cells(row, PLACES), size_mm)
            if place.id in lines:
                raise DraftError(
                    "the id {name!r} is line {n}'s already", name=place.id, n=lines[place.id]
                )
            if len(places) == MOST_PLACES:
                raise DraftError("more than {n} places", n=MOST_PLACES)
            lines[place.id] = rows.line_num
            places.append(place)
    if len(places) < 2:
        raise DraftError("two places at least are needed, each on a line of its own")
    return tuple(places)


def parse_sites(text: str, draft: Draft) -> tuple[Site, ...]:
    """Parse a table of a draft's sites; an empty text gives no sites."""
    if not text.strip():
        return ()
    body, delimiter = _body_and_delimiter(text)
    rows = csv.DictReader(io.StringIO(body), delimiter=delimiter, skipinitialspace=True)
    sites: list[Site] = []
    with _line_in_errors(rows):
        if not set(SITES[:2]) <= _columns(rows):
            raise DraftError("the columns must be {columns}", columns=",".join(SITES))
        for row in rows:
            site = _site(_cells(row, SITES), draft)
            if any(site.id == other.id for other in sites):
                raise DraftError("the site {name!r} is listed twice", name=site.name)
            if len(sites) == MOST_SITES:
                raise DraftError("more than {n} sites", n=MOST_SITES)
            sites.append(site)
    return tuple(sites)


def sites_text(draft: Draft) -> str:
    """Format a draft's sites as a table, as `parse_sites` reads it."""
    return _csv_text(
        SITES,
        (
            (
                *(site.name, draft.names.get(site.station, site.station), " ".join(site.colours)),
                *((*site.space.xy_mm, site.space.angle_deg) if site.space else ("", "", "")),
            )
            for site in draft.sites
        ),
    )


def parse_tickets(text: str, places: Mapping[str, str]) -> tuple[BoardTicket, ...]:
    """Parse a table of tickets, one in a line; an empty text gives none.

    Examples
    --------
    >>> parse_tickets("Aville, Bee Town, 7", {"aville": "Aville", "bee-town": "Bee Town"})
    (BoardTicket(a='aville', b='bee-town', points=7),)
    """
    body, delimiter = _body_and_delimiter(text)
    rows = csv.reader(io.StringIO(body), delimiter=delimiter, skipinitialspace=True)
    tickets: dict[frozenset[str], BoardTicket] = {}
    with _line_in_errors(rows):
        for cells in rows:
            row = [cell.strip() for cell in cells]
            is_header = rows.line_num == 1 and [c.casefold() for c in row[:3]] == [*TICKETS]
            if not any(row) or is_header:
                continue
            ticket = _ticket(row, places)
            ends = frozenset((ticket.a, ticket.b))
            if ends in tickets:
                raise DraftError("the ticket {a} - {b} is listed twice", a=row[0], b=row[1])
            if len(tickets) == MOST_TICKETS:
                raise DraftError("more than {n} tickets", n=MOST_TICKETS)
            tickets[ends] = ticket
    return tuple(tickets.values())


def tickets_text(draft: Draft) -> str:
    """Format a draft's tickets as a table, as `parse_tickets` reads it."""
    names = draft.names
    rows = ((names.get(t.a, t.a), names.get(t.b, t.b), t.points) for t in draft.tickets)
    return _csv_text(TICKETS, rows)


def place_id(name: str) -> str:
    """Make an id (a slug) from a name: small ASCII letters, digits and hyphens.

    Examples
    --------
    >>> place_id("København H.")
    'kobenhavn-h'
    """
    plain = "".join(WITHOUT_MARK.get(letter, letter) for letter in name.lower())
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:80].strip("-")


def free_id(base: str, taken: Collection[str]) -> str:
    """Return `base`, with a number appended if it is taken.

    Examples
    --------
    >>> free_id("30th-st", {"30th-st", "30th-st-2"})
    '30th-st-3'
    """
    free, number = base, 2
    while free in taken:
        free, number = f"{base}-{number}", number + 1
    return free


@contextmanager
def _line_in_errors(rows: Any) -> Iterator[None]:
    """Put the line number before the message of a `DraftError`."""
    try:
        yield
    except DraftError as error:
        raise DraftError("line {n}: {error}", n=rows.line_num or 1, error=error.sentence) from error
    except csv.Error as error:
        raise DraftError("line {n}: {error}", n=rows.line_num, error=error) from error


def _columns(rows: csv.DictReader[str]) -> set[str]:
    rows.fieldnames = header = [name.strip() for name in rows.fieldnames or ()]
    return set(header)


def _cells(row: Mapping[str, str | None], columns: Sequence[str]) -> Cells:
    return {name: (row.get(name) or "").strip() for name in columns}


def _body_and_delimiter(text: str) -> tuple[str, str]:
    """Return a table's text without a leading byte order mark, and its delimiter."""
    body = text.lstrip("\ufeff \n")
    return body, "\t" if "\t" in body.partition("\n")[0] else ","


def _csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([columns, *rows])
    return out.getvalue()


def _known_place(cell: str, places: Mapping[str, str]) -> str:
    """Return a place's id from a cell with its name or id."""
    place = {name.casefold(): known for known, name in places.items()}.get(cell.casefold(), cell)
    if place not in places:
        raise DraftError("there is no place {place!r}", place=cell)
    return place


def _place(cells: Cells, size_mm: SizeMm) -> Place:
    if not cells["name"]:
        raise DraftError("the place has no name")
    given = cells["id"] or place_id(cells["name"])
    if not IDENTIFIER.fullmatch(given) or len(given) > 80:
        raise DraftError(
            "the id {name!r} must be small letters and digits, joined by hyphens", name=given
        )
    xy: list[float] = []
    for column, side in zip(PLACES[2:], size_mm, strict=True):
        try:
            at = float(cells[column])
        except ValueError:
            raise DraftError(
                "{name} is {value!r}, not a number", name=column, value=cells[column]
            ) from None
        if not 0 <= at <= side:
            raise DraftError(
                "{name} is {value}, but the board ends at {end}",
                name=column,
                value=cells[column],
                end=f"{side:g}",
            )
        xy.append(at)
    return Place(given, cells["name"], (xy[0], xy[1]))


def _site(cells: Cells, draft: Draft) -> Site:
    site = place_id(cells["name"])
    if not site:
        raise DraftError("the site has no name")
    station = _known_place(cells["station"], draft.names)
    colours = tuple(cells["colours"].split())
    if not set(colours) <= set(NAMES) or len(colours) not in (0, 2):
        raise DraftError("colours are two of {colours}", colours=", ".join(NAMES))
    return Site(site, cells["name"], station, colours, _space(cells, draft))


def _space(cells: Cells, draft: Draft) -> Space | None:
    if not cells["x_mm"] and not cells["y_mm"]:
        return None
    try:
        x, y = float(cells["x_mm"]), float(cells["y_mm"])
        angle = float(cells["angle_deg"] or 0)
    except ValueError:
        raise DraftError("x_mm, y_mm and angle_deg are numbers") from None
    width, height = draft.size_mm
    if not (0 <= x <= width and 0 <= y <= height and -360 <= angle <= 360):
        raise DraftError("the site is not on the board")
    return Space((x, y), angle, usual_space_mm(draft))


def _ticket(row: Sequence[str], places: Mapping[str, str]) -> BoardTicket:
    if len(row) != len(TICKETS):
        raise DraftError("a ticket is two places and its points")
    a, b = (_known_place(cell, places) for cell in row[:2])
    if a == b:
        raise DraftError("a ticket needs two places")
    points = int(row[2]) if row[2].isascii() and row[2].isdigit() and len(row[2]) <= 3 else 0
    if not 1 <= points <= MOST_POINTS:
        raise DraftError("points are a whole number from 1 to {most}", most=MOST_POINTS)
    return BoardTicket(a, b, points)
