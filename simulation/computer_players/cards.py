"""A hand's value for a player's targets: missing cards, the best draw, the best payment."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from railspotter.scoring.board import Route, Site
from railspotter.scoring.card_game.tickets import LOCOMOTIVE, Cards
from railspotter.scoring.dealing.claims import GREY, payments, price_of
from railspotter.scoring.dealing.dealing import SeatView
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import Colour
from railspotter.scoring.position import Position
from railspotter.scoring.spot import Spot

# A missing Locomotive of a ferry counts as so many cards, as there are few. Chosen.
FERRY_LOCOMOTIVE = 2.0
LAST_CARD = 0.3  # The card that completes a payment counts so many cards more. Chosen.
# Value of a card that no target needs; of a colour, times the number held already. Chosen.
SPARE_CARD, SPARE_LOCOMOTIVE = 0.02, 0.45


@dataclass(frozen=True, slots=True)
class Target:
    """A route or other spot that a player collects cards for."""

    spot: Spot
    # the number of cards of each colour, or Locomotives instead
    plain: tuple[tuple[str, int], ...] = ()
    same_colour: int = 0  # cards of any single colour, for grey routes and stations
    locomotives: int = 0  # Locomotives that a ferry requires
    weight: float = 1.0  # of each missing card


def target_of(position: Position, colour: Colour, spot: Spot, weight: float = 1.0) -> Target:
    """Return the target for a spot: the cards that it costs."""
    price = price_of(position, colour, spot)
    if isinstance(price, Site):
        return Target(spot, tuple((card, 1) for card in price.colours), weight=weight)
    if not isinstance(price, Route):
        return Target(spot, same_colour=price, weight=weight)
    rest, engines = price.length - price.ferry_locomotives, price.ferry_locomotives
    if price.colour in GREY:
        return Target(spot, same_colour=rest, locomotives=engines, weight=weight)
    return Target(spot, ((price.colour, rest),), locomotives=engines, weight=weight)


def shortfall(hand: Cards, targets: Iterable[Target]) -> float:
    """Return the weighted number of cards missing for all targets.

    Coloured targets take their cards first, in order, then grey ones; Locomotives then complete the
    targets with the fewest missing cards.

    >>> grey = Target(Spot("route", "a--b"), same_colour=3)
    >>> red = Target(Spot("route", "b--c"), (("red", 2),))
    >>> shortfall({"red": 4, "locomotive": 1}, [grey, red])
    0.0
    >>> shortfall({"red": 3, "blue": 2}, [grey, red])
    0.7
    """
    left = dict(hand)
    engines = left.pop(LOCOMOTIVE, 0)
    total = 0.0
    open_ones: list[tuple[int, float]] = []
    grey: list[Target] = []
    for target in targets:
        if target.locomotives:
            given = min(engines, target.locomotives)
            engines -= given
            total += FERRY_LOCOMOTIVE * (target.locomotives - given) * target.weight
        missing = 0
        for card, n in target.plain:
            given = min(left.get(card, 0), n)
            if given:
                left[card] -= given
            missing += n - given
        if target.same_colour:
            grey.append(target)
        elif missing:
            open_ones.append((missing, target.weight))
    for target in grey:
        best = max(left, key=left.__getitem__, default="")
        given = min(left.get(best, 0), target.same_colour)
        if given:
            left[best] -= given
        if given < target.same_colour:
            open_ones.append((target.same_colour - given, target.weight))
    open_ones.sort()
    for missing, weight in open_ones:
        if missing <= engines:
            engines -= missing
        else:
            total += (missing - LAST_CARD * (missing == 1)) * weight
    return total


def card_worths(position: Position, hand: Cards, targets: Sequence[Target]) -> dict[str, float]:
    """Return by how much one more card of each colour reduces the shortfall."""
    now = shortfall(hand, targets)
    worths = {}
    for card in (*position.edition.card_colours, LOCOMOTIVE):
        held = hand.get(card, 0)
        spare = SPARE_LOCOMOTIVE if card == LOCOMOTIVE else SPARE_CARD * held
        worths[card] = now - shortfall({**hand, card: held + 1}, targets) + spare
    return worths


def hidden_cards(view: SeatView) -> Counter[str]:
    """Count the hidden cards, in the deck and other hands."""
    seen = Counter(view.hand) + Counter(view.face_up) + Counter(view.discards)
    return cards_of(view.position.edition) - seen


def pick_card(view: SeatView, worths: Mapping[str, float]) -> int | None:
    """Choose the open card to draw, by its place, or None for the top of the deck.

    An open Locomotive takes the whole turn, so it is compared with the two best other cards.
    """
    unseen = hidden_cards(view) if view.in_deck else Counter[str]()
    many = unseen.total()
    hidden = sum(worths.get(card, 0.0) * n for card, n in unseen.items()) / many if many else 0.0
    options: list[tuple[float, int | None]] = []
    if None in view.drawable:
        options.append((hidden, None))
    engine: int | None = None
    for place, card in enumerate(view.face_up):
        if place not in view.drawable:
            continue
        if card == LOCOMOTIVE and not view.drawn:
            engine = place
        else:
            options.append((worths.get(card, 0.0), place))
    options.sort(key=lambda option: -option[0])
    if engine is not None:
        both = sum(max(worth, hidden) for worth, _ in (*options[:2], (hidden, None))[:2])
        if not options or worths[LOCOMOTIVE] > both:
            return engine
    return options[0][1] if options else None


def payment(
    position: Position, colour: Colour, hand: Cards, spot: Spot, others: Sequence[Target]
) -> tuple[float, Cards] | None:
    """Choose the payment that costs other targets least; return that cost and the cards.

    None if the hand cannot pay. Does not check whether the spot may be claimed.
    """
    before = shortfall(hand, others)
    best: tuple[float, Cards] | None = None
    for cards in payments(price_of(position, colour, spot), hand):
        left = {card: n - cards.get(card, 0) for card, n in hand.items()}
        harm = shortfall(left, others) - before + SPARE_LOCOMOTIVE * cards[LOCOMOTIVE]
        if best is None or harm < best[0]:
            best = harm, dict(cards)
    return best
