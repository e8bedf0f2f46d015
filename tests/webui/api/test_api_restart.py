"""A table that begins anew: what it kept of phones, and what it says where that is not there."""

import socket
from pathlib import Path

import pytest
from phones import table
from railspotter.table.game_log.game_store import PAIRING, GameStore
from railspotter.webui.access import phone_access as phone_access_module
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.access.roles import Device, hash_of
from railspotter.webui.errors import AddressError
from railspotter.webui.serving.system_network import own_address


def test_a_damaged_file_costs_no_more_than_a_scan(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, game = running.player("ann"), running.log.id
    kept = (tmp_path / "games" / game).with_suffix(PAIRING)
    kept.write_bytes(kept.read_bytes()[:-20])
    with table(tmp_path, game) as running:
        ann.port = running.page.server.port
        assert ann.get("/you").json["seat"] is None
        assert running.player("ann").get("/you").json["seat"] == "ann"
    GameStore(tmp_path).delete(game)
    assert list((tmp_path / "games").iterdir()) == []


def test_what_cannot_be_written_down_does_not_hold(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        phone = running.joined()
        running.page.services.phone_access._game_path = tmp_path / "no such folder" / "x.pairing"
        answer = phone.post("/seat", {"seat": "ann"})
        assert answer.refusal == (503, "not written")
        assert "No such file" in answer.json["error"]["message"]
        assert phone.get("/you").json["seat"] is None
        assert not any(player["is_paired"] for player in phone.state()["players"])


def test_a_game_of_another_cookie_is_left_alone(tmp_path: Path) -> None:
    first = PhoneAccess(tmp_path / "a.pairing", "railspotter-a")
    assert first.devices.cookie == "railspotter-a"
    first.change(lambda devices: devices)
    assert PhoneAccess(tmp_path / "a.pairing", "railspotter-b").devices.cookie == "railspotter-a"


def test_a_busy_port_is_said_and_leaves_nothing_running(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        said = f"cannot serve on port {port}"
        with pytest.raises(AddressError, match=said), table(tmp_path, port=port):
            pass
    assert not list((tmp_path / "games").glob(f"*{PAIRING}"))


def test_phones_get_an_address_that_they_can_reach(tmp_path: Path) -> None:
    with table(tmp_path, address="0.0.0.0") as running:
        url = running.page.services.phone_access.url
        assert url == f"http://{own_address()}:{running.page.server.port}/"
        codes = running.host().get("/codes").json
        assert codes["join"]["url"].startswith(url), "not the host's own localhost"
        assert any(url in line for line in running.said)


def test_a_phone_with_two_cookies_is_one_phone(tmp_path: Path) -> None:
    """It had a seat in a game, and was made the host of the set-up that resumed it."""
    pairing = PhoneAccess(tmp_path / "game.pairing", "game")
    pairing.change(lambda devices: devices.put(Device(hash_of("old"), has_joined=True, seat="ann")))
    access = PhoneAccess(tmp_path / "page.pairing", "page")
    access.change(lambda devices: devices.put(Device(hash_of("new"), is_host=True)))
    access.enter_game(tmp_path / "game.sqlite3", lambda seat: True)
    phone = access.phone_by_cookies({"game": "old", "page": "new"})
    assert phone is not None
    assert (phone.seat, phone.is_host) == ("ann", True)
    stored = PhoneAccess(tmp_path / "game.pairing", "game").devices.current(phone)
    assert stored == phone, "its rights are kept where its seat is"


def test_a_link_that_could_not_be_kept_is_followed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table(tmp_path) as running:
        access, shown = running.page.services.phone_access, list[str]()
        access.on_codes = shown.append
        token = access.codes.host
        monkeypatch.setattr(phone_access_module, "write_whole", _refuse)
        assert running.phone().post("/join", {"token": token}).status == 503
        assert shown == ["host"], "the terminal shows the next one"


def _refuse(*_: object, **__: object) -> None:
    raise OSError(28, "no space")
