"""Bundles that were made up to hang the program: lists, one game and the end of the program."""

import io
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest
from made_up_boards import GRAPHS, facts_on, made_up_board
from past_games import id_of, put, some_games
from railspotter.table.game_log.errors import BundleError, LogFileError
from railspotter.table.game_log.exports import write_bundle
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.game_store import SUMMARY, GameStore
from railspotter.table.past_games.people import People
from railspotter.table.past_games.people_exports import take_games_in
from railspotter.webui.errors import SlowGameError
from railspotter.webui.feed import history as history_module
from railspotter.webui.feed.history import GameList, History

ENOUGH_S = 1e9


def listed(history: History) -> GameList:
    """Ask as the page does, until every game is read."""
    until = time.monotonic() + 60
    while (known := history.games()).unread:
        assert time.monotonic() < until, "a list is never done"
    return known


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


@pytest.mark.parametrize(
    "name", ["946 routes, every place odd", "a complete graph", "a long ladder"]
)
def test_a_made_up_game_is_listed_beside_the_others(
    store: GameStore, tmp_path: Path, name: str
) -> None:
    # As a program took it in that did not look at the stock.
    made_up = put(store, 7, facts_on(made_up_board(GRAPHS[name]())))
    content = b"".join(write_bundle(store.path(made_up)))
    assert len(content) < 500_000
    with pytest.raises(BundleError, match="no single misreading explains"):
        take_games_in(GameStore(tmp_path / "elsewhere"), People(), io.BytesIO(content))
    some_games(store)
    history = History(store)
    known = listed(history)
    assert len(known.games) == 5
    assert not any(game.is_damaged for game in known.games)
    (game,) = (game for game in known.games if game.id == made_up)
    assert game.is_unsure
    ann = game.players[0]
    assert 0 < ann.longest_path <= ann.longest_path_at_most
    assert ann.is_path_exact == (name == "a long ladder")
    assert game.players[0].is_winner
    again = History(store)  # after a restart
    assert listed(again) == known


def slow_reads(monkeypatch: pytest.MonkeyPatch, slow: str, go_on: threading.Event) -> None:
    read = GameStore.read

    def slowly(self: GameStore, game: str) -> GameState:
        if game == slow:
            go_on.wait(30)
        return read(self, game)

    monkeypatch.setattr(GameStore, "read", slowly)


def test_a_slow_file_holds_up_no_call(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    names = some_games(store)
    go_on = threading.Event()
    slow_reads(monkeypatch, names["unfinished"], go_on)
    monkeypatch.setattr(history_module, "TIMEOUT_S", 0.05)
    history = History(store)
    began = time.monotonic()
    assert [history.games().unread for _ in range(3)] == [4, 4, 4], "it was read first"
    with pytest.raises(SlowGameError):
        history.game(names["unfinished"])
    # Nothing that the end of the program waits for is still at it.
    assert all(thread.daemon for thread in threading.enumerate() if "games" in thread.name)
    assert time.monotonic() - began < 5
    go_on.set()
    assert len(listed(history).games) == 4
    history.game(names["unfinished"])


class BrokenError(Exception):
    """What nobody thought of."""


def test_a_file_that_fails_is_set_aside_by_name(
    store: GameStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names = some_games(store)
    read = GameStore.read

    def broken(self: GameStore, game: str) -> GameState:
        if game == names["usa"]:
            raise BrokenError
        return read(self, game)

    monkeypatch.setattr(GameStore, "read", broken)
    for _ in range(2):
        known = listed(History(store))
        aside = {game.id: game.problem for game in known.games if game.is_damaged}
        assert aside == {names["usa"]: "content"}
        assert len(known.games) == 4
    assert names["usa"] in caplog.text
    told = dict(store.all())[names["usa"]]
    assert isinstance(told, LogFileError), "the terminal lists it too"


def test_a_file_that_ended_the_program_twice_is_read_no_more(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = some_games(store)
    read: list[str] = []

    class Ended(BaseException):
        """The program ends here."""

    def deadly(self: History, game: str) -> object:
        read.append(game)
        if game == names["usa"]:
            raise Ended
        return summary(self, game)

    summary = History._summary
    monkeypatch.setattr(History, "_summary", deadly)
    for _ in range(2):
        history = History(store, list_timeout_s=ENOUGH_S)
        with pytest.raises(Ended):
            history.games()
    assert read[-1] == names["usa"], "the others come first"
    known = listed(History(store))
    assert read.count(names["usa"]) == 2
    assert {game.id: game.problem for game in known.games if game.is_damaged} == {
        names["usa"]: "ended"
    }
    mark = store.path(names["usa"]).with_suffix(SUMMARY)
    assert mark.stat().st_mode & 0o077 == 0
    # Another file of that name is another one.
    (store.folder / f"{names['usa']}.sqlite3").unlink()
    put(store, 1, facts_on(made_up_board(nx.path_graph(4))))
    with pytest.raises(Ended):
        History(store, list_timeout_s=ENOUGH_S).games()
    assert id_of(1) == names["usa"]


@pytest.mark.parametrize("make", GRAPHS.values(), ids=GRAPHS)
def test_a_made_up_game_is_shown(store: GameStore, make: "Callable[[], nx.Graph[int]]") -> None:
    name = put(store, 7, facts_on(made_up_board(make()))[:40])
    history = History(store)
    assert history.game(name).table.score.standing.players[0].longest_path.is_exact
    assert history.moments(name)


def test_the_moments_of_a_made_up_game_share_their_steps(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = made_up_board(GRAPHS["946 routes, every place odd"]())
    name = put(store, 7, facts_on(board)[:300])
    monkeypatch.setattr(history_module, "MOST_STEPS", 100_000)
    monkeypatch.setattr(history_module, "TIMEOUT_S", 60)
    told = json.loads(History(store).moments(name))
    seats = [moment["change"].get("players", {}).get("ann", {}) for moment in told["moments"]]
    bounds = {**told["start"]["players"]["ann"]}
    inexact = 0
    for seat in seats:
        bounds |= seat
        assert bounds["longest_path"] <= bounds["longest_path_at_most"]
        inexact += bounds["longest_path"] < bounds["longest_path_at_most"]
    assert 0 < inexact < len(seats)
