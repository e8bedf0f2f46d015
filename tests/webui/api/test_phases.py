"""The phases of a table as phones hear of them, and why a question is gone."""

import time

import pytest
from phones import Phone, Table
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import LastTurnsBegun
from railspotter.table.live_table import phase
from railspotter.table.live_table.commands import Action

TICKETS = (
    {"a": "calgary", "b": "phoenix"},
    {"a": "boston", "b": "miami"},
    {"a": "denver", "b": "el-paso"},
)
HELENA = Spot("route", "denver--helena")


@pytest.fixture
def seated(running: Table) -> tuple[Phone, Phone, Phone]:
    """Ann, Bob and Cleo, each with a hidden ticket."""
    ann, bob, cleo = (running.player(seat) for seat in ("ann", "bob", "cleo"))
    for phone, ticket in zip((ann, bob, cleo), TICKETS, strict=True):
        assert phone.post("/hand", ticket).status == 200
    return ann, bob, cleo


def test_a_player_ends_the_game_in_its_last_turns_and_not_before(
    running: Table, seated: tuple[Phone, Phone, Phone]
) -> None:
    ann, _, _ = seated
    assert ann.state()["phase"] == "tickets"
    assert ann.post("/end").refusal == (403, "too early")
    host = running.host()
    assert (host.post("/end").status, host.post("/undo").status) == (200, 200)
    assert ann.post("/redo").refusal == (409, "refused"), "nor by what the host has taken back"
    assert (host.post("/redo").status, ann.post("/undo").status) == (200, 200)
    # That nobody is short of trains takes it back at once, unless the game is over by then.
    running.log.append([LastTurnsBegun("ann")], time.time())
    assert ann.post("/end").status == 200
    assert ann.state()["phase"] == "show_tickets"


def test_the_last_ticket_shown_begins_the_counting_and_the_winner_is_told_when_it_is_over(
    running: Table, seated: tuple[Phone, Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FIRST_S", "STEP_S", "LAST_S"):
        monkeypatch.setattr(phase, name, 0.3)
    ann, bob, cleo = seated
    running.live.execute(Action.END)
    assert ann.post("/hand/reveal").status == 200
    assert bob.post("/hand/reveal").status == 200
    state = ann.state()
    assert (state["phase"], state.get("counting")) == ("show_tickets", None)
    with ann.stream() as stream:
        stream.next("state")
        shown = cleo.post("/hand/reveal").json
        while stream.next("change", "state")[2].get("phase") != "winner":
            pass
    steps = ann.state()["counting"]["steps"]
    assert [step["seat"] for step in steps][:4] == [None, "ann", "bob", "cleo"]
    assert abs(ann.get("/clock").json["now_s"] - time.time()) < 60
    # What was shown is taken back: nobody has won yet.
    assert cleo.post("/undo", shown["undo"]).status == 200
    state = bob.state()
    assert (state["phase"], state["game"]["counted"]) == ("show_tickets", False)


def test_a_question_that_is_gone_says_why(
    running: Table, seated: tuple[Phone, Phone, Phone]
) -> None:
    ann, bob, _ = seated
    running.live.ask(HELENA, "red", None)
    question = ann.state()["questions"][0]["id"]
    assert bob.post(f"/questions/{question}/answer", {"now": None}).status == 200
    told = ann.state()["closed_questions"]
    assert told == [{"id": question, "why": "answered", "seat": "bob", "now": None}]
    running.live.questions.close([HELENA])
    running.live.ask(HELENA, "red", None)
    assert ann.post("/look-again").status == 200
    assert ann.state()["closed_questions"][-1]["why"] == "restarted"
