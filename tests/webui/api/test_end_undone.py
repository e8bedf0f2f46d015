"""What is shown because a game is over is nobody's to look at in a game that goes on."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dealt_tables import HANDS, dealt_table, keep_first, move
from phones import PLAYERS, Phone, Table, table
from railspotter.scoring.dealing.moves import DrawCard, DrawTickets
from railspotter.scoring.game import TicketText
from railspotter.table.game_log.exports import events_as_csv, events_as_jsonl, state_as_game_text
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.log import read_log
from railspotter.table.game_log.people_facts import Player, TicketRevealed
from railspotter.table.game_text.event_lines import event_lines
from railspotter.table.past_games.summaries import make_summary
from railspotter.webui.feed.history import moments
from railspotter.webui.feed.public_state import PublicGame

TICKET, OTHER = {"a": "calgary", "b": "phoenix"}, {"a": "seattle", "b": "new-york"}
OPENED = re.compile(r"(?i)calgary|ticket_revealed")
ROBOT = Player("robot", "yellow", computer="easy")
ROBOTS_HAND = "orange orange orange orange"


def shown(phone: Phone, seat: str) -> int:
    """How many tickets of a player everybody sees."""
    return next(len(one["tickets"]) for one in phone.state()["players"] if one["seat"] == seat)


def goes_on(phone: Phone) -> bool:
    return not phone.state()["game"]["ended"]


def end_of(phone: Phone) -> dict[str, int]:
    """The end that stands, as it is named when it is undone."""
    log = phone.state()["log"]
    return {"event": next(e["seq"] for e in reversed(log) if e["kind"] == "game_ended")}


def refusal(phone: Phone) -> str:
    """Why somebody may not undo the end."""
    answer = phone.post("/undo", end_of(phone))
    assert answer.status == 409, answer.json
    assert not goes_on(phone)
    return str(answer.json["error"]["message"])


@pytest.fixture
def typed(tmp_path: Path) -> Iterator[tuple[Table, Phone, Phone, Phone]]:
    """A table with cards on it, where Ann has typed her tickets; the host, Ann and Bob."""
    with table(tmp_path) as running:
        host, ann, bob = running.host(), running.player("ann"), running.player("bob")
        assert ann.post("/hand", TICKET).status == 200
        yield running, host, ann, bob


def test_the_host_does_not_look_into_a_freed_hand(tmp_path: Path) -> None:
    with dealt_table(tmp_path) as running:
        host, ann, bob = running.host(), running.player("ann"), running.player("bob")
        keep_first(running)
        assert host.ask("DELETE", "/seat/ann").status == 200
        assert host.post("/end").status == 200
        assert host.post("/players/ann/hand/reveal").json["is_all_shown"], "at the end it counts"
        assert refusal(host).startswith("Ann's tickets were shown")
        # Nor by other ways about: with the cards away, with what was shown taken back, by Bob.
        assert host.post("/cards/put-away").refusal == (409, "over")
        reveal = next(e["seq"] for e in host.state()["log"] if e["kind"] == "ticket_revealed")
        for phone in (host, bob):
            assert phone.post("/undo", {"event": reveal}).status == 409
            refusal(phone)
        # Ann's own new phone, for which Bob vouches, takes it back: then the game goes on.
        ann = running.player("ann")
        assert ann.post("/undo", {"event": reveal}).status == 409
        assert bob.post("/cards/vouch", {"seat": "ann"}).status == 200
        assert ann.post("/undo", {"event": reveal}).status == 200
        assert shown(bob, "ann") == 0, "all that was shown at once"
        assert host.post("/undo", end_of(host)).status == 200
        assert goes_on(bob)


def test_the_host_does_not_look_into_the_hand_that_a_computer_took_over(tmp_path: Path) -> None:
    with dealt_table(tmp_path) as running:
        host, bob = running.host(), running.player("bob")
        running.player("ann")
        keep_first(running)
        assert host.ask("PUT", "/players/ann/computer", {"strength": "easy"}).status == 200
        assert host.post("/end").status == 200
        assert shown(bob, "ann") == 0, "the host has not Ann's word"
        assert host.post("/undo", end_of(host)).status == 200, "an honest slip"
        assert host.post("/end").status == 200
        before = host.get("/players/ann/hand").json
        assert (before["tickets"], before["is_all_shown"]) == ([], False)
        assert host.post("/players/ann/hand/reveal").json["is_all_shown"]
        assert shown(bob, "ann") == 3
        assert refusal(host).startswith("Ann's tickets were shown")
        # With a person in the seat again it is as before.
        assert host.ask("DELETE", "/players/ann/computer").status == 200
        refusal(host)


def test_a_computer_that_somebody_played_for_has_no_word_of_the_hosts(tmp_path: Path) -> None:
    """It sat there from the start, then Ann had its hand, and now it has it again."""
    with dealt_table(tmp_path, players=(*PLAYERS, ROBOT), hands=(*HANDS, ROBOTS_HAND)) as running:
        host, ann = running.host(), running.joined()
        keep_first(running)
        assert host.ask("DELETE", "/players/robot/computer").status == 200
        assert ann.post("/seat", {"seat": "robot"}).status == 200
        assert host.ask("PUT", "/players/robot/computer", {"strength": "easy"}).status == 200
        assert host.post("/end").status == 200
        assert shown(ann, "robot") == 0
        assert host.post("/players/robot/hand/reveal").status == 200
        refusal(host)


def test_tickets_that_were_typed_stay_their_players(
    typed: tuple[Table, Phone, Phone, Phone],
) -> None:
    running, host, ann, bob = typed
    assert host.ask("DELETE", "/seat/ann").status == 200
    assert host.post("/end").status == 200
    assert host.post("/players/ann/hand/reveal").json["is_all_shown"]
    again = running.player("ann")
    reveal = next(e["seq"] for e in host.state()["log"] if e["kind"] == "ticket_revealed")
    for phone in (host, bob, again):
        assert phone.post("/undo", {"event": reveal}).status == 409
        assert refusal(phone).startswith("Ann's tickets were shown")
    assert ann.get("/hand").status == 401


def test_who_has_shown_tickets_says_that_the_game_goes_on(
    typed: tuple[Table, Phone, Phone, Phone],
) -> None:
    _, host, ann, bob = typed
    assert ann.post("/hand", OTHER).status == 200
    assert host.post("/end").status == 200
    taken_back = ann.post("/hand/reveal").json["undo"]
    assert shown(bob, "ann") == 2
    for phone in (host, bob):
        refusal(phone)
        assert phone.post("/undo", taken_back).status == 409
    assert ann.post("/undo", taken_back).status == 200, "one tap, as it was shown by one"
    assert shown(bob, "ann") == 0
    assert bob.post("/undo", end_of(bob)).status == 200
    assert goes_on(bob)
    # Who undoes the end with the own tickets shown has said so too.
    assert host.post("/end").status == 200
    assert ann.post("/hand/reveal").status == 200
    assert ann.post("/undo", end_of(ann)).status == 200
    assert goes_on(bob)
    assert shown(bob, "ann") == 0


def kinds_of(change: dict[str, Any]) -> list[str]:
    """The kinds of the events that a change leaves in the log, but that the count began."""
    kinds = [one["kind"] for one in change.get("log", ())]
    return [kind for kind in kinds if kind != "points_counted"]


def test_what_the_host_typed_for_others_closes_with_the_end(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host, bob = running.host(), running.player("bob")
        assert host.post("/players/ann/hand", TICKET).status == 200
        with bob.stream() as stream:
            stream.next("state")
            assert host.post("/end").status == 200
            assert host.post("/players/ann/hand/reveal").status == 200
            assert shown(bob, "ann") == 1
            assert host.post("/undo", end_of(host)).status == 200
            # The count may begin between, which is a change of its own.
            change = stream.next("change")[2]
            while kinds_of(change)[-1:] != ["undone"]:
                change = stream.next("change")[2]
        assert change["players"][0]["tickets"] == []
        assert change["players"][0]["points"] == 0
        assert kinds_of(change) == ["game_started", "game_ended", "undone"]
        assert not OPENED.search(everything(running, bob)), "nothing is left open anywhere"
        # What was shown then is not shown by putting the end back either.
        assert host.post("/redo").status == 200
        assert not goes_on(bob)
        assert shown(bob, "ann") == 0
        assert host.post("/players/ann/hand/reveal").status == 200
        assert bob.state()["players"][0]["points"] == -13


def everything(running: Table, phone: Phone) -> str:
    """All that is told of a game without secrets: answers, exports, the past, the terminal."""
    game = read_log(running.log.path)
    assert game == running.log.state == fold(game.events)
    public = PublicGame(running.log.id, running.session.feed.now().game.log)
    paths = ("state", "log", "export/jsonl", "export/csv", "export/game", f"games/{public.id}")
    told = [phone.get(f"/{path}").content.decode() for path in paths]
    told += [events_as_jsonl(game), events_as_csv(game), state_as_game_text(game)]
    told += [str(moments(public)), str(make_summary(public.id, game))]
    told += [line for event in game.events for line in event_lines(event, game)]
    return "\n".join(told)


def test_an_honest_slip_leaves_no_computer_s_tickets_open(tmp_path: Path) -> None:
    players, hands = (*PLAYERS[:2], ROBOT), (*HANDS[:2], ROBOTS_HAND)
    with dealt_table(tmp_path, players=players, hands=hands) as running:
        host, bob = running.host(), running.player("bob")
        running.player("ann")
        keep_first(running)
        held = running.log.state.table.tickets["robot"]
        assert host.post("/end").status == 200
        assert shown(bob, "robot") == 3
        assert host.post("/undo", end_of(host)).status == 200
        assert shown(bob, "robot") == 0
        assert "ticket_revealed" not in everything(running, bob)
        for seat in ("ann", "bob"):
            for _ in range(2):
                move(running, seat, DrawCard())
        move(running, "robot", DrawTickets())
        keep_first(running, "robot")
        assert host.post("/redo").status == 200, "as if it ended now"
        assert shown(bob, "robot") == 6
        assert host.post("/undo", end_of(host)).status == 200
        assert shown(bob, "robot") == 0
        assert running.log.state.table.tickets["robot"][:3] == held


def test_nobody_comes_back_to_undo_an_end_by_the_rules(tmp_path: Path) -> None:
    """It showed the tickets of a computer that took over; who comes in then gets the turn."""
    with dealt_table(tmp_path, has_camera=False, trains=3) as running:
        host, bob = running.host(), running.player("bob")
        running.player("ann")
        running.player("cleo")
        keep_first(running)
        assert host.ask("PUT", "/players/cleo/computer", {"strength": "easy"}).status == 200
        for seat in ("bob", "cleo", "ann"):
            assert host.ask("DELETE", f"/players/{seat}").status == 200
        assert goes_on(bob)
        assert host.post("/end").status == 200
        assert host.post("/players/cleo/hand/reveal").status == 200
        back = {"name": "Bob", "colour": "blue", "seat": "bob"}
        assert host.post("/players", back).status == 200
        refusal(host)


def test_who_saw_the_file_of_a_game_that_is_over_does_not_go_on_with_it(tmp_path: Path) -> None:
    with dealt_table(tmp_path) as running:
        host, name = running.host(), running.log.id
        running.player("ann")
        keep_first(running)
        assert host.post("/end").status == 200
    with table(tmp_path) as running:
        assert b"cards_dealt" in running.host().get(f"/games/{name}/bundle").content
    with table(tmp_path, name) as running:
        host, bob = Phone(running.page.server.port, host.cookie), running.player("bob")
        assert "was over" in refusal(host)
        refusal(bob)


def test_a_log_of_an_older_program_closes_what_an_undone_end_had_opened(tmp_path: Path) -> None:
    """It wrote the end, what was shown, and the undo, whoever had been shown."""
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        assert ann.post("/hand", TICKET).status == 200
        assert host.post("/end").status == 200
        assert ann.post("/hand/reveal").status == 200
        game = running.log.state
        end = end_of(host)["event"]
        seq = game.events[-2].seq
        assert running.session.feed.now().game.log.seq_of(end) == seq
        undone = game.after(Event(len(game.events) + 1, 9.0, game.undo(seq)))
        assert not undone.table.ended
        assert undone.table.unrevealed == 1
        assert fold(undone.events) == undone
        shown_again = TicketRevealed("ann", TicketText(TICKET["a"], TICKET["b"]))
        again = undone.after(Event(len(undone.events) + 1, 9.0, shown_again))
        assert again.table.unrevealed == 0, "what is shown in a game that goes on stays"
