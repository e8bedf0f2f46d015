"""docs/sources.md says what is true."""

import doctest
import re
from pathlib import Path

import pytest
from house.project import ROOT
from railspotter.vision.sources import choose
from railspotter.vision.sources.cameras import FoundCamera
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.phone import PostedFrames

PAGE = ROOT / "docs" / "sources.md"
TEXT = PAGE.read_text("utf-8")


def test_the_example_runs() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


def test_every_text_of_the_table_names_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(choose, "list_cameras", lambda: [FoundCamera(0, "Webcam C920")])
    Path("photos").mkdir()
    Path("board.jpg").touch()
    Path("game.mp4").touch()
    table = TEXT.partition("| you have |")[2].partition("\n\n")[0]
    typed = [row.split("|")[2] for row in table.splitlines()[2:]]
    texts = [text for cell in typed for text in re.findall("`([^`]+)`", cell)]
    assert len(texts) >= 9
    for text in texts:
        assert parse_source(text, {"phone": PostedFrames()}).name
