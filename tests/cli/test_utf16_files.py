"""Texts that Windows saved as "Unicode", wherever one may be named: they are read as in UTF-8."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from railspotter.calibration.board_making.draft import board_text
from railspotter.cli.arguments import resolve_source
from railspotter.cli.commands.board import _load_places
from railspotter.club.broker import _password
from railspotter.scoring.board import load_board
from railspotter.scoring.card_game.text import load_deck
from railspotter.scoring.edition import load_edition
from railspotter.table.errors import TableError
from railspotter.table.photos.answers import load_answers
from railspotter.table.photos.photo_files import GameFile
from small_boards import small_board

READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "board": (load_board, board_text(small_board())),
    "deck": (load_deck, json.dumps({"city_bonuses": {"Dallas": 8}})),
    "game": (lambda file: GameFile(file).edition.id, json.dumps({"edition": "usa"})),
    "answers": (
        lambda file: load_answers(file, load_board("usa"), load_edition("usa"), ["red"]),
        json.dumps({"helena--seattle": "red"}),
    ),
    "places": (
        lambda file: _load_places(str(file), (100.0, 100.0)),
        "name,x_mm,y_mm\r\nZürich,1,2\r\nBern,3,4\r\n",
    ),
    "source": (lambda file: resolve_source(f"@{file}"), "rtsp://me:geheim@192.0.2.7/live\r\n"),
    "password": (_password, "geheim\r\n"),
}


@pytest.mark.parametrize("code", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("what", READERS)
def test_it_is_read_as_in_utf8(what: str, code: str, tmp_path: Path) -> None:
    read, text = READERS[what]
    file = tmp_path / "text.json"
    file.write_bytes(text.encode())
    wanted = read(file)
    file.write_bytes(text.encode(code))
    assert read(file) == wanted


@pytest.mark.parametrize("what", ["places", "source"])
def test_half_a_letter_is_told(what: str, tmp_path: Path) -> None:
    read, text = READERS[what]
    file = tmp_path / "text.csv"
    file.write_bytes(text.encode("utf-16")[:-1])
    with pytest.raises((TableError, argparse.ArgumentTypeError), match=r"UTF-8|cannot read"):
        read(file)
