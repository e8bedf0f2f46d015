"""What a move does, and in which order moves come: one player, one thing, and nothing is lost."""

from dataclasses import replace

import msgspec
import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.card_game.turns import Draw
from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.dealing import Dealing, first_dealing, view_of
from railspotter.scoring.dealing.rules import can_move, ends_turn, is_busy, play
from railspotter.scoring.dealing.stacks import TrainCardStacks
from railspotter.scoring.edition import load_edition
from railspotter.scoring.position import Position, Seat
from scripted_luck import RecordedLuck, ScriptedLuck

ROW = ("green", "white", "pink", "black", "orange")
NO_LUCK = ScriptedLuck()


def position_in(edition: str) -> Position:
    rules = load_edition(edition)
    return Position(rules, load_board(rules.board), (Seat("red"), Seat("blue")))


USA, EUROPE = position_in("usa"), position_in("europe")


def dealing_in(position: Position, **fields: object) -> Dealing:
    """A dealing with a short deck, and whatever else a test wants."""
    stacks = TrainCardStacks(position.edition, {"red": 6, "blue": 6}, ROW)
    hands = {"red": {"blue": 4, "locomotive": 1}, "blue": {"blue": 4}}
    dealing = Dealing(stacks, hands, position.edition.tickets[:4])
    return replace(dealing, **fields)  # type: ignore[arg-type]


def by(
    who: str,
    move: moves.Move,
    dealing: Dealing,
    luck: ScriptedLuck = NO_LUCK,
    position: Position = USA,
) -> Dealing:
    return play(position, dealing, who, who, move, luck)


TUNNEL = "angora--constantinople"  # two grey spaces


def begun_tunnel() -> Dealing:
    """Red pays two blue cards for a tunnel, and one blue card is turned over."""
    pay = moves.Pay("route", TUNNEL, {"blue": 2})
    luck = ScriptedLuck(["blue", "red", "red"])
    return by("red", pay, dealing_in(EUROPE), luck, EUROPE)


def test_a_tunnel_that_was_begun_survives_cards_that_somebody_has_back() -> None:
    begun = begun_tunnel()
    assert begun.tunnel is not None
    assert begun.tunnel.more == 1
    back = by("blue", moves.TakeBack("route", TUNNEL, {"red": 1}), begun, position=EUROPE)
    assert back.hand("blue") == {"blue": 4, "red": 1}
    assert back.revealed == ("blue", "red", "red")
    paid = by("red", moves.PayMore({"blue": 1}), back, position=EUROPE)
    assert paid.hand("red") == {"blue": 1, "locomotive": 1}
    assert paid.tunnel is None


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(begun_tunnel(), id="a tunnel"),
        pytest.param(
            by("red", moves.DrawCard(0), dealing_in(USA), ScriptedLuck(["red"])), id="a draw"
        ),
        pytest.param(
            play(USA, dealing_in(USA), "red", "red", moves.DrawTickets(), RecordedLuck(1)),
            id="a choice of tickets",
        ),
    ],
)
@pytest.mark.parametrize(
    "move",
    [
        moves.DrawCard(),
        moves.DrawTickets(),
        moves.Pay("route", TUNNEL, {"blue": 2}),
        moves.PayMore({}),
        moves.PassTurn(),
    ],
)
def test_nobody_moves_while_another_turn_is_not_over(begun: Dealing, move: moves.Move) -> None:
    assert is_busy(begun)
    with pytest.raises(moves.MoveError, match=r"wait until"):
        by("blue", move, begun, position=EUROPE)
    with pytest.raises(moves.MoveError, match="wait until this turn is over"):
        by("green", moves.ComeIn(), begun)


def test_nobody_sees_what_another_one_drew_from_the_deck() -> None:
    begun = by("red", moves.DrawCard(), dealing_in(USA), ScriptedLuck(["red"]))
    holders = {"red": "red", "blue": "blue"}
    assert view_of(USA, begun, holders, "red").drawn == (Draw("red"),)
    assert view_of(USA, begun, holders, "blue").drawn == ()
    assert view_of(EUROPE, begun_tunnel(), holders, "blue").tunnel is None


@pytest.mark.parametrize("edition", ["usa", "usa-accessible", "usa-10th", "newyork"])
def test_of_another_hand_nothing_is_seen_but_its_size(edition: str) -> None:
    position, holders = position_in(edition), {"red": "red", "blue": "blue"}
    dealing = dealing_in(position)
    seen = view_of(position, dealing, holders, "red")
    assert seen == view_of(position, dealing.with_hand("blue", {"red": 4}), holders, "red")
    assert seen.hand == {"blue": 4, "locomotive": 1}
    assert seen.hand_sizes == {"red": 5, "blue": 4}


PHILLY = Position(
    load_edition("philly").with_house_rules({"replaced_locomotive": True}), USA.board, USA.seats
)


def test_only_the_card_that_took_the_place_is_a_replacement() -> None:
    """With no card left to replace it, the next one moves up: an engine that lay there before."""
    stacks = TrainCardStacks(PHILLY.edition, {}, ("green", "locomotive", "white"))
    drawn = by("red", moves.DrawCard(0), dealing_in(PHILLY, stacks=stacks), position=PHILLY)
    assert drawn.stacks.face_up == ("locomotive", "white")
    assert 0 not in drawn.drawable
    assert 1 in drawn.drawable
    stacks = TrainCardStacks(PHILLY.edition, {"locomotive": 1}, ("green", "white"))
    luck = ScriptedLuck(["locomotive"])
    drawn = by("red", moves.DrawCard(0), dealing_in(PHILLY, stacks=stacks), luck, PHILLY)
    assert 0 in drawn.drawable


def test_a_row_that_was_discarded_has_no_replacement() -> None:
    row = ("green", "locomotive", "locomotive", "white", "pink")
    stacks = TrainCardStacks(PHILLY.edition, {"locomotive": 2, "red": 4})
    stacks = replace(stacks, face_up=row)
    luck = ScriptedLuck(["locomotive", "locomotive", "red", "red", "red", "red"])
    drawn = by("red", moves.DrawCard(0), dealing_in(PHILLY, stacks=stacks), luck, PHILLY)
    assert drawn.stacks.face_up == ("locomotive", "red", "red", "red", "red")
    assert 0 not in drawn.drawable


def test_a_draw_ends_where_no_second_card_may_be_taken() -> None:
    stacks = TrainCardStacks(USA.edition, {}, ("green", "locomotive"))
    drawn = by("red", moves.DrawCard(0), dealing_in(USA, stacks=stacks))
    assert not is_busy(drawn)
    assert ends_turn(dealing_in(USA, stacks=stacks), moves.DrawCard(0), drawn)


def test_a_second_card_that_somebody_has_back_is_not_waited_for() -> None:
    stacks = TrainCardStacks(USA.edition, {"blue": 1, "red": 1})
    begun = by("red", moves.DrawCard(), dealing_in(USA, stacks=stacks), ScriptedLuck(["red"]))
    assert is_busy(begun)
    back = by("blue", moves.TakeBack("route", "helena--seattle", {"blue": 1}), begun)
    assert not can_move(USA, back, "red", "red")
    passed = by("red", moves.PassTurn(), back)
    assert ends_turn(back, moves.PassTurn(), passed)
    assert passed.drawn == ()


def test_nobody_passes_who_can_draw_or_claim() -> None:
    with pytest.raises(moves.MoveError, match="nobody passes as long as they can play"):
        by("red", moves.PassTurn(), dealing_in(USA))
    nothing = TrainCardStacks(USA.edition, {})
    can_claim = dealing_in(USA, stacks=nothing, tickets=())
    with pytest.raises(moves.MoveError, match="nobody passes"):
        by("red", moves.PassTurn(), can_claim)
    by("red", moves.PassTurn(), can_claim.with_hand("red", {}))


def test_where_no_tickets_are_drawn_a_player_may_pass() -> None:
    """By a house rule; tickets that are left are nothing to do then."""
    edition = USA.edition.with_house_rules({"later_tickets": [0, 0]})
    position = replace(USA, edition=edition)
    dealing = dealing_in(position, stacks=TrainCardStacks(edition, {})).with_hand("red", {})
    with pytest.raises(moves.MoveError, match="no ticket is left"):
        by("red", moves.DrawTickets(), dealing, position=position)
    assert by("red", moves.PassTurn(), dealing, position=position) == dealing


def test_who_comes_in_is_dealt_a_hand_and_tickets_once() -> None:
    luck = RecordedLuck(2)
    dealing = dealing_in(USA)
    came = play(USA, dealing, "green", "green", moves.ComeIn(), luck)
    assert came.hand("green").total() == 4
    assert (len(came.offered["green"]), came.at_least["green"], came.is_first) == (3, 2, True)
    assert not ends_turn(dealing, moves.ComeIn(), came)
    kept = moves.KeepTickets(moves.ticket_texts(came.offered["green"]))
    chosen = play(USA, came, "green", "green", kept, luck)
    assert not ends_turn(came, kept, chosen)
    with pytest.raises(moves.MoveError, match="dealt already"):
        play(USA, chosen, "green", "green", moves.ComeIn(), luck)


@pytest.mark.parametrize(
    ("at_least", "least"), [(0, 2), (3, 3)], ids=["by an older log", "as many as were kept"]
)
def test_so_many_tickets_are_kept_of_a_hand_that_is_dealt_anew(at_least: int, least: int) -> None:
    move = moves.DealAnew(moves.ticket_texts(USA.edition.tickets[4:7]), at_least)
    dealt = play(USA, dealing_in(USA), "red", "red", move, RecordedLuck(3))
    offered = moves.ticket_texts(dealt.offered["red"])
    assert len(offered) == 3
    with pytest.raises(moves.MoveError, match=f"keep at least {least}"):
        by("red", moves.KeepTickets(offered[: least - 1]), dealt)
    assert not by("red", moves.KeepTickets(offered[:least]), dealt).offered


def test_no_first_tickets_are_none_of_the_long_ones() -> None:
    edition = EUROPE.edition.with_house_rules({"first_tickets": [0, 0]})
    dealing = first_dealing(edition, EUROPE.board, ["red", "blue"], RecordedLuck(1))
    assert not dealing.offered


EVERY_MOVE = [
    moves.DrawCard(),
    moves.DrawCard(4),
    moves.DrawTickets(),
    moves.KeepTickets(moves.ticket_texts(USA.edition.tickets[:2])),
    moves.KeepTickets(()),
    moves.Pay("station", "paris", {"red": 1}),
    moves.PayMore({"locomotive": 2}),
    moves.LeaveTunnel(),
    moves.PassTurn(),
    moves.TakeBack("site", "zoo", {"red": 1, "blue": 1}),
    moves.ComeIn(),
]


@pytest.mark.parametrize("move", EVERY_MOVE, ids=lambda move: type(move).__name__)
def test_a_move_is_the_same_after_a_round_trip(move: moves.Move) -> None:
    assert msgspec.json.decode(msgspec.json.encode(move), type=moves.Move) == move


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"move": "draw_card", "place": 5}', id="no such place"),
        pytest.param('{"move": "draw_card", "place": -1}', id="before the first place"),
        pytest.param('{"move": "pay_more", "cards": {"red": 0}}', id="none of a card"),
        pytest.param('{"move": "pay_more", "cards": {"red": -1, "blue": 3}}', id="less than none"),
        pytest.param('{"move": "peek"}', id="no such move"),
        pytest.param('{"move": "pass_turn", "because": "tired"}', id="a field too many"),
    ],
)
def test_what_is_no_move_is_not_read(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=moves.Move)
