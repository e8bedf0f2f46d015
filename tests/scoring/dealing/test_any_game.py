"""What holds in every state of every game: any edition, any players, any legal moves."""

import copy
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from railspotter.scoring.board import Route, Site
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.dealing import rules
from railspotter.scoring.dealing.claims import Price, may_claim, payments, price_problems
from railspotter.scoring.dealing.dealing import Dealing, first_dealing, view_of
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
)
from railspotter.scoring.edition import load_edition
from railspotter.scoring.legality import position_problems
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.spot import Spot, of_kind
from scripted_luck import RecordedLuck, ScriptedLuck

import card_rules
from card_rules import RandomPlayer, pieces_of

SEEDS = st.integers(0, 10**6)
GAMES = st.tuples(st.sampled_from(card_rules.EDITIONS), st.integers(2, 5), SEEDS).map(
    lambda drawn: (drawn[0], min(drawn[1], load_edition(drawn[0]).players[1]), drawn[2])
)
a_game = given(GAMES)
# A smaller seed makes no simpler game, so nothing is shrunk.
some = settings(
    max_examples=12, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)


@dataclass(frozen=True)
class Step:
    """A state and the move that is made in it."""

    position: Position
    dealing: Dealing
    colour: str
    move: Move
    after: Dealing


def beginning(
    name: str, players: int, luck: RecordedLuck | ScriptedLuck
) -> tuple[Position, Dealing]:
    edition, board = card_rules.edition_and_board(name)
    position = Position(edition, board, tuple(map(Seat, edition.colours[:players])))
    return position, first_dealing(edition, board, position.colours, luck)


def steps(name: str, players: int, seed: int, luck: RecordedLuck) -> Iterator[Step]:
    """Play 300 moves at random: past the last turns, so that stocks and decks run out."""
    position, dealing = beginning(name, players, luck)
    colours = position.colours
    by_colour = {c: RandomPlayer(c, random.Random(seed + i)) for i, c in enumerate(colours)}
    waiting = list(colours)
    for _ in range(300):
        colour = next(iter(dealing.offered), waiting[0])
        move = by_colour[colour].move(view_of(position, dealing, {c: c for c in colours}, colour))
        after = rules.play(position, dealing, colour, colour, move, luck)
        yield Step(position, dealing, colour, move, after)
        position = entered(position, dealing, colour, move, after)
        if rules.ends_turn(dealing, move, after):
            waiting.append(waiting.pop(0))
        dealing = after


def entered(position: Position, before: Dealing, colour: str, move: Move, now: Dealing) -> Position:
    """Return the position with what a move claims."""
    if isinstance(move, Pay) and now.tunnel is None:
        return claimed(position, colour, move.spot)
    if isinstance(move, PayMore) and before.tunnel is not None:
        return claimed(position, colour, Spot("route", before.tunnel.route))
    return position


def claimed(position: Position, colour: str, spot: Spot) -> Position:
    built = position.stations.get(colour, ())
    return replace(
        position,
        claims={**position.claims, **of_kind("route", {spot: colour})},
        sites={**position.sites, **of_kind("site", {spot: colour})},
        stations={**position.stations, colour: (*built, *of_kind("station", {spot: colour}))},
    )


@a_game
@some
def test_no_card_and_no_ticket_is_lost_and_no_rule_is_broken(game: tuple[str, int, int]) -> None:
    name, players, seed = game
    card_rules.play_game(*card_rules.edition_and_board(name), players, seed)  # raises where one is


@a_game
@some
def test_moves_are_made_or_refused_as_it_says(game: tuple[str, int, int]) -> None:
    name, players, seed = game
    rng = random.Random(seed)
    for step in steps(name, players, seed, RecordedLuck(seed)):
        if rng.random() < 0.8:
            continue
        snapshot = copy.deepcopy((step.dealing.hands, step.dealing.offered, step.dealing.stacks))
        for move in candidates(step, rng):
            assert is_made(step, move) == is_right(step, move), (move, step.dealing)
        assert snapshot == (step.dealing.hands, step.dealing.offered, step.dealing.stacks)


def candidates(step: Step, rng: random.Random) -> Iterator[Move]:
    """Yield moves of every kind, right ones and wrong ones."""
    yield from (DrawCard(place) for place in (None, 0, 1, 2, 3, 4))
    yield from (DrawTickets(), PassTurn(), LeaveTunnel(), PayMore({"red": 1}))
    yield from (KeepTickets(()), step.move)
    hand = step.dealing.hand(step.colour)
    for spot in rng.sample(list(rules.every_spot(step.position)), 4):
        for card in (*hand, "white"):
            yield Pay(spot.kind, spot.id, {card: rng.randint(1, 4)})


def is_made(step: Step, move: Move) -> bool:
    try:
        rules.play(step.position, step.dealing, step.colour, step.colour, move, RecordedLuck(1))
    except MoveError:
        return False
    return True


def is_right(step: Step, move: Move) -> bool:
    """Whether a move is right, by what else says so."""
    position, dealing, colour = step.position, step.dealing, step.colour
    if move == step.move:
        return True
    if dealing.offered or dealing.tunnel:
        return isinstance(move, LeaveTunnel) and dealing.tunnel is not None
    match move:
        case DrawCard(place=place):
            return place in dealing.drawable
        case DrawTickets():
            return dealing.can_draw_tickets and not rules.is_busy(dealing)
        case PassTurn():
            return not rules.can_move(position, dealing, colour, colour)
        case Pay(cards=cards):
            ways = rules.legal_payments(position, dealing.hand(colour), colour, move.spot)
            return not rules.is_busy(dealing) and Counter(cards) in list(ways)
    return False


@a_game
@some
def test_whoever_can_do_nothing_passes_and_nobody_else(game: tuple[str, int, int]) -> None:
    name, players, seed = game
    for step in steps(name, players, seed, RecordedLuck(seed)):
        view = view_of(
            step.position, step.dealing, {c: c for c in step.position.colours}, step.colour
        )
        assert view.drawable == step.dealing.drawable
        if isinstance(step.move, PassTurn):
            hand = step.dealing.hand(step.colour)
            assert not list(rules.claimable(step.position, hand, step.colour))
            assert not step.dealing.can_draw_tickets
            assert not step.dealing.stacks.face_up


@a_game
@some
def test_what_may_be_claimed_is_what_makes_no_wrong_position(game: tuple[str, int, int]) -> None:
    name, players, seed = game
    rng = random.Random(seed)
    for step in steps(name, players, seed, RecordedLuck(seed)):
        if rng.random() < 0.95:
            continue
        position = step.position
        for spot in rng.sample(list(rules.every_spot(position)), 20):
            after = claimed(position, step.colour, spot)
            wrong = not pieces_of(position) <= pieces_of(after) or position_problems(after)
            is_taken = after == position  # one's own already
            assert may_claim(position, step.colour, spot) == (not wrong and not is_taken), spot


@a_game
@some
def test_the_same_moves_with_the_recorded_luck_give_the_same_cards(
    game: tuple[str, int, int],
) -> None:
    name, players, seed = game
    luck = RecordedLuck(seed)
    played = list(steps(name, players, seed, luck))
    again = luck.again()
    position, dealing = beginning(name, players, again)
    for step in played:
        assert dealing == step.dealing
        move = msgspec.json.decode(msgspec.json.encode(step.move), type=Move)
        assert move == step.move
        after = rules.play(position, dealing, step.colour, step.colour, move, again)
        position = entered(position, dealing, step.colour, move, after)
        dealing = after
    assert dealing == played[-1].after
    again.assert_done()


HANDS = st.dictionaries(
    st.sampled_from(("red", "blue", "green", "locomotive")), st.integers(0, 4), max_size=4
)
LENGTHS = st.integers(1, 5)
ROUTES = st.builds(
    lambda length, colour, ferry: Route(
        "a--b", "a", "b", length, colour, (), ferry_locomotives=min(ferry, length)
    ),
    LENGTHS,
    st.sampled_from(("grey", "unknown", "red", "white")),
    st.integers(0, 2),
)
SITES = st.sampled_from([("red", "blue"), ("red", "red")]).map(
    lambda colours: Site("zoo", "Zoo", "a", colours)
)
PRICES: st.SearchStrategy[Price] = st.one_of(ROUTES, SITES, LENGTHS)


@given(PRICES, HANDS)
@settings(deadline=None)
def test_payments_are_all_that_the_rules_accept(price: Price, hand: Cards) -> None:
    position = Position(load_edition("europe"), card_rules.edition_and_board("europe")[1], ())
    every = product(*(range(count + 1) for count in hand.values()))
    possible = [dict(zip(hand, counts, strict=True)) for counts in every]
    right = [+Counter(cards) for cards in possible if not price_problems(position, price, cards)]
    found = list(payments(price, hand))
    assert Counter(map(frozen, found)) == Counter(map(frozen, right))
    engines = [way["locomotive"] for way in found]
    assert engines == sorted(engines)


def frozen(cards: Cards) -> frozenset[tuple[str, int]]:
    return frozenset(cards.items())
