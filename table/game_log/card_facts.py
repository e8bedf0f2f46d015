"""Facts about cards that are dealt to phones: the deal, and every move with cards.

Cards drawn at random are logged beside the move that drew them, so that replaying a log needs no
randomness, and a log does not reveal the next card. These facts are secret; the public part is in
the state of the game.

They are never undone, so that moves replay as they were. If one is lost to damage, the hands are
unknown: the game then goes on with cards on the table.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.dealing import Dealing, first_dealing
from railspotter.scoring.dealing.rules import play
from railspotter.scoring.dealing.stacks import Chance, Choice
from railspotter.scoring.edition import Ticket
from railspotter.scoring.game import TicketText
from railspotter.scoring.names import Name
from railspotter.scoring.sentence import raised_as
from railspotter.scoring.spot import Spot

from .errors import EventError
from .facts import Event, Fact
from .people_facts import SeatFact, require_seat
from .table_state import Payment, TableState

MOST_TURNED = 200  # more cards than any deck has

CardNames = Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_TURNED)]
TicketTexts = Annotated[tuple[TicketText, ...], msgspec.Meta(max_length=MOST_TURNED)]


class CardsDealt(Fact, frozen=True):
    """Everyone was dealt a first hand, and tickets to choose from."""

    is_final: ClassVar[bool] = True
    seats: tuple[Identifier, ...]  # in the order in which they were dealt to
    turned: CardNames  # the cards that came off the deck, in order
    drawn: TicketTexts = ()  # the tickets that came off the ticket deck

    def check(self, table: TableState) -> None:
        """Refuse a second deal, and cards that the deck does not have."""
        if table.dealing is not None or table.put_away:
            raise EventError("{field}: the cards are dealt already", field=self.kind)
        for seat in self.seats:
            require_seat(table, seat, "cards_dealt.seats")
        if self._dealt(table).dealing is None:
            raise EventError("{field}: the cards are not as the log has them", field=self.kind)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Deal the cards; an impossible deal puts the cards away."""
        return self._dealt(table)

    def _dealt(self, table: TableState) -> TableState:
        luck = RecordedDraws(self)
        try:
            dealing = first_dealing(table.edition, table.board, self.seats, luck)
        except moves.MoveError:
            return table.with_cards_put_away()
        return replace(table, dealing=dealing)


class CardsMoved(SeatFact, frozen=True):
    """A player's move with cards or tickets; `turned` and `drawn` as in `CardsDealt`."""

    is_final: ClassVar[bool] = True
    move: moves.Move
    turned: CardNames = ()
    drawn: TicketTexts = ()

    def check(self, table: TableState) -> None:
        """Refuse a move out of turn, or against the rules or the cards."""
        super().check(table)
        is_in_turn = not isinstance(self.move, moves.TakeBack | moves.ComeIn | moves.DealAnew)
        has_turns = table.dealing is not None and not table.dealing.is_choosing_first
        if is_in_turn and has_turns and table.turn != self.seat:
            raise EventError("it is {name}'s turn", name=table.name_of(table.turn or "-"))
        if table.ended and is_in_turn:
            raise EventError("the game is over")
        with raised_as(EventError, moves.MoveError):
            self._moved(table)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Play the move."""
        return self.after(table)

    def after(self, table: TableState) -> TableState:
        """Return the table after the move; an impossible move puts the cards away."""
        if table.dealing is None:
            return table
        try:
            return self._moved(table)
        except moves.MoveError:
            return table.with_cards_put_away()

    def _moved(self, table: TableState) -> TableState:
        player = table.player(self.seat)
        before = table.dealing
        if player is None or before is None:
            raise moves.MoveError("there is nobody in this seat who has cards")
        self._require_own(table)
        luck = RecordedDraws(self)
        after = play(table.position, before, self.seat, player.colour, self.move, luck)
        return replace(table, dealing=after, payments=self._payments(table, before, after))

    def _require_own(self, table: TableState) -> None:
        """Refuse taking back cards that were not paid, or tickets that are not secret."""
        move = self.move
        if isinstance(move, moves.DealAnew):
            secret = {held.ends for held in table.tickets.get(self.seat, ()) if not held.revealed}
            # Older programs left a ticket open that was shown before an end was undone.
            if not secret.issuperset(frozenset((one.a, one.b)) for one in move.tickets):
                raise moves.MoveError("the tickets are not as the log has them")
        if isinstance(move, moves.TakeBack):
            paid = table.payments.get(Spot(move.kind, move.id))
            if paid != Payment(self.seat, move.cards):
                raise moves.MoveError("nothing was paid for this")

    def _payments(self, table: TableState, before: Dealing, after: Dealing) -> dict[Spot, Payment]:
        paid = dict(table.payments)
        match self.move:
            case moves.Pay(cards=cards) as pay if after.tunnel is None:
                paid[pay.spot] = Payment(self.seat, cards)
            case moves.PayMore(cards=cards) if before.tunnel is not None:
                every = Counter(before.tunnel.cards) + Counter(cards)
                paid[Spot("route", before.tunnel.route)] = Payment(self.seat, dict(every))
            case moves.TakeBack(kind=kind, id=name):
                paid.pop(Spot(kind, name), None)
            case _:
                pass
        return paid


class CardsPutAway(Fact, frozen=True):
    """The game goes on with cards on the table; pieces on the board count as claimed."""

    is_final: ClassVar[bool] = True

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put the cards away."""
        return table.with_cards_put_away()


class RecordedDraws:
    """A `Luck` that replays the draws of a fact; raises `MoveError` for impossible ones."""

    def __init__(self, fact: CardsDealt | CardsMoved) -> None:
        self._turned, self._drawn = list(fact.turned), list(fact.drawn)

    def draw_card(self, deck: Cards) -> str:
        """Return the next recorded card."""
        if not self._turned:
            raise moves.MoveError("the cards are not as the log has them")
        return self._turned.pop(0)

    def draw_ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return the next recorded ticket."""
        if self._drawn:
            ends = frozenset((self._drawn[0].a, self._drawn[0].b))
            for ticket in deck:
                if ticket.ends == ends:
                    del self._drawn[0]
                    return ticket
        raise moves.MoveError("the tickets are not as the log has them")


class RecordingChance(Chance[Ticket]):
    """A `Chance` that records what it draws."""

    def __init__(self, choice: Choice) -> None:
        super().__init__(choice)
        self.turned: list[str] = []
        self.drawn: list[Ticket] = []

    def draw_card(self, deck: Cards) -> str:
        """Draw and record a card."""
        self.turned.append(super().draw_card(deck))
        return self.turned[-1]

    def draw_ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Draw and record a ticket."""
        self.drawn.append(super().draw_ticket(deck))
        return self.drawn[-1]

    @property
    def texts(self) -> tuple[TicketText, ...]:
        """The recorded tickets, as facts store them."""
        return moves.ticket_texts(self.drawn)
