"""Importing a deck of The Card Game from a spreadsheet or a deck file, and saving it.

Each row is a ticket: its cities, points and circles. With a header row there is a column for each
colour; without it the circles come after the points, as "2 red" or "red 2", in one cell or several.
A row that begins with the word bonus is a Big Cities Bonus card.
"""

import csv
import hashlib
import io
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from railspotter.scoring.card_game.text import CardTicketText, CircleColour, Deck
from railspotter.scoring.card_game.tickets import city_key
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import game_text
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.names import INVISIBLE
from railspotter.scoring.sentence import Sentence, raised_as

from ..errors import CardGameError, ChangedError, HomeError
from ..whole_file import read_kept, write_kept

MOST_TICKETS = 150  # the most tickets of a deck; the printed one has 46
MOST_BONUSES = 30
MOST_LETTERS = 40  # the longest name of a city
MOST_CIRCLES = 5  # the most circles of one colour on a ticket, as in the deck file's schema
MOST_POINTS = 100
MOST_BONUS = 200
DAMAGED = Sentence("the deck {path} is damaged ({error}): mend it or move it away")

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

Bonus = tuple[str, int]  # a city, and its points

_COLOUR_OF = {word: colour for colour, words in COLOURS.items() for word in words.split()}
_COLUMN_OF = {word: column for column, words in COLUMNS.items() for word in words.split()}
_BETWEEN_CITIES = re.compile(r"\s+[-/]\s+|\s*[\u2013\u2014]\s*")
_WORD_OR_NUMBER = re.compile(r"\d+|[^\W\d_]+")

# By the word for programs.
FAULT_TEXTS = {
    "empty": "no ticket stands in it",
    "table": "this is no table: {value}",
    "columns": "a column {value!r} is not known",
    "cities": "a ticket has one city or two",
    "signs": "{value!r} has signs that are not allowed there",
    "long": "a city's name has at most {value} letters",
    "points": "{value!r} cannot be the points: a whole number from 1 to 100",
    "circles": "the cards that complete the ticket are missing",
    "colour": "{value!r} is no colour of the train cards",
    "count": "{value!r} cards of a colour cannot be: a whole number from 1 to 5",
    "bonus": "{value!r} cannot be a bonus: a whole number from 0 to 200",
    "twice": "{value} stands there twice",
    "many": "a deck has at most {value}",
    "file": "this is no deck file: {value}",
}

City = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_LETTERS)]
Bonuses = Annotated[
    dict[City, Annotated[int, msgspec.Meta(ge=0, le=MOST_BONUS)]],
    msgspec.Meta(max_length=MOST_BONUSES),
]


class CardTicket(CardTicketText, frozen=True, forbid_unknown_fields=True):
    """A ticket as it is printed: one city or two, the cards that complete it, its points."""

    cities: Annotated[tuple[City, ...], msgspec.Meta(min_length=1, max_length=2)]
    circles: Annotated[
        dict[CircleColour, Annotated[int, msgspec.Meta(ge=1, le=MOST_CIRCLES)]],
        msgspec.Meta(min_length=1),
    ]
    points: Annotated[int, msgspec.Meta(ge=1, le=MOST_POINTS)]


class DeckTableError(CardGameError):
    """A deck has a fault.

    `fault` is a key of `FAULT_TEXTS`, `value` the wrong value, or the limit; `line` counts from 1,
    None for the whole deck.
    """

    def __init__(self, fault: str, value: str = "", line: int | None = None) -> None:
        text = FAULT_TEXTS[fault].format(value=value)
        super().__init__(
            text if line is None else Sentence("line {n}: {error}", n=line, error=text)
        )
        self.fault, self.value, self.line = fault, value, line


def read_deck(text: str) -> Deck:
    r"""Parse a deck file, or a table with one ticket in each row.

    Raises `DeckTableError` for the first fault, with its line where it has one.

    >>> deck = read_deck("Dallas,Omaha,4,2 red\nBoston,Miami,7,red 1 blue 2\nbonus,Dallas,8")
    >>> [(ticket.cities, ticket.circles, ticket.points) for ticket in deck.tickets]
    [(('Dallas', 'Omaha'), {'red': 2}, 4), (('Boston', 'Miami'), {'red': 1, 'blue': 2}, 7)]
    >>> deck.city_bonuses
    {'Dallas': 8}
    >>> read_deck("Dallas,Omaha,4,2 red\n,,7,1 blue")
    Traceback (most recent call last):
    ...
    railspotter.table.card_games.deck_table.DeckTableError: line 2: a ticket has one city or two
    """
    if text.removeprefix("\ufeff").lstrip().startswith("{"):
        try:
            return checked_deck(parse_json(text, Deck, GameError))
        except (GameError, RecursionError) as error:
            raise DeckTableError("file", str(error)) from error
    rows = _csv_rows(text.removeprefix("\ufeff"))
    try:
        deck = _deck_of(_parse_rows(rows))
    except DeckTableError as error:
        raise DeckTableError(error.fault, error.value, rows.line_num) from error
    except csv.Error as error:
        raise DeckTableError("table", str(error), rows.line_num) from error
    if deck == Deck():
        raise DeckTableError("empty")
    return _limited(deck)


def checked_deck(deck: Deck) -> Deck:
    """Validate a deck: complete tickets, no duplicates, within the limits; return it unchanged."""
    return _limited(_deck_of((*deck.tickets, *deck.city_bonuses.items())))


def _deck_of(parts: Iterable[CardTicketText | Bonus]) -> Deck:
    """Return the deck of valid tickets and bonuses, without duplicates."""
    tickets: dict[object, CardTicketText] = {}
    bonuses: dict[str, Bonus] = {}
    for part in parts:
        if isinstance(part, CardTicketText):
            check_ticket(part)
            circles = frozenset((part.circles or {}).items())
            key = frozenset(map(city_key, part.cities)), circles, part.points
            if key in tickets:
                raise DeckTableError("twice", " - ".join(part.cities))
            tickets[key] = part
        else:
            city, _ = part
            _check_city(city)
            if city_key(city) in bonuses:
                raise DeckTableError("twice", city)
            bonuses[city_key(city)] = part
    return Deck(tuple(tickets.values()), dict(bonuses.values()))


def _limited(deck: Deck) -> Deck:
    if len(deck.tickets) > MOST_TICKETS:
        raise DeckTableError("many", f"{MOST_TICKETS} tickets")
    if len(deck.city_bonuses) > MOST_BONUSES:
        raise DeckTableError("many", f"{MOST_BONUSES} bonuses")
    return deck


def check_ticket(ticket: CardTicketText) -> None:
    """Raise `DeckTableError` for an incomplete ticket, or an impossible name of a city."""
    if not ticket.circles:
        raise DeckTableError("circles")
    if ticket.points is None:
        raise DeckTableError("points")
    for city in ticket.cities:
        _check_city(city)


class DeckFile:
    """The deck in a data directory, which need not exist yet. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "card-game" / "deck.json"
        self._lock = threading.Lock()

    def read(self) -> tuple[Deck, str]:
        """Return the deck, by default empty, and its version; raises `HomeError`."""
        content = self._content()
        with raised_as(HomeError, GameError, DAMAGED, path=self.path):
            return parse_json(content or b"{}", Deck, GameError), _version_of(content)

    def write(self, deck: Deck, seen: str) -> str:
        """Replace the deck of version `seen`; return the new version.

        Raises `DeckTableError` for an invalid deck, `ChangedError` when `seen` is outdated,
        `HomeError` when it cannot be written; the saved deck is then unchanged.
        """
        content = (game_text(checked_deck(deck)) + "\n").encode()
        with self._lock:
            if seen != _version_of(self._content()):
                raise ChangedError("the deck was changed meanwhile")
            write_kept(self.path, content)
        return _version_of(content)

    def _content(self) -> bytes:
        try:
            return read_kept(self.path)
        except FileNotFoundError:
            return b""


def _version_of(content: bytes) -> str:
    """Return a hash of the deck's file; empty without one."""
    return hashlib.sha256(content).hexdigest()[:16] if content else ""


def _csv_rows(text: str) -> Any:
    """Return a reader of a table's rows, whichever delimiter it has."""
    if not any(sign in text for sign in "\t;,"):
        text = re.sub(" {2,}", "\t", text)  # columns aligned with spaces
    between = "\t" if "\t" in text else ";" if ";" in text else ","
    return csv.reader(io.StringIO(text, newline=""), delimiter=between)


def _parse_rows(rows: Iterable[Sequence[str]]) -> Iterator[CardTicketText | Bonus]:
    """Yield the tickets and bonuses of a table's rows, without empty ones and comments."""
    columns: list[str] | None = None
    for cells in rows:
        row = [" ".join(cell.split()) for cell in cells]
        if not any(row) or row[0].startswith("#"):
            continue
        if row[0].casefold() in BONUS:
            yield _bonus(row)
        elif columns is None and any(_column_of(cell) == POINTS for cell in row):
            columns = [_known_column(cell) for cell in row]
        elif columns:
            yield _parse_by_columns(row, columns)
        else:
            columns = []
            yield _parse_in_order(row)


def _column_of(cell: str) -> str | None:
    return _COLUMN_OF.get(re.sub(r"[\s\d.]+$", "", cell.casefold()))


def _known_column(cell: str) -> str:
    column = _column_of(cell) if cell else ""
    if column is None:
        raise DeckTableError("columns", cell[:MOST_LETTERS])
    return column


def _parse_by_columns(row: Sequence[str], columns: Sequence[str]) -> CardTicketText:
    cities: list[str] = []
    circles: dict[str, int] = {}
    points = ""
    for cell, column in zip(row, columns, strict=False):
        if column == CITY and cell:
            cities += _cities(cell)
        elif column == POINTS:
            points = cell
        elif column == CIRCLES:
            circles.update(_circles(cell))
        elif column and cell not in ("", "0"):
            circles[column] = _count(cell)
    return _ticket(cities, points, circles)


def _parse_in_order(row: Sequence[str]) -> CardTicketText:
    is_one_cell = len(row) > 1 and row[1].isdigit()
    cities = _cities(row[0]) if is_one_cell else [city for city in row[:2] if city]
    points, *circles = [*row[1 if is_one_cell else 2 :], ""]
    return _ticket(cities, points, _circles(" ".join(circles)))


def _cities(cell: str) -> list[str]:
    """Split a cell into cities.

    >>> _cities("Los Angeles - New York"), _cities("Saint-Louis")
    (['Los Angeles', 'New York'], ['Saint-Louis'])
    """
    return [city for city in _BETWEEN_CITIES.split(cell) if city]


def _ticket(cities: Sequence[str], points: str, circles: dict[str, int]) -> CardTicketText:
    names = set(map(city_key, cities))
    if not 1 <= len(names) == len(cities) <= 2 or "" in names:
        raise DeckTableError("cities")
    for city in cities:
        _check_city(city)
    worth = _parse_whole(points, "points", 1, MOST_POINTS)
    raw = {"cities": list(cities), "circles": circles, "points": worth}
    return msgspec.convert(raw, CardTicketText)


def _check_city(city: str) -> None:
    if INVISIBLE.search(city):
        raise DeckTableError("signs", city[:MOST_LETTERS])
    if not city.strip() or city.isdigit():
        raise DeckTableError("cities", city[:MOST_LETTERS])
    if len(city) > MOST_LETTERS:
        raise DeckTableError("long", str(MOST_LETTERS))


def _circles(text: str) -> dict[str, int]:
    """Parse circles written as text.

    >>> _circles("2 red, 1x blue"), _circles("Rot=2 blau")
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
            raise DeckTableError("colour", (word or number)[:MOST_LETTERS])
        if not is_number_first and signs and signs[0].isdigit():
            number = signs.pop(0)
        circles[colour] = _count(str(circles.get(colour, 0) + _count(number or "1")))
        is_number_first = bool(signs) and signs[0].isdigit()
    return circles


def _count(cell: str) -> int:
    return _parse_whole(cell, "count", 1, MOST_CIRCLES)


def _bonus(row: Sequence[str]) -> Bonus:
    city, points, *_ = [*row[1:], "", ""]
    return city, _parse_whole(points, "bonus", 0, MOST_BONUS)


def _parse_whole(cell: str, fault: str, least: int, most: int) -> int:
    """Parse a whole number within limits; anything else is a fault."""
    is_number = cell.isascii() and cell.isdigit() and len(cell) <= len(str(most))
    if not (is_number and least <= int(cell) <= most):
        raise DeckTableError(fault, cell[:MOST_LETTERS])
    return int(cell)
