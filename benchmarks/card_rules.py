"""Checks every state of games of random legal moves: `python benchmarks/card_rules.py`.

Is there a game in which the dealer lets somebody do what the rulebook forbids, loses a card, or
comes to a stop? Players make any move that is allowed; computers play
every 50th game. What the dealer did is judged by what knows nothing of it: `payment_problems`,
`draw_problems`, `position_problems`, and sums of cards and tickets.

USA's accessible edition has USA's card rules. Of Philly a part of the board is at hand: its rules
are played on USA's board, with modes and sites made up.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from logged_games import own_philly, shipped
from railspotter.scoring.board import Board
from railspotter.scoring.card_game.tickets import LOCOMOTIVE
from railspotter.scoring.card_game.turns import Draw, draw_problems, must_flush
from railspotter.scoring.dealing.claims import (
    payment_problems,
    site_payment_problems,
    tunnel_additions,
)
from railspotter.scoring.dealing.dealing import Dealing, SeatView, first_dealing
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Move,
    MoveError,
    PassTurn,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.rules import every_spot, legal_payments
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import Colour, Edition, ticket_deck
from railspotter.scoring.legality import position_problems
from railspotter.scoring.position import Position, seats_of
from railspotter.scoring.spot import Spot
from railspotter.simulation.computer_players.strengths import computer_player
from railspotter.simulation.played_game import PlayedMove, Player, play_moves, seeded_luck

from card_tables.card_game_states import WrongStateError

EDITIONS = ("usa", "usa-10th", "newyork", "europe", "philly")
COMPUTERS_EVERY = 50  # games by random players for one by computers
# With fewer cards that are no Locomotives a row of three Locomotives may have to stay.
FEW_OTHERS = 15
# What is counted beside games.
COUNTED_EVENTS = (
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
    """A player of random moves."""

    def __init__(self, colour: Colour, rng: random.Random) -> None:
        self.colour = colour
        self._rng = rng
        self._tries = rng.choice(SPOTS_TRIED)
        self._spots: list[Spot] = []

    def move(self, view: SeatView) -> Move:
        """Choose a random legal move."""
        rng = self._rng
        if view.offered:
            count = rng.randint(view.at_least, len(view.offered))
            return KeepTickets(ticket_texts(rng.sample(view.offered, count)))
        if view.tunnel is not None:
            payments = list(tunnel_additions(view.tunnel.cards, view.hand, view.tunnel.more))
            if not payments or rng.random() < TUNNELS_LEFT:
                return LeaveTunnel()
            return PayMore(dict(rng.choice(payments)))
        if view.drawn:
            return DrawCard(rng.choice(self._legal_draws(view)))
        return self._first_move(view)

    def _first_move(self, view: SeatView) -> Move:
        spots = self._all_spots(view)
        if paid := self._random_payment(view, self._rng.choices(spots, k=self._tries)):
            return paid
        if view.can_draw_tickets and self._rng.random() < TICKET_TURNS:
            return DrawTickets()
        if draws := self._legal_draws(view):
            return DrawCard(self._rng.choice(draws))
        if paid := self._random_payment(view, self._rng.sample(spots, len(spots))):
            return paid
        return DrawTickets() if view.can_draw_tickets else PassTurn()

    def _random_payment(self, view: SeatView, spots: list[Spot]) -> Pay | None:
        for spot in spots:
            payments = list(legal_payments(view.position, view.hand, self.colour, spot))
            if payments:
                return Pay(spot.kind, spot.id, dict(self._rng.choice(payments)))
        return None

    def _legal_draws(self, view: SeatView) -> list[int | None]:
        return list(view.drawable)

    def _all_spots(self, view: SeatView) -> list[Spot]:
        if not self._spots:
            self._spots = list(every_spot(view.position))
        return self._spots


def pieces_of(position: Position) -> set[tuple[Spot, Colour]]:
    """Return every piece on the board with its owner."""
    found = {(Spot("route", name), colour) for name, colour in position.claims.items()}
    found |= {(Spot("site", name), colour) for name, colour in position.sites.items()}
    for colour, places in position.stations.items():
        found |= {(Spot("station", place), colour) for place in places}
    return found


class Checker:
    """Checks every state of a game, and counts what happened."""

    def __init__(self, position: Position, dealing: Dealing) -> None:
        self.counts = Counter(dict.fromkeys(COUNTED_EVENTS, 0))
        self.position, self.dealing = position, dealing
        self._cards = cards_of(position.edition)
        self._tickets = set(ticket_deck(position.edition, position.board))
        self._out_of_game: set[object] = set()
        self._check_cards()
        self._check_tickets()

    def check_move(self, made: PlayedMove) -> None:
        """Check the state after a move."""
        colour, before, position = made.colour, self.dealing, self.position
        self.position, self.dealing = made.position, made.dealing
        if made.is_first and position.edition.returned_first_tickets == "out of the game":
            kept = set(self.position.tickets[colour])
            self._out_of_game |= set(before.offered[colour]) - kept
        self.counts["moves"] += 1
        self.counts["new decks"] += self.dealing.stacks.in_deck > before.stacks.in_deck
        if self.counts["moves"] > MOST_MOVES:
            raise WrongStateError("the game does not end")
        self._check_cards()
        if (self.dealing.tickets, self.dealing.offered) != (before.tickets, before.offered):
            self._check_tickets()
        for other in position.colours:
            if other != colour and self.dealing.hands[other] != before.hands[other]:
                raise WrongStateError(f"{other}'s hand changed")
        if isinstance(made.move, DrawCard):
            (card,) = self.dealing.hand(colour) - before.hand(colour)
            place = made.move.place
            is_new = place is not None and place == before.refilled
            drawn = (*before.drawn, Draw(card, place is not None, is_new))
            _raise_if_any(draw_problems(position.edition, drawn))
        if made.laid is not None:
            self._check_claim(made, before, position)
        self.counts["turns"] += made.ends_turn
        self.counts["passes"] += isinstance(made.move, PassTurn)
        self.counts["tunnels left"] += isinstance(made.move, LeaveTunnel)

    def check_end(self, *, has_last_turns: bool) -> None:
        """Check the final position."""
        _raise_if_any(position_problems(self.position))
        self.counts["games without last turns"] += not has_last_turns

    def _check_cards(self) -> None:
        stacks = self.dealing.stacks
        if self.dealing.all_cards != self._cards:
            raise WrongStateError(f"cards: {self.dealing.all_cards}, printed {self._cards}")
        if len(stacks.face_up) != 5 and (len(stacks.face_up) > 5 or stacks.can_draw_blind):
            raise WrongStateError(f"{len(stacks.face_up)} cards lie face up")
        if must_flush(stacks.edition, stacks.face_up):
            others = stacks.all_cards.total() - stacks.all_cards[LOCOMOTIVE]
            self.counts["rows left"] += 1
            if others >= FEW_OTHERS:
                raise WrongStateError(f"{stacks.face_up} lies face up, with {others} others left")

    def _check_tickets(self) -> None:
        dealing, kept = self.dealing, self.position.tickets
        every = [*dealing.tickets, *dealing.beneath, *dealing.long, *self._out_of_game]
        for tickets in (*dealing.offered.values(), *kept.values()):
            every.extend(tickets)
        if len(every) != len(self._tickets) or set(every) != self._tickets:
            raise WrongStateError(f"{len(every)} tickets, printed {len(self._tickets)}")

    def _check_claim(self, made: PlayedMove, before: Dealing, position: Position) -> None:
        edition, board, laid = position.edition, position.board, made.laid
        cards = before.hand(made.colour) - self.dealing.hand(made.colour)
        if isinstance(made.move, Pay | PayMore):
            first = Counter(before.tunnel.cards) if before.tunnel else Counter[str]()
            if cards != first + Counter(made.move.cards):
                raise WrongStateError(f"{made.move} made, and other cards left the hand")
        match laid:
            case Spot("route", route):
                revealed = self.dealing.revealed
                _raise_if_any(payment_problems(edition, board.route_by_id[route], cards, revealed))
                self.counts["tunnels"] += bool(revealed)
            case Spot("site", site):
                _raise_if_any(site_payment_problems(edition, board.site_by_id[site], cards))
            case Spot("station"):
                built = len(self.position.stations[made.colour])
                if sum(cards.values()) != built or len(set(cards) - {LOCOMOTIVE}) > 1:
                    raise WrongStateError(f"{cards} played for station {built}")
                self.counts["stations"] += 1
        was, now = pieces_of(position), pieces_of(self.position)
        if not was < now or len(now - was) > 1:
            raise WrongStateError(f"{was - now} became {now - was} with one claim")
        _raise_if_any(position_problems(self.position))
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
    """Play an edition's games, and print errors; return the statistics."""
    edition, board = edition_and_board(name)
    fewest, most = edition.players
    counts = Counter(dict.fromkeys(("games", "illegal", "wrong", *COUNTED_EVENTS), 0))
    begin = time.process_time()
    for seed in seeds:
        players = fewest + seed % (most - fewest + 1)
        try:
            counts.update(play_game(edition, board, players, seed))
        except MoveError as error:
            counts["illegal"] += 1
            print(f"{name}, seed {seed}: {error}", file=sys.stderr)
        except WrongStateError as error:
            counts["wrong"] += 1
            print(f"{name}, seed {seed}: {error}", file=sys.stderr)
        counts["games"] += 1
    return Counter({**counts, "seconds": round(time.process_time() - begin)})


def play_game(edition: Edition, board: Board, players: int, seed: int) -> Counter[str]:
    """Play a game; return its statistics."""
    rng, luck = random.Random(seed), seeded_luck(seed)
    position = Position(edition, board, seats_of(rng.sample(edition.colours, players)))
    with_habits = seed % COMPUTERS_EVERY == COMPUTERS_EVERY - 1
    by_colour: dict[str, Player] = {
        colour: computer_player("medium", seed)
        if with_habits
        else RandomPlayer(colour, random.Random(rng.getrandbits(32)))
        for colour in position.colours
    }
    dealing = first_dealing(edition, board, position.colours, luck)
    checker, is_last = Checker(position, dealing), False
    for made in play_moves(position, dealing, by_colour, luck):
        checker.check_move(made)
        is_last = made.position.last_turns is not None
    checker.check_end(has_last_turns=is_last)
    return checker.counts


def edition_and_board(name: str) -> tuple[Edition, Board]:
    """Return an edition and its board; Philly's sites and modes are put on USA's."""
    return own_philly() if name == "philly" else shipped(name)


def _raise_if_any(problems: Sequence[object]) -> None:
    if problems:
        raise WrongStateError(f"{problems}")


if __name__ == "__main__":
    sys.exit(main())
