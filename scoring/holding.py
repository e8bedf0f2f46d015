"""What one player's trains amount to: the facts that the scoring categories count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from .board import PlaceId, Route, SiteId
from .edition import Colour, Ticket
from .longest_path import MOST_STEPS, LongestPath, longest_path
from .network import Network, connects, player_network, route_network
from .position import Position
from .stations import Borrowing, best_borrowing


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

    @property
    def stations(self) -> tuple[PlaceId, ...]:
        """The cities in which the player built a station."""
        return self.position.stations.get(self.colour, ())

    @property
    def sites(self) -> tuple[SiteId, ...]:
        """The sites that the player claimed."""
        return self.position.sites_of[self.colour]

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
