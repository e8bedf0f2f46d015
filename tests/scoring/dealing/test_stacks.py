"""The train cards that nobody holds: no card is lost, and the row of five is right."""

from collections.abc import Sequence

import pytest
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.card_game.turns import must_flush
from railspotter.scoring.dealing.stacks import TrainCardStacks, cards_of
from railspotter.scoring.edition import Ticket, load_edition
from scripted_luck import RecordedLuck, ScriptedLuck

USA = load_edition("usa")


@pytest.mark.parametrize("seed", range(20))
def test_no_three_locomotives_lie_face_up_while_others_are_left(seed: int) -> None:
    cards = {"red": 15, "locomotive": 14}
    stacks = TrainCardStacks(USA, cards).turned_up(RecordedLuck(seed))
    assert not must_flush(USA, stacks.face_up)
    assert stacks.all_cards == cards


def test_a_row_that_nothing_else_comes_to_is_left_in_the_end() -> None:
    class Engines:
        """Luck that turns over an engine where there is one."""

        def draw_card(self, deck: Cards) -> str:
            return "locomotive" if deck.get("locomotive") else "red"

        def draw_ticket(self, deck: Sequence[Ticket]) -> Ticket:
            return deck[0]

    cards = {"red": 6, "locomotive": 110}
    stacks = TrainCardStacks(USA, cards).turned_up(Engines())
    assert stacks.face_up == ("locomotive",) * 5
    assert stacks.all_cards == cards


def test_locomotives_alone_stay_face_up() -> None:
    luck = ScriptedLuck(["locomotive"] * 5)
    stacks = TrainCardStacks(USA, {"locomotive": 14, "red": 1}).turned_up(luck)
    assert stacks.face_up == ("locomotive",) * 5
    luck.assert_done()


def test_discards_come_back_when_the_deck_is_empty() -> None:
    stacks, dealt = TrainCardStacks(USA, {"red": 3}).deal(5, ScriptedLuck(["red"] * 3))
    assert dealt == ("red",) * 3
    assert stacks.take_top(ScriptedLuck()) == (stacks, None)
    assert not stacks.can_draw_blind
    # With an empty deck they are what lies face up: nothing else can.
    stacks = stacks.with_discards({"blue": 6}, ScriptedLuck(["blue"] * 5))
    assert stacks.face_up == ("blue",) * 5
    assert stacks.can_draw_blind
    stacks, card = stacks.take_top(ScriptedLuck(["blue"]))
    assert (card, stacks.in_deck, stacks.all_cards.total()) == ("blue", 0, 5)


def test_what_is_played_after_the_deck_is_exhausted_is_not_in_the_new_one() -> None:
    row = ("red",) * 5
    stacks = TrainCardStacks(USA, {"red": 1}, row, {"blue": 2})
    stacks, _ = stacks.take_top(ScriptedLuck(["red"]))
    assert (stacks.deck, stacks.discards) == ({"blue": 2}, {})
    stacks = stacks.with_discards({"green": 3}, ScriptedLuck())
    assert (stacks.deck, stacks.discards) == ({"blue": 2}, {"green": 3})
    # Nothing was left to shuffle: the next cards that are played are the new deck.
    nothing, _ = TrainCardStacks(USA, {"red": 1}, row).take_top(ScriptedLuck(["red"]))
    assert nothing.with_discards({"green": 3}, ScriptedLuck()).deck == {"green": 3}
    # Who has cards back may take the last of the deck.
    assert stacks.without({"blue": 2, "green": 1})[0].deck == {"green": 2}


def test_a_deck_without_reshuffling_ends() -> None:
    stacks = TrainCardStacks(
        load_edition("card-game"), {"red": 1}, discards={"blue": 5}, reshuffles=False
    )
    stacks, card = stacks.take_top(ScriptedLuck(["red"]))
    assert card == "red"
    assert stacks.take_top(ScriptedLuck()) == (stacks, None)
    assert not stacks.can_draw_blind
    assert stacks.discards == {"blue": 5}


@pytest.mark.parametrize(
    ("cards", "found", "left"),
    [
        pytest.param({"red": 2}, {"red": 2}, {"blue": 3}, id="from the discards"),
        pytest.param({"blue": 2}, {"blue": 2}, {"red": 2, "blue": 1}, id="or the deck"),
        pytest.param({"red": 4}, {"red": 2}, {"blue": 3}, id="as far as they are there"),
    ],
)
def test_cards_are_taken_out_again(cards: Cards, found: Cards, left: Cards) -> None:
    stacks = TrainCardStacks(USA, {"blue": 3}, discards={"red": 2})
    after, taken = stacks.without(cards)
    assert taken == found
    assert after.all_cards == left


@pytest.mark.parametrize(
    ("name", "total", "locomotives"),
    [
        ("usa", 110, 14),
        ("usa-accessible", 110, 14),
        ("usa-10th", 110, 14),
        ("philly", 110, 14),
        ("europe", 110, 14),
        ("newyork", 44, 8),
        ("card-game", 96, 16),
    ],
)
def test_a_deck_has_the_cards_that_are_printed(name: str, total: int, locomotives: int) -> None:
    cards = cards_of(load_edition(name))
    assert (cards.total(), cards["locomotive"]) == (total, locomotives)
