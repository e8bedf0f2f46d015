"""Guests' games of The Card Game: few of one phone, and never in the place of anybody else's."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from phones import API, Phone, table
from railspotter.table.card_games import card_game_store
from railspotter.webui.access.limits import Limits
from resting_pages import resting_app

TWO = [{"colour": "red", "name": "Ann"}, {"colour": "blue"}]


def begin_as(client: FlaskClient, address: str = "127.0.0.1") -> Any:
    """Begin a game from an address; this computer's own is no guest's."""
    body, phone = {"players": TWO}, {"REMOTE_ADDR": address}
    return client.post(f"{API}/card-games", json=body, environ_overrides=phone)


def kept(client: FlaskClient) -> set[str]:
    told: Any = client.get(f"{API}/card-games").json
    return {game["id"] for game in told["games"]}


def test_guests_take_nobodys_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_game_store, "MOST_GAMES", 12)
    monkeypatch.setattr(card_game_store, "MOST_OF_GUESTS", 8)
    monkeypatch.setattr(card_game_store, "MOST_OF_ONE", 5)
    client = resting_app(tmp_path, is_open=True)[0].test_client()
    statuses = [begin_as(client, f"2001:db8::{n + 1}").status_code for n in range(7)]
    assert statuses == [200] * 5 + [409] * 2, "one phone has a /64"
    full = begin_as(client, "2001:db8::9").json["error"]
    assert full["code"] == "full"
    assert full["message"].startswith("5 games of this month were begun from here")
    assert begin_as(client, "192.0.2.1").status_code == 200
    statuses = [begin_as(client, f"192.0.2.{n}").status_code for n in range(2, 20)]
    assert statuses == [200] * 2 + [409] * 16
    # This computer's room is its own; what it began can be told from guests' games.
    own = [begin_as(client) for _ in range(5)]
    assert [answer.status_code for answer in own] == [200] * 4 + [503]
    assert {answer.json["id"] for answer in own[:4]} < kept(client)


def test_a_guests_game_that_was_left_alone_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_game_store, "MOST_OF_ONE", 4)
    client, now_s = resting_app(tmp_path, is_open=True)[0].test_client(), time.time()

    def touch(game: Any, hours_ago: float) -> None:
        (path,) = (tmp_path / "card-game" / "games").glob(f"{game['id']}*.json")
        os.utime(path, (now_s - 3600 * hours_ago,) * 2)

    here = begin_as(client).json
    touch(here, 90)
    finished, older, old, new = (begin_as(client, "192.0.2.9").json for _ in range(4))
    end = {"seen": finished["seen"]["game"], "final": True}
    path = f"{API}/card-games/{finished['id']}"
    assert client.patch(path, json=end).status_code == 200
    for game, hours_ago in ((finished, 80), (older, 60), (old, 40), (new, 23)):
        touch(game, hours_ago)
    begun = [begin_as(client, "192.0.2.9") for _ in range(3)]
    assert [answer.status_code for answer in begun] == [200, 200, 409]
    left = (here, finished, new, begun[0].json, begun[1].json)
    assert kept(client) == {one["id"] for one in left}
    # After a month what is finished is not counted any more.
    touch(finished, 24 * 31)
    assert begin_as(client, "192.0.2.9").status_code == 200
    told: Any = client.get(path).json
    assert told["game"]["final"]


def test_a_phone_begins_only_so_many_games_at_once(tmp_path: Path) -> None:
    client = resting_app(tmp_path, limits=Limits(), is_open=True)[0].test_client()
    statuses = [begin_as(client, "192.0.2.9").status_code for _ in range(12)]
    assert statuses == [200] * 10 + [429] * 2
    assert begin_as(client, "192.0.2.10").status_code == 200
    # Codes are tried as before.
    elsewhere = {"REMOTE_ADDR": "192.0.2.9"}
    tried = client.post(f"{API}/join", json={"token": "x"}, environ_overrides=elsewhere)
    assert tried.status_code == 403


def test_a_players_game_is_no_guests(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        folder = tmp_path / "card-game" / "games"

        def is_guests(phone: Phone) -> bool:
            # Passed on by a tunnel, else it would be somebody at this computer.
            told = phone.post("/card-games", {"players": TWO}, X_Forwarded_For="192.0.2.9").json
            return not (folder / f"{told['id']}.json").exists()

        running.page.services.phone_access.change_door(is_open=True)
        phones = (running.phone(), running.player("ann"), running.host())
        assert [is_guests(phone) for phone in phones] == [True, False, False]
