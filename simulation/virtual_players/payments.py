"""Which cards to play: the payments that a hand allows, the thriftiest first.

What is a right payment is scoring's to judge (`scoring/payment.py`); this only proposes. Stations
are the exception: they count nothing for the score but where they stand, so what they cost stands
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from railspotter.scoring import Colour, Position, Route, Site
from railspotter.scoring.card_tickets import LOCOMOTIVE, Cards
from railspotter.scoring.payment import GREY


def route_payments(route: Route, hand: Cards, needs: Mapping[str, int]) -> Iterator[Counter[str]]:
    """Yield the payments for a route: few Locomotives first, then colours that are least needed.

    Parameters
    ----------
    needs : mapping of str to int
        How many cards of each colour the player wants to keep for other routes.

    Examples
    --------
    >>> grey = Route("a--b", "a", "b", 2, "grey", ())
    >>> hand = {"red": 2, "blue": 2, "green": 1, "locomotive": 1}
    >>> [dict(cards) for cards in route_payments(grey, hand, {"blue": 4})]
    [{'red': 2}, {'blue': 2}, {'green': 1, 'locomotive': 1}]
    """
    locomotives = hand.get(LOCOMOTIVE, 0)
    found = []
    for colour, count in hand.items():
        if colour == LOCOMOTIVE or not count or route.colour not in (*GREY, colour):
            continue
        engines = max(route.ferry_locomotives, route.length - count)
        if engines <= locomotives and engines < route.length:
            found.append((engines, needs.get(colour, 0), colour))
    for engines, _, colour in sorted(found):
        paid = Counter({colour: route.length - engines, LOCOMOTIVE: engines})
        yield +paid
    if locomotives >= route.length:
        yield Counter({LOCOMOTIVE: route.length})


def tunnel_addition(cards: Cards, hand: Cards, more: int) -> Counter[str] | None:
    """Return the additional cards for a tunnel, or None when the hand does not have them.

    Parameters
    ----------
    cards : mapping of str to int
        What was laid down for the tunnel; the hand still holds them.

    Examples
    --------
    >>> hand = {"red": 3, "locomotive": 1}
    >>> dict(tunnel_addition({"red": 2}, hand, 2)), tunnel_addition({"red": 2}, hand, 3)
    ({'red': 1, 'locomotive': 1}, None)
    """
    colour = next((card for card in cards if card != LOCOMOTIVE), LOCOMOTIVE)
    of_colour = min(more, hand.get(colour, 0) - cards[colour])
    engines = more - of_colour
    if engines > hand.get(LOCOMOTIVE, 0) - cards.get(LOCOMOTIVE, 0) * (colour != LOCOMOTIVE):
        return None
    if colour == LOCOMOTIVE:
        return None if engines else +Counter({LOCOMOTIVE: of_colour})
    return +Counter({colour: of_colour, LOCOMOTIVE: engines})


def site_payment(site: Site, hand: Cards) -> Counter[str] | None:
    """Return the cards for a site: one of each of its colours, a Locomotive for one missing."""
    engines = sum(not hand.get(colour, 0) for colour in site.colours)
    if engines > hand.get(LOCOMOTIVE, 0) or not site.colours:
        return None
    own = {colour: 1 for colour in site.colours if hand.get(colour, 0)}
    return +Counter({**own, LOCOMOTIVE: engines})


def station_cost(position: Position, colour: Colour) -> int:
    """Return how many cards the player's next station costs.

    "To build his first Station, a player plays and discards a single Train card from his hand [...]
    To build his second Station, a player must play and discard a set of two cards of the same
    color, and to build his third Station, a set of three cards of the same color." (Europe)
    """
    return len(position.stations.get(colour, ())) + 1


def station_payment(count: int, hand: Cards, needs: Mapping[str, int]) -> Counter[str] | None:
    """Return that many cards of one colour, a Locomotive for each one missing.

    Examples
    --------
    >>> dict(station_payment(2, {"red": 1, "locomotive": 2}, {}))
    {'red': 1, 'locomotive': 1}
    """
    anything = Route("a--b", "a", "b", count, GREY[0], ())
    return next(route_payments(anything, hand, needs), None)


def is_station_payment(count: int, cards: Cards) -> bool:
    """Whether these cards pay for a station.

    Examples
    --------
    >>> is_station_payment(2, {"red": 1, "blue": 1}), is_station_payment(1, {"locomotive": 1})
    (False, True)
    """
    colours = [card for card, played in cards.items() if played and card != LOCOMOTIVE]
    return len(colours) <= 1 and sum(cards.values()) == count
