"""The final score: every point with its line, and who has won."""

from __future__ import annotations

from collections.abc import Callable

from .categories import AT_THE_END, longest_path, tickets
from .edition import Colour, TieBreak
from .holding import Holding
from .position import Position
from .standing import PlayerStanding, Standing, player_standing, route_lines


def final_score(position: Position) -> Standing:
    """Score a game that has ended.

    Examples
    --------
    >>> from railspotter.scoring import Position, Seat, load_board, load_edition
    >>> usa = load_edition("usa")
    >>> red, blue = Seat("red", "Ann"), Seat("blue", "Bob")
    >>> end = final_score(Position(usa, load_board("usa"), (red, blue), {"helena--seattle": "red"}))
    >>> [(line.what, line.points) for line in end["red"].lines]
    [('route Helena - Seattle', 15), ('longest path, 6 trains', 10)]
    >>> end["red"].total, end["blue"].total, end.winners
    (25, 0, ('red',))
    """
    holdings = {colour: Holding(position, colour) for colour in position.colours}
    players = []
    for seat in position.seats:
        holding = holdings[seat.colour]
        more = [line for category in AT_THE_END for line in category(holdings, seat.colour)]
        routes = route_lines(position, holding.routes)
        tickets_kept = tickets(holdings, seat.colour)
        players.append(player_standing(holding, seat.name, routes, tickets_kept, *more))
    return Standing(tuple(players), _winners(position, players, holdings))


def _winners(
    position: Position, players: list[PlayerStanding], holdings: dict[Colour, Holding]
) -> tuple[Colour, ...]:
    """Return the players with the most points whom no tie-break separates."""
    if not players:
        return ()
    most = max(player.total for player in players)
    tied = [player.colour for player in players if player.total == most]
    card_holders = {c for c in position.colours if longest_path(holdings, c)}
    decide: dict[TieBreak, Callable[[Colour], int]] = {
        "completed tickets": lambda colour: len(holdings[colour].completed_tickets),
        "fewest stations": lambda colour: -len(holdings[colour].stations),
        "longest path": lambda colour: holdings[colour].longest_path.length,
        "longest path card": lambda colour: colour in card_holders,
    }
    for tie_break in position.edition.tie_break:
        best = max(map(decide[tie_break], tied))
        tied = [colour for colour in tied if decide[tie_break](colour) == best]
    return tuple(tied)
