"""Kept folders: no name leads out of one, and a file that cannot be used is named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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
from railspotter.table.whole_file import KeptFolder


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
