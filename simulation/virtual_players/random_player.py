"""Players who make any move that the rules allow: what a dealer has to stand."""

from __future__ import annotations

import random

from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    PassTurn,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.payments import tunnel_additions
from railspotter.scoring.dealing.rules import every_spot, legal_payments
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Colour
from railspotter.scoring.spot import Spot

# Spots that a player looks at before drawing cards instead: who looks at none hoards cards until
# none is left. Chosen.
TRIES = (0, 2, 4, 8)
TICKETS = 0.04  # How many of the turns go for tickets. Chosen.
LEAVING = 0.2  # How many tunnels are left that could be paid for. Chosen.


class RandomPlayer:
    """A player without any plan."""

    def __init__(self, colour: Colour, rng: random.Random) -> None:
        self.colour = colour
        self._rng = rng
        self._tries = rng.choice(TRIES)
        self._spots: list[Spot] = []

    def move(self, view: SeatView) -> Move:
        """Choose the next move of the own turn."""
        rng = self._rng
        if view.offered:
            count = rng.randint(view.at_least, len(view.offered))
            return KeepTickets(ticket_texts(rng.sample(view.offered, count)))
        if view.tunnel is not None:
            ways = list(tunnel_additions(view.tunnel.cards, view.hand, view.tunnel.more))
            if not ways or rng.random() < LEAVING:
                return LeaveTunnel()
            return PayMore(dict(rng.choice(ways)))
        if view.drawn:
            return DrawCard(rng.choice(self._draws(view)))
        return self._begin_turn(view)

    def _begin_turn(self, view: SeatView) -> Move:
        spots = self._all_spots(view)
        if paid := self._claim(view, self._rng.choices(spots, k=self._tries)):
            return paid
        if view.can_draw_tickets and self._rng.random() < TICKETS:
            return DrawTickets()
        if draws := self._draws(view):
            return DrawCard(self._rng.choice(draws))
        if paid := self._claim(view, self._rng.sample(spots, len(spots))):
            return paid
        return DrawTickets() if view.can_draw_tickets else PassTurn()

    def _claim(self, view: SeatView, spots: list[Spot]) -> Pay | None:
        for spot in spots:
            ways = list(legal_payments(view.position, view.hand, self.colour, spot))
            if ways:
                return Pay(spot.kind, spot.id, dict(self._rng.choice(ways)))
        return None

    def _draws(self, view: SeatView) -> list[int | None]:
        places = (None, *range(len(view.face_up)))
        return [place for place in places if view.can_draw(place)]

    def _all_spots(self, view: SeatView) -> list[Spot]:
        if not self._spots:
            self._spots = list(every_spot(view.position))
        return self._spots
