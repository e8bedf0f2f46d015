"""The text of a Card Game, and the deck file with its tickets.

Tickets and bonus values are printed on cards that this project does not have: they are typed in
once, into a deck file, or stand in the game itself.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from ..edition import Colour, load_edition
from ..errors import EditionError, GameError
from ..game import Most, Player, check_spellings
from ..json_text import load_file, parse_json
from ..names import Name, Title
from ..position import Seat
from ..sentence import raised_as
from .rules import CardPosition
from .tickets import LOCOMOTIVE, Cards, CardTicket, city_key

Some = Annotated[int, msgspec.Meta(ge=0, le=200)]
CircleColour = Literal["black", "blue", "green", "orange", "pink", "red", "white", "yellow"]
CardColour = Literal[CircleColour, "locomotive", "locomotives"]
City = Annotated[Title, msgspec.Meta(min_length=1)]
CardCounts = dict[CardColour, Some]


class CardTicketText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A ticket; `circles` and `points` where no deck file knows them."""

    cities: Annotated[tuple[City, ...], msgspec.Meta(min_length=1, max_length=2)]
    circles: dict[CircleColour, Annotated[int, msgspec.Meta(ge=1, le=5)]] | None = None
    points: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None

    def __post_init__(self) -> None:
        """Refuse a ticket that leads nowhere."""
        keys = [city_key(city) for city in self.cities]
        if not all(keys) or len(set(keys)) < len(keys):
            raise ValueError("a ticket needs two places, each with its name")


CardTickets = Annotated[tuple[CardTicketText, ...], Most]


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tickets and Big Cities Bonus cards of a printed deck."""

    tickets: CardTickets = ()
    city_bonuses: dict[City, Some] = {}


class CardGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game of the Card Game.

    Attributes
    ----------
    tickets, completed : dict of str to tuple of CardTicketText
        By player's colour: held, and completed in an earlier scoring.
    stack, hand, railyard : dict of str to dict
        By player's colour, cards by colour. Stacks score; the others rebuild the table.
    chosen : dict of str to tuple of int
        Positions in `tickets`, for a player who completes others than the best ones.
    round : int
        1 for the first deck, 2 for the second.
    deck : str, optional
        The path of a deck file.
    """

    edition: Literal["card-game"]
    players: Annotated[tuple[Player, ...], Most] = ()
    tickets: dict[Name, CardTickets] = {}
    completed: dict[Name, CardTickets] = {}
    stack: dict[Name, CardCounts] = {}
    hand: dict[Name, CardCounts] = {}
    railyard: dict[Name, CardCounts] = {}
    chosen: dict[Name, Annotated[tuple[int, ...], Most]] = {}
    round: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    city_bonuses: dict[City, Some] = {}
    deck: Annotated[str, msgspec.Meta(max_length=4096)] | None = None
    final: bool = False
    house_rules: dict[Name, Any] = {}


def load_deck(path: Path) -> Deck:
    """Load the deck in a file."""
    return load_file(path, "the deck", lambda text: parse_json(text, Deck, GameError), GameError)


def card_position_of(game: CardGame, deck: Deck | None = None) -> CardPosition:
    """Return the position of a game's text; its values override those of the deck.

    Raises `GameError` when a ticket's circles or points are known to neither, or somebody holds
    something who does not play.
    """
    deck = deck or Deck()
    with raised_as(GameError, EditionError, "{field}: {error}", field="house_rules"):
        edition = load_edition("card-game").with_house_rules(game.house_rules)
    held = (game.tickets, game.completed, game.stack, game.hand, game.railyard, game.chosen)
    seats = tuple(Seat(player.colour, player.name) for player in game.players)
    check_spellings(
        (*(seat.colour for seat in seats), *(colour for part in held for colour in part))
    )
    if not seats:
        seats = tuple(Seat(c) for c in sorted({colour for part in held for colour in part}))
    colours = [seat.colour for seat in seats]
    if len(set(colours)) < len(colours):
        raise GameError("players: two have the same colour")
    for colour in (colour for part in held for colour in part):
        if colour not in colours:
            raise GameError(f"nobody plays {colour!r}")
    for colour, chosen in game.chosen.items():
        there = range(len(game.tickets.get(colour, ())))
        if len(set(chosen)) < len(chosen) or not set(chosen) <= set(there):
            raise GameError(f"chosen.{colour}: not positions in its tickets: {list(chosen)}")
    known: dict[frozenset[str], list[CardTicketText]] = {}
    for printed in deck.tickets:
        same = known.setdefault(_ends(printed), [])
        if not any((p.circles, p.points) == (printed.circles, printed.points) for p in same):
            same.append(printed)

    def tickets(
        where: str, by_colour: dict[Colour, tuple[CardTicketText, ...]]
    ) -> dict[Colour, tuple[CardTicket, ...]]:
        return {
            colour: tuple(
                _ticket(text, known, f"{where}.{colour}[{i}]") for i, text in enumerate(texts)
            )
            for colour, texts in by_colour.items()
        }

    return CardPosition(
        edition,
        seats,
        tickets("tickets", game.tickets),
        {colour: _cards(cards.items()) for colour, cards in game.stack.items()},
        tickets("completed", game.completed),
        game.chosen,
        _bonuses(deck, game),
        game.round,
        {c: _held(game.hand.get(c, {}), game.railyard.get(c, {})) for c in colours},
        game.final,
    )


def _ends(ticket: CardTicketText) -> frozenset[str]:
    return frozenset(map(city_key, ticket.cities))


def _ticket(
    text: CardTicketText, known: dict[frozenset[str], list[CardTicketText]], where: str
) -> CardTicket:
    """Return a ticket completed from the deck; circles tell tickets of the same cities apart."""
    printed = known.get(_ends(text), [text])
    if len(printed) > 1:
        printed = [p for p in printed if text.circles in (None, p.circles)] or printed
        printed = [p for p in printed if text.points in (None, p.points)] or printed
    is_complete = text.circles is not None and text.points is not None
    if len(printed) > 1 and not is_complete:
        name = " - ".join(text.cities)
        raise GameError(
            "{field}: the deck has {n} tickets {name}; give the circles",
            field=where,
            n=len(printed),
            name=name,
        )
    circles = printed[0].circles if text.circles is None else text.circles
    points = printed[0].points if text.points is None else text.points
    if circles is None or points is None:
        missing = "circles" if circles is None else "points"
        raise GameError(f"{where}: {' - '.join(text.cities)} needs its {missing}")
    return CardTicket(text.cities, _cards(circles.items()), points)


def _bonuses(deck: Deck, game: CardGame) -> dict[str, int]:
    """Return the bonuses of the deck, overridden by the game's."""
    bonuses: dict[str, tuple[str, int]] = {}
    for told in (deck.city_bonuses, game.city_bonuses):
        own: dict[str, str] = {}
        for city, points in told.items():
            if (other := own.setdefault(city_key(city), city)) != city:
                raise GameError("city_bonuses: {a!r} and {b!r} are the same city", a=other, b=city)
            bonuses[city_key(city)] = city, points
    return dict(bonuses.values())


def _held(*parts: CardCounts) -> Cards:
    return _cards((colour, count) for part in parts for colour, count in part.items())


def _cards(counts: Iterable[tuple[str, int]]) -> Cards:
    cards: dict[str, int] = {}
    for colour, count in counts:
        name = LOCOMOTIVE if colour == "locomotives" else colour
        cards[name] = cards.get(name, 0) + count
    return cards
