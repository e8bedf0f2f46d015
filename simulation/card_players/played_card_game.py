"""A played Card Game as values: what everyone was dealt and did, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from railspotter.scoring.card_game import final_card_score
from railspotter.scoring.card_game_text import CardGame, card_position_of
from railspotter.scoring.card_tickets import Cards, CardTicket
from railspotter.scoring.edition import Colour
from railspotter.scoring.position import Seat
from railspotter.scoring.standing import Standing

from ..virtual_players.played_game import CardsDrawn, PassedTurn


@dataclass(frozen=True, slots=True)
class CardDeal:
    """What a player begins with: the cards, the tickets to choose from and those kept."""

    hand: Cards
    offered: tuple[CardTicket, ...]
    kept: tuple[CardTicket, ...]


@dataclass(frozen=True, slots=True)
class CardsPlaced:
    """Cards placed in the own railyard; who was robbed by it."""

    cards: Cards
    robbed: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class CardTicketsDrawn:
    """A turn of drawing tickets."""

    offered: tuple[CardTicket, ...]
    kept: tuple[CardTicket, ...]


CardAction = CardsDrawn | CardsPlaced | CardTicketsDrawn | PassedTurn


@dataclass(frozen=True, slots=True)
class CardTurn:
    """One player's turn."""

    colour: Colour
    round: int  # the how manieth deck it is
    moved: Cards  # the cards that went from the railyard on the track before the action
    action: CardAction
    is_last: bool = False  # whether it was this player's last one with this deck


@dataclass(frozen=True)
class PlayedCardGame:
    """A whole Card Game."""

    seats: tuple[Seat, ...]
    deals: Mapping[Colour, CardDeal] = field(repr=False)
    turns: tuple[CardTurn, ...] = field(repr=False)
    # The end of the game as text that `railspotter score` reads.
    final: CardGame = field(repr=False)

    @property
    def standing(self) -> Standing:
        """The final score."""
        return final_card_score(card_position_of(self.final))
