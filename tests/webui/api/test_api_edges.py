"""What a refused call tells of this computer."""

from pathlib import Path

import pytest
from phones import Answer, Phone, table
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.budgets import TICKETS_END
from railspotter.table.game_log.course_facts import GameRenamed
from railspotter.table.game_log.errors import LogFileError


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
        assert answer.refusal == (503, "not written")
        message = answer.json["error"]["message"]
        assert message == f"There is no room left on the disk for {running.log.path.name}."
        assert str(tmp_path).encode() not in ann.heard


def test_a_player_who_says_too_much_stops_nobody(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, bob, host = running.player("ann"), running.player("bob"), running.host()

        def rename(phone: Phone, name: str, seat: str = "ann") -> Answer:
            return phone.ask("PATCH", f"/players/{seat}", {"name": name})

        spent = [rename(ann, f"Ann {n}") for n in range(31)]
        assert [answer.status for answer in spent] == [200] * 30 + [409]
        assert spent[-1].code == "full"
        assert spent[-1].json["error"]["message"].startswith("This was changed 30 times")
        assert ann.state()["players"][0]["name"] == "Ann 29"
        assert ann.correct("helena--seattle", "red").status == 200, "of another kind"
        assert rename(bob, "Bert", "bob").status == 200
        assert rename(host, "Ann").status == 200
        # With all of the log gone that players have, the host still ends the game.
        running.log.append(
            [GameRenamed("Monday")] * (TICKETS_END - len(running.log.state.events)), 1e9
        )
        for path, body in (
            ("/pause", {}),
            ("/undo", {}),
            ("/hand", {"a": "calgary", "b": "phoenix"}),
        ):
            assert bob.post(path, body).refusal == (409, "full")
        assert host.correct("helena--seattle", "blue", "red").status == 200
        assert host.post("/end").status == 200
        assert bob.state()["game"]["ended"]
