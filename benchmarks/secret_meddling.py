"""What people do beside their moves while `card_secrets.py` looks on.

They leave and free seats, sit down in others, vouch, deal anew, undo, redo, correct and have cards
back. Each is a call that is made in both games alike, and what is answered is compared.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from card_secrets import Watched

OWNER, TAKER, HOST, PLAYER, GUEST = "owner", "taker", "host", "player", "guest"

# The feed's own thread may have shown what a call did in one step or in two.
NUMBER = re.compile(r'"number": \+-?\d+')


@dataclass
class Meddling:
    """People at the two games, one of whom has the seat with the secret."""

    games: Sequence[Watched]
    secret: str  # secret, other: The seat with the secret, and that of the player who must not know
    other: str
    rng: random.Random
    # Who has the secret's seat: its owner, who sees the hand; a taker or the host, who do not.
    holder: str = OWNER
    # How often each call was answered with which status.
    done: Counter[str] = field(default_factory=Counter)
    # The calls by whose answers the two games could be told apart.
    found: list[str] = field(default_factory=list)

    def meddle(self) -> None:
        """Let somebody do something, and both games go on as they are then."""
        ways = (self._seat, self._vouch, self._deal_anew, self._leave, self._undo, self._correct)
        self.rng.choice((*ways, self._have_back))()
        for game in self.games:
            game.count_from_now()

    def _call(self, who: str, method: str, path: str, body: Any = None) -> int:
        told, status = set[str](), 0
        for game in self.games:
            phone = game.owner if who == OWNER else game.phones[who]
            answer = phone.ask(method, path, body)
            status = answer.status
            text = NUMBER.sub("", game.alike(answer.content.decode()))
            told.add(f"{status} {text}")
        kind = f"{method} {path.replace(self.secret, 'SEAT').replace(self.other, 'SEAT')} {status}"
        self.done[kind] += 1
        if len(told) > 1:
            self.found.append(f"{who}: {method} {path}")
        return status

    def _seat(self) -> None:
        """Let the secret's seat change hands."""
        frees = self.rng.choice((self.holder, HOST))
        self._call(frees, "DELETE", f"/seat/{self.secret}")
        self.holder = self.rng.choice((TAKER, HOST)) if self.holder == OWNER else TAKER
        for game in self.games:
            game.phones.pop(TAKER, None)
            if self.holder == TAKER:
                code = game.running.page.session.phone_access.codes.join
                game.phones[TAKER] = game.running.phone().join(code)
        self._call(self.holder, "POST", "/seat", {"seat": self.secret})

    def _vouch(self) -> None:
        # Whom the other player vouches for sees the hand from then on, also the host.
        able = (GUEST, HOST) if self.holder == HOST else (GUEST, HOST, PLAYER)
        who = self.rng.choice(able)
        if self._call(who, "POST", "/cards/vouch", {"seat": self.secret}) == 200:
            self._let_see()

    def _deal_anew(self) -> None:
        if self.holder == HOST:
            return
        if self._call(HOST, "POST", f"/players/{self.secret}/deal-anew") == 200:
            self._let_see()

    def _let_see(self) -> None:
        for game in self.games:
            game.owner = game.phones.pop(TAKER)
        self.holder = OWNER

    def _leave(self) -> None:
        """Let the other player leave, come back, and be vouched for where somebody can."""
        self._call(PLAYER, "DELETE", f"/seat/{self.other}")
        self._call(PLAYER, "POST", "/seat", {"seat": self.other})
        if self.holder == OWNER:
            self._call(OWNER, "POST", "/cards/vouch", {"seat": self.other})

    def _undo(self) -> None:
        path = self.rng.choice(("/undo", "/undo", "/redo"))
        last = self.games[0].phones[GUEST].state()["log"][-1]["seq"]
        body = self.rng.choice(({}, {"event": self.rng.randint(1, last)}))
        self._call(self.rng.choice((HOST, PLAYER)), "POST", path, body)

    def _correct(self) -> None:
        table = self.games[0].running.log.state.table
        route = self.rng.choice(table.board.routes).id
        spots = [*table.spots, *(spot for spot in table.payments)]
        if spots and self.rng.random() < 0.7:
            route = self.rng.choice(spots).id
        held = next((held for spot, held in table.spots.items() if spot.id == route), None)
        body = {
            "kind": "route",
            "about": route,
            "was": held.colour if held else None,
            "now": self.rng.choice((None, *(player.colour for player in table.players))),
        }
        self._call(self.rng.choice((HOST, PLAYER)), "POST", "/corrections", body)

    def _have_back(self) -> None:
        paid = list(self.games[0].running.log.state.table.payments)
        if paid:
            spot = self.rng.choice(paid)
            body = {"kind": spot.kind, "about": spot.id}
            self._call(self.rng.choice((HOST, PLAYER)), "POST", "/cards/have-back", body)
