"""What the stationmaster weighs with: the hard player's numbers, and what rivals may want."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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


def dangers(view: SeatView, routes: Iterable[Route]) -> dict[RouteId, float]:
    """Return how likely each of some routes is taken by somebody else in the next turns."""
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


@dataclass(frozen=True, slots=True)
class Judgement:
    """The weights of a player's judgement, chosen by playing against the medium one.

    Values are points unless something else is said; a usual turn is that of `usual_points`.
    """

    turn: float = 1.0  # what a turn, and a train, is worth: times what it usually brings
    train: float = 0.3
    # what a route on a ticket's way costs at least, however much it brings by itself
    floor: float = 0.4
    fear: float = 2.0  # what a route costs more that others are sure to take
    # how much of a card in the hand counts as played already, for coloured and grey routes
    held: float = 0.6
    held_alike: float = 0.4
    tunnel: float = 1.0  # how many cards a tunnel asks for more, on average
    # what it is worth that a route goes on from the own network, where a longest path counts
    path: float = 0.5
    # so many turns more than are left by guess may be planned before a ticket is given up
    slack: float = 3.0
    # how likely a ticket is completed for which trains and turns suffice, and how much less for
    # each one beside it
    sure: float = 0.97
    each: float = 0.02
    # from this share of the trains or turns that are left, plans fail more and more often
    tight_from: float = 0.8
    fillers: int = 4  # how many routes are collected for beside the tickets'
    # how much their cards count beside the tickets', and how much more those of threatened routes
    filler_weight: float = 0.5
    urgent: float = 0.1
    # what claiming a route of a ticket's way is worth now, and how much its points count in the
    # order in which such routes are claimed
    planned: float = 3.0
    planned_points: float = 0.3
    # how much of the time counts that cards in hand took, when a route beside the plan is claimed
    # with them
    card: float = 0.5
    no_tickets_from: float = 8.0  # nobody draws tickets whose best claim is worth so much
    draw_turns: float = 5.0  # nobody draws tickets with fewer turns left
    # share of the turns that are left which the plan may take when tickets are drawn, and which
    # it may take with the new one
    draw_busy: float = 0.3
    draw_time: float = 0.7
    draw_trains: float = 0.9  # share of the spare trains that a new ticket may take
    draw_sure: float = 0.9  # how likely a new ticket is completed that fits


def usual_points(edition: Edition, board: Board) -> tuple[float, float]:
    """Return what a turn and a train usually bring, drawing included.

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
