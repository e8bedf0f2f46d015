"""The rules of an edition in sentences, as people at a table are told them."""

from __future__ import annotations

from collections.abc import Iterator

from .edition import Edition, load_edition
from .sentence import Sentence, together

RETURNED = {
    "bottom of the deck": Sentence("first tickets that are not kept go under the deck"),
    "out of the game": Sentence("first tickets that are not kept leave the game"),
    "shuffled in": Sentence("first tickets that are not kept are shuffled into the deck"),
}
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


def rules_in_words(edition: Edition) -> Iterator[Sentence]:
    """Yield the rules that set one edition with a board apart from another, house rules included.

    Examples
    --------
    >>> for said in rules_in_words(load_edition("usa-10th")):
    ...     print(said)
    each player has 45 trains; 2 or fewer left bring one last turn for everyone
    3 tickets are dealt at the beginning, and 2 or more of them kept
    first tickets that are not kept leave the game
    3 tickets are drawn later, and 1 or more of them kept; the others go under the deck
    both lanes of a double route are open from 4 players on
    points for the longest path, for everyone who is tied: 10
    who is tied for the win is told apart by: the most completed tickets, the longest path among \
those who are tied; else the victory is shared
    """
    pieces, n = f"{edition.train_word}s", edition.trains
    yield Sentence(
        "each player has {n} {pieces}; {least} or fewer left bring one last turn for everyone",
        n=n,
        pieces=pieces,
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
    yield RETURNED[edition.returned_first_tickets]
    drawn, kept = edition.later_tickets
    yield Sentence(
        "{n} tickets are drawn later, and {kept} or more of them kept; the others go under the"
        " deck",
        n=drawn,
        kept=kept,
    )
    yield Sentence(
        "both lanes of a double route are open from {n} players on",
        n=edition.double_routes_open_from,
    )
    yield from _points(edition)
    yield Sentence(
        "who is tied for the win is told apart by: {ways}; else the victory is shared",
        ways=together((TIE_BREAKS[way] for way in edition.tie_break), ", "),
    )


def _points(edition: Edition) -> Iterator[Sentence]:
    """Yield what gives points at the end, beside routes and tickets."""
    for name, said in POINTS.items():
        if (points := getattr(edition, name)) or name == "longest_path_bonus":
            yield said.filled(n=points)
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

    Examples
    --------
    >>> for said in other_rules(load_edition("usa-accessible")):
    ...     print(said)
    each player has 45 shapes; 2 or fewer left bring one last turn for everyone
    one piece marks a route; the others of its spaces go back into the box
    >>> other_rules(load_edition("usa"))
    ()
    """
    plainest = set(rules_in_words(load_edition(edition.board)))
    return tuple(said for said in rules_in_words(edition) if said not in plainest)
