"""What a call at a game with cards on phones may change, by rules that ask nothing of it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from railspotter.scoring.edition import load_edition
from railspotter.table.game_log.table_state import TableState

TRAINS, LOW_STOCK = 16, 2  # each player has so many, and the last turns begin at so few
Json = dict[str, Any]
SEATS = ("ann", "bob", "cleo")
COLOURS = dict(zip(SEATS, ("red", "blue", "green"), strict=True))
HOST = "host"
PHONES = (*SEATS, HOST)
ALL_CARDS = Counter(dict.fromkeys(load_edition("usa").card_colours, 12)) + Counter(locomotive=14)
TICKET_COUNT = 30


@dataclass(frozen=True)
class Call:
    """A call that was made: by which phone, and whether it was answered with yes."""

    phone: str
    method: str
    path: str
    body: Json
    status: int

    @property
    def is_move(self) -> bool:
        """Whether it makes a move with cards."""
        return self.path.endswith("/moves")


@dataclass(frozen=True)
class Snapshot:
    """The compared values: of each seat the hand, the tickets, what was paid; turn and end."""

    hands: dict[str, Counter[str]]
    tickets: dict[str, frozenset[frozenset[str]]]
    paid: dict[str, tuple[str, int]]
    turn: str | None
    last_turns_by: str | None
    ended: bool
    left: frozenset[str]
    open: dict[str, frozenset[frozenset[str]]]  # the tickets that everybody sees
    order: tuple[str, ...]  # of the seats, which are swapped until the first move

    @staticmethod
    def of(table: TableState) -> "Snapshot":
        """Return the snapshot of a table whose cards are dealt."""
        dealing, board = table.dealing, table.board
        assert dealing is not None
        return Snapshot(
            {seat: dealing.hand(seat) for seat in SEATS},
            {seat: frozenset(h.ends for h in table.tickets.get(seat, ())) for seat in SEATS},
            {
                spot.key: (paid.seat, board.route_by_id[spot.id].length)
                for spot, paid in table.payments.items()
            },
            table.turn,
            table.last_turns_by,
            table.ended,
            table.left,
            {
                seat: frozenset(h.ends for h in table.tickets.get(seat, ()) if h.revealed)
                for seat in SEATS
            },
            tuple(player.seat for player in table.players),
        )

    def trains_left(self, seat: str) -> int:
        """Return how many trains a seat has left, by what is paid for."""
        return TRAINS - sum(length for whose, length in self.paid.values() if whose == seat)

    def next_seat(self, seat: str) -> str:
        """Return the seat that comes next, of those who are there."""
        at = self.order.index(seat) + 1
        return next(s for s in (*self.order[at:], *self.order[:at]) if s not in self.left)


@dataclass
class CallChecker:
    """Checks every call by what the calls so far allow."""

    before: Snapshot
    # By seat the phone whose word is that player's; a seat without one is nobody's.
    speakers: dict[str, str] = field(default_factory=lambda: {seat: seat for seat in SEATS})
    # By seat the phone that has it.
    seated: dict[str, str] = field(default_factory=lambda: {seat: seat for seat in SEATS})
    newest: str = ""  # the claim after which nobody has moved
    dealt_anew: bool = False  # whether the call dealt a hand anew that was hidden
    asked: set[str] = field(default_factory=set)  # the claims that the host wants to be taken back
    is_ended_by_host: bool = False
    # By seat the tickets that its player has shown while the game went on.
    shown: dict[str, frozenset[frozenset[str]]] = field(
        default_factory=lambda: dict.fromkeys(SEATS, frozenset())
    )

    def faults(self, call: Call, table: TableState) -> list[str]:
        """Return what a call did that it must not do."""
        self._update_seats(call)
        before, now = self.before, Snapshot.of(table)
        found = [
            *self._total_faults(table, now),
            *self._owner_faults(call, now),
            *self._turn_faults(call, now),
            *self._open_faults(call, now),
        ]
        if call.status == 200 and call.is_move:
            gained = set(now.paid) - set(before.paid)
            self.newest = next(iter(gained), "")
        elif self.newest not in now.paid:
            self.newest = ""
        self.asked &= set(now.paid)
        self.is_ended_by_host = now.ended and (
            self.is_ended_by_host or (not before.ended and call.path in ("/end", "/redo"))
        )
        self.before = now
        return [f"{what}: {call}" for what in found]

    def _update_seats(self, call: Call) -> None:
        """Update who sits where, whom others know there, and what the host asks for."""
        self.dealt_anew = False
        if call.phone == HOST and call.path == "/cards/have-back":
            self.asked.add(f"{call.body['kind']}:{call.body['about']}")
        if call.phone == HOST and call.path == "/undo":
            self.asked |= set(self.before.paid)  # whichever is meant: the word is the host's
        if call.status != 200:
            return
        seat = call.body.get("seat") or call.path.split("/")[2 if "/" in call.path[1:] else 1]
        if call.path == "/seat":
            if self.seated.get(seat) != call.phone:
                # The host's phone still keeps hands of seats in which nobody sits.
                for left in [s for s, phone in self.seated.items() if phone == call.phone]:
                    del self.seated[left]
                    self.speakers.pop(left, None)
                self.seated[seat] = call.phone
                self.speakers.pop(seat, None)
        elif call.path.startswith("/seat/") or call.path.endswith("/computer"):
            self.seated.pop(seat, None)
            self.speakers.pop(seat, None)
        elif call.path == "/cards/vouch":
            self.speakers[seat] = self.seated.get(seat, HOST)
        elif call.path.endswith("/deal-anew"):
            self.dealt_anew = self.speakers.get(seat) is None
            self.speakers[seat] = self.seated.get(seat, HOST)

    def _total_faults(self, table: TableState, now: Snapshot) -> Iterator[str]:
        dealing = table.dealing
        assert dealing is not None
        stacks = dealing.stacks
        cards = Counter(stacks.deck) + Counter(stacks.discards) + Counter(stacks.face_up)
        for hand in dealing.hands.values():
            cards += Counter(hand)
        if cards != ALL_CARDS:
            yield "cards are not whole"
        places = (dealing.tickets, dealing.beneath, *dealing.offered.values())
        count = sum(map(len, places)) + sum(map(len, now.tickets.values()))
        if count != TICKET_COUNT:
            yield "tickets are not whole"
        if any(now.trains_left(seat) < 0 for seat in SEATS):
            yield "more trains than there are"
        is_low = any(now.trains_left(seat) <= LOW_STOCK for seat in SEATS)
        if not now.ended and is_low != (now.last_turns_by is not None):
            yield "the last turns are not as the stocks say"

    def _owner_faults(self, call: Call, now: Snapshot) -> Iterator[str]:
        before = self.before
        for seat in SEATS:
            kept = (before.hands[seat], before.tickets[seat], _spots_paid_by(seat, before.paid))
            if kept == (now.hands[seat], now.tickets[seat], _spots_paid_by(seat, now.paid)):
                continue
            is_anew = self.dealt_anew and call.path == f"/players/{seat}/deal-anew"
            if self.speakers.get(seat) != call.phone and not is_anew:
                yield f"what {seat} holds changed by another phone"
            if before.ended and call.is_move:
                yield f"{seat} moved after the end"
        for spot in set(before.paid) - set(now.paid):
            if call.path not in ("/undo", "/cards/have-back"):
                yield f"{spot} went back by another call"
            is_newest = spot == self.newest and not before.ended
            if call.phone != HOST and spot not in self.asked and not is_newest:
                yield f"{spot} went back though the game has gone on"

    def _open_faults(self, call: Call, now: Snapshot) -> Iterator[str]:
        before = self.before
        goes_on = before.ended and not now.ended
        for seat in SEATS:
            is_own = self.speakers.get(seat) == call.phone
            if not is_own and not goes_on and before.open[seat] - now.open[seat]:
                yield f"what {seat} has shown was hidden by another phone"
            if goes_on and not is_own and before.open[seat] - self.shown[seat]:
                yield f"the game goes on though {seat}'s tickets were shown"
            if not now.ended and not before.ended and is_own:
                self.shown[seat] = now.open[seat]
            if not now.ended and now.open[seat] - self.shown[seat]:
                yield f"{seat}'s tickets lie open in a game that goes on"

    def _turn_faults(self, call: Call, now: Snapshot) -> Iterator[str]:
        before, was = self.before, self.before.turn
        if before.ended and not now.ended and not (call.phone == HOST and self.is_ended_by_host):
            yield "a game that was over goes on"
        if now.ended and not before.ended:
            is_own = call.is_move and self.speakers.get(was or "") == call.phone
            is_left = call.method == "DELETE" and call.path == f"/players/{was}"
            if not (is_own or is_left or (call.phone == HOST and call.path in ("/end", "/redo"))):
                yield "the game ended by nobody's turn"
        if was is None or now.turn == was:
            return
        if call.is_move and self.speakers.get(was) == call.phone:
            is_right = now.turn == before.next_seat(was)
        elif call.method == "DELETE" and call.path == f"/players/{was}":
            is_right = now.turn == now.next_seat(was)
        elif (call.path == "/players" or call.path.endswith("/computer")) and was in before.left:
            is_right = before.left - now.left == {now.turn}  # all had left, and one comes in
        elif call.path == "/turn":
            passed = [was]
            while passed[-1] != now.turn and len(passed) < len(SEATS):
                passed.append(before.next_seat(passed[-1]))
            is_right = all(
                self.speakers.get(seat) == call.phone or seat in before.left for seat in passed[:-1]
            )
        else:
            back = [seat for spot, (seat, _) in before.paid.items() if spot not in now.paid]
            is_right = back == [now.turn] and self.newest not in now.paid
        if not is_right:
            yield f"the turn went from {was} to {now.turn}"


def _spots_paid_by(seat: str, paid: dict[str, tuple[str, int]]) -> set[str]:
    return {spot for spot, (whose, _) in paid.items() if whose == seat}
