"""A file without an end, wherever a file may be named: it is read to a bound, and that is said."""

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from railspotter.calibration.profiles import profile_file
from railspotter.cli.arguments import resolve_source
from railspotter.cli.command import main
from railspotter.scoring.board import load_board
from railspotter.scoring.bounded_file import MOST_BYTES, read_bounded
from railspotter.scoring.card_game.text import load_deck
from railspotter.scoring.edition import load_edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.spot_names import nearest
from railspotter.table import home, photo_file
from railspotter.table.errors import TableError
from railspotter.table.photos.answers import load_answers
from railspotter.table.photos.photo_files import GameFile
from railspotter.table.recordings.recorder import Recorder
from railspotter.vision.sources import photos
from railspotter.vision.sources.source import SourceUnusableError

ZEROS = Path("/dev/zero")
pytestmark = pytest.mark.skipif(not ZEROS.exists(), reason="this system has no /dev/zero")


class Endless(io.RawIOBase):
    """Zeros, and how many of them were asked for."""

    asked = 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "it has no end"
        self.asked += size
        return bytes(size)


def test_no_more_is_read_than_the_bound() -> None:
    endless = Endless()
    with pytest.raises(OSError, match="larger than 4 MB"):
        read_bounded(endless)  # type: ignore[arg-type]
    assert endless.asked == MOST_BYTES + 1


@pytest.mark.parametrize("words", [("score",), ("board", "check")], ids=" ".join)
@pytest.mark.parametrize("file", [str(ZEROS), "-"])
def test_commands_end(
    words: tuple[str, ...],
    file: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ZEROS.open("rb") as zeros:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(zeros))
        assert main([*words, file]) == 2
    assert capsys.readouterr().err.endswith("it is larger than 4 MB\n")


def _profile(file: Path) -> object:
    (file.parent / "profiles").mkdir()
    (file.parent / "profiles" / "mine.npz").symlink_to(ZEROS)
    return home.ProfileStore(file.parent).load("mine")


def _recording(file: Path) -> object:
    (file.parent / "recording.json").symlink_to(ZEROS)
    return Recorder(file.parent, "g", say=print)


READERS: dict[str, Callable[[Path], object]] = {
    "board": load_board,
    "deck": load_deck,
    "game": GameFile,
    "answers": lambda file: load_answers(file, load_board("usa"), load_edition("usa"), ["red"]),
    "photo": photo_file.load_photo,
    "photo of a folder": photos._load,
    "source": lambda file: resolve_source(f"@{file}"),
    "profile": _profile,
    "recording": _recording,
}


@pytest.mark.parametrize("what", READERS)
def test_every_reader_ends(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (photo_file, photos):
        monkeypatch.setattr(module, "MOST_BYTES_UNPACKED", 10**6)
    monkeypatch.setattr(profile_file, "MOST_FILE_BYTES", 10**6)
    file = tmp_path / "zeros.json"
    file.symlink_to(ZEROS)
    errors = (ScoringError, TableError, SourceUnusableError, argparse.ArgumentTypeError)
    with pytest.raises(errors, match=r"larger than \d MB|cannot read"):
        READERS[what](file)


def test_a_name_of_a_megabyte_is_like_no_other() -> None:
    assert nearest("route", "helena--seattle" * 70_000, load_board("usa")) == ()
