"""The description for machines: every call is in it, and every call keeps to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import set_ups
from examples import examples
from house.project import ROOT
from hypothesis import HealthCheck, Phase, given, settings
from phones import API, Phone, Table, table
from railspotter.table.errors import PhotoError
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.api.openapi import description
from railspotter.webui.api.routes import CALLS
from railspotter.webui.app import create_app
from railspotter.webui.sessions.services import Needs
from set_ups import SetUp

if TYPE_CHECKING:
    from schemathesis import Case, CheckFunction

AT_GAME = {Needs.PHONES, Needs.NOTHING, Needs.CAMERA, Needs.GAME}
AT_SET_UP = {Needs.PHONES, Needs.NOTHING, Needs.CAMERA, Needs.SET_UP}
ENDLESS = {"/events", "/camera.mjpg"}
NAMES = [f"{call.method} {call.path}" for call in CALLS if call.path not in ENDLESS]


def without_cookies() -> dict[str, Any]:
    """The description for who has the host's cookie: it is sent with every call."""
    told = description(CALLS, API)
    for operations in told["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    return told


@cache
def operations() -> dict[str, Any]:
    """What the description says of each call; a second's import, so only where it is needed."""
    import schemathesis
    from schemathesis.core.result import Ok

    described = schemathesis.openapi.from_dict(without_cookies()).get_all_operations()
    found = [one.ok() for one in described if isinstance(one, Ok)]
    return {f"{one.method.upper()} {one.path}": one for one in found}


OF_SET_UP = {f"{call.method} {call.path}" for call in CALLS if call.needs is Needs.SET_UP}


def unread(photos: Files) -> ScoredPhoto:
    raise PhotoError("this is no picture")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("home"), score=unread) as running:
        yield running


@pytest.fixture
def choosing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUp]:
    with set_ups.set_up(tmp_path_factory.mktemp("set-up"), score=unread) as running:
        yield running


@pytest.fixture(scope="module")
def host(running: Table) -> Phone:
    host = running.host()
    assert host.post("/seat", {"seat": "ann"}).status == 200
    return host


@pytest.fixture
def setting_up(choosing: SetUp) -> Phone:
    return choosing.host()


@pytest.mark.parametrize("kind", ["a running game", "a set-up"])
def test_every_route_is_described_and_every_description_is_a_route(
    running: Table, choosing: SetUp, kind: str
) -> None:
    is_game = kind == "a running game"
    told = (running if is_game else choosing).phone().get("/openapi.json").json
    described = {
        (method.upper(), f"{API}{path}")
        for path, operations in told["paths"].items()
        for method in operations
    }
    app = create_app((running if is_game else choosing).page.services)
    routed = {
        (method, re.sub(r"<(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(API)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routed - {("GET", f"{API}/openapi.json")} == described
    assert told == json.loads(json.dumps(description(CALLS, API)))


def test_every_call_is_there_somewhere() -> None:
    assert {call.needs for call in CALLS} <= AT_GAME | AT_SET_UP


def test_the_contract_names_every_call() -> None:
    contract = (ROOT / "docs" / "api.md").read_text("utf-8")
    for call in CALLS:
        path = re.sub(r"\{(\w+)\}", lambda name: name[1].upper(), call.path)
        first = "bgstats" if "card-games/" in path else "jsonl"
        path = path.replace("/export/FORMAT", f"/export/{first}")
        assert f"`{call.method} {path}" in contract, call


def keeps_to_it(name: str, host: Phone, *, is_malformed: bool) -> None:
    """Make a call in the ways that hypothesis finds."""
    from schemathesis import GenerationMode, checks
    from schemathesis.specs.openapi import checks as openapi

    mode = GenerationMode.NEGATIVE if is_malformed else GenerationMode.POSITIVE
    held: list[CheckFunction] = [
        checks.not_a_server_error,
        openapi.status_code_conformance,
        openapi.content_type_conformance,
        openapi.response_schema_conformance,
        *([openapi.negative_data_rejection] if is_malformed else []),
    ]

    @settings(
        examples(12, every_run=2),
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operations()[name].as_strategy(generation_mode=mode))
    def keep(case: Case[Any]) -> None:
        headers = {"Cookie": host.cookie, "Origin": host.origin}
        response = case.call(base_url=f"{host.origin}{API}", headers=headers)
        case.validate_response(response, checks=held)

    keep()


def who_asks(name: str, request: pytest.FixtureRequest) -> Phone:
    """The host of a running game, or of a set-up where the call is of one."""
    phone: Phone = request.getfixturevalue("setting_up" if name in OF_SET_UP else "host")
    return phone


# The running game is there before the test: else the first one would seem to leave it behind.
@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("name", NAMES)
def test_what_is_well_formed_is_answered_as_described(
    name: str, request: pytest.FixtureRequest
) -> None:
    keeps_to_it(name, who_asks(name, request), is_malformed=False)


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("name", [f"{call.method} {call.path}" for call in CALLS if call.body])
def test_what_is_malformed_is_refused_as_described(
    name: str, request: pytest.FixtureRequest
) -> None:
    keeps_to_it(name, who_asks(name, request), is_malformed=True)
