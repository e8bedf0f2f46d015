"""Plays random games of The Card Game and judges every state of them.

What is asked of each: a card is in one place, and so is a ticket; what the rules say a move needs;
the deck's end ends it, for four the second one's; and the score, by a count that shares no line
with the program's: choices of tickets are tried one by one.

Between moves phones leave their seats, take them, are freed and vouched for, and hands are dealt
anew, in every phase. A model of its own judges who sees which hand: the first phone in a seat, and
any later one only once another player's phone, which never had that seat, has vouched for it, or
its hand is new. A hand that is dealt anew is as large as it was, or no more was there and what is
missing is told; none of the old tickets is in it; no choice is kept that was made over the old one.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace
from railspotter.scoring.card_game.rules import card_position_problems
from railspotter.scoring.card_game.tickets import LOCOMOTIVE, CardTicket
from railspotter.scoring.dealing.card_game_turns import play_card_game, with_hand_dealt_anew
from railspotter.scoring.dealing.card_game_view import OwnCards, card_game_view
from railspotter.scoring.dealing.dealt_card_game import CardGameLuck, DealtCardGame, deal_card_game
from railspotter.scoring.dealing.moves import (
    CardGameMove,
    CompleteTickets,
    DrawCard,
    DrawTickets,
    KeepOffered,
    MoveError,
    PassTurn,
    PlaceCards,
)
from railspotter.scoring.game import Player
from railspotter.simulation.played_game import seeded_luck
from railspotter.table.card_games.dealt_games import SeatedGame
from railspotter.table.errors import SeatError
from railspotter.webui.access.hands import is_anothers_word
from railspotter.webui.access.roles import HandUse

from card_tables.card_game_states import (
    COLOURS,
    WrongStateError,
    check_cards,
    check_change,
    check_dealt_anew,
    check_proposals,
    check_score,
    check_tickets,
    last_deal,
    may_place,
    missing_cards,
)

CITIES = ("Ayton", "Beeville", "Ceedale", "Deeford", "Eeham", "Effton")  # those with a bonus
OTHER_CITIES = tuple(f"Town {n}" for n in range(14))
TICKET_COUNT = 46
MOST_MOVES = 3000  # the longest takes some hundreds
SEATS = ("red", "blue", "green", "black")
PHONES = tuple("abcdef")  # the first is the host's
SEAT_CHANGES = 0.08  # share of moves before which something happens to a seat


def random_tickets(rng: random.Random) -> tuple[CardTicket, ...]:
    """Return tickets that differ, two to six cards each."""
    tickets: dict[object, CardTicket] = {}
    while len(tickets) < TICKET_COUNT:
        cities = tuple(rng.sample(CITIES + OTHER_CITIES, 2))
        circles = Counter(rng.choices(rng.sample(COLOURS, 3), k=rng.randint(2, 6)))
        ticket = CardTicket(cities, dict(circles), 2 * circles.total() + rng.randint(-1, 2))
        tickets[frozenset(cities), frozenset(circles.items())] = ticket
    return tuple(tickets.values())


def play_and_check(seed: int, players: int) -> Counter[str]:
    """Play a random game to its end; return what happened in it.

    Raises `WrongStateError` for the first state that cannot be.
    """
    rng, luck = random.Random(seed), seeded_luck(seed)
    bonuses = {city: rng.randint(4, 12) for city in CITIES} if rng.random() < 0.8 else {}
    tickets = random_tickets(rng)
    seats = tuple(Player(colour) for colour in rng.sample(SEATS, players))
    game = deal_card_game(seats, tickets, bonuses, luck)
    counts: Counter[str] = Counter({"second decks": 0})
    habits = {seat.colour: rng.random() for seat in seats}  # how gladly each places
    table = Table(game, rng)
    check_cards(game, tickets)
    while not game.final:
        if rng.random() < SEAT_CHANGES or (game.choosing and rng.random() < 0.5):
            before, what = game, table.change_seat(game, luck)
            game = table.seated.game
            counts[what] += 1
            counts[f"dealt anew {_phase(before)}"] += what == "dealt anew"
            if what == "dealt anew":
                counts["cards and tickets missing"] += last_deal(game).missing
            check_cards(game, tickets)
            if game.round > before.round or game.final:
                check_tickets(before, game)
                counts["second decks"] += game.round > before.round
                continue
        colour = rng.choice(sorted(game.acting))
        move = _choose_move(game, colour, rng, habits[colour])
        after = play_card_game(game, colour, move, luck)
        counts["moves"] += 1
        counts[type(move).__name__] += 1
        counts["robberies"] += len(after.events[-1].robbed) if after.events else 0
        counts["second decks"] += after.round > game.round
        check_cards(after, tickets)
        check_change(game, after, colour)
        counts["tickets chosen otherwise"] += _is_own_choice(game, colour, move)
        if after.choosing and not game.choosing:
            check_proposals(after)
        if after.round > game.round or after.final:
            check_tickets(game, after)
        if counts["moves"] > MOST_MOVES:
            raise WrongStateError("the game does not end")
        counts["last choices asked for"] += (
            _is_last(after) and bool(after.choosing) and not game.choosing
        )
        game = after
    check_score(game)
    if problems := card_position_problems(game.position):
        raise WrongStateError(f"problems: {problems}")
    return counts


class Table:
    """Phones that come and go at a game's seats, and what each may see by a model of its own."""

    def __init__(self, game: DealtCardGame, rng: random.Random) -> None:
        self.rng = rng
        self.seated = SeatedGame(game, {})
        self.opened: dict[str, str] = {}  # by seat, the phone that may see its hand
        self.had: dict[str, set[str]] = {phone: set() for phone in PHONES}
        self.freed: set[str] = set()  # seats that the host took, until they are opened again
        for colour, phone in zip(game.colours, rng.sample(PHONES, len(game.colours)), strict=True):
            self.take(colour, phone)

    def change_seat(self, game: DealtCardGame, luck: CardGameLuck) -> str:
        """Let something happen to a seat; return what, as it is counted."""
        self.seated = replace(self.seated, game=game)
        acts = (self.take, self.take, self.leave, self.free, self.vouch, self.vouch)
        act = self.rng.choice(acts)
        colour, phone = self.rng.choice(game.colours), self.rng.choice(PHONES)
        hidden = [one for one in game.colours if self.seated.is_hidden(one)]
        if act == self.vouch and hidden and self.rng.random() < 0.8:
            colour = self.rng.choice(hidden)
            phone = self.rng.choice(sorted(self.seated.seats.values()))
        what = self.deal_anew(colour, luck) if self.rng.random() < 0.25 else act(colour, phone)
        for seat, holder in self.seated.seats.items():
            if self.seated.is_hidden(seat) == (self.opened.get(seat) == holder):
                raise WrongStateError(f"{what}: {holder} in {seat}, opened {self.opened}")
        return what

    def _is_done(self, change: Callable[[], SeatedGame]) -> bool:
        try:
            self.seated = change()
        except SeatError:
            return False
        return True

    def _judge(self, what: str, is_done: bool, is_right: bool) -> str:
        if is_done != is_right:
            raise WrongStateError(
                f"{what}: {is_done}, in {self.seated.seats}, opened {self.opened}"
            )
        return what if is_done else f"{what} refused"

    def take(self, colour: str, phone: str) -> str:
        """Let a phone sit down where nobody sits, and leave its seat for that."""
        seats, old = self.seated.seats, self.seated.colour_of(phone)
        is_done = self._is_done(
            lambda: self.seated.with_seat(colour, phone, is_host=phone == PHONES[0])
        )
        if is_done:
            if all(colour not in had for had in self.had.values()):
                self.opened[colour] = phone
            self.opened.pop(old or "", None)
            self.had[phone].add(colour)
        return self._judge("taken", is_done, colour not in seats)

    def leave(self, colour: str, _: str) -> str:
        """Let the phone in a seat leave it."""
        if colour not in self.seated.seats:
            return "left by nobody"
        self.seated = self.seated.with_seat_freed(colour, by_host=False)
        self.opened.pop(colour, None)
        return "left"

    def free(self, colour: str, _: str) -> str:
        """Let the host take a seat from its phone."""
        is_right = colour in self.seated.seats
        is_done = self._is_done(lambda: self.seated.with_seat_freed(colour, by_host=True))
        if is_done:
            self.opened.pop(colour, None)
            self.freed.add(colour)
        return self._judge("freed", is_done, is_right)

    def vouch(self, colour: str, phone: str) -> str:
        """Let a phone vouch for another one, if the rule of every table says that it may."""
        own, waits = self.seated.colour_of(phone), self.seated.is_hidden(colour)
        is_open = own is not None and self.opened.get(own) == phone
        is_host = phone == PHONES[0]
        may = is_open and own != colour and colour not in self.had[phone]
        may = may and not (is_host and colour in self.freed)
        use: HandUse = "freed" if colour in self.seated.freed else "own"
        had = self.seated.phone_at(own).had if own else ()
        sees = own if own and not self.seated.is_hidden(own) else None
        is_word = is_anothers_word(colour, use, had, sees, is_host=is_host)
        is_done = is_word and self._is_done(lambda: self.seated.with_hand_opened(colour))
        if is_done:
            self._show(colour)
        return self._judge("vouched", is_done, may and waits)

    def deal_anew(self, colour: str, luck: CardGameLuck) -> str:
        """Deal a hand anew, whether or not a phone waits for it."""
        before = self.seated.game
        after = with_hand_dealt_anew(before, colour, luck)
        check_dealt_anew(before, after, colour)
        self.seated = replace(self.seated, game=after)
        if self.seated.is_hidden(colour):
            opened = replace(self.seated, game=before).with_hand_opened(colour)
            self.seated = replace(opened, game=after)
            self._show(colour)
        return "dealt anew"

    def _show(self, colour: str) -> None:
        self.opened[colour] = self.seated.seats[colour]
        self.freed.discard(colour)


def _is_last(game: DealtCardGame) -> bool:
    return game.round == (2 if len(game.players) == 4 else 1)


def _phase(game: DealtCardGame) -> str:
    """Return a game's phase, for what is counted."""
    if game.choosing:
        return "while tickets are completed"
    if game.offered:
        return "while tickets are chosen"
    if game.turns_left is not None:
        return "in the last turns"
    return "in a turn" if game.drawn else "between turns"


def _choose_move(
    game: DealtCardGame, colour: str, rng: random.Random, habit: float
) -> CardGameMove:
    """Choose a move; impossible ones are tried too, and have to be refused."""
    own = card_game_view(game, colour).own
    assert own is not None
    if own.offered:
        count = rng.randint(own.at_least, max(own.at_least, min(2, len(own.offered))))
        return KeepOffered(tuple(rng.sample(range(len(own.offered)), count)))
    if own.to_complete is not None:
        if rng.random() < 0.5:
            return CompleteTickets(own.to_complete)
        return CompleteTickets(_choose_completed(game, colour, rng))
    possible = list(_legal_draws(own))
    if own.drawn:
        return rng.choice(possible) if rng.random() < 0.9 else PassTurn()
    placed = _choose_placing(game, colour, rng) if rng.random() < habit or not possible else None
    if placed is not None:
        return placed
    if own.can_draw_tickets and (rng.random() < 0.06 or not possible):
        return DrawTickets()
    if possible:
        return rng.choice(possible)
    if not own.can_pass:
        raise WrongStateError("nothing is possible, and passing neither")
    return PassTurn()


def _choose_completed(game: DealtCardGame, colour: str, rng: random.Random) -> tuple[int, ...]:
    """Try tickets at random; those that the stack does not complete have to be refused."""
    tickets, stack = game.tickets[colour], game.tracks[colour]
    places = list(range(len(tickets)))
    rng.shuffle(places)
    for count in range(len(places), -1, -1):
        some = tuple(places[:count])
        try:
            play_card_game(game, colour, CompleteTickets(some), seeded_luck(0))
        except MoveError:
            is_taken = False
        else:
            is_taken = True
        if is_taken != (
            missing_cards([tickets[i] for i in some], stack) <= stack.get(LOCOMOTIVE, 0)
        ):
            raise WrongStateError(f"{colour} completes {some}: {is_taken}")
        if is_taken:
            return some
    raise WrongStateError("nothing cannot be completed")


def _is_own_choice(game: DealtCardGame, colour: str, move: CardGameMove) -> bool:
    return isinstance(move, CompleteTickets) and set(move.places) != set(game.to_complete[colour])


def _legal_draws(own: OwnCards) -> Iterator[DrawCard]:
    if own.can_draw_deck:
        yield DrawCard()
    yield from (DrawCard(place) for place, can in enumerate(own.can_draw_places) if can)


def _choose_placing(game: DealtCardGame, colour: str, rng: random.Random) -> PlaceCards | None:
    """Try cards at random; what this judges possible has to be taken, all else refused."""
    hand = game.hands[colour]
    suits: list[dict[str, int]] = []
    for card in (c for c in hand if c != LOCOMOTIVE):
        for engines in range(hand.get(LOCOMOTIVE, 0) + 1):
            suits += [{card: n, LOCOMOTIVE: engines} for n in range(1, hand[card] + 1)]
    threes = [dict.fromkeys(three, 1) for three in combinations(sorted(hand), 3)]
    suits = [{card: n for card, n in suit.items() if n} for suit in suits]
    rng.shuffle(suits)
    rng.shuffle(threes)
    found = None
    for cards in (*threes[:6], *suits):
        move = PlaceCards(cards)
        try:
            play_card_game(game, colour, move, seeded_luck(0))
        except MoveError:
            is_taken = False
        else:
            is_taken = True
        if is_taken != may_place(game, colour, cards):
            raise WrongStateError(f"{colour} places {cards}: {is_taken}, in {game.railyards}")
        if is_taken:
            found = found or move
            if rng.random() < 0.5:
                return found
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(argv)
    began, counts = time.perf_counter(), Counter[str]()
    for seed in range(chosen.seed, chosen.seed + chosen.games):
        try:
            counts += play_and_check(seed, 2 + seed % 3)
        except Exception as error:
            print(f"game {seed}: {error}", file=sys.stderr)
            raise
    seconds = time.perf_counter() - began
    print(f"{chosen.games} games in {seconds:.0f} s, no fault")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
