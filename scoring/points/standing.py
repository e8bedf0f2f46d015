"""Standings: everyone's score so far, and what one player's trains amount to."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import networkx as nx

from ..board import PlaceId, Route, RouteId
from ..edition import Colour, Ticket, TieBreak
from ..paths.longest_path import MOST_STEPS, LongestPath, longest_path
from ..paths.network import Network, connects, player_network, route_network
from ..position import Position, Seat
from ..sentence import Sentence
from .stations import Borrowing, best_borrowing

# Kinds of score lines.
LineKind = Literal[
    "route",
    "ticket_done",
    "ticket_open",
    "longest",
    "longest_undecided",
    "globetrotter",
    "attraction",
    "borrowed",
    "stations",
    "stations_undecided",
    "tickets_undecided",
    "site",
    "modes",
    "city",
]


NO_PATH = LongestPath()


@dataclass(frozen=True)
class Holding:
    """One player's part of a position."""

    position: Position
    colour: Colour
    most_steps: float = MOST_STEPS  # how far the search for the longest path may go

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes that the player claimed."""
        return self.position.routes_of[self.colour]

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """The tickets that the player kept."""
        return self.position.tickets.get(self.colour, ())

    @cached_property
    def network(self) -> Network:
        """The player's own routes and their ends."""
        return player_network(self.position, self.colour)

    @cached_property
    def longest_path(self) -> LongestPath:
        """The longest continuous path of the player's own routes."""
        return longest_path(self.network, self.most_steps)

    @cached_property
    def borrowed(self) -> Borrowing:
        """The opponents' routes that the stations use."""
        return best_borrowing(self.position, self.colour)

    @cached_property
    def completed(self) -> tuple[bool, ...]:
        """For each ticket, whether a continuous path connects its places."""
        network = self.network
        if routes := self.borrowed.routes:
            by_id = self.position.board.route_by_id
            borrowed = (by_id[name] for name in routes.values())
            network = route_network((*self.routes, *borrowed))
        return tuple(connects(network, ticket.a, ticket.b) for ticket in self.tickets)

    @cached_property
    def completed_tickets(self) -> tuple[Ticket, ...]:
        """The tickets whose places are connected."""
        return tuple(t for t, done in zip(self.tickets, self.completed, strict=True) if done)

    @cached_property
    def ticket_network(self) -> frozenset[PlaceId]:
        """The places that own routes connect with a ticket which these routes complete."""
        return frozenset(
            place
            for ticket in self.completed_tickets
            if connects(self.network, ticket.a, ticket.b)
            for place in nx.node_connected_component(self.network, ticket.a)
        )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points and their source."""

    kind: LineKind  # what kind of thing it is; lines of one kind have the same values in `what`
    what: Sentence
    points: int


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """One player's score."""

    colour: Colour
    name: str
    # route_points, ticket_points: The parts of `total` that came from routes and from tickets.
    route_points: int
    ticket_points: int
    trains_left: int  # the stock; below 0 when more trains are seen than there are
    longest_path: LongestPath  # of the own routes, whether or not a bonus hangs on it
    lines: tuple[ScoreLine, ...]  # every point with what it came from; they add up to `total`
    total: int
    # Europe, at the end: the opponents' routes that complete tickets, by the stations' cities.
    borrowed: Mapping[PlaceId, RouteId] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BrokenTie:
    """A tie-break that told some of those apart who were tied until then."""

    by: TieBreak
    left: tuple[Colour, ...]  # who is still tied after it; who has won after the last one


@dataclass(frozen=True, slots=True)
class Standing:
    """All players' scores, in turn order."""

    players: tuple[PlayerStanding, ...]
    # Colours, once the game has ended; several share the victory. Empty where the longest path,
    # stations or the choice of tickets decide and only bounds are known.
    winners: tuple[Colour, ...] = ()
    # What told the winners from others with as many points, in turn.
    ties_broken: tuple[BrokenTie, ...] = ()

    @property
    def decided_by(self) -> TieBreak | None:
        """The last tie-break that told somebody apart; None where nothing had to."""
        return self.ties_broken[-1].by if self.ties_broken else None

    def __getitem__(self, colour: Colour) -> PlayerStanding:
        for player in self.players:
            if player.colour == colour:
                return player
        raise KeyError(colour)


def position_standing(position: Position, most_steps: float = MOST_STEPS) -> Standing:
    """Return everyone's score so far: routes only, without tickets and bonuses.

    Tickets are secret until the final scoring, and bonuses are nobody's before it. The search for
    each player's longest path takes so many steps at most.
    """
    return Standing(
        tuple(
            player_standing(
                seat,
                route_lines(position, position.routes_of[seat.colour]),
                position.trains_left(seat.colour),
                Holding(position, seat.colour, most_steps).longest_path,
            )
            for seat in position.seats
        )
    )


def player_standing(
    seat: Seat,
    lines: Iterable[ScoreLine],
    trains_left: int = 0,
    longest_path: LongestPath = NO_PATH,
) -> PlayerStanding:
    """Return a player's score, which its lines add up to."""
    points, lines = Counter[str](), tuple(lines)
    for line in lines:
        points[line.kind] += line.points
    return PlayerStanding(
        seat.colour,
        seat.name,
        route_points=points["route"],
        ticket_points=points["ticket_done"] + points["ticket_open"],
        trains_left=trains_left,
        longest_path=longest_path,
        lines=lines,
        total=points.total(),
    )


def winners_among(
    players: Sequence[PlayerStanding],
    tie_breaks: Iterable[TieBreak],
    counts: Callable[[TieBreak, Sequence[Colour]], Mapping[Colour, int] | None],
) -> tuple[tuple[Colour, ...], tuple[BrokenTie, ...]]:
    """Return the winners, after tie-breaks, and the tie-breaks that told somebody apart.

    `counts` are what a tie-break compares of those who are tied; nobody wins where it is None.
    """
    most = max((player.total for player in players), default=0)
    tied = [player.colour for player in players if player.total == most]
    broken: tuple[BrokenTie, ...] = ()
    for tie_break in tie_breaks:
        if len(tied) < 2:
            break
        if (count := counts(tie_break, tied)) is None:
            return (), ()
        best = [colour for colour in tied if count[colour] == max(map(count.__getitem__, tied))]
        if len(best) < len(tied):
            broken = (*broken, BrokenTie(tie_break, tuple(best)))
        tied = best
    return tuple(tied), broken


def ticket_line(places: Sequence[str], points: int, *, done: bool) -> ScoreLine:
    """Return the line of a ticket's points, negative if it is not completed.

    >>> ticket_line(["Denver", "El Paso"], 4, done=False)
    ScoreLine(kind='ticket_open', what='ticket Denver - El Paso, not completed', points=-4)
    """
    ends = " - ".join(places)
    if done:
        return ScoreLine("ticket_done", Sentence("ticket {ends}, completed", ends=ends), points)
    return ScoreLine("ticket_open", Sentence("ticket {ends}, not completed", ends=ends), -points)


def route_lines(position: Position, routes: Iterable[Route]) -> list[ScoreLine]:
    """Return the lines of routes' points, by their lengths.

    A length that the edition's table does not name scores nothing; `likely_mistakes` tells it.
    """
    points = position.edition.route_points
    return [
        ScoreLine(
            "route",
            Sentence("route {a} - {b}", a=position.name_of(route.a), b=position.name_of(route.b)),
            points.get(route.length, 0),
        )
        for route in routes
    ]
