"""Tables of places: what a person gives so that routes can be strung."""

from __future__ import annotations

import csv
import io
import re
import unicodedata

from railspotter.scoring.sentence import Sentence

from .errors import PlacesError
from .outlines import SizeMm
from .stringing import PlaceOnBoard

COLUMNS = ("id", "name", "x_mm", "y_mm")
# Letters that are no other letter with a mark on it.
WITHOUT_MARK = {"ø": "o", "ß": "ss", "æ": "ae", "ł": "l"}
MOST_PLACES = 500
IDENTIFIER = re.compile(r"[a-z0-9]+(-{1,2}[a-z0-9]+)*")


def parse_places(text: str, size_mm: SizeMm) -> tuple[PlaceOnBoard, ...]:
    r"""Read a table of places: CSV with the columns name, x_mm, y_mm and, if wanted, id.

    Parameters
    ----------
    size_mm : tuple of float
        The board's; a place outside of it is refused.

    Raises
    ------
    PlacesError
        For the first thing that is wrong, with its line.

    Examples
    --------
    >>> parse_places("name,x_mm,y_mm\nSoho,9,8\n30th St,120,80\n", (300, 200))[1]
    PlaceOnBoard(id='30th-st', name='30th St', xy_mm=(120.0, 80.0))
    >>> parse_places("name,x_mm,y_mm\n30th St,120,\n", (300, 200))
    Traceback (most recent call last):
    ...
    railspotter.calibration.board_making.errors.PlacesError: line 2: y_mm is '', not a number
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True)
    try:
        header = [name.strip() for name in rows.fieldnames or ()]
    except csv.Error as error:
        raise PlacesError("this is no table: {error}", error=error) from error
    rows.fieldnames = header
    if not {"name", "x_mm", "y_mm"} <= set(header):
        raise PlacesError(
            "line {n}: {error}",
            n="1",
            error=Sentence(
                "the columns must be {columns} (id may be left out)", columns=",".join(COLUMNS)
            ),
        )
    places: list[PlaceOnBoard] = []
    lines: dict[str, int] = {}
    try:
        for row in rows:
            place = _parse_row(row, rows.line_num, size_mm)
            if place.id in lines:
                raise PlacesError(
                    "line {n}: {error}",
                    n=rows.line_num,
                    error=Sentence(
                        "the id {name!r} is line {n}'s already",
                        name=place.id,
                        n=lines[place.id],
                    ),
                )
            if len(places) == MOST_PLACES:
                raise PlacesError(
                    "line {n}: {error}",
                    n=rows.line_num,
                    error=Sentence("more than {n} places", n=MOST_PLACES),
                )
            lines[place.id] = rows.line_num
            places.append(place)
    except csv.Error as error:
        raise PlacesError("line {n}: {error}", n=rows.line_num, error=error) from error
    if len(places) < 2:
        raise PlacesError("two places at least are needed, each on a line of its own")
    return tuple(places)


def place_id(name: str) -> str:
    """Return the id that a name gives: plain small letters, digits and hyphens.

    Examples
    --------
    >>> place_id("København H.")
    'kobenhavn-h'
    """
    plain = "".join(WITHOUT_MARK.get(letter, letter) for letter in name.lower())
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:80].strip("-")


def _parse_row(row: dict[str, str | None], line: int, size_mm: SizeMm) -> PlaceOnBoard:
    name = (row["name"] or "").strip()
    if not name:
        raise PlacesError("line {n}: {error}", n=line, error=Sentence("the place has no name"))
    given = (row.get("id") or "").strip() or place_id(name)
    if not IDENTIFIER.fullmatch(given) or len(given) > 80 or "--" in given:
        raise PlacesError(
            "line {n}: {error}",
            n=line,
            error=Sentence(
                "the id {name!r} must be small letters and digits, joined by hyphens",
                name=given,
            ),
        )
    xy: list[float] = []
    for column, side in zip(("x_mm", "y_mm"), size_mm, strict=True):
        text = (row[column] or "").strip()
        try:
            at = float(text)
        except ValueError:
            raise PlacesError(
                "{name} is {value!r}, not a number",
                name=Sentence("line {n}: {error}", n=line, error=column),
                value=text,
            ) from None
        if not 0 <= at <= side:
            raise PlacesError(
                "{name} is {value}, but the board ends at {end}",
                name=Sentence("line {n}: {error}", n=line, error=column),
                value=text,
                end=f"{side:g}",
            )
        xy.append(at)
    return PlaceOnBoard(given, name, (xy[0], xy[1]))
