"""Checks turns of The Card Game: drawing, placing in the railyard, moving on the track.

Drawing serves the board games too: which face-up cards may be taken is a rule of every edition.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from ..edition import Colour, Edition
from ..legality import Problem, rule_problem
from ..sentence import Sentence
from .tickets import LOCOMOTIVE, Cards

# Reasons for cards that may not be drawn; made once, since bots check each card. The card that
# stands for all colours is a taxi in New York.
ENDS_DRAW = Sentence("a face-up locomotive ends the draw")
TAXI_ENDS_DRAW = Sentence("a face-up taxi ends the draw")
NOT_SECOND = Sentence("a face-up locomotive cannot be the second card")
TAXI_NOT_SECOND = Sentence("a face-up taxi cannot be the second card")
THREE_COLOURS = Sentence(
    "cards of several colours are exactly three, each of another colour, and no locomotive"
)
ROBS_NOT = Sentence("{other} has {n} {colour} already; playing {played} does not rob them")


@dataclass(frozen=True, slots=True)
class Draw:
    """One card that a player drew."""

    card: str  # its colour, or `locomotive`
    face_up: bool = False  # whether it lay open
    replaced_first: bool = False  # whether it took the place of the first card of this turn


BLIND = Draw("hidden")  # a card from the deck, whatever it turns out to be


@dataclass(frozen=True, slots=True)
class Row:
    """A row of one railyard: cards of a colour, with Locomotives on top."""

    cards: int
    locomotives: int = 0

    @property
    def size(self) -> int:
        """All its cards."""
        return self.cards + self.locomotives


Railyard = Mapping[str, Row]  # rows by their colour


def draw_problems(edition: Edition, drawn: Sequence[Draw]) -> tuple[Problem, ...]:
    """Return all problems of the train cards drawn in one turn.

    >>> from railspotter.scoring.edition import load_edition
    >>> engine = Draw("locomotive", face_up=True)
    >>> [p.what for p in draw_problems(load_edition("card-game"), [engine, Draw("red")])]
    ['a face-up locomotive ends the draw']
    """
    if len(drawn) < 2:
        return ()  # any card may be the first
    problems: list[Problem] = []

    if len(drawn) > 2:
        what = Sentence("{n} cards drawn, two are allowed", n=len(drawn))
        problems.append(rule_problem(edition, "two_cards", what))
    first, second = drawn[:2]
    if first.face_up and first.card == LOCOMOTIVE:
        what = TAXI_ENDS_DRAW if edition.train_word == "taxi" else ENDS_DRAW
        problems.append(rule_problem(edition, "locomotive_ends_draw", what))
    allowed = edition.replaced_locomotive and second.replaced_first
    if second.face_up and second.card == LOCOMOTIVE and not allowed:
        what = TAXI_NOT_SECOND if edition.train_word == "taxi" else NOT_SECOND
        problems.append(rule_problem(edition, "replaced_locomotive", what))
    return tuple(problems)


def must_flush(edition: Edition, face_up: Sequence[str]) -> bool:
    """Tell whether the face-up cards must be discarded for their Locomotives.

    >>> from railspotter.scoring.edition import load_edition
    >>> row = ["locomotive"] * 3 + ["red", "blue"]
    >>> must_flush(load_edition("usa"), row), must_flush(load_edition("card-game"), row)
    (True, False)
    """
    limit = edition.flush_at_locomotives
    return bool(limit) and list(face_up).count(LOCOMOTIVE) >= limit


def placing_problems(
    edition: Edition,
    hand: Cards,
    played: Cards,
    own: Railyard,
    others: Mapping[Colour, Railyard],
) -> tuple[Problem, ...]:
    """Return all problems of cards played into a railyard.

    A suit needs a card of its colour: Locomotives alone have none (the rules do not say).

    >>> from railspotter.scoring.edition import load_edition
    >>> rules, hand = load_edition("card-game"), {"blue": 3}
    >>> placing_problems(rules, hand, {"blue": 3}, {}, {"black": {"blue": Row(1)}})
    ()
    >>> as_many = {"black": {"blue": Row(3)}}
    >>> [p.what for p in placing_problems(rules, hand, {"blue": 3}, {}, as_many)]
    ['black has 3 blue already; playing 3 does not rob them']
    """
    problems: list[Problem] = []

    def add(kind: str, what: Sentence, *colours: Colour) -> None:
        problems.append(rule_problem(edition, kind, what, colours=colours))

    for card, count in played.items():
        if count > hand.get(card, 0):
            held = hand.get(card, 0)
            add(
                "hand", Sentence("{n} {card} played, {held} in hand", n=count, card=card, held=held)
            )
    colours = [card for card, count in played.items() if count and card != LOCOMOTIVE]
    locomotives = played.get(LOCOMOTIVE, 0)
    total = sum(played.values())
    if len(colours) > 1:
        if locomotives or len(colours) != 3 or total != 3:
            add("three_colours", THREE_COLOURS)
    elif not colours:
        add("suit", Sentence("a suit needs cards of its colour"))
    elif total < 2:
        add("suit", Sentence("a suit has two cards or more"))
    for colour in colours:
        if colour in own:
            add("own_row", Sentence("{colour} is in the railyard already", colour=colour))
        row = Row(played[colour], locomotives)
        for other, railyard in others.items():
            if (there := railyard.get(colour)) is None:
                continue
            # The rules only say "more of them": Locomotives count as the rows lie there.
            longer, size = row.size > there.size, there.size
            if not edition.robbing_counts_locomotives:
                longer, size = row.cards > there.cards, there.cards
            if not longer:
                what = ROBS_NOT.filled(other=other, n=size, colour=colour, played=total)
                add("robbing", what, other)
    return tuple(problems)


def placings(
    edition: Edition, hand: Cards, own: Railyard, others: Mapping[Colour, Railyard]
) -> Iterator[dict[str, int]]:
    """Yield the cards that may be played into a railyard: suits, then three of several colours."""
    colours = [card for card in hand if card != LOCOMOTIVE]
    suits = (
        {card: count, **({LOCOMOTIVE: engines} if engines else {})}
        for card in colours
        for engines in range(hand.get(LOCOMOTIVE, 0) + 1)
        for count in range(1, hand[card] + 1)
    )
    for cards in chain(suits, (dict.fromkeys(three, 1) for three in combinations(colours, 3))):
        if not placing_problems(edition, hand, cards, own, others):
            yield cards


def after_placing(
    played: Cards, own: Railyard, others: Mapping[Colour, Railyard]
) -> tuple[dict[str, Row], dict[Colour, dict[str, Row]]]:
    """Return the player's and the others' railyards after a legal play, without robbed rows.

    >>> after_placing({"blue": 3}, {"red": Row(1)}, {"black": {"blue": Row(1), "pink": Row(2)}})[1]
    {'black': {'pink': Row(cards=2, locomotives=0)}}
    """
    locomotives = played.get(LOCOMOTIVE, 0)
    rows = {c: Row(count, locomotives) for c, count in played.items() if c != LOCOMOTIVE and count}
    robbed = {
        other: {colour: row for colour, row in railyard.items() if colour not in rows}
        for other, railyard in others.items()
    }
    return {**own, **rows}, robbed


def move_on_track(railyard: Railyard) -> tuple[dict[str, Row], dict[str, int]]:
    """Take one card from each row; return the railyard and the cards that go on the track.

    The top card goes, so a row's Locomotives go first: "Locomotives may be played as part of that
    suit, but must all be placed on top of the row."

    >>> move_on_track({"green": Row(2, 1), "red": Row(1)})
    ({'green': Row(cards=2, locomotives=0)}, {'locomotive': 1, 'red': 1})
    """
    left: dict[str, Row] = {}
    moved: dict[str, int] = {}
    for colour, row in railyard.items():
        if row.locomotives:
            top, rest = LOCOMOTIVE, Row(row.cards, row.locomotives - 1)
        else:
            top, rest = colour, Row(row.cards - 1)
        moved[top] = moved.get(top, 0) + 1
        if rest.size:
            left[colour] = rest
    return left, moved
