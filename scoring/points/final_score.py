"""The final score: every point with its line, and who has won.

Each category is one small function over the data of the edition. It takes the holdings of all
players and one colour and returns that player's lines; none where the edition's data does not use
it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..edition import Colour, TieBreak
from ..paths.longest_path import MOST_STEPS, LongestHolders, longest_holders
from ..position import Position
from ..sentence import Sentence
from .standing import (
    BrokenTie,
    Holding,
    PlayerStanding,
    ScoreLine,
    Standing,
    player_standing,
    position_standing,
    route_lines,
    ticket_line,
    winners_among,
)

Holdings = Mapping[Colour, Holding]
Category = Callable[[Holdings, Colour], list[ScoreLine]]


def tickets(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return lines that add or subtract each ticket's value, by whether its places connect.

    "If they do not successfully connect the two cities, they deduct the amount of points
    indicated."
    """
    holding = holdings[colour]
    name_of = holding.position.name_of
    return [
        ticket_line((name_of(ticket.a), name_of(ticket.b)), ticket.points, done=done)
        for ticket, done in zip(holding.tickets, holding.completed, strict=True)
    ]


def borrowed_routes(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return notes, without points, of the opponents' routes that Europe's stations use.

    "A Train Station allows its owner to use one, and only one, of the routes belonging to another
    player": the tickets' points hang on which.
    """
    position, borrowed = holdings[colour].position, holdings[colour].borrowed.routes
    name_of, routes = position.name_of, position.board.route_by_id
    what = Sentence("station in {place} borrows {a} - {b}")
    return [
        ScoreLine("borrowed", what.filled(place=name_of(city), a=name_of(a), b=name_of(b)), 0)
        for city, (a, b) in ((c, (routes[r].a, routes[r].b)) for c, r in borrowed.items())
    ]


def undecided_stations_note(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return a note, without points, if stations have more combinations than are tried."""
    untried = holdings[colour].borrowed.untried
    what = Sentence(
        "stations that are not counted, because there are too many ways to use them: {n}",
        n=len(untried),
    )
    return [ScoreLine("stations_undecided", what, 0)] if untried else []


def longest_path(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return the line of the bonus for the longest path.

    "In the case of a tie for the longest path, all tied players score the 10 point bonus." Where
    only bounds of the paths are known, whose bonus hangs on more than them has a line without
    points that says so.
    """
    edition = holdings[colour].position.edition
    if not (bonus := edition.longest_path_bonus):
        return []
    holders = longest_path_holders(holdings)
    n = holdings[colour].longest_path.at_least
    pieces = "spaces" if edition.one_piece_a_route else f"{edition.train_word}s"
    if colour in holders.sure:
        what = Sentence("longest path, {n} {pieces}", n=n, pieces=pieces)
        return [ScoreLine("longest", what, bonus)]
    if colour in holders.undecided:
        what = Sentence(
            "path of at least {n} {pieces}: it is not decided whose is the longest",
            n=n,
            pieces=pieces,
        )
        return [ScoreLine("longest_undecided", what, 0)]
    return []


def longest_path_holders(holdings: Holdings) -> LongestHolders[Colour]:
    """Return the holders of the longest path; all if nobody has trains and the edition says so."""
    paths = {colour: holding.longest_path for colour, holding in holdings.items()}
    nobody_has = not any(path.at_most for path in paths.values())
    if nobody_has and any(h.position.edition.bonus_for_none for h in holdings.values()):
        return LongestHolders(frozenset(paths), frozenset())
    return longest_holders(paths)


def globetrotter(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return the line of USA 1910's bonus for the most completed tickets; ties: each."""
    counts = {c: len(holding.completed_tickets) for c, holding in holdings.items()}
    edition = holdings[colour].position.edition
    what = Sentence("globetrotter, {n} completed tickets", n=max(counts.values()))
    line = ScoreLine("globetrotter", what, edition.globetrotter_bonus)
    is_won = counts[colour] == max(counts.values()) and (counts[colour] or edition.bonus_for_none)
    return [line] if line.points and is_won else []


def attractions(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return lines of New York's point for each attraction at an own route.

    "Finally, each player scores one point for each Tourist Attraction that is connected to one or
    more of the Routes they claimed."
    """
    holding = holdings[colour]
    points = holding.position.edition.attraction_points
    return [
        ScoreLine("attraction", Sentence("tourist attraction {place}", place=place.name), points)
        for place in holding.position.board.places
        if points and place.attraction and place.id in holding.network
    ]


def stations(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return the line of Europe's points for stations that were not built."""
    holding = holdings[colour]
    edition, built = holding.position.edition, holding.position.stations.get(colour, ())
    unused = max(0, edition.stations - len(built))
    if not unused:
        return []
    one, more = Sentence("{n} station not built"), Sentence("{n} stations not built")
    what = (one if unused == 1 else more).filled(n=unused)
    return [ScoreLine("stations", what, unused * edition.unused_station_points)]


def sites(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return lines of Philly's points for sites.

    "A site you have claimed is eligible to be scored when its station is connected to a route of
    any of your completed tickets": chosen to mean the connected part of the own network that holds
    the ticket. Beyond the printed table each site is worth one more than the one before.
    """
    holding = holdings[colour]
    board, table = holding.position.board, holding.position.edition.site_points
    if not table:
        return []
    eligible = [
        board.site_by_id[name].name
        for name in holding.position.sites_of[colour]
        if board.site_by_id[name].station in holding.ticket_network
    ]
    return [
        ScoreLine(
            "site", Sentence("site {site}, number {n}", site=name, n=i + 1), site_value(table, i)
        )
        for i, name in enumerate(eligible)
    ]


def site_value(table: tuple[int, ...], i: int) -> int:
    """Return the points of the site at index `i`.

    >>> sum(site_value((6, 7, 8), i) for i in range(12))
    138
    """
    return table[i] if i < len(table) else table[-1] + i - len(table) + 1


def modes(holdings: Holdings, colour: Colour) -> list[ScoreLine]:
    """Return the line of Philly's bonus for a route of each mode.

    "All players who have claimed a route in each of the five modes may add a 10 point bonus to
    their score, as long as each route is connected to a completed ticket."
    """
    holding = holdings[colour]
    edition = holding.position.edition
    held = {route.mode for route in holding.routes if route.a in holding.ticket_network}
    if not edition.modes or not held.issuperset(edition.modes):
        return []
    what = Sentence("a route of each of the {n} modes", n=len(edition.modes))
    return [ScoreLine("modes", what, edition.mode_bonus)]


# What is added after routes and tickets, in the order of the rulebooks.
AT_THE_END: tuple[Category, ...] = (
    borrowed_routes,
    undecided_stations_note,
    longest_path,
    globetrotter,
    attractions,
    stations,
    sites,
    modes,
)


def score_of(position: Position, most_steps: float = MOST_STEPS) -> Standing:
    """Return the final score of an ended game, or the score so far of a running one.

    The search for each player's longest path takes so many steps at most.
    """
    score = final_score if position.final else position_standing
    return score(position, most_steps)


def final_score(position: Position, most_steps: float = MOST_STEPS) -> Standing:
    """Return the final score of a game, with limited steps for each player's longest path.

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
        lines = [*route_lines(position, holding.routes), *tickets(holdings, seat.colour)]
        lines += [line for category in AT_THE_END for line in category(holdings, seat.colour)]
        left = position.trains_left(seat.colour)
        player = player_standing(seat, lines, left, holding.longest_path)
        players.append(replace(player, borrowed=holding.borrowed.routes))
    return Standing(tuple(players), *_winners(position, players, holdings))


def _winners(
    position: Position, players: list[PlayerStanding], holdings: dict[Colour, Holding]
) -> tuple[tuple[Colour, ...], tuple[BrokenTie, ...]]:
    """Return the winners, after tie-breaks, and the tie-breaks that told somebody apart.

    Nobody where it hangs on whose path is the longest, or on stations, and that is not decided.
    """
    if not players or any(holding.borrowed.untried for holding in holdings.values()):
        return (), ()
    holders = longest_path_holders(holdings)
    bonus = position.edition.longest_path_bonus
    most = max(player.total for player in players)
    tied = [player.colour for player in players if player.total == most]
    if bonus and holders.undecided:
        # Who leads wins where no bonus that is open brings anybody level, whoever gets it.
        possible = {p.colour: p.total + bonus * (p.colour in holders.undecided) for p in players}
        level = [colour for colour, total in possible.items() if total >= most]
        if level != tied or len(tied) > 1:
            return (), ()
    decide: dict[TieBreak, Callable[[Colour], int]] = {
        "completed tickets": lambda colour: len(holdings[colour].completed_tickets),
        "fewest stations": lambda colour: -len(position.stations.get(colour, ())),
        "longest path": lambda colour: holdings[colour].longest_path.at_least,
        "longest path card": lambda colour: bool(bonus) and colour in holders.sure,
    }

    def counts(tie_break: TieBreak, tied: Sequence[Colour]) -> dict[Colour, int] | None:
        paths = {colour: holdings[colour].longest_path for colour in tied}
        if tie_break == "longest path" and longest_holders(paths).undecided:
            return None
        return {colour: decide[tie_break](colour) for colour in tied}

    return winners_among(players, position.edition.tie_break, counts)
