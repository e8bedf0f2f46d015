"""Who may make which call: every call of every page by every role, as the calls themselves say."""

import re
from collections.abc import Iterator

import pytest
from halls import hall
from phones import Phone, Table, table
from railspotter.webui.api.calls import Call, Who, calls_of
from railspotter.webui.api.routes import CALLS
from railspotter.webui.hall import calls as hall_calls
from railspotter.webui.sessions.services import Needs
from set_ups import set_up

EVERYONE = {"guest", "link", "joined", "camera", "player", "host"}
LET_IN = {
    Who.STRANGER: EVERYONE,
    Who.ALL: EVERYONE,
    Who.LINK: EVERYONE,
    Who.HERE: EVERYONE,  # the call itself looks at the address: see test_card_games.py
    Who.JOINED: {"joined", "player", "host"},
    Who.PLAYER: {"player"},
    Who.TABLE: {"player", "host"},
    Who.CAMERA: {"camera", "host"},
    Who.HOST: {"host"},
}
ENDLESS = ("/events", "/camera.mjpg", "/hall/events")
REFUSED = ("unknown phone", "not your role")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("game")) as running:
        yield running


@pytest.fixture(scope="module")
def at_game(running: Table) -> dict[str, Phone]:
    codes = running.codes
    return {
        "guest": running.phone(),
        "joined": running.phone().join(codes.join),
        "camera": running.phone().join(codes.camera),
        "player": running.player("cleo"),
        "host": running.host(),
        "link": running.phone(),
    }


@pytest.fixture(scope="module")
def at_set_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Phone]]:
    with set_up(tmp_path_factory.mktemp("set-up")) as running:
        yield {
            "guest": running.phone(),
            "joined": running.phone().join(running.codes.join),
            "camera": running.phone().join(running.codes.camera),
            "host": running.host(),
            "link": running.phone(),
        }


@pytest.fixture(scope="module")
def at_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Phone]]:
    with hall(tmp_path_factory.mktemp("hall")) as work:
        yield {"guest": work.phone(), "host": work.host()}


def named(call: Call) -> str:
    return f"{call.method} {call.path}"


def expected(call: Call, role: str) -> int:
    """The status of the refusal, 200 for who is let in."""
    if role == "link" and call.is_changing:
        return 403
    if role in LET_IN[call.who]:
        return 200
    return 401 if role in ("guest", "link") else 403


def told(phones: dict[str, Phone], call: Call, role: str) -> int:
    """The status of the refusal, 200 for who is let in, whatever then becomes of the call."""
    path = re.sub(r"\{\w+\}", "nobody", call.path)
    if role == "link":
        address = phones["host"].post("/guest-link").json["screen"]["url"]
        path += f"?guest={address.partition('#guest=')[2]}"
    answer = phones[role].ask(call.method, path)
    assert answer.status != 500, role
    is_refused = answer.status in (401, 403) and answer.code in REFUSED
    return answer.status if is_refused else 200


def each_role_may_what_it_may(phones: dict[str, Phone], call: Call) -> None:
    roles = [role for role in phones if call.path not in ENDLESS or expected(call, role) != 200]
    assert {role: told(phones, call, role) for role in roles} == {
        role: expected(call, role) for role in roles
    }


# Whoever is at this computer becomes a host by it, as all these phones are: see test_hosts.py.
BECOMING_HOST = ("POST", "/host")
OTHERS = [call for call in CALLS if (call.method, call.path) != BECOMING_HOST]


@pytest.mark.parametrize(
    "call", [call for call in OTHERS if call.needs is not Needs.SET_UP], ids=named
)
def test_at_a_game_every_role_may_what_it_may(at_game: dict[str, Phone], call: Call) -> None:
    each_role_may_what_it_may(at_game, call)


@pytest.mark.parametrize(
    "call", [call for call in OTHERS if call.needs is not Needs.GAME], ids=named
)
def test_before_a_game_every_role_may_what_it_may(at_set_up: dict[str, Phone], call: Call) -> None:
    each_role_may_what_it_may(at_set_up, call)


@pytest.mark.parametrize("call", calls_of(hall_calls), ids=named)
def test_at_a_hall_every_role_may_what_it_may(at_hall: dict[str, Phone], call: Call) -> None:
    each_role_may_what_it_may(at_hall, call)


def test_a_made_up_cookie_opens_nothing(running: Table, at_game: dict[str, Phone]) -> None:
    made_up = running.phone()
    made_up.cookie = f"{running.page.services.phone_access.devices.cookie}=AAAAAAAAAAAAAAAAAAAAAA"
    assert made_up.post("/pause").status == 401
    assert at_game["joined"].get("/you").json["role"] == "guest"
