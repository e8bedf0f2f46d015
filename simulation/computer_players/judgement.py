"""Estimates: how long a game lasts, the value of a turn, and which routes rivals may take."""

from __future__ import annotations

from collections.abc import Iterable

from railspotter.scoring.board import Board, Route, RouteId
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.edition import Colour, Edition

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
    """Estimate the turns until a player's stock triggers the last turns."""
    position = view.position
    trains = max(0, position.trains_left(colour) - position.edition.last_round_at)
    cards = max(0.0, trains - PLAYED * view.hand_sizes.get(colour, 0))
    longest = max((route.length for route in position.board.routes), default=1)
    return cards / USEFUL_CARDS + trains / min(USUAL_LENGTH, longest)


def turns_left(view: SeatView) -> float:
    """Estimate how many turns the player still has, this one included.

    Nobody has to hurry to the own end, so one's own stock counts for more turns than it may take.
    """
    if view.turns_left is not None:
        return 1.0
    return 1.0 + min(
        turns_of(view, colour) * (OWN_LEISURE if colour == view.colour else 1.0)
        for colour in view.position.colours
    )


def dangers(view: SeatView, routes: Iterable[Route]) -> dict[RouteId, float]:
    """Estimate the probability that each route is taken by a rival in the next turns."""
    position = view.position
    rivals = [
        (
            parts_of(position.routes_of[colour]),
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
            risk = NEAR if (a is None) != (b is None) else BETWEEN if a != b else ANYWHERE
            safe *= 1 - risk * (POOR if hand < route.length else 1.0)
        found[route.id] = 1 - safe
    return found


def usual_points(edition: Edition, board: Board) -> tuple[float, float]:
    """Estimate the average points of a turn and of a train, drawing included.

    Of a turn it is what the least of those routes brings that a player would build who had the
    board alone and took what pays best for its turns; of a train it is the mean of all routes.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> [round(worth, 1) for worth in usual_points(load_edition("usa"), load_board("usa"))]
    [3.4, 1.6]
    >>> [round(worth, 1) for worth in usual_points(load_edition("newyork"), load_board("newyork"))]
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
