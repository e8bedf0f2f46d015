"""The stream: every change once and in its order, also for who was away, reads badly or leaves."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merge_patches import apply_merge_patch
from no_limits import no_limits
from phones import API, PATIENCE_S, Phone, Table, table
from railspotter.scoring.spot import Spot
from railspotter.webui.access.limits import Limits, Settings, Slot
from railspotter.webui.feed.feed import HEARTBEAT, MOST_KEPT, Stream, merge_patch, message
from waiting import until

ROUTES = ("helena--seattle", "duluth--helena", "atlanta--nashville", "denver--helena")


def correct(phone: Phone, route: str, was: str | None, now: str | None) -> int:
    answer = phone.correct(route, now, was)
    assert answer.status == 200, answer.content
    return int(answer.json["number"])


def bare(value: Any) -> Any:
    """A state without the names whose values are null: a patch cannot tell them from missing."""
    if isinstance(value, dict):
        return {name: bare(one) for name, one in value.items() if one is not None and name != "you"}
    return value


values: st.SearchStrategy[Any] = st.recursive(
    st.integers(0, 3) | st.text("ab", max_size=1) | st.lists(st.integers(0, 1), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)
states = st.dictionaries(st.sampled_from("abc"), values, max_size=3)


@given(states, states)
def test_a_patch_turns_one_state_into_the_other(before: Any, after: Any) -> None:
    assert apply_merge_patch(before, merge_patch(before, after)) == after
    assert merge_patch(before, before) == {}


def test_changes_add_up_to_the_state(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        with bob.stream() as stream:
            _, _, state = stream.next("state")
            correct(ann, ROUTES[0], None, "red")
            correct(ann, ROUTES[1], None, "blue")
            running.live.ask(Spot("route", ROUTES[2]), "red", None)
            correct(ann, ROUTES[0], "red", "blue")
            ann.post("/undo")
            last = ann.post("/undo").json["number"]
            while state["number"] < last:
                _, number, patch = stream.next("change")
                state = apply_merge_patch(state, patch)
                assert number == str(state["number"])
            assert bare(state) == bare(bob.state())


def test_a_corrected_value_is_announced_once_to_all(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob, guest = running.player("ann"), running.player("bob"), running.phone()
        with bob.stream() as near, guest.stream() as far:
            near.next("state")
            far.next("state")
            for route in ROUTES[:2]:
                last = correct(ann, route, None, "red")
                for stream in (near, far):
                    assert list(stream.next("change")[2]["spots"]) == [f"route:{route}"]
            assert bob.state()["number"] == last


def test_who_was_away_gets_what_was_missed(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob = running.player("ann"), running.player("bob")
        with bob.stream() as stream:
            _, number, state = stream.next("state")
        correct(ann, ROUTES[0], None, "red")
        with bob.stream(last_id=number) as stream:
            name, newest, patch = stream.next()
            assert name == "change"
            assert bare(apply_merge_patch(state, patch)) == bare(bob.state())
        with bob.stream(last_id=newest) as stream:
            correct(ann, ROUTES[1], None, "red")
            name, _, patch = stream.next()
            assert name == "change"
            assert list(patch["spots"]) == [f"route:{ROUTES[1]}"], "nothing is sent again"
        for _ in range(20):
            correct(ann, ROUTES[2], None, "red")
            correct(ann, ROUTES[2], "red", None)
        with bob.stream(last_id=number) as stream:
            assert stream.next()[0] == "state", "so much was missed that all is shorter"


@pytest.mark.parametrize("last_id", ["0", "812", "99999999999999999", "x", "-1", "9" * 400, "²"])
def test_who_comes_with_what_nobody_knows_gets_all(running: Table, last_id: str) -> None:
    with running.phone().stream(last_id=last_id) as stream:
        assert stream.next()[0] == "state"


def test_the_first_answer_wins_and_the_others_hear_it(running: Table) -> None:
    phones = [running.player(seat) for seat in ("ann", "bob", "cleo")]
    running.live.ask(Spot("route", ROUTES[0]), "red", "blue")
    until(lambda: bool(phones[0].state()["questions"]))
    (question,) = phones[0].state()["questions"]
    assert question["choices"] == ["red", "blue", None]
    assert phones[1].get(question["crop"].removeprefix(API)).content.startswith(b"\xff\xd8\xff")

    said: list[tuple[int, Any]] = []

    def answer(phone: Phone, colour: str | None) -> None:
        reply = phone.post(f"/questions/{question['id']}/answer", {"now": colour})
        said.append((reply.status, reply.json))

    answers = zip(phones, ("red", "blue", None), strict=True)
    threads = [threading.Thread(target=answer, args=one) for one in answers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in said) == [200, 409, 409]
    now = running.log.state.table.spots[Spot("route", ROUTES[0])].colour
    for status, reply in said:
        if status == 409:
            assert reply["error"]["code"] == "answered"
            assert reply["now"] == now
    assert len(running.log.state.events) == 2, "one answer is written down"
    assert phones[2].state()["questions"] == []
    assert phones[0].post("/questions/none/answer", {"now": None}).status == 404


def test_of_two_who_correct_the_second_is_told(running: Table) -> None:
    ann, bob = running.player("ann"), running.player("bob")
    correct(ann, ROUTES[0], None, "red")
    late = bob.correct(ROUTES[0], "blue")
    assert (late.status, late.code, late.json["now"]) == (409, "changed", "red")
    correct(bob, ROUTES[0], "red", "blue")


def test_what_lay_there_is_confirmed_by_the_host(running: Table) -> None:
    host, ann = running.host(), running.player("ann")
    assert host.post("/joining").status == 409
    running.live.find({Spot("route", ROUTES[0]): "red", Spot("route", ROUTES[1]): "blue"})
    assert host.state()["table"]["joining"] == {
        f"route:{ROUTES[0]}": "red",
        f"route:{ROUTES[1]}": "blue",
    }
    assert ann.state()["table"]["is_joining_open"] is False
    assert ann.post("/joining").refusal == (403, "too early")
    assert host.post("/joining", {"spots": {f"route:{ROUTES[0]}": "mauve"}}).status == 400
    assert host.post("/joining", {"spots": {"route:atlantis": "red"}}).status == 400
    assert host.post("/joining", {"spots": {f"route:{ROUTES[0]}": "red"}}).status == 200
    assert host.state()["table"]["joining"] is None
    assert running.log.state.table.claims == {ROUTES[0]: "red"}


def test_what_lay_there_is_confirmed_by_any_player_after_a_while(running: Table) -> None:
    ann, guest = running.player("ann"), running.phone()
    running.live.find({Spot("route", ROUTES[0]): "red"}, waited=True)
    assert guest.state()["table"]["is_joining_open"] is True
    assert ann.post("/joining").status == 200
    assert running.log.state.table.claims == {ROUTES[0]: "red"}
    now = ann.state()["table"]
    assert (now["joining"], now["is_joining_open"]) == (None, False)


def test_a_board_without_the_games_claims_is_said_to_be_and_kept_by_a_pause(
    running: Table,
) -> None:
    host = running.host()
    correct(host, ROUTES[0], None, "red")
    running.live.find({}, missing=1)
    now = host.state()["table"]
    assert (now["joining"], now["joining_missing"]) == ({}, 1)
    assert host.post("/pause").status == 200
    now = host.state()["table"]
    assert (now["joining"], now["joining_missing"]) == (None, 0)
    assert running.log.state.table.claims == {ROUTES[0]: "red"}
    assert host.post("/resume").status == 200
    running.live.find({}, missing=1)
    said = {"spots": {f"route:{ROUTES[1]}": "blue"}}
    assert host.post("/joining", said).status == 200
    assert running.log.state.table.claims == {ROUTES[1]: "blue"}


def test_pausing_and_resuming(running: Table) -> None:
    ann = running.player("ann")
    assert ann.post("/pause").status == 200
    assert ann.state()["game"]["paused"]
    assert ann.post("/resume").status == 200
    assert not ann.state()["game"]["paused"]
    assert ann.post("/look-again").status == 200
    assert ann.post("/markers", {"seat": "ann", "said": 30}).status == 200
    assert ann.state()["players"][0]["marker"] == 30


def test_an_unchanged_state_is_not_sent_again(running: Table) -> None:
    ann, bob = running.player("ann"), running.player("bob")
    first = ann.get("/state")
    again = ann.get("/state", If_None_Match=first.headers["ETag"])
    assert (again.status, again.content) == (304, b"")
    assert bob.get("/state", If_None_Match=first.headers["ETag"]).status == 200, "another's"
    correct(ann, ROUTES[0], None, "red")
    assert ann.get("/state", If_None_Match=first.headers["ETag"]).status == 200


def test_the_camera_is_seen_by_who_plays(running: Table) -> None:
    ann = running.player("ann")
    until(lambda: running.live.frame is not None)
    still = ann.get("/camera.jpg")
    assert still.content.startswith(b"\xff\xd8\xff")
    connection = http.client.HTTPConnection("127.0.0.1", ann.port, timeout=PATIENCE_S)
    connection.request("GET", f"{API}/camera.mjpg", headers={"Cookie": ann.cookie})
    moving = connection.getresponse()
    parts = moving.read(2 * len(still.content))
    assert parts.count(b"--frame\r\nContent-Type: image/jpeg") >= 2
    assert running.host().ask("DELETE", "/seat/ann").status == 200
    moving.read()  # it ends: who was sent away sees no more
    moving.close()
    connection.close()


def test_a_stalled_reader_harms_nobody(running: Table) -> None:
    ann, bob = running.player("ann"), running.player("bob")
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    with stalled:
        stalled.connect(("127.0.0.1", ann.port))
        stalled.sendall(f"GET {API}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        with bob.stream() as stream:
            stream.next("state")
            was: str | None = None
            for i in range(40):
                now = ("red", "blue", "green")[i % 3]
                number = correct(ann, ROUTES[0], was, now)
                was = now
                while stream.next("change")[1] != str(number):
                    pass


def test_who_leaves_frees_a_place(running: Table) -> None:
    ann = running.player("ann")
    for _ in range(5):
        with ann.stream() as stream:
            stream.next("state")
    was: str | None = None

    def is_free() -> bool:
        nonlocal was
        # What is written to a line that was closed finds out.
        now = "blue" if was == "red" else "red"
        correct(ann, ROUTES[0], was, now)
        was = now
        return not running.limits._slots["streams"]

    until(is_free)


@contextmanager
def from_address(running: Table, path: str, address: str, cookie: str = "") -> Iterator[Any]:
    """What a phone of another address gets; addresses of this machine are phones of their own."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", running.page.server.port, timeout=PATIENCE_S, source_address=(address, 0)
    )
    connection.request("GET", API + path, headers={"Cookie": cookie} if cookie else {})
    with closing(connection), closing(connection.getresponse()) as answer:
        yield answer


def test_a_newcomer_gets_the_place_of_who_has_most(tmp_path: Path) -> None:
    with (
        table(tmp_path, limits=Limits(replace(no_limits().settings, all_streams=4))) as running,
        ExitStack() as stack,
    ):

        def listen(address: str) -> Any:
            return stack.enter_context(from_address(running, "/events", address))

        honest = listen("127.0.0.2")
        crowd = [listen("127.0.0.3") for _ in range(3)]
        began_s = time.monotonic()
        newcomer = listen("127.0.0.4")
        assert [one.status for one in (honest, *crowd, newcomer)] == [200] * 5
        assert b"event: state" in crowd[0].read(), "it is ended as a stream ends"
        assert time.monotonic() - began_s < 7.5, "sooner than a heartbeat"
        # Whoever had to make room comes back at once, and takes nobody's place.
        again = listen("127.0.0.3")
        assert (again.status, again.headers["Retry-After"]) == (503, "10")
        assert listen("127.0.0.5").status == 200
        # Now everybody has one.
        assert listen("127.0.0.6").status == 503
        correct(running.player("ann"), ROUTES[0], None, "red")
        for one in (honest, crowd[2], newcomer):
            while b"event: change" not in one.readline():
                pass


def test_moving_pictures_make_room_too(tmp_path: Path) -> None:
    settings = replace(no_limits().settings, all_cameras=2)
    with table(tmp_path, limits=Limits(settings)) as running, ExitStack() as stack:
        ann = running.player("ann")
        until(lambda: running.live.frame is not None)

        def look(address: str) -> Any:
            return stack.enter_context(from_address(running, "/camera.mjpg", address, ann.cookie))

        crowd, newcomer = [look("127.0.0.3") for _ in range(2)], look("127.0.0.4")
        assert newcomer.status == 200
        assert crowd[0].read().startswith(b"--frame")
        assert b"--frame" in newcomer.readline()


@given(st.lists(st.integers(1, 6), max_size=40))
def test_nobody_loses_the_only_place_and_coming_back_ends(comers: list[int]) -> None:
    limits = Limits(Settings(streams=4, all_streams=6))
    held: list[tuple[int, Slot]] = []
    for comer in comers:
        place = limits.take("streams", f"192.0.2.{comer}")
        lost = [one for one, place in held if place.is_over.is_set()]
        held = [(one, place) for one, place in held if not place.is_over.is_set()]
        for one in lost:
            assert any(other == one for other, _ in held)
            # Who lost a place and comes back at once gets none: nobody is ended in turn.
            assert limits.take("streams", f"192.0.2.{one}") is None
        if place is not None:
            held.append((comer, place))
        assert len(limits._slots["streams"]) == len(held) <= 6


def test_phones_of_one_network_are_counted_together() -> None:
    limits = Limits(Settings(streams=2))
    taken = [limits.take("streams", f"2001:db8::{n}") for n in range(1, 4)]
    assert [place is None for place in taken] == [False, False, True]
    assert limits.take("streams", "2001:db8:0:1::1") is not None


def test_who_reads_too_slowly_gets_the_whole_state() -> None:
    stream = Stream({"number": 1})
    slow = stream.listen("en")
    assert b"event: state\nid: 1" in next(slow)
    for number in range(2, MOST_KEPT + 10):
        stream.send("change", {}, {"number": number})
    assert next(slow) == message("state", number, b'{"number":%d}' % number)
    stream.send("change", {}, {"number": number + 1, "a longer state": 1})
    assert next(slow) == message("change", number + 1, b"{}")
    stream.close()
    assert list(slow) == []


def test_who_is_refused_meanwhile_hears_nothing() -> None:
    over = threading.Event()
    over.set()
    assert b"".join(Stream({"number": 1}).listen("en", is_over=over)) == b""


def test_silence_is_broken_now_and_then() -> None:
    stream = Stream({"number": 1}, heartbeat_s=0.01)
    quiet = stream.listen("en", after=1)
    assert next(quiet) == b"retry: 2000\n\n"
    assert next(quiet) == HEARTBEAT
    assert next(quiet) == HEARTBEAT
    stream.close()
