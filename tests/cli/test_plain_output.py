"""Names and answers from elsewhere command no terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from railspotter.cli.command import main


def test_a_name_with_an_escape_sequence_is_printed_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game\x1b[2J\u202e.txt"
    assert main(["score", str(game)]) == 2
    said = capsys.readouterr().err
    assert "game" in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert said.endswith("\n")
