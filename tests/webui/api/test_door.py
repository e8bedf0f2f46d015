"""A table's door: strangers see nothing without its word, which nobody guesses in years."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from no_limits import no_limits
from past_games import some_games
from phones import API, Phone, Table, table
from railspotter.table.game_log.game_store import GameStore
from railspotter.webui.access.limits import Limits, Settings
from railspotter.webui.access.phone_access import LETTERS, WORD_LETTERS, PhoneAccess
from railspotter.webui.access.roles import Device, Devices, hash_of
from railspotter.webui.app import create_app
from resting_pages import resting_app
from werkzeug.test import TestResponse

# All that who has no word reaches; the files and words are the program's own.
OPEN = {
    "GET /static/<path:filename>",
    "GET /words/<part>",
    "GET /manifest.webmanifest",
    "GET /service-worker.js",
    "GET /trust",
    "GET /unreachable",
    f"GET {API}/openapi.json",
    f"POST {API}/join",
    f"GET {API}/host",
    f"POST {API}/host",
}
HOUR_S, DAY_S = 3600, 86400
AWAY = {"X_Forwarded_For": "192.0.2.7"}  # of a request that is not this computer's


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("game")) as running:
        yield running


def lan(app: Flask, number: int = 9) -> FlaskClient:
    """A phone's browser in the network."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = f"192.0.2.{number}"
    return client


def call(client: FlaskClient, method: str, path: str, body: Any = None) -> TestResponse:
    return client.open(API + path, method=method, json=body if method != "GET" else None)


def code(response: TestResponse) -> tuple[int, str]:
    return response.status_code, response.get_json()["error"]["code"] if response.json else ""


def joined(app: Flask, access: PhoneAccess, token: str = "", number: int = 9) -> FlaskClient:
    client = lan(app, number)
    assert call(client, "POST", "/join", {"token": token or access.codes.join}).status_code == 200
    return client


def is_asked(response: TestResponse) -> bool:
    """Whether the answer is the door's page, or a call's refusal without the word."""
    if response.status_code != 403:
        return False
    return code(response)[1] == "word" if response.is_json else b"door/main.js" in response.data


def test_a_stranger_reaches_what_is_listed_and_nothing_else(running: Table, home: Path) -> None:
    app = create_app(running.page.services)
    stranger, reached = lan(app), set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<[^>]+>", "x", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            if not is_asked(stranger.open(path, method=method, json={})):
                name = re.sub("^/words/.*", "/words/<part>", rule.rule)
                reached.add(f"{method} {name}")
    assert reached == OPEN
    lost = stranger.get("/static/nowhere.js")
    assert (lost.status_code, b"door/main.js" in lost.data) == (404, True)
    shown = stranger.get("/")
    assert shown.data == stranger.get("/nowhere").data
    assert shown.data == lan(resting_app(home)[0]).get("/").data, "not even whether a game runs"
    assert set(call(stranger, "GET", "/host").json or {}) == {
        *("has_host", "is_here", "number", "asked", "has_pin")
    }
    assert not is_asked(joined(app, running.page.services.phone_access).get("/"))


@pytest.mark.parametrize("how", ["word", "WORD", "guest", "cookie", "open", "here"])
def test_who_is_let_in_looks_on(running: Table, how: str) -> None:
    access = running.page.services.phone_access
    app, word = create_app(running.page.services), access.codes.join
    access.change(lambda devices: msgspec.structs.replace(devices, guest="abcdefghjk"))
    client, query = lan(app), ""
    if how == "open":
        access.change_door(is_open=True)
    elif how == "cookie":
        client = joined(app, access)
    elif how == "here":
        client = app.test_client()
    else:
        query = {"word": f"?word={word}", "WORD": f"?word={word.upper()}"}.get(
            how, "?guest=abcdefghjk"
        )
    try:
        for path in ("/", "/history", "/screen", f"{API}/state", f"{API}/games", f"{API}/you"):
            assert client.get(path + query).status_code == 200, path
        pause = call(client, "POST", f"/pause{query}", {})
        assert pause.status_code in ((200,) if how == "host" else (401, 403))
    finally:
        access.change_door(is_open=False)
    assert is_asked(lan(app).get("/?guest=abcdefghjz"))
    assert is_asked(lan(app).get(f"{API}/state?word=abcdef"))


def test_a_screens_link_sends_no_photo_and_is_not_guessed(home: Path) -> None:
    clock = Clock()
    app, access = resting_app(home, limits=Limits(clock=clock))
    access.change(lambda devices: msgspec.structs.replace(devices, guest="abcdefghjk"))
    link, host = "?guest=abcdefghjk", joined(app, access, access.codes.host, 2)
    for client in (lan(app), host, app.test_client()):
        for path in ("/", "/photo"):
            assert is_asked(client.post(path + link)), "looking on changes nothing, whoever does"
        for path in ("/photos", "/photos/x/corners"):
            assert client.post(f"{API}{path}{link}").status_code == 403
    for name in ("Via", "x-forwarded-proto", "X-Forwarded-For", "X-Real-IP"):
        assert is_asked(app.test_client().get("/", headers={name: "a"})), (
            "a proxy is here, no one else"
        )
    assert call(lan(app), "OPTIONS", "/games").status_code == 405, "no way past door and rates"
    for path in ("/screen", f"{API}/you"):
        tries = [lan(app, 7).get(f"{path}?guest=wrong").status_code for _ in range(12)]
        assert tries == [403] * 10 + [429] * 2
        assert lan(app, 7).get(path + link).status_code == 429, "a lucky guess is not told"
        assert lan(app, 8).get(path + link).status_code == 200
        clock.now_s += 60


def test_a_closing_door_ends_the_streams_of_lookers_on(running: Table) -> None:
    access, host = running.page.services.phone_access, running.host()
    query = f"?word={access.codes.join}"
    with Phone(host.port).stream(query=query) as by_word, host.stream() as known:
        by_word.next("state")
        known.next("state")
        assert host.post("/codes").json["word"] == access.codes.join
        with pytest.raises(AssertionError, match="the stream has ended"):
            by_word.next("none such")
        host.post("/pause")
        assert known.next("change")
    assert Phone(host.port).get(f"/state{query}", **AWAY).refusal == (403, "word")


def test_a_word_is_the_same_for_years_until_it_is_renewed(home: Path) -> None:
    phones = home / "page.pairing"
    # As programs wrote it that knew no word.
    old = Devices("page", all=(Device(hash_of("known"), is_host=True),))
    phones.write_bytes(msgspec.json.encode(old))
    app, access = resting_app(home)
    word = access.codes.join
    assert len(word) == WORD_LETTERS
    assert set(word) <= set(LETTERS)
    assert access.links("http://192.0.2.1/")["join"] == f"http://192.0.2.1/#join={word}"
    assert PhoneAccess(phones).codes.join == word, "also where nobody has come in yet"
    host, guest = lan(app), joined(app, access)
    host.set_cookie("page", "known")
    assert call(guest, "POST", "/codes", {}).status_code == 403
    renewed = call(host, "POST", "/codes", {}).get_json()["word"]
    assert renewed not in ("", word)
    assert PhoneAccess(phones).codes.join == renewed
    assert call(lan(app), "POST", "/join", {"token": word}).status_code == 403
    assert call(guest, "GET", "/you").get_json()["has_joined"], "who is in stays in"
    access.enter_game(home / "a.game", lambda seat: True)
    assert (access.devices.door.word, PhoneAccess(phones).codes.join) == (renewed, renewed)
    access.leave_game()
    assert access.devices.door.word == renewed


@pytest.mark.parametrize("way", ["join", "query"])
def test_words_are_not_guessed_from_many_addresses(home: Path, way: str) -> None:
    clock = Clock()
    app, access = resting_app(home, limits=Limits(clock=clock))
    inside = joined(app, access, number=1)
    phones = [lan(app, number) for number in range(2, 42)]

    def said(phone: FlaskClient, word: str) -> int:
        if way == "query":
            return phone.get(f"{API}/you?word={word}").status_code
        return call(phone, "POST", "/join", {"token": word}).status_code

    looked_at = 0
    for _ in range(10):
        looked_at += sum(said(phone, "aaaaaa") == 403 for phone in phones for _ in range(2))
        clock.now_s += 60
    clock.now_s -= 60
    assert 540 <= looked_at <= 540 + 60
    years = len(LETTERS) ** WORD_LETTERS * (540 / looked_at) / DAY_S / 365 / 2
    assert years > 10, "as docs/security.md says"
    assert said(lan(app, 99), access.codes.join) == 429, "a lucky guess is not told either"
    assert call(inside, "GET", "/you").status_code == 200, "who is in notices nothing"
    host = joined(app, access, access.codes.host, 100)  # nor does who has the host's link
    assert call(host, "GET", "/you").status_code == 200
    clock.now_s += 5
    assert said(lan(app, 99), access.codes.join) == 200


def test_a_pin_makes_phones_hosts_and_is_not_guessed(home: Path) -> None:
    clock = Clock()
    limits = no_limits()
    limits = Limits(Settings({**limits.settings.rates, "pin": Settings().rates["pin"]}), clock)
    app, access = resting_app(home, limits=limits)
    host, tom = joined(app, access, access.codes.host), joined(app, access)
    assert call(tom, "GET", "/host").get_json()["has_pin"] is False
    assert code(call(tom, "POST", "/host/pin", {"pin": "4711"})) == (403, "old"), "there is none"
    assert call(tom, "PATCH", "/door", {"pin": "4711"}).status_code == 403
    for wrong in ("471", "471147114", "47x1", "47 1"):
        assert call(host, "PATCH", "/door", {"pin": wrong}).status_code == 400
    assert call(host, "PATCH", "/door", {"pin": "4711"}).get_json()["has_pin"]
    assert "4711" not in (home / "page.pairing").read_text("utf-8")
    assert code(call(lan(app), "POST", "/host/pin", {"pin": "4711"})) == (403, "word")
    assert call(lan(app), "GET", "/host").get_json()["has_pin"] is False, "strangers are not told"

    def said(number: int, pin: str) -> int:
        return call(phones[number % len(phones)], "POST", "/host/pin", {"pin": pin}).status_code

    phones = [joined(app, access, number=number) for number in range(20, 40)]
    tries = [said(number, f"{number:04}") for number in range(6)]
    assert tries == [403] * 4 + [429] * 2, "the first was tried when there was no PIN"
    looked_at = 0
    for number in range(DAY_S // 600):
        clock.now_s += 600
        looked_at += sum(said(number + i, f"{number:04}") == 403 for i in range(4))
    assert looked_at == DAY_S / HOUR_S, "so 10,000 take a year and more"
    assert said(1, "4711") == 429, "too early, though it were right"
    clock.now_s += HOUR_S
    assert call(tom, "POST", "/host/pin", {"pin": "4711"}).get_json()["is_host"]
    assert PhoneAccess(home / "page.pairing").devices.door.pin, "also after a restart"
    assert call(host, "PATCH", "/door", {"pin": ""}).get_json()["has_pin"] is False
    assert code(call(phones[0], "POST", "/host/pin", {"pin": "4711"})) == (403, "old")


def test_in_a_cafe_guests_see_no_past_games(home: Path) -> None:
    names = some_games(GameStore(home))
    app, access = resting_app(home)
    host, guest = joined(app, access, access.codes.host), joined(app, access)
    game = f"/games/{next(iter(names.values()))}"
    past = ("/games", "/people", game, f"{game}/board", f"{game}/moments", f"{game}/export/csv")
    assert {call(guest, "GET", path).status_code for path in past} == {200}
    assert call(guest, "GET", "/table").get_json()["sees_past"]
    assert call(guest, "PATCH", "/door", {"guests": "cafe"}).status_code == 403
    assert call(host, "PATCH", "/door", {"guests": "cafe"}).json == {
        **{"is_open": False, "guests": "cafe", "has_pin": False, "is_on_screens": True}
    }
    assert {code(call(guest, "GET", path)) for path in past} == {(403, "not yours")}
    told = call(guest, "GET", "/table").get_json()
    assert (told["sees_past"], told["last"], told["games"]) == (False, None, [])
    assert {call(host, "GET", path).status_code for path in past} == {200}
    assert call(host, "GET", "/table").get_json()["sees_past"]
