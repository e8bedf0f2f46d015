"""The log on the disk: what was acknowledged is there, whatever happens to program or disk."""

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from logged_games import JPEG, SEATTLE, STARTED, TICKET
from railspotter.scoring.spot import Spot
from railspotter.table.game_log import database
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GamePackedAway, GameRenamed
from railspotter.table.game_log.database import connect, insert, raw_events_in
from railspotter.table.game_log.errors import (
    EventError,
    GameInUseError,
    LogFileError,
    NewerFormatError,
)
from railspotter.table.game_log.events import read_event
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import (
    MOST_CROP_BYTES,
    MOST_CROPS,
    GameLog,
    open_reading,
    read_log,
)
from railspotter.table.game_log.people_facts import MarkerCompared, TicketTaken

from break_the_log import event_fact, kill_writers, lost_events

CLAIM = Placed.on(Spot("route", SEATTLE), colour="red", by="camera", sure=0.97)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    with GameStore(tmp_path).create(STARTED, 1e9) as log:
        yield log


def markers(count: int) -> list[Fact]:
    return [MarkerCompared("ann", number) for number in range(count)]


def test_what_was_written_is_read_again(log: GameLog) -> None:
    (claim,) = log.append([CLAIM], 1e9 + 1, {0: (JPEG, JPEG + b"2")})
    corrected = Corrected.on(Spot("route", SEATTLE), was="red")
    pair = log.append([corrected, TicketTaken("ann", TICKET)], 5.5)
    assert (claim.seq, claim.at_s, claim.fact) == (2, 1e9 + 1, CLAIM)
    assert [event.seq for event in pair] == [3, 4]
    state = log.state
    log.close()
    with GameLog(log.path) as again:
        assert again.state == state == fold(state.events)
        assert again.crops(2) == (JPEG, JPEG + b"2")
        assert again.crops(3) == ()


def test_facts_that_belong_together_are_written_together_or_not_at_all(log: GameLog) -> None:
    with pytest.raises(EventError, match="nobody plays 'pink'"):
        log.append([CLAIM, Corrected.on(Spot("route", SEATTLE), was="red", now="pink")], 0.0)
    assert len(log.state.events) == len(read_log(log.path).events) == 1
    log.append([CLAIM, Corrected.on(Spot("route", SEATTLE), was="red", now="blue")], 0.0)
    assert read_log(log.path).table.claims == {SEATTLE: "blue"}


@pytest.mark.parametrize(
    ("fact", "at_s"),
    [
        pytest.param(CLAIM, float("nan"), id="no time"),
        pytest.param(
            Placed.on(Spot("route", SEATTLE), colour="red", by="camera", sure=2), 0.0, id="sure"
        ),
        pytest.param(msgspec.structs.replace(CLAIM, route="x" * 99), 0.0, id="no id"),
    ],
)
def test_nothing_unreadable_gets_in(log: GameLog, fact: Fact, at_s: float) -> None:
    with pytest.raises(EventError):
        log.append([fact], at_s)
    assert len(read_log(log.path).events) == 1


@pytest.mark.parametrize(
    "crops",
    [(b"<html>",), (JPEG + bytes(MOST_CROP_BYTES),), (JPEG,) * (MOST_CROPS + 1)],
    ids=["no picture", "too large", "too many"],
)
def test_what_is_no_crop_is_refused(log: GameLog, crops: tuple[bytes, ...]) -> None:
    with pytest.raises(EventError, match="crop"):
        log.append([CLAIM], 0.0, {0: crops})
    assert len(log.state.events) == 1


def test_only_one_writes_and_anyone_reads(log: GameLog) -> None:
    with pytest.raises(GameInUseError, match=r"open for writing in another program: end it"):
        GameLog(log.path)
    log.append([CLAIM], 0.0)
    assert read_log(log.path) == log.state
    with closing(connect(log.path, is_writer=False)) as reader:
        reader.execute("BEGIN")
        before = list(raw_events_in(reader))
        log.append(markers(3), 0.0)
        assert list(raw_events_in(reader)) == before, "a reader sees one moment"
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("DELETE FROM crop")
    log.close()
    GameLog(log.path).close()


def test_the_disk_is_waited_for(log: GameLog) -> None:
    """A killed program does not show whether it was: the system has its pages all the same."""
    asked = ("journal_mode", "synchronous")
    said = [log._database.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert said == ["wal", 2]


def test_nothing_lies_about_but_what_must(log: GameLog) -> None:
    log.append([CLAIM], 0.0)
    names = {path.name.removeprefix(log.path.stem) for path in log.path.parent.iterdir()}
    assert names == {".sqlite3", ".sqlite3-wal", ".sqlite3-shm", ".writer"}
    log.close()
    assert {path.suffix for path in log.path.parent.iterdir()} == {".sqlite3", ".writer"}


def test_a_log_is_never_edited(log: GameLog) -> None:
    log.append([CLAIM], 0.0)
    log.close()
    with closing(sqlite3.connect(log.path)) as database:
        for order in ("DELETE FROM event", "UPDATE event SET at_s = 0"):
            with pytest.raises(sqlite3.IntegrityError):
                database.execute(order)


def test_several_threads_write_in_some_order_and_lose_nothing(log: GameLog) -> None:
    with ThreadPoolExecutor(4) as pool:
        written = list(pool.map(lambda fact: log.append([fact], 0.0)[0], markers(40)))
    assert sorted(event.seq for event in written) == list(range(2, 42))
    kept = read_log(log.path).events
    assert all(kept[event.seq - 1] == event for event in written)


def test_an_interruption_after_the_commit_loses_nothing(
    log: GameLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any) -> None:
        insert(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(database, "insert", interrupted)
        with pytest.raises(KeyboardInterrupt):
            log.append([CLAIM], 0.0)
    assert log.append(markers(1), 0.0)[0].seq == 3
    assert read_log(log.path) == log.state


def test_a_full_disk_is_told_and_nothing_is_half_written(log: GameLog) -> None:
    log.append([CLAIM], 0.0, {0: (JPEG,)})
    pages = log._database.execute("PRAGMA page_count").fetchone()[0]
    log._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LogFileError, match=r"no room left on the disk .* nothing was written"):
        log.append(markers(3), 0.0, {0: (JPEG + bytes(50_000),)})
    assert len(log.state.events) == len(read_log(log.path).events) == 2
    log._database.execute("PRAGMA max_page_count = 1000000")
    log.append(markers(3), 0.0, {0: (JPEG + bytes(50_000),)})
    assert read_log(log.path) == log.state
    assert len(log.state.events) == 5


def test_a_torn_end_loses_only_what_was_torn(log: GameLog, tmp_path: Path) -> None:
    """The plug is pulled: whatever part of the newest pages the disk has, the log opens."""
    for fact in markers(12):
        log.append([fact], 0.0, {0: (JPEG + bytes(3000),)})
    wal = log.path.with_name(log.path.name + "-wal").read_bytes()
    all_of_them = log.state.events
    counts = []
    for number, size in enumerate((*range(0, len(wal), len(wal) // 40), len(wal))):
        torn = tmp_path / f"{number}.sqlite3"
        shutil.copy(log.path, torn)
        torn.with_name(torn.name + "-wal").write_bytes(wal[:size])
        kept = read_log(torn).events
        assert kept == all_of_them[: len(kept)]
        counts.append(len(kept))
        with GameLog(torn) as again:
            again.append([CLAIM], 0.0)
        assert len(read_log(torn).events) == len(kept) + 1
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (1, 13)
    assert len(set(counts)) > 6


def test_garbage_at_the_torn_end_is_not_taken_for_events(log: GameLog, tmp_path: Path) -> None:
    for fact in markers(5):
        log.append([fact], 0.0)
    torn = tmp_path / "torn.sqlite3"
    shutil.copy(log.path, torn)
    wal = bytearray(log.path.with_name(log.path.name + "-wal").read_bytes())
    wal[-2000:] = bytes(range(250)) * 8
    torn.with_name(torn.name + "-wal").write_bytes(wal)
    assert read_log(torn).events == log.state.events[:-1]


def insertion(seq: int, fact: str, format: int = 1) -> str:
    return f"INSERT INTO event VALUES ({seq}, 0, 'some kind', {format}, '{fact}')"


def edit(path: Path, order: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(order)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(b"Dear Railspotter" * 99), id="a letter"),
        pytest.param(lambda path: path.unlink(), id="gone"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:5000]), id="cut short"),
        pytest.param(lambda path: path.write_bytes(bytes(len(path.read_bytes()))), id="zeros"),
    ],
)
def test_what_is_no_log_is_told(log: GameLog, spoil: object) -> None:
    log.close()
    assert callable(spoil)
    spoil(log.path)
    for use in (GameLog, read_log):
        with pytest.raises(LogFileError, match=str(log.path)):
            use(log.path)
    if log.path.exists():
        # Whoever failed to open it does not keep others out.
        with pytest.raises(LogFileError) as refused:
            GameLog(log.path)
        assert not isinstance(refused.value, GameInUseError)


@pytest.mark.parametrize(
    "order",
    ["PRAGMA user_version = 9", insertion(2, '{"kind": "route_flown"}', format=9)],
    ids=["the file", "an event"],
)
def test_what_a_newer_program_wrote_says_what_to_do(log: GameLog, order: str) -> None:
    log.close()
    edit(log.path, order)
    for use in (GameLog, read_log):
        with pytest.raises(
            NewerFormatError, match=r"format 9; this one knows 8\): update railspot"
        ):
            use(log.path)


FORMAT_1 = Path(__file__).with_name("format-1.sql")


def test_a_log_of_format_1_is_read_for_ever(tmp_path: Path) -> None:
    """The file is never to be edited: it is what the first program wrote."""
    path = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(FORMAT_1.read_text("utf-8"))
    state = read_log(path)
    assert state.table.name == "Sunday"
    assert state.table.claims == {"helena--seattle": "blue"}
    assert state.table.by_hand == {Spot("route", "helena--seattle")}
    assert [held.revealed for held in state.table.tickets["ann"]] == [True]
    assert len(state.events) == 8
    with GameLog(path) as log:
        assert log.crops(2) == (bytes.fromhex("ffd8ffe000"),)
        log.append(markers(1), 0.0)


def test_a_log_of_format_2_goes_on_with_the_seals_that_it_has(tmp_path: Path) -> None:
    with GameStore(tmp_path).create(STARTED, 1.0) as log:
        log.append([GameRenamed("Sunday")], 2.0)
        path = log.path
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 2")
    with GameLog(path) as log:
        log.append([GamePackedAway()], 3.0, {0: (b"\xff\xd8\xff\xe0",)})
    with open_reading(path) as reading:
        assert (reading.is_whole, reading.unsealed) == (True, 0)
        assert reading.state.table.packed_away


def test_a_name_with_unseen_signs_of_an_older_log_opens_without_them() -> None:
    written = '{"kind": "game_renamed", "name": "Fri\u202eday\\n"}'
    assert read_event(2, 0.0, written, 1).fact == GameRenamed("Friday")


def test_writers_killed_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    killed = kill_writers(store, times=8)
    assert killed.lost == ()
    assert killed.acknowledged > 8
    for game in store.ids():
        with store.open(game) as log:
            log.append([event_fact(0)], 0.0)


def test_a_lost_event_is_seen(tmp_path: Path) -> None:
    with GameStore(tmp_path).create(STARTED, 0.0) as log:
        log.append([event_fact(2), event_fact(4)], 2.0)
        assert lost_events(log.path, [2, 3, 4]) == (2, 3, 4), "no crops, another fact, not there"
