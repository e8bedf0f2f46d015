"""The Card Game, which has no board: completed tickets, score and winners.

Two or three players go through the deck once. With four, the first deck's end only scores the
completed tickets: they are set aside, hands and uncompleted tickets stay, all other cards are
shuffled into a second deck, and its end is the end of the game.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..edition import Colour, Edition, TieBreak
from ..legality import Problem, held_often, number_problem, rule_problem
from ..points.standing import ScoreLine, Standing, player_standing, ticket_line, winners_among
from ..position import Seat
from ..sentence import Sentence
from .tickets import (
    LOCOMOTIVE,
    Cards,
    CardTicket,
    Goal,
    TicketChoice,
    best_tickets,
    can_complete,
    city_key,
    count_with_city,
)

CARDS_AT_SECOND_DECK = 4
UNPROVED = Sentence("perhaps more tickets could be completed: there are too many ways to try")
CIRCLE = Sentence(
    "which tickets are best to complete depends on the others' tickets, in a circle: the players"
    " have to choose"
)
# Rounds in which players respond to each other's choices. Of 3,000 random ends 2,987 settled in
# two, the last one in four, and one went round in a circle of two.
MOST_ROUNDS = 8


@dataclass(frozen=True)
class CardPosition:
    """Everything that counts for the score of the Card Game."""

    edition: Edition
    seats: tuple[Seat, ...]  # in turn order
    # Tickets in each player's hand.
    tickets: Mapping[Colour, tuple[CardTicket, ...]] = field(default_factory=dict)
    stacks: Mapping[Colour, Cards] = field(default_factory=dict)  # the cards on the track
    # Tickets completed in an earlier scoring.
    set_aside: Mapping[Colour, tuple[CardTicket, ...]] = field(default_factory=dict)
    # Players who complete other tickets than the best ones: the positions in their `tickets`.
    chosen: Mapping[Colour, tuple[int, ...]] = field(default_factory=dict)
    city_bonuses: Mapping[str, int] = field(default_factory=dict)  # the Big Cities Bonus cards
    round: int = 1  # number of the deck
    # The cards in hand and railyard, which score nothing.
    off_track: Mapping[Colour, Cards] = field(default_factory=dict)
    final: bool = False  # whether the game has ended


def completed(position: CardPosition) -> dict[Colour, TicketChoice]:
    """Return the tickets that each player completes with the own stack.

    They are the player's choice if there is one and the cards pay for it, else the best ones: with
    the most points, in the final score with bonuses. A bonus depends on the others' tickets, so
    players choose in turn, knowing the others' choices, until nobody changes. The first choice is
    without bonuses. Where choices come back that were there before, nobody ever stops changing:
    what changes in this circle is not settled, nor is it after `MOST_ROUNDS`.
    """
    paid = {
        colour: TicketChoice(tuple(sorted(chosen)))
        for colour in _colours(position)
        if (chosen := position.chosen.get(colour)) is not None
        and can_complete(
            (position.tickets.get(colour, ())[i] for i in chosen), position.stacks.get(colour, {})
        )
    }
    others = [colour for colour in _colours(position) if colour not in paid]
    done = {**paid, **{colour: _best_choice(position, colour, ()) for colour in others}}
    rounds: list[dict[Colour, TicketChoice]] = []
    if position.final and position.city_bonuses:
        while done not in rounds and len(rounds) < MOST_ROUNDS:
            rounds.append(dict(done))
            for colour in others:
                done[colour] = best_answer(position, colour, done)
    circle = rounds[rounds.index(done) :] if done in rounds else rounds[-1:]
    for colour, choice in done.items():
        if any(choice != past[colour] for past in circle):
            done[colour] = replace(choice, is_proved=False, is_settled=False)
    return done


def best_answer(
    position: CardPosition,
    colour: Colour,
    done: Mapping[Colour, TicketChoice],
) -> TicketChoice:
    """Return a player's best tickets at the end, given the others' choices `done`."""
    tickets, won = position.tickets.get(colour, ()), _all_completed(position, done)
    goals = []
    for city, bonus in position.city_bonuses.items():
        counts = {c: count_with_city(city, theirs) for c, theirs in won.items() if c != colour}
        most = max((0 if position.edition.bonus_for_none else 1, *counts.values()))
        needed = most - count_with_city(city, position.set_aside.get(colour, ()))
        counting = frozenset(i for i, one in enumerate(tickets) if count_with_city(city, [one]))
        if bonus and 0 < needed <= len(counting):
            goals.append(Goal(counting, needed, bonus))
    return _best_choice(position, colour, tuple(goals))


def card_standing(position: CardPosition) -> Standing:
    """Score the completed tickets when a deck runs out; at the end of a game, bonuses and the rest.

    "Players with uncompleted Destination Tickets still in their hand must now subtract these Ticket
    values from their score." Where the best choice of somebody's tickets is not proved, a line
    without points says why, and no winner is named.

    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Seat
    >>> position = CardPosition(
    ...     load_edition("card-game"), (Seat("red"), Seat("blue")),
    ...     tickets={"red": (CardTicket(("Dallas", "New York"), {"red": 2}, 6),)},
    ...     stacks={"red": {"red": 1, "locomotive": 1}}, city_bonuses={"Dallas": 8}, final=True,
    ... )
    >>> [(line.what, line.points) for line in card_standing(position)["red"].lines]
    [('ticket Dallas - New York, completed', 6), ('most completed tickets to Dallas', 8)]
    """
    done = completed(position)
    won = _all_completed(position, done)
    players, bonus_cards = [], {}
    for seat in position.seats:
        colour = seat.colour
        lines = [
            ticket_line(ticket.cities, ticket.points, done=True)
            for ticket in position.set_aside.get(colour, ())
        ]
        lines += [
            ticket_line(ticket.cities, ticket.points, done=i in done[colour].tickets)
            for i, ticket in enumerate(position.tickets.get(colour, ()))
            if position.final or i in done[colour].tickets
        ]
        if not done[colour].is_proved:
            why = UNPROVED if done[colour].is_settled else CIRCLE
            lines.append(ScoreLine("tickets_undecided", why, 0))
        bonuses = _city_bonuses(position, won, colour) if position.final else []
        bonus_cards[colour] = len(bonuses)
        players.append(player_standing(seat, (*lines, *bonuses)))
    is_known = all(choice.is_proved for choice in done.values())
    if not position.final or not is_known:
        return Standing(tuple(players))
    counts: dict[TieBreak, Mapping[Colour, int]] = {
        "completed tickets": {colour: len(tickets) for colour, tickets in won.items()},
        "bonus cards": bonus_cards,
    }
    tie_breaks = position.edition.tie_break
    return Standing(tuple(players), *winners_among(players, tie_breaks, lambda way, _: counts[way]))


def second_deck(position: CardPosition) -> CardPosition:
    """Return a four player game after its first scoring, as the second deck begins.

    Completed tickets are set aside; "any Destination Tickets that were not completed remain secret
    and stay in the players' hands"; stacks and railyards are shuffled away. The player to the left
    of the one who took the last turn begins, with `CARDS_AT_SECOND_DECK` more cards for everyone.
    """
    done = completed(replace(position, final=False))
    tickets = {
        colour: tuple(t for i, t in enumerate(held) if i not in done[colour].tickets)
        for colour, held in position.tickets.items()
    }
    return replace(
        position,
        tickets=tickets,
        set_aside=_all_completed(position, done),
        stacks={},
        off_track={},
        chosen={},
        round=position.round + 1,
    )


def decks(players: int) -> int:
    """Return the number of train decks in a game.

    >>> decks(3), decks(4)
    (1, 2)
    """
    return 2 if players == 4 else 1


def card_position_problems(position: CardPosition) -> tuple[Problem, ...]:
    """Return all problems of a position."""
    edition, problems = position.edition, []
    players = len(position.seats)
    if what := number_problem(edition, players):
        problems.append(rule_problem(edition, "players", what))
    if position.final and position.round < decks(players):
        what = Sentence("four players end with the second deck; this is the first")
        problems.append(rule_problem(edition, "second_deck", what))
    if position.round > decks(players):
        what = Sentence("with {n} players there is one deck; this is the second", n=players)
        problems.append(rule_problem(edition, "second_deck", what))
    problems += _surplus_cards(position)
    problems += _ticket_copies(position)
    for colour, chosen in position.chosen.items():
        tickets = position.tickets.get(colour, ())
        if not can_complete((tickets[i] for i in chosen), position.stacks.get(colour, {})):
            what = Sentence(
                "{colour}'s stack does not complete the tickets that were chosen", colour=colour
            )
            problems.append(rule_problem(edition, "one_ticket_a_card", what, colours=(colour,)))
    return tuple(problems)


def _surplus_cards(position: CardPosition) -> list[Problem]:
    """Return problems about colours with more cards on the table than in the deck."""
    of_each, locomotives = position.edition.train_cards
    there = Counter[str]()
    for part in (*position.stacks.values(), *position.off_track.values()):
        there.update(part)
    return [
        rule_problem(
            position.edition,
            "train_cards",
            Sentence(
                "there are {n} {card} cards; the deck has {most}", n=count, card=card, most=most
            ),
        )
        for card, count in sorted(there.items())
        if count > (most := locomotives if card == LOCOMOTIVE else of_each)
    ]


def _ticket_copies(position: CardPosition) -> list[Problem]:
    """Return problems about tickets that are held twice: a deck has one of each."""
    holders: dict[tuple[object, ...], list[Colour]] = {}
    titles: dict[tuple[object, ...], str] = {}
    for held in (position.tickets, position.set_aside):
        for colour, tickets in held.items():
            for ticket in tickets:
                ends = frozenset(map(city_key, ticket.cities))
                printed = ends, frozenset(ticket.circles.items()), ticket.points
                holders.setdefault(printed, []).append(colour)
                titles.setdefault(printed, " - ".join(ticket.cities))
    return [
        Problem("tickets", "", held_often(titles[printed], len(colours)), (), tuple(colours))
        for printed, colours in holders.items()
        if len(colours) > 1
    ]


def _all_completed(
    position: CardPosition, done: Mapping[Colour, TicketChoice]
) -> dict[Colour, tuple[CardTicket, ...]]:
    """Return all tickets that each player has completed, now and earlier."""
    return {
        colour: (
            *position.set_aside.get(colour, ()),
            *(position.tickets[colour][i] for i in choice.tickets),
        )
        for colour, choice in done.items()
    }


def _best_choice(position: CardPosition, colour: Colour, goals: tuple[Goal, ...]) -> TicketChoice:
    tickets, stack = position.tickets.get(colour, ()), position.stacks.get(colour, {})
    return best_tickets(tickets, stack, tuple(position.city_bonuses), goals)


def _colours(position: CardPosition) -> list[Colour]:
    return [seat.colour for seat in position.seats]


def _city_bonuses(
    position: CardPosition, won: Mapping[Colour, tuple[CardTicket, ...]], colour: Colour
) -> list[ScoreLine]:
    """Return a player's lines for Big City bonuses: for the most completed tickets of a city.

    "In the event of a tie, all tied players score the bonus points. Destination Tickets with 2 big
    cities listed on them count toward the bonus for both cities."
    """
    lines = []
    for city, bonus in position.city_bonuses.items():
        counts = {c: count_with_city(city, done) for c, done in won.items()}
        most = max(counts.values())
        if counts[colour] == most and (most or position.edition.bonus_for_none):
            lines.append(
                ScoreLine("city", Sentence("most completed tickets to {city}", city=city), bonus)
            )
    return lines
