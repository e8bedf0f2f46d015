"""Editions: a board and its rules, as data.

Each number of an edition file stands beside the rulebook's sentence it came from, in `sources`
under the same name. A house rule is one of these fields with another value
(`Edition.with_house_rules`).
"""

from collections.abc import Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Annotated, Any, Literal, get_args

import msgspec

from .board import Board, Identifier, PlaceId
from .errors import EditionError
from .json_text import misfit

Colour = str

Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
BoardTieBreak = Literal["completed tickets", "fewest stations", "longest path", "longest path card"]
TieBreak = Literal[BoardTieBreak, "bonus cards"]
ReturnedTickets = Literal["bottom of the deck", "out of the game", "shuffled in"]
BOARD_TIE_BREAKS: tuple[TieBreak, ...] = get_args(BoardTieBreak)
# What can decide in The Card Game, which has no board to count trains or stations on.
CARD_TIE_BREAKS: tuple[TieBreak, ...] = ("completed tickets", "bonus cards")
# Fields that are no rules; all others are, and have a source if they are used.
NOT_RULES = (
    "id",
    "title",
    "board",
    "colours",
    "card_colours",
    "tickets",
    "expansion_tickets",
    "train_word",
    "train_size_mm",
    "station_size_mm",
    "plastic",
    "one_piece_a_route",
    "own_print",
    "sources",
)


class Ticket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Destination Ticket."""

    a: Identifier
    b: Identifier
    points: Annotated[int, msgspec.Meta(ge=1, le=100)]
    series: str = ""  # which deck it belongs to, where an edition mixes several
    big_city: bool = False  # USA 1910: one of its cities is printed as a big city

    @property
    def ends(self) -> frozenset[PlaceId]:
        """Both places, in no order."""
        return frozenset((self.a, self.b))


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The rules of one box. A category that it does not use is 0 or empty."""

    id: Identifier
    title: str
    board: str  # the name of its board; empty for the Card Game
    colours: tuple[Colour, ...]
    players: tuple[Count, Count]  # fewest and most
    trains: Count  # trains of each player
    last_round_at: Count  # so many trains left, or fewer, bring the last turns
    # What decides between equal totals, in this order; then they share the victory.
    tie_break: tuple[TieBreak, ...]
    train_word: str = "train"  # what one piece is called
    # Length, width and height of a piece.
    train_size_mm: tuple[float, float, float] = (26.0, 9.0, 9.0)
    # Length, width and height of a station.
    station_size_mm: tuple[float, float, float] = (15.0, 15.0, 13.0)
    # Whose box's colours the pieces have: a name of `vision/colours/plastics.json`.
    plastic: str = "usa"
    # The accessible edition: one piece marks a route, the others go back to the box.
    one_piece_a_route: bool = False
    # Whether its board and trains look otherwise than its board file's, in a way nobody knows.
    own_print: bool = False
    route_points: dict[int, Count] = {}  # points of a route by its length
    # From so many players on, both lanes of a double route can be claimed; with fewer the second
    # one closes to all.
    double_routes_open_from: Count = 4
    # longest_path_bonus, globetrotter_bonus: For the longest continuous path; for the most
    # completed tickets. Ties: each.
    longest_path_bonus: Count = 0
    globetrotter_bonus: Count = 0
    # Whether a bonus for the most of something is given when the most is nothing. No rulebook says;
    # players do not.
    bonus_for_none: bool = False
    attraction_points: Count = 0  # for each tourist attraction that a route of the player touches
    # stations, unused_station_points: Stations of each player; points of each one not built.
    stations: Count = 0
    unused_station_points: Count = 0
    # Points for the first, second, ... site; each one beyond is worth one more than the last.
    site_points: tuple[Count, ...] = ()
    # modes, mode_bonus: The means of transport, and the bonus for a route of each.
    modes: tuple[str, ...] = ()
    mode_bonus: Count = 0
    tickets: tuple[Ticket, ...] = ()  # the deck
    expansion_tickets: tuple[Ticket, ...] = ()  # of an expansion, which may be played with it
    # first_tickets, later_tickets: How many are dealt at the start and drawn later; how many of
    # them must be kept at least.
    first_tickets: tuple[Count, Count] = (3, 2)
    later_tickets: tuple[Count, Count] = (3, 1)
    most_of_series: dict[str, Count] = {}  # how many tickets of a series a player can hold
    card_colours: tuple[Colour, ...] = ()  # the colours of train cards
    # How many cards there are of each colour, and how many Locomotives.
    train_cards: tuple[Count, Count] = (0, 0)
    first_hand: Count = 0  # how many train cards each player is dealt from the deck
    # Where the tickets go that a player does not keep at the start.
    returned_first_tickets: ReturnedTickets = "bottom of the deck"
    # Whether a face-up Locomotive that replaced the first card may be taken as the second.
    replaced_locomotive: bool = False
    # So many face-up Locomotives are all discarded and replaced; 0 for never.
    flush_at_locomotives: Count = 3
    # The Card Game: whether a row's Locomotives count when a train is robbed.
    robbing_counts_locomotives: bool = True
    sources: dict[str, str] = {}  # for each field above the rulebook's sentence

    @cached_property
    def ticket_by_ends(self) -> dict[frozenset[PlaceId], Ticket]:
        """The tickets by their two places, with those of an expansion."""
        return {ticket.ends: ticket for ticket in (*self.expansion_tickets, *self.tickets)}

    @property
    def known_tie_breaks(self) -> tuple[TieBreak, ...]:
        """What can decide between equal totals in a game of this kind."""
        return BOARD_TIE_BREAKS if self.board else CARD_TIE_BREAKS

    def with_house_rules(self, rules: Mapping[str, Any]) -> "Edition":
        """Return this edition with some of its rules replaced.

        Lengths that `route_points` does not name keep their points. Raises `EditionError` when it
        has no such rule, or the value is not one for it.

        >>> load_edition("usa").with_house_rules({"longest_path_bonus": 0}).longest_path_bonus
        0
        >>> load_edition("usa").with_house_rules({"longest_path_bonus": "ten"})
        Traceback (most recent call last):
        ...
        railspotter.scoring.errors.EditionError: house rule longest_path_bonus: a whole number \
belongs there, not a text
        """
        if not rules:
            return self
        for name in rules:
            if name not in HOUSE_RULES:
                raise EditionError(
                    f"there is no house rule {name!r}; there are {', '.join(HOUSE_RULES)}"
                )
        types = _types()
        values: dict[str, Any] = {}
        for name, value in rules.items():
            try:
                values[name] = msgspec.convert(value, types[name], str_keys=True)
            except msgspec.ValidationError as error:
                raise EditionError(
                    "house rule {name}: {error}", name=name, error=misfit(value, types[name])
                ) from error
        fewest, most = values.get("players", self.players)
        if fewest > most:
            raise EditionError("house rule players: the fewest come first, then the most")
        for name in ("first_tickets", "later_tickets"):
            dealt, kept = values.get(name, (0, 0))
            if kept > dealt:
                raise EditionError(
                    "house rule {name}: {n} tickets cannot be kept of {dealt}",
                    name=name,
                    n=kept,
                    dealt=dealt,
                )
        if points := values.get("route_points"):
            values["route_points"] = self.route_points | points
        for word in values.get("tie_break", ()):
            if word not in self.known_tie_breaks:
                raise EditionError(
                    f"house rule tie_break: {self.title} cannot tell by {word!r}; "
                    f"it can by {', '.join(self.known_tie_breaks)}"
                )
        return msgspec.structs.replace(self, **values)


# The rules that a table may change.
HOUSE_RULES = tuple(name for name in Edition.__struct_fields__ if name not in NOT_RULES)


@cache
def edition_names() -> tuple[str, ...]:
    """Return the names of all editions.

    >>> "usa" in edition_names()
    True
    """
    files = resources.files(__package__).joinpath("editions").iterdir()
    return tuple(sorted(f.name.removesuffix(".json") for f in files if f.name.endswith(".json")))


@cache
def load_edition(name: str) -> Edition:
    """Load an edition by its name.

    Raises `EditionError` when there is none.

    >>> usa = load_edition("usa")
    >>> usa.trains, usa.route_points[6], usa.longest_path_bonus
    (45, 15, 10)
    >>> usa.sources["trains"]
    'Each player takes a set of 45 Colored Train Cars.'
    """
    if name not in edition_names():
        raise EditionError(f"there is no edition {name!r}; known are {', '.join(edition_names())}")
    return msgspec.convert(_rules_of(name), Edition, str_keys=True)


def _rules_of(name: str) -> dict[str, Any]:
    """Return an edition file's fields, merged over those of the edition that it `extends`."""
    text = resources.files(__package__).joinpath("editions", f"{name}.json").read_bytes()
    rules: dict[str, Any] = msgspec.json.decode(text)
    if base := rules.pop("extends", None):
        inherited = _rules_of(base)
        rules["sources"] = inherited["sources"] | rules.get("sources", {})
        rules = inherited | rules
    if wanted := rules.pop("tickets_with", None):
        rules["tickets"] = [t for t in rules["tickets"] if wanted.items() <= t.items()]
    return rules


@cache
def _types() -> dict[str, Any]:
    """Return the type of each field, cached: looking them up takes 8 ms."""
    return {field.name: field.type for field in msgspec.structs.fields(Edition)}


def ticket_deck(edition: Edition, board: Board) -> tuple[Ticket, ...]:
    """Return the tickets of an edition that is played on a board.

    A board's own tickets take the place of the edition's. Of the edition's only those are left
    whose places are both on the board.

    >>> from .board import load_board
    >>> len(ticket_deck(load_edition("usa"), load_board("usa")))
    30
    >>> ticket_deck(load_edition("usa"), load_board("newyork"))
    ()
    """
    if board.tickets:
        return tuple(Ticket(own.a, own.b, own.points) for own in board.tickets)
    places = board.place_by_id
    return tuple(one for one in edition.tickets if one.a in places and one.b in places)


def ticket_by_ends(edition: Edition, board: Board) -> dict[frozenset[PlaceId], Ticket]:
    """Return the tickets of `ticket_deck` and of an expansion by their two places."""
    if not board.tickets:
        return edition.ticket_by_ends
    return {ticket.ends: ticket for ticket in ticket_deck(edition, board)}
