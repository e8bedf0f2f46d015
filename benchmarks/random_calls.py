"""Random calls by three players and a host at games with cards on phones: what must hold, holds.

    python benchmarks/random_calls.py --calls 100000

Every other call is a sound move of whoever has the turn, so that games go on to their end and
beyond it. The others are anything by anybody: moves out of turn, undoing and redoing any event,
corrections, having cards back, giving the turn on, freeing and taking seats, vouching, computers,
leaving and coming back, the end; and now and then several in a row, as somebody would try them:
end, show and undo; free, take, and vouch or deal anew, from the first tickets on. After each call
the game's values are held against what the calls so far allow, by rules that are written here anew
and ask nothing of the program:

- all 110 cards and 30 tickets are somewhere, each once; trains on paid routes and in stock are
  as many as at the start;
- a hand, its tickets and what was paid with it change by a call of that player's phone alone: the
  one that sat there first, or one that was vouched for since, or dealt to; or they are dealt anew
  while they are hidden from the phone that has the seat;
- in a game that goes on, those tickets alone lie open that a player has shown in it, and nobody
  else's were shown while it was over, but by a player who has agreed to go on;
- a claim goes back by its player's newest move, or after the host has asked for it too;
- the turn goes to who comes next, by the move of who has it, or as who has it leaves, or back to
  who takes the newest claim back;
- the last turns are on while somebody's stock is low; what ended by itself does not go on.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)


from phones import never
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.table.game_log.card_facts import RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table import card_play
from railspotter.table.live_table.card_play import seat_view
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import NoCamera
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.app import create_app
from railspotter.webui.sessions.photo_queue import PhotoReading
from railspotter.webui.sessions.services import GameSession
from resting_pages import resting_services

from card_tables.call_checker import (
    COLOURS,
    HOST,
    PHONES,
    SEATS,
    TRAINS,
    Call,
    CallChecker,
    Json,
    Snapshot,
)

CALLS_AFTER_END = 40  # calls that are still made at a game that is over
MOST_CALLS_A_GAME = 700
ORIGIN = "http://127.0.0.1"


@dataclass
class RunningGame:
    """A running game, and the phones at it."""

    session: GameSession
    access: PhoneAccess
    client: Any
    rng: random.Random
    cookies: dict[str, str] = field(default_factory=dict)
    # Calls that come next, each by its phone; the event of one about the end is put in then.
    plan: list[tuple[str, str, str, Json]] = field(default_factory=list)

    @property
    def table(self) -> TableState:
        """The game as its log has it."""
        return self.session.table.log.state.table

    def call(self, phone: str, method: str, path: str, body: Json | None = None) -> Call:
        """Make a call, as that phone's browser would."""
        sent = {"Origin": ORIGIN, "Cookie": self.cookies.get(phone, "")}
        answer = self.client.open(
            f"/api/v1{path}", method=method, json=body or {}, base_url=ORIGIN, headers=sent
        )
        assert answer.status_code < 500, (path, body, answer.data)
        for cookie in answer.headers.getlist("Set-Cookie"):
            self.cookies[phone] = cookie.partition(";")[0]
        return Call(phone, method, path, body or {}, answer.status_code)

    def join(self, phone: str) -> None:
        """Let a phone open the code that is shown now."""
        codes = self.access.codes
        self.call(phone, "POST", "/join", {"token": codes.host if phone == HOST else codes.join})

    def next_call(self, speakers: dict[str, str]) -> Call:
        """Make a legal move of the seat in turn, or any call by any phone."""
        dealing = self.table.dealing
        assert dealing is not None
        if not self.plan and self.rng.random() < 0.04:
            self.plan = self._any_plan()
        if self.plan:
            phone, method, path, body = self.plan.pop(0)
            if path == "/cards/put-away" and not self.table.ended:
                path = "/end"  # else there would be no cards any more
            if path == "/seat":
                self.join(phone)
            if path == "/undo":
                body = self._newest("game_ended" if body else "ticket_revealed")
            return self.call(phone, method, path, body)
        seat = next(iter(dealing.offered), self.table.turn or SEATS[0])
        if self.rng.random() < 0.5 and seat in speakers:
            phone = speakers[seat]
            return self.call(phone, "POST", self._moves_path(seat), {"move": self._any_move(seat)})
        if self.rng.random() < 0.1:  # who was sent away comes in again, and sits down
            phone = self.rng.choice(SEATS)
            self.join(phone)
            return self.call(phone, "POST", "/seat", {"seat": phone})
        phone = self.rng.choice(PHONES)
        return self.call(phone, *self._any_call())

    def _moves_path(self, seat: str) -> str:
        device = self.access.devices.at(seat)
        return "/cards/moves" if device is not None else f"/players/{seat}/cards/moves"

    def _any_move(self, seat: str) -> Json:
        view, rng = seat_view(self.table, seat), self.rng
        if view.offered:
            return {"move": "keep_tickets", "tickets": [_ticket_json(t) for t in view.offered[:2]]}
        if not view.drawn and rng.random() < 0.6:
            routes = list(claimable(view.position, view.hand, view.colour))
            if routes:
                spot = rng.choice(routes)
                paid = next(legal_payments(view.position, view.hand, view.colour, spot))
                return {"move": "pay", "kind": spot.kind, "id": spot.id, "cards": dict(paid)}
        if not view.drawn and rng.random() < 0.05:
            return {"move": "draw_tickets"}
        return {"move": "draw_card", **({"place": rng.randrange(5)} if rng.random() < 0.5 else {})}

    def _any_plan(self) -> list[tuple[str, str, str, Json]]:
        """Return what somebody would try after another: at an end, or at a seat that is freed."""
        rng = self.rng
        seat, phone, witness = (*rng.sample(SEATS, 2), rng.choice(PHONES))
        about: Json = {"seat": seat}
        freed: tuple[str, str, Json] = ("DELETE", f"/seat/{seat}", {})
        shown = (HOST, "POST", f"/players/{seat}/hand/reveal", Json())
        first = rng.choice([freed, ("PUT", f"/players/{seat}/computer", {"strength": "easy"})])
        end: list[tuple[str, str, str, Json]] = [
            (HOST, *first),
            (HOST, "POST", "/end", {}),
            rng.choice([shown, (seat, "POST", "/hand/reveal", {}), (HOST, *freed)]),
            (rng.choice([HOST, seat, witness]), "POST", "/undo", {}),
            (HOST, "POST", "/cards/put-away", {}),
            (rng.choice([HOST, witness]), "POST", "/undo", {"is_end": True}),
        ]
        taken: list[tuple[str, str, str, Json]] = [
            (HOST, *freed),
            (rng.choice([phone, seat, HOST]), "POST", "/seat", about),
            (HOST, "POST", f"/players/{seat}/deal-anew", {})
            if rng.random() < 0.5
            else (witness, "POST", "/cards/vouch", about),
        ]
        return rng.choice([end[rng.randrange(2) :], taken, taken[rng.randrange(3) :]])

    def _newest(self, kind: str) -> Json:
        """Return the newest public event of a kind, as it is named when it is undone."""
        log = self.session.feed.now().state["log"]
        return {"event": next((e["seq"] for e in reversed(log) if e["kind"] == kind), 1)}

    def _any_call(self) -> tuple[str, str, Json]:
        rng, table = self.rng, self.table
        seat = rng.choice(SEATS)
        spots = sorted({*table.payments, *table.spots})
        spot = rng.choice(spots) if spots else None
        about = {"kind": "route", "about": spot.id if spot else "helena--seattle"}
        held = table.held.get(spot) if spot else None
        colour = rng.choice([None, *COLOURS.values()])
        # Events that are public have numbers of their own, all of them smaller.
        event: Json = {"event": rng.randint(1, len(self.session.table.log.state.events))}
        newest = self._recent_event()
        which: Json = rng.choice([{}, event, newest])
        move: Json = {"move": self._any_move(seat) if rng.random() < 0.1 else {"move": "draw_card"}}
        calls: list[tuple[str, str, Json]] = [
            ("POST", "/undo", which),
            ("POST", "/undo", newest),
            ("POST", "/redo", which),
            ("POST", "/cards/have-back", about),
            ("POST", "/cards/have-back", about),
            ("POST", "/corrections", {**about, "was": held, "now": colour}),
            ("POST", "/cards/laid", about),
            ("POST", "/turn", {"seat": seat}),
            ("POST", "/cards/vouch", {"seat": seat}),
            ("POST", "/seat", {"seat": seat}),
            ("DELETE", f"/seat/{seat}", {}),
            ("GET", f"/players/{seat}/cards", {}),
            ("GET", "/cards", {}),
            ("POST", "/cards/moves", move),
            ("POST", f"/players/{seat}/cards/moves", move),
            ("POST", "/cards/moves", {"move": {"move": "pass_turn"}}),
            ("PATCH", f"/players/{seat}", {"name": rng.choice(["", "Max", "Mo"])}),
            ("POST", "/players/swap", {"seat": seat, "other": rng.choice(SEATS)}),
            ("POST", "/hand/reveal", {}),
            ("POST", f"/players/{seat}/hand/reveal", {}),
            ("POST", f"/players/{seat}/deal-anew", {}),
            ("POST", "/pause", {}),
            ("POST", "/resume", {}),
            ("POST", "/markers", {"seat": seat, "said": 7}),
            ("POST", "/count", {}),
        ]
        rare: list[tuple[str, str, Json]] = [
            ("POST", "/end", {}),
            ("PUT", f"/players/{seat}/computer", {"strength": "easy"}),
            ("DELETE", f"/players/{seat}/computer", {}),
            ("DELETE", f"/players/{seat}", {}),
            ("POST", "/players", {"name": seat, "colour": COLOURS[seat], "seat": seat}),
            ("POST", "/players", {"name": seat, "colour": COLOURS[seat], "seat": seat, "place": 0}),
        ]
        return rng.choice(rare if rng.random() < 0.08 else calls)

    def _recent_event(self) -> Json:
        log = self.session.feed.now().state["log"]
        return {"event": self.rng.choice(log[-6:])["seq"]}


def _ticket_json(ticket: Any) -> Json:
    return {"a": ticket.a, "b": ticket.b}


@contextmanager
def open_game(folder: Path, seed: int) -> Iterator[RunningGame]:
    """Open a game whose players have their phones, and most of them their first tickets."""
    players = tuple(Player(seat, COLOURS[seat], seat.title()) for seat in SEATS)
    started = GameStarted("usa", players, house_rules={"trains": TRAINS}, cards="phones")
    luck = random.Random(seed)
    with (
        patch.object(
            card_play, "chance", lambda: RecordingChance(luck.choice)
        ),  # a seed is one game
        GameStore(folder).create(started, 1.0) as log,
        Grabber(NoCamera()) as grabber,
        ExitStack() as stack,
    ):
        services = resting_services(folder, PhotoReading(never))
        session = GameSession(LiveTable(log, grabber, None), services.phone_access, folder)
        stack.enter_context(services.running(session))
        app = create_app(services)
        app.testing = True  # what the program stumbles over is told
        client = app.test_client(use_cookies=False)
        game = RunningGame(session, services.phone_access, client, random.Random(seed))
        for phone in PHONES:
            game.join(phone)
        for seat in SEATS:
            assert game.call(seat, "POST", "/seat", {"seat": seat}).status == 200
            if game.rng.random() < 0.2:  # who chooses later may be dealt anew first
                continue
            move = {"move": game._any_move(seat)}
            assert game.call(seat, "POST", "/cards/moves", move).status == 200
        yield game


def run_calls(folder: Path, calls: int, seed: int = 1) -> tuple[list[str], Counter[str]]:
    """Make so many calls; return what must not have happened, and how often what was answered."""
    found, answered = list[str](), Counter[str]()
    while answered.total() < calls:
        with open_game(folder, seed) as game:
            checker, rest = CallChecker(Snapshot.of(game.table)), CALLS_AFTER_END
            for _ in range(min(MOST_CALLS_A_GAME, calls - answered.total())):
                made = game.next_call(checker.speakers)
                found += [f"seed {seed}: {what}" for what in checker.faults(made, game.table)]
                named = "/".join("*" if part in SEATS else part for part in made.path.split("/"))
                is_yes = "yes" if made.status < 400 else "no"
                answered[f"{made.method} {named} {is_yes}"] += 1
                rest -= game.table.ended
                if rest <= 0:
                    break
        print(f"{answered.total()} calls, {len(found)} faults", end="\r", file=sys.stderr)
        seed += 1
    return found, answered


def main(argv: Sequence[str] | None = None) -> int:
    """Print what must not have happened, and what the calls were answered."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=100_000, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    args = parser.parse_args(argv)
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found, answered = run_calls(Path(folder), args.calls, args.seed)
    for name, count in sorted(answered.items()):
        print(f"{count:7} {name}")
    for what in found[:40]:
        print(what)
    print(f"{answered.total()} calls, {time.monotonic() - began_s:.0f} s, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
