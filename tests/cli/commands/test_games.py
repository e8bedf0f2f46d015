"""`railspotter games` as a player runs it."""

import io
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from logged_games import JPEG, SEATTLE, STARTED, TICKET, played, start_of
from railspotter.cli.command import main
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Corrected, Placed
from railspotter.table.game_log.course_facts import GameEnded, TurnMarked
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import PlayerLeft, TicketTaken
from railspotter.table.game_text.event_lines import time_of

FACTS = (
    Placed.on(Spot("route", SEATTLE), colour="red", by="camera"),
    Corrected.on(Spot("route", SEATTLE), was="red", now="blue"),
    TicketTaken("ann", TICKET),
)


def run(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    """Run the command and return what it printed; a refusal is one line on standard error."""
    capsys.readouterr()
    assert main(["games", *map(str, words)]) == code
    out, err = capsys.readouterr()
    if code:
        assert out == ""
        (line,) = err.splitlines()
        assert line.startswith("railspotter: ")
        return str(line)
    return str(out)


@pytest.fixture
def store(home: Path) -> GameStore:
    return GameStore(home)


@pytest.fixture
def friday(store: GameStore) -> str:
    with store.create(STARTED, 1e9) as log:
        log.append(FACTS, 1e9 + 5, {0: (JPEG,)})
        return log.id


def test_no_games_is_an_empty_list(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys) == run(capsys, "list", "--json") == ""
    main(["games"])
    assert capsys.readouterr().err == "no games yet: 'railspotter play' begins one\n"
    assert list(home.iterdir()) == []


def test_the_list_is_a_line_a_game(
    store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store.path("f" * 32).write_bytes(b"no game")
    good, bad = run(capsys).splitlines()
    assert good.startswith(f"{friday[:8]}  2001-09-")
    assert good.endswith("Friday  USA (2004)  Ann, Bob  running")
    assert bad.startswith("ffffffff  this game cannot be shown: ")
    for words in (["--json"], ["list", "--json"], ["--json", "list"]):
        told, problem = map(json.loads, run(capsys, *words).splitlines())
        assert (told["id"], told["name"], told["events"]) == (friday, "Friday", 4)
        assert told["players"][0] == {"seat": "ann", "colour": "red", "name": "Ann"}
        assert set(problem) == {"id", "problem"}


def test_show(store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]) -> None:
    head, second, *rest = run(capsys, "show", "fri").splitlines()
    assert head.startswith("Friday: USA (2004), begun 2001-09-")
    assert second == f"id {friday}, 4 events"
    assert "Bob (blue): 15 points, 39 trains left, longest path 6" in rest
    assert rest[-2:] == [
        f"corrected by hand: {SEATTLE}",
        "tickets not revealed and not counted: 1",
    ]
    told = json.loads(run(capsys, "show", friday[:6], "--json"))
    assert told["claims"] == {SEATTLE: "blue"}
    assert told["by_hand"] == [["route", SEATTLE]]
    assert told["undoable"] == [4, 3, 2]
    assert (told["tickets"], told["unrevealed"]) == ({"ann": []}, 1)
    assert told["score"]["players"][1]["total"] == 15
    secrets = json.loads(run(capsys, "show", "fri", "--json", "--with-secrets"))
    assert secrets["tickets"]["ann"][0]["a"] == "calgary"
    with store.open(friday) as log:
        log.append([PlayerLeft("ann"), GameEnded()], 1e9 + 9)
    text = run(capsys, "show", "fri")
    assert "4 events, ended" not in text
    assert "6 events, ended" in text
    assert "Ann left" in text
    assert "winner" not in text, "Ann's ticket is not shown, and Bob's is not here"
    assert "ahead without the tickets that nobody has shown: Bob (blue)" in text
    assert "-13" not in text
    assert "  -13  ticket Calgary - Phoenix" in run(capsys, "show", "fri", "--with-secrets")


def test_show_says_what_turns_took_where_they_are_marked(
    store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert json.loads(run(capsys, "show", "fri", "--json"))["turn_times"] == []
    with store.open(friday) as log:
        for at_s, seat in ((10, "ann"), (71, "bob"), (80, "ann")):
            log.append([TurnMarked(seat)], 1e9 + at_s)
    assert "time at their turns: Ann 1:01 in 1 turn, Bob 0:09 in 1 turn" in run(
        capsys, "show", "fri"
    )
    told = json.loads(run(capsys, "show", "fri", "--json"))["turn_times"]
    assert told[0] == {"seat": "ann", "seconds": 61.0, "turns": 1}


def test_rename(store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "rename", "friday", "Saturday night")
    assert store.find("saturday") == friday
    assert "at most 80 long" in run(capsys, "rename", "sat", "x" * 81, code=2)
    with GameLog(store.path(friday)):
        assert "open for writing in another program" in run(
            capsys, "rename", "sat", "Sunday", code=2
        )
        assert "Saturday night" in run(capsys, "show", "sat"), "it may be read meanwhile"


def test_all_games_that_are_over_come_in_one_file(
    store: GameStore, friday: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one that is still played stays, as do the pictures of the others."""
    over = store.create(STARTED, 1e9)
    with over:
        over.append([*FACTS, GameEnded()], 1e9 + 5, {0: (JPEG,)})
    file = tmp_path / "all.railspotter"
    run(capsys, "export", "--to", file)
    assert "name a game" in run(capsys, "export", "--format", "csv", code=2)
    store.delete(over.id)
    (line,) = run(capsys, "import", file).splitlines()
    assert line.startswith(over.id[:8])
    assert store.read(over.id).table.claims == {SEATTLE: "blue"}
    assert "is here already" in run(capsys, "import", file, code=2)


def test_a_bundle_moves_a_game_to_another_computer(
    store: GameStore,
    friday: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "friday.railspotter"
    run(capsys, "export", "friday", "--to", file)
    assert run(capsys, "export", "friday").encode() == file.read_bytes()
    state = store.read(friday)
    assert "is here already" in run(capsys, "import", file, code=2)
    run(capsys, "delete", "friday", "--yes")
    assert list(store.folder.iterdir()) == []
    assert run(capsys, "import", file).startswith(f"{friday[:8]}  2001-09-")
    assert store.read(friday) == state
    with store.open(friday) as log:
        assert log.crops(2) == (JPEG,)

    run(capsys, "delete", "friday", "--yes")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
        run(capsys, "import", "-")
    assert store.read(friday) == state


def test_exports_without_secrets_say_so(
    friday: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ("jsonl", "csv", "game"):
        assert main(["games", "export", "fri", "--format", form]) == 0
        out, err = capsys.readouterr()
        assert err == "tickets not revealed and left out: 1 (--with-secrets puts them in)\n"
        assert SEATTLE in out
        assert "calgary" not in out
        assert main(["games", "export", "fri", "--format", form, "--with-secrets"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert "calgary" in out
    file = tmp_path / "game.json"
    run(capsys, "export", "fri", "--format", "game", "--to", file)
    assert main(["score", str(file)]) == 0
    assert "Bob (blue): 15 points" in capsys.readouterr().out


def test_a_game_that_is_over_leaves_for_elsewhere(
    store: GameStore, friday: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for form in ("bgstats", "bgg"):
        assert main(["games", "export", friday, "--format", form]) == 2
        out, err = capsysbinary.readouterr()
        assert out == b""
        assert b"the game is not over yet" in err
    with store.open(friday) as log:
        log.append([GameEnded()], 1e9 + 900)
    for form, begin in (
        ("bgstats", b"https://app.bgstatsapp.com/createPlay.html?data=%7B"),
        ("bgg", b"Game: Ticket to Ride\n"),
    ):
        assert main(["games", "export", friday, "--format", form]) == 0
        out, err = capsysbinary.readouterr()
        assert out.startswith(begin)
        assert err == b"tickets not revealed and left out: 1 (--with-secrets puts them in)\n"
        assert b"algary" not in out
    link = tmp_path / "friday.txt"
    assert main(["games", "export", friday, "--format", "bgg", "--to", str(link)]) == 0
    assert link.read_bytes() == out


def test_a_board_of_ones_own_goes_beside_the_game(
    store: GameStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.create(start_of(played("own-philly", 3)), 0.0).close()
    (game,) = store.ids()
    words = ("export", game, "--format", "game")
    assert "name a file with --to" in run(capsys, *words, code=2)
    assert "name a file with --to" in run(
        capsys, *words, "--to", tmp_path / "own-philly.json", code=2
    )
    run(capsys, *words, "--to", tmp_path / "game.json")
    assert main(["score", str(tmp_path / "game.json")]) == 0
    assert {path.name for path in tmp_path.glob("*.json")} == {"game.json", "own-philly.json"}


def test_nothing_is_overwritten_unless_asked(
    friday: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    assert "overwrite it with --force" in run(capsys, "export", "fri", "--to", file, code=2)
    assert file.read_text() == "mine"
    run(capsys, "export", "fri", "--to", file, "--force")
    run(capsys, "export", "fri", "--to", file)
    for folder in (".", tmp_path):
        run(capsys, "export", "fri", "--to", folder, "--force", code=2)
    assert "No such file" in run(capsys, "export", "fri", "--to", tmp_path / "no" / "x", code=2)


def test_delete_needs_a_yes(
    store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = run(capsys, "delete", "fri", code=2)
    assert "nothing was deleted" in said
    assert "Friday" in said
    assert store.ids() == (friday,)
    with GameLog(store.path(friday)):
        assert "open for writing" in run(capsys, "delete", "fri", "--yes", code=2)
    run(capsys, "delete", "fri", "--yes")
    assert store.ids() == ()


@pytest.mark.parametrize("action", ["show", "rename", "export", "delete"])
def test_a_game_that_is_not_there_names_those_that_are(
    friday: str, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["x"] if action == "rename" else []
    assert f"there is no game 'zoo'; there are: {friday[:8]} Friday" in run(
        capsys, action, "zoo", *more, code=2
    )


def test_the_help_says_what_a_bundle_carries(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["games", "export", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "it carries everything, also the tickets that nobody has revealed" in said


def test_what_damage_has_taken_is_told_wherever_the_game_is(
    store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = store.path(friday)
    path.write_bytes(path.read_bytes().replace(b'"was":"red"', b'"was":"rot"'))
    line = (
        f"from event 3 on ({time_of(1e9 + 5)}) events are damaged and left out, so the score may be"
        " wrong: compare it with the board and the tickets"
    )
    assert run(capsys).splitlines()[0].endswith("running  damaged: events left out")
    assert line in run(capsys, "show", "friday").splitlines()
    for words in (["list", "--json"], ["show", "friday", "--json"]):
        told = json.loads(run(capsys, *words))
        assert told["lost"] == [{"seq": 3, "at_s": 1e9 + 5, "was": ""}]
    assert told["claims"] == {SEATTLE: "red"}
    assert main(["replay", "friday"]) == 0
    assert line in capsys.readouterr().err.splitlines()
    assert main(["games", "rename", "friday", "Saturday"]) == 0
    err = capsys.readouterr().err
    assert (
        "the game's file was damaged: 2 events were read, and the file is kept as it was as"
        f" {path}.damaged-1"
    ) in err
    assert line in err.splitlines()
    assert line in run(capsys, "show", "saturday").splitlines()


def test_a_game_of_an_older_program_is_said_to_have_no_checksums(
    store: GameStore, friday: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(store.path(friday))) as database:
        database.executescript("DROP TABLE seal; DROP TABLE event; DROP TABLE crop; VACUUM")
        old = Path(__file__).parents[2] / "table" / "game_log" / "format-1.sql"
        database.executescript(old.read_text("utf-8"))
    assert "8 events were saved by an older railspotter" in run(capsys, "show", "sunday")
    assert json.loads(run(capsys, "show", "sunday", "--json"))["unsealed"] == 8
    run(capsys, "rename", "sunday", "Monday")
    assert json.loads(run(capsys, "show", "monday", "--json"))["unsealed"] == 0
