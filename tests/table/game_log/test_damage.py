"""Damaged logs: read up to the damage, which is said, and no score changes silently."""

import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from logged_games import JPEG, SEATTLE, STARTED, TICKET
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import EventLost, GameRenamed
from railspotter.table.game_log.errors import BundleError, DamagedFileError
from railspotter.table.game_log.exports import Bundle, write_bundle
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog, is_lost, open_reading, read_log
from railspotter.table.game_log.people_facts import MarkerCompared, TicketTaken

from break_the_log import DAMAGES, SILENT, TRACEBACK, count_outcomes, make_logged_game

SPOT = Spot("route", SEATTLE)
CLAIM = Placed.on(SPOT, colour="red", by="camera", sure=0.97)
FORMAT_1 = Path(__file__).with_name("format-1.sql")
TIMES = {"a byte of a fact": 90, "a byte of a page of events": 90, "a byte of the first page": 40}


@pytest.mark.parametrize("what", DAMAGES)
def test_no_damage_changes_a_score_silently_or_makes_a_traceback(what: str, tmp_path: Path) -> None:
    """Before there were seals, of 400 bytes changed inside facts 18 changed a score silently.

    30 others were a traceback of `replay`. `python benchmarks/break_the_log.py` counts.
    """
    game = make_logged_game(tmp_path / "whole", most_turns=16)
    counted = count_outcomes(game, DAMAGES[what], TIMES.get(what, 25), tmp_path, seed=5, every=4)
    assert counted[SILENT] == counted[TRACEBACK] == 0, counted
    assert counted.total() == TIMES.get(what, 25)


def spoil(path: Path, was: bytes, now: bytes) -> bytes:
    """Change what stands in a file; return its content."""
    content = path.read_bytes()
    assert was in content
    assert len(was) == len(now)
    path.write_bytes(content.replace(was, now))
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A game of seven events, two of them with crops."""
    with GameStore(tmp_path).create(STARTED, 1e9) as log:
        log.append([CLAIM], 1e9 + 10, {0: (JPEG, JPEG + b"2")})
        log.append([Corrected.on(SPOT, was="red", now="blue")], 1e9 + 20)
        log.append([TicketTaken("ann", TICKET), MarkerCompared("bob", 17)], 1e9 + 30)
        log.append([log.state.undo(3)], 1e9 + 40, {0: (JPEG + b"3",)})
        log.append([GameRenamed("Saturday")], 1e9 + 50)
    return log.path


def test_a_damaged_log_is_read_up_to_the_damage_and_goes_on(path: Path) -> None:
    whole = read_log(path)
    damaged = spoil(path, b'"said":17', b'"said":99')
    state = read_log(path)
    assert state.events[:4] == whole.events[:4]
    assert state.events[4:] == (Event(5, 1e9 + 30, EventLost()),)
    assert state.table.claims == {SEATTLE: "blue"}
    assert state.table.markers == {}
    assert path.read_bytes() == damaged, "who only reads changes nothing"

    with GameLog(path) as log:
        assert log.damaged_copy is not None
        assert log.damaged_copy.read_bytes() == damaged
        assert log.state == state
        assert log.crops(2) == (JPEG, JPEG + b"2")
        log.append([MarkerCompared("bob", 17)], 1e9 + 60)
    after = read_log(path)
    assert after.table.markers == {"bob": 17}
    assert [e for e in after.events if is_lost(e)] == [state.events[4]], "it stays said"
    with GameLog(path) as log:
        assert log.damaged_copy is None


def test_a_damaged_log_spoils_no_other(path: Path) -> None:
    store = GameStore(path.parent.parent)
    store.create(STARTED, 1e9).close()
    path.write_bytes(bytes(path.stat().st_size))
    found = [type(state) for _, state in store.all()]
    assert sorted(found, key=str) == [DamagedFileError, GameState]


def test_without_its_start_a_game_is_refused_and_its_file_left_alone(path: Path) -> None:
    damaged = spoil(path, b'"edition":"usa"', b'"edition":"eur"')
    for use in (GameLog, read_log):
        with pytest.raises(DamagedFileError, match="the start of the game is lost"):
            use(path)
    assert path.read_bytes() == damaged
    assert {one.suffix for one in path.parent.iterdir()} == {".sqlite3", ".writer"}


def test_what_stands_before_a_lost_page_of_events_is_kept(tmp_path: Path) -> None:
    with GameStore(tmp_path).create(STARTED, 0.0) as log:
        log.append([GameRenamed(f"{n:03} {'x' * 70}") for n in range(200)], 5.0)
    whole = read_log(log.path)
    content = bytearray(log.path.read_bytes())
    last = content.index(b"199 xxx") // 4096 * 4096
    content[last : last + 4096] = bytes(4096)
    log.path.write_bytes(content)
    events = read_log(log.path).events
    assert 140 < len(events) < 190
    assert events[:-1] == whole.events[: len(events) - 1]
    assert is_lost(events[-1])
    with GameLog(log.path) as again:
        again.append([GameRenamed("on it goes")], 9.0)
    assert read_log(log.path).table.name == "on it goes"


def test_where_the_last_events_are_gone_without_a_trace_their_seals_tell(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("DROP TRIGGER event_is_kept")
        database.execute("DELETE FROM event WHERE seq > 5")
    assert [is_lost(event) for event in read_log(path).events] == [False] * 5 + [True]


def test_a_damaged_crop_is_not_shown(path: Path) -> None:
    spoil(path, JPEG + b"2", JPEG + b"?")
    with GameLog(path) as log:
        assert log.crops(2) == (JPEG,)
        assert not any(map(is_lost, log.state.events))


def old_log(folder: Path) -> Path:
    path = folder / "old.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(FORMAT_1.read_text("utf-8"))
    return path


def test_a_log_without_seals_is_read_and_said_to_have_none(tmp_path: Path) -> None:
    path = old_log(tmp_path)
    with open_reading(path) as reading:
        assert (reading.unsealed, reading.is_whole) == (8, True)
    spoil(path, b'"name":"Sunday"', b'"name":"Monday"')
    assert read_log(path).table.name == "Monday", "nobody can know"
    spoil(path, b'"was":"red"', b'"was":6red"')
    assert [is_lost(e) for e in read_log(path).events] == [False, False, True]


@pytest.mark.parametrize(
    ("was", "now"),
    [(b'"edition":"usa"', b'"edition":"usb"'), (b'"seat":"ann","col', b'"seat":"ann","c\xffl')],
)
def test_a_start_without_a_seal_is_checked(tmp_path: Path, was: bytes, now: bytes) -> None:
    path = old_log(tmp_path)
    spoil(path, was, now)
    with pytest.raises(DamagedFileError, match="is damaged: "):
        read_log(path)


def test_an_old_log_that_goes_on_is_sealed_from_then_on(tmp_path: Path) -> None:
    path = old_log(tmp_path)
    with GameLog(path) as log:
        assert log.damaged_copy is None
        log.append([GameRenamed("Tuesday")], 0.0)
        whole = log.state
    with open_reading(path) as reading:
        assert (reading.unsealed, reading.is_whole, reading.state) == (0, True, whole)
        assert reading.crops(2) == (bytes.fromhex("ffd8ffe000"),)
    spoil(path, b'"name":"Sunday"', b'"name":"Moonda"'[:14] + b'"')
    events = read_log(path).events
    assert [is_lost(e) for e in events] == [False] * 3 + [True], "an old one is protected"


def test_events_of_a_log_that_has_lost_seals_are_kept(path: Path) -> None:
    whole = read_log(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("DROP TRIGGER seal_is_kept")
        database.execute("DELETE FROM seal WHERE seq in (3, 4, 7)")
    with open_reading(path) as reading:
        assert reading.state == whole
        assert (reading.unsealed, reading.is_whole) == (3, False)
    with GameLog(path) as log:
        assert log.damaged_copy is not None
        assert log.state == whole
    with open_reading(path) as reading:
        assert (reading.unsealed, reading.is_whole) == (0, True)


def test_a_log_that_an_older_program_mended_still_opens_and_travels(tmp_path: Path) -> None:
    """It left single events out, so that later ones may speak of what was lost."""
    green = Placed.on(SPOT, colour="green", by="camera")
    facts: tuple[Fact, ...] = (
        STARTED,
        EventLost("player_came_in"),
        green,
        Corrected.on(SPOT, was="green", now="red"),
    )
    store, there = GameStore(tmp_path / "here"), GameStore(tmp_path / "there")
    game = "0" * 32
    store.add(game, [(Event(seq, 0.0, fact), ()) for seq, fact in enumerate(facts, 1)])
    assert store.read(game).table.claims == {SEATTLE: "red"}
    with store.open(game) as log:
        assert log.damaged_copy is None
    arriving = Bundle(io.BytesIO(b"".join(write_bundle(store.path(game)))))
    there.add(arriving.id, arriving.events())
    assert there.read(game) == store.read(game)


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.update(at_s=5.0),
        lambda line: line["fact"].update(sure=0.5),
        lambda line: line.update(crops=line["crops"][:1]),
        lambda line: line.update(digest="00" * 16),
    ],
    ids=["time", "fact", "crop", "digest"],
)
def test_a_bundle_that_was_damaged_on_the_way_is_refused(
    path: Path, change: Callable[..., object], tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in write_bundle(path)]
    change(lines[2])
    store = GameStore(tmp_path / "there")
    arriving = Bundle(io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    with pytest.raises(BundleError, match="line 3: it was damaged on the way"):
        store.add(arriving.id, arriving.events())
    assert store.ids() == ()


def test_a_bundle_of_an_older_program_still_arrives(path: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in write_bundle(path)]
    lines[0]["format"] = 1
    for line in lines[1:]:
        del line["digest"]
    store = GameStore(tmp_path / "there")
    arriving = Bundle(io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    store.add(arriving.id, arriving.events())
    assert store.read(arriving.id) == read_log(path)
    with open_reading(store.path(arriving.id)) as reading:
        assert reading.unsealed == 0


def test_deleting_a_game_deletes_its_damaged_copies(path: Path) -> None:
    spoil(path, b'"said":17', b'"said":99')
    GameLog(path).close()
    GameStore(path.parent.parent).delete(path.stem)
    assert list(path.parent.iterdir()) == []


def test_a_disk_that_is_full_leaves_the_damaged_file_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = spoil(path, b'"said":17', b'"said":99')

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("railspotter.table.game_log.database.replace_game_file", full)
    with pytest.raises(DamagedFileError, match="cannot be mended: No space left"):
        GameLog(path)
    assert path.read_bytes() == damaged
    assert not list(path.parent.glob("*.new"))
