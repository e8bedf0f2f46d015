"""Boards of the user's own: found by their id or file, calibrated, and played by an edition."""

from functools import partial
from pathlib import Path

import msgspec
import pytest
from railspotter.cli.command import build_parser, main
from railspotter.cli.commands.play import _plan_game
from railspotter.scoring.board import Board, load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.boards.own_boards import OwnBoards, load_board_by_name
from railspotter.table.errors import BoardKeptError, HomeError, NoProfileError, TableError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.photo_file import save_picture


@pytest.fixture
def board(home: Path) -> Board:
    """A board of the user's own, kept: New York under another id."""
    own = msgspec.structs.replace(load_board("newyork"), id="my-map", title="My map")
    OwnBoards(home).save(own)
    return own


def test_it_is_found_by_id_and_by_file(home: Path, board: Board) -> None:
    assert load_board_by_name("my-map") == board
    assert load_board_by_name(str(home / "boards" / "my-map.json")) == board
    assert load_board_by_name("usa") is load_board("usa")
    with pytest.raises(TableError, match=r"no board 'your-map'; known are .*usa, my-map"):
        load_board_by_name("your-map")


def test_it_takes_no_name_of_the_programs(home: Path, board: Board) -> None:
    with pytest.raises(BoardKeptError, match="the program has a board 'usa'"):
        OwnBoards(home).save(load_board("usa"))


def test_a_damaged_file_is_told_with_its_place(home: Path, board: Board) -> None:
    path = home / "boards" / "my-map.json"
    path.write_text(path.read_text("utf-8").replace('"length": 2', '"length": 0', 1), "utf-8")
    with pytest.raises(HomeError, match=r"my-map.json: .*routes\[\d+\]\.length"):
        load_board_by_name("my-map")


def test_it_is_calibrated_and_played(home: Path, board: Board, tmp_path: Path) -> None:
    photo = tmp_path / "empty.png"
    save_picture(photo, draw_board(board, 2.0, seed=4))
    corners = ["0,0", "599,0", "599,841", "0,841"]
    said = ["play", "--board", "my-map", "--source", "0", "--players", "Ann:blue", "Bo:white"]
    with pytest.raises(NoProfileError, match="calibrate PHOTO --board my-map"):
        _plan_game(build_parser().parse_args([*said, "--edition", "newyork"]), GameStore(home))
    assert main(["calibrate", str(photo), "--board", "my-map", "--corners", *corners]) == 0
    with pytest.raises(TableError, match="by which rules 'my-map' is played"):
        _plan_game(build_parser().parse_args(said), GameStore(home))
    begin = _plan_game(build_parser().parse_args([*said, "--edition", "newyork"]), GameStore(home))
    assert isinstance(begin, partial)
    _, _, game, _, profile, *_ = begin.args
    assert profile.board == "my-map"
    assert game.started("").board == board
