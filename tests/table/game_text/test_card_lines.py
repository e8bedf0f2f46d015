"""What is said of cards on phones: what to lay, and nothing that anybody holds."""

from dataclasses import replace

from dealt_games import DealtGame, started
from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.budgets import HOST
from railspotter.table.game_log.card_facts import CardsMoved, CardsPutAway
from railspotter.table.game_log.course_facts import GameStarted, Redone, Undone
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import Payment
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.live_table.course import return_payment_facts


def test_what_a_computer_claims_is_to_be_laid() -> None:
    game = DealtGame.of(started("usa", 2, computers=True, trains=45))
    said = list[str]()
    while True:
        seat = game.computer_to_move() or ""
        move = game.bot(seat).move(game.view(seat))
        before = len(game.game.events)
        game.move(seat, move, lies_there=False)
        said = [line for e in game.game.events[before:] for line in event_lines(e, game.game)]
        if isinstance(move, Pay):
            break
        assert not [line for line in said if not line.startswith("it is ")]
    (spot,) = game.table.to_lay
    assert said[0].startswith(f"lay {game.table.pieces_on(spot)} of {seat.title()} ({seat}): ")
    game.say(*return_payment_facts(game.game, spot, HOST))
    back = next(e for e in reversed(game.game.events) if isinstance(e.fact, CardsMoved))
    (line,) = event_lines(back, game.game)
    assert line.startswith(f"{seat.title()} has cards back: ")


def test_the_shapes_that_are_not_laid_go_back_in_the_box() -> None:
    game = DealtGame.of(started("usa-accessible", 2))
    seat = game.table.players[0].seat
    whose = f"lay 1 of {seat.title()} ({seat})"
    for route, said in {
        "helena--seattle": "Helena - Seattle; put 5 back in the box",
        "portland--seattle--0": "Portland - Seattle (first lane)",
    }.items():
        paid = Pay("route", route, {"red": 1})
        table = replace(game.table, payments={paid.spot: Payment(seat, paid.cards)})
        lines = event_lines(Event(1, 0.0, CardsMoved(seat, paid)), replace(game.game, latest=table))
        assert list(lines) == [f"{whose}: {said}"]


def test_a_claim_without_cards_says_so_too_as_long_as_it_stands() -> None:
    spot = Spot("route", "helena--seattle")
    players = (Player("ann", "red", "Ann"), Player("bob", "blue", "Bob"))
    game = begin(Event(1, 0.0, GameStarted("usa-accessible", players)))
    said = list[str]()
    facts = (
        Placed.on(spot, colour="red", by="camera"),
        Corrected.on(spot, was="red", now="blue"),
        Undone(3),
        Undone(2),
        Redone(2),
        Corrected.on(spot, was="red", now=None),
        Corrected.on(spot, was=None, now="red"),
    )
    for seq, fact in enumerate(facts, 2):
        game = game.after(Event(seq, 0.0, fact))
        said += event_lines(game.events[-1], game)
    box = "; put 5 back in the box"
    assert said == [
        f"Ann (red): Helena - Seattle{box}",
        f"corrected: Helena - Seattle is Bob (blue){box}",
        "undone: corrected: Helena - Seattle is Bob (blue)",
        "undone: Ann (red): Helena - Seattle",
        f"redone: Ann (red): Helena - Seattle{box}",
        "corrected: Helena - Seattle is free",
        f"corrected: Helena - Seattle is Ann (red){box}",
    ]


def test_a_draw_and_a_paid_route_that_lies_there_need_no_line() -> None:
    game = DealtGame.of(started("usa", 2)).play(20)
    lines = [
        line
        for event in game.game.events
        if isinstance(event.fact, CardsMoved)
        for line in event_lines(event, game.game)
    ]
    assert lines == []
    assert any(isinstance(e.fact, CardsMoved) for e in game.game.events)
    assert any(isinstance(getattr(e.fact, "move", None), DrawCard) for e in game.game.events)
    game.say(CardsPutAway())
    assert list(event_lines(game.game.events[-1], game.game)) == [
        "the cards are on the table from now on"
    ]
