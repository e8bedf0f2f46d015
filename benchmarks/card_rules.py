"""Whole games of random legal moves, every state judged: `python benchmarks/card_rules.py`.

Is there a game in which the dealer lets somebody do what the rulebook forbids, loses a card, or
comes to a stop? Players make any move that is allowed; in every 50th game they have the bots'
habits. What the dealer did is judged by what knows nothing of it: `payment_problems`,
`draw_problems`, `change_problems`, `position_problems`, and sums of cards and tickets.

USA's accessible edition has USA's card rules. Of Philly a part of the board is at hand: its rules
are played on USA's board, with modes and sites made up.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np
from railspotter.scoring.board import Board, Site, load_board
from railspotter.scoring.card_game.tickets import LOCOMOTIVE
from railspotter.scoring.card_game.turns import draw_problems, must_flush
from railspotter.scoring.dealing.claims import (
    payment_problems,
    site_payment_problems,
    tunnel_additions,
)
from railspotter.scoring.dealing.dealing import Dealing
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    PassTurn,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.rules import every_spot, legal_payments
from railspotter.scoring.dealing.seat_view import SeatView
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import Colour, Edition, load_edition, ticket_deck
from railspotter.scoring.legality import change_problems, position_problems
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.spot import Spot
from railspotter.simulation.errors import IllegalTurnError
from railspotter.simulation.virtual_players.bots import Bot
from railspotter.simulation.virtual_players.play import play_by, seats_for
from railspotter.simulation.virtual_players.played_game import (
    Action,
    CardsDrawn,
    Deal,
    PlayedRoute,
    PlayedSite,
    PlayedStation,
    TunnelLeft,
)
from railspotter.simulation.virtual_players.referee import Player, Referee

EDITIONS = ("usa", "usa-10th", "newyork", "europe", "philly")
BOTS_EVERY = 50  # games by random players for one by the bots' habits
# With fewer cards that are no Locomotives a row of three Locomotives may have to stay.
FEW_OTHERS = 15
# What is counted beside games.
WHAT = (
    "turns",
    "moves",
    "claims",
    "tunnels",
    "tunnels left",
    "stations",
    "new decks",
    "rows left",
    "passes",
    "games without last turns",
)
MOST_MOVES = 20_000  # a game of more is stuck; the longest takes some hundreds
# Spots that a player looks at before drawing cards instead: who looks at none hoards cards until
# none is left. Chosen.
SPOTS_TRIED = (0, 2, 4, 8)
TICKET_TURNS = 0.04  # How many of the turns go for tickets. Chosen.
TUNNELS_LEFT = 0.2  # How many tunnels are left that could be paid for. Chosen.


class RandomPlayer:
    """A player without any plan."""

    def __init__(self, colour: Colour, rng: random.Random) -> None:
        self.colour = colour
        self._rng = rng
        self._tries = rng.choice(SPOTS_TRIED)
        self._spots: list[Spot] = []

    def move(self, view: SeatView) -> Move:
        """Choose the next move of the own turn."""
        rng = self._rng
        if view.offered:
            count = rng.randint(view.at_least, len(view.offered))
            return KeepTickets(ticket_texts(rng.sample(view.offered, count)))
        if view.tunnel is not None:
            ways = list(tunnel_additions(view.tunnel.cards, view.hand, view.tunnel.more))
            if not ways or rng.random() < TUNNELS_LEFT:
                return LeaveTunnel()
            return PayMore(dict(rng.choice(ways)))
        if view.drawn:
            return DrawCard(rng.choice(self._draws(view)))
        return self._begin_turn(view)

    def _begin_turn(self, view: SeatView) -> Move:
        spots = self._all_spots(view)
        if paid := self._claim(view, self._rng.choices(spots, k=self._tries)):
            return paid
        if view.can_draw_tickets and self._rng.random() < TICKET_TURNS:
            return DrawTickets()
        if draws := self._draws(view):
            return DrawCard(self._rng.choice(draws))
        if paid := self._claim(view, self._rng.sample(spots, len(spots))):
            return paid
        return DrawTickets() if view.can_draw_tickets else PassTurn()

    def _claim(self, view: SeatView, spots: list[Spot]) -> Pay | None:
        for spot in spots:
            ways = list(legal_payments(view.position, view.hand, self.colour, spot))
            if ways:
                return Pay(spot.kind, spot.id, dict(self._rng.choice(ways)))
        return None

    def _draws(self, view: SeatView) -> list[int | None]:
        places = (None, *range(len(view.face_up)))
        return [place for place in places if view.can_draw(place)]

    def _all_spots(self, view: SeatView) -> list[Spot]:
        if not self._spots:
            self._spots = list(every_spot(view.position))
        return self._spots


class WrongStateError(Exception):
    """Something that cannot be, by the rules or by the count."""


class Judge(Referee):
    """A referee whose every state is judged.

    Attributes
    ----------
    counts : Counter of str
        What happened.
    """

    def __init__(
        self, edition: Edition, board: Board, seats: tuple[Seat, ...], rng: np.random.Generator
    ) -> None:
        super().__init__(edition, board, seats, rng)
        self.counts = Counter(dict.fromkeys(WHAT, 0))
        self._cards = cards_of(edition)
        self._tickets = set(ticket_deck(edition, board))
        self._out_of_game: set[object] = set()
        self._judge_cards()
        self._judge_tickets()

    def deal(self, colour: Colour, player: Player) -> Deal:
        """Let a player choose the first tickets, and judge what came of it."""
        deal = super().deal(colour, player)
        if self.position.edition.returned_first_tickets == "out of the game":
            self._out_of_game |= set(deal.offered) - set(deal.kept)
        self._judge_tickets()
        return deal

    def play(self, colour: Colour, move: Move) -> Action | None:
        """Let a player make a move, and judge what came of it."""
        before, position = self.dealing, self.position
        action = super().play(colour, move)
        self.counts["moves"] += 1
        self.counts["new decks"] += self.dealing.stacks.in_deck > before.stacks.in_deck
        if self.counts["moves"] > MOST_MOVES:
            raise WrongStateError("the game does not end")
        self._judge_cards()
        if (self.dealing.tickets, self.dealing.offered) != (before.tickets, before.offered):
            self._judge_tickets()
        for other in position.colours:
            if other != colour and self.dealing.hands[other] != before.hands[other]:
                raise WrongStateError(f"{other}'s hand changed")
        if action is not None:
            self.counts["turns"] += 1
            self._judge_action(colour, action, before, position)
        self.counts["passes"] += isinstance(move, PassTurn)
        return action

    def judge_end(self) -> None:
        """Judge the last position."""
        _refuse(position_problems(self.position))
        self.counts["games without last turns"] += self.last_turns_by is None

    def _judge_cards(self) -> None:
        stacks = self.dealing.stacks
        if self.dealing.all_cards != self._cards:
            raise WrongStateError(f"cards: {self.dealing.all_cards}, printed {self._cards}")
        if len(stacks.face_up) != 5 and (len(stacks.face_up) > 5 or stacks.can_draw_blind):
            raise WrongStateError(f"{len(stacks.face_up)} cards lie face up")
        if must_flush(stacks.edition, stacks.face_up):
            others = stacks.left - stacks.all_cards[LOCOMOTIVE]
            self.counts["rows left"] += 1
            if others >= FEW_OTHERS:
                raise WrongStateError(f"{stacks.face_up} lies face up, with {others} others left")

    def _judge_tickets(self) -> None:
        dealing, held = self.dealing, self.position.tickets
        every = [*dealing.tickets, *dealing.beneath, *dealing.long, *self._out_of_game]
        for tickets in (*dealing.offered.values(), *held.values()):
            every.extend(tickets)
        if len(every) != len(self._tickets) or set(every) != self._tickets:
            raise WrongStateError(f"{len(every)} tickets, printed {len(self._tickets)}")

    def _judge_action(
        self, colour: Colour, action: Action, before: Dealing, position: Position
    ) -> None:
        edition, board = position.edition, position.board
        match action:
            case CardsDrawn(draws=draws):
                _refuse(draw_problems(edition, draws))
                return
            case PlayedRoute(route=route, cards=cards, revealed=revealed):
                _refuse(payment_problems(edition, board.route_by_id[route], cards, revealed))
                self.counts["tunnels"] += bool(revealed)
            case PlayedSite(site=site, cards=cards):
                _refuse(site_payment_problems(edition, board.site_by_id[site], cards))
            case PlayedStation(cards=cards):
                built = len(self.position.stations[colour])
                if sum(cards.values()) != built or len(set(cards) - {LOCOMOTIVE}) > 1:
                    raise WrongStateError(f"{cards} played for station {built}")
                self.counts["stations"] += 1
            case TunnelLeft():
                self.counts["tunnels left"] += 1
                return
            case _:
                return
        if before.hand(colour) - self.dealing.hand(colour) != Counter(cards):
            raise WrongStateError(f"{cards} played, and other cards left the hand")
        _refuse(change_problems(position, self.position))
        _refuse(position_problems(self.position))
        self.counts["claims"] += 1


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each edition; return 1 where anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000, help="of each edition")
    parser.add_argument("--first", type=int, default=0, help="the first game's seed")
    parser.add_argument("--editions", nargs="+", default=EDITIONS, choices=EDITIONS)
    args = parser.parse_args(argv)
    wrong = 0
    for name in args.editions:
        counts = play_games(name, range(args.first, args.first + args.games))
        wrong += counts["illegal"] + counts["wrong"]
        print(f"{name}: " + ", ".join(f"{n:,} {what}" for what, n in counts.items()), flush=True)
    return wrong > 0


def play_games(name: str, seeds: Sequence[int]) -> Counter[str]:
    """Play an edition's games and return what happened; what was wrong is printed."""
    edition, board = table(name)
    fewest, most = edition.players
    counts = Counter(dict.fromkeys(("games", "illegal", "wrong", *WHAT), 0))
    begin = time.process_time()
    for seed in seeds:
        players = fewest + seed % (most - fewest + 1)
        try:
            counts.update(play_one(edition, board, players, seed))
        except IllegalTurnError as error:
            counts["illegal"] += 1
            print(f"{name}, seed {seed}: {error}", file=sys.stderr)
        except WrongStateError as error:
            counts["wrong"] += 1
            print(f"{name}, seed {seed}: {error}", file=sys.stderr)
        counts["games"] += 1
    return Counter({**counts, "seconds": round(time.process_time() - begin)})


def play_one(edition: Edition, board: Board, players: int, seed: int) -> Counter[str]:
    """Play a game and return what happened in it."""
    rng = np.random.default_rng(seed)
    seats = seats_for(edition, players, rng)
    judge = Judge(edition, board, seats, rng)
    with_habits = seed % BOTS_EVERY == BOTS_EVERY - 1
    play_by(
        judge,
        {
            seat.colour: Bot(seat.colour, own)
            if with_habits
            else RandomPlayer(seat.colour, random.Random(int(own.integers(1 << 32))))
            for seat, own in zip(seats, rng.spawn(players), strict=True)
        },
    )
    judge.judge_end()
    return judge.counts


def table(name: str) -> tuple[Edition, Board]:
    """Return an edition and its board; Philly's sites and modes are made up on USA's."""
    edition = load_edition(name)
    if name != "philly":
        return edition, load_board(edition.board)
    usa = load_board("usa")
    routes = tuple(
        msgspec.structs.replace(route, mode=edition.modes[i % len(edition.modes)])
        for i, route in enumerate(usa.routes)
    )
    sites = tuple(
        Site(f"site-{i}", f"Site {i}", place.id, ("red", "yellow") if i % 2 else ("blue", "pink"))
        for i, place in enumerate(usa.places[:12])
    )
    edition = msgspec.structs.replace(edition, tickets=load_edition("usa").tickets)
    return edition, msgspec.structs.replace(usa, routes=routes, sites=sites)


def _refuse(problems: Sequence[object]) -> None:
    if problems:
        raise WrongStateError(f"{problems}")


if __name__ == "__main__":
    sys.exit(main())
