"""Checks claims and payments: whether a player may claim a spot, and which cards pay.

`legality.py` judges positions as a camera sees them and names everything that is wrong. Here one
claim is judged by itself, so that what is wrong elsewhere on a board forbids nothing. Then: what is
wrong with a payment, and every payment that a hand allows, for ferries, tunnels and Locomotives
too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from ..board import Route, Site
from ..card_game.tickets import LOCOMOTIVE, Cards
from ..edition import Colour, Edition
from ..legality import Problem, rule_problem
from ..position import Position
from ..sentence import Sentence, together
from ..spot import Spot

Reason = tuple[str, Sentence]
GREY = ("grey", "unknown")


def claim_problems(position: Position, colour: Colour, spot: Spot) -> tuple[Problem, ...]:
    """Return all problems of a player's claim of a route or site, or of a station.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> from railspotter.scoring.spot import Spot
    >>> seats, claims = (Seat("red"), Seat("blue")), {"portland--seattle--0": "red"}
    >>> position = Position(load_edition("usa"), load_board("usa"), seats, claims)
    >>> other = Spot("route", "portland--seattle--1")
    >>> [str(p.what) for p in claim_problems(position, "blue", other)]
    ['with 2 players only one lane of Portland - Seattle can be claimed']
    >>> claim_problems(position, "blue", Spot("route", "helena--seattle"))
    ()
    """
    routes = (spot.id,) if spot.kind == "route" else ()
    return tuple(
        rule_problem(position.edition, kind, what, routes, (colour,))
        for kind, what in _reasons(position, colour, spot)
    )


def may_claim(position: Position, colour: Colour, spot: Spot) -> bool:
    """Tell whether there are no `claim_problems`; faster, since it stops at the first."""
    return next(_reasons(position, colour, spot), None) is None


def _reasons(position: Position, colour: Colour, spot: Spot) -> Iterator[Reason]:
    match spot.kind:
        case "route":
            return _route_reasons(position, colour, spot.id)
        case "station":
            return _station_reasons(position, colour, spot.id)
        case "site":
            return _site_reasons(position, colour, spot.id)


def _route_reasons(position: Position, colour: Colour, name: str) -> Iterator[Reason]:
    route, claims = position.board.route_by_id[name], position.claims
    ends = {"a": position.name_of(route.a), "b": position.name_of(route.b)}
    if name in claims:
        yield (
            "taken_route",
            Sentence("{a} - {b} is {colour}'s already", **ends, colour=claims[name]),
        )
    others = [claims[lane] for lane in position.board.other_lanes.get(name, ()) if lane in claims]
    if colour in others:
        yield (
            "both_lanes",
            Sentence("{colour} has the other lane of {a} - {b}", **ends, colour=colour),
        )
    elif others and not position.are_lanes_open:
        yield (
            "double_routes_open_from",
            Sentence(
                "with {n} players only one lane of {a} - {b} can be claimed",
                **ends,
                n=len(position.seats),
            ),
        )
    left = position.trains_left(colour)
    if route.length > left:
        yield "stock", _too_few(colour, route.length, left)


def _station_reasons(position: Position, colour: Colour, place: str) -> Iterator[Reason]:
    name = position.name_of(place)
    if len(position.stations.get(colour, ())) >= position.edition.stations:
        yield "stations", Sentence("{colour} has no station left", colour=colour)
    if any(place in built for built in position.stations.values()):
        yield "shared_station", Sentence("{place} has a station already", place=name)


def _site_reasons(position: Position, colour: Colour, name: str) -> Iterator[Reason]:
    site = position.board.site_by_id[name]
    if name in position.sites:
        yield (
            "taken_site",
            Sentence("{name} is {colour}'s already", name=site.name, colour=position.sites[name]),
        )
    if not any(site.station in (route.a, route.b) for route in position.routes_of[colour]):
        yield (
            "site_before_station",
            Sentence(
                "{colour} has no route at {place}",
                colour=colour,
                place=position.name_of(site.station),
            ),
        )
    if position.trains_left(colour) < 1:
        yield "stock", _too_few(colour, 1, 0)


def _too_few(colour: Colour, needed: int, left: int) -> Sentence:
    return Sentence("{colour} needs {n} pieces and has {left}", colour=colour, n=needed, left=left)


def tunnel_cards(cards: Cards, revealed: Sequence[str]) -> int:
    """Return the number of additional cards that a tunnel's revealed cards require.

    "For each card revealed whose color matches the color of the cards played to claim the Tunnel,
    an additional card of the same color (or a Locomotive) must now be played from his hand." A
    revealed Locomotive always matches; against Locomotives alone nothing else does.

    >>> tunnel_cards({"red": 2, "locomotive": 1}, ["red", "locomotive", "blue"])
    2
    >>> tunnel_cards({"locomotive": 2}, ["red", "locomotive", "blue"])
    1
    """
    return sum(card == LOCOMOTIVE or cards.get(card, 0) > 0 for card in revealed)


def payment_problems(
    edition: Edition, route: Route, cards: Cards, revealed: Sequence[str] = ()
) -> tuple[Problem, ...]:
    """Return all problems of the cards played for a route.

    For a tunnel, which revealed three, the additional ones are among them: they are of the same
    colour.

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> ferry = load_board("europe").route_by_id["amsterdam--london"]
    >>> paid = payment_problems(load_edition("europe"), ferry, {"red": 1, "locomotive": 1})
    >>> [problem.what for problem in paid]
    ['the ferry needs 2 locomotives, 1 played']
    """
    problems = []

    def add(kind: str, what: Sentence) -> None:
        problems.append(rule_problem(edition, kind, what, (route.id,)))

    colours = [card for card, count in cards.items() if count and card != LOCOMOTIVE]
    if len(colours) > 1:
        add("one_colour", Sentence("cards of {n} colours played", n=len(colours)))
    elif colours and route.colour not in (*GREY, colours[0]):
        add(
            "one_colour",
            Sentence(
                "{card} cards played for a {colour} route", card=colours[0], colour=route.colour
            ),
        )
    needed = route.length + (tunnel_cards(cards, revealed) if route.tunnel else 0)
    if sum(cards.values()) != needed:
        played = sum(cards.values())
        add("full_route", Sentence("{n} cards needed, {played} played", n=needed, played=played))
    if cards.get(LOCOMOTIVE, 0) < route.ferry_locomotives:
        engines = cards.get(LOCOMOTIVE, 0)
        what = Sentence(
            "the ferry needs {n} locomotives, {played} played",
            n=route.ferry_locomotives,
            played=engines,
        )
        add("ferry", what)
    return tuple(problems)


def site_payment_problems(edition: Edition, site: Site, cards: Cards) -> tuple[Problem, ...]:
    """Return the problems of the cards played for a site: one of each of its two colours.

    Locomotives stand for either, as they do for routes.

    >>> from railspotter.scoring.board import Site
    >>> from railspotter.scoring.edition import load_edition
    >>> zoo = Site("zoo", "Zoo", "a", ("red", "yellow"))
    >>> site_payment_problems(load_edition("philly"), zoo, {"red": 1, "locomotive": 1})
    ()
    >>> [p.what for p in site_payment_problems(load_edition("philly"), zoo, {"red": 2})]
    ['Zoo takes red, yellow']
    >>> [p.what for p in site_payment_problems(load_edition("philly"), Site("zoo", "Zoo", "a"), {})]
    ['nobody has said which two colours pay for Zoo']
    """
    if not site.colours:
        what = Sentence("nobody has said which two colours pay for {site}", site=site.name)
        return (rule_problem(edition, "site_cards", what),)
    missing = (Counter(site.colours) - Counter(cards)).total()
    if sum(cards.values()) == len(site.colours) and missing == cards.get(LOCOMOTIVE, 0):
        return ()
    what = Sentence(
        "{name} takes {colours}",
        name=site.name,
        colours=together([Sentence(colour) for colour in site.colours], ", "),
    )
    return (rule_problem(edition, "site_cards", what),)


# What is paid for: a station costs a number of cards of one colour.
Price = Route | Site | int


def price_of(position: Position, colour: Colour, spot: Spot) -> Price:
    """Return what defines the price of a spot for a player.

    "To build his first Station, a player plays and discards a single Train card from his hand [...]
    To build his second Station, a player must play and discard a set of two cards of the same
    color, and to build his third Station, a set of three cards of the same color." (Europe)

    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> from railspotter.scoring.spot import Spot
    >>> europe = load_edition("europe"), load_board("europe"), (Seat("red"), Seat("blue"))
    >>> position = Position(*europe, stations={"red": ("paris",)})
    >>> price_of(position, "red", Spot("station", "berlin"))
    2
    """
    match spot.kind:
        case "route":
            return position.board.route_by_id[spot.id]
        case "site":
            return position.board.site_by_id[spot.id]
        case "station":
            return len(position.stations.get(colour, ())) + 1


def price_problems(position: Position, price: Price, cards: Cards) -> tuple[Problem, ...]:
    """Return the problems of a payment, before a tunnel's additional cards."""
    if isinstance(price, Site):
        return site_payment_problems(position.edition, price, cards)
    if isinstance(price, int):
        colours = [card for card, played in cards.items() if played and card != LOCOMOTIVE]
        if len(colours) <= 1 and sum(cards.values()) == price:
            return ()
        what = Sentence("the station takes {n} cards of one colour", n=price)
        return (Problem("station_cards", position.edition.sources.get("stations", ""), what),)
    return payment_problems(position.edition, price, cards)


def payments(price: Price, hand: Cards) -> Iterator[Counter[str]]:
    """Yield every payment that a hand allows: few Locomotives first, then the larger sets.

    >>> grey = Route("a--b", "a", "b", 2, "grey", ())
    >>> hand = {"red": 2, "green": 1, "locomotive": 1}
    >>> [dict(cards) for cards in payments(grey, hand)]
    [{'red': 2}, {'red': 1, 'locomotive': 1}, {'green': 1, 'locomotive': 1}]
    """
    if isinstance(price, Site):
        yield from _site_payments(price, hand)
        return
    if isinstance(price, int):
        length, least, allowed = price, 0, GREY[0]
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
    own, count = Counter(hand), len(site.colours)
    for engines in range(min(count, own[LOCOMOTIVE]) + 1 if count else 0):
        for kept in dict.fromkeys(combinations(site.colours[::-1], count - engines)):
            if not Counter(kept) - own:
                yield +Counter({**Counter(kept[::-1]), LOCOMOTIVE: engines})


def tunnel_additions(cards: Cards, hand: Cards, more: int) -> Iterator[Counter[str]]:
    """Yield every way to play the additional cards for a tunnel, few Locomotives first.

    `cards` were laid down for it; the hand still holds them.

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
