"""Plays random games of The Card Game and judges every state of them.

What is asked of each: a card is in one place, and so is a ticket; what the rules say a move needs;
the deck's end ends it, for four the second one's; and the score, by a count that shares no line
with the program's: choices of tickets are tried one by one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from railspotter.scoring.card_game.rules import card_position_problems, card_standing
from railspotter.scoring.card_game.tickets import LOCOMOTIVE, CardTicket
from railspotter.scoring.dealing.card_game_turns import play_card_game
from railspotter.scoring.dealing.card_game_view import OwnCards, card_game_view
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame, deal_card_game
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

from card_rules import WrongStateError

COLOURS = ("black", "blue", "green", "orange", "pink", "red", "white", "yellow")
CITIES = ("Ayton", "Beeville", "Ceedale", "Deeford", "Eeham", "Effton")  # those with a bonus
OTHER_CITIES = tuple(f"Town {n}" for n in range(14))
TICKET_COUNT = 46
MOST_MOVES = 3000  # the longest takes some hundreds
FEW = 12  # so many tickets are tried in all their choices
SEATS = ("red", "blue", "green", "black")


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

    Raises
    ------
    WrongStateError
        For the first state that cannot be.
    """
    rng, luck = random.Random(seed), seeded_luck(seed)
    bonuses = {city: rng.randint(4, 12) for city in CITIES} if rng.random() < 0.8 else {}
    tickets = random_tickets(rng)
    seats = tuple(Player(colour) for colour in rng.sample(SEATS, players))
    game = deal_card_game(seats, tickets, bonuses, luck)
    counts: Counter[str] = Counter({"second decks": 0})
    habits = {seat.colour: rng.random() for seat in seats}  # how gladly each places
    _check_cards(game, tickets)
    while not game.final:
        colour = rng.choice(sorted(game.acting))
        move = _choose_move(game, colour, rng, habits[colour])
        after = play_card_game(game, colour, move, luck)
        counts["moves"] += 1
        counts[type(move).__name__] += 1
        counts["robberies"] += len(after.events[-1].robbed) if after.events else 0
        counts["second decks"] += after.round > game.round
        _check_cards(after, tickets)
        _check_change(game, after, colour)
        counts["tickets chosen otherwise"] += _is_own_choice(game, colour, move)
        if after.choosing and not game.choosing:
            _check_proposals(after)
        if after.round > game.round or after.final:
            _check_tickets(game, after)
        if counts["moves"] > MOST_MOVES:
            raise WrongStateError("the game does not end")
        game = after
    _check_score(game)
    if problems := card_position_problems(game.position):
        raise WrongStateError(f"problems: {problems}")
    return counts


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
            _missing_cards([tickets[i] for i in some], stack) <= stack.get(LOCOMOTIVE, 0)
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
        if is_taken != _may_place(game, colour, cards):
            raise WrongStateError(f"{colour} places {cards}: {is_taken}, in {game.railyards}")
        if is_taken:
            found = found or move
            if rng.random() < 0.5:
                return found
    return found


def _may_place(game: DealtCardGame, colour: str, cards: Mapping[str, int]) -> bool:
    """Tell whether cards may be placed, by the booklet's words."""
    suits = [card for card in cards if card != LOCOMOTIVE]
    size = sum(cards.values())
    is_three = len(suits) == 3 == size and LOCOMOTIVE not in cards
    if not is_three and (len(suits) != 1 or size < 2):
        return False
    for holder, rows in game.railyards.items():
        for card in suits:
            there = rows[card].cards + rows[card].locomotives if card in rows else 0
            if there and (holder == colour or size // len(suits) <= there):
                return False
    return True


def _check_cards(game: DealtCardGame, tickets: Sequence[CardTicket]) -> None:
    """Judge that every train card and every ticket is in one place."""
    there = Counter(game.deck) + Counter(game.face_up) + Counter(game.discards)
    for colour in game.colours:
        there += Counter(game.hands[colour]) + Counter(game.tracks.get(colour, {}))
        for card, row in game.railyards.get(colour, {}).items():
            there += Counter({card: row.cards, LOCOMOTIVE: row.locomotives})
    if there != Counter({**dict.fromkeys(COLOURS, 10), LOCOMOTIVE: 16}):
        raise WrongStateError(f"cards: {there}")
    found = [*game.ticket_deck, *game.beneath]
    for held in (game.offered, game.tickets):
        found += [ticket for tickets in held.values() for ticket in tickets]
    found += [one.ticket for done in game.completed.values() for one in done]
    if sorted(map(repr, found)) != sorted(map(repr, tickets)):
        raise WrongStateError("tickets: not each of them once")
    if len(game.face_up) != 5 and game.stacks.in_deck:
        raise WrongStateError(f"{len(game.face_up)} cards lie face up")


def _check_change(before: DealtCardGame, after: DealtCardGame, colour: str) -> None:
    """Judge that nobody's secrets changed but the player's, and that a turn ends in order."""
    if before.round == after.round:
        for other in before.colours:
            if other != colour and before.hands[other] != after.hands[other]:
                raise WrongStateError(f"{other}'s hand changed")
        tracked = after.tracks.get(after.turn, {}) if after.turn != before.turn else {}
        grown = sum(tracked.values()) - sum(before.tracks.get(after.turn, {}).values())
        rows = before.railyards.get(after.turn, {})
        robbed = after.events[-1].robbed.get(after.turn, 0) if after.events else 0
        if not after.final and after.turn != before.turn and not robbed and grown != len(rows):
            raise WrongStateError(f"{grown} cards went on the track from {len(rows)} rows")
    if before.turns_left == 1 and after.turn != before.turn and before.round == after.round:
        raise WrongStateError("a turn after the last one")


def _check_tickets(before: DealtCardGame, after: DealtCardGame) -> None:
    """Judge what was completed as a deck ran out."""
    is_plain = not (after.final and after.city_bonuses)
    for colour in before.colours:
        stack = Counter(before.tracks.get(colour, {}))
        new = after.completed.get(colour, ())[len(before.completed.get(colour, ())) :]
        held = [*after.tickets.get(colour, ()), *(one.ticket for one in new)]
        for one in new:
            missing = Counter(one.ticket.circles) - Counter(one.paid)
            if missing.total() != one.paid.get(LOCOMOTIVE, 0):
                raise WrongStateError(f"{one.ticket} is paid with {one.paid}")
            stack.subtract(one.paid)
        if min(stack.values(), default=0) < 0:
            raise WrongStateError("a card pays twice")
        if is_plain and not before.choosing and len(held) <= FEW:
            points = sum(one.ticket.points for one in new)
            if points != (most := _most_points(held, before.tracks.get(colour, {}))):
                raise WrongStateError(f"{points} points completed of {most}")


def _check_proposals(game: DealtCardGame) -> None:
    """Judge what is proposed to be completed as the first deck has run out."""
    for colour, places in game.to_complete.items():
        tickets = game.tickets.get(colour, ())
        points = sum(tickets[i].points for i in places)
        most = points if len(tickets) > FEW else _most_points(tickets, game.tracks.get(colour, {}))
        if points != most:
            raise WrongStateError(f"{points} points proposed of {most}")


def _missing_cards(tickets: Sequence[CardTicket], stack: Mapping[str, int]) -> int:
    """Return how many coloured cards are missing to complete some tickets."""
    needs: Counter[str] = Counter()
    for ticket in tickets:
        needs.update(ticket.circles)
    return sum(max(0, n - stack.get(card, 0)) for card, n in needs.items())


def _most_points(tickets: Sequence[CardTicket], stack: Mapping[str, int]) -> int:
    """Return the most points of any choice of tickets that a stack completes."""
    most = 0
    for size in range(len(tickets) + 1):
        for some in combinations(tickets, size):
            if _missing_cards(some, stack) <= stack.get(LOCOMOTIVE, 0):
                most = max(most, sum(ticket.points for ticket in some))
    return most


def _check_score(game: DealtCardGame) -> None:
    """Judge the final score and who won."""
    standing, ranks = card_standing(game.position), {}
    done = {c: [one.ticket for one in game.completed.get(c, ())] for c in game.colours}
    for colour in game.colours:
        points = sum(ticket.points for ticket in done[colour])
        points -= sum(ticket.points for ticket in game.tickets.get(colour, ()))
        bonuses = 0
        for city, bonus in game.city_bonuses.items():
            of = {c: sum(city in ticket.cities for ticket in done[c]) for c in game.colours}
            if of[colour] and of[colour] == max(of.values()):
                points += bonus
                bonuses += 1
        ranks[colour] = points, len(done[colour]), bonuses
        if standing[colour].total != points:
            raise WrongStateError(f"{colour}: {standing[colour].total} points, counted {points}")
    winners = {colour for colour, rank in ranks.items() if rank == max(ranks.values())}
    if set(standing.winners) != winners:
        raise WrongStateError(f"{standing.winners} win, counted {winners}")


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
