"""Kept folders: no name leads out of one, and a file that cannot be used is named."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from killable import KillableServe
from msgspec.structs import replace
from railspotter.calibration.board_making.draft import Draft
from railspotter.scoring.card_game.text import Deck
from railspotter.scoring.sentence import StatedError
from railspotter.table.boards.draft_store import DraftStore
from railspotter.table.boards.own_boards import OwnBoards
from railspotter.table.card_games.card_game_store import CardGameStore
from railspotter.table.card_games.changes import CardSeat, new_game
from railspotter.table.errors import HomeError, NotKeptError
from railspotter.table.home import ProfileStore
from railspotter.table.whole_file import KeptFolder, remove_unfinished
from served_play import free_port


@pytest.mark.parametrize("kind", [OwnBoards, DraftStore, CardGameStore, ProfileStore])
@pytest.mark.parametrize("name", ["../secret", "", "A b", "My-Map", "x" * 200])
def test_no_name_leads_out_of_the_folder(
    tmp_path: Path, kind: Callable[[Path], KeptFolder[Any]], name: str
) -> None:
    (tmp_path / "secret.json").write_bytes(b"{}")
    folder = kind(tmp_path)
    for use in (folder.load, folder.path, folder.delete):
        with pytest.raises(StatedError):
            use(name)
    assert folder.names() == ()


def test_a_damaged_draft_is_named(tmp_path: Path) -> None:
    drafts = DraftStore(tmp_path)
    drafts.add(Draft(id="my-map", title="My map", places=(), size_mm=(100.0, 50.0)))
    assert drafts.names() == ("my-map",)
    path = tmp_path / "boards" / "drafts" / "my-map" / "draft.json"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(HomeError, match=r"draft\.json is damaged: it is not as the program wrote"):
        drafts.load("my-map")
    drafts.delete("my-map")
    with pytest.raises(NotKeptError):
        drafts.load("my-map")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "big.json").write_bytes(b" " * 4_000_001)
    with pytest.raises(HomeError, match="larger than 4 MB"):
        OwnBoards(tmp_path).load("big")


WRITING = """
import os, sys, time
from pathlib import Path
from railspotter.table.whole_file import write_whole

def never_done(file):
    print(flush=True)
    time.sleep(600)

os.fsync = never_done
write_whole(Path(sys.argv[1]), b"secret", is_private=True)
"""


def test_the_next_start_deletes_what_a_kill_left_and_nothing_else(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "games").mkdir(parents=True)
    writing = [
        subprocess.Popen(
            [sys.executable, "-c", WRITING, str(home / name)], stdout=subprocess.PIPE, text=True
        )
        for name in ("games/phones.pairing", "key.pem")
    ]
    for one in writing:
        assert one.stdout is not None
        one.stdout.readline()
    killed, alive = writing
    killed.kill()
    killed.communicate()
    (home / "games" / "mine.new").write_bytes(b"mine")
    KillableServe(home, free_port()).kill()
    left = [path.name for path in home.rglob("*.new*")]
    alive.kill()
    alive.communicate()
    assert sorted(left) == sorted(["mine.new", *(n for n in left if str(alive.pid) in n)])
    assert len(left) == 2
    remove_unfinished(home)
    assert [path.name for path in home.rglob("*.new*")] == ["mine.new"]


def test_a_guests_game_goes_by_its_id_alone(tmp_path: Path) -> None:
    games = CardGameStore(tmp_path)
    game = games.add(new_game([CardSeat("red"), CardSeat("blue")], Deck()), "192.0.2.9")
    (file,) = games.folder.iterdir()
    assert games.names() == (game,)
    assert games.path(game) == file != games.folder / f"{game}.json"
    assert file.stat().st_mode & 0o077 == 0
    assert "192.0.2.9" not in file.name
    assert games.change(game, lambda kept: replace(kept, final=True)).final
    assert games.load(game).final
    assert list(games.folder.iterdir()) == [file]
    with pytest.raises(NotKeptError):
        games.load(file.stem)
    games.delete(game)
    assert games.names() == ()
