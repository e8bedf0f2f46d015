"""What is known of the time without the internet, and what a clock against it is told."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from railspotter.cli.command import main
from railspotter.scoring.sentence import NOTHING
from railspotter.table import clock
from railspotter.table.clock import clock_fault


def test_a_clock_before_the_program_or_its_newest_game_is_wrong(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    assert clock_fault(tmp_path, now) == NOTHING
    assert clock_fault(tmp_path, now + timedelta(days=3000)) == NOTHING, "unused for years"
    assert "1970-01-03 00:00" in clock_fault(tmp_path, datetime(1970, 1, 3, tzinfo=UTC))
    played = now + timedelta(days=365)
    game = tmp_path / "games" / f"{'a' * 32}.sqlite3"
    game.parent.mkdir()
    game.touch()
    os.utime(game, (played.timestamp(), played.timestamp()))
    assert f"a game here is from {played:%Y-%m-%d}: set the clock" in clock_fault(tmp_path, now)
    assert clock_fault(tmp_path, played + timedelta(hours=1)) == NOTHING


def test_the_doctor_tells_of_a_clock_that_nobody_has_set(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Unset(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Unset":
            return cls(1970, 1, 3, tzinfo=UTC)

    monkeypatch.setattr(clock, "datetime", Unset)
    main(["doctor", "--port", "0"])
    assert "this computer's clock says 1970-01-03 00:00" in capsys.readouterr().out
