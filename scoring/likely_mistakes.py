"""Warnings about likely typing mistakes in a game's text; rule violations are in `legality`.

They are shown with a game's score, never to a camera or a bot: a position in mid-game has none of
them, or not yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from .board import RouteId
from .legality import Problem
from .network import open_network
from .position import Position, low_stocks
from .sentence import Sentence, together


def likely_mistakes(position: Position) -> tuple[Problem, ...]:
    """Return the likely mistakes in a position; of a final one, also what no game ends with.

    What a game ends with is judged where somebody has placed two thirds of the trains: fewer are a
    few routes that somebody asks about, not a whole game.
    """
    found = [*_pointless_routes(position), *_too_many_of_a_series(position)]
    fewest = min(map(position.trains_left, position.colours), default=position.edition.trains)
    if position.final and 3 * fewest <= position.edition.trains:
        found += [*_too_few_tickets(position), *_nobody_low(position)]
    return (*found, *_ending_mistakes(position))


def _ending_mistakes(position: Position) -> tuple[Problem, ...]:
    """Return what cannot be in what a game tells of its last turns."""
    if (ending := position.last_turns) is None:
        return ()
    edition, left = position.edition, position.trains_left(ending.by)
    found = []
    if left > edition.last_round_at:
        said = Sentence(
            "the last turns began with {colour}, who has {left} pieces left; {n} or fewer bring"
            " them",
            colour=ending.by,
            left=left,
            n=edition.last_round_at,
        )
        found.append(said)
    if ending.turns_since > (players := len(position.seats)):
        said = Sentence(
            "{n} turns were taken since the last turns began; each of {players} players has one",
            n=ending.turns_since,
            players=players,
        )
        found.append(said)
    if position.final and (unplayed := position.waiting):
        colours = together(unplayed, ", ")
        found.append(
            Sentence("the game is final, but {colours} still have a last turn", colours=colours)
        )
    rule = edition.sources.get("last_round_at", "")
    return tuple(Problem("last_round_at", rule, what) for what in found)


def _pointless_routes(position: Position) -> tuple[Problem, ...]:
    """Return the lengths of a board that an edition, made for another board, gives nothing for.

    An edition without any route points is no oversight.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> position = Position(load_edition("europe"), load_board("usa"), ())
    >>> [problem.what for problem in _pointless_routes(position)]
    ['Europe (2005) has no points for routes of 5 spaces; the house rule route_points gives some']
    """
    edition, by_length = position.edition, dict[int, list[RouteId]]()
    for route in position.board.routes:
        if edition.route_points and route.length not in edition.route_points:
            by_length.setdefault(route.length, []).append(route.id)
    rule = edition.sources.get("route_points", "")
    return tuple(
        Problem(
            "route_points",
            rule,
            Sentence(
                "{title} has no points for routes of {length} spaces; the house rule route_points"
                " gives some",
                title=edition.title,
                length=length,
            ),
            tuple(routes),
        )
        for length, routes in sorted(by_length.items())
    )


def _too_many_of_a_series(position: Position) -> Iterator[Problem]:
    edition = position.edition
    for colour, tickets in position.tickets.items():
        for series, most in edition.most_of_series.items():
            if (count := sum(ticket.series == series for ticket in tickets)) > most:
                what = Sentence(
                    "{colour} holds {n} {series} tickets; each player gets {most}",
                    colour=colour,
                    n=count,
                    series=series,
                    most=most,
                )
                rule = edition.sources.get("most_of_series", "")
                yield Problem("most_of_series", rule, what, colours=(colour,))


def _too_few_tickets(position: Position) -> Iterator[Problem]:
    """Yield who kept fewer tickets than must be kept.

    Only where everyone's tickets are told: with somebody's missing, others' may be missing too.
    """
    edition = position.edition
    if not all(position.tickets.get(colour) for colour in position.colours):
        return
    for colour in position.colours:
        if (count := len(position.tickets[colour])) < edition.first_tickets[1]:
            what = Sentence(
                "{colour} has {n} tickets; at least {least} are kept",
                colour=colour,
                n=count,
                least=edition.first_tickets[1],
            )
            rule = edition.sources.get("first_tickets", "")
            yield Problem("first_tickets", rule, what, colours=(colour,))


def _nobody_low(position: Position) -> Iterator[Problem]:
    """Yield that nobody's stock has brought the last turns, though somebody could still claim."""
    if low_stocks(position) or not _goes_on(position):
        return
    edition = position.edition
    left, colour = min((position.trains_left(colour), colour) for colour in position.colours)
    what = Sentence(
        "the game is final, but nobody has {n} {pieces} or fewer left; {colour} has the fewest,"
        " {left}",
        n=edition.last_round_at,
        pieces=f"{edition.train_word}s",
        colour=colour,
        left=left,
    )
    yield Problem("last_round_at", edition.sources.get("last_round_at", ""), what)


def _goes_on(position: Position) -> bool:
    """Tell whether a route is left that somebody may claim and has the trains for."""
    by_id = position.board.route_by_id
    return any(
        name not in position.claims and by_id[name].length <= position.trains_left(colour)
        for colour in position.colours
        for _, _, name in open_network(position, colour).edges(keys=True)
    )
