"""The next game has the same people; who left is not asked back."""

from pathlib import Path

import pytest
from railspotter.cli.pages import NextGame
from railspotter.scoring.spot import Spot
from railspotter.table.errors import TableError
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player, PlayerLeft, PlayerRecoloured

STARTED = GameStarted("usa", (Player("ann", "red", "Ann"), Player("bob", "blue")), name="Friday")
CLAIM = Placed.on(Spot("route", "helena--seattle"), colour="red", by="person")


def test_the_next_game_begins_with_who_is_there(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    with store.create(STARTED, 1.0) as log:
        next_game = NextGame(store, log)
        log.append([CLAIM, PlayerRecoloured("ann", "green"), PlayerLeft("bob")], 2.0)
        with pytest.raises(TableError, match="end it first"):
            next_game.begin()
        assert not next_game.has_begun()
        log.append([GameEnded()], 3.0)
        prepared: list[Path] = []
        next_game.begin(prepared.append)
        assert next_game.has_begun()
        with pytest.raises(TableError, match="already"):
            next_game.begin()
    assert next_game.game is not None
    assert prepared == [store.path(next_game.game)]
    table = store.read(next_game.game).table
    assert table.players == (Player("ann", "green", "Ann"),)
    assert (table.name, table.claims, table.ended) == ("Friday", {}, False)


def test_what_cannot_be_prepared_is_not_begun(tmp_path: Path) -> None:
    store = GameStore(tmp_path)

    def refuse(path: Path) -> None:
        raise TableError("the disk is full")

    with store.create(STARTED, 1.0) as log:
        log.append([GameEnded()], 2.0)
        next_game = NextGame(store, log)
        with pytest.raises(TableError, match="disk"):
            next_game.begin(refuse)
        assert not next_game.has_begun()
