"""Calls about The Card Game's deck, which the user typed in once; also who is at this computer."""

from __future__ import annotations

import ipaddress
from typing import Annotated

import msgspec
from flask import Response
from railspotter.scoring.card_game.text import CardTicketText, CircleColour, Deck
from railspotter.scoring.game import game_text
from railspotter.table.card_games.deck_table import read_deck

from ..access.gate import is_this_machine
from ..sessions.services import Needs
from .calls import JSON, Body, CallRequest, Json, Who, call, download_response
from .refusals import CallError

# What proxies and tunnels add: then it is somebody else who asks.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")
City = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
# What names the state that was seen, empty for none.
Seen = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]
Bonuses = Annotated[
    dict[City, Annotated[int, msgspec.Meta(ge=0, le=200)]], msgspec.Meta(max_length=30)
]


class CardTicket(Body, frozen=True):
    """A ticket as it is printed: one city or two, the cards that complete it, its points."""

    cities: Annotated[list[City], msgspec.Meta(min_length=1, max_length=2)]
    circles: Annotated[
        dict[CircleColour, Annotated[int, msgspec.Meta(ge=1, le=5)]], msgspec.Meta(min_length=1)
    ]
    points: Annotated[int, msgspec.Meta(ge=1, le=100)]


class CardDeck(Body, frozen=True):
    """The whole deck, in place of the one that was seen; at most 150 tickets."""

    seen: Seen
    tickets: list[CardTicket]
    city_bonuses: Bonuses


class DeckText(Body, frozen=True):
    """A deck as it was pasted: a table or a deck file."""

    text: str


def is_here(request: CallRequest) -> bool:
    """Tell whether it is the host who asks, or somebody at this computer itself.

    Both the address and the name must be this machine's, and nobody may have passed it on: through
    a tunnel or proxy everybody comes from here.
    """
    if request.device is not None and request.device.is_host:
        return True
    try:
        is_from_here = ipaddress.ip_address(request.address).is_loopback
    except ValueError:
        return False
    is_passed_on = any(name in request.headers for name in FORWARDED)
    return is_from_here and is_this_machine(request.origin) and not is_passed_on


def require_here(request: CallRequest) -> None:
    """Refuse who is neither the host nor at this computer."""
    if not is_here(request):
        raise CallError(403, "not here", "Only the host, and this computer itself, may do this.")


def tickets_of(tickets: list[CardTicket]) -> tuple[CardTicketText, ...]:
    """Return tickets as scoring has them."""
    return msgspec.convert(msgspec.to_builtins(tickets), tuple[CardTicketText, ...])


@call("GET", "/card-deck", Who.ALL, needs=Needs.NOTHING)
def get_deck(request: CallRequest) -> Json:
    """The deck that was typed in."""
    deck, seen = request.services.card_deck.read()
    return {**msgspec.to_builtins(deck), "seen": seen, "is_here": is_here(request)}


@call("PUT", "/card-deck", Who.HERE, needs=Needs.NOTHING)
def put_deck(request: CallRequest, body: CardDeck) -> Json:
    """Puts a whole deck in place of the one that was seen."""
    require_here(request)
    deck = Deck(tickets_of(body.tickets), body.city_bonuses)
    return {"seen": request.services.card_deck.write(deck, body.seen)}


@call("POST", "/card-deck/parse", Who.ALL, needs=Needs.NOTHING)
def parse_deck(request: CallRequest, body: DeckText) -> Deck:
    """Reads a table or a deck file, and keeps nothing."""
    return read_deck(body.text)


@call("GET", "/card-deck/export", Who.ALL, needs=Needs.NOTHING)
def export_deck(request: CallRequest) -> Response:
    """The deck as a deck file."""
    deck, _ = request.services.card_deck.read()
    return download_response((game_text(deck) + "\n").encode(), JSON, "card-game-deck.json")
