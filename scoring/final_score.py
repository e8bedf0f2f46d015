"""The final score: every point with its line, and who has won."""

from __future__ import annotations

from collections.abc import Callable

from .categories import AT_THE_END, longest_path_holders, tickets
from .edition import Colour, TieBreak
from .holding import Holding
from .longest_path import MOST_STEPS, longest_holders
from .position import Position
from .standing import PlayerStanding, Standing, player_standing, route_lines


def final_score(position: Position, most_steps: float = MOST_STEPS) -> Standing:
    """Score a game that has ended.

    Parameters
    ----------
    most_steps : float
        How far the search for each player's longest path may go.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> usa = load_edition("usa")
    >>> red, blue = Seat("red", "Ann"), Seat("blue", "Bob")
    >>> end = final_score(Position(usa, load_board("usa"), (red, blue), {"helena--seattle": "red"}))
    >>> [(line.what, line.points) for line in end["red"].lines]
    [('route Helena - Seattle', 15), ('longest path, 6 trains', 10)]
    >>> end["red"].total, end["blue"].total, end.winners
    (25, 0, ('red',))
    """
    holdings = {colour: Holding(position, colour, most_steps) for colour in position.colours}
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
    """Return the players with the most points whom no tie-break separates.

    Nobody where it hangs on whose path is the longest, or on stations, and that is not decided.
    """
    if not players or any(holding.borrowed.untried for holding in holdings.values()):
        return ()
    holders = longest_path_holders(holdings)
    bonus = position.edition.longest_path_bonus
    most = max(player.total for player in players)
    tied = [player.colour for player in players if player.total == most]
    if bonus and holders.undecided:
        # Who leads wins where no bonus that is open brings anybody level, whoever gets it.
        possible = {p.colour: p.total + bonus * (p.colour in holders.undecided) for p in players}
        level = [colour for colour, total in possible.items() if total >= most]
        if level != tied or len(tied) > 1:
            return ()
    decide: dict[TieBreak, Callable[[Colour], int]] = {
        "completed tickets": lambda colour: len(holdings[colour].completed_tickets),
        "fewest stations": lambda colour: -len(holdings[colour].stations),
        "longest path": lambda colour: holdings[colour].longest_path.at_least,
        "longest path card": lambda colour: bool(bonus) and colour in holders.sure,
    }
    for tie_break in position.edition.tie_break:
        if tie_break == "longest path":
            paths = {colour: holdings[colour].longest_path for colour in tied}
            if len(tied) > 1 and longest_holders(paths).undecided:
                return ()
        best = max(map(decide[tie_break], tied))
        tied = [colour for colour in tied if decide[tie_break](colour) == best]
    return tuple(tied)
