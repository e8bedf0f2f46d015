"""CSV tables of places, sites and tickets, as users paste or type them into the board editor."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from railspotter.calibration.board_making.draft import Draft
from railspotter.calibration.board_making.laying import usual_space_mm
from railspotter.calibration.board_making.outlines import SizeMm
from railspotter.calibration.board_making.print_colours import NAMES
from railspotter.scoring.board import BoardTicket, Place, Site, Space
from railspotter.scoring.names import INVISIBLE

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
Row = TypeVar("Row", bound=Place | Site | BoardTicket)


def parse_places(text: str, size_mm: SizeMm) -> tuple[Place, ...]:
    """Parse a table of places: CSV with the columns name, x_mm, y_mm and, optionally, id.

    `size_mm` is the board's. Raises `DraftError` for the first fault, with its line.
    """
    places = _parse_table(text, PLACES, lambda row: _place(row, size_mm), MOST_PLACES, PLACES[1:])
    if len(places) < 2:
        raise DraftError("two places at least are needed, each on a line of its own")
    return places


def parse_sites(text: str, draft: Draft) -> tuple[Site, ...]:
    """Parse a table of a draft's sites; an empty text gives no sites."""
    if not text.strip():
        return ()
    return _parse_table(text, SITES, lambda row: _site(row, draft), MOST_SITES, SITES[:2])


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

    >>> parse_tickets("Aville, Bee Town, 7", {"aville": "Aville", "bee-town": "Bee Town"})
    (BoardTicket(a='aville', b='bee-town', points=7),)
    """
    return _parse_table(text, TICKETS, lambda row: _ticket(row, places), MOST_TICKETS)


def tickets_text(draft: Draft) -> str:
    """Format a draft's tickets as a table, as `parse_tickets` reads it."""
    names = draft.names
    rows = ((names.get(t.a, t.a), names.get(t.b, t.b), t.points) for t in draft.tickets)
    return _csv_text(TICKETS, rows)


def place_id(name: str) -> str:
    """Make an id (a slug) from a name: small ASCII letters, digits and hyphens.

    >>> place_id("København H.")
    'kobenhavn-h'
    """
    plain = "".join(WITHOUT_MARK.get(letter, letter) for letter in name.lower())
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:80].strip("-")


def free_id(base: str, taken: Collection[str]) -> str:
    """Return `base`, with a number appended if it is taken.

    >>> free_id("30th-st", {"30th-st", "30th-st-2"})
    '30th-st-3'
    """
    free, number = base, 2
    while free in taken:
        free, number = f"{base}-{number}", number + 1
    return free


def _parse_table(
    text: str,
    columns: Sequence[str],
    parse: Callable[[Cells], Row],
    most: int,
    header: Sequence[str] = (),
) -> tuple[Row, ...]:
    """Parse each line of a table; `most` is how many it may have, each about something else.

    `header` are the columns that the first line must name; without them the columns are as given,
    and the first line may name all of them. Raises `DraftError` with the line of the first fault.
    """
    body = text.lstrip("\ufeff \n")
    delimiter = "\t" if "\t" in body.partition("\n")[0] else ","
    rows = csv.DictReader(io.StringIO(body), delimiter=delimiter, skipinitialspace=True)
    lines: dict[object, int] = {}
    parsed: list[Row] = []
    try:
        names = [name.strip() for name in rows.fieldnames or ()] if header else columns
        if not set(header) <= set(names):
            raise DraftError("the columns must be {columns}", columns=",".join(header))
        rows.fieldnames = names
        for row in rows:
            cells = {name: (row.get(name) or "").strip() for name in columns}
            if strange := [cell for cell in cells.values() if INVISIBLE.search(cell)]:
                raise DraftError("{value!r} has signs that are not allowed there", value=strange[0])
            is_header = not lines and [cell.casefold() for cell in cells.values()] == [*columns]
            if is_header or not any(cells.values()):
                continue
            if None in row and not header:
                raise DraftError("the columns must be {columns}", columns=",".join(columns))
            one = parse(cells)
            key = frozenset((one.a, one.b)) if isinstance(one, BoardTicket) else one.id
            if (line := lines.setdefault(key, rows.line_num)) != rows.line_num:
                raise DraftError("line {n} has it already", n=line)
            parsed.append(one)
            if len(parsed) > most:
                raise DraftError("at most {n} lines are read", n=most)
    except (DraftError, csv.Error) as error:
        raise DraftError("line {n}: {error}", n=rows.line_num or 1, error=error) from error
    return tuple(parsed)


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


def _ticket(cells: Cells, places: Mapping[str, str]) -> BoardTicket:
    if not all(cells.values()):
        raise DraftError("a ticket is two places and its points")
    a, b = (_known_place(cells[end], places) for end in TICKETS[:2])
    if a == b:
        raise DraftError("a ticket needs two places")
    worth = cells["points"]
    points = int(worth) if worth.isascii() and worth.isdigit() and len(worth) <= 3 else 0
    if not 1 <= points <= MOST_POINTS:
        raise DraftError("points are a whole number from 1 to {most}", most=MOST_POINTS)
    return BoardTicket(a, b, points)
