"""Two games with cards on phones that differ in what one seat holds, and for nobody else."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from railspotter.scoring.dealing.claims import tunnel_additions
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.edition import Ticket, ticket_deck
from railspotter.table.game_log.card_facts import CardsDealt, RecordingChance
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.live_table.card_play import dealing_facts, move_facts, seat_view

SEATS = ("secret", "other", "kept")
SECRET, OTHER, KEPT = SEATS
LONG_SERIES = "long"


class NoCommonCardsError(Exception):
    """The two games' decks have no card in common any more."""


@dataclass
class GamePair:
    """The same game twice, with different cards in one seat."""

    games: list[GameState]
    rng: random.Random

    @staticmethod
    def deal(started: GameStarted, rng: random.Random) -> "tuple[GamePair, list[Sequence[Fact]]]":
        """Deal two games that differ in what the first seat holds; return also their facts."""
        bare = begin(Event(1, 0.0, started))
        edition = bare.table.edition
        cards, tickets = list[str](), list[Ticket]()

        def first(several: Sequence[Any]) -> Any:
            # What the other game's seat holds stays in the deck of this one.
            if isinstance(several[0], str):
                return rng.choice(_subtract(several, cards))
            rest = [ticket for ticket in several if ticket not in tickets]
            return rng.choice(rest or several)

        hands: list[list[str]] = [[], []]
        while sorted(hands[0]) == sorted(hands[1]):
            hands = [rng.choices(edition.card_colours, k=edition.first_hand) for _ in range(2)]
        cards.extend(hands[1])
        one = _scripted_choice(hands[0], first)
        facts = dealing_facts(bare.table, RecordingChance(one))
        dealt = facts[0]
        assert isinstance(dealt, CardsDealt)
        count = edition.first_tickets[0]
        used = {frozenset((ticket.a, ticket.b)) for ticket in dealt.drawn}
        free = [ticket for ticket in _ticket_deck(bare) if ticket.ends not in used]
        long = rng.sample([t for t in free if t.series == LONG_SERIES], 1) if has_long(bare) else []
        rest = rng.sample([t for t in free if t.series != LONG_SERIES], count - len(long))
        drawn = ticket_texts([*long, *rest])
        other = CardsDealt(
            dealt.seats,
            (*hands[1], *dealt.turned[edition.first_hand :]),
            (*drawn, *dealt.drawn[count:]),
        )
        both: list[Sequence[Fact]] = [facts, (other, *facts[1:])]
        pair = GamePair([bare, bare], rng)
        pair.append(both)
        return pair, both

    def append(self, facts: Sequence[Sequence[Fact]]) -> None:
        """Log facts in both games."""
        for number, new_facts in enumerate(facts):
            for fact in new_facts:
                game = self.games[number]
                self.games[number] = game.after(Event(len(game.events) + 1, 0.0, fact))

    @property
    def colour_to_move(self) -> str | None:
        """Return the colour that has to move; None if the game is over."""
        dealing = self.games[0].table.dealing
        if dealing is None or self.games[0].table.ended:
            return None
        return next(iter(dealing.offered), self.games[0].table.turn)

    def next_facts(self) -> list[Sequence[Fact]]:
        """Return the facts of the next move, for both games."""
        seat = self.colour_to_move or ""
        moves = self._equal_moves(seat)
        is_hidden = seat == SECRET and isinstance(moves[0], DrawCard) and moves[0].place is None
        is_hidden = is_hidden or (seat == SECRET and isinstance(moves[0], DrawTickets))
        came: list[Any] = []

        def draw_first(several: Sequence[Any]) -> Any:
            came.append(self.rng.choice(self._common(several)))
            return came[-1]

        def draw_again(several: Sequence[Any]) -> Any:
            if not is_hidden:
                return came.pop(0)
            taken = came.pop(0)
            common = [one for one in self._common(several, 1) if one != taken and one not in came]
            return self.rng.choice(common) if common else taken

        first = move_facts(
            self.games[0], seat, moves[0], lies_there=True, luck=RecordingChance(draw_first)
        )
        second = move_facts(
            self.games[1], seat, moves[1], lies_there=True, luck=RecordingChance(draw_again)
        )
        return [first, second]

    def dealt_anew(self, seat: str, number: int, came: list[Any]) -> RecordingChance:
        """Return the chance of dealing a seat anew in one of the games, the first one first.

        `came` has what came off the decks of the first game, and comes off those of the second.
        """

        def draw(several: Sequence[Any]) -> Any:
            if seat == SECRET:
                return self.rng.choice(several)
            if number == 0:
                came.append(self.rng.choice(self._common(several)))
                return came[-1]
            return came.pop(0)

        return RecordingChance(draw)

    def _common(self, several: Sequence[Any], number: int = 0) -> list[Any]:
        """Return the cards of this deck that the other game can draw as well."""
        here, there = (self.games[i].table.dealing for i in (number, 1 - number))
        assert here is not None
        assert there is not None
        if isinstance(several[0], str):
            more = there.hand(SECRET) - here.hand(SECRET)
            common = _subtract(several, list(more.elements()))
        else:
            common = [ticket for ticket in several if ticket in there.tickets]
        if not common:
            raise NoCommonCardsError
        return common

    def _equal_moves(self, seat: str) -> tuple[Move, Move]:
        """Return a move that looks the same in both games."""
        views = [seat_view(game.table, seat) for game in self.games]
        one = views[0]
        if one.offered:
            count = self.rng.randint(one.at_least, len(one.offered))
            kept = [KeepTickets(ticket_texts(view.offered[:count])) for view in views]
            return kept[0], kept[1]
        if one.tunnel is not None:
            more = [list(tunnel_additions(v.tunnel.cards, v.hand, v.tunnel.more)) for v in views]  # type: ignore[union-attr]
            found = [cards for cards in more[0] if cards in more[1]]
            leave: Move = PayMore(dict(found[0])) if found else LeaveTunnel()
            return leave, leave
        if not one.drawn and self.rng.random() < 0.5:
            spots = list(claimable(one.position, one.hand, one.colour))
            self.rng.shuffle(spots)
            for spot in spots[:8]:
                paid = [list(legal_payments(v.position, v.hand, v.colour, spot)) for v in views]
                if found := [cards for cards in paid[0] if cards in paid[1]]:
                    pay = Pay(spot.kind, spot.id, dict(self.rng.choice(found)))
                    return pay, pay
        if not one.drawn and one.tickets_left > 6 and self.rng.random() < 0.1:
            return DrawTickets(), DrawTickets()
        places = [place for place in one.drawable if all(place in v.drawable for v in views)]
        if not places:
            raise NoCommonCardsError
        draw: Move = DrawCard(self.rng.choice(places))
        return draw, draw


def has_long(game: GameState) -> bool:
    """Tell whether long tickets are dealt."""
    return any(ticket.series == LONG_SERIES for ticket in _ticket_deck(game))


def _subtract(several: Sequence[str], cards: Sequence[str]) -> list[str]:
    return list((Counter(several) - Counter(cards)).elements())


def _scripted_choice(script: Sequence[Any], then: Any) -> Any:
    rest = list(script)
    return lambda several: rest.pop(0) if rest else then(several)


def _ticket_deck(game: GameState) -> tuple[Ticket, ...]:
    return tuple(ticket_deck(game.table.edition, game.table.board))
