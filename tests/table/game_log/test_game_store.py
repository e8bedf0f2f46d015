"""The games in a data directory: found by what people remember, there whole or not at all."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from logged_games import STARTED
from railspotter.table.game_log.course_facts import GameEnded, GameRenamed
from railspotter.table.game_log.errors import (
    EventError,
    GameInUseError,
    GameLogError,
    LogFileError,
    NoGameError,
)
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.game_store import GameStore

ID = "0123456789abcdef" * 2
START = Event(1, 0.0, STARTED)


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path / "home")


def create(store: GameStore, name: str) -> str:
    with store.create(msgspec.structs.replace(STARTED, name=name), 0.0) as log:
        return log.id


def test_ids_cannot_be_guessed(store: GameStore) -> None:
    ids = {create(store, "Friday") for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch("[0-9a-f]{32}", game) for game in ids)
    assert store.ids() == tuple(sorted(ids))


def test_a_game_that_cannot_start_leaves_nothing(store: GameStore) -> None:
    with pytest.raises(EventError):
        store.create(msgspec.structs.replace(STARTED, edition="mars"), 0.0)
    assert store.ids() == ()
    assert not store.folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps names by itself")
def test_a_games_name_is_on_the_disk_before_it_is_said_to_be_there(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a folder holds when it is synced is what a power cut leaves of it."""
    safe, fsync = set[str](), os.fsync

    def watched(opened: int) -> None:
        fsync(opened)
        if stat.S_ISDIR(os.fstat(opened).st_mode):
            safe.update(os.listdir(opened))

    monkeypatch.setattr(os, "fsync", watched)
    game = create(store, "Friday")
    assert {store.folder.name, store.path(game).name} <= safe


def test_a_game_is_found_by_what_is_remembered_of_it(store: GameStore) -> None:
    friday, night, other = (create(store, n) for n in ("Friday", "Friday night", "Éva's game"))
    assert store.find(other) == store.find(other[:12]) == store.find("ÉVA") == other
    assert store.find("friday") == friday, "a whole name outranks a beginning"
    assert store.find("friday n") == night
    for asked, said in (("fri", "may be any of"), ("zoo", "there is no game"), ("", "no game ''")):
        with pytest.raises(NoGameError, match=said) as refused:
            store.find(asked)
        assert f"{friday[:8]} Friday" in str(refused.value)


def test_without_games_it_says_so(store: GameStore) -> None:
    with pytest.raises(NoGameError, match="there are: none yet"):
        store.find("friday")


def test_a_damaged_game_hides_no_other_and_can_be_deleted(store: GameStore) -> None:
    good, bad = create(store, "good"), create(store, "bad")
    store.path(bad).write_bytes(b"no game")
    read = dict(store.all())
    assert isinstance(read[good], GameState)
    assert isinstance(read[bad], GameLogError)
    assert store.find("good") == good
    store.delete(store.find(bad))
    assert {path.name for path in store.folder.iterdir()} == {f"{good}.sqlite3", f"{good}.writer"}


def test_other_peoples_files_are_left_alone(store: GameStore) -> None:
    game = create(store, "mine")
    for name in ("copy.sqlite3", f"{game}.sqlite3.1234.new", "notes.txt"):
        (store.folder / name).write_bytes(b"mine")
    assert store.ids() == (game,)


@pytest.mark.parametrize("game", ["", "..", "../x", "a" * 31, "A" * 32, "a" * 32 + "\n", "/" * 32])
def test_what_is_no_id_never_becomes_a_path(store: GameStore, game: str) -> None:
    for use in (store.path, store.open, store.read, store.delete):
        with pytest.raises(NoGameError, match="cannot be a game's id"):
            use(game)
    with pytest.raises(NoGameError):
        store.add(game, [(START, ())])
    assert not store.folder.exists()


def test_a_game_that_is_open_is_not_deleted(store: GameStore) -> None:
    with store.create(STARTED, 0.0) as log:
        with pytest.raises(GameInUseError):
            store.delete(log.id)
        log.append([GameEnded()], 0.0)
    store.delete(log.id)
    assert list(store.folder.iterdir()) == []
    with pytest.raises(NoGameError):
        store.open(log.id)


def test_what_fails_halfway_is_not_there(store: GameStore) -> None:
    def events() -> Iterator[tuple[Event, tuple[bytes, ...]]]:
        yield START, (b"crop",)
        raise EventError("enough")

    with pytest.raises(EventError, match="enough"):
        store.add(ID, events())
    assert list(store.folder.iterdir()) == []


def test_a_game_is_never_written_over(store: GameStore) -> None:
    store.add(ID, [(START, ()), (Event(2, 0.0, GameEnded()), ())])
    with pytest.raises(LogFileError, match="is here already"):
        store.add(ID, [(START, ())])
    assert len(store.read(ID).events) == 2


def test_what_was_left_of_a_deleted_game_does_not_get_into_another(store: GameStore) -> None:
    with store.create(STARTED, 0.0) as log:
        log.append([GameEnded()], 0.0)
        wal = log.path.with_name(log.path.name + "-wal")
        left = wal.read_bytes()
    store.path(ID).with_name(store.path(ID).name + "-wal").write_bytes(left)
    store.add(ID, [(START, ())])
    assert len(store.read(ID).events) == 1


def test_a_folder_that_cannot_be_written_is_told(store: GameStore) -> None:
    store.folder.parent.mkdir()
    store.folder.write_text("a file, not a folder")
    with pytest.raises(LogFileError, match=r"cannot write .*: (File exists|Not a directory)"):
        store.create(STARTED, 0.0)


def test_nobody_but_its_owner_reads_a_log_and_an_older_one_becomes_private(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    with store.create(STARTED, 1.0) as log:
        game, path = log.id, log.path
        log.append([GameRenamed("Friday")], 2.0)
        beside = [one for one in path.parent.iterdir() if one.name.startswith(path.name)]
        assert len(beside) > 1
        assert {stat.S_IMODE(one.stat().st_mode) for one in beside} == {0o600}
    path.chmod(0o644)
    with store.open(game):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
