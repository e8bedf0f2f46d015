"""Access to hands: which phone may see one, and who may vouch for a new phone.

The first phone in a seat sees its hand of dealt cards; for a player without a phone, the host's
phone keeps it. A later phone in that seat sees nothing until another player's phone vouches for it,
or the hand is dealt anew. A single person who plays against computers has no secrets. The Card Game
keeps who sits where in its own file, and asks for the same word.

With cards on the table a phone sees the tickets that were kept since it has the seat.
"""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace
from railspotter.scoring.dealing.moves import ComeIn, DealAnew, Move
from railspotter.table.game_log.card_facts import CardsDealt, CardsMoved
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.people_facts import TicketTaken
from railspotter.table.game_log.table_state import HeldTicket
from railspotter.table.live_table.card_play import secret_seats

from .roles import Device, Devices, HandUse


def hidden_event_count(
    game: GameState, devices: Devices, seat: str, *, is_kept: bool = False
) -> int:
    """Return how many events of a hand stay hidden from a phone that gets it now.

    `is_kept` is for the host's phone, which keeps the hand for a player without a phone.
    """
    use, moves = devices.hands.get(seat), _moves(game.events, seat)
    is_new = use is None and all(isinstance(move, ComeIn) for move in moves)
    is_the_hosts = is_kept and use == "kept"
    is_open = game.table.started.cards == "phones" and (is_new or is_the_hosts)
    return 0 if is_open else len(game.events)


def is_hidden(game: GameState, devices: Devices, seat: str, since: int) -> bool:
    """Tell whether a hand is hidden from a phone for which the first `since` events are."""
    if game.table.started.cards != "phones":
        kept = tickets_kept_since(game, seat, since)
        return any(held.ends not in kept for held in game.table.tickets.get(seat, ()))
    if not since or not secret_seats(game):
        return False
    hidden, anew = game.events[:since], _moves(game.events[since:], seat)
    deals = [event.fact for event in hidden if isinstance(event.fact, CardsDealt)]
    has_cards = any(seat in deal.seats for deal in deals) or any(True for _ in _moves(hidden, seat))
    return has_cards and not any(isinstance(move, DealAnew) for move in anew)


def tickets_kept_since(game: GameState, seat: str, since: int) -> frozenset[frozenset[str]]:
    """Return both places of each ticket that was kept in a seat after so many events."""
    return frozenset(
        HeldTicket(event.fact.ticket).ends
        for event in game.events[since:]
        if isinstance(event.fact, TicketTaken) and event.fact.seat == seat
    )


def holder_of(devices: Devices, seat: str) -> Device | None:
    """Return the phone that has a seat, or the host's phone that keeps its hand."""
    keepers = (one for one in devices.all if one.is_host and seat in one.other_hands)
    return devices.at(seat) or next(keepers, None)


def hidden_hands(game: GameState, devices: Devices) -> Iterator[str]:
    """Yield the seats whose hand is hidden from its own phone."""
    for player in game.table.players:
        phone = holder_of(devices, player.seat)
        if phone is not None and _is_hidden_from(game, devices, phone, player.seat):
            yield player.seat


def may_vouch(game: GameState, devices: Devices, phone: Device, seat: str) -> bool:
    """Tell whether a phone may vouch that another phone in a seat is that player's."""
    theirs = holder_of(devices, seat)
    if theirs is None or phone == theirs:
        return False
    own = game.table.player(phone.seat or "")
    is_player = own is not None and not own.computer and own.seat not in game.table.left
    is_seen = is_player and not _is_hidden_from(game, devices, phone, phone.seat or "")
    sees = phone.seat if is_seen else None
    return is_anothers_word(seat, devices.hands.get(seat), phone.had, sees, is_host=phone.is_host)


def is_anothers_word(
    seat: str, use: HandUse | None, had: Collection[str], sees: str | None, *, is_host: bool
) -> bool:
    """Tell whether a phone's word opens the hand of a seat to the phone there, at every table.

    It is a player's phone that `sees` its own hand and never `had` this one. The host who freed the
    seat may not say it, since the other phone may be the host's too; one who kept the hand may.
    """
    if is_host and use in ("kept", "freed"):
        return use == "kept"
    return sees not in (None, seat) and seat not in had


def vouching_seats(game: GameState, devices: Devices, phone: Device) -> frozenset[str]:
    """Return the seats for whose players a phone may agree (`Writer.words`): it sees their hands.

    The host's phone also agrees for players without a phone, and for computers with hands that no
    person has had.
    """
    seats, computers = {phone.seat} - {None}, set[str]()
    if phone.is_host:
        computers = {one.seat for one in game.table.players if one.computer}
        seats |= {one.seat for one in game.table.players} - computers - devices.seats
        computers -= secret_seats(game)
    seen = {seat for seat in seats if seat and not _is_hidden_from(game, devices, phone, seat)}
    return frozenset(seen | computers)


def with_seat_taken(game: GameState, devices: Devices, phone: Device, seat: str) -> Devices:
    """Give a seat to a phone."""
    since = hidden_event_count(game, devices, seat)
    if phone.seat != seat:
        devices = _with_seat_left(devices, phone)
    had = tuple(dict.fromkeys((*phone.had, seat)))
    phone = replace(phone, seat=seat, hand_from=since, had=had, lost_seat=None)
    return _used(devices.put(phone), seat, devices.hands.get(seat, "own"))


def with_seat_freed(devices: Devices, phone: Device, *, by_host: bool) -> Devices:
    """Free a phone's seat; if `by_host`, the phone must scan the join code again."""
    seat = phone.seat
    devices = _with_seat_left(devices, phone)
    if not by_host or seat is None:
        return devices.put(replace(phone, seat=None))
    left = replace(phone, seat=None) if phone.is_host else Device(phone.cookie_hash, had=phone.had)
    return _used(devices.put(replace(left, lost_seat=seat)), seat, "freed")


def with_hand_taken_over(devices: Devices, seat: str) -> Devices:
    """Take a seat and its hand from all phones: a computer plays there now."""
    for one in devices.all:
        if one.seat == seat:
            devices = devices.put(replace(one, seat=None, lost_seat=seat))
        elif seat in one.other_hands:
            devices = devices.put(one.without_hand(seat))
    return _used(devices, seat, "freed")


def with_hand_kept(game: GameState, devices: Devices, phone: Device, seat: str) -> Devices:
    """Let the host's phone keep the hand of a player without a phone."""
    since = hidden_event_count(game, devices, seat, is_kept=True)
    return _with_hand_kept(devices, phone, seat, since)


def _with_hand_kept(devices: Devices, phone: Device, seat: str, since: int) -> Devices:
    phone = replace(phone, other_hands={**phone.other_hands, seat: since})
    return _used(devices.put(phone), seat, devices.hands.get(seat, "kept"))


def with_hand_opened(devices: Devices, seat: str) -> Devices:
    """Show a hand to the phone that holds it."""
    phone = holder_of(devices, seat)
    if phone is None:
        return devices
    if phone.seat == seat:
        return _used(devices.put(replace(phone, hand_from=0)), seat, "own")
    return _used(_with_hand_kept(devices, phone, seat, 0), seat, "kept")


def _with_seat_left(devices: Devices, phone: Device) -> Devices:
    # A hand that the host has seen may not be shown to a phone for which only the host vouches.
    return _used(devices, phone.seat, "freed") if phone.is_host and phone.seat else devices


def _used(devices: Devices, seat: str, use: HandUse) -> Devices:
    return replace(devices, hands={**devices.hands, seat: use})


def _is_hidden_from(game: GameState, devices: Devices, phone: Device, seat: str) -> bool:
    since = phone.hand_from if phone.seat == seat else phone.other_hands.get(seat)
    if since is None:  # it has not asked yet
        since = hidden_event_count(game, devices, seat)
    return is_hidden(game, devices, seat, since)


def _moves(events: Iterable[Event], seat: str) -> Iterator[Move]:
    facts = (event.fact for event in events)
    return (fact.move for fact in facts if isinstance(fact, CardsMoved) and fact.seat == seat)
