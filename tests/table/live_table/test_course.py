"""Who has just claimed, and what follows from it: not at once the one who claims again."""

from pathlib import Path

import pytest
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.display_control import claimants
from railspotter.table.game_log.board_facts import BoardJoined, Corrected, Placed, TakenBack
from railspotter.table.game_log.course_facts import GameStarted, Redone, TurnMarked, Undone
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, PlayerRecoloured
from railspotter.table.live_table.course import RecentClaimer
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
