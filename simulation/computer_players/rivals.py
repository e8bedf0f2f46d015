"""What the others are likely to do: how long the game lasts, and which routes they may take."""

from __future__ import annotations

from railspotter.scoring.board import Route
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Colour

from .open_board import parts_of

# Cards of a turn of drawing that are put to use later. Chosen: two, less those that are left over.
USEFUL_CARDS = 1.75
USUAL_LENGTH = 3.3  # Trains of a usual claim, where routes are as long as that. Chosen.
# How likely a player takes a free route in the next turns: one that goes on from the own network,
# one that joins two of its parts, any other. Chosen.
NEAR, BETWEEN, ANYWHERE = 0.10, 0.25, 0.03
POOR = 0.6  # How much of that is left for a player with fewer cards than the route takes. Chosen.
PLAYED = 0.75  # How many of the cards in a hand are played before the end. Chosen.
OWN_LEISURE = 1.3  # How many times as long one's own trains may last. Chosen.


def turns_of(view: SeatView, colour: Colour) -> float:
    """Return about how many turns a player needs until the stock brings the last turns."""
    position = view.position
    trains = max(0, position.trains_left(colour) - position.edition.last_round_at)
    cards = max(0.0, trains - PLAYED * view.hand_sizes.get(colour, 0))
    longest = max((route.length for route in position.board.routes), default=1)
    return cards / USEFUL_CARDS + trains / min(USUAL_LENGTH, longest)


def turns_left(view: SeatView) -> float:
    """Return about how many turns the player still has, this one counted.

    Nobody has to hurry to the own end, so one's own stock counts for more turns than it may take.
    """
    if view.turns_left is not None:
        return 1.0
    return 1.0 + min(
        turns_of(view, colour) * (OWN_LEISURE if colour == view.colour else 1.0)
        for colour in view.position.colours
    )


class Rivals:
    """The other players' networks, and how likely each free route is taken by one of them."""

    def __init__(self, view: SeatView) -> None:
        position = view.position
        self._parts = [
            (
                parts_of(position.routes_of[colour]),
                position.trains_left(colour),
                view.hand_sizes.get(colour, 0),
            )
            for colour in position.colours
            if colour != view.colour
        ]

    def danger(self, route: Route) -> float:
        """Return how likely somebody takes a route in the next turns."""
        safe = 1.0
        for parts, trains, hand in self._parts:
            if trains < route.length:
                continue
            a, b = parts.get(route.a), parts.get(route.b)
            if a is None and b is None:
                risk = ANYWHERE
            elif a is None or b is None:
                risk = NEAR
            else:
                risk = BETWEEN if a != b else ANYWHERE
            if hand < route.length:
                risk *= POOR
            safe *= 1 - risk
        return 1 - safe
