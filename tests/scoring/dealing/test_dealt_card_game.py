"""The Card Game played at random: cards are kept count of, it ends, and an oracle counts it too."""

import random
from collections import Counter
from dataclasses import replace as with_fields

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from railspotter.scoring.card_game.rules import CardPosition, card_standing, completed
from railspotter.scoring.card_game.tickets import CardTicket
from railspotter.scoring.card_game.turns import Row
from railspotter.scoring.dealing.card_game_turns import play_card_game, with_hand_dealt_anew
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealt_card_game import Completed, DealtCardGame, deal_card_game
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
from railspotter.scoring.dealing.stacks import every_card
from railspotter.scoring.game import Player
from railspotter.simulation.played_game import seeded_luck

from card_tables.card_game_states import COLOURS
from random_card_games import play_and_check, random_tickets

PLAYERS = tuple(Player(colour) for colour in ("red", "blue", "green", "black"))


@given(st.integers(0, 10**6), st.integers(2, 4))
def test_any_game_keeps_its_cards_ends_and_scores_as_an_oracle_does(
    seed: int, players: int
) -> None:
    counts = play_and_check(seed, players)
    assert counts["second decks"] == (players == 4)


def dealt(players: int = 2, seed: int = 1) -> DealtCardGame:
    """A game whose first tickets are chosen."""
    luck = seeded_luck(seed)
    game = deal_card_game(
        PLAYERS[:players], random_tickets(random.Random(seed)), {"Ayton": 8}, luck
    )
    for player in PLAYERS[:players]:
        game = play_card_game(game, player.colour, KeepOffered((0,)), luck)
    return game


def after(game: DealtCardGame, *moves: tuple[str, CardGameMove]) -> DealtCardGame:
    for colour, move in moves:
        game = play_card_game(game, colour, move, seeded_luck(1))
    return game


def with_hand(game: DealtCardGame, colour: str, **hand: int) -> DealtCardGame:
    return replace(game, hands={**game.hands, colour: hand})


def test_it_is_dealt_as_the_booklet_says() -> None:
    game = deal_card_game(PLAYERS[:3], random_tickets(random.Random(1)), {}, seeded_luck(1))
    assert [sum(hand.values()) for hand in game.hands.values()] == [8, 8, 8]
    assert all(hand["locomotive"] >= 1 for hand in game.hands.values())
    assert len(game.face_up) == 5
    assert game.stacks.in_deck == 96 - 24 - 5
    assert [len(tickets) for tickets in game.offered.values()] == [6, 6, 6]
    assert len(game.ticket_deck) == 46 - 18
    with pytest.raises(MoveError, match="the deck has 17 tickets; 18 are dealt to 3 players"):
        deal_card_game(PLAYERS[:3], random_tickets(random.Random(1))[:17], {}, seeded_luck(1))


def test_cards_wait_in_the_railyard_for_the_next_turn_and_may_be_robbed_till_then() -> None:
    game = with_hand(dealt(), "red", green=2, locomotive=1)
    game = with_hand(game, "blue", green=4, pink=1)
    game = after(game, ("red", PlaceCards({"green": 2, "locomotive": 1})))
    assert game.railyards["red"] == {"green": Row(2, 1)}
    with pytest.raises(MoveError, match="red has 3 green already; playing 3 does not rob them"):
        after(game, ("blue", PlaceCards({"green": 3})))
    robbed = after(game, ("blue", PlaceCards({"green": 4})))
    assert robbed.railyards["red"] == {}
    assert robbed.discards == {"green": 2, "locomotive": 1}
    assert robbed.tracks["red"] == {}
    assert robbed.events[-1].robbed == {"red": 3}
    spared = after(game, ("blue", DrawTickets()), ("blue", KeepOffered(())))
    assert spared.railyards["red"] == {"green": Row(2, 0)}
    assert spared.tracks["red"] == {"locomotive": 1}
    assert spared.moved == 1


def test_one_card_is_a_turn_and_a_face_up_locomotive_is_one() -> None:
    game = replace(dealt(), face_up=("locomotive", "red", "blue", "red", "red"))
    assert after(game, ("red", DrawCard(0))).turn == "blue"
    one = after(game, ("red", DrawCard(1)))
    assert one.turn == "red"
    for move in (DrawCard(0), DrawTickets(), PlaceCards({"red": 2})):
        with pytest.raises(MoveError):
            after(one, ("red", move))
    assert after(one, ("red", PassTurn())).turn == "blue"
    assert after(one, ("red", DrawCard())).turn == "blue"
    with pytest.raises(MoveError, match="nobody passes"):
        after(game, ("red", PassTurn()))


def test_the_last_card_gives_everyone_one_more_turn_its_drawer_last() -> None:
    game = replace(dealt(3), deck={"pink": 1}, face_up=("red",) * 5)
    game = after(game, ("red", DrawCard()), ("red", DrawCard(0)))
    assert game.turns_left == 3
    assert len(game.face_up) == 4, "nothing is left to take its place"
    for colour in ("blue", "green", "red"):
        assert not game.final
        game = after(game, (colour, DrawTickets()), (colour, KeepOffered(())))
    assert game.final


def test_four_players_begin_a_second_deck_with_all_cards_but_their_hands() -> None:
    game = replace(
        dealt(4),
        deck={},
        turns_left=1,
        tracks={"red": {"pink": 9}},
        tickets={
            "red": (
                CardTicket(("Ayton", "Bee"), {"pink": 2}, 5),
                CardTicket(("Cee",), {"red": 1}, 3),
            )
        },
    )
    held = {colour: sum(hand.values()) for colour, hand in game.hands.items()}
    game = after(game, ("red", DrawTickets()), ("red", KeepOffered(())))
    game = after(game, ("red", CompleteTickets((0,))))
    assert (game.round, game.turn, game.final, game.turns_left) == (2, "blue", False, None)
    assert [one.paid for one in game.completed["red"]] == [{"pink": 2}]
    assert [ticket.cities for ticket in game.tickets["red"]] == [("Cee",)]
    assert {c: sum(hand.values()) for c, hand in game.hands.items()} == {
        c: n + 4 for c, n in held.items()
    }
    assert (len(game.face_up), game.tracks.get("red"), game.discards) == (5, None, {})
    assert every_card(game.stacks.all_cards, *game.hands.values()).total() == 96


def two_for_one_stack() -> DealtCardGame:
    """The last turn of a first deck; red and green can complete one of two tickets each."""
    dear, cheap = CardTicket(("Ayton", "Bee"), {"pink": 2}, 5), CardTicket(("Cee",), {"pink": 1}, 3)
    return replace(
        dealt(4),
        deck={},
        turns_left=1,
        tracks={"red": {"pink": 2}, "blue": {"pink": 3}, "green": {"locomotive": 2}},
        tickets={"red": (cheap, dear), "blue": (dear,), "green": (cheap, dear), "black": (dear,)},
    )


def test_each_of_four_players_chooses_what_the_first_deck_completes() -> None:
    game = after(two_for_one_stack(), ("red", DrawTickets()), ("red", KeepOffered(())))
    assert game.choosing == ("red", "green"), "blue completes all, black nothing"
    assert (game.round, game.completed) == (1, {})
    views = {colour: card_game_view(game, colour) for colour in game.colours}
    assert [player.is_choosing for player in views["blue"].players] == [True, False, True, False]
    assert views["blue"].turn is None
    red, blue = views["red"].own, views["blue"].own
    assert red is not None
    assert (red.to_complete, red.is_proved, red.track) == ((1,), True, {"pink": 2})
    assert blue is not None
    assert (blue.to_complete, blue.track, blue.is_on_turn) == (None, None, False)
    with pytest.raises(MoveError, match="choose first which tickets to complete"):
        after(game, ("red", DrawCard()))
    for colour in ("blue", "black"):
        with pytest.raises(MoveError, match="there are no tickets to complete now"):
            after(game, (colour, CompleteTickets((0,))))
        with pytest.raises(MoveError, match="wait until everyone has chosen"):
            after(game, (colour, DrawCard()))
    for wrong, why in (
        ((0, 1), "do not complete all of these"),
        ((1, 1), "each of them once"),
        ((2,), "tickets that are held"),
    ):
        with pytest.raises(MoveError, match=why):
            after(game, ("red", CompleteTickets(wrong)))
    game = after(game, ("red", CompleteTickets((0,))))
    assert (game.choosing, game.round, game.completed) == (("green",), 1, {})
    game = after(game, ("green", CompleteTickets((1,))))
    assert (game.round, game.turn, game.choosing, game.to_complete) == (2, "blue", (), {})
    points = {c: [one.ticket.points for one in done] for c, done in game.completed.items()}
    assert points == {"red": [3], "blue": [5], "green": [5], "black": []}
    assert [ticket.points for ticket in game.tickets["red"]] == [5], "kept for the second deck"


def anew(game: DealtCardGame, colour: str) -> DealtCardGame:
    return with_hand_dealt_anew(game, colour, seeded_luck(1))


@pytest.mark.parametrize("colour", ["red", "blue"], ids=["who chose", "who was not asked"])
def test_what_was_chosen_over_a_hand_goes_with_it(colour: str) -> None:
    counted = after(two_for_one_stack(), ("red", DrawTickets()), ("red", KeepOffered(())))
    game = anew(after(counted, ("red", CompleteTickets((1,)))), colour)
    while game.choosing:
        game = after(game, (game.choosing[0], CompleteTickets(game.to_complete[game.choosing[0]])))
    track = counted.tracks[colour]
    paid = [Counter(one.paid) for one in game.completed[colour]]
    assert sum(paid, Counter()) <= Counter(track), "with cards that lay there"
    assert len(game.completed[colour]) + len(game.tickets[colour]) == len(counted.tickets[colour])


def test_a_choice_that_an_older_program_kept_is_made_again() -> None:
    counted = after(two_for_one_stack(), ("red", DrawTickets()), ("red", KeepOffered(())))
    cheap = CardTicket(("Cee",), {"pink": 1}, 3)
    for stuck in (
        replace(counted, to_complete={**counted.to_complete, "blue": (0, 7)}),
        replace(counted, to_complete={**counted.to_complete, "black": (0,)}),  # nothing pays for it
        replace(counted, tickets={**counted.tickets, "blue": (cheap,) * 4}),
    ):
        game = after(stuck, ("red", CompleteTickets((0,))), ("green", CompleteTickets((1,))))
        for colour in game.choosing:
            game = after(game, (colour, CompleteTickets(game.to_complete[colour])))
        assert game.round == 2
        assert game.completed["black"] == ()
        assert sum(sum(one.paid.values()) for one in game.completed["blue"]) <= 3


def test_a_hand_is_dealt_anew_as_large_as_it_was_or_it_is_said_why_not() -> None:
    game = dealt(4)
    for deck in ({"pink": 3}, {}):
        before = replace(game, deck=deck, discards={"red": 9}, turns_left=None if deck else 4)
        dealt_anew = anew(before, "blue")
        assert sum(dealt_anew.hands["blue"].values()) == sum(before.hands["blue"].values())
        assert dealt_anew.events[-1].missing == 0
        assert sum(dealt_anew.deck.values()) == (8 if deck else 0), "where it came from"
    short = anew(replace(game, deck={}, discards={"red": 2}, turns_left=4, ticket_deck=()), "blue")
    assert short.hands["blue"] == {"red": 2}
    assert (short.tickets["blue"], short.events[-1].missing) == ((), 6 + 1)
    # As a deck is counted, railyards and face-up cards are out of play.
    counted = after(two_for_one_stack(), ("red", DrawTickets()), ("red", KeepOffered(())))
    counted = replace(counted, railyards={"green": {"pink": Row(6, 1)}})
    old = counted.hands["black"]
    new = anew(counted, "black")
    assert sum(new.hands["black"].values()) == sum(old.values())
    assert new.events[-1].missing == 0


def test_a_hand_dealt_anew_in_its_turn_forgets_what_it_drew_and_what_it_was_offered() -> None:
    drawn = after(replace(dealt(), face_up=("red",) * 5), ("red", DrawCard()))
    view = card_game_view(anew(drawn, "red"), "red").own
    assert view is not None
    assert [draw.card for draw in view.drawn] == ["hidden"]
    assert after(anew(drawn, "red"), ("red", PassTurn())).turn == "blue"
    offered = after(dealt(), ("red", DrawTickets()))
    old = {*map(repr, offered.offered["red"]), *map(repr, offered.tickets["red"])}
    few = replace(offered, ticket_deck=offered.ticket_deck[:3], beneath=())
    new = anew(few, "red")
    seen = {*map(repr, new.offered["red"]), *map(repr, new.tickets["red"])}
    assert (len(seen), new.events[-1].missing) == (3, 2)
    assert not seen & old, "none of the old ones is seen again"
    none = anew(replace(offered, ticket_deck=(), beneath=()), "red")
    assert (none.offered, none.turn) == ({}, "blue"), "there is nothing to choose from"


def circle() -> DealtCardGame:
    """The last turn of two players whose best choices go round in a circle.

    Red gets Dallas's bonus card, or 11 points; what is better hangs on what blue completes, and
    that on red.
    """
    red = (
        CardTicket(("Dallas", "Miami"), {"orange": 1}, 8),
        CardTicket(("Chicago", "Helena"), {"blue": 1}, 11),
    )
    blue = (
        CardTicket(("Seattle", "Miami"), {"black": 1, "pink": 1}, 10),
        CardTicket(("Seattle", "Dallas"), {"green": 1}, 8),
        CardTicket(("Dallas", "Helena"), {"black": 1}, 10),
    )
    done = Completed(CardTicket(("Miami", "Atlanta"), {"pink": 1}, 7), {"pink": 1})
    return replace(
        dealt(),
        deck={},
        turns_left=1,
        tracks={"red": {"locomotive": 1}, "blue": {"locomotive": 2, "green": 1}},
        tickets={"red": red, "blue": blue},
        completed={"red": (done,)},
        city_bonuses={"Dallas": 9, "Miami": 10},
    )


def test_a_last_choice_that_goes_round_in_a_circle_is_the_players() -> None:
    position = at_the_end(circle())
    assert not any(choice.is_proved for choice in completed(position).values())
    standing = card_standing(position)
    assert standing.winners == ()
    assert [
        "tickets_undecided" in [line.kind for line in one.lines] for one in standing.players
    ] == [
        True,
        True,
    ]
    game = after(circle(), ("red", DrawTickets()), ("red", KeepOffered(())))
    assert (game.choosing, game.final, set(game.completed)) == (("red", "blue"), False, {"red"})
    views = [card_game_view(game, colour).own for colour in game.colours]
    assert [own and (own.to_complete, own.is_proved) for own in views] == [
        ((1,), False),
        ((1, 2), False),
    ]
    again = anew(game, "red")
    assert "blue" in again.choosing
    game = after(game, ("blue", CompleteTickets((1,))), ("red", CompleteTickets((0,))))
    assert (game.final, game.unproved) == (True, ())
    totals = {one.colour: one.total for one in card_standing(game.position).players}
    assert totals == {"red": 7 + 8 - 11 + 9 + 10, "blue": 8 - 10 - 10 + 9}
    assert card_standing(game.position).winners == ("red",)


def test_what_one_player_chose_ends_the_circle() -> None:
    position = at_the_end(circle())
    chosen = with_fields(position, chosen={"red": (1,)})
    assert all(choice.is_proved for choice in completed(chosen).values())
    assert card_standing(chosen).winners


def at_the_end(game: DealtCardGame) -> CardPosition:
    return with_fields(game.position, final=True)


def test_tickets_that_nobody_could_choose_from_stop_no_game() -> None:
    tickets = []
    for i in range(46):
        circles = Counter({COLOURS[(i * 3 + j * j) % 8]: 1 + (i * i + j) % 3 for j in range(1, 4)})
        tickets.append(CardTicket((f"C{i}",), dict(circles), circles.total()))
    stack = {card: 6 + i % 5 for i, card in enumerate(COLOURS)}
    held = {"red": tuple(tickets)}
    four = replace(dealt(4), deck={}, turns_left=1, tickets=held, tracks={"red": stack})
    game = after(four, ("red", DrawTickets()), ("red", KeepOffered(())))
    red = card_game_view(game, "red").own
    assert red is not None
    assert red.to_complete
    assert not red.is_proved
    assert after(game, ("red", CompleteTickets(red.to_complete))).round == 2
    two = replace(dealt(), deck={}, turns_left=1, tickets=held, tracks={"red": stack})
    over = after(two, ("red", DrawTickets()), ("red", KeepOffered(())))
    assert over.final
    assert [player.is_proved for player in card_game_view(over, None).players] == [False, True]
    assert card_standing(over.position).winners, "what was completed is what counts"


def test_nobody_sees_what_is_hidden() -> None:
    game = dealt(3)
    game = replace(game, tracks={"red": {"pink": 9}}, offered={"blue": game.ticket_deck[:4]})
    own = card_game_view(game, "red").own
    assert own is not None
    assert own.track is None, "hidden from all players including himself"
    looking = card_game_view(replace(game, may_look=True), "red").own
    assert looking is not None
    assert looking.track == {"pink": 9}
    secret = replace(
        game,
        hands={c: ({"orange": 8} if c != "red" else game.hands[c]) for c in game.colours},
        deck=dict.fromkeys(game.deck, 0) | {"orange": game.stacks.in_deck},
        ticket_deck=game.ticket_deck[::-1],
        offered={"blue": game.ticket_deck[4:8]},
        tickets={
            c: (game.tickets["red"] if c == "red" else game.ticket_deck[-1:]) for c in game.colours
        },
        tracks={"red": {"orange": 9}},
    )
    seen = [msgspec.json.encode(card_game_view(one, "red")) for one in (game, secret)]
    assert seen[0] == seen[1], "nothing of it can be told from what red sees"
    assert card_game_view(game, None).own is None


def test_a_game_on_the_disk_is_the_same_game() -> None:
    game = after(with_hand(dealt(), "red", green=3), ("red", PlaceCards({"green": 3})))
    assert msgspec.json.decode(msgspec.json.encode(game), type=DealtCardGame) == game
