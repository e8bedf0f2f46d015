"""Calls about The Card Game's deck, which the user typed in once; also who may, and refusals."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from railspotter.scoring.card_game_text import CardTicketText, CircleColour, Deck
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.game import game_text
from railspotter.table.card_games.deck_table import read_deck
from railspotter.table.card_games.errors import (
    CardGameError,
    ChangedError,
    DeckTableError,
    FullError,
    GuestsFullError,
    NoCardGameError,
    NotWrittenError,
)

from ..access.gate import is_this_machine
from ..rooms.services import Needs
from .calls import (
    Body,
    Call,
    CallError,
    CallRequest,
    ErrorRule,
    Who,
    content_response,
    with_refusals,
)

# What proxies and tunnels add: then it is somebody else who asks.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")
# What The Card Game's rules and the disk refuse.
CARD_REFUSALS = (
    ErrorRule((DeckTableError,), 400, "fault", fields=("fault", "value", "line")),
    ErrorRule((ChangedError,), 409, "changed"),
    ErrorRule((NoCardGameError,), 404, "unknown"),
    ErrorRule((GuestsFullError,), 409, "full"),
    ErrorRule((FullError, NotWrittenError), 503, "not written"),
    ErrorRule((CardGameError, ScoringError), 400, "wrong"),
)
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


def card_calls(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return calls about The Card Game, which need no running game and refuse in one way."""
    return tuple(
        replace(call, do=with_refusals(call.do, CARD_REFUSALS), needs=Needs.NOTHING)
        for call in calls
    )


def tickets_of(tickets: list[CardTicket]) -> tuple[CardTicketText, ...]:
    """Return tickets as scoring has them."""
    return msgspec.convert(msgspec.to_builtins(tickets), tuple[CardTicketText, ...])


def _deck(request: CallRequest) -> dict[str, Any]:
    deck, seen = request.services.card_deck.read()
    return {**_deck_json(deck), "seen": seen, "is_here": is_here(request)}


def _deck_json(deck: Deck) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(deck)
    return fields


def _write(request: CallRequest) -> dict[str, Any]:
    require_here(request)
    body = request.body_as(CardDeck)
    deck = Deck(tickets_of(body.tickets), body.city_bonuses)
    return {"seen": request.services.card_deck.write(deck, body.seen)}


def _parse(request: CallRequest) -> dict[str, Any]:
    return _deck_json(read_deck(request.body_as(DeckText).text))


def _export(request: CallRequest) -> Any:
    deck, _ = request.services.card_deck.read()
    name = 'attachment; filename="card-game-deck.json"'
    content = (game_text(deck) + "\n").encode()
    return content_response(content, "application/json", **{"Content-Disposition": name})


_ALL = (
    Call("GET", "/card-deck", Who.ALL, "The deck that was typed in.", _deck),
    Call(
        "PUT",
        "/card-deck",
        Who.HERE,
        "Puts a whole deck in place of the one that was seen.",
        _write,
        body=CardDeck,
    ),
    Call(
        "POST",
        "/card-deck/parse",
        Who.ALL,
        "Reads a table or a deck file, and keeps nothing.",
        _parse,
        body=DeckText,
    ),
    Call("GET", "/card-deck/export", Who.ALL, "The deck as a deck file.", _export),
)

CALLS = card_calls(_ALL)
