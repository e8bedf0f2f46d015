"""What a refused call tells of this computer."""

from __future__ import annotations

from pathlib import Path

import pytest
from phones import table
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import LogFileError


def test_a_full_disk_is_told_without_this_computer_s_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table(tmp_path) as running:
        ann = running.player("ann")
        what = Sentence("there is no room left on the disk for {path}", path=running.log.path)

        def full(*_: object, **__: object) -> None:
            raise LogFileError(what)

        monkeypatch.setattr(running.log, "append", full)
        answer = ann.post("/pause")
        assert (answer.status, answer.code) == (503, "not written")
        message = answer.json["error"]["message"]
        assert message == f"There is no room left on the disk for {running.log.path.name}."
        assert str(tmp_path).encode() not in ann.heard
