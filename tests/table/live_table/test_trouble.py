"""Cameras that go, disks that are full, clocks that jump, mistakes: the table goes on."""

import itertools
import logging
import resource
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from at_once import AtOnce
from camera_server import Request, serving
from logged_games import newest_redoable, newest_undoable
from railspotter.calibration.arrays import Picture
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.errors import LogFileError
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.live_table import log_writer
from railspotter.table.live_table.commands import Correct, Redo, Undo
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.log_writer import LogWriter
from railspotter.table.live_table.table_view import TableView
from railspotter.table.photo_file import to_jpeg
from railspotter.table.recordings.recorder import RESTING_S, Recorder
from railspotter.vision.sources.grabber import Grabber, RetryPolicy
from railspotter.vision.sources.network import WebCamera
from railspotter.vision.sources.photos import VirtualBoard
from small_game import FIRST_CLAIM_S, game, profile, true_claims, turn_to_the_end, watching
from waiting import until


def jpeg_at(t_s: float) -> bytes:
    """What a camera sends of a moment: never twice the same."""
    picture, at = picture_at(t_s).copy(), next(NUMBERS) % 1000
    picture[:8, at] ^= 16
    return to_jpeg(picture, 92)


@cache
def picture_at(t_s: float) -> Picture:
    return game().frame_at(t_s).picture


NUMBERS = itertools.count()


@contextmanager
def no_room(path: Path) -> Iterator[None]:
    """Let no file grow: what SQLite adds to the game's log does not fit any more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    wal = path.with_name(f"{path.name}-wal")
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size if wal.exists() else 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_camera_that_goes_and_comes_back_misses_nothing(log: GameLog) -> None:
    now = [0.0]

    def send(request: Request) -> None:
        request.picture(jpeg_at(now[0]))

    with serving(send) as server:
        port = server.server_port
        camera = WebCamera(server.url, every_s=0.1, timeout_s=1.0)
        grabber = Grabber(camera, patience=RetryPolicy(first_s=0.1, most_s=0.3))
        grabber.start()
        table = LiveTable(log, grabber, profile())
        table.__enter__()
        try:
            until(lambda: table.view.sight.state == "settled", what="never settled")
        except BaseException:
            table.close()
            grabber.stop()
            raise
    with grabber, table_running(table):
        until(lambda: "waiting for" in table.view.camera, what="nobody was told")
        now[0] = game().still_after(FIRST_CLAIM_S)
        with serving(send, port):
            truth = true_claims(now[0])
            until(lambda: log.state.table.claims == truth, what="claims of meanwhile are missing")
            assert "watching" in table.view.camera
            assert grabber.status.openings == 2


@contextmanager
def table_running(table: LiveTable) -> Iterator[None]:
    try:
        yield
    finally:
        table.close()


def test_an_address_that_stalls_in_the_middle_of_a_picture_misses_nothing(log: GameLog) -> None:
    now, stalls = [0.0], threading.Event()

    def send(request: Request) -> None:
        content = jpeg_at(now[0])
        if stalls.is_set():
            request.head(Content_Type="image/jpeg", Content_Length=str(len(content)))
            request.wfile.write(content[:700])
            request.hang()
        request.picture(content)

    with (
        serving(send) as server,
        Grabber(
            WebCamera(server.url, every_s=0.1, timeout_s=0.5),
            patience=RetryPolicy(first_s=0.1, most_s=0.3),
        ) as grabber,
        LiveTable(log, grabber, profile()) as table,
    ):
        until(lambda: table.view.sight.state == "settled", what="never settled")
        stalls.set()
        until(lambda: "does not answer in time" in table.view.camera, what="nobody was told")
        now[0] = game().still_after(FIRST_CLAIM_S)
        stalls.clear()
        truth = true_claims(now[0])
        until(lambda: log.state.table.claims == truth, what="claims of meanwhile are missing")
        server.done.set()


def test_a_claim_while_the_disk_is_full_is_written_when_there_is_room(
    log: GameLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_writer, "RETRY_S", 0.0)
    troubles: list[str] = []
    with watching(log, lambda t_s: game().frame_at(t_s).picture, FIRST_CLAIM_S) as table:
        table.subscribe(lambda view, events: troubles.append(view.trouble))
        with no_room(log.path):
            turn_to_the_end(table)
            assert table.view.trouble
            assert log.state.table.claims == {}
            with pytest.raises(LogFileError):
                table.execute(Correct(Spot("route", "helena--seattle"), "red"))
            assert log.state.table.claims == {}, "what was not written does not hold"
        table.process_next_frame()
    assert table.view.trouble == ""
    assert log.state.table.claims == true_claims(FIRST_CLAIM_S)
    with_crop = [event for event in log.state.events if isinstance(event.fact, Placed)]
    assert len(with_crop) == 1
    assert len(log.crops(with_crop[0].seq)) == 1
    assert "" in troubles


class Late(Executor):
    """Finds boards there and then; the first reading takes until it is let go."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []
        self.has_read = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if getattr(fn, "__name__", "") != "read" or self.has_read:
            return AtOnce().submit(fn, *args, **kwargs)
        self.has_read = True
        future: Future[Any] = Future()
        self.waiting.append(lambda: future.set_result(fn(*args, **kwargs)))
        return future

    def release(self) -> None:
        while self.waiting:
            self.waiting.pop()()


def test_a_train_laid_while_the_first_picture_is_read_is_seen(log: GameLog) -> None:
    work, later_s = Late(), game().still_after(FIRST_CLAIM_S)
    empty, claimed = (game().frame_at(t_s).picture for t_s in (0.0, later_s))

    def picture_at(t_s: float) -> Picture:
        if t_s > 3.0:
            work.release()
        return empty if t_s < 2.0 else claimed

    source = VirtualBoard(picture_at, 10.0, 5.0, as_fast_as_read=True)
    with Grabber(source) as grabber:
        table = LiveTable(log, grabber, profile(), work=work)
        turn_to_the_end(table)
    assert work.has_read
    assert log.state.table.claims == true_claims(later_s)


class HangingCamera(VirtualBoard):
    """A camera that gives new pictures for a while, and then the last one again and again."""

    is_filming = True


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_camera_that_hangs_is_told_and_proves_nothing(log: GameLog, comes_back: bool) -> None:
    later_s, numbers = game().still_after(FIRST_CLAIM_S), itertools.count()
    empty, claimed = picture_at(0.0), picture_at(later_s)

    def filmed(t_s: float) -> Picture:
        if 6.0 <= t_s < 50.0:
            return claimed
        picture = (empty if t_s < 6.0 else claimed).copy()
        picture[0, next(numbers)] ^= 16
        return picture

    told: list[tuple[float, str]] = []
    source = HangingCamera(filmed, 70.0 if comes_back else 49.0, 5.0, as_fast_as_read=True)
    with Grabber(source) as grabber:
        table = LiveTable(log, grabber, profile(), work=AtOnce())

        def hear(view: TableView, _: object) -> None:
            if view.hindrance is not None and table.frame is not None and not view.is_over:
                told.append((table.frame.taken_at_s, view.hindrance.said))

        table.subscribe(hear)
        turn_to_the_end(table)
    assert table.frame is not None
    began_s = table.frame.taken_at_s - (70.0 if comes_back else 49.0)
    hangs = [at_s - began_s for at_s, said in told if "the very same picture" in said]
    assert 36.0 <= round(hangs[0], 3) <= 37.0, told
    assert hangs[-1] <= 50.5
    claims = true_claims(later_s) if comes_back else {}
    assert log.state.table.claims == claims


def test_what_waits_is_tried_again_although_the_clock_jumps_back(log: GameLog) -> None:
    ticks, clock = [100.0], itertools.chain([1e9, 1e9 - 7e6], itertools.count(1e9 + 9e7))
    one = LogWriter(log, lambda: next(clock), lambda: ticks[0])
    one.queue_fact(Placed.on(Spot("route", "helena--seattle"), colour="red", by="camera"))
    with no_room(log.path):
        assert one.write_queued() == ()
    assert one.trouble
    assert one.write_queued() == (), "not at once again"
    ticks[0] += 2.5
    (event,) = one.write_queued()
    assert event.at_s == 1e9 - 7e6
    assert one.trouble == ""


def test_events_keep_their_order_when_the_clock_jumps(log: GameLog) -> None:
    times = iter([1e9, 5.0, -3.0, 2e9])
    grabber = Grabber(VirtualBoard(lambda t_s: np.zeros((90, 160, 3), np.uint8)))
    table = LiveTable(log, grabber, profile(), clock=lambda: next(times), work=AtOnce())
    for colour in ("red", "blue", None, "red"):
        table.execute(Correct(Spot("route", "helena--seattle"), colour))
    assert log.state.table.claims == {"helena--seattle": "red"}
    assert [event.at_s for event in log.state.events[1:]] == [1e9, 5.0, -3.0, 2e9]


# What the wall's clock is off from one look at it to the next.
JUMPS_S = 0.0, 5 * 3600.0, -9 * 3600.0, 400 * 86400.0, -3.0


def test_a_wall_clock_that_jumps_by_hours_changes_nothing_but_the_times_that_are_told(
    log: GameLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jumps = itertools.cycle(JUMPS_S)
    monkeypatch.setattr(time, "time", lambda: 1.79e9 + next(jumps))
    later_s = game().still_after(FIRST_CLAIM_S)
    source = VirtualBoard(lambda t_s: game().frame_at(t_s).picture, later_s, as_fast_as_read=True)
    folder, said = tmp_path / "recorded", list[str]()
    with (
        Grabber(source) as grabber,
        Recorder(folder, log.id, say=said.append, least_free=0) as recorder,
    ):
        table = LiveTable(log, grabber, profile(), clock=lambda: time.time(), work=AtOnce())
        table.add_frame_listener(recorder.on_frame)
        turn_to_the_end(table)
        claims = true_claims(later_s)
        assert log.state.table.claims == claims
        for _ in JUMPS_S:
            table.execute(Correct(Spot("route", "helena--seattle"), "red"))
            table.execute(Undo(newest_undoable(log.state)))
        table.execute(Redo(newest_redoable(log.state)))
    assert said == []
    assert log.state.table.claims == {**claims, "helena--seattle": "red"}
    events = GameStore(tmp_path).read(log.id).events
    times = [event.at_s for event in events]
    assert times != sorted(times), "the clock did jump"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len(list(folder.glob("*.jpg"))) > later_s / RESTING_S, "pictures go by the frames' clock"


class Stumbling(Executor):
    """Fails at the first thing that it is handed."""

    def __init__(self) -> None:
        self.has_failed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.has_failed:
            self.has_failed = True
            future.set_exception(ValueError("the reader fell over"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_mistake_of_the_program_does_not_end_the_watching(
    log: GameLog, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    boards: list[str] = []

    def told(view: TableView, events: tuple[Event, ...]) -> None:
        boards.append(view.sight.board)
        if len(boards) == 2:
            raise RuntimeError("a listener fell over")

    picture = game().frame_at(0.0).picture
    with (
        Grabber(VirtualBoard(lambda t_s: picture)) as grabber,
        caplog.at_level(logging.ERROR),
        LiveTable(log, grabber, profile(), work=Stumbling()) as table,
    ):
        table.subscribe(told)
        until(lambda: table.view.sight.state == "settled", what="the table never got up again")
    assert any("the reader fell over" in said for said in boards)
    assert "telling what is new" in caplog.text
