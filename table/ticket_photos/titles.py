"""Titles of tickets: two names that stand as a deck prints them, and the points beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from railspotter.scoring.board import PlaceId

from .deck import TicketDeck
from .lines import Floats, Line, WordMap
from .names import Spelt

FAULTS_A_LETTER = 0.2  # of both names together; more are in doubt
POINTS_SIZE = (1.35, 4.5)  # of the points' digits, in heights of the names'
POINTS_REACH = 2.4  # how far they may be from where they are printed
MAP_REACH = np.array([4.4, 4.2])  # names stand on any side of their places: both together so far
DIGITS = str.maketrans("oeglistz", "06911572")  # what digits of this print are read as
UPSIDE_DOWN = {6: 9, 9: 6}


@dataclass(frozen=True, slots=True)
class Title:
    """Two names that stand as a deck prints them."""

    pairs: tuple[tuple[PlaceId, PlaceId], ...]  # the likeliest, and equals
    cost: float
    line: Line
    height: float  # of its letters, in pixels
    points: frozenset[int] = frozenset()  # what the points beside it may be; none: not read
    points_log_odds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether its names are read well enough to be certain."""
        return self.cost <= FAULTS_A_LETTER * len(self.line.text)


class TitleFinder:
    """Finds the titles among the words of one photo."""

    def __init__(self, words: WordMap, deck: TicketDeck) -> None:
        self.words, self.deck = words, deck

    def titles(self) -> Iterator[Title]:
        """Yield everything that could be a title; they may have words in common."""
        kinds = self.deck.how.kinds
        if "map" in kinds:
            yield from self._on_maps()
            return
        for line in self.words.lines(below="stack" in kinds):
            if pairs := self.deck.names.pairs(line.text):
                places = tuple((one.places[0], one.places[1]) for one in pairs)
                yield Title(places, pairs[0].cost, line, *self.points(line))

    def names(self) -> list[tuple[Line, Spelt]]:
        """Return the names that stand there, each word in one of them."""
        found = [
            (line, one)
            for line in self.words.lines(below="line" not in self.deck.how.kinds)
            if (one := self.deck.names.single(line.text))
        ]
        used: set[int] = set()
        kept = []
        for line, one in sorted(found, key=lambda it: (it[1].cost, -len(it[0].words))):
            if used.isdisjoint(line.words):
                used |= set(line.words)
                kept.append((line, one))
        return kept

    def points(
        self, line: Line, at: Floats | None = None, *, anywhere: bool = False
    ) -> tuple[float, frozenset[int], float]:
        """Return the letters' height, what the points of a title may be, and their log odds.

        They stand `at` so many heights from its middle; by default where this deck prints them.
        """
        height = self.words.height(line)
        if at is None and self.deck.how.points_at is not None and not anywhere:
            at = np.array(self.deck.how.points_at)
        near: list[tuple[float, frozenset[int], float]] = []
        for n, seen in self.words.around(line, 14.0):
            size = max(
                self.words.heights[n], min(self.words.widths[n], 1.5 * self.words.heights[n])
            )
            if not POINTS_SIZE[0] < size / height < POINTS_SIZE[1]:
                continue
            off = float(np.linalg.norm(seen - at if at is not None else seen))
            values = self._digits(n, line)
            if values and (at is None or off < POINTS_REACH):
                near.append((off, values, self.words.words[n].log_odds))
        _, values, log_odds = min(
            near, default=(0.0, frozenset[int](), 0.0), key=lambda one: one[0]
        )
        return height, values, log_odds

    def _digits(self, n: int, line: Line) -> frozenset[int]:
        """Return what a word may be as points: one digit is read either way up, and on its side."""
        text = self.words.words[n].text.casefold().translate(DIGITS)
        if not (text.isascii() and text.isdigit() and len(text) <= 2):
            return frozenset()
        value = int(text)
        if len(text) == 1:
            return frozenset({value, UPSIDE_DOWN.get(value, value)})
        return frozenset({value} if self.words.along[n] @ line.axes[0] > 0.5 else ())

    def _on_maps(self) -> Iterator[Title]:
        """Yield the tickets whose names stand to each other as their places do on the map."""
        how, places = self.deck.how, self.deck.board.place_by_id
        names = self.names()
        for (one, a), (other, b) in permutations(names, 2):
            ticket = self.deck.tickets.get(frozenset((*a.places, *b.places)))
            if ticket is None or ticket.a != a.places[0] or ticket.a == ticket.b:
                continue
            from_a, from_b = (
                how.map_scale * np.array(places[p].xy_mm) for p in (ticket.a, ticket.b)
            )
            height = (self.words.height(one) + self.words.height(other)) / 2
            off = np.abs(one.seen_from(other.centre, height) - (from_b - from_a)) / MAP_REACH
            if off.max() > 1:
                continue
            middle = (one.centre + other.centre) / 2
            at = np.array(how.points_at) - (from_a + from_b) / 2
            turned = Line((*one.words, *other.words), "", one.outline + (middle - one.centre))
            points = self.points(turned, at)
            both = self.words.line(turned.words)
            line = Line(both.words, one.text + other.text, both.outline)
            cost = a.cost + b.cost + off.sum() / 4 + (ticket.points not in points[1]) / 2
            yield Title(((ticket.a, ticket.b),), float(cost), line, *points)
