"""Calls about The Card Game's deck, which the user typed in once; also who may, and refusals."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any

import msgspec
from railspotter.scoring import ScoringError, game_text
from railspotter.scoring.card_game_text import CardTicketText, CircleColour, Deck
from railspotter.table.card_games import (
    CardGameError,
    ChangedError,
    DeckTableError,
    FullError,
    NoCardGameError,
    NotWrittenError,
    read_deck,
)

from ..access import is_this_machine
from ..rooms import Needs
from .calls import Asked, Body, Call, CallError, Who, given

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")
"""What proxies and tunnels add: then it is somebody else who asks."""
City = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Seen = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{16})?$")]
"""What names the state that was seen, empty for none."""
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


def is_here(asked: Asked) -> bool:
    """Tell whether it is the host who asks, or somebody at this computer itself.

    Both the address and the name must be this machine's, and nobody may have passed it on: through
    a tunnel or proxy everybody comes from here.
    """
    if asked.device is not None and asked.device.is_host:
        return True
    try:
        is_from_here = ipaddress.ip_address(asked.address).is_loopback
    except ValueError:
        return False
    is_passed_on = any(name in asked.headers for name in FORWARDED)
    return is_from_here and is_this_machine(asked.origin) and not is_passed_on


def require_here(asked: Asked) -> None:
    """Refuse who is neither the host nor at this computer."""
    if not is_here(asked):
        raise CallError(403, "not here", "Only the host, and this computer itself, may do this.")


def refusing(do: Callable[[Asked], Any]) -> Callable[[Asked], Any]:
    """Make refusals of what the rules or the disk refuse."""

    @wraps(do)
    def answer(asked: Asked) -> Any:
        try:
            return do(asked)
        except DeckTableError as error:
            raise CallError(
                400, "fault", f"{error}.", fault=error.fault, value=error.value, line=error.line
            ) from error
        except ChangedError as error:
            raise CallError(409, "changed", f"{error}.") from error
        except NoCardGameError as error:
            raise CallError(404, "unknown", f"{error}.") from error
        except (FullError, NotWrittenError) as error:
            raise CallError(503, "not written", f"{error}.") from error
        except (CardGameError, ScoringError) as error:
            raise CallError(400, "wrong", f"{error}.") from error

    return answer


def tickets_of(said: list[CardTicket]) -> tuple[CardTicketText, ...]:
    """Return tickets as scoring has them."""
    return msgspec.convert(msgspec.to_builtins(said), tuple[CardTicketText, ...])


def _deck(asked: Asked) -> dict[str, Any]:
    deck, seen = asked.cards.deck.read()
    return {**_told(deck), "seen": seen, "is_here": is_here(asked)}


def _told(deck: Deck) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(deck)
    return told


def _write(asked: Asked) -> dict[str, Any]:
    require_here(asked)
    said = asked.said(CardDeck)
    deck = Deck(tickets_of(said.tickets), said.city_bonuses)
    return {"seen": asked.cards.deck.write(deck, said.seen)}


def _parse(asked: Asked) -> dict[str, Any]:
    return _told(read_deck(asked.said(DeckText).text))


def _export(asked: Asked) -> Any:
    deck, _ = asked.cards.deck.read()
    name = 'attachment; filename="card-game-deck.json"'
    content = (game_text(deck) + "\n").encode()
    return given(content, "application/json", **{"Content-Disposition": name})


_ALL = (
    Call("GET", "/card-deck", Who.ALL, "The deck that was typed in.", refusing(_deck)),
    Call(
        "PUT",
        "/card-deck",
        Who.HERE,
        "Puts a whole deck in place of the one that was seen.",
        refusing(_write),
        body=CardDeck,
    ),
    Call(
        "POST",
        "/card-deck/parse",
        Who.ALL,
        "Reads a table or a deck file, and keeps nothing.",
        refusing(_parse),
        body=DeckText,
    ),
    Call("GET", "/card-deck/export", Who.ALL, "The deck as a deck file.", refusing(_export)),
)

CALLS = tuple(replace(call, needs=Needs.NOTHING) for call in _ALL)
