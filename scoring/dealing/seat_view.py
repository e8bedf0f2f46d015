"""What one player sees of a game with cards: the own hand and tickets, and what lies open."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..card_game.tickets import Cards
from ..card_game.turns import Draw
from ..edition import Colour, Ticket
from ..position import Position, last_turns
from .dealing import Dealing, Holder, Tunnel


@dataclass(frozen=True)
class SeatView:
    """Everything that one player sees: all that a computer player gets."""

    position: Position  # the board, with the tickets of this player only
    colour: Colour
    hand: Cards
    face_up: tuple[str, ...]
    in_deck: int  # how many train cards lie face down
    discards: Cards  # what was played; everybody saw it
    # hand_sizes, ticket_counts: By colour, how many train cards and tickets each player holds.
    hand_sizes: Mapping[Colour, int]
    ticket_counts: Mapping[Colour, int]
    tickets_left: int  # how many tickets can still be drawn
    offered: tuple[Ticket, ...] = ()  # those from which this player has to choose now
    at_least: int = 0  # how many of them have to be kept
    # What this player drew in this turn, where a second card may follow.
    drawn: tuple[Draw, ...] = ()
    # The places of the train cards that may be drawn now: None for the deck.
    drawable: tuple[int | None, ...] = ()
    tunnel: Tunnel | None = None  # the one that asks this player for more cards
    # The three cards that were turned over for the tunnel of the last move.
    revealed: tuple[str, ...] = ()
    # Once the last turns have begun: how many turns are left in all, this one counted.
    turns_left: int | None = None

    @property
    def can_draw_tickets(self) -> bool:
        """Whether tickets can be drawn."""
        return self.tickets_left > 0 and self.position.edition.later_tickets[0] > 0


def view_of(
    position: Position, dealing: Dealing, holders: Mapping[Colour, Holder], colour: Colour
) -> SeatView:
    """Return a player's view of a position with everyone's tickets; `holders` have the cards."""
    who, last = holders[colour], position.last_turns
    mine = dealing.on_turn == who
    own_tickets = position.tickets.get(colour, ())
    stacks = dealing.stacks
    offered = dealing.offered.get(who, ())
    return SeatView(
        replace(position, tickets={colour: own_tickets}),
        colour,
        dealing.hand(who),
        stacks.face_up,
        stacks.in_deck,
        dict(stacks.discards),
        {other: sum(dealing.hands.get(name, {}).values()) for other, name in holders.items()},
        {other: len(position.tickets.get(other, ())) for other in holders},
        dealing.tickets_left,
        offered,
        dealing.least_kept(who),
        dealing.drawn if mine else (),
        dealing.drawable if mine else stacks.drawable(),
        dealing.tunnel if mine else None,
        dealing.revealed,
        len(last_turns(position.colours, last.by, last.turns_since)) if last else None,
    )
