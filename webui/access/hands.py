"""To whom a hand of dealt cards is open, whose word opens it to another phone, who speaks for whom.

A hand is open to the first phone that has its seat; for a player without a phone, to the host's,
which keeps it. Any later phone in that seat sees nothing until the phone of another player, who
gains nothing by it, says whose it is, or until the hand is dealt anew. Nobody's secret is the hand
of somebody who plays against computers alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from railspotter.scoring.dealing.moves import ComeIn, DealAnew
from railspotter.table.game_log.card_facts import CardsDealt, CardsMoved
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.people_facts import PlayerCameIn, PlayerHandedOver

from .roles import Device, Devices, HandUse


def hidden_event_count(
    game: GameState, devices: Devices, seat: str, *, is_kept: bool = False
) -> int:
    """Return how many events a phone may not know of a hand that it gets now.

    With `is_kept` it is the host's, which keeps the hand for a player without a phone.
    """
    use = devices.hands.get(seat)
    is_new = use is None and not any(_is_played(event, seat) for event in game.events)
    is_the_hosts = is_kept and use == "kept"
    is_open = game.table.started.cards == "phones" and (is_new or is_the_hosts)
    return 0 if is_open else len(game.events)


def is_hidden(game: GameState, devices: Devices, seat: str, since: int) -> bool:
    """Whether a phone sees no cards of a hand, of which it may not know so many events."""
    if not since or game.table.started.cards != "phones" or len(_people(game)) < 2:
        return False
    # Pairings of older programs do not say whose a hand was before anybody played.
    is_known = seat in devices.hands
    return any(
        _is_played(event, seat) or (is_known and _is_dealt(event, seat))
        for event in game.events[:since]
    ) and not any(_is_dealt_anew(event, seat) for event in game.events[since:])


def holder_of(devices: Devices, seat: str) -> Device | None:
    """Return the phone that has a seat, or the host's that keeps its hand."""
    keepers = (one for one in devices.all if one.is_host and seat in one.other_hands)
    return devices.at(seat) or next(keepers, None)


def hidden_hands(game: GameState, devices: Devices) -> Iterator[str]:
    """Yield the seats whose hand the phone that has it does not see."""
    for player in game.table.players:
        phone = holder_of(devices, player.seat)
        if phone is not None and _is_hidden_from(game, devices, phone, player.seat):
            yield player.seat


def may_vouch(game: GameState, devices: Devices, phone: Device, seat: str) -> bool:
    """Whether a phone may say that the one which took over a seat is that player's.

    The host may not who freed that seat: the other phone may be the host's too. The phone that kept
    the hand may hand it on. Else it is a player's, who sees the own hand, and never had this one.
    """
    theirs, use = holder_of(devices, seat), devices.hands.get(seat)
    if theirs is None or phone == theirs:
        return False
    if phone.is_host and use in ("kept", "freed"):
        return use == "kept"
    own = game.table.player(phone.seat or "")
    return (
        own is not None
        and own.seat != seat
        and not own.computer
        and own.seat not in game.table.left
        and seat not in phone.had
        and not _is_hidden_from(game, devices, phone, own.seat)
    )


def vouching_seats(game: GameState, devices: Devices, phone: Device) -> frozenset[str]:
    """Return the seats whose players' word comes with what a phone says: it sees their hands.

    The host's phone speaks for who has no phone too, and for computers that sat there from the
    start.
    """
    seats, computers = {phone.seat} - {None}, set[str]()
    if phone.is_host:
        computers = {one.seat for one in game.table.players if one.computer}
        seats |= {one.seat for one in game.table.players} - computers - devices.seats
        computers &= {one.seat for one in game.table.started.players if one.computer}
    seen = {seat for seat in seats if seat and not _is_hidden_from(game, devices, phone, seat)}
    return frozenset(seen | computers)


def with_seat_taken(game: GameState, devices: Devices, phone: Device, seat: str) -> Devices:
    """Return the phones when one takes a seat, whose hand it may not know."""
    since = hidden_event_count(game, devices, seat)
    if phone.seat != seat:
        devices = _let_go(devices, phone)
    had = tuple(dict.fromkeys((*phone.had, seat)))
    phone = replace(phone, seat=seat, hand_from=since, had=had, lost_seat=None)
    return _used(devices.put(phone), seat, devices.hands.get(seat, "own"))


def with_seat_freed(devices: Devices, phone: Device, *, by_host: bool) -> Devices:
    """Return the phones when one leaves its seat, or the host frees it.

    The host's phone stays the host's; another one has to scan the join code again.
    """
    seat = phone.seat
    devices = _let_go(devices, phone)
    if not by_host or seat is None:
        return devices.put(replace(phone, seat=None))
    left = replace(phone, seat=None) if phone.is_host else Device(phone.cookie_hash, had=phone.had)
    return _used(devices.put(replace(left, lost_seat=seat)), seat, "freed")


def with_hand_taken_over(devices: Devices, seat: str) -> Devices:
    """Return the phones when nobody has a seat any more, nor its hand: a computer plays there."""
    for one in devices.all:
        if one.seat == seat:
            devices = devices.put(replace(one, seat=None, lost_seat=seat))
        elif seat in one.other_hands:
            rest = {other: since for other, since in one.other_hands.items() if other != seat}
            devices = devices.put(replace(one, other_hands=rest))
    return _used(devices, seat, "freed")


def with_hand_kept(game: GameState, devices: Devices, phone: Device, seat: str) -> Devices:
    """Return the phones when the host's keeps a hand, which it may not know."""
    since = hidden_event_count(game, devices, seat, is_kept=True)
    return _with_hand_kept(devices, phone, seat, since)


def _with_hand_kept(devices: Devices, phone: Device, seat: str, since: int) -> Devices:
    phone = replace(phone, other_hands={**phone.other_hands, seat: since})
    return _used(devices.put(phone), seat, devices.hands.get(seat, "kept"))


def with_hand_opened(devices: Devices, seat: str) -> Devices:
    """Return the phones when the one that has a seat, or keeps its hand, may see all of that."""
    phone = holder_of(devices, seat)
    if phone is None:
        return devices
    if phone.seat == seat:
        return _used(devices.put(replace(phone, hand_from=0)), seat, "own")
    return _used(_with_hand_kept(devices, phone, seat, 0), seat, "kept")


def _let_go(devices: Devices, phone: Device) -> Devices:
    # What the host has seen is open to no phone for which only the host speaks.
    return _used(devices, phone.seat, "freed") if phone.is_host and phone.seat else devices


def _used(devices: Devices, seat: str, use: HandUse) -> Devices:
    return replace(devices, hands={**devices.hands, seat: use})


def _is_hidden_from(game: GameState, devices: Devices, phone: Device, seat: str) -> bool:
    since = phone.hand_from if phone.seat == seat else phone.other_hands.get(seat)
    if since is None:  # it has not asked yet
        since = hidden_event_count(game, devices, seat)
    return is_hidden(game, devices, seat, since)


def _people(game: GameState) -> set[str]:
    """Return the seats in which ever a person played."""
    found = set[str]()
    for event in game.events:
        match event.fact:
            case GameStarted(players=players):
                found |= {player.seat for player in players if not player.computer}
            case PlayerCameIn(player=player) if not player.computer:
                found.add(player.seat)
            case PlayerHandedOver(seat=seat, computer=""):
                found.add(seat)
            case _:
                pass
    return found


def _is_played(event: Event, seat: str) -> bool:
    fact = event.fact
    return isinstance(fact, CardsMoved) and fact.seat == seat and not isinstance(fact.move, ComeIn)


def _is_dealt(event: Event, seat: str) -> bool:
    fact = event.fact
    return (isinstance(fact, CardsDealt) and seat in fact.seats) or (
        isinstance(fact, CardsMoved) and fact.seat == seat
    )


def _is_dealt_anew(event: Event, seat: str) -> bool:
    fact = event.fact
    return isinstance(fact, CardsMoved) and fact.seat == seat and isinstance(fact.move, DealAnew)
