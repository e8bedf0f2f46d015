"""The rules of an edition in sentences, as people at a table are told them."""

from collections.abc import Iterator

from .board import Board
from .edition import Edition, load_edition, ticket_deck
from .sentence import Sentence, together

RETURNED = {
    "bottom of the deck": Sentence("first tickets that are not kept go under the deck"),
    "out of the game": Sentence("first tickets that are not kept leave the game"),
    "shuffled in": Sentence("first tickets that are not kept are shuffled into the deck"),
}
PIECES = {"train": Sentence("trains"), "taxi": Sentence("taxis"), "shape": Sentence("shapes")}
POINTS = {
    "longest_path_bonus": Sentence("points for the longest path, for everyone who is tied: {n}"),
    "globetrotter_bonus": Sentence(
        "points for the most completed tickets, for everyone who is tied: {n}"
    ),
    "attraction_points": Sentence("points for each tourist attraction at an own route: {n}"),
    "unused_station_points": Sentence("points for each station that is not built: {n}"),
}
TIE_BREAKS = {
    "completed tickets": Sentence("the most completed tickets"),
    "fewest stations": Sentence("the fewest stations built"),
    "longest path": Sentence("the longest path among those who are tied"),
    "longest path card": Sentence("the card for the longest path"),
    "bonus cards": Sentence("the most bonus cards"),
}
# What there has to be for a tie-break to tell anybody apart.
NEEDS = {"fewest stations": "stations", "longest path card": "longest_path_bonus"}


def rules_in_words(edition: Edition, board: Board | None = None) -> Iterator[Sentence]:
    """Yield the rules that tell editions apart, house rules included; by default on its board.

    >>> for said in rules_in_words(load_edition("usa-10th")):
    ...     print(said)
    each player has 45 trains; 2 or fewer left bring one last turn for everyone
    3 tickets are dealt at the beginning, and 2 or more of them kept
    first tickets that are not kept leave the game
    3 tickets are drawn later, and 1 or more of them kept; the others go under the deck
    both lanes of a double route are open from 4 players on
    points for a route of 1, 2, 3, 4, 5, 6 spaces: 1, 2, 4, 7, 10, 15
    points for the longest path, for everyone who is tied: 10
    who is tied for the win is told apart by: the most completed tickets, the longest path among \
those who are tied; else the victory is shared
    """
    yield Sentence(
        "each player has {n} {pieces}; {least} or fewer left bring one last turn for everyone",
        n=edition.trains,
        pieces=PIECES[edition.train_word],
        least=edition.last_round_at,
    )
    if edition.one_piece_a_route:
        yield Sentence("one piece marks a route; the others of its spaces go back into the box")
    dealt, kept = edition.first_tickets
    yield Sentence(
        "{n} tickets are dealt at the beginning, and {kept} or more of them kept",
        n=dealt,
        kept=kept,
    )
    deck = ticket_deck(edition, board) if board else edition.tickets
    if any(ticket.series == "long" for ticket in deck):
        yield Sentence("one of the first tickets is a long one")
    yield RETURNED[edition.returned_first_tickets]
    drawn, kept = edition.later_tickets
    yield Sentence(
        "{n} tickets are drawn later, and {kept} or more of them kept; the others go under the"
        " deck",
        n=drawn,
        kept=kept,
    )
    if edition.replaced_locomotive:
        yield Sentence("a face-up Locomotive that replaced the first card may be the second")
    both = Sentence("both lanes of a double route are open from {n} players on")
    open_from = edition.double_routes_open_from
    one = Sentence("only one lane of a double route can be claimed")
    yield both.filled(n=open_from) if open_from <= edition.players[1] else one
    yield from _points(edition)
    told_by = [w for w in edition.tie_break if w not in NEEDS or getattr(edition, NEEDS[w])]
    ways = [TIE_BREAKS[way] for way in told_by]
    told = Sentence("who is tied for the win is told apart by: {ways}; else the victory is shared")
    shared = Sentence("who is tied for the win shares the victory")
    yield told.filled(ways=together(ways, ", ")) if ways else shared


def _points(edition: Edition) -> Iterator[Sentence]:
    """Yield what gives points, beside tickets."""
    by_length = dict(sorted(edition.route_points.items()))
    yield Sentence(
        "points for a route of {lengths} spaces: {points}",
        lengths=", ".join(map(str, by_length)),
        points=", ".join(map(str, by_length.values())),
    )
    if not edition.longest_path_bonus:
        yield Sentence("the longest path brings no points")
    if edition.stations:
        yield Sentence("stations of each player: {n}", n=edition.stations)
    for name, said in POINTS.items():
        worth = getattr(edition, name)
        if worth and (edition.stations or name != "unused_station_points"):
            yield said.filled(n=worth)
    if edition.site_points:
        yield Sentence(
            "points for the first, second, ... site that is connected with a completed ticket:"
            " {points}",
            points=", ".join(map(str, edition.site_points)),
        )
    if edition.modes:
        yield Sentence(
            "points for a route of each mode {modes}, all connected with completed tickets: {n}",
            modes=", ".join(edition.modes),
            n=edition.mode_bonus,
        )


def other_rules(edition: Edition) -> tuple[Sentence, ...]:
    """Return the rules of an edition that are not those of the plainest one on its board.

    >>> for said in other_rules(load_edition("usa-accessible")):
    ...     print(said)
    each player has 45 shapes; 2 or fewer left bring one last turn for everyone
    one piece marks a route; the others of its spaces go back into the box
    >>> other_rules(load_edition("usa"))
    ()
    """
    plainest = set(rules_in_words(load_edition(edition.board)))
    return tuple(said for said in rules_in_words(edition) if said not in plainest)
