"""A whole game of one person's phone and two computers, over the wire, with nobody else's word."""

from pathlib import Path

from board_phones import turn
from phones import table
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.log import read_log
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.computers import Computers
from waiting import until

PLAYERS = (
    Player("ann", "red", "Ann"),
    Player("blue", "blue", computer="hard"),
    Player("green", "green", computer="easy"),
)


def test_a_person_and_two_computers_play_to_the_end(tmp_path: Path) -> None:
    started = GameStarted("europe", PLAYERS, house_rules={"trains": 10}, cards="phones")
    with table(tmp_path, started=started) as running, Computers(running.live, pace_s=0.0):
        phone, laid = running.player("ann"), list[str]()

        def step() -> bool:
            state = phone.get("/state").json
            if state["game"]["ended"]:
                return True
            for spot in state["cards"]["to_lay"]:  # nobody sees the board: somebody says so
                kind, _, name = spot["spot"].partition(":")
                phone.post("/cards/laid", {"kind": kind, "about": name})
                laid.append(spot["seat"])
            cards = phone.get("/cards").json
            if cards["is_turn"] or cards["offered"]:
                turn(phone, cards)
            return False

        until(step)
        state, log = phone.get("/state").json, running.log
        end = log.state.table
        waiting = [spot["seat"] for spot in state["cards"]["to_lay"]]  # what a last turn claimed
        paid = {payment.seat for payment in end.payments.values()}
        computers = {one.seat for one in PLAYERS if one.computer}
        assert paid & computers <= {*laid, *waiting}
        assert end.dealing is not None
        assert end.dealing.all_cards == cards_of(end.edition)
        assert not end.unpaid
        by_seat = {one["seat"]: one for one in state["players"]}
        assert by_seat["ann"]["tickets"] == []  # shown when she shows them
        assert all(by_seat[one.seat]["tickets"] for one in PLAYERS if one.computer)
        path = log.path
    assert read_log(path).table == end


def test_who_ends_a_game_early_shows_the_computers_tickets(tmp_path: Path) -> None:
    started = GameStarted("europe", PLAYERS, cards="phones")
    with table(tmp_path, started=started) as running, Computers(running.live, pace_s=0.0):
        phone, host = running.player("ann"), running.host()
        kept = {one.seat for one in PLAYERS if one.computer}
        until(lambda: kept <= running.log.state.table.tickets.keys())
        assert host.post("/end").status == 200
        by_seat = {one["seat"]: one for one in phone.state()["players"]}
        assert all(by_seat[seat]["tickets"] for seat in kept)
