"""Estimates of a game's length, the value of a turn, and the routes that rivals may take."""

from collections.abc import Iterable

from railspotter.scoring.board import Board, Route, RouteId
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.paths.network import parts_of

# Cards drawn in a turn that are used later. Chosen: two, less those that are left over.
USEFUL_CARDS = 1.75
USUAL_LENGTH = 3.3  # Trains of a usual claim, where routes are as long as that. Chosen.
# Probability that a player takes a free route in the next turns: one that extends the player's
# network, one that joins two of its components, any other. Chosen.
EXTENDING_RISK, JOINING_RISK, OTHER_RISK = 0.10, 0.25, 0.03
FEW_CARDS_FACTOR = 0.6  # Factor for a player with fewer cards than the route costs. Chosen.
PLAYED_SHARE = 0.75  # Share of the cards in a hand that are played before the end. Chosen.
OWN_STOCK_FACTOR = 1.3  # Factor for the turns that the player's own stock lasts. Chosen.


def turns_to_end(view: SeatView, colour: Colour) -> float:
    """Estimate the turns until a player's stock triggers the last turns."""
    position = view.position
    trains = max(0, position.trains_left(colour) - position.edition.last_round_at)
    cards = max(0.0, trains - PLAYED_SHARE * view.hand_sizes.get(colour, 0))
    longest = max((route.length for route in position.board.routes), default=1)
    return cards / USEFUL_CARDS + trains / min(USUAL_LENGTH, longest)


def turns_left(view: SeatView) -> float:
    """Estimate how many turns the player still has, including this one."""
    if view.turns_left is not None:
        return 1.0
    return 1.0 + min(
        turns_to_end(view, colour) * (OWN_STOCK_FACTOR if colour == view.colour else 1.0)
        for colour in view.position.colours
    )


def claim_risks(view: SeatView, routes: Iterable[Route]) -> dict[RouteId, float]:
    """Estimate for each route the probability that a rival takes it in the next turns."""
    position = view.position
    rivals = [
        (
            parts_of((route.a, route.b) for route in position.routes_of[colour]),
            position.trains_left(colour),
            view.hand_sizes.get(colour, 0),
        )
        for colour in position.colours
        if colour != view.colour
    ]
    found = {}
    for route in routes:
        safe = 1.0
        for parts, trains, hand in rivals:
            if trains < route.length:
                continue
            a, b = parts.get(route.a), parts.get(route.b)
            risk = (
                EXTENDING_RISK
                if (a is None) != (b is None)
                else JOINING_RISK
                if a != b
                else OTHER_RISK
            )
            safe *= 1 - risk * (FEW_CARDS_FACTOR if hand < route.length else 1.0)
        found[route.id] = 1 - safe
    return found


def average_points(edition: Edition, board: Board) -> tuple[float, float]:
    """Estimate the points of a usual turn, drawing included, and of a train.

    A player alone on the board would build the routes with the most points per turn; the last of
    them gives the points of a turn. Those of a train are the mean over all routes.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> [round(worth, 1) for worth in average_points(load_edition("usa"), load_board("usa"))]
    [3.4, 1.6]
    >>> [round(n, 1) for n in average_points(load_edition("newyork"), load_board("newyork"))]
    [1.5, 1.1]
    """
    lengths = [route.length for route in board.routes]
    points = edition.route_points
    per_turn = {n: points.get(n, 0) / (1 + n / USEFUL_CARDS) for n in lengths}
    trains, turn = edition.trains, 0.0
    for length in sorted(lengths, key=lambda n: -per_turn[n]):
        if trains <= 0:
            break
        trains -= length
        turn = per_turn[length]
    return turn, sum(points.get(n, 0) for n in lengths) / max(1, sum(lengths))
