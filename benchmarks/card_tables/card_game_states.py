"""What must hold in every state of The Card Game, and its score counted by trying every choice."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from railspotter.scoring.card_game.rules import card_standing
from railspotter.scoring.card_game.tickets import LOCOMOTIVE, CardTicket
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame, Happened


class WrongStateError(Exception):
    """A state that violates the rules, or where cards are missing."""


COLOURS = ("black", "blue", "green", "orange", "pink", "red", "white", "yellow")
FEW = 12  # so many tickets are tried in all their choices


def last_deal(game: DealtCardGame) -> Happened:
    """Return the newest event of a hand that was dealt anew."""
    return next(one for one in reversed(game.events) if one.what == "dealt anew")


def check_dealt_anew(before: DealtCardGame, after: DealtCardGame, colour: str) -> None:
    """Judge a hand that was dealt anew, and that nobody else's changed."""
    is_same_deck = after.round == before.round and not after.final
    old = before.completed.get(colour, ())

    def tickets(game: DealtCardGame, of: str) -> list[CardTicket]:
        done = [one.ticket for one in game.completed.get(of, ())]
        return [*game.tickets.get(of, ()), *game.offered.get(of, ()), *done]

    had, got = (tickets(game, colour) for game in (before, after))
    for one in old:
        had.remove(one.ticket)
        got.remove(one.ticket)
    if any(ticket in had for ticket in got):
        raise WrongStateError(f"{colour} sees old tickets")
    more = 4 if after.round > before.round else 0
    size = sum(before.hands[colour].values())
    cards = sum(after.hands[colour].values()) - more
    there = sum(before.deck.values()) + sum(before.discards.values())
    if before.choosing:
        rows = [row.size for railyard in before.railyards.values() for row in railyard.values()]
        there += len(before.face_up) + sum(rows)
    left = len(before.ticket_deck) + len(before.beneath)
    if cards != min(size, there) or len(got) != min(len(had), left):
        raise WrongStateError(f"{cards} cards of {size}, {len(got)} tickets of {len(had)}")
    if (told := last_deal(after).missing) != size - cards + len(had) - len(got):
        raise WrongStateError(f"{told} are told missing")
    for other in before.colours:
        if other != colour and is_same_deck and before.hands[other] != after.hands[other]:
            raise WrongStateError(f"{other}'s hand changed")
        if other != colour and tickets(before, other) != tickets(after, other) and is_same_deck:
            raise WrongStateError(f"{other}'s tickets changed")
    if any(
        draw.card != "hidden" and not draw.face_up for draw in after.drawn if after.turn == colour
    ):
        raise WrongStateError("a drawn card of the old hand is known")
    for seat, places in after.to_complete.items():
        held = after.tickets.get(seat, ())
        if not set(places) <= set(range(len(held))):
            raise WrongStateError(f"{seat} completes tickets that are not held")


def may_place(game: DealtCardGame, colour: str, cards: Mapping[str, int]) -> bool:
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


def check_cards(game: DealtCardGame, tickets: Sequence[CardTicket]) -> None:
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


def check_change(before: DealtCardGame, after: DealtCardGame, colour: str) -> None:
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


def check_tickets(before: DealtCardGame, after: DealtCardGame) -> None:
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


def check_proposals(game: DealtCardGame) -> None:
    """Judge what is proposed to be completed as the first deck has run out."""
    for colour, places in game.to_complete.items():
        tickets = game.tickets.get(colour, ())
        points = sum(tickets[i].points for i in places)
        most = points if len(tickets) > FEW else _most_points(tickets, game.tracks.get(colour, {}))
        if points != most:
            raise WrongStateError(f"{points} points proposed of {most}")


def missing_cards(tickets: Sequence[CardTicket], stack: Mapping[str, int]) -> int:
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
            if missing_cards(some, stack) <= stack.get(LOCOMOTIVE, 0):
                most = max(most, sum(ticket.points for ticket in some))
    return most


def check_score(game: DealtCardGame) -> None:
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
