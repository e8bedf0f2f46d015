"""Choosing the move of a player's last turn, which only has to score."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from math import comb

from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.moves import DrawTickets, Move, Pay
from railspotter.scoring.edition import Ticket, ticket_deck
from railspotter.scoring.paths.network import connects
from railspotter.scoring.points.final_score import AT_THE_END, tickets
from railspotter.scoring.points.standing import Holding, route_lines
from railspotter.scoring.position import Position
from railspotter.scoring.spot import Spot

from .cards import payment
from .open_board import OpenBoard

# How far each search for a longest path may go: some hundredths of a second. Chosen.
PATH_STEPS = 20_000


def best_last_move(view: SeatView) -> Move | None:
    """Return the move that adds most to the player's final score; None if none adds anything."""
    position, colour = view.position, view.colour
    holdings = {c: Holding(position, c, PATH_STEPS) for c in position.colours}

    def total(there: Position) -> int:
        own = Holding(there, colour, PATH_STEPS)
        after = {**holdings, colour: own}
        lines = [*route_lines(there, own.routes), *tickets(after, colour)]
        lines += [line for category in AT_THE_END for line in category(after, colour)]
        return sum(line.points for line in lines)

    now = total(position)
    best: tuple[float, Move | None] = 0.0, None
    for spot in _spots(view, has_open_tickets=not all(holdings[colour].completed)):
        paid = payment(position, colour, view.hand, spot, ())
        if paid is None or not may_claim(position, colour, spot):
            continue
        gain = total(with_spot(position, colour, spot)) - now
        if gain > best[0]:
            best = gain, Pay(spot.kind, spot.id, dict(paid[1]))
    if view.can_draw_tickets:
        network = holdings[colour].network
        worths = [
            float(t.points if connects(network, t.a, t.b) else -t.points)
            for t in unseen_tickets(view)
        ]
        drawn = min(view.tickets_left, position.edition.later_tickets[0])
        if expected_draw(worths, drawn) > best[0]:
            return DrawTickets()
    return best[1]


def _spots(view: SeatView, *, has_open_tickets: bool) -> Iterator[Spot]:
    position = view.position
    for name in OpenBoard(position, view.colour).free:
        yield Spot("route", name)
    for site in position.board.sites:
        yield Spot("site", site.id)
    if has_open_tickets:
        yield from station_spots(view)


def station_spots(view: SeatView) -> Iterator[Spot]:
    """Yield the cities where the player can build a station that would borrow a route."""
    position, colour = view.position, view.colour
    if len(position.stations.get(colour, ())) < position.edition.stations:
        lent = [position.board.route_by_id[n] for n, c in position.claims.items() if c != colour]
        for place in dict.fromkeys(end for route in lent for end in (route.a, route.b)):
            yield Spot("station", place)


def with_spot(position: Position, colour: str, spot: Spot) -> Position:
    """Return a copy of the position with a spot claimed or built."""
    match spot.kind:
        case "route":
            return replace(position, claims={**position.claims, spot.id: colour})
        case "site":
            return replace(position, sites={**position.sites, spot.id: colour})
        case "station":
            built = (*position.stations.get(colour, ()), spot.id)
            return replace(position, stations={**position.stations, colour: built})


def unseen_tickets(view: SeatView) -> list[Ticket]:
    """Return the tickets that may be in the deck: not the player's own, nor the long ones.

    Undealt tickets of a series with a limit per player stay in the box.
    """
    position = view.position
    own: Collection[Ticket] = position.tickets.get(view.colour, ())
    deck = ticket_deck(position.edition, position.board)
    in_box = position.edition.most_of_series
    return [ticket for ticket in deck if ticket not in own and ticket.series not in in_box]


def expected_draw(worths: Iterable[float], drawn: int) -> float:
    """Return the expected value of drawing tickets and keeping the good ones, at least one.

    `worths` are the values of all tickets that may be drawn, `drawn` their number.

    >>> expected_draw([4, -2, -6], 1)
    -1.3333333333333333
    >>> expected_draw([4, -2, -6], 2)
    2.0
    """
    ordered = sorted(worths)
    n = len(ordered)
    drawn = min(drawn, n)
    if not drawn:
        return 0.0
    good = sum(worth for worth in ordered if worth > 0) * drawn / n
    # If all drawn ones are bad, the least bad one is kept.
    bad = [worth for worth in ordered if worth <= 0]
    return good + sum(w * comb(i, drawn - 1) for i, w in enumerate(bad)) / comb(n, drawn)
