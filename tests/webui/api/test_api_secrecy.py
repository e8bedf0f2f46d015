"""What one phone keeps secret, no other one learns: all that it ever hears is looked through."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dealt_tables import HANDS, dealt_table, keep_first
from every_answer import EveryAnswer, differences
from merge_patches import apply_merge_patch
from phones import Phone, Table, table
from railspotter.table.game_log.course_facts import GameEnded
from railspotter.table.live_table.commands import AddFacts
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.api import game as game_calls
from railspotter.webui.feed import feed
from railspotter.webui.feed.feed import merge_patch
from railspotter.webui.feed.public_state import public_state
from waiting import until

TICKET = {"a": "calgary", "b": "phoenix"}
OTHER = {"a": "seattle", "b": "new-york"}
SECRETS = re.compile(rb"calgary|phoenix|ticket_taken|ticket_dropped")
EXPORTS = ("jsonl", "csv", "game", "bgg", "bgstats")


def look_everywhere(phone: Phone) -> list[bytes]:
    """Ask all that there is to ask; return what does not depend on the time."""
    paths = ["/state", "/you", "/log", "/log?after=1", *(f"/export/{name}" for name in EXPORTS)]
    answers = [phone.get(path) for path in paths]
    return [str(a.headers["ETag"]).encode() + a.content for a in answers]


DRAW = {"move": {"move": "draw_card"}}
ANNS_HANDS = ("red red red red", "red black black black")


def is_hindered(phone: Phone, *, by_pause: bool) -> bool:
    return (phone.state()["table"]["hindrance"] is not None) == by_pause


def told_of(running: Table, kept: slice) -> Iterator[tuple[str, str]]:
    """Play with Ann's hand, and yield all that anybody else is ever told meanwhile.

    In how many changes a step comes depends on how busy the computer is, so numbers are left out,
    and of changes it is yielded what a page makes of them, but for what the watching thread tells
    in its own time.
    """
    host, ann, bob = running.host(), running.player("ann"), running.player("bob")
    host.get("/players/cleo/cards")
    phones = {"guest": running.phone(), "bob": bob, "host": host}
    every = EveryAnswer.of(running, ("ann", "bob", "cleo"))

    def plain(told: object) -> str:
        return re.sub(r'"number": ?\+-?\d+', "", every.normalise(str(told)))

    with phones["guest"].stream() as guests, bob.stream() as bobs:
        streams = {"guest": guests, "bob": bobs}
        followed = {role: stream.next("state")[2] for role, stream in streams.items()}

        def step(what: str, phone: Phone, path: str, body: Any = None) -> Iterator[tuple[str, str]]:
            answer = phone.post(path, body)
            assert answer.status == 200, (what, answer.content)
            if phone is not ann:
                yield what, plain(answer.content.decode())
            number = running.session.feed.now().number
            for role, stream in streams.items():
                while followed[role]["number"] < number:
                    kind, _, told = stream.next("change", "state")  # who lags gets the whole state
                    is_whole = kind == "state"
                    followed[role] = told if is_whole else apply_merge_patch(followed[role], told)
                in_step = {name: one for name, one in followed[role].items() if name != "table"}
                yield f"{what}, {role}: changes", plain(in_step)

        offered = ann.get("/cards").json["offered"][kept]
        keep = {"move": {"move": "keep_tickets", "tickets": offered}}
        yield from step("Ann chooses", ann, "/cards/moves", keep)
        keep_first(running, "bob", "cleo")
        for number in range(2):
            yield from step(f"Ann draws {number}", ann, "/cards/moves", DRAW)
        for number in range(2):
            yield from step(f"Bob draws {number}", bob, "/cards/moves", DRAW)
        for who, phone, path in (("Bob", bob, "/pause"), ("the host", host, "/end")):
            yield from step(f"{who}: {path}", phone, path)
            until(partial(is_hindered, host, by_pause=path == "/pause"))
            for role, other in phones.items():
                yield from (
                    (f"{path}, {what}", plain(text)) for what, text in every.to(role, other)
                )
        yield from step("the host undoes the end", host, "/undo")


def told_of_both(folder: Path) -> list[str]:
    """What differs between all that others are told of two hands of Ann's."""
    told = []
    for name, hand, kept in zip("ab", ANNS_HANDS, (slice(2), slice(1, 3)), strict=True):
        with dealt_table(folder / name, hands=(hand, *HANDS[1:]), has_camera=False) as running:
            told.append(dict(told_of(running, kept)))
    assert len(told[0]) > 100
    return differences(*told)


def test_no_answer_depends_on_another_s_cards(tmp_path: Path) -> None:
    assert told_of_both(tmp_path) == []


@pytest.mark.parametrize("where", ["the state", "changes", "an answer to a call"])
def test_a_hand_that_is_told_is_found(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody's hands in the state, one number in what changes or in what a call is answered."""
    written = game_calls.written
    dealt: list[Any] = []

    def state(view: Any, *of_a_game: Any) -> Any:
        dealt.append(view.game.table.dealing)
        told = public_state(view, *of_a_game)
        return {**told, "extra": str(dealt[-1])} if where == "the state" else told

    def patch(before: Any, after: Any) -> Any:
        change = merge_patch(before, after)
        return {**change, "extra": dealt[-1].hand("ann")["black"]} if change else change

    def answer(*of_a_call: Any) -> game_calls.Written:
        told = written(*of_a_call)
        undo = told.undo and game_calls.Undo(told.undo.event + dealt[-1].hand("ann")["black"])
        return game_calls.Written(told.number, undo)

    monkeypatch.setattr(feed, "public_state", state)
    if where == "changes":
        monkeypatch.setattr(feed, "merge_patch", patch)
    if where == "an answer to a call":
        monkeypatch.setattr(game_calls, "written", answer)
    found = [
        what.partition(": ")[0] + ": " + what.split(": ")[1] for what in told_of_both(tmp_path)
    ]
    wanted = {
        "the state": (
            "/pause, guest: /state",
            "/end, host: the stream",
            "Ann draws 0, bob: changes",
        ),
        "changes": ("Ann chooses, guest: changes", "Bob draws 1, bob: changes"),
        "an answer to a call": ("the host: /end",),
    }
    assert set(wanted[where]) <= set(found)
    assert (where == "the state") == any("/state" in what for what in found)


def test_all_see_who_has_chosen_tickets_and_not_which_or_how_many(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        before = bob.state()
        assert ann.post("/hand", TICKET).status == 200
        one = bob.state()
        assert one == {**before, "number": before["number"] + 1, "chosen": ["ann"]}
        assert ann.post("/hand", OTHER).status == 200
        assert bob.state() == one
        ann.correct("helena--seattle", "red")
        assert bob.state()["chosen"] == []


def test_nobody_learns_that_there_is_a_ticket(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        ann.correct("duluth--helena", "red")
        with bob.stream() as stream:
            stream.next("state")
            before = look_everywhere(bob)
            assert ann.post("/hand", TICKET).status == 200
            assert ann.post("/hand", OTHER).status == 200
            assert ann.ask("DELETE", "/hand", OTHER).status == 200
            assert len(running.log.state.events) == 5, "they are written down"
            assert look_everywhere(bob) == before, "not a byte is different"

            assert bob.get("/hand").json["tickets"] == []
            assert ann.get("/hand").json["tickets"][0]["a"] == "calgary"

            # The next thing that happens is the next in everything that is counted.
            number = bob.state()["number"]
            assert ann.correct("helena--seattle", "red").json["number"] == number + 1
            name, heard, change = stream.next("change")
            assert (name, heard) == ("change", str(number + 1))
            assert [entry["seq"] for entry in change["log"]] == [1, 2, 3]
            assert change["undo"] == {"event": 3}
        look_everywhere(bob)
        bob.get("/log/3/crop.jpg")
        assert not SECRETS.search(bytes(bob.heard))
        assert not SECRETS.search(bytes(running.phone().get("/state").content))


def test_others_cannot_undo_what_they_must_not_know(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        assert bob.correct("helena--seattle", "red").status == 200
        assert ann.post("/hand", TICKET).status == 200
        unknown = bob.post("/undo", {"event": 3})
        assert unknown.status == bob.post("/undo", {"event": 99}).status == 409
        assert bob.post("/undo").status == 200
        assert running.log.state.table.claims == {}, "the newest public fact was taken back"
        assert len(ann.get("/hand").json["tickets"]) == 1
        assert bob.post("/undo").status == 409, "there is nothing else to take back"
        assert bob.post("/redo").status == 200
        assert running.log.state.table.claims == {"helena--seattle": "red"}


def test_undoing_the_last_turns_takes_no_ticket_back(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        left, board = 43, running.log.state.table.board
        for route in sorted(board.routes, key=lambda route: -route.length):
            if route.length <= left and not board.other_lanes.get(route.id):
                assert bob.correct(route.id, "red").status == 200
                left -= route.length
        ann.post("/hand", TICKET)
        assert running.log.state.table.last_turns_by == "ann"
        claims = len(running.log.state.table.claims)
        undo = bob.state()["undo"]["event"]
        assert bob.get(f"/log?after={undo - 1}").json["events"][0]["kind"] == "claim_corrected"
        assert bob.post("/undo").status == 200
        assert len(running.log.state.table.claims) == claims - 1
        assert running.log.state.table.last_turns_by is None
        assert len(ann.get("/hand").json["tickets"]) == 1
        assert bob.post("/redo").status == 200
        assert running.log.state.table.last_turns_by == "ann"


def test_what_is_revealed_everyone_sees_and_no_more(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        ann.post("/hand", TICKET)
        ann.post("/hand", OTHER)
        with bob.stream() as stream:
            stream.next("state")
            assert ann.post("/hand/reveal", TICKET).status == 200
            _, _, change = stream.next("change")
        (shown,) = change["players"][0]["tickets"]
        assert (shown["a"], shown["b"], shown["is_done"]) == ("calgary", "phoenix", False)
        assert [entry["kind"] for entry in change["log"]] == ["game_started", "ticket_revealed"]
        assert b"new-york" not in bob.heard.replace(b"new-york--", b"").replace(b"--new-york", b"")
        assert ann.post("/hand/reveal").status == 200
        assert len(bob.state()["players"][0]["tickets"]) == 2
        assert "ticket_taken" not in bob.get("/export/jsonl").content.decode()


def test_a_reveal_that_is_undone_is_secret_again(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        ann.post("/hand", TICKET)
        ann.post("/hand/reveal")
        assert ann.post("/undo").status == 200
        assert bob.state()["players"][0]["tickets"] == []
        assert not SECRETS.search(b"".join(look_everywhere(bob)))
        assert len(ann.get("/hand").json["tickets"]) == 1


def test_a_game_with_a_reveal_that_is_undone_is_exported(tmp_path: Path) -> None:
    """Its public numbers have gaps, and what is undone later refers across them."""
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        ann.post("/hand", TICKET)
        for _ in range(2):
            ann.post("/hand/reveal")
            assert ann.post("/undo").status == 200
            assert ann.correct("helena--seattle", "red", None).status == 200
            assert ann.post("/undo").status == 200
        assert host.post("/end").status == 200
        for name in ("game", "csv", "jsonl", "bgstats", "bgg"):
            assert host.get(f"/export/{name}").status == 200, name


def test_a_ticket_that_was_shown_is_not_put_back(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann = running.player("ann")
        ann.post("/hand", TICKET)
        ann.post("/hand/reveal")
        assert ann.ask("DELETE", "/hand", TICKET).status == 409
        assert len(ann.state()["players"][0]["tickets"]) == 1
        assert ann.post("/undo").status == 200
        assert ann.ask("DELETE", "/hand", TICKET).status == 200


def test_the_end_counts_no_secret(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob, host = running.player("ann"), running.player("bob"), running.host()
        ann.post("/hand", TICKET)
        assert host.post("/end").status == 200
        state = bob.state()
        assert state["game"]["ended"]
        assert [player["points"] for player in state["players"]] == [0, 0, 0]
        assert ann.post("/hand/reveal").status == 200
        assert bob.state()["players"][0]["points"] == -13


def test_who_asks_for_every_event_gets_the_public_ones(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann = running.player("ann")
        ann.post("/hand", TICKET)
        for colour in ("red", "blue", None):
            was = running.log.state.table.claims.get("helena--seattle")
            assert ann.correct("helena--seattle", colour, was).status == 200
        ann.post("/undo")
        events = running.phone().get("/log").json["events"]
        assert [event["seq"] for event in events] == [1, 2, 3, 4, 5]
        assert events[-1]["fact"] == {"kind": "undone", "event": 4}
        assert [e["seq"] for e in running.phone().get("/log?after=3").json["events"]] == [4, 5]
        lines = running.phone().get("/export/jsonl").content.decode().splitlines()
        assert [json.loads(line)["seq"] for line in lines] == [1, 2, 3, 4, 5]
        assert json.loads(lines[-1])["fact"]["event"] == 4


def test_who_takes_over_a_seat_does_not_see_its_hand(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        assert ann.post("/hand", TICKET).status == 200
        assert host.ask("DELETE", "/seat/ann").status == 200
        assert host.post("/seat", {"seat": "ann"}).status == 200
        hand = host.get("/hand").json
        assert (hand["tickets"], hand["worst"], hand["is_taken_over"]) == ([], 0, True)
        assert host.ask("DELETE", "/hand", TICKET).status == 404
        assert host.post("/hand/reveal").json["tickets"] == []
        assert not running.log.state.table.tickets["ann"][0].revealed
        assert not SECRETS.search(bytes(host.heard))


def test_naming_an_older_ticket_looks_like_keeping_a_new_one(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        assert ann.post("/hand", TICKET).status == 200
        assert host.ask("DELETE", "/seat/ann").status == 200
        again = running.player("ann")
        old = again.post("/hand", {"b": TICKET["a"], "a": TICKET["b"]})
        new = again.post("/hand", OTHER)
        assert (old.status, new.status) == (200, 200)
        assert len(running.log.state.table.tickets["ann"]) == 2, "none is there twice"
        assert [len(answer.json["tickets"]) for answer in (old, new)] == [1, 2]
        others = [{**answer.json, "tickets": 0} for answer in (old, new)]
        assert others[0].keys() == others[1].keys()
        assert all(one["is_taken_over"] and not one["is_all_shown"] for one in others)
        assert again.post("/seat", {"seat": "ann"}).status == 200, "the same phone keeps its hand"
        assert len(again.get("/hand").json["tickets"]) == 2


def test_at_the_end_a_hand_that_was_taken_over_counts(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        assert ann.post("/hand", TICKET).status == 200
        assert host.ask("DELETE", "/seat/ann").status == 200
        again = running.player("ann")
        running.live.execute(AddFacts([GameEnded()]))
        assert again.get("/hand").json["tickets"] == []
        shown = again.post("/hand/reveal").json
        assert len(shown["tickets"]) == 1
        assert shown["is_all_shown"]


def test_a_seat_of_one_game_opens_no_hand_of_another(tmp_path: Path) -> None:
    with table(tmp_path / "one") as one, table(tmp_path / "two") as two:
        ann = two.player("ann")
        assert ann.post("/hand", TICKET).status == 200
        one.player("ann")
        one.player("bob")
        one.page.services.phone_access.enter_game(two.log.path, lambda seat: True)
        path = two.log.path
        kept = PhoneAccess(path.with_suffix(".pairing"), "").devices
        seats = [device.seat for device in kept.all]
        assert sorted(seats, key=str) == [None, "ann", "bob"]
        (came,) = (device for device in kept.all if device.seat == "bob")
        assert came.hand_from is None, "its hand begins when it is first asked for"


def test_the_host_keeps_the_hand_of_who_has_no_phone(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        host.correct("helena--seattle", "red")
        before = look_everywhere(ann)
        path = "/players/cleo/hand"
        assert host.post(path, TICKET).json["tickets"][0]["b"] == "phoenix"
        assert host.get(path).json["tickets"][0]["a"] == "calgary"
        assert look_everywhere(ann) == before, "nobody else learns of it"
        assert ann.get(path).status == 403
        refused = host.get("/players/ann/hand")
        assert (refused.status, refused.json["error"]["code"]) == (409, "taken")
        assert host.get("/players/nobody/hand").status == 404
        assert not SECRETS.search(bytes(ann.heard))


def test_a_phone_that_sits_down_closes_its_hand_to_the_host(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host = running.host()
        path = "/players/cleo/hand"
        assert host.post(path, OTHER).status == 200
        cleo = running.player("cleo")
        assert cleo.post("/hand", TICKET).status == 200
        assert host.get(path).status == 409
        assert cleo.ask("DELETE", "/seat/cleo").status == 200
        hand = host.get(path).json
        assert (hand["tickets"], hand["is_taken_over"]) == ([], True)
        assert host.ask("DELETE", path, TICKET).status == 404
        assert not SECRETS.search(bytes(host.heard)), "what that phone kept stays its secret"
        running.live.execute(AddFacts([GameEnded()]))
        assert host.post(f"{path}/reveal").json["is_all_shown"], "at the end all of it counts"
