"""Calls about The Card Game's deck, which the user typed in once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from railspotter.scoring import game_text
from railspotter.scoring.card_game_text import CardTicketText, Deck
from railspotter.table.card_games import read_deck

from .calls import Asked, Call, Needs, Who, given
from .card_access import is_here, refusing, require_here
from .card_bodies import CardDeck, CardTicket, DeckText


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
