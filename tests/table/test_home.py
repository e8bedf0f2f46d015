"""The user's data directory: profiles are whole or not there, and a bad one hides no good one."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from railspotter.calibration.errors import ProfileError
from railspotter.calibration.profiles.features import Features
from railspotter.calibration.profiles.profile import Profile
from railspotter.table.errors import HomeError
from railspotter.table.home import ProfileStore
from railspotter.table.home import home as user_home

SMALL = Profile(
    name="kitchen",
    board="usa",
    size_mm=(6.0, 4.0),
    made_at="2026-01-01T00:00:00+00:00",
    reference=np.zeros((8, 12, 3), np.uint8),
    px_per_mm=2.0,
    features=Features(np.zeros((3, 2)), np.zeros((3, 128), np.uint8)),
    print_offsets_mm={},
)


@pytest.fixture
def store(tmp_path: Path) -> ProfileStore:
    return ProfileStore(tmp_path)


def made(name: str, day: int, board: str = "usa") -> Profile:
    return replace(SMALL, name=name, board=board, made_at=f"2026-01-{day:02d}T00:00:00+00:00")


def damage(path: Path, at: int = -400) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0xFF
    path.write_bytes(bytes(content))


def test_another_home_can_be_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert user_home() == home
    monkeypatch.delenv("RAILSPOTTER_HOME")
    assert user_home().name == "railspotter"


def test_what_is_saved_is_loaded(store: ProfileStore, tmp_path: Path) -> None:
    path = store.save(SMALL)
    assert path == tmp_path / "profiles" / "kitchen.npz"
    assert store.load("kitchen").made_at == SMALL.made_at
    assert store.names() == ("kitchen",)
    assert list(path.parent.iterdir()) == [path]


def test_an_interrupted_save_leaves_the_old_profile(
    store: ProfileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plug is pulled after the new one was written and before it took the old one's place."""
    path = store.save(made("kitchen", 1))

    def pulled(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", pulled)
        with pytest.raises(KeyboardInterrupt):
            store.save(made("kitchen", 2))
    assert store.load("kitchen").made_at == made("kitchen", 1).made_at
    assert list(path.parent.iterdir()) == [path]
    store.save(made("kitchen", 3))
    assert store.load("kitchen").made_at == made("kitchen", 3).made_at


def test_what_a_pulled_plug_left_is_no_profile(store: ProfileStore) -> None:
    path = store.save(SMALL)
    (path.parent / "tmp1234.new").write_bytes(b"half")
    assert store.names() == ("kitchen",)
    assert store.newest("usa").name == "kitchen"


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a folder")
    with pytest.raises(HomeError, match="cannot write"):
        ProfileStore(tmp_path / "home").save(SMALL)


def test_the_newest_of_the_board_is_taken(store: ProfileStore) -> None:
    for profile in (made("b", 2), made("c", 3), made("a", 1), made("d", 4, board="europe")):
        store.save(profile)
    assert store.newest("usa").name == "c"
    assert store.newest("europe").name == "d"


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:-50]), id="cut short"),
        pytest.param(lambda path: damage(path, 200), id="its description is damaged"),
        pytest.param(lambda path: damage(path), id="its features are damaged"),
        pytest.param(lambda path: (path.unlink(), path.mkdir()), id="a folder"),
    ],
)
def test_a_damaged_profile_is_passed_over(store: ProfileStore, spoil: object) -> None:
    assert callable(spoil)
    store.save(made("old", 1))
    spoil(store.save(made("new", 2)))
    assert store.newest("usa").name == "old"


def test_a_damaged_profile_alone_is_told(store: ProfileStore) -> None:
    damage(store.save(SMALL))
    with pytest.raises(HomeError, match=r"kitchen\.npz cannot be read .*calibrate anew"):
        store.newest("usa")
    with pytest.raises(ProfileError, match=r"kitchen\.npz: .*calibrate anew"):
        store.load("kitchen")


def test_other_peoples_files_are_left_alone(store: ProfileStore) -> None:
    folder = store.save(SMALL).parent
    for name in ("Copy of kitchen.npz", ".npz", "notes.txt", "ümlaut.npz"):
        (folder / name).write_bytes(b"mine")
    assert store.names() == ("kitchen",)
    assert store.newest("usa").name == "kitchen"


@pytest.mark.parametrize("board", ["usa", "europe"])
def test_no_profile_yet_says_how_to_make_one(store: ProfileStore, board: str) -> None:
    with pytest.raises(HomeError, match=f"railspotter calibrate PHOTO --board {board}"):
        store.newest(board)


def test_a_profile_that_is_not_there_names_those_that_are(store: ProfileStore) -> None:
    with pytest.raises(HomeError, match="'attic'; there are: none yet"):
        store.load("attic")
    store.save(SMALL)
    with pytest.raises(HomeError, match="'attic'; there are: kitchen"):
        store.load("attic")


@pytest.mark.parametrize(
    "name",
    [
        *("", "..", "../kitchen", "/etc/kitchen", "a/b", "a\\b", ".hidden", "-f", "Kitchen", "a b"),
        *("kitchen\n", "kitchen\0", "k" * 65, "k\u00fcche"),
    ],
)
def test_a_name_that_is_no_name_is_refused_everywhere(store: ProfileStore, name: str) -> None:
    for use in (store.check_name, store.load, lambda bad: store.save(replace(SMALL, name=bad))):
        with pytest.raises(HomeError, match="cannot be a profile's name"):
            use(name)
