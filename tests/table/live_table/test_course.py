"""Who has just claimed, and what follows from it: not at once the one who claims again."""

from pathlib import Path

import pytest
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.display_control import claimants
from railspotter.table.game_log.board_facts import BoardJoined, Corrected, Placed, TakenBack
from railspotter.table.game_log.course_facts import GameStarted, Redone, TurnMarked, Undone
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, PlayerRecoloured
from railspotter.table.live_table.course import RecentClaimer, turn_doubt
from railspotter.vision.readings import Doubt

COLOURS = ["red", "blue", "black"]
PLAYERS = (Player("ann", "red"), Player("bo", "blue"))
CLAIM = Placed.on(Spot("route", "berlin--essen"), colour="red", by="camera")


@pytest.mark.parametrize(
    ("said", "now_s", "why"),
    [
        ("red", 61.0, "pale; red has only just claimed a route"),
        ("blue", 61.0, "pale"),
        ("red", 67.0, "pale"),
        (None, 61.0, "pale"),
    ],
)
def test_a_question_says_who_claimed_just_before(said: str | None, now_s: float, why: str) -> None:
    doubt = Doubt(Spot("route", "a--b"), said, (None,), Sentence("pale"))
    assert RecentClaimer("red", 60.0).with_reason(doubt, COLOURS, now_s).why == why


def test_alone_at_the_table_one_may_always_claim() -> None:
    assert RecentClaimer("red", 60.0).next_claimers(["red"], 60.0) is None


@pytest.mark.parametrize(
    ("before", "newest", "claimed"),
    [
        pytest.param([], [CLAIM], ["red"], id="claimed"),
        pytest.param([], [TurnMarked("bo")], [], id="nothing on the board"),
        pytest.param(
            [], [Placed.on(Spot("station", "essen"), colour="red", by="camera")], [], id="station"
        ),
        pytest.param(
            [CLAIM],
            [TakenBack.on(Spot("route", "berlin--essen"), by="camera", seen_to_change=True)],
            [],
            id="withdrawn",
        ),
        pytest.param(
            [CLAIM],
            [Corrected.on(Spot("route", "berlin--essen"), was="red", now="blue")],
            ["blue"],
            id="corrected",
        ),
        pytest.param(
            [CLAIM],
            [Corrected.on(Spot("route", "berlin--essen"), was="red", now="red")],
            [],
            id="confirmed",
        ),
        pytest.param([CLAIM], [Undone(2)], [], id="undone"),
        pytest.param([CLAIM, Undone(2)], [Redone(2)], ["red"], id="put back"),
        pytest.param(
            [CLAIM, Corrected.on(Spot("route", "berlin--essen"), was="red", now=None)],
            [Undone(3)],
            ["red"],
            id="a correction undone",
        ),
        pytest.param(
            [CLAIM], [PlayerRecoloured("ann", "black")], [], id="in another colour by now"
        ),
        pytest.param(
            [],
            [BoardJoined({"berlin--essen": "red", "berlin--frankfurt--1": "blue"})],
            ["blue", "red"],
            id="lay there already",
        ),
    ],
)
def test_who_has_claimed_is_told_by_what_lies_there_since(
    tmp_path: Path, before: list[Fact], newest: list[Fact], claimed: list[Colour]
) -> None:
    with GameStore(tmp_path).create(GameStarted("europe", PLAYERS), 1.0) as log:
        for fact in before:
            log.append([fact], 2.0)
        then = log.state.table
        log.append(newest, 3.0)
        assert sorted(claimants(then, log.state.table)) == claimed


ROUTES = ("calgary--seattle", "denver--helena", "helena--seattle")


@pytest.mark.parametrize(
    ("told", "doubt"),
    [
        ("ann bo ann", None),
        ("ann ann", ("ann", "bo cleo")),
        ("ann ann+100", ("ann", "bo cleo")),
        ("ann ann+130", None),
        ("ann ann cleo", None),
        ("ann cleo", None),
        ("ann -bo+9 cleo+20", ("cleo", "bo")),
        ("ann -bo+9 ann+8", None),
        ("ann -bo+9 ann+40", ("ann", "bo cleo")),
        ("ann ann -bo+9", None),
        ("cleo", None),
    ],
)
def test_a_claim_out_of_turn_is_told_where_turns_are_known(
    told: str, doubt: tuple[str, str] | None
) -> None:
    """Claims, and turns that are marked (-), each so many seconds (5) after the one before."""
    players = (Player("ann", "red"), Player("bo", "blue"), Player("cleo", "green"))
    colours = {player.seat: player.colour for player in players}
    events, at_s = [Event(1, 0.0, GameStarted("usa", players))], 0.0
    for word in told.split():
        seat, _, passed_s = word.partition("+")
        at_s += float(passed_s or 5)
        route = Spot("route", ROUTES[len(events) - 1])
        fact = (
            TurnMarked(seat[1:])
            if seat.startswith("-")
            else Placed.on(route, colour=colours[seat], by="camera")
        )
        events.append(Event(len(events) + 1, at_s, fact))
    found = turn_doubt(fold(events))
    assert (found and (found.seat, " ".join(found.missed))) == doubt
    assert found is None or found.spot == Spot("route", ROUTES[len(events) - 2])
