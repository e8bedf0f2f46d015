"""A game as text: one JSON form that rebuilds any position exactly.

Its schema is published as `schemas/game.json`, with an example of each edition in
docs/game-state.md. The Card Game, which has no board, has a form of its own
(`card_game/text.py`).
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

import msgspec

from .board import Board, BoardEdition, PlaceId
from .edition import Colour, Edition, Ticket, load_edition, ticket_by_ends
from .errors import EditionError, GameError
from .names import Name, ShortName, Title, Words
from .position import LastTurns, Position, Seat
from .sentence import Sentence, raised_as
from .spot import KINDS, Spot
from .spot_names import Kind, find_place, nearest

PlaceText = Annotated[Title, msgspec.Meta(min_length=1)]
Most = msgspec.Meta(max_length=200)  # players, or what one of them has: more than any box holds


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat.

    Attributes
    ----------
    shape : str
        What the accessible edition's pieces of that colour are called.
    has_left : bool
        Whether the player takes no more turns; what lies on the board still counts.
    """

    colour: Name
    name: Title = ""
    shape: ShortName = ""
    has_left: bool = False


class TicketText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A ticket by its two places, ids or what is printed; `points` where nobody knows them."""

    a: PlaceText
    b: PlaceText
    points: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None


class BoardGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game on a board.

    Attributes
    ----------
    players : tuple of Player
        In turn order; without any, the colours that hold something.
    claims : dict of str to str
        Route id to colour.
    tickets : dict of str to tuple of TicketText
        By colour.
    stations : dict of str to tuple of str
        By colour, the places: their ids, or as they are printed.
    sites : dict of str to str
        Site id to colour.
    board : str, optional
        The path of a board file of the user's own.
    final : bool
        Whether the game has ended.
    last_turns : LastTurns, optional
        Once they have begun.
    pins : dict of str to int
        The accessible edition: route id to the space that carries its pin, from `a`, where it is
        not the middle one.
    house_rules : dict
        Rules of the edition by name, with other values.
    unsure : tuple of str
        Routes, places (for their stations) and sites, by id, of which nobody has said who holds
        them: a photo left them in doubt, or did not show them.
    """

    edition: BoardEdition
    players: Annotated[tuple[Player, ...], Most] = ()
    claims: dict[Words, Name] = {}
    tickets: dict[Name, Annotated[tuple[TicketText, ...], Most]] = {}
    stations: dict[Name, Annotated[tuple[PlaceText, ...], Most]] = {}
    sites: dict[Words, Name] = {}
    board: Annotated[str, msgspec.Meta(max_length=4096)] | None = None
    final: bool = False
    last_turns: LastTurns | None = None
    pins: dict[Words, Annotated[int, msgspec.Meta(ge=0, le=19)]] = {}
    house_rules: dict[Name, Any] = {}
    unsure: tuple[Words, ...] = ()


def check_spellings(colours: Iterable[Colour]) -> None:
    """Raise `GameError` if two players' names differ in capitals or spaces only.

    >>> check_spellings(["red", "blue", "Red"])
    Traceback (most recent call last):
    ...
    railspotter.scoring.errors.GameError: 'red' and 'Red' are the same player: write one of them
    """
    known: dict[str, Colour] = {}
    for colour in colours:
        first = known.setdefault(" ".join(colour.casefold().split()), colour)
        if first != colour:
            raise GameError(
                "{a!r} and {b!r} are the same player: write one of them", a=first, b=colour
            )


def game_text(game: msgspec.Struct, indent: int = 2) -> str:
    """Return a game as JSON text, which `answer.parse_game` reads."""
    encoded = msgspec.json.encode(game)
    if indent:
        encoded = msgspec.json.format(encoded, indent=indent)
    return encoded.decode()


def edition_of(game: BoardGame) -> Edition:
    """Return the edition of a game, with its house rules."""
    with raised_as(GameError, EditionError, "{field}: {error}", field="house_rules"):
        return load_edition(game.edition).with_house_rules(game.house_rules)


def position_of(game: BoardGame, board: Board) -> Position:
    """Return the position of a game's text, on a board.

    Raises `GameError` when it names a route, place, site or player that there is not, or a ticket
    without points that the edition does not know.

    >>> from .board import load_board
    >>> game = BoardGame("usa", claims={"x--y": "red"})
    >>> position_of(game, load_board("usa"))
    Traceback (most recent call last):
    ...
    railspotter.scoring.errors.GameError: claims: the board 'usa' has no route 'x--y'
    """
    edition = edition_of(game)
    seats = tuple(Seat(player.colour, player.name) for player in game.players)
    held = {*game.claims.values(), *game.tickets, *game.stations, *game.sites.values()}
    check_spellings((*(seat.colour for seat in seats), *sorted(held)))
    if not seats:
        known = [colour for colour in edition.colours if colour in held]
        seats = tuple(Seat(colour) for colour in (*known, *sorted(held.difference(known))))
    colours = [seat.colour for seat in seats]
    _check_unique(colours)
    for route in game.claims:
        _check_on(board, "route", route, "claims")
    for site in game.sites:
        _check_on(board, "site", site, "sites")
    for where, by_colour in (("tickets", game.tickets), ("stations", game.stations)):
        for colour in by_colour:
            _require(colour in colours, where, _nobody_plays(colour))
    stations = {
        colour: tuple(
            _place(text, board, f"stations.{colour}[{i}]") for i, text in enumerate(cities)
        )
        for colour, cities in game.stations.items()
    }
    for route, space in game.pins.items():
        _check_on(board, "route", route, "pins")
        length = board.route_by_id[route].length
        if space >= length:
            raise GameError(f"pins.{route}: its spaces are 0 to {length - 1}, not {space}")
    if game.last_turns is not None:
        by = game.last_turns.by
        _require(by in colours, "last_turns.by", _nobody_plays(by))
    tickets = {
        seat.colour: tuple(
            _ticket(text, edition, board, seat, f"tickets.{seat.colour}[{i}]")
            for i, text in enumerate(game.tickets[seat.colour])
        )
        for seat in seats
        if seat.colour in game.tickets
    }
    return Position(
        edition,
        board,
        seats,
        game.claims,
        tickets,
        stations,
        game.sites,
        frozenset(player.colour for player in game.players if player.has_left),
        game.last_turns,
        game.final,
    )


def unsure_spots(game: BoardGame, board: Board) -> tuple[Spot, ...]:
    """Return what a game leaves open; raises `GameError` when the board lacks one of them.

    >>> from .board import load_board
    >>> game = BoardGame("europe", unsure=("berlin--essen", "essen"))
    >>> [spot.kind for spot in unsure_spots(game, load_board("europe"))]
    ['route', 'station']
    """
    found = []
    for name in dict.fromkeys(game.unsure):
        spots = [spot for kind in KINDS if (spot := Spot(kind, name)).is_on(board)]
        _require(bool(spots), "unsure", _no_such(board, "route", name))
        found += spots[:1]
    return tuple(found)


def check_players(colours: Sequence[Colour]) -> None:
    """Raise `GameError` if two players have the same colour."""
    check_spellings(colours)
    _check_unique(colours)


def _check_unique(colours: Sequence[Colour]) -> None:
    for i, colour in enumerate(colours):
        if colours.index(colour) < i:
            raise GameError(f"players[{i}].colour: {colour!r} is players[{colours.index(colour)}]")


def _require(holds: bool, field: str, reason: Sentence) -> None:
    if not holds:
        raise GameError("{field}: {error}", field=field, error=reason)


def _check_on(board: Board, kind: Literal["route", "site"], name: str, where: str) -> None:
    known = board.route_by_id if kind == "route" else board.site_by_id
    if name not in known:
        raise GameError("{field}: {error}", field=where, error=_no_such(board, kind, name))


def _place(text: str, board: Board, where: str) -> PlaceId:
    place = find_place(text, board)
    if place is None:
        raise GameError("{field}: {error}", field=where, error=_no_such(board, "place", text))
    return place


def _no_such(board: Board, kind: Kind, name: str) -> Sentence:
    said = Sentence(
        "the board {board!r} has no {kind} {name!r}", board=board.id, kind=kind, name=name
    )
    near = ", ".join(nearest(kind, name, board))
    return Sentence("{error}; near it: {near}", error=said, near=near) if near else said


def _nobody_plays(colour: Colour) -> Sentence:
    return Sentence("nobody plays {colour!r}", colour=colour)


def _ticket(text: TicketText, edition: Edition, board: Board, seat: Seat, where: str) -> Ticket:
    whose = f"{seat.name} ({seat.colour})" if seat.name else seat.colour
    field = Sentence("{field}, {player}, {a} - {b}", field=where, player=whose, a=text.a, b=text.b)
    return parse_ticket(text, edition, board, field)


def parse_ticket(text: TicketText, edition: Edition, board: Board, field: str) -> Ticket:
    """Return the ticket of a text, as in the deck.

    Raises `GameError` where there are no two such places, or nobody knows its points: `error` in
    its sentence.
    """
    a, b = (_place(end, board, field) for end in (text.a, text.b))
    _require(a != b, field, Sentence("a ticket needs two places, both are {place!r}", place=a))
    known = ticket_by_ends(edition, board).get(frozenset((a, b)))
    if known is not None and text.points in (None, known.points):
        return known
    if text.points is None:
        title = board.title if board.tickets else edition.title
        reason = Sentence(
            "{title} has no ticket {a!r} - {b!r}; give its points", title=title, a=a, b=b
        )
        raise GameError("{field}: {error}", field=field, error=reason)
    return Ticket(a, b, text.points)
