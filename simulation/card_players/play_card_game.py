"""Whole games of the Card Game: bots take turns until the deck, or the second one, has run out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from railspotter.scoring.board import load_board
from railspotter.scoring.card_game import decks
from railspotter.scoring.card_tickets import CardTicket
from railspotter.scoring.edition import load_edition
from railspotter.scoring.ending import last_turns
from railspotter.scoring.position import Seat

from ..virtual_players.play import seats_for
from .card_bots import CardBot
from .card_table import CardTable
from .played_card_game import CardTurn, PlayedCardGame

# The cities are the rulebook's; what the printed cards say is not known here: made up.
CITY_BONUSES = {
    "Chicago": 12,
    "Dallas": 8,
    "Los Angeles": 10,
    "Miami": 8,
    "New York": 15,
    "Seattle": 8,
}
TICKETS = 46  # how many there are: "46 Destination Ticket cards"


def made_up_tickets(seed: int = 0) -> tuple[CardTicket, ...]:
    """Return a deck of tickets; the printed ones are not part of the project.

    Examples
    --------
    >>> tickets = made_up_tickets()
    >>> len(tickets), {sum(ticket.circles.values()) for ticket in tickets}
    (46, {2, 3, 4, 5})
    """
    rng = np.random.default_rng(seed)
    colours = load_edition("card-game").card_colours
    names = [place.name for place in load_board("usa").places]
    pairs: dict[tuple[str, ...], None] = {}
    while len(pairs) < TICKETS:
        pairs[tuple(sorted(names[i] for i in rng.choice(len(names), 2, replace=False)))] = None
    tickets = []
    for cities in pairs:
        circles: dict[str, int] = {}
        for i in rng.integers(len(colours), size=int(rng.integers(2, 6))):
            circles[colours[i]] = circles.get(colours[i], 0) + 1
        size = sum(circles.values())
        tickets.append(CardTicket(cities, circles, 2 * size + int(rng.integers(3))))
    return tuple(tickets)


def play_card_game(players: int | Sequence[Seat], seed: int = 0) -> PlayedCardGame:
    """Play a Card Game from the first deal to the last turn.

    Examples
    --------
    >>> game = play_card_game(4, seed=3)
    >>> game.final.round, [turn.is_last for turn in game.turns[-5:]]
    (2, [False, True, True, True, True])
    """
    rng, edition = np.random.default_rng(seed), load_edition("card-game")
    seats = seats_for(edition, players, rng) if isinstance(players, int) else tuple(players)
    table = CardTable(edition, seats, made_up_tickets(), CITY_BONUSES, rng)
    bots = {
        seat.colour: CardBot(seat.colour, own)
        for seat, own in zip(seats, rng.spawn(len(seats)), strict=True)
    }
    deals = {colour: table.deal_tickets(colour, bot.keep(table)) for colour, bot in bots.items()}

    turns: list[CardTurn] = []
    waiting = deque(bots)
    for round_ in range(1, decks(len(seats)) + 1):
        if round_ > 1:
            table.begin_second_deck()
        waiting = _play_deck(table, bots, round_, waiting, turns)
    return PlayedCardGame(seats, deals, tuple(turns), table.text)


def _play_deck(
    table: CardTable,
    bots: dict[str, CardBot],
    round_: int,
    waiting: deque[str],
    turns: list[CardTurn],
) -> deque[str]:
    """Play until the deck has run out and everyone had a last turn; return the next turn order.

    "Play then resumes [...] beginning with the player to the left of the player who took the last
    turn": the last turn is that of the player who drew the last card.
    """
    order = list(waiting)
    by = None
    while waiting:
        colour = waiting.popleft()
        moved = table.move_on_track(colour)
        action = bots[colour].take_turn(table)
        turns.append(CardTurn(colour, round_, moved, action, by is not None))
        if by is None:
            waiting.append(colour)
            if not table.cards.in_deck:
                by = colour
                waiting = deque(last_turns(order, colour))
    return deque(last_turns(order, turns[-1].colour))
