"""Importing a deck of The Card Game from a spreadsheet or a deck file, and saving it.

Each row is a ticket: its cities, points and circles. With a header row there is a column for each
colour; without it the circles come after the points, as "2 red" or "red 2", in one cell or several.
A row that begins with the word bonus is a Big Cities Bonus card.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from railspotter.scoring.card_game.text import CardTicketText, CircleColour, Deck, parse_deck
from railspotter.scoring.card_game.tickets import city_key
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import game_text

from ..whole_file import read_kept, write_kept
from .errors import ChangedError, DeckTableError, NotWrittenError

MOST_TICKETS = 150  # the most tickets of a deck; the printed one has 46
MOST_BONUSES = 30
MOST_LETTERS = 40  # the longest name of a city
MOST_CIRCLES = 5  # the most circles of one colour on a ticket, as in the deck file's schema
MOST_POINTS = 100
MOST_BONUS = 200
NO_DECK = ""  # the version before there is a deck

# What the train cards' colours are called in the page's languages.
COLOURS = {
    "black": "black schwarz noir noire",
    "blue": "blue blau bleu bleue",
    "green": "green grün gruen vert verte",
    "orange": "orange",
    "pink": "pink rosa rose purple lila violett violet",
    "red": "red rot rouge",
    "white": "white weiß weiss blanc blanche",
    "yellow": "yellow gelb jaune",
}
CITY, POINTS, CIRCLES = "city", "points", "circles"
COLUMNS = {
    CITY: "city from to a b place stadt von nach start ziel ville de à vers départ arrivée",
    POINTS: "points value punkte wert valeur",
    CIRCLES: "circles cards kreise karten cercles cartes",
    **COLOURS,
}
BONUS = frozenset({"bonus", "bonuses", "boni"})

# Equal for tickets that are printed alike.
TicketKey = tuple[frozenset[str], frozenset[tuple[str, int]], int | None]

_COLOUR_OF = {word: colour for colour, words in COLOURS.items() for word in words.split()}
_COLUMN_OF = {word: column for column, words in COLUMNS.items() for word in words.split()}
_BETWEEN_CITIES = re.compile(r"\s+[-/]\s+|\s*[\u2013\u2014]\s*")
_WORD_OR_NUMBER = re.compile(r"\d+|[^\W\d_]+")


City = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_LETTERS)]


class CardTicket(CardTicketText, frozen=True, forbid_unknown_fields=True):
    """A ticket as it is printed: one city or two, the cards that complete it, its points."""

    cities: Annotated[tuple[City, ...], msgspec.Meta(min_length=1, max_length=2)]
    circles: Annotated[
        dict[CircleColour, Annotated[int, msgspec.Meta(ge=1, le=MOST_CIRCLES)]],
        msgspec.Meta(min_length=1),
    ]
    points: Annotated[int, msgspec.Meta(ge=1, le=MOST_POINTS)]


def read_deck(text: str) -> Deck:
    r"""Parse a deck file, or a table with one ticket in each row.

    Raises `DeckTableError` for the first fault, with its line where it has one.

    Examples
    --------
    >>> deck = read_deck("Dallas,Omaha,4,2 red\nBoston,Miami,7,red 1 blue 2\nbonus,Dallas,8")
    >>> [(ticket.cities, ticket.circles, ticket.points) for ticket in deck.tickets]
    [(('Dallas', 'Omaha'), {'red': 2}, 4), (('Boston', 'Miami'), {'red': 1, 'blue': 2}, 7)]
    >>> deck.city_bonuses
    {'Dallas': 8}
    >>> read_deck("Dallas,Omaha,4,2 red\n,,7,1 blue")
    Traceback (most recent call last):
    ...
    railspotter.table.card_games.errors.DeckTableError: line 2: a ticket has one city or two
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        try:
            return checked_deck(parse_deck(text))
        except (GameError, RecursionError) as error:
            raise DeckTableError("file", str(error)) from error
    tickets: list[CardTicketText] = []
    bonuses: dict[str, int] = {}
    columns: list[str] | None = None
    seen: set[TicketKey] = set()
    for line, row in _rows(text):
        if row[0].casefold() in BONUS:
            city, points = _bonus(row, line)
            if city_key(city) in map(city_key, bonuses):
                raise DeckTableError("twice", city, line)
            bonuses[city] = points
        elif not tickets and columns is None and _is_header(row):
            columns = [_column(cell, line) for cell in row]
        else:
            ticket = (
                _parse_by_columns(row, columns, line) if columns else _parse_in_order(row, line)
            )
            if _ticket_key(ticket) in seen:
                raise DeckTableError("twice", " - ".join(ticket.cities), line)
            seen.add(_ticket_key(ticket))
            tickets.append(ticket)
    if not tickets and not bonuses:
        raise DeckTableError("empty")
    return checked_deck(Deck(tuple(tickets), bonuses))


def checked_deck(deck: Deck) -> Deck:
    """Validate a deck: complete tickets, no duplicates, within the limits; return it unchanged."""
    if len(deck.tickets) > MOST_TICKETS:
        raise DeckTableError("many", f"{MOST_TICKETS} tickets")
    if len(deck.city_bonuses) > MOST_BONUSES:
        raise DeckTableError("many", f"{MOST_BONUSES} bonuses")
    seen: set[TicketKey] = set()
    for ticket in deck.tickets:
        if not ticket.circles:
            raise DeckTableError("circles")
        if ticket.points is None:
            raise DeckTableError("points")
        for city in ticket.cities:
            _city(city, None)
        if (key := _ticket_key(ticket)) in seen:
            raise DeckTableError("twice", " - ".join(ticket.cities))
        seen.add(key)
    named: set[str] = set()
    for city in deck.city_bonuses:
        _city(city, None)
        if city_key(city) in named:
            raise DeckTableError("twice", city)
        named.add(city_key(city))
    return deck


class DeckFile:
    """The deck in a data directory, which need not exist yet. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "card-game" / "deck.json"
        self._lock = threading.Lock()

    def read(self) -> tuple[Deck, str]:
        """Return the deck, by default empty, and its version; raises `NotWrittenError`."""
        content = self._content()
        if content is None:
            return Deck(), NO_DECK
        try:
            return parse_deck(content), _version_of(content)
        except GameError as error:
            raise NotWrittenError(
                "the deck {path} is damaged ({why}): mend it or move it away",
                path=self.path,
                why=error,
            ) from error

    def write(self, deck: Deck, seen: str) -> str:
        """Replace the deck of version `seen`; return the new version.

        Raises `DeckTableError` for an invalid deck, `ChangedError` when `seen` is outdated,
        `NotWrittenError` when it cannot be written; the saved deck is then unchanged.
        """
        content = (game_text(checked_deck(deck)) + "\n").encode()
        with self._lock:
            before = self._content()
            if seen != (NO_DECK if before is None else _version_of(before)):
                raise ChangedError("the deck was changed meanwhile")
            write_kept(self.path, content, error=NotWrittenError)
        return _version_of(content)

    def _content(self) -> bytes | None:
        try:
            return read_kept(self.path, f"the deck {self.path}", error=NotWrittenError)
        except FileNotFoundError:
            return None


def _version_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are neither empty nor comments, with their line numbers."""
    if not any(sign in text for sign in "\t;,"):
        text = re.sub(" {2,}", "\t", text)  # columns aligned with spaces
    between = "\t" if "\t" in text else ";" if ";" in text else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    try:
        for row in reader:
            cells = [" ".join(cell.split()) for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                yield reader.line_num, cells
    except csv.Error as error:
        raise DeckTableError("table", str(error), reader.line_num) from error


def _is_header(row: Sequence[str]) -> bool:
    return any(_COLUMN_OF.get(_column_word(cell)) == POINTS for cell in row)


def _column_word(cell: str) -> str:
    return re.sub(r"[\s\d.]+$", "", cell.casefold())


def _column(cell: str, line: int) -> str:
    if not cell:
        return ""
    try:
        return _COLUMN_OF[_column_word(cell)]
    except KeyError:
        raise DeckTableError("columns", cell[:MOST_LETTERS], line) from None


def _parse_by_columns(row: Sequence[str], columns: Sequence[str], line: int) -> CardTicketText:
    cities: list[str] = []
    circles: dict[str, int] = {}
    points = ""
    for cell, column in zip(row, columns, strict=False):
        if column == CITY and cell:
            cities += _cities(cell)
        elif column == POINTS:
            points = cell
        elif column == CIRCLES:
            circles.update(_circles(cell, line))
        elif column and cell not in ("", "0"):
            circles[column] = _count(cell, line)
    return _ticket(cities, points, circles, line)


def _parse_in_order(row: Sequence[str], line: int) -> CardTicketText:
    is_one_cell = len(row) > 1 and row[1].isdigit()
    cities = _cities(row[0]) if is_one_cell else [*row[:2]]
    points, *circles = [*row[1 if is_one_cell else 2 :], ""]
    return _ticket(
        [city for city in cities if city], points, _circles(" ".join(circles), line), line
    )


def _cities(cell: str) -> list[str]:
    """Split a cell into cities.

    Examples
    --------
    >>> _cities("Los Angeles - New York"), _cities("Saint-Louis")
    (['Los Angeles', 'New York'], ['Saint-Louis'])
    """
    return [city for city in _BETWEEN_CITIES.split(cell) if city]


def _ticket(
    cities: Sequence[str], points: str, circles: dict[str, int], line: int
) -> CardTicketText:
    names = set(map(city_key, cities))
    if not 1 <= len(names) == len(cities) <= 2 or "" in names:
        raise DeckTableError("cities", "", line)
    for city in cities:
        _city(city, line)
    worth = _parse_whole(points, 1, MOST_POINTS)
    if worth is None:
        raise DeckTableError("points", points[:MOST_LETTERS], line)
    if not circles:
        raise DeckTableError("circles", "", line)
    raw = {"cities": list(cities), "circles": circles, "points": worth}
    return msgspec.convert(raw, CardTicketText)


def _city(city: str, line: int | None) -> None:
    if not city.strip() or not city.isprintable() or city.isdigit():
        raise DeckTableError("cities", city[:MOST_LETTERS], line)
    if len(city) > MOST_LETTERS:
        raise DeckTableError("long", str(MOST_LETTERS), line)


def _circles(text: str, line: int) -> dict[str, int]:
    """Parse circles written as text.

    Examples
    --------
    >>> _circles("2 red, 1x blue", 1), _circles("Rot=2 blau", 1)
    ({'red': 2, 'blue': 1}, {'red': 2, 'blue': 1})
    """
    signs = [sign for sign in _WORD_OR_NUMBER.findall(text.casefold()) if sign != "x"]
    is_number_first = bool(signs) and signs[0].isdigit()
    circles: dict[str, int] = {}
    while signs:
        number = signs.pop(0) if is_number_first else ""
        word = signs.pop(0) if signs else ""
        colour = _COLOUR_OF.get(word)
        if colour is None:
            raise DeckTableError("colour", (word or number)[:MOST_LETTERS], line)
        if not is_number_first and signs and signs[0].isdigit():
            number = signs.pop(0)
        circles[colour] = _count(str(circles.get(colour, 0) + _count(number or "1", line)), line)
        is_number_first = bool(signs) and signs[0].isdigit()
    return circles


def _count(cell: str, line: int) -> int:
    count = _parse_whole(cell, 1, MOST_CIRCLES)
    if count is None:
        raise DeckTableError("count", cell[:MOST_LETTERS], line)
    return count


def _bonus(row: Sequence[str], line: int) -> tuple[str, int]:
    city, points, *_ = [*row[1:], "", ""]
    _city(city, line)
    worth = _parse_whole(points, 0, MOST_BONUS)
    if worth is None:
        raise DeckTableError("bonus", points[:MOST_LETTERS], line)
    return city, worth


def _parse_whole(cell: str, least: int, most: int) -> int | None:
    """Parse a whole number within limits; None for anything else."""
    if not (cell.isascii() and cell.isdigit() and len(cell) <= len(str(most))):
        return None
    return int(cell) if least <= int(cell) <= most else None


def _ticket_key(ticket: CardTicketText) -> TicketKey:
    return (
        frozenset(map(city_key, ticket.cities)),
        frozenset((ticket.circles or {}).items()),
        ticket.points,
    )
