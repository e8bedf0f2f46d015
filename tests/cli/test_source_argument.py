"""An address with a password need not stand among the arguments, which everyone can read."""

from __future__ import annotations

from pathlib import Path

import pytest
from railspotter.cli.command import main

# No source: the sentence that says so shows what was read.
ADDRESS = "ftp://me:secret@192.0.2.7/live"


def test_a_source_comes_from_the_environment_or_a_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "camera.txt"
    file.write_text(f"{ADDRESS}\nnot this line\n", "utf-8")
    monkeypatch.setenv("BOARD_CAMERA", ADDRESS)
    game = ["play", "--no-page", "--board", "usa", "--players", "Ann:red", "Bo:blue"]
    for source in ("env:BOARD_CAMERA", f"@{file}"):
        assert main([*game, "--source", source]) == 2
        said = capsys.readouterr().err
        assert "'ftp://192.0.2.7/live' is no camera's address" in said
        assert "secret" not in said


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("env:NOT_THERE", "there is nothing in the variable 'NOT_THERE'"),
        ("@nowhere.txt", "cannot read 'nowhere.txt'"),
    ],
)
def test_a_source_that_is_kept_nowhere_is_said(
    source: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--source", source])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err
