"""Which cards pay for what: every payment that a hand allows, the thriftiest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ..board import Route, Site
from ..card_tickets import LOCOMOTIVE, Cards
from ..edition import Colour
from ..legality import Problem
from ..payment import GREY, payment_problems, site_payment_problems
from ..position import Position
from ..sentence import Sentence
from ..spot import Spot


@dataclass(frozen=True)
class StationPrice:
    """What a station costs: so many cards of one colour.

    "To build his first Station, a player plays and discards a single Train card from his hand [...]
    To build his second Station, a player must play and discard a set of two cards of the same
    color, and to build his third Station, a set of three cards of the same color." (Europe)
    """

    cards: int


Price = Route | Site | StationPrice  # what is paid for


def price_of(position: Position, colour: Colour, spot: Spot) -> Price:
    """Return what a player would pay for.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> from railspotter.scoring.spot import Spot
    >>> europe = load_edition("europe"), load_board("europe"), (Seat("red"), Seat("blue"))
    >>> position = Position(*europe, stations={"red": ("paris",)})
    >>> price_of(position, "red", Spot("station", "berlin"))
    StationPrice(cards=2)
    """
    match spot.kind:
        case "route":
            return position.board.route_by_id[spot.id]
        case "site":
            return position.board.site_by_id[spot.id]
        case "station":
            return StationPrice(len(position.stations.get(colour, ())) + 1)


def price_problems(position: Position, price: Price, cards: Cards) -> tuple[Problem, ...]:
    """Return what is wrong with the cards that are laid down; a tunnel's three come after."""
    if isinstance(price, Site):
        return site_payment_problems(position.edition, price, cards)
    if isinstance(price, StationPrice):
        colours = [card for card, played in cards.items() if played and card != LOCOMOTIVE]
        if len(colours) <= 1 and sum(cards.values()) == price.cards:
            return ()
        what = Sentence("the station takes {n} cards of one colour", n=price.cards)
        return (Problem("station_cards", position.edition.sources.get("stations", ""), what),)
    return payment_problems(position.edition, price, cards)


def payments(price: Price, hand: Cards) -> Iterator[Counter[str]]:
    """Yield every payment that a hand allows: few Locomotives first, then the larger sets.

    Examples
    --------
    >>> grey = Route("a--b", "a", "b", 2, "grey", ())
    >>> hand = {"red": 2, "green": 1, "locomotive": 1}
    >>> [dict(cards) for cards in payments(grey, hand)]
    [{'red': 2}, {'red': 1, 'locomotive': 1}, {'green': 1, 'locomotive': 1}]
    """
    if isinstance(price, Site):
        yield from _site_payments(price, hand)
        return
    if isinstance(price, StationPrice):
        length, least, allowed = price.cards, 0, GREY[0]
    else:
        length, least, allowed = price.length, price.ferry_locomotives, price.colour
    own = Counter(hand)
    for engines in range(least, min(length, own[LOCOMOTIVE]) + 1):
        if engines == length:
            yield Counter({LOCOMOTIVE: engines})
            return
        for colour, count in own.most_common():
            fits = colour != LOCOMOTIVE and allowed in (*GREY, colour)
            if fits and count >= length - engines:
                yield +Counter({colour: length - engines, LOCOMOTIVE: engines})


def _site_payments(site: Site, hand: Cards) -> Iterator[Counter[str]]:
    own = Counter(hand)
    for engines in range(len(site.colours) + 1):
        for missing in range(1 << len(site.colours)):
            if missing.bit_count() != engines or engines > own[LOCOMOTIVE]:
                continue
            kept = [c for i, c in enumerate(site.colours) if not missing >> i & 1]
            if all(own[colour] for colour in kept):
                yield +Counter({**dict.fromkeys(kept, 1), LOCOMOTIVE: engines})


def tunnel_additions(cards: Cards, hand: Cards, more: int) -> Iterator[Counter[str]]:
    """Yield every way to play the additional cards for a tunnel, few Locomotives first.

    Parameters
    ----------
    cards : mapping of str to int
        What was laid down for the tunnel; the hand still holds them.

    Examples
    --------
    >>> hand = {"red": 3, "locomotive": 1}
    >>> [dict(added) for added in tunnel_additions({"red": 2}, hand, 2)]
    [{'red': 1, 'locomotive': 1}]
    >>> list(tunnel_additions({"red": 2}, hand, 3))
    []
    """
    left = Counter(hand) - Counter(cards)
    colour = next((card for card, n in cards.items() if n and card != LOCOMOTIVE), None)
    for engines in range(more + 1):
        plain = more - engines
        if engines > left[LOCOMOTIVE] or (plain and (colour is None or plain > left[colour])):
            continue
        yield +Counter({**({colour: plain} if colour else {}), LOCOMOTIVE: engines})
