"""What lies on the board when watching begins is asked about, and nothing is lost meanwhile."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from at_once import AtOnce
from railspotter.cli.terminal.watching import TerminalLog
from railspotter.scoring.spot import Spot
from railspotter.simulation.virtual_board.pieces import place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.table.game_log.board_facts import BoardJoined, Placed
from railspotter.table.game_log.budgets import Writer
from railspotter.table.game_log.log import GameLog
from railspotter.table.live_table import timeouts
from railspotter.table.live_table.commands import Action, Command, ConfirmJoining, Correct, Resume
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.opening import MANY
from railspotter.table.live_table.table_view import Joining, TableView
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.sources.source import NoCamera
from railspotter.vision.watching.settling import WatchState
from small_game import (
    FIRST_CLAIM_S,
    game,
    profile,
    true_claims,
    turn_to_the_end,
    turn_until,
    watching,
)

SIX_CLAIMS_S = 97.0  # by then six routes lie there
TWO_CLAIMS_S = 22.0
GREEN_CLAIM_S = (34.0, 46.0)  # one claim lies between them
MANY_CLAIMS_S = 140.0
ANSWERS: dict[str, Command] = {"yes": ConfirmJoining(), "pause": Action.PAUSE}


def test_what_lies_there_waits_for_the_host_and_after_a_while_for_any_player(
    log: GameLog, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "HOST_TIMEOUT_S", 0.05)
    still_s = game().still_after(SIX_CLAIMS_S)
    shown = [game().frame_at(still_s + t_s).picture for t_s in (0.0, 0.2)]
    terminal = TerminalLog()
    opened: list[tuple[bool, bool]] = []
    with watching(log, lambda t_s: shown[int(5 * t_s) % 2], 5.0) as table:
        table.subscribe(terminal.update)
        table.subscribe(
            lambda view, new: opened.append((bool(view.sight.joining), view.is_joining_open))
        )
        turn_to_the_end(table)
        while not table.view.is_joining_open:
            table.process_next_frame()
        table.execute(ConfirmJoining(), Writer("player", "red"))
    assert list(dict.fromkeys(opened))[:3] == [(False, False), (True, False), (True, True)]
    assert len(log.state.table.claims) == 6
    said = capsys.readouterr().out
    assert said.index("nothing is scored until") < said.index("any player may say so by now")
    assert (table.view.sight.joining, table.view.is_joining_open) == (None, False)


@pytest.mark.parametrize("is_as_seen", [pytest.param(True, marks=pytest.mark.long), False])
def test_what_is_laid_while_the_board_waits_to_be_confirmed_is_a_claim_of_its_own(
    log: GameLog, *, is_as_seen: bool
) -> None:
    from_s, to_s = (game().still_after(at_s) for at_s in (FIRST_CLAIM_S, TWO_CLAIMS_S))
    before, after = (true_claims(at_s) for at_s in (from_s, to_s))
    since = dict(after.items() - before.items())
    assert len(since) == 1
    states: set[WatchState] = set()
    said = dict.fromkeys(before, "red") if not is_as_seen else before
    with watching(
        log, lambda t_s: game().frame_at(min(from_s + t_s, to_s)).picture, to_s - from_s + 8.0
    ) as table:
        while table.frame is None or table.frame.number < 5 * (to_s - from_s + 4.0):
            table.process_next_frame()
            states.add(table.view.sight.state)
        lying = {Spot("route", name): c for name, c in before.items()}
        assert table.view.sight.joining == Joining(lying)
        assert len(log.state.events) == 1, "nothing is written down meanwhile"
        assert table.sighted is not None
        assert WatchState.HAND in states
        table.execute(ConfirmJoining({Spot("route", name): c for name, c in said.items()}))
        assert table.view.sight.joining is None
        turn_to_the_end(table)
    joined, *claims = log.state.events[1:]
    assert joined.fact == BoardJoined(said)
    placed = [event.fact for event in claims if isinstance(event.fact, Placed)]
    assert {fact.spot.id: fact.colour for fact in placed} == since
    assert log.state.table.claims == {**said, **since}
    assert all(fact.seen_to_change for fact in placed) == is_as_seen, "or they are read anew"
    assert all(log.crops(event.seq) for event in claims) == is_as_seen, "each with its picture"


def test_what_a_person_said_while_the_board_waited_holds(log: GameLog) -> None:
    still_s = game().still_after(SIX_CLAIMS_S)
    mended, kept = Spot("route", "atlanta--raleigh--0"), Spot("route", "helena--seattle")
    picture = game().frame_at(still_s).picture
    with watching(log, lambda t_s: picture, 6.0) as table:
        turn_until(table, lambda: table.view.sight.joining is not None)
        joining = table.view.sight.joining
        assert joining is not None
        assert joining.board[mended] == "green"
        for spot in (mended, kept):
            table.execute(Correct(spot, "red"))
        table.process_next_frame()
        table.execute(ConfirmJoining())
        table.process_next_frame()
    claims = log.state.table.claims
    assert (claims["atlanta--raleigh--0"], claims["helena--seattle"]) == ("red", "red")
    assert len(claims) == 7


@pytest.mark.parametrize("is_said", [False, True], ids=["as seen", "said"])
def test_what_a_person_said_of_what_was_laid_meanwhile_holds(
    log: GameLog, *, is_said: bool
) -> None:
    times_s = [game().still_after(at_s) for at_s in (FIRST_CLAIM_S, TWO_CLAIMS_S)]
    before, after = (true_claims(at_s) for at_s in times_s)
    ((laid, colour),) = after.items() - before.items()
    other = next(one for one in before.values() if one != colour)
    shown = [game().frame_at(at_s).picture for at_s in times_s]
    with watching(log, lambda t_s: shown[t_s > 4.0], 10.0) as table:
        turn_until(table, lambda: table.frame is not None and table.frame.number > 40)
        assert table.view.sight.joining == Joining({Spot("route", r): c for r, c in before.items()})
        if is_said:
            table.execute(Correct(Spot("route", laid), other))
            table.process_next_frame()
        table.execute(ConfirmJoining())
        table.process_next_frame()
    assert log.state.table.claims == {**before, laid: other if is_said else colour}


@pytest.mark.parametrize("answer", ["yes", "pause"])
def test_what_was_answered_is_not_asked_by_the_frame_that_was_looked_at_then(
    log: GameLog, answer: str
) -> None:
    plain = game().frame_at(game().still_after(SIX_CLAIMS_S)).picture
    covered = plain.copy()
    covered[:330, 430:520] = (150, 175, 215)  # an arm, after which the board is read again
    asked: list[bool] = []

    def answer_meanwhile() -> None:
        if table.view.sight.joining is not None and not asked:
            table.execute(ANSWERS[answer])
            table.subscribe(lambda view, new: asked.append(view.sight.joining is not None))

    with watching(
        log, lambda t_s: covered if 4.0 < t_s < 4.5 else plain, 8.0, meanwhile=answer_meanwhile
    ) as table:
        turn_to_the_end(table)
    assert len(log.state.events) == 2
    assert asked[-1] is False
    assert answer == "pause" or not any(asked)


def joined(log: GameLog) -> dict[str, str]:
    """Have a minute's claims written down; return them."""
    picture = game().frame_at(game().still_after(SIX_CLAIMS_S)).picture
    with watching(log, lambda t_s: picture, 5.0) as table:
        turn_until(table, lambda: table.view.sight.joining is not None)
        table.execute(ConfirmJoining())
    return log.state.table.claims


@pytest.mark.parametrize("answer", ["yes", pytest.param("pause", marks=pytest.mark.long), "said"])
def test_an_emptied_board_is_asked_about_before_anything_is_taken_off_the_score(
    log: GameLog, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = joined(log)
    written = len(log.state.events)
    empty, full = (
        game().frame_at(at_s).picture
        for at_s in (game().still_after(0.0), game().still_after(SIX_CLAIMS_S))
    )
    shown = [empty]
    terminal = TerminalLog()
    with watching(log, lambda t_s: shown[-1], 16.0) as table:
        table.subscribe(terminal.update)
        turn_until(table, lambda: table.view.sight.joining is not None)
        for _ in range(5):
            table.process_next_frame()
        assert table.view.sight.joining == Joining({}, missing=6)
        assert "the board shows no claims, but the game has 6" in capsys.readouterr().out
        assert len(log.state.events) == written
        if answer == "said":
            table.execute(ConfirmJoining({Spot("route", name): c for name, c in claims.items()}))
            assert len(log.state.events) == written, "it says what is written"
        else:
            table.execute(ANSWERS[answer])
        seen: TableView = table.view
        assert seen.sight.joining is None
        if answer == "pause":
            shown.append(full)
            for _ in range(5):
                table.process_next_frame()
            table.execute(Resume())
        while answer != "said" and not table.view.is_over:
            table.process_next_frame()
    assert log.state.table.claims == ({} if answer == "yes" else claims)
    assert answer == "yes" or not log.state.table.spots.keys() - {
        Spot("route", name) for name in claims
    }
    assert table.view.questions == ()


@pytest.mark.parametrize("is_right", [pytest.param(True, marks=pytest.mark.long), False])
def test_much_that_nobody_saw_laid_is_one_list_to_confirm(
    log: GameLog, *, is_right: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    since_s, until_s = game().still_after(TWO_CLAIMS_S), MANY_CLAIMS_S
    before, after = (true_claims(game().still_after(at_s)) for at_s in (since_s, until_s))
    new = after.items() - before.items()
    assert len(new) >= MANY
    shown = [game().frame_at(since_s).picture, game().frame_at(game().still_after(until_s)).picture]
    terminal = TerminalLog()
    with watching(log, lambda t_s: shown[t_s > 6.0], 20.0) as table:
        table.subscribe(terminal.update)
        turn_until(table, lambda: table.view.sight.joining is not None)
        table.execute(ConfirmJoining())
        turn_until(table, lambda: (joining := table.view.sight.joining) and joining.changed)
        lying = {Spot("route", name): colour for name, colour in after.items()}
        changed = len(after) - len(log.state.table.claims)
        assert table.view.sight.joining == Joining(lying, changed=changed)
        assert "nobody saw it happen" in capsys.readouterr().out
        wrong = Spot("route", min(new)[0])
        said = {spot: colour for spot, colour in lying.items() if spot != wrong}
        table.execute(ConfirmJoining(None if is_right else said))
        turn_to_the_end(table)
    left_out = set() if is_right else {wrong.id}
    assert log.state.table.claims == {r: c for r, c in after.items() if r not in left_out}


def test_more_trains_than_a_box_has_are_told_and_never_offered_as_what_lies_there(
    log: GameLog,
) -> None:
    board, lamp = game().enactment.board, game().enactment.lamps[0].light
    longest = sorted(board.routes, key=lambda one: -one.length)[:9]
    too_many = place_trains(board, dict.fromkeys((route.id for route in longest), "red"))
    impossible = game().camera.take(Scene(too_many, light=lamp)).picture
    possible = game().frame_at(game().still_after(SIX_CLAIMS_S)).picture
    shown = [impossible]
    with watching(log, lambda t_s: shown[-1], 20.0) as table:
        turn_until(table, lambda: table.view.sight.obstacle)
        told = "red has used 54 trains, of 45, which no single misreading explains: look at "
        assert table.view.sight.obstacle.startswith(told)
        assert table.view.sight.joining is None
        shown.append(possible)
        turn_until(table, lambda: (joining := table.view.sight.joining) and len(joining.board) == 6)
        assert not table.view.sight.obstacle
    assert len(log.state.events) == 1


@pytest.mark.parametrize("is_mended", [False, True], ids=["as listed", "mended"])
def test_what_was_listed_waits_before_a_camera_that_sees_no_board(
    log: GameLog, *, is_mended: bool
) -> None:
    times_s = [game().still_after(at_s) for at_s in (FIRST_CLAIM_S, TWO_CLAIMS_S)]
    truth = {Spot("route", name): colour for name, colour in true_claims(times_s[1]).items()}
    shown = [game().frame_at(at_s).picture for at_s in times_s]
    with watching(log, lambda t_s: shown[t_s > 4.0], 10.0) as table:
        turn_until(table, lambda: table.frame is not None and table.frame.number > 40)
        listed = table.listed
    assert listed.joining is not None
    assert listed.joining.board == truth, "with what was laid since"
    mended, colour = next(iter(truth.items()))
    other = "red" if colour != "red" else "green"
    blind = VirtualBoard(lambda t_s: 0 * shown[0], 2.0, 5.0, as_fast_as_read=True)
    with Grabber(blind) as grabber:
        table = LiveTable(log, grabber, profile(), work=AtOnce(), listed=listed)
        turn_until(table, lambda: table.sighted is None and table.frame is not None)
        assert table.view.sight.joining == replace(listed.joining, is_kept=True)
        if is_mended:
            table.execute(Correct(mended, other))
        table.execute(ConfirmJoining())
        turn_to_the_end(table)
    assert table.view.sight.joining is None
    assert log.state.table.held == (truth | {mended: other} if is_mended else truth)


def test_a_route_in_doubt_is_asked_once_the_board_is_confirmed(log: GameLog) -> None:
    before, after = (game().frame_at(game().still_after(s)).picture for s in GREEN_CLAIM_S)
    changed = (cv2.absdiff(before, after).max(2) > 25).astype(np.uint8)
    teal, laid = after.copy(), cv2.erode(changed, np.ones((3, 3))) > 0
    greens = after[laid][:, 1] * 0.75
    teal[laid] = np.stack([1.1 * greens, greens, after[laid][:, 2] * 0.5], 1).clip(0, 255)
    with watching(log, lambda t_s: teal, 12.0) as table:
        turn_until(table, lambda: table.view.sight.joining is not None)
        assert not table.view.questions
        table.execute(ConfirmJoining())
        turn_until(table, lambda: table.view.questions)
    assert [one.spot.id for one in table.view.questions] == ["atlanta--raleigh--0"]


def test_a_board_that_is_cleared_once_the_points_are_counted_changes_no_result(
    log: GameLog,
) -> None:
    full, bare = (game().frame_at(at_s).picture for at_s in (game().still_after(SIX_CLAIMS_S), 0.0))
    claims = true_claims(game().still_after(SIX_CLAIMS_S))
    is_cleared = False
    with watching(log, lambda t_s: bare if is_cleared else full, 20.0) as table:
        turn_until(table, lambda: table.view.sight.joining is not None)
        for command in (ConfirmJoining(), Action.END, Action.COUNT):
            table.execute(command)
            table.process_next_frame()
        is_cleared = True
        turn_to_the_end(table)
        assert log.state.table.counted
    assert log.state.table.claims == claims


def test_many_changes_that_were_listed_count_once_they_are_confirmed(log: GameLog) -> None:
    still_s = game().still_after(SIX_CLAIMS_S)
    truth = {Spot("route", name): colour for name, colour in true_claims(still_s).items()}
    first, *others = truth
    log.append([Placed.on(first, colour=truth[first], by="person")], 2.0)
    picture = game().frame_at(still_s).picture
    with watching(log, lambda t_s: picture, 6.0) as table:
        turn_until(table, lambda: table.view.sight.joining is not None)
        listed = table.listed
    assert listed.joining is not None
    assert listed.joining.changed == len(others)
    with Grabber(NoCamera()) as grabber:
        table = LiveTable(log, grabber, None, work=AtOnce(), listed=listed)
        table.execute(ConfirmJoining())
    assert log.state.table.held == truth
