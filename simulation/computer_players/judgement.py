"""What the stationmaster weighs with: every number of the hard player, in one place."""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition

from .rivals import USEFUL_CARDS


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
