"""Calls about who plays: names, colours, who comes in and who leaves."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.table.game_log import (
    AnyFact,
    Colour,
    Player,
    PlayerCameIn,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    SeatsSwapped,
    TableState,
    Title,
    free_seat,
)

from .calls import Asked, Body, Call, CallError, Nothing, Who
from .playing import done, table_of

MOST_PLAYERS = 12
"""Of one log, whoever left included."""


class Swap(Body, frozen=True):
    """Two seats whose people were taken for each other."""

    seat: Identifier
    other: Identifier


class Mended(Body, frozen=True):
    """A player's name or colour, for the whole game."""

    name: Title | None = None
    colour: Colour | None = None


class NewPlayer(Body, frozen=True):
    """Somebody who comes in; `place` in the turn order from 0, without it last.

    `seat` brings back somebody who left.
    """

    name: Annotated[Title, msgspec.Meta(min_length=1)]
    colour: Colour
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None
    seat: Identifier | None = None


def _mend(asked: Asked) -> dict[str, Any]:
    said, seat = asked.said(Mended), asked.named["seat"]
    device = asked.device
    is_host = device is not None and device.is_host
    if not is_host and (device is None or device.seat != seat or said.colour is not None):
        raise CallError(403, "not yours", "A player can change the own name, the host the rest.")
    with asked.room.saying:
        player = _player(table_of(asked), seat)
        facts: list[AnyFact] = []
        if said.name is not None and said.name != player.name:
            facts.append(PlayerRenamed(seat, said.name))
        if said.colour is not None and said.colour != player.colour:
            _require_colour(asked, said.colour, seat)
            facts.append(PlayerRecoloured(seat, said.colour))
        if facts:
            asked.room.table.write(facts)
        if said.colour is not None:
            asked.room.table.look_again()
    return done(asked)


def _come_in(asked: Asked) -> dict[str, Any]:
    said = asked.said(NewPlayer)
    with asked.room.saying:
        table = table_of(asked)
        _require_colour(asked, said.colour, said.seat)
        if said.seat is None and len(table.players) >= MOST_PLAYERS:
            raise CallError(409, "full", "There is room for no more players in this game.")
        if said.seat is not None and said.seat not in table.left:
            raise CallError(409, "taken", "Only a seat whose player left can be taken up again.")
        seat = said.seat or free_seat(said.name, [one.seat for one in table.players])
        player = Player(seat, said.colour, said.name)
        asked.room.table.write([PlayerCameIn(player, said.place)])
        asked.room.table.look_again()
    return {**done(asked), "seat": seat}


def _swap(asked: Asked) -> dict[str, Any]:
    said = asked.said(Swap)
    if said.seat == said.other:
        raise CallError(400, "wrong", "Two different seats are needed.")
    with asked.room.saying:
        for seat in (said.seat, said.other):
            _player(table_of(asked), seat)
        asked.room.table.write([SeatsSwapped(said.seat, said.other)])
    return done(asked)


def _leave(asked: Asked) -> dict[str, Any]:
    seat = asked.named["seat"]
    with asked.room.saying:
        table = table_of(asked)
        _player(table, seat)
        if seat in table.left:
            raise CallError(409, "changed", "This player has left already.")
        asked.room.table.write([PlayerLeft(seat)])
    return done(asked)


def _player(table: TableState, seat: str) -> Player:
    player = table.player(seat)
    if player is None:
        raise CallError(404, "unknown", "There is no such seat.")
    return player


def _require_colour(asked: Asked, colour: str, seat: str | None) -> None:
    """Refuse a colour that the box has not, or that somebody else plays."""
    colours = asked.room.feed.now().game.edition.colours
    if colour not in colours:
        raise CallError(400, "wrong", f"The box has these colours: {', '.join(colours)}.")
    if any(p.colour == colour and p.seat != seat for p in table_of(asked).players):
        raise CallError(409, "taken", f"Somebody else plays {colour}.")


CALLS = (
    Call(
        "PATCH",
        "/players/{seat}",
        Who.TABLE,
        "Mends a name or a colour for the whole game; players only their own name.",
        _mend,
        body=Mended,
    ),
    Call("POST", "/players", Who.HOST, "Somebody comes in.", _come_in, body=NewPlayer),
    Call("POST", "/players/swap", Who.HOST, "Two were taken for each other.", _swap, body=Swap),
    Call("DELETE", "/players/{seat}", Who.HOST, "Somebody leaves.", _leave, body=Nothing),
)
