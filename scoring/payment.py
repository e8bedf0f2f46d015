"""Are these the cards for this route, or this site? Ferries, tunnels and Locomotives included."""

from __future__ import annotations

from collections.abc import Sequence

from .board import Route, Site
from .card_tickets import LOCOMOTIVE, Cards
from .edition import Edition
from .legality import Problem
from .sentence import Sentence, together

GREY = ("grey", "unknown")


def tunnel_cards(cards: Cards, revealed: Sequence[str]) -> int:
    """Return how many more cards the three revealed ones ask for.

    "For each card revealed whose color matches the color of the cards played to claim the Tunnel,
    an additional card of the same color (or a Locomotive) must now be played from his hand." A
    revealed Locomotive always matches; against Locomotives alone nothing else does.

    Examples
    --------
    >>> tunnel_cards({"red": 2, "locomotive": 1}, ["red", "locomotive", "blue"])
    2
    >>> tunnel_cards({"locomotive": 2}, ["red", "locomotive", "blue"])
    1
    """
    return sum(card == LOCOMOTIVE or cards.get(card, 0) > 0 for card in revealed)


def payment_problems(
    edition: Edition, route: Route, cards: Cards, revealed: Sequence[str] = ()
) -> tuple[Problem, ...]:
    """Return everything that is wrong with the cards played for a route.

    Parameters
    ----------
    cards : mapping of str to int
        All cards played; for a tunnel the additional ones too, which are of the same colour.
    revealed : sequence of str
        A tunnel's three cards.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> ferry = load_board("europe").route_by_id["amsterdam--london"]
    >>> paid = payment_problems(load_edition("europe"), ferry, {"red": 1, "locomotive": 1})
    >>> [problem.what for problem in paid]
    ['the ferry needs 2 locomotives, 1 played']
    """
    problems = []

    def add(kind: str, what: Sentence) -> None:
        problems.append(Problem(kind, edition.sources.get(kind, ""), what, (route.id,)))

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
    """Return what is wrong with the cards played for a site: one of each of its two colours.

    Locomotives stand for either, as they do for routes.

    Examples
    --------
    >>> from railspotter.scoring.board import Site
    >>> from railspotter.scoring.edition import load_edition
    >>> zoo = Site("zoo", "Zoo", "a", ("red", "yellow"))
    >>> site_payment_problems(load_edition("philly"), zoo, {"red": 1, "locomotive": 1})
    ()
    >>> [p.what for p in site_payment_problems(load_edition("philly"), zoo, {"red": 2})]
    ['Zoo takes red, yellow']
    """
    missing = [colour for colour in site.colours if not cards.get(colour)]
    paid = sum(cards.values()) == len(site.colours) and len(missing) == cards.get(LOCOMOTIVE, 0)
    if paid:
        return ()
    what = Sentence(
        "{name} takes {colours}",
        name=site.name,
        colours=together([Sentence(colour) for colour in site.colours], ", "),
    )
    return (Problem("site_cards", edition.sources.get("site_cards", ""), what),)
